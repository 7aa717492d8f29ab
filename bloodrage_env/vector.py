"""Many games at once: one compiled call steps them all, writes the next decisions, and begins finished games anew.

`step_games` and `begin_games` fill arrays that the caller owns; `VectorGames` owns them for you. A game's chance comes
from its own seed, so that results do not depend on the number of threads.
"""

import copy
import operator
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from .engine import GAME_OVER, MAX_SEATS, NUM_ACTIONS, STATE
from .engine.api import begin, step
from .engine.chance import MAX_SEED
from .engine.compiled import Floats2, Ints, Mask2, State, States, entry, rule
from .engine.invariants import check_state
from .observation import OBSERVATION_SIZE, write_observation

NO_PROCESS: Final = -1  # the number of none


@rule
def check_decisions(states: States, masks: Mask2, observations: Floats2, seats: Ints) -> None:
    """The arrays have a row for each game; ValueError names one that has not."""
    if masks.shape != (len(states), NUM_ACTIONS):
        raise ValueError("masks must have the shape (len(states), NUM_ACTIONS)")
    if observations.shape != (len(states), OBSERVATION_SIZE):
        raise ValueError("observations must have the shape (len(states), OBSERVATION_SIZE)")
    if len(seats) != len(states):
        raise ValueError("seats must be as many as states")


@rule
def check_which(states: States, which: Ints) -> None:
    """`which` are indices of games; ValueError otherwise."""
    for game in which:
        if game < 0 or game >= len(states):
            raise ValueError("which must be indices of games: 0 to len(states) - 1")


@rule
def check_starts(states: States, seeds: Ints, players: Ints) -> None:
    """There are a seed and a number of players for each game; ValueError names what is wrong."""
    if len(seeds) != len(states):
        raise ValueError("seeds must be as many as states")
    if len(players) != len(states):
        raise ValueError("players must be as many as states")
    for game in range(len(states)):
        if seeds[game] < 0:
            raise ValueError("seeds must be 0 to 2**63 - 1")
        if players[game] < 2 or players[game] > MAX_SEATS:
            raise ValueError("players must be 2, 3 or 4")


@rule
def check_options(options: Ints) -> None:
    """`options` are two."""
    if len(options) != 2:
        raise ValueError("options must be two numbers: first_game, skip_forced")


@rule
def victory_part(s: State, seat: int) -> float:
    """A seat's part of the victory: equal parts for the seats with the most glory (rules 5), nothing for the others."""
    equals = 0
    for other in range(s.num_players):
        if s.glory[other] > s.glory[seat]:
            return 0.0
        if s.glory[other] == s.glory[seat]:
            equals += 1
    return 1.0 / equals


@rule
def write_rewards(s: State, rewards: Floats2, game: int) -> None:
    """Row `game` of `rewards`: +1 shared by the winners, -1 by the others; zero for absent seats, sum zero."""
    n = int(s.num_players)
    for seat in range(n):
        rewards[game, seat] = (victory_part(s, seat) * n - 1.0) / (n - 1.0)


@rule
def write_decision(states: States, game: int, masks: Mask2, observations: Floats2, seats: Ints) -> None:
    """The open decision of a game into row `game` of the arrays."""
    s = states[game]
    seats[game] = s.seat
    masks[game, :] = s.mask
    write_observation(s, int(s.seat), observations[game])


@entry
def begin_games(
    states: States, seeds: Ints, players: Ints, options: Ints, masks: Mask2, observations: Floats2, seats: Ints
) -> None:
    """Set up every game and write its first decision; arguments as in `step_games`."""
    check_starts(states, seeds, players)
    check_options(options)
    check_decisions(states, masks, observations, seats)
    for game in range(len(states)):
        begin(states[game], seeds[game], players[game], options[0] != 0, options[1] != 0)
        write_decision(states, game, masks, observations, seats)


@entry
def first_illegal(states: States, actions: Ints) -> int:
    """The first game whose action is not legal, or -1."""
    if len(actions) != len(states):
        raise ValueError("actions must be as many as states")
    for game in range(len(states)):
        if actions[game] < 0 or actions[game] >= NUM_ACTIONS or states[game].mask[actions[game]] == 0:
            return game
    return -1


@entry
def step_games(
    states: States,
    actions: Ints,
    seeds: Ints,
    seed_stride: int,
    players: Ints,
    options: Ints,
    masks: Mask2,
    observations: Floats2,
    seats: Ints,
    rewards: Floats2,
    dones: Mask2,
) -> None:
    """Answer every game's question with a legal action (see `first_illegal`) and write the next decisions.

    A game that ends pays `rewards` (float32[N, 4], zero otherwise), sets `dones[:, 0]`, and `dones[:, 1]` if it was cut
    off, and begins anew at once: its seed grows by `seed_stride`, modulo 2**63. `players` is int64[N], `options`
    int64[2]: first_game, skip_forced. `masks` int8[N, NUM_ACTIONS], `observations` float32[N, OBSERVATION_SIZE] and
    `seats` int64[N] hold the next decision. All arrays C-contiguous. ValueError for another length or number.
    """
    check_starts(states, seeds, players)
    check_options(options)
    check_decisions(states, masks, observations, seats)
    if len(actions) != len(states):
        raise ValueError("actions must be as many as states")
    if rewards.shape != (len(states), MAX_SEATS):
        raise ValueError("rewards must have the shape (len(states), MAX_SEATS)")
    if dones.shape != (len(states), 2):
        raise ValueError("dones must have the shape (len(states), 2)")
    for game in range(len(states)):
        s = states[game]
        rewards[game, :] = 0.0
        dones[game, :] = 0
        if step(s, actions[game]) == GAME_OVER:
            write_rewards(s, rewards, game)
            dones[game, 0] = 1
            dones[game, 1] = s.truncated
            seeds[game] = (int(seeds[game]) + seed_stride) & MAX_SEED
            begin(s, seeds[game], players[game], options[0] != 0, options[1] != 0)
        write_decision(states, game, masks, observations, seats)


class VectorGames:
    """N games that step together, each with its own open decision.

    After `reset` and each `step`: `masks` int8[N, NUM_ACTIONS] and `observations` float32[N, OBSERVATION_SIZE] of the
    seat to act, `seats` int64[N]; `rewards` float32[N, 4] and `dones` bool[N] tell of the games that ended in this
    step, which have already been reset, `truncated` bool[N] those of them that were cut off. The arrays are kept and
    overwritten: copy what you need.

    `num_players` is 2 to 4, or one number a game. Game i plays the seeds `seed + i`, `seed + i + N`, ..., modulo 2**63;
    `seed` is 0 to 2**63 - 1. With `threads` > 1 slices of the games are stepped side by side; the results are the same.

    `copy.copy`, `copy.deepcopy` and pickle make true copies at any time, and a forked process may go on with its own.
    ValueError: a number out of its range; TypeError: what is no whole number.
    """

    def __init__(
        self,
        num_games: int,
        num_players: int | Sequence[int] = 4,
        first_game: bool = False,
        skip_forced: bool = True,
        seed: int = 0,
        threads: int = 1,
    ) -> None:
        num_games, threads = _whole("num_games", num_games), _whole("threads", threads)
        if num_games < 1:
            raise ValueError(f"num_games is {num_games}; give 1 or more")
        players = np.broadcast_to(_whole_numbers("num_players", num_players), num_games)
        if players.min() < 2 or players.max() > MAX_SEATS:
            raise ValueError(f"num_players is {num_players}; give 2 to {MAX_SEATS}")
        if not 1 <= threads <= num_games:
            raise ValueError(f"threads is {threads}; give 1 to num_games ({num_games})")
        self.num_games = num_games
        self.players = players.astype(np.int64)
        self.seed = _checked_seed(seed)
        self.states = np.zeros(num_games, STATE)
        self.seeds = np.zeros(num_games, np.int64)
        self.options = np.array([first_game, skip_forced], dtype=np.int64)
        self.masks = np.zeros((num_games, NUM_ACTIONS), np.int8)
        self.observations = np.zeros((num_games, OBSERVATION_SIZE), np.float32)
        self.seats = np.zeros(num_games, np.int64)
        self.rewards = np.zeros((num_games, MAX_SEATS), np.float32)
        self._dones = np.zeros((num_games, 2), np.int8)
        bounds = np.linspace(0, num_games, threads + 1).astype(int)
        self._slices = [slice(a, b) for a, b in pairwise(bounds)]
        self._pool: ThreadPoolExecutor | None = None  # made when first needed, by each process
        self._pool_process = NO_PROCESS

    @property
    def dones(self) -> npt.NDArray[np.bool_]:
        """bool[N]: games that ended in the last step."""
        return self._dones[:, 0].view(np.bool_)

    @property
    def truncated(self) -> npt.NDArray[np.bool_]:
        """bool[N]: games that ended in the last step because they were cut off."""
        return self._dones[:, 1].view(np.bool_)

    def reset(self, seed: int | None = None) -> None:
        """Begin all games anew, from `seed` if given."""
        self.seed = self.seed if seed is None else _checked_seed(seed)
        self.seeds[:] = (np.uint64(self.seed) + np.arange(self.num_games, dtype=np.uint64)) & np.uint64(MAX_SEED)
        self.rewards[:] = 0
        self._dones[:] = 0
        self._each_slice(self._begin)

    def step(self, actions: npt.ArrayLike) -> None:
        """Answer all open decisions: int[N] of any integer type.

        An illegal action, or another shape, raises ValueError, actions that are no whole numbers TypeError; no game is
        changed then.
        """
        answers = np.ascontiguousarray(_whole_numbers("actions", actions))
        if answers.shape != (self.num_games,):
            raise ValueError(f"actions have shape {answers.shape}; give ({self.num_games},)")
        game = first_illegal(self.states, answers)
        if game >= 0:
            raise ValueError(f"action {answers[game]} is not legal in game {game}; choose one where masks[{game}] is 1")
        self._each_slice(lambda part: self._step(part, answers))

    def _begin(self, part: slice) -> None:
        begin_games(
            self.states[part],
            self.seeds[part],
            self.players[part],
            self.options,
            self.masks[part],
            self.observations[part],
            self.seats[part],
        )

    def _step(self, part: slice, actions: npt.NDArray[np.int64]) -> None:
        step_games(
            self.states[part],
            actions[part],
            self.seeds[part],
            self.num_games,
            self.players[part],
            self.options,
            self.masks[part],
            self.observations[part],
            self.seats[part],
            self.rewards[part],
            self._dones[part],
        )

    def _each_slice(self, work: Callable[[slice], None]) -> None:
        if len(self._slices) == 1:
            work(self._slices[0])
            return
        if self._pool is None or self._pool_process != os.getpid():  # a fork copies the pool, but not its threads
            self._pool = ThreadPoolExecutor(len(self._slices))
            self._pool_process = os.getpid()
        list(self._pool.map(work, self._slices))

    def __copy__(self) -> "VectorGames":
        """Return a copy that shares nothing: shared games would move under the other's feet."""
        return copy.deepcopy(self)

    def __getstate__(self) -> dict[str, Any]:
        """What copies and pickles hold: the records as bytes, since numpy leaves their padding undefined in copies."""
        kept = self.__dict__ | {"states": self.states.tobytes()}
        del kept["_pool"], kept["_pool_process"]
        return kept

    def __setstate__(self, saved: dict[str, Any]) -> None:
        """Restore; ValueError for a pickle of another version, or records that are no games."""
        if len(saved["states"]) != STATE.itemsize * saved["num_games"]:
            raise ValueError("these games have another layout: they were saved by another version")
        self.__dict__.update(saved)
        self.states = np.ndarray(self.num_games, STATE, bytearray(saved["states"]))
        if any(saved["states"]):  # `reset` was called
            for game in range(self.num_games):
                check_state(self.states, game)
        self._pool, self._pool_process = None, NO_PROCESS


def _whole(name: str, value: Any) -> int:
    """An integer of any type as an int, or TypeError."""
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be a whole number, not {value!r}") from None


def _whole_numbers(name: str, values: npt.ArrayLike) -> Ints:
    """Integers of any type as int64, or TypeError; ValueError for one beyond 64 bits."""
    numbers = np.asarray(values)
    if not np.issubdtype(numbers.dtype, np.integer):
        raise TypeError(f"{name} must be whole numbers, not an array of {numbers.dtype}")
    if numbers.dtype == np.uint64 and numbers.size and numbers.max() > MAX_SEED:
        raise ValueError(f"{name} must be below 2**63, not {numbers.max()}")
    return numbers.astype(np.int64, copy=False)


def _checked_seed(seed: Any) -> int:
    """The seed as an int; TypeError, or ValueError for one out of range."""
    number = _whole("seed", seed)
    if not 0 <= number <= MAX_SEED:
        raise ValueError(f"seed is {number}; give 0 to 2**63 - 1")
    return number
