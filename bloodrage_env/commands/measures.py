"""The measurements of this package for `bloodrage bench`.

Choosing an action takes longer than the engine, so all measurements but the first use recorded actions. Each figure is
the best of several short runs, in processor time of the thread, because other work on the machine only makes a run
slower. Several threads, and starts, are measured by wall-clock time.
"""

import os
import random
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
from ..core.aims import Aims
from ..core.options import GameOptions
from ..terminal.text import random_action

DECISIONS: Final = "decisions/s"
YARDSTICK: Final = "spades"  # of OpenSpiel
BATCH: Final = 1024
FIRST_DECISION: Final = (
    "from {module} import {name} as env; e = env(); e.reset(seed=0); e.step(int(e.last()[0]['action_mask'].argmax()))"
)


class Effort(NamedTuple):
    """The length of the measurements."""

    repeats: int
    games: int  # a run
    batch_steps: int


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

    def to(self, other: float | None) -> "Figure":
        """Return the figure with its ratio to the figure `against`: None if one of them was not measured."""
        if self.value is None or other is None:
            return self
        return self._replace(ratio=self.value / other)

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
    """Yields names of measurements of a game and functions that return their figures."""
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


def best_rate(repeats: int, run: Callable[[], int], clock: Callable[[], float] = time.thread_time) -> float:
    """Returns the units per second of the quickest of several runs. `run` returns its number of units."""
    rates = []
    for _ in range(repeats):
        began = clock()
        done = run()
        rates.append(done / (clock() - began))
    return max(rates)


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


def _rate(of: Subject, name: str, rate: float, aim: float | None, written: float) -> Figure:
    """Return a rate that is compared with another game's; `written` is the bytes of rows per decision."""
    return Figure(name, rate, aim=aim, bytes=2 * of.game.state.itemsize + written, against=YARDSTICK)


def _engine(of: Subject, effort: Effort, name: str, options: GameOptions, aim: float | None = None) -> Figure:
    states = np.zeros(1, of.game.state)
    numbers, reset, play_random = options.numbers(), of.game.reset, of.game.play.play_random

    def run() -> int:
        count = 0
        for seed in range(4 * effort.games):
            reset(states, 0, seed, *numbers)
            count += play_random(states, 0, seed, of.game.max_decisions)
        return count

    run()
    return _rate(of, name, best_rate(effort.repeats, run), aim, 0)


class _Batch:
    """Games that are stepped together with recorded actions."""

    def __init__(self, of: Subject, effort: Effort, form: str, threads: int = 1) -> None:
        from ..vector import VectorGames

        self.games = VectorGames(
            BATCH, game=of.game.name, seed=1, threads=threads, observations=form, **of.aims.options
        )
        self.games.reset()
        rng = np.random.default_rng(0)
        self.rows = []
        for _ in range(effort.batch_steps):
            masks = self.games.masks
            self.rows.append((masks * rng.random(masks.shape, dtype=np.float32)).argmax(axis=1))
            self.games.step(self.rows[-1])

    def rate(self, clock: Callable[[], float] = time.thread_time) -> float:
        """Return the rate of one run."""
        self.games.reset()
        return best_rate(1, self._run, clock)

    def _run(self) -> int:
        for actions in self.rows:
            self.games.step(actions)
        return BATCH * len(self.rows)

    def written(self) -> float:
        """Return the bytes of rows per decision."""
        views = self.games.views
        games = self.games
        whole: list[npt.NDArray[Any]] = [games.masks, games.seats, games.rewards, games.dones, games.truncated]
        whole += [views.rows, views.floats, views.counts]
        sparse = views.counts.sum() * (views.indices.itemsize + views.values.itemsize)  # of a row no more is written
        return float(sum(each.nbytes for each in whole) + sparse) / BATCH


def _batch(of: Subject, effort: Effort, name: str, form: str, aim: float | None = None) -> Figure:
    batch = _Batch(of, effort, form)
    return _rate(of, name, max(batch.rate() for _ in range(effort.repeats)), aim, batch.written())


def _batch_threads(of: Subject, effort: Effort, count: int) -> Figure:
    """Measure several threads and one thread in turns; the ratio is between both."""
    one, many = _Batch(of, effort, "bytes"), _Batch(of, effort, "bytes", count)
    rates = [(one.rate(time.perf_counter), many.rate(time.perf_counter)) for _ in range(effort.repeats)]
    alone, beside = map(max, zip(*rates, strict=True))
    aim = of.aims.two_threads if count == 2 else None
    figure = _rate(of, f"  bytes, {count} threads", beside, aim, many.written())
    return figure._replace(against="one thread").to(alone)


def _calls(of: Subject, effort: Effort) -> Figure:
    played = _recorded(of, effort.games)
    numbers, reset = of.options().numbers(), of.game.reset
    states = of.game.new_game(0, of.options())
    observation = np.zeros(of.game.observation_size, np.uint8)
    mask = np.zeros(of.game.num_actions, np.int8)
    step = of.game.stepper(states, 0, observation, mask)

    def run() -> int:
        count = 0
        for seed, actions in played:
            reset(states, 0, seed, *numbers)
            for action in actions:
                step(action)
            count += len(actions)
        return count

    run()
    written = observation.nbytes + mask.nbytes
    return _rate(of, "one call a decision, bytes", best_rate(effort.repeats, run), of.aims.calls, written)


def aec_rate(env: Any, effort: Effort, games: int) -> float:
    """Returns decisions/s of a PettingZoo AEC environment: `agent_iter`, `last`, `step` with recorded actions."""
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

    return best_rate(effort.repeats, run)


def _aec(of: Subject, effort: Effort, dtype: type[np.generic]) -> Figure:
    rate = aec_rate(games.environment(of.game.name)(observation_dtype=dtype, **of.aims.options), effort, effort.games)
    written = of.game.observation_size * np.dtype(dtype).itemsize + of.game.num_actions
    return _rate(of, f"PettingZoo AEC loop, {np.dtype(dtype).name}", rate, of.aims.aec, written)


def _copy(of: Subject, effort: Effort) -> Figure:
    """Copy into an existing record as bytes, which is ten times as fast as numpy's copy of fields."""
    source = of.game.new_game(0, of.options()).view(np.uint8)
    target = of.game.new_game(1, of.options()).view(np.uint8)

    def run() -> int:
        for _ in range(1000):
            target[:] = source
        return 1000

    return _each("copy of a game, into a kept record", best_rate(3 * effort.repeats, run), of.aims.copy)


def _clone(of: Subject, effort: Effort) -> Figure:
    states = of.game.new_game(0, of.options())
    clone = of.game.play.clone

    def run() -> int:
        for _ in range(1000):
            clone(states, 0)
        return 1000

    run()
    return _each("  a new one, by engine.clone", best_rate(3 * effort.repeats, run), None)


def _each(name: str, rate: float, aim: float | None) -> Figure:
    return Figure(name, 1e6 / rate, "microseconds", aim, False)


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
