"""What `bloodrage bench` measures of this package.

Who chooses an action costs more than the engine, so that every measurement but the first plays actions that were
recorded before. Each is the best of several short runs: other work on the machine only ever slows a run down.
"""

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

from .. import engine
from ..observation import OBSERVATION_SIZE, step_and_observe
from ..options import Options
from ..terminal.text import random_action

DECISIONS: Final = "decisions/s"
BATCH: Final = 1024
PLAYERS: Final = 4
OTHER_GAMES: Final[dict[str, dict[str, Any]]] = {  # as options
    "five players": {"num_players": 5, "sets": ("p5",)},
    "with ks": {"sets": ("ks",)},
    "with mystics": {"sets": ("mystics",)},
    "with gods": {"sets": ("gods",)},
    "five players, all sets": {"num_players": 5, "sets": ("p5", "ks", "mystics", "gods")},
}
AIM_ENGINE: Final = 3_000_000.0
AIM_BATCH: Final = 1_500_000.0
AIM_THREADS: Final = 1.6  # times one thread
AIM_CALLS: Final = 800_000.0
AIM_AEC: Final = 250_000.0
AIM_COPY: Final = 0.3  # microseconds
AIM_RECORD: Final = 5000.0  # bytes
AIM_COLD: Final = 40.0  # seconds
AIM_WARM: Final = 0.8
FIRST_DECISION: Final = (
    "from bloodrage_env import bloodrage_v0; e = bloodrage_v0.env(); e.reset(seed=0); "
    "e.step(int(e.last()[0]['action_mask'].argmax()))"
)


class Effort(NamedTuple):
    """How long to measure."""

    repeats: int
    games: int  # a run
    batch_steps: int


FULL: Final = Effort(7, 150, 100)
QUICK: Final = Effort(3, 30, 20)


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


def figures(effort: Effort, cold: bool) -> Iterator[tuple[str, Callable[[], Figure]]]:
    """Names, and what to call for the figures, one after the other."""
    yield "engine, random play", lambda: _engine(effort, "engine alone, random play", _options(), AIM_ENGINE)
    for name, options in OTHER_GAMES.items():
        yield f"engine, {name}", partial(_engine, effort, f"  {name}", _options(**options))
    one_thread: list[float] = []
    yield f"batch of {BATCH}", lambda: _batch(effort, one_thread)
    yield f"batch of {BATCH}, 2 threads", lambda: _batch_threads(effort, one_thread)
    yield "one call a decision", lambda: _calls(effort)
    yield "AEC loop", lambda: _aec(effort)
    yield "copy", lambda: _copy(effort)
    yield "clone", lambda: _clone(effort)
    yield "record", lambda: Figure("state record", float(engine.STATE.itemsize), "bytes", AIM_RECORD, False)
    yield "start", lambda: _start(effort)
    if cold:
        yield "first start (a minute or two)", _cold_start


def best_rate(repeats: int, run: Callable[[], int]) -> float:
    """Units a second in the quickest of so many runs; `run` returns how many it did."""
    rates = []
    for _ in range(repeats):
        began = time.perf_counter()
        done = run()
        rates.append(done / (time.perf_counter() - began))
    return max(rates)


def _recorded(games: int) -> list[tuple[int, list[int]]]:
    """Seeds of games and their random actions."""
    rng = random.Random(0)
    played = []
    for seed in range(games):
        states = engine.new_game(seed, PLAYERS)
        actions: list[int] = []
        while not engine.is_over(states, 0):
            actions.append(random_action(states, rng))
            engine.apply(states, 0, actions[-1])
        played.append((seed, actions))
    return played


def _options(**options: Any) -> Options:
    return Options(**{"num_players": PLAYERS} | options)


def _engine(effort: Effort, name: str, options: Options, aim: float | None = None) -> Figure:
    states = np.zeros(1, engine.STATE)
    numbers = options.numbers()

    def run() -> int:
        count = 0
        for seed in range(4 * effort.games):
            engine.reset(states, 0, seed, *numbers)
            count += engine.play_random(states, 0, seed, engine.MAX_DECISIONS)
        return count

    run()
    return Figure(name, best_rate(effort.repeats, run), aim=aim)


def _batch_rate(effort: Effort, threads: int) -> float:
    from ..vector import VectorGames

    games = VectorGames(BATCH, PLAYERS, seed=1, threads=threads)
    games.reset()
    rng = np.random.default_rng(0)
    rows = []
    for _ in range(effort.batch_steps):
        rows.append((games.masks * rng.random(games.masks.shape, dtype=np.float32)).argmax(axis=1))
        games.step(rows[-1])

    def run() -> int:
        for actions in rows:
            games.step(actions)
        return BATCH * len(rows)

    rates = []
    for _ in range(effort.repeats):
        games.reset()
        rates.append(best_rate(1, run))
    return max(rates)


def _batch(effort: Effort, one_thread: list[float]) -> Figure:
    one_thread.append(_batch_rate(effort, 1))
    return Figure(f"batch of {BATCH:,} with masks and observations", one_thread[0], aim=AIM_BATCH)


def _batch_threads(effort: Effort, one_thread: list[float]) -> Figure:
    return Figure("  the same, 2 threads", _batch_rate(effort, 2), aim=AIM_THREADS * one_thread[0])


def _calls(effort: Effort) -> Figure:
    played = _recorded(effort.games)
    states = engine.new_game(0, PLAYERS)
    observation = np.zeros(OBSERVATION_SIZE, np.float32)
    mask = np.zeros(engine.NUM_ACTIONS, np.int8)

    def run() -> int:
        count = 0
        for seed, actions in played:
            engine.reset(states, 0, seed, PLAYERS)
            for action in actions:
                step_and_observe(states, 0, action, observation, mask)
            count += len(actions)
        return count

    run()
    return Figure("one call a decision, kept arrays", best_rate(effort.repeats, run), aim=AIM_CALLS)


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


def _aec(effort: Effort) -> Figure:
    from ..bloodrage_v0 import env

    return Figure("PettingZoo AEC loop", aec_rate(env(num_players=PLAYERS), effort, effort.games), aim=AIM_AEC)


def _copy(effort: Effort) -> Figure:
    """Into a record that is there already, as bytes: to copy records field by field takes numpy ten times as long."""
    source = engine.new_game(0, PLAYERS).view(np.uint8)
    target = engine.new_game(1, PLAYERS).view(np.uint8)

    def run() -> int:
        for _ in range(1000):
            target[:] = source
        return 1000

    return _each("copy of a game, into a kept record", best_rate(3 * effort.repeats, run), AIM_COPY)


def _clone(effort: Effort) -> Figure:
    states = engine.new_game(0, PLAYERS)
    clone = engine.clone

    def run() -> int:
        for _ in range(1000):
            clone(states, 0)
        return 1000

    run()
    return _each("  a new one, by engine.clone", best_rate(3 * effort.repeats, run), None)


def _each(name: str, rate: float, aim: float | None) -> Figure:
    return Figure(name, 1e6 / rate, "microseconds", aim, False)


def _timed_start(environment: dict[str, str]) -> float:
    """Seconds from the start of a process to its first decision and out again."""
    root = str(Path(__file__).resolve().parents[2])
    search = os.pathsep.join(part for part in (root, environment.get("PYTHONPATH")) if part)
    began = time.perf_counter()
    subprocess.run(
        [sys.executable, "-c", FIRST_DECISION],
        env=environment | {"PYTHONPATH": search},
        check=True,
        capture_output=True,
    )
    return time.perf_counter() - began


def _start(effort: Effort) -> Figure:
    seconds = min(_timed_start(dict(os.environ)) for _ in range(min(3, effort.repeats)))
    return Figure("start to first decision, compiled before", seconds, "seconds", AIM_WARM, False)


def _cold_start() -> Figure:
    with tempfile.TemporaryDirectory() as empty:
        seconds = _timed_start(dict(os.environ) | {"NUMBA_CACHE_DIR": empty})
    return Figure("first start on a machine", seconds, "seconds", AIM_COLD, False)
