"""The measurements of this package for `bloodrage bench`.

Choosing an action takes longer than the engine, so all measurements but the first use recorded actions. Each figure is
the median of several runs, in processor time of the thread, with the lowest and the highest. A ratio is the median of
the ratios of runs that follow each other, because the speed of a machine changes. Several threads, and starts, are
measured by wall-clock time.
"""

import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from .. import games
from ..core.api.aims import Aims
from ..core.engine.options import GameOptions
from ..terminal.text import random_action

DECISIONS: Final = "decisions/s"
YARDSTICK: Final = "spades"  # of OpenSpiel
BATCH: Final = 1024
SPREAD: Final = 2000  # decisions: each game of a batch has played a number below it before the first run
SHORTEST: Final = 0.05  # seconds of a run
FIRST_DECISION: Final = (
    "from {module} import {name} as env; e = env(); e.reset(seed=0); e.step(int(e.last()[0]['action_mask'].argmax()))"
)


class Effort(NamedTuple):
    """The length of the measurements."""

    repeats: int
    games: int  # a run
    batch_steps: int
    yardstick: Callable[[], int] | None = None  # a run of the game that others are compared with


FULL: Final = Effort(7, 150, 100)
QUICK: Final = Effort(3, 30, 20)


class Subject:
    """The game that is measured."""

    def __init__(self, name: str) -> None:
        self.game = games.game(name)
        self.aims = games.aims(name) if games.spec(name).has("aims") else Aims()

    def options(self, **others: Any) -> GameOptions:
        """The options of a measured game."""
        return games.options_from(self.game.name, **dict(self.aims.options) | others)


class Figure(NamedTuple):
    """A measured value, or None with a note if it was not measured. With `against`, the aim is a ratio."""

    name: str
    value: float | None
    unit: str = DECISIONS
    aim: float | None = None
    more_is_better: bool = True
    note: str = ""
    bytes: float | None = None  # of memory a decision: the record, read and written, and the rows that are written
    against: str = ""  # what the ratio is to
    ratio: float | None = None
    spread: tuple[float, float] | None = None  # lowest and highest run, of the ratio if there is one

    @property
    def met(self) -> bool | None:
        """Whether the aim is met; None without an aim, a value or a ratio."""
        reached = self.ratio if self.against else self.value
        if self.aim is None or reached is None:
            return None
        return reached >= self.aim if self.more_is_better else reached <= self.aim


def figures(
    name: str, effort: Effort, cold: bool, threads: Iterable[int]
) -> Iterator[tuple[str, Callable[[], Figure]]]:
    """Yield names of measurements of a game and functions that return their figures."""
    of = Subject(name)
    aims = of.aims
    yield "engine, random play", lambda: _engine(of, effort, "engine alone, random play", of.options(), aims.engine)
    for kind, options in aims.others.items():
        yield f"engine, {kind}", partial(_engine, of, effort, f"  {kind}", of.options(**options))
    many = f"batch of {BATCH:,}"
    yield f"{many}, bytes", lambda: _batch(of, effort, f"{many} with masks and bytes", "bytes", aims.batch)
    yield f"{many}, dense", lambda: _batch(of, effort, "  dense, float32", "dense")
    yield f"{many}, sparse", lambda: _batch(of, effort, "  sparse", "sparse", aims.sparse)
    for count in threads:
        yield f"{many}, {count} threads", partial(_batch_threads, of, effort, count)
    yield "one call a decision", lambda: _calls(of, effort)
    for dtype in (np.float32, np.uint8):
        yield f"AEC loop, {dtype.__name__}", partial(_aec, of, effort, dtype)
    yield "copy", lambda: _copy(of, effort)
    yield "clone", lambda: _clone(of, effort)
    yield "record", lambda: Figure("state record", float(of.game.state.itemsize), "bytes", aims.record, False)
    yield "start", lambda: _start(of, effort)
    if cold:
        yield "first start (a minute)", lambda: _cold_start(of)


class Rates(NamedTuple):
    """Units per second of several runs, each beside a run of the yardstick if there is one."""

    own: list[float]
    others: list[float]

    @property
    def rate(self) -> float:
        """The median."""
        return statistics.median(self.own)

    @property
    def ratios(self) -> list[float]:
        """The ratios to the runs of the yardstick."""
        return [one / other for one, other in zip(self.own, self.others, strict=True)] if self.others else []

    def figure(self, name: str, unit: str = DECISIONS, times: float = 1.0, **more: Any) -> Figure:
        """Return a figure of the rates, multiplied by `times`."""
        ratios = self.ratios
        ends = ratios or [times * each for each in self.own]
        ratio = statistics.median(ratios) if ratios else None
        return Figure(name, times * self.rate, unit, ratio=ratio, spread=(min(ends), max(ends)), **more)


def nothing() -> None:
    """Do nothing."""


def rate_of(
    run: Callable[[], int], clock: Callable[[], float] = time.thread_time, prepare: Callable[[], None] = nothing
) -> float:
    """Return the units per second of `run`, which returns its number of units, repeated for SHORTEST seconds or more.

    The time of `prepare`, which is called before each repetition, does not count.
    """
    done, seconds = 0, 0.0
    while seconds < SHORTEST:
        prepare()
        began = clock()
        done += run()
        seconds += clock() - began
    return done / seconds


def rates_of(effort: Effort, run: Callable[[], int], prepare: Callable[[], None] = nothing) -> Rates:
    """Return the rates of several runs, in turn with the yardstick."""
    rates = Rates([], [])
    for _ in range(effort.repeats):
        if effort.yardstick is not None:
            rates.others.append(rate_of(effort.yardstick))
        rates.own.append(rate_of(run, prepare=prepare))
    return rates


def _recorded(of: Subject, count: int) -> list[tuple[int, list[int]]]:
    """Return seeds of games and their random actions."""
    rng = random.Random(0)
    played = []
    for seed in range(count):
        states = of.game.new_game(seed, of.options())
        actions: list[int] = []
        while not of.game.play.is_over(states, 0):
            actions.append(random_action(states, rng))
            of.game.play.apply(states, 0, actions[-1])
        played.append((seed, actions))
    return played


def _figure(of: Subject, name: str, rates: Rates, aim: float | None, written: float, against: str) -> Figure:
    """Return a rate that is compared with another one; `written` is the bytes of rows per decision."""
    return rates.figure(name, aim=aim, bytes=2 * of.game.state.itemsize + written, against=against)


def _engine(of: Subject, effort: Effort, name: str, options: GameOptions, aim: float | None = None) -> Figure:
    states = np.zeros(1, of.game.state)
    numbers, reset, play_random = options.numbers(), of.game.play.reset, of.game.play.play_random

    def run() -> int:
        count = 0
        for seed in range(4 * effort.games):
            reset(states, 0, seed, numbers)
            count += play_random(states, 0, seed, of.game.max_decisions)
        return count

    run()
    return _figure(of, name, rates_of(effort, run), aim, 0, YARDSTICK)


class Pool:
    """Games in all phases that are stepped together with recorded actions.

    Games that begin together stay nearly in step for hundreds of decisions, and steps of one phase are faster than
    steps of a mixture. In long use the phases are mixed.
    """

    def __init__(self, of: Subject, effort: Effort, form: str, threads: int = 1) -> None:
        from ..vector import VectorGames

        self.games = VectorGames(
            BATCH, game=of.game.name, seed=1, threads=threads, observations=form, **of.aims.options
        )
        self.games.reset()
        rng = np.random.default_rng(0)
        for index, decisions in enumerate(rng.integers(SPREAD, size=BATCH).tolist()):
            self._play_on(index, decisions)
        self._states, self._seeds = self.games.states.tobytes(), self.games.seeds.copy()
        self.rows = []
        masks: npt.NDArray[Any] = self.games.states["mask"]
        for _ in range(effort.batch_steps):
            self.rows.append((masks * rng.random(masks.shape, dtype=np.float32)).argmax(axis=1))
            self.games.step(self.rows[-1])
            masks = self.games.masks
        self.restore()

    def _play_on(self, index: int, decisions: int) -> None:
        """Answer a number of decisions at random. A game that ends is reset, as `step` does."""
        games, play = self.games, self.games.game.play
        while decisions > 0:
            decisions -= play.play_random(games.states, index, index, decisions)
            if play.is_over(games.states, index):
                games.seeds[index] += BATCH
                play.reset(games.states, index, int(games.seeds[index]), games.options[index])

    def restore(self) -> None:
        """Go back to the first recorded step."""
        self.games.states.view(np.uint8)[:] = np.frombuffer(self._states, np.uint8)
        self.games.seeds[:] = self._seeds

    def run(self) -> int:
        """Take the recorded steps. Return the number of decisions."""
        for actions in self.rows:
            self.games.step(actions)
        return BATCH * len(self.rows)

    def written(self) -> float:
        """Return the bytes of rows per decision."""
        views = self.games.views
        games = self.games
        whole: list[npt.NDArray[Any]] = [games.masks, games.seats, games.rewards, games.dones, games.truncated]
        whole += [views.rows, views.floats, views.starts]
        elements = int(views.starts[-1]) if len(views.starts) else 0
        sparse = elements * (views.columns.itemsize + views.counts.itemsize)  # no more of these two is written
        return float(sum(each.nbytes for each in whole) + sparse) / BATCH


def _batch(of: Subject, effort: Effort, name: str, form: str, aim: float | None = None) -> Figure:
    pool = Pool(of, effort, form)
    return _figure(of, name, rates_of(effort, pool.run, pool.restore), aim, pool.written(), YARDSTICK)


def _batch_threads(of: Subject, effort: Effort, count: int) -> Figure:
    """Measure several threads and one thread in turns; the ratio is between both."""
    one, many = Pool(of, effort, "bytes"), Pool(of, effort, "bytes", count)
    rates = Rates([], [])
    for _ in range(effort.repeats):
        rates.others.append(rate_of(one.run, time.perf_counter, one.restore))
        rates.own.append(rate_of(many.run, time.perf_counter, many.restore))
    aim = of.aims.two_threads if count == 2 else None
    return _figure(of, f"  bytes, {count} threads", rates, aim, many.written(), "one thread")


def _calls(of: Subject, effort: Effort) -> Figure:
    played = _recorded(of, effort.games)
    numbers, reset = of.options().numbers(), of.game.play.reset
    states = of.game.new_game(0, of.options())
    observation = np.zeros(of.game.observation_size, np.uint8)
    mask = np.zeros(of.game.num_actions, np.int8)
    step = of.game.stepper(states, 0, observation, mask)

    def run() -> int:
        count = 0
        for seed, actions in played:
            reset(states, 0, seed, numbers)
            for action in actions:
                step(action)
            count += len(actions)
        return count

    run()
    written = observation.nbytes + mask.nbytes
    return _figure(of, "one call a decision, bytes", rates_of(effort, run), of.aims.calls, written, YARDSTICK)


def aec_rates(env: Any, effort: Effort, games: int) -> Rates:
    """Return decisions/s of a PettingZoo AEC environment: `agent_iter`, `last`, `step` with recorded actions."""
    rng = random.Random(0)
    played: list[list[int | None]] = []
    for seed in range(games):
        env.reset(seed=seed)
        played.append([])
        for _agent in env.agent_iter():
            seen, _, terminated, truncated, _ = env.last()
            over = terminated or truncated
            played[-1].append(None if over else rng.choice(seen["action_mask"].nonzero()[0].tolist()))
            env.step(played[-1][-1])
    decisions = sum(action is not None for actions in played for action in actions)

    def run() -> int:
        for seed, actions in enumerate(played):
            env.reset(seed=seed)
            for _agent, action in zip(env.agent_iter(), actions, strict=True):
                env.last()
                env.step(action)
        return decisions

    return rates_of(effort, run)


def _aec(of: Subject, effort: Effort, dtype: type[np.generic]) -> Figure:
    rates = aec_rates(games.environment(of.game.name)(observation_dtype=dtype, **of.aims.options), effort, effort.games)
    written = of.game.observation_size * np.dtype(dtype).itemsize + of.game.num_actions
    return _figure(of, f"PettingZoo AEC loop, {np.dtype(dtype).name}", rates, of.aims.aec, written, YARDSTICK)


def _copy(of: Subject, effort: Effort) -> Figure:
    """Copy into an existing record as bytes, which is ten times as fast as numpy's copy of fields."""
    source = of.game.new_game(0, of.options()).view(np.uint8)
    target = of.game.new_game(1, of.options()).view(np.uint8)

    def run() -> int:
        for _ in range(1000):
            target[:] = source
        return 1000

    return _each(effort, "copy of a game, into a kept record", run, of.aims.copy)


def _clone(of: Subject, effort: Effort) -> Figure:
    states = of.game.new_game(0, of.options())
    clone = of.game.play.clone

    def run() -> int:
        for _ in range(1000):
            clone(states, 0)
        return 1000

    run()
    return _each(effort, "  a new one, by engine.clone", run, None)


def _each(effort: Effort, name: str, run: Callable[[], int], aim: float | None) -> Figure:
    """Return the microseconds of each unit of a run."""
    each = [1e6 / rate for rate in rates_of(effort._replace(yardstick=None), run).own]
    return Figure(name, statistics.median(each), "microseconds", aim, False, spread=(min(each), max(each)))


def _timed_start(game: str, environment: dict[str, str]) -> float:
    """Return the seconds from the start of a process to its end after one decision."""
    module, _, name = games.spec(game).place("env")
    root = str(Path(__file__).resolve().parents[2])
    search = os.pathsep.join(part for part in (root, environment.get("PYTHONPATH")) if part)
    began = time.perf_counter()
    subprocess.run(
        [sys.executable, "-c", FIRST_DECISION.format(module=module, name=name)],
        env=environment | {"PYTHONPATH": search},
        check=True,
        capture_output=True,
    )
    return time.perf_counter() - began


def _start(of: Subject, effort: Effort) -> Figure:
    seconds = min(_timed_start(of.game.name, dict(os.environ)) for _ in range(min(3, effort.repeats)))
    return Figure("start to first decision, compiled before", seconds, "seconds", of.aims.warm, False)


def _cold_start(of: Subject) -> Figure:
    with tempfile.TemporaryDirectory() as empty:
        seconds = _timed_start(of.game.name, dict(os.environ) | {"NUMBA_CACHE_DIR": empty})
    return Figure("first start on a machine", seconds, "seconds", of.aims.cold, False)
