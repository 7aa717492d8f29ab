"""Many games at once: one compiled call steps them all, writes the next decisions, and begins finished games anew.

`step_games` and `begin_games` fill arrays that the caller owns; `VectorGames` owns them for you. A game's chance comes
from its own seed, so that results do not depend on the number of threads.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from .engine import GAME_OVER, MAX_SEATS, NUM_ACTIONS, STATE
from .engine.api import begin, step
from .engine.compiled import Floats2, Ints, Mask2, State, States, entry, rule
from .observation import OBSERVATION_SIZE, write_observation


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
    for game in range(len(states)):
        begin(states[game], seeds[game], players[game], options[0] != 0, options[1] != 0)
        write_decision(states, game, masks, observations, seats)


@entry
def first_illegal(states: States, actions: Ints) -> int:
    """The first game whose action is not legal, or -1."""
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
    off, and begins anew at once: its seed grows by `seed_stride`. `players` is int64[N], `options` int64[2]:
    first_game, skip_forced. `masks` int8[N, NUM_ACTIONS], `observations` float32[N, OBSERVATION_SIZE] and `seats`
    int64[N] hold the next decision. All arrays C-contiguous.
    """
    for game in range(len(states)):
        s = states[game]
        rewards[game, :] = 0.0
        dones[game, :] = 0
        if step(s, actions[game]) == GAME_OVER:
            write_rewards(s, rewards, game)
            dones[game, 0] = 1
            dones[game, 1] = s.truncated
            seeds[game] += seed_stride
            begin(s, seeds[game], players[game], options[0] != 0, options[1] != 0)
        write_decision(states, game, masks, observations, seats)


class VectorGames:
    """N games that step together, each with its own open decision.

    After `reset` and each `step`: `masks` int8[N, NUM_ACTIONS] and `observations` float32[N, OBSERVATION_SIZE] of the
    seat to act, `seats` int64[N]; `rewards` float32[N, 4] and `dones` bool[N] tell of the games that ended in this
    step, which have already begun anew, `truncated` bool[N] those of them that were cut off. The arrays are kept and
    overwritten: copy what you need.

    `num_players` is 2 to 4, or one number a game. Game i plays the seeds `seed + i`, `seed + i + N`, ... With
    `threads` > 1 slices of the games are stepped side by side; the results are the same.
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
        if num_games < 1:
            raise ValueError(f"num_games is {num_games}; give 1 or more")
        players = np.broadcast_to(np.asarray(num_players, dtype=np.int64), num_games)
        if players.min() < 2 or players.max() > MAX_SEATS:
            raise ValueError(f"num_players is {num_players}; give 2 to {MAX_SEATS}")
        if not 1 <= threads <= num_games:
            raise ValueError(f"threads is {threads}; give 1 to num_games ({num_games})")
        self.num_games = num_games
        self.players = players.copy()
        self.seed = seed
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
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None

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
        self.seed = self.seed if seed is None else seed
        self.seeds[:] = self.seed + np.arange(self.num_games)
        self.rewards[:] = 0
        self._dones[:] = 0
        self._each_slice(self._begin)

    def step(self, actions: npt.ArrayLike) -> None:
        """Answer all open decisions: int[N]. An illegal action raises ValueError and no game is changed."""
        answers = np.ascontiguousarray(actions, dtype=np.int64)
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
        if self._pool is None:
            work(self._slices[0])
        else:
            list(self._pool.map(work, self._slices))
