"""The options of a game of Blood Rage.

`Options` goes whole from the command line to the engine, into replays and stores, and to the agents. A new option is a
field of it, and a field of the same name in the engine's record (`engine/state.py`, `engine.ids.Option`). Its default
must be what games had before: a file that does not name it was written then.
"""

import argparse
import random
import reprlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from ...core.engine.options import Flag, GameOptions, Kind, WholeNumber, option
from .engine import MAX_SEATS, MIN_SEATS, CardSet


class CardSets(Kind):
    """The kind of an option: names of card sets, in the order of `CardSet`, each once."""

    NAMES: Final = tuple(each.name.lower() for each in CardSet if each != CardSet.BASE)

    def checked(self, name: str, value: Any) -> tuple[str, ...]:
        """The names as a tuple. TypeError for anything but a sequence of texts, ValueError for another name."""
        if isinstance(value, str | Mapping) or not isinstance(value, Iterable):
            raise TypeError(f"{name} must be names such as ('p5',), not {reprlib.repr(value)}")
        wanted = list(value)
        for each in wanted:
            if each not in self.NAMES:
                raise ValueError(f"{name} must be of {', '.join(self.NAMES)}, not {reprlib.repr(each)}")
        return tuple(each for each in self.NAMES if each in wanted)

    def argument(self, default: tuple[str, ...]) -> dict[str, Any]:
        """Arguments of `add_argument` besides flags, default and help."""

        def read(text: str) -> tuple[str, ...]:
            try:
                return self.checked("sets", [each for each in text.split(",") if each])
            except ValueError as error:
                raise argparse.ArgumentTypeError(str(error)) from None

        return {"type": read, "metavar": "SET[,SET...]"}

    def drawn(self, rng: random.Random) -> tuple[str, ...]:
        """Any choice of the sets."""
        return tuple(each for each in self.NAMES if rng.random() < 0.5)

    def numbers(self, value: tuple[str, ...]) -> tuple[int, ...]:
        """Return the value for compiled code, as bits."""
        return (sum(1 << CardSet[each.upper()] for each in value),)

    def text(self, value: tuple[str, ...]) -> str:
        """As the command line takes it."""
        return ",".join(value)

    def said(self, value: tuple[str, ...]) -> str:
        """In short, for people."""
        return "+".join(value)


@dataclass(frozen=True)
class Options(GameOptions):
    """The options of a game of Blood Rage. `docs/environment.md` lists the fields.

    Raises
    ------
    TypeError
        A value of another type.
    ValueError
        A value out of range. Both errors name the option.

    Examples
    --------
    >>> from bloodrage_env.games.bloodrage.options import Options
    >>> str(Options(num_players=5, sets=("p5",)))
    '5 players, sets=p5'
    """

    game: ClassVar[str] = "bloodrage"

    num_players: int = option(
        4, WholeNumber(MIN_SEATS, MAX_SEATS), f"{MIN_SEATS} to {MAX_SEATS} clans", ("--players", "--seats"),
        "number of clans (4)",
    )  # fmt: skip
    first_game: bool = option(
        False, Flag(), "Age 1 without a draft: each clan keeps all eight cards dealt (rules 3.1.4)", ("--first-game",),
        "no draft in Age 1; each clan keeps eight cards",
    )  # fmt: skip
    skip_forced: bool = option(
        True, Flag(), "skip questions whose only legal answer is public knowledge (rules 7.7)",
        ("--ask-forced",), "also ask questions whose only legal answer is public knowledge",
    )  # fmt: skip
    sets: tuple[str, ...] = option(
        (), CardSets(), f"card sets to add to the base game: {', '.join(CardSets.NAMES)} (rules 6.4)", ("--sets",),
        f"card sets to add to the base game: {', '.join(CardSets.NAMES)} (none)",
    )  # fmt: skip

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.num_players == MAX_SEATS and "p5" not in self.sets:
            raise ValueError(
                f"num_players must be {MIN_SEATS} to {MAX_SEATS - 1} without the card set p5, not {MAX_SEATS}"
            )


FACTS: Final = Options.facts()
DEFAULT: Final = Options()
