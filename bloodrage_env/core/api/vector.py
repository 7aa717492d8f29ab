"""N games of the same options that are stepped together, with arrays that are reused."""

import copy
import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from itertools import pairwise
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from ..engine.batch import FORMS, Views, new_views
from ..engine.chance import MAX_SEED
from ..engine.game import Game
from ..engine.numbers import checked_seed, number_of_games, whole_number, whole_numbers
from ..engine.options import rows
from .true_copies import TrueCopies

NO_PROCESS: Final = -1  # the number of none
Allocate: TypeAlias = Callable[[tuple[int, ...], Any], npt.NDArray[Any]]  # an array of zeros of a shape and a dtype


class Outputs(NamedTuple):
    """The arrays that a step writes."""

    masks: npt.NDArray[np.int8]  # [N, NUM_ACTIONS]
    views: Views
    seats: npt.NDArray[np.int64]  # [N]
    rewards: npt.NDArray[np.float32]  # [N, MAX_SEATS]
    dones: npt.NDArray[np.int8]  # [N, 2]: ended, and cut off

    def part(self, games: slice) -> "Outputs":
        """Return the rows of some games, as compiled code takes them."""
        return Outputs(
            self.masks[games], self.views.part(games), self.seats[games], self.rewards[games], self.dones[games]
        )


def option_rows(
    game: Game, num_games: int, num_players: int | Sequence[int], options: dict[str, Any]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return the numbers of players, int64[N], and the options, int64[N, NUM_OPTIONS], of N games.

    Raise ValueError for a number out of range, TypeError for a number that is not whole.
    """
    players = whole_numbers("num_players", num_players)
    if players.shape not in ((), (num_games,)):
        raise ValueError(f"num_players has shape {players.shape}; give one number, or ({num_games},)")
    players = np.broadcast_to(players, num_games)
    return players.astype(np.int64), rows(game.options(num_players=each, **options) for each in players.tolist())


def _wait(steps: Sequence[Future[None]]) -> None:
    """Wait for the ends of steps, which write the games. Raise KeyboardInterrupt after them."""
    interrupt: KeyboardInterrupt | None = None
    while not all(each.done() for each in steps):
        try:
            wait(steps)
        except KeyboardInterrupt as error:
            interrupt = error
    if interrupt is not None:
        raise interrupt


class VectorGames(TrueCopies):
    """N games that are stepped together, each with its own open decision. A subclass sets `game`.

    Each step overwrites the arrays: copy what you need. `copy.copy`, `copy.deepcopy` and pickle return independent
    copies; a forked process has an independent copy too.

    Parameters
    ----------
    num_games : int
        N, 1 or more.
    num_players : int or sequence of int
        One number for all games, or N numbers.
    seed : int
        0 to 2**63 - 1. Game i uses the seeds `seed + i`, `seed + i + N`, ..., modulo 2**63.
    threads : int
        1 to N. The results do not depend on it.
    observations : {"dense", "bytes", "sparse", "none"}
        "dense": float32. "bytes": uint8 counts; `counts * game.scales` are the dense numbers. "sparse": the counts that
        are not zero, as a compressed sparse row matrix in `views`. "none": nothing is written; read `states` instead.
    buffers : int
        Number of sets of arrays, which steps write in turn. With 2, a learner can read the arrays of one step while
        `step_async` computes the next one.
    allocate : callable
        A function of (shape, dtype) that returns an array of zeros, for example in pinned or shared memory.
    **options
        Other options of the game, the same for all games.

    Raises
    ------
    ValueError
        A number that is out of range.
    TypeError
        A number that is not whole.
    RuntimeError
        A call of `reset` or `step`, or a copy, while another thread is in such a call.

    Examples
    --------
    >>> from bloodrage_env import VectorGames
    >>> batch = VectorGames(4, 2, seed=1, observations="none")
    >>> batch.reset()
    >>> while not batch.dones.any():
    ...     batch.step(batch.masks.argmax(1))
    >>> batch.rewards.shape
    (4, 5)
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
        buffers: int = 1,
        allocate: Allocate = np.zeros,
        **options: Any,
    ) -> None:
        if observations not in FORMS:
            raise ValueError(f"observations is {observations!r}; give {', '.join(map(repr, FORMS))}")
        num_games, threads = number_of_games("num_games", num_games), whole_number("threads", threads)
        if whole_number("buffers", buffers) < 1:
            raise ValueError(f"buffers is {buffers}; give 1 or more")
        self.players, self.options = option_rows(self.game, num_games, num_players, options)
        if not 1 <= threads <= num_games:
            raise ValueError(f"threads is {threads}; give 1 to num_games ({num_games})")
        self.num_games = num_games
        self.seed = checked_seed(seed)
        self.states = np.zeros(num_games, self.game.state)
        self.seeds = np.zeros(num_games, np.int64)
        self._outputs = [self._new_outputs(observations, allocate) for _ in range(buffers)]
        self._latest = 0  # which of them was written last
        bounds = np.linspace(0, num_games, threads + 1).astype(int)
        self._slices = [slice(a, b) for a, b in pairwise(bounds)]
        self._pool: ThreadPoolExecutor | None = None  # made when first needed, by each process
        self._pool_process = NO_PROCESS
        self._busy = threading.Lock()  # held by the call that changes or copies the games
        self._steps: list[Future[None]] | None = None  # those of `step_async`

    @property
    def masks(self) -> npt.NDArray[np.int8]:
        """int8[N, NUM_ACTIONS]: 1 for the legal actions of the seats to act."""
        return self._outputs[self._latest].masks

    @property
    def views(self) -> Views:
        """The observations in all forms, of which one is written.

        With "sparse", those of game i are `views.counts[a:b]` (uint8) in the rising columns `views.columns[a:b]`
        (uint16), with `a, b = views.starts[i : i + 2]` (int64). Elements from `views.starts[-1]` on are undefined.
        """
        return self._outputs[self._latest].views

    @property
    def seats(self) -> npt.NDArray[np.int64]:
        """int64[N]: the seats to act."""
        return self._outputs[self._latest].seats

    @property
    def rewards(self) -> npt.NDArray[np.float32]:
        """float32[N, MAX_SEATS]: the reward `win` of games that ended in the last step; 0 of others."""
        return self._outputs[self._latest].rewards

    @property
    def observations(self) -> npt.NDArray[np.float32 | np.uint8]:
        """uint8 or float32[N, OBSERVATION_SIZE], of the seats to act; empty with `"sparse"` and `"none"`."""
        return self.views.rows if len(self.views.rows) else self.views.floats

    @property
    def dones(self) -> npt.NDArray[np.bool_]:
        """bool[N]: games that ended in the last step. They have already been reset."""
        return self._outputs[self._latest].dones[:, 0].view(np.bool_)

    @property
    def truncated(self) -> npt.NDArray[np.bool_]:
        """bool[N]: games that ended in the last step because they were cut off."""
        return self._outputs[self._latest].dones[:, 1].view(np.bool_)

    def state(self) -> npt.NDArray[np.float32]:
        """Return the observations of all seats of each game, as `GameEnv.state`.

        Returns
        -------
        ndarray
            float32[N, MAX_SEATS, OBSERVATION_SIZE] in a new array; zeros for seats that are absent.

        Raises
        ------
        RuntimeError
            Another thread steps the games.

        Examples
        --------
        >>> from bloodrage_env import VectorGames
        >>> batch = VectorGames(3, 2)
        >>> batch.reset()
        >>> batch.state().shape == (3, batch.game.max_seats, batch.game.observation_size)
        True

        """
        found = np.empty((self.num_games, self.game.max_seats, self.game.observation_size), np.float32)
        self._enter("state")
        try:
            for game in range(self.num_games):
                self.game.write_state(self.states, game, found[game])
        finally:
            self._busy.release()
        return found

    def reset(self, seed: int | None = None) -> None:
        """Start all games.

        Parameters
        ----------
        seed : int, optional
            0 to 2**63 - 1; it replaces the seed of the constructor.

        Raises
        ------
        ValueError
            The seed is out of range.
        """
        first = self.seed if seed is None else checked_seed(seed)
        self._enter("reset")
        try:
            self.seed = first
            self.seeds[:] = (np.uint64(first) + np.arange(self.num_games, dtype=np.uint64)) & np.uint64(MAX_SEED)
            outputs = self._outputs[self._next]
            outputs.rewards[:] = 0
            outputs.dones[:] = 0
            try:
                self._each_slice(lambda part: self._begin(part, outputs))
            finally:
                self._advance(outputs)
        finally:
            self._busy.release()

    def step(self, actions: npt.ArrayLike) -> None:
        """Apply one action per game.

        Parameters
        ----------
        actions : array_like
            Shape (N,), of any integer type.

        Raises
        ------
        ValueError
            An illegal action, or another shape. All games are unchanged.
        TypeError
            Another dtype.
        """
        answers = self._answers(actions)
        self._enter("step")
        try:
            self._check_legal(answers)
            outputs = self._outputs[self._next]
            try:
                self._each_slice(lambda part: self._step(part, answers, outputs))
            finally:
                self._advance(outputs)
        finally:
            self._busy.release()

    def step_async(self, actions: npt.ArrayLike) -> None:
        """Begin a step in other threads and return. `step_wait` completes it, and no other call is allowed before.

        With `buffers=2` or more, the arrays of the last step are unchanged until then.

        Parameters
        ----------
        actions : array_like
            As for `step`, with its errors.
        """
        answers = self._answers(actions).copy()
        work: list[Future[None]] = []
        self._enter("step_async")
        try:
            self._check_legal(answers)
            outputs = self._outputs[self._next]
            work.extend(self._threads().submit(self._step, part, answers, outputs) for part in self._slices)
        except BaseException:
            try:
                _wait(work)
            finally:
                self._busy.release()
            raise
        self._steps = work

    def step_wait(self) -> None:
        """Wait for the step that `step_async` began. Raise RuntimeError if there is none. After Ctrl-C it can be called
        again.
        """
        if self._steps is None:
            raise RuntimeError("step_wait: call step_async first")
        wait(self._steps)
        steps, self._steps = self._steps, None
        try:
            self._advance(self._outputs[self._next])
            for each in steps:
                each.result()
        finally:
            self._busy.release()

    def _answers(self, actions: npt.ArrayLike) -> npt.NDArray[np.int64]:
        """Return actions as int64[N]. Raise ValueError for another shape, TypeError for non-integers."""
        answers = np.ascontiguousarray(whole_numbers("actions", actions))
        if answers.shape != (self.num_games,):
            raise ValueError(f"actions have shape {answers.shape}; give ({self.num_games},)")
        return answers

    def _check_legal(self, answers: npt.NDArray[np.int64]) -> None:
        """Raise ValueError for an illegal action."""
        game = self.game.batch.first_illegal(self.states, answers)
        if game >= 0:
            raise ValueError(f"action {answers[game]} is not legal in game {game}; choose one where masks[{game}] is 1")

    @property
    def _next(self) -> int:
        """Return the outputs that the next step writes."""
        return (self._latest + 1) % len(self._outputs)

    def _new_outputs(self, form: str, allocate: Allocate) -> Outputs:
        count = self.num_games
        return Outputs(
            allocate((count, self.game.num_actions), np.int8),
            new_views(count, self.game.observation_size, form, allocate),
            allocate((count,), np.int64),
            allocate((count, self.game.max_seats), np.float32),
            allocate((count, 2), np.int8),
        )

    def _enter(self, call: str) -> None:
        """Exclude other threads until `_busy` is released. Raise RuntimeError if one is active."""
        if not self._busy.acquire(blocking=False):
            raise RuntimeError(
                f"{call}: another thread is in a call of these games; give each thread games of its own, or lock them"
            )

    def _begin(self, part: slice, outputs: Outputs) -> None:
        masks, views, seats, _, _ = outputs.part(part)
        self.game.batch.begin_games(
            self.states[part], self.seeds[part], self.options[part], masks, *views, seats
        )  # fmt: skip

    def _step(self, part: slice, actions: npt.NDArray[np.int64], outputs: Outputs) -> None:
        masks, views, seats, rewards, dones = outputs.part(part)
        self.game.batch.step_games(
            self.states[part], actions[part], self.seeds[part], self.num_games, self.options[part], masks, *views,
            seats, rewards, dones,
        )  # fmt: skip

    def _advance(self, outputs: Outputs) -> None:
        """Make one matrix of the sparse rows of the slices, and these arrays the latest.

        Compiled code ends before Ctrl-C is raised: then too the games have changed, and these arrays are theirs.
        """
        if len(outputs.views.starts) and len(self._slices) > 1:
            outputs.views.join(self._slices)
        self._latest = self._next

    def _each_slice(self, work: Callable[[slice], None]) -> None:
        """Run the first slice in this thread, because waking a thread takes time, and the others in parallel."""
        here, *beside = self._slices
        others: list[Future[None]] = []
        try:
            others.extend(self._threads().submit(work, part) for part in beside)
            work(here)
        finally:
            _wait(others)
        for each in others:
            each.result()

    def _threads(self) -> ThreadPoolExecutor:
        """Return the threads that step slices."""
        if self._pool is None or self._pool_process != os.getpid():  # a fork copies the pool, but not its threads
            self._pool = ThreadPoolExecutor(len(self._slices))
            self._pool_process = os.getpid()
        return self._pool

    def __getstate__(self) -> dict[str, Any]:
        """Return what copies and pickles contain: records as bytes, because numpy does not copy padding."""
        self._enter("copy")
        try:
            kept = self.__dict__ | {"states": self.states.tobytes()}
            del kept["_pool"], kept["_pool_process"], kept["_busy"], kept["_steps"]
            return copy.deepcopy(kept)  # another thread may step the games before these are written
        finally:
            self._busy.release()

    def __setstate__(self, saved: dict[str, Any]) -> None:
        """Restore. Raise ValueError for a pickle of another version, or invalid records."""
        if len(saved["states"]) != self.game.state.itemsize * saved["num_games"]:
            raise ValueError("these games have another layout: they were saved by another version")
        self.__dict__.update(saved)
        self.states = np.ndarray(self.num_games, self.game.state, bytearray(saved["states"]))
        if any(saved["states"]):  # `reset` was called
            for game in range(self.num_games):
                self.game.check_state(self.states, game)
        self._pool, self._pool_process = None, NO_PROCESS
        self._busy = threading.Lock()
        self._steps = None
