"""The options of a game: what is settled before its first card is dealt. All seats know them.

`Options` goes whole from the command line to the engine, into replays and stores, and to the agents. A new option is a
field of it, and a field of the same name in the engine's record (`engine/state.py`, `engine.ids.Option`). Its default
must be what games had before: a file that does not name it was written then.
"""

import argparse
import operator
import reprlib
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Final, Self

import numpy as np
import numpy.typing as npt

from .engine.chance import MAX_SEED
from .engine.decks import PLAYABLE
from .engine.ids import MAX_SEATS, MIN_SEATS, CardSet
from .errors import UserError


def whole_number(name: str, value: Any) -> int:
    """An integer of any type as an int; TypeError for anything else, a bool too."""
    try:
        if isinstance(value, bool):
            raise TypeError
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be a whole number, not {reprlib.repr(value)}") from None


def checked_seed(seed: Any) -> int:
    """The seed of a game as an int. TypeError for what is no whole number, ValueError for one out of range."""
    number = whole_number("seed", seed)
    if not 0 <= number <= MAX_SEED:
        raise ValueError(f"seed must be 0 to 2**63 - 1, not {reprlib.repr(number)}")
    return number


class WholeNumber:
    """The kind of an option: a whole number from `low` to `high`."""

    def __init__(self, low: int, high: int) -> None:
        self.low, self.high = low, high

    def checked(self, name: str, value: Any) -> int:
        """The value as an int. TypeError for another type, ValueError for a number out of range."""
        number = whole_number(name, value)
        if not self.low <= number <= self.high:
            raise ValueError(f"{name} must be {self.low} to {self.high}, not {reprlib.repr(number)}")
        return number

    def argument(self, default: int) -> dict[str, Any]:
        """What `add_argument` is given beside flags, default and help."""
        return {"type": int, "choices": range(self.low, self.high + 1)}

    def number(self, value: int) -> int:
        """What compiled code takes."""
        return value


class Flag:
    """The kind of an option: True or False. Its argument stands for the value that is not the default."""

    def checked(self, name: str, value: Any) -> bool:
        """The value as a bool. TypeError for another type."""
        if not isinstance(value, (bool, np.bool_)):
            raise TypeError(f"{name} must be True or False, not {reprlib.repr(value)}")
        return bool(value)

    def argument(self, default: bool) -> dict[str, Any]:
        """What `add_argument` is given beside flags, default and help."""
        return {"action": "store_false" if default else "store_true"}

    def number(self, value: bool) -> int:
        """What compiled code takes."""
        return int(value)


class CardSets:
    """The kind of an option: names of card sets, in the order of `CardSet`, each once."""

    NAMES: Final = tuple(each.name.lower() for each in CardSet if each != CardSet.BASE)
    PLAYABLE: Final = tuple(name for name in NAMES if PLAYABLE >> CardSet[name.upper()] & 1)

    def checked(self, name: str, value: Any) -> tuple[str, ...]:
        """The names as a tuple. TypeError for anything but a sequence of texts, ValueError for a set not played."""
        if isinstance(value, str) or not isinstance(value, Iterable):
            raise TypeError(f"{name} must be names such as ('p5',), not {reprlib.repr(value)}")
        wanted = list(value)
        for each in wanted:
            if each not in self.NAMES:
                raise ValueError(f"{name} must be of {', '.join(self.PLAYABLE)}, not {reprlib.repr(each)}")
            if each not in self.PLAYABLE:
                raise ValueError(f"the set {each} is not playable yet; {name} must be of {', '.join(self.PLAYABLE)}")
        return tuple(each for each in self.NAMES if each in wanted)

    def argument(self, default: tuple[str, ...]) -> dict[str, Any]:
        """What `add_argument` is given beside flags, default and help."""

        def read(text: str) -> tuple[str, ...]:
            try:
                return self.checked("sets", [each for each in text.split(",") if each])
            except ValueError as error:
                raise argparse.ArgumentTypeError(str(error)) from None

        return {"type": read, "metavar": "SET[,SET...]"}

    def number(self, value: tuple[str, ...]) -> int:
        """What compiled code takes: bits."""
        return sum(1 << CardSet[each.upper()] for each in value)


@dataclass(frozen=True)
class _Facts:
    """What else is to be said of an option."""

    kind: WholeNumber | Flag | CardSets
    meaning: str  # for the documents
    flags: Sequence[str]  # on the command line ...
    help: str  # ... and what they do


def _option(default: Any, kind: WholeNumber | Flag | CardSets, meaning: str, flags: Sequence[str], help: str) -> Any:
    return field(default=default, metadata={"facts": _Facts(kind, meaning, flags, help)})


@dataclass(frozen=True)
class Options:
    """The options of a game.

    TypeError for a value of another type, ValueError for one out of its range; both name the option.
    """

    num_players: int = _option(
        4, WholeNumber(MIN_SEATS, MAX_SEATS), f"{MIN_SEATS} to {MAX_SEATS} clans", ("--players", "--seats"),
        "how many clans (4)",
    )  # fmt: skip
    first_game: bool = _option(
        False, Flag(), "Age 1 without a draft: each clan keeps all eight cards dealt (rules 3.1.4)", ("--first-game",),
        "no draft in Age 1: eight cards each",
    )  # fmt: skip
    skip_forced: bool = _option(
        True, Flag(), "questions of which everybody can see the one legal answer are not asked (rules 7.7)",
        ("--ask-forced",), "ask also where everybody can see the one legal answer",
    )  # fmt: skip
    sets: tuple[str, ...] = _option(
        (), CardSets(), f"card sets beside the base game: {', '.join(CardSets.PLAYABLE)} (rules 6.4)", ("--sets",),
        f"card sets beside the base game: {', '.join(CardSets.PLAYABLE)} (none)",
    )  # fmt: skip

    def __post_init__(self) -> None:
        for name, facts in FACTS.items():
            object.__setattr__(self, name, facts.kind.checked(name, getattr(self, name)))
        if self.num_players == MAX_SEATS and "p5" not in self.sets:
            raise ValueError(
                f"num_players must be {MIN_SEATS} to {MAX_SEATS - 1} without the card set p5, not {MAX_SEATS}"
            )

    def __str__(self) -> str:
        """In a line: how many players, and the other options that are not the default."""
        changed = (f", {name}={_said(value)}" for name, value in self.changed().items() if name != "num_players")
        return f"{self.num_players} players{''.join(changed)}"

    def changed(self) -> dict[str, Any]:
        """The options that are not the default, by name."""
        return {each.name: value for each in fields(self) if (value := getattr(self, each.name)) != each.default}

    def numbers(self) -> tuple[Any, ...]:
        """As compiled code takes them, in the order of the fields: `engine.new_game(seed, *options.numbers())`."""
        return tuple(facts.kind.number(getattr(self, name)) for name, facts in FACTS.items())

    @classmethod
    def from_json(cls, content: Any) -> Self:
        """From what `asdict` and JSON have made of them; what is missing has its default.

        TypeError or ValueError, as for `Options`, and for a name that is no option's.
        """
        if not isinstance(content, dict):
            raise TypeError("options are no table")
        for name in content.keys() - FACTS.keys():
            raise ValueError(f"option {reprlib.repr(name)} is not known to this version")
        return cls(**content)


def _said(value: Any) -> str:
    return "+".join(value) if isinstance(value, tuple) else str(value)


FACTS: Final[dict[str, _Facts]] = {each.name: each.metadata["facts"] for each in fields(Options)}
DEFAULT: Final = Options()


def rows(options: Iterable[Options]) -> npt.NDArray[np.int64]:
    """int64[N, NUM_OPTIONS]: the numbers of each, as compiled batches take them."""
    return np.array([each.numbers() for each in options], np.int64)


def add_options(parser: argparse.ArgumentParser, settled: Iterable[str] = ()) -> None:
    """Add an argument for each option but those that are `settled` otherwise."""
    for name, default in asdict(DEFAULT).items():
        if name not in settled:
            facts = FACTS[name]
            kind = facts.kind.argument(default)
            parser.add_argument(*facts.flags, dest=name, default=default, help=facts.help, **kind)


def options_of(args: argparse.Namespace, **settled: Any) -> Options:
    """The options that `add_options` had read, and those that are `settled` otherwise.

    Raises UserError where they don't go together.
    """
    given: dict[str, Any] = {name: getattr(args, name) for name in FACTS.keys() - settled.keys()}
    try:
        return Options(**given, **settled)
    except ValueError as error:
        raise UserError(str(error)) from error
