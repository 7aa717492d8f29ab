"""What `bloodrage bench` measures of this package.

Who chooses an action costs more than the engine, so that every measurement but the first plays actions that were
recorded before. Each is the best of several short runs: other work on the machine only ever slows a run down.
"""

import importlib
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from .. import games
from ..core.aims import Aims
from ..core.options import GameOptions
from ..terminal.text import random_action

DECISIONS: Final = "decisions/s"
BATCH: Final = 1024
FIRST_DECISION: Final = (
    "from bloodrage_env import {game}_v0; e = {game}_v0.env(); e.reset(seed=0); "
    "e.step(int(e.last()[0]['action_mask'].argmax()))"
)


class Effort(NamedTuple):
    """How long to measure."""

    repeats: int
    games: int  # a run
    batch_steps: int


FULL: Final = Effort(7, 150, 100)
QUICK: Final = Effort(3, 30, 20)


class Subject:
    """The game that is measured."""

    def __init__(self, name: str) -> None:
        self.game = games.game(name)
        self.aims: Aims = games.part(name, "aims").AIMS

    def options(self, **others: Any) -> GameOptions:
        """Those of a measured game."""
        return games.options_from(self.game.name, **dict(self.aims.options) | others)


class Figure(NamedTuple):
    """A measured value; None with a note where it could not be measured."""

    name: str
    value: float | None
    unit: str = DECISIONS
    aim: float | None = None
    more_is_better: bool = True
    note: str = ""

    @property
    def met(self) -> bool | None:
        """Whether the aim is met; None without an aim or a value."""
        if self.aim is None or self.value is None:
            return None
        return self.value >= self.aim if self.more_is_better else self.value <= self.aim


def figures(name: str, effort: Effort, cold: bool) -> Iterator[tuple[str, Callable[[], Figure]]]:
    """Names, and what to call for the figures of a game, one after the other."""
    of = Subject(name)
    aims = of.aims
    yield "engine, random play", lambda: _engine(of, effort, "engine alone, random play", of.options(), aims.engine)
    for kind, options in aims.others.items():
        yield f"engine, {kind}", partial(_engine, of, effort, f"  {kind}", of.options(**options))
    one_thread: list[float] = []
    yield f"batch of {BATCH}", lambda: _batch(of, effort, one_thread)
    yield f"batch of {BATCH}, sparse", lambda: _batch_sparse(of, effort)
    yield f"batch of {BATCH}, 2 threads", lambda: _batch_threads(of, effort, one_thread)
    yield "one call a decision", lambda: _calls(of, effort)
    yield "AEC loop", lambda: _aec(of, effort)
    yield "copy", lambda: _copy(of, effort)
    yield "clone", lambda: _clone(of, effort)
    yield "record", lambda: Figure("state record", float(of.game.state.itemsize), "bytes", aims.record, False)
    yield "start", lambda: _start(of, effort)
    if cold:
        yield "first start (a minute)", lambda: _cold_start(of)


def best_rate(repeats: int, run: Callable[[], int]) -> float:
    """Units a second in the quickest of so many runs; `run` returns how many it did."""
    rates = []
    for _ in range(repeats):
        began = time.perf_counter()
        done = run()
        rates.append(done / (time.perf_counter() - began))
    return max(rates)


def _recorded(of: Subject, count: int) -> list[tuple[int, list[int]]]:
    """Seeds of games and their random actions."""
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
    return Figure(name, best_rate(effort.repeats, run), aim=aim)


def _batch_rate(of: Subject, effort: Effort, threads: int = 1, form: str = "dense") -> float:
    from ..vector import VectorGames

    batch = VectorGames(BATCH, game=of.game.name, seed=1, threads=threads, observations=form, **of.aims.options)
    batch.reset()
    rng = np.random.default_rng(0)
    rows = []
    for _ in range(effort.batch_steps):
        rows.append((batch.masks * rng.random(batch.masks.shape, dtype=np.float32)).argmax(axis=1))
        batch.step(rows[-1])

    def run() -> int:
        for actions in rows:
            batch.step(actions)
        return BATCH * len(rows)

    rates = []
    for _ in range(effort.repeats):
        batch.reset()
        rates.append(best_rate(1, run))
    return max(rates)


def _batch(of: Subject, effort: Effort, one_thread: list[float]) -> Figure:
    one_thread.append(_batch_rate(of, effort))
    return Figure(f"batch of {BATCH:,} with masks and observations", one_thread[0], aim=of.aims.batch)


def _batch_sparse(of: Subject, effort: Effort) -> Figure:
    return Figure("  with sparse observations", _batch_rate(of, effort, form="sparse"), aim=of.aims.sparse)


def _batch_threads(of: Subject, effort: Effort, one_thread: list[float]) -> Figure:
    return Figure("  the same, 2 threads", _batch_rate(of, effort, 2), aim=of.aims.threads * one_thread[0])


def _calls(of: Subject, effort: Effort) -> Figure:
    played = _recorded(of, effort.games)
    numbers, reset, step_and_observe = of.options().numbers(), of.game.reset, of.game.observe.step_and_observe
    states = of.game.new_game(0, of.options())
    observation = np.zeros(of.game.observation_size, np.float32)
    mask = np.zeros(of.game.num_actions, np.int8)

    def run() -> int:
        count = 0
        for seed, actions in played:
            reset(states, 0, seed, *numbers)
            for action in actions:
                step_and_observe(states, 0, action, observation, mask)
            count += len(actions)
        return count

    run()
    return Figure("one call a decision, kept arrays", best_rate(effort.repeats, run), aim=of.aims.calls)


def aec_rate(env: Any, effort: Effort, games: int) -> float:
    """Decisions/s of a PettingZoo AEC environment: `agent_iter`, `last`, `step` with recorded random actions."""
    rng = random.Random(0)
    played: list[list[int | None]] = []

    def play(seed: int, choose: Callable[[Any, bool], int | None]) -> int:
        env.reset(seed=seed)
        count = 0
        for _agent in env.agent_iter():
            seen, _, terminated, truncated, _ = env.last()
            env.step(choose(seen, terminated or truncated))
            count += not (terminated or truncated)
        return count

    def choose_anew(seen: Any, over: bool) -> int | None:
        played[-1].append(None if over else rng.choice(seen["action_mask"].nonzero()[0].tolist()))
        return played[-1][-1]

    for seed in range(games):
        played.append([])
        play(seed, choose_anew)

    def run() -> int:
        count = 0
        for seed, actions in enumerate(played):
            following = iter(actions)
            count += play(seed, lambda _seen, _over, following=following: next(following))  # type: ignore[misc]
        return count

    return best_rate(effort.repeats, run)


def _aec(of: Subject, effort: Effort) -> Figure:
    env = importlib.import_module(f"bloodrage_env.{of.game.name}_v0").env
    return Figure("PettingZoo AEC loop", aec_rate(env(**of.aims.options), effort, effort.games), aim=of.aims.aec)


def _copy(of: Subject, effort: Effort) -> Figure:
    """Into a record that is there already, as bytes: to copy records field by field takes numpy ten times as long."""
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
    """Seconds from the start of a process to its first decision and out again."""
    root = str(Path(__file__).resolve().parents[2])
    search = os.pathsep.join(part for part in (root, environment.get("PYTHONPATH")) if part)
    began = time.perf_counter()
    subprocess.run(
        [sys.executable, "-c", FIRST_DECISION.format(game=game)],
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
