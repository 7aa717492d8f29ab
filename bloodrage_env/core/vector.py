"""N games of one kind that step together, in arrays that are kept."""

import copy
import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from .batch import Views
from .chance import MAX_SEED
from .game import Game
from .numbers import checked_seed, whole_number, whole_numbers
from .options import rows

NO_PROCESS: Final = -1  # the number of none
FORMS: Final = ("dense", "sparse", "none")  # of observations


class VectorGames:
    """N games that step together, each with its own open decision; a subclass says which `game` it is.

    After `reset` and each `step`: `masks` int8[N, NUM_ACTIONS] and `observations` float32[N, OBSERVATION_SIZE] of the
    seat to act, `seats` int64[N]; `rewards` float32[N, MAX_SEATS] (the reward `win`; 0 for absent seats) and `dones`
    bool[N] tell of the games that ended in this step, which have already been reset, `truncated` bool[N] those of them
    that were cut off. The arrays are kept and overwritten: copy what you need.

    With `observations="sparse"` `views` has their numbers that are not zero in place of `observations`: of game i these
    are `views.values[i, :n]` float32 at the positions `views.indices[i, :n]` int64, n = `views.counts[i]`; what lies
    beyond is left over. With `"none"` nothing is observed, for who reads `states`.

    `num_players` is one number for all or one a game; `options` are the other options of the game, the same for all.
    Game i plays the seeds `seed + i`, `seed + i + N`, ..., modulo 2**63; `seed` is 0 to 2**63 - 1. With
    `threads` > 1 slices of the games are stepped side by side; the results are the same.

    `copy.copy`, `copy.deepcopy` and pickle make true copies, and a forked process may go on with its own.
    ValueError: a number out of its range; TypeError: what is no whole number; RuntimeError: a call of `reset` or
    `step`, or a copy, while another thread is in one.
    """

    game: Game

    def __init__(
        self,
        num_games: int,
        num_players: int | Sequence[int],
        *,
        seed: int = 0,
        threads: int = 1,
        observations: str = "dense",
        **options: Any,
    ) -> None:
        if observations not in FORMS:
            raise ValueError(f"observations is {observations!r}; give {', '.join(map(repr, FORMS))}")
        num_games, threads = whole_number("num_games", num_games), whole_number("threads", threads)
        if num_games < 1:
            raise ValueError(f"num_games is {num_games}; give 1 or more")
        players = whole_numbers("num_players", num_players)
        if players.shape not in ((), (num_games,)):
            raise ValueError(f"num_players has shape {players.shape}; give one number, or ({num_games},)")
        players = np.broadcast_to(players, num_games)
        if not 1 <= threads <= num_games:
            raise ValueError(f"threads is {threads}; give 1 to num_games ({num_games})")
        self.num_games = num_games
        self.options = rows(self.game.options(num_players=each, **options) for each in players.tolist())
        self.players = players.astype(np.int64)
        self.seed = checked_seed(seed)
        self.states = np.zeros(num_games, self.game.state)
        self.seeds = np.zeros(num_games, np.int64)
        self.masks = np.zeros((num_games, self.game.num_actions), np.int8)
        dense, sparse = (num_games * (observations == form) for form in FORMS[:2])
        size = self.game.observation_size
        self.views = Views(
            np.zeros((dense, size), np.float32),
            np.zeros(sparse, np.int64),
            np.zeros((sparse, size), np.int64),
            np.zeros((sparse, size), np.float32),
        )
        self.seats = np.zeros(num_games, np.int64)
        self.rewards = np.zeros((num_games, self.game.max_seats), np.float32)
        self._dones = np.zeros((num_games, 2), np.int8)
        bounds = np.linspace(0, num_games, threads + 1).astype(int)
        self._slices = [slice(a, b) for a, b in pairwise(bounds)]
        self._pool: ThreadPoolExecutor | None = None  # made when first needed, by each process
        self._pool_process = NO_PROCESS
        self._busy = threading.Lock()  # held by the call that changes or copies the games

    @property
    def observations(self) -> npt.NDArray[np.float32]:
        """float32[N, OBSERVATION_SIZE], of the seats to act; no row if they are not written in this form."""
        return self.views.observations

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
        first = self.seed if seed is None else checked_seed(seed)
        self._enter("reset")
        try:
            self.seed = first
            self.seeds[:] = (np.uint64(first) + np.arange(self.num_games, dtype=np.uint64)) & np.uint64(MAX_SEED)
            self.rewards[:] = 0
            self._dones[:] = 0
            self._each_slice(self._begin)
        finally:
            self._busy.release()

    def step(self, actions: npt.ArrayLike) -> None:
        """Answer all open decisions: int[N] of any integer type.

        An illegal action, or another shape, raises ValueError, actions that are no whole numbers TypeError; no game is
        changed then.
        """
        answers = np.ascontiguousarray(whole_numbers("actions", actions))
        if answers.shape != (self.num_games,):
            raise ValueError(f"actions have shape {answers.shape}; give ({self.num_games},)")
        self._enter("step")
        try:
            game = self.game.batch.first_illegal(self.states, answers)
            if game >= 0:
                raise ValueError(
                    f"action {answers[game]} is not legal in game {game}; choose one where masks[{game}] is 1"
                )
            self._each_slice(lambda part: self._step(part, answers))
        finally:
            self._busy.release()

    def _enter(self, call: str) -> None:
        """Keep other threads out until `_busy` is released. RuntimeError if one is in."""
        if not self._busy.acquire(blocking=False):
            raise RuntimeError(
                f"{call}: another thread is in a call of these games; give each thread games of its own, or lock them"
            )

    def _begin(self, part: slice) -> None:
        self.game.batch.begin_games(
            self.states[part],
            self.seeds[part],
            self.options[part],
            self.masks[part],
            *self._views(part),
            self.seats[part],
        )

    def _step(self, part: slice, actions: npt.NDArray[np.int64]) -> None:
        self.game.batch.step_games(
            self.states[part],
            actions[part],
            self.seeds[part],
            self.num_games,
            self.options[part],
            self.masks[part],
            *self._views(part),
            self.seats[part],
            self.rewards[part],
            self._dones[part],
        )

    def _views(self, part: slice) -> Views:
        observations, counts, indices, values = self.views  # a part of no rows has none
        return Views(observations[part], counts[part], indices[part], values[part])

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
        self._enter("copy")
        try:
            kept = self.__dict__ | {"states": self.states.tobytes()}
            del kept["_pool"], kept["_pool_process"], kept["_busy"]
            return copy.deepcopy(kept)  # another thread may step the games before these are written
        finally:
            self._busy.release()

    def __setstate__(self, saved: dict[str, Any]) -> None:
        """Restore; ValueError for a pickle of another version, or records that are no games."""
        if len(saved["states"]) != self.game.state.itemsize * saved["num_games"]:
            raise ValueError("these games have another layout: they were saved by another version")
        self.__dict__.update(saved)
        self.states = np.ndarray(self.num_games, self.game.state, bytearray(saved["states"]))
        if any(saved["states"]):  # `reset` was called
            for game in range(self.num_games):
                self.game.check_state(self.states, game)
        self._pool, self._pool_process = None, NO_PROCESS
        self._busy = threading.Lock()
