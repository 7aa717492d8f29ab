"""The games of a tournament on a Ray cluster: a unit is a task. Needs the extra `ray`.

Every machine of the cluster needs this project and the agents' files at the same paths; a worker compares the agents'
fingerprints with the plan's before it plays.
"""

import importlib
import logging
import os
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from bloodrage_agents.sandbox import hide_memory
from bloodrage_env.errors import UserError

from .records import Plan, Unit
from .workers import Died, Event, Player, play_unit


class RayPool:
    """Tasks on the cluster that the environment variable RAY_ADDRESS names, else on this machine alone."""

    def __init__(self, plan: Plan, size: int | None, hidden: Sequence[str] = ()) -> None:
        try:
            ray: Any = importlib.import_module("ray")
        except ImportError:
            raise UserError("--backend ray needs Ray: pip install 'bloodrage[ray]'") from None
        self._ray = ray
        quiet = {"log_to_driver": False, "logging_level": logging.ERROR, "configure_logging": False}
        if "RAY_ADDRESS" in os.environ:
            ray.init(**quiet)  # a cluster that is there already has the CPUs that it has
        else:
            ray.init("local", num_cpus=size, **quiet)
        self._size = size or int(ray.cluster_resources().get("CPU", 1))
        self._plan, self._hidden = ray.put(plan), tuple(hidden)
        self._task = ray.remote(max_retries=0)(play_games)
        self._units: dict[Any, int] = {}  # of each task

    def idle(self) -> bool:
        """Whether the cluster has room for another unit."""
        return len(self._units) < self._size

    def submit(self, unit: Unit) -> None:
        """Send a unit to the cluster."""
        self._units[self._task.remote(self._plan, self._hidden, unit)] = unit.number

    def events(self, timeout: float) -> list[Event]:
        """What the tasks that have ended say; a unit's games come all at once."""
        ended, _ = self._ray.wait(list(self._units), num_returns=1, timeout=timeout)
        found: list[Event] = []
        for task in ended:
            number = self._units.pop(task)
            try:
                found += self._ray.get(task)
            except self._ray.exceptions.RayError as error:
                found.append(Died(number, f"a Ray worker failed ({type(error).__name__})", True))
        return found

    def close(self) -> None:
        """Leave the cluster; tasks that run there are ended."""
        self._ray.shutdown()


def play_games(plan: Plan, hidden: tuple[str, ...], unit: Unit) -> list[Event]:
    """The task: play a unit."""
    return list(play_unit(_player(plan, hidden), unit))


@lru_cache(maxsize=1)  # a process of Ray carries out many tasks; agents are made once
def _player(plan: Plan, hidden: tuple[str, ...]) -> Player:
    hide_memory()
    return Player(plan, hidden)
