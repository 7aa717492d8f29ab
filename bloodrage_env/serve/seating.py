"""The seats of a table: people by the digests of their tokens, agents, and free seats."""

import hashlib
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from ..core.shown.table_page import WATCHER

LEVELS: Final = ("Easy", "Medium", "Hard", "Strongest")  # as the pages of games name them
FALLBACK: Final = "random"  # plays for people where no level is on offer


class Refused(Exception):  # noqa: N818  # the request is at fault, not the game
    """A request that is not possible now. Nothing has changed. `status` is the HTTP status."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


@dataclass(frozen=True)
class Seat:
    """The player of a seat: an agent, or a person with the token of this digest.

    A person without a digest is a visitor who has not come yet. The agent of a person's seat plays it until the person
    comes back.
    """

    person: str | None = None  # the name that is shown, "" for none
    digest: str | None = None
    agent: str | None = None  # a spec
    hints: bool = False  # whether this person allows hints at the table

    @property
    def is_free(self) -> bool:
        """Whether a visitor can take the seat."""
        return self.person is not None and self.digest is None

    @property
    def is_played_by_person(self) -> bool:
        """Whether a person answers for the seat."""
        return self.person is not None and self.agent is None


def digest_of(secret: str) -> str:
    """Return the digest of a token that is stored: SHA-256 in hex."""
    return hashlib.sha256(secret.encode()).hexdigest()


def new_secret() -> str:
    """Return a random token part."""
    return secrets.token_urlsafe(24)


def strongest(offered: Sequence[str], levels: Iterable[str]) -> str:
    """Return the agent that plays for people: the strongest level on offer."""
    return next((spec for spec in reversed(list(levels)) if spec in offered), FALLBACK)


def at_level(level: str, offered: Sequence[str], levels: Mapping[str, str]) -> str:
    """Return the agent on offer of a level of `LEVELS`, or where a game lacks it of the next lower one."""
    rank = LEVELS.index(level) if level in LEVELS else 0
    found = [spec for spec, name in levels.items() if spec in offered and name in LEVELS[: rank + 1]]
    return found[-1] if found else offered[0]


def branch_seats(
    seats: Sequence[Seat], own: int, seat: int, digest: str, offered: Sequence[str], levels: Iterable[str]
) -> list[Seat]:
    """Return the players of a game that continues from a step: the person of seat `own` (or the spectator) at `seat`,
    agents at their seats, and the strongest agent on offer for other people.
    """
    substitute = strongest(offered, levels)
    others = [Seat(agent=each.agent or substitute) for each in seats]
    person = "" if own <= WATCHER else seats[own].person
    others[seat] = Seat(person=person, digest=digest, hints=True)
    return others
