"""The settings and services that all tables of a server share."""

import asyncio
from collections.abc import Callable, Iterable
from typing import Protocol

from ..core.shown.table_page import TablePage
from .storage import Storage
from .studies import Studies
from .thinking import Thinkers


class Identified(Protocol):
    """A table, by the id of its game."""

    id: str


class House(Protocol):
    """What a table needs of its server (`tables.Tables`)."""

    storage: Storage
    page: TablePage
    agents: tuple[str, ...]  # those on offer
    pace: float  # seconds that an open move of an agent takes
    report: Callable[[str], None]  # takes a line for the server's operator
    stopping: bool
    thinkers: Thinkers
    turn: asyncio.Lock  # of all agents one moves at a time

    def studied(self) -> Studies:
        """The analyst of hints and reviews. Raise Refused for a game without one."""

    def check_agents(self, name: str, specs: Iterable[str]) -> None:
        """Check agents that the file of a game names. Raise UserError."""

    def has(self, table: Identified) -> bool:
        """Return whether a table still exists."""

    def save_later(self) -> None:
        """Schedule another attempt to save."""
