"""Measures the speed of the learner, for `bloodrage bench --train`."""

import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

from bloodrage_agents.network import SHIPPED, file_of
from bloodrage_env.commands.measures import Effort, Figure, Rates
from bloodrage_env.core.compile.decorators import compile_all

from . import ppo
from .config import Ppo, parse
from .policy import device_of
from .products import use_one_thread
from .runs import reads

GAMES: Final = 512
ROUNDS: Final = 3  # of measurements in turns
OTHERS: Final[dict[str, dict[str, Any]]] = {  # settings that are measured beside one thread
    "two threads": {"threads": 2},
    "bfloat16": {"threads": 1, "bfloat16": True},
    "every sure decision learned from": {"threads": 1, "sure": 1.0},
    "minibatches of 16,384": {"threads": 1, "minibatch": 16_384},
}
EACH: Final = "microseconds a decision"


class Update(NamedTuple):
    """The cost of an update: decisions and seconds."""

    decisions: int
    seconds: float
    processor: float  # seconds of all threads
    parts: dict[str, float]  # seconds of the processor, by what they were spent on


class Trained:
    """A run of the shipped player whose updates are measured. Nothing is logged or evaluated."""

    def __init__(self, game: str, effort: Effort, device: str, **settings: Any) -> None:
        start = str(file_of(SHIPPED, game))
        given = {"game": game, "start": start, "games": GAMES, "steps": effort.batch_steps, "learning_rate": 1e-6}
        given |= reads(start, game)
        use_one_thread()
        with TemporaryDirectory() as folder:
            self.run = ppo.Run(parse(Ppo, given | settings, "bench"), Path(folder), device)
            self.run.board.close()
        self.number = 0
        self.update()

    def update(self) -> Update:
        """Play and learn once."""
        run = self.run
        began, processor = time.perf_counter(), time.process_time()
        run.begin_rollout(self.number)
        batch, counts = run.end_rollout()
        learning = time.process_time()
        ppo.learn(run.policy, run.optimizer, batch, run.config)
        self.number += 1
        now = time.process_time()
        parts = counts.seconds | {"learning": now - learning}
        return Update(counts.decisions, time.perf_counter() - began, now - processor, parts)


def figures(game: str, effort: Effort) -> Iterator[tuple[str, Callable[[], Figure]]]:
    """Yield names of measurements and functions that return their figures."""
    compile_all()
    device = device_of("auto")
    trained = partial(Trained, game, effort, device)
    one = trained(threads=1)
    last: list[Update] = []

    def rate() -> Figure:
        last[:] = [one.update() for _ in range(ROUNDS)]
        return Rates([each.decisions / each.seconds for each in last], []).figure(f"training on {device}, one thread")

    yield "training, one thread", rate
    for part in ("inputs", "network", "opponents", "steps", "advantages", "learning"):
        yield f"training, {part}", partial(_part, last, part)
    for name, settings in OTHERS.items():
        yield f"training, {name}", partial(_beside, one, trained, name, settings)


def _part(updates: list[Update], part: str) -> Figure:
    least = min(each.parts[part] / each.decisions for each in updates)
    return Figure(f"  {part}", 1e6 * least, EACH)


def _beside(one: Trained, trained: Callable[..., Trained], name: str, settings: dict[str, Any]) -> Figure:
    """Measure in turns with one thread. Threads are measured by wall-clock time, all else by processor time."""
    other = trained(**settings)
    pairs = [(one.update(), other.update()) for _ in range(ROUNDS)]
    alone, beside = (
        [each.decisions / (each.seconds if settings["threads"] > 1 else each.processor) for each in updates]
        for updates in zip(*pairs, strict=True)
    )
    return Rates(beside, alone).figure(f"  {name}", against="one thread")
