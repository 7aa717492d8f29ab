"""Who sits at a table: people by the digests of their tokens, agents, and seats that visitors can still take."""

import hashlib
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from ..core.table_page import WATCHER

FALLBACK: Final = "random"  # plays for people where no level is on offer


class Refused(Exception):  # noqa: N818  # the request is at fault, not the game
    """A request that can't be carried out now; nothing has changed. `status` is that of HTTP."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


@dataclass(frozen=True)
class Seat:
    """Who plays a seat: an agent, or a person, who has the token of this digest. A person without one is a visitor who
    has not come yet. A person's seat that has an agent too is played by it until the person comes back.
    """

    person: str | None = None  # the name that is shown, "" for none
    digest: str | None = None
    agent: str | None = None  # a spec
    hints: bool = False  # whether this person allows hints at the table

    @property
    def is_free(self) -> bool:
        """Whether a visitor can take it."""
        return self.person is not None and self.digest is None

    @property
    def is_played_by_person(self) -> bool:
        """Whether the answers of this seat are a person's to give."""
        return self.person is not None and self.agent is None


def digest_of(secret: str) -> str:
    """What is kept of a token: SHA-256 in hex."""
    return hashlib.sha256(secret.encode()).hexdigest()


def new_secret() -> str:
    """The part of a token that nobody guesses."""
    return secrets.token_urlsafe(24)


def strongest(offered: Sequence[str], levels: Iterable[str]) -> str:
    """The agent that plays for people: the strongest level on offer."""
    return next((spec for spec in reversed(list(levels)) if spec in offered), FALLBACK)


def branch_seats(
    seats: Sequence[Seat], own: int, seat: int, digest: str, offered: Sequence[str], levels: Iterable[str]
) -> list[Seat]:
    """Who plays on a game from a step: the person of seat `own`, or who watched, at `seat`, agents where they were, and
    the strongest one on offer for the other people.
    """
    substitute = strongest(offered, levels)
    others = [Seat(agent=each.agent or substitute) for each in seats]
    person = "" if own <= WATCHER else seats[own].person
    others[seat] = Seat(person=person, digest=digest, hints=True)
    return others
