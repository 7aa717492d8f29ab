"""The options of a game, which are set before it begins and known to all seats."""

import argparse
import random
import reprlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, Protocol, Self

import numpy as np
import numpy.typing as npt

from ...errors import UserError
from .numbers import whole_number


class Kind(Protocol):
    """The values that an option can have."""

    def checked(self, name: str, value: Any) -> Any:
        """Return the value in its type. Raise TypeError for another type, ValueError for a value out of range."""

    def argument(self, default: Any) -> dict[str, Any]:
        """Return keyword arguments of `add_argument` in addition to flags, default and help."""

    def numbers(self, value: Any) -> tuple[int, ...]:
        """Return the value as numbers for compiled code; their count is the same for all values."""

    def drawn(self, rng: random.Random) -> Any:
        """Return a random valid value."""

    def text(self, value: Any) -> str:
        """Return the value as text for the command line, after the flag."""
        return str(value)

    def said(self, value: Any) -> str:
        """Return a short text for people."""
        return str(value)


_MANY = 10  # values: too many to name each
_MOST_DRAWS = 100  # before no values are taken to go together


class WholeNumber(Kind):
    """The kind of an option: a whole number.

    Parameters
    ----------
    low, high : int
        The smallest and the largest value.

    Examples
    --------
    >>> from bloodrage_env.core.engine.options import WholeNumber
    >>> WholeNumber(2, 5).checked("num_players", 4)
    4
    """

    def __init__(self, low: int, high: int) -> None:
        self.low, self.high = low, high

    def checked(self, name: str, value: Any) -> int:
        """Return the value as an int. Raise TypeError for another type, ValueError for a number out of range."""
        number = whole_number(name, value)
        if not self.low <= number <= self.high:
            raise ValueError(f"{name} must be {self.low} to {self.high}, not {reprlib.repr(number)}")
        return number

    def argument(self, default: int) -> dict[str, Any]:
        """Return keyword arguments of `add_argument` in addition to flags, default and help."""
        values: dict[str, Any] = {"type": int, "choices": range(self.low, self.high + 1)}
        return values | ({"metavar": f"{self.low}-{self.high}"} if self.high - self.low >= _MANY else {})

    def drawn(self, rng: random.Random) -> int:
        """Return a random number of the range."""
        return rng.randint(self.low, self.high)

    def numbers(self, value: int) -> tuple[int, ...]:
        """Return the number for compiled code."""
        return (value,)


class Flag(Kind):
    """The kind of an option: True or False. Its command line flag selects the value that is not the default.

    Examples
    --------
    >>> from bloodrage_env.core.engine.options import Flag
    >>> Flag().argument(False)
    {'action': 'store_true'}
    """

    def checked(self, name: str, value: Any) -> bool:
        """Return the value as a bool. Raise TypeError for another type."""
        if not isinstance(value, (bool, np.bool_)):
            raise TypeError(f"{name} must be True or False, not {reprlib.repr(value)}")
        return bool(value)

    def argument(self, default: bool) -> dict[str, Any]:
        """Return keyword arguments of `add_argument` in addition to flags, default and help."""
        return {"action": "store_false" if default else "store_true"}

    def drawn(self, rng: random.Random) -> bool:
        """Return a random bool."""
        return rng.random() < 0.5

    def numbers(self, value: bool) -> tuple[int, ...]:
        """Return the number for compiled code."""
        return (int(value),)


class OneOf(Kind):
    """The kind of an option: one of several names.

    Parameters
    ----------
    *names : str
        The names.

    Examples
    --------
    >>> from bloodrage_env.core.engine.options import OneOf
    >>> OneOf("book", "difference").numbers("difference")
    (1,)
    """

    def __init__(self, *names: str) -> None:
        self.names = names

    def checked(self, name: str, value: Any) -> str:
        """Return the value. Raise TypeError for another type, ValueError for another name."""
        if not isinstance(value, str):
            raise TypeError(f"{name} must be a name, not {reprlib.repr(value)}")
        if value not in self.names:
            raise ValueError(f"{name} must be one of {', '.join(self.names)}, not {reprlib.repr(value)}")
        return value

    def argument(self, default: str) -> dict[str, Any]:
        """Return keyword arguments of `add_argument` in addition to flags, default and help."""
        return {"choices": self.names}

    def drawn(self, rng: random.Random) -> str:
        """Return a random name."""
        return rng.choice(self.names)

    def numbers(self, value: str) -> tuple[int, ...]:
        """Return the index of the name for compiled code."""
        return (self.names.index(value),)


@dataclass(frozen=True)
class Facts:
    """The kind, meaning, flags and help of an option."""

    kind: Kind
    meaning: str  # for the documents
    flags: Sequence[str]  # on the command line ...
    help: str  # ... and what they do


def option(default: Any, kind: Kind, meaning: str, flags: Sequence[str], help: str) -> Any:
    """Return a field of a game's options.

    Parameters
    ----------
    default : object
        The value where none is given.
    kind : Kind
        The values that the option can have.
    meaning : str
        For the documents.
    flags : sequence of str
        On the command line.
    help : str
        What the flags do.

    Returns
    -------
    dataclasses.Field
        The field.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> from bloodrage_env.core.engine.options import GameOptions, WholeNumber, option
    >>> @dataclass(frozen=True)
    ... class Options(GameOptions):
    ...     num_players: int = option(2, WholeNumber(2, 6), "2 to 6 players", ("--players",), "number of players (2)")
    >>> Options(num_players=3).numbers()
    array([3])
    """
    return field(default=default, metadata={"facts": Facts(kind, meaning, flags, help)})


@dataclass(frozen=True)
class GameOptions:
    """The options of a game. A subclass has a field for each, made by `option`; `num_players` is one of them.

    `game` is the name of the game.

    Raises
    ------
    TypeError
        A value of another type.
    ValueError
        A value out of range. Both errors name the option.

    Examples
    --------
    >>> from bloodrage_env import games
    >>> options = games.options_from("bloodrage", num_players=3)
    >>> options.changed(), options.arguments()
    ({'num_players': 3}, ['--players', '3'])
    """

    game: ClassVar[str]

    num_players: int

    def __post_init__(self) -> None:
        for name, facts in self.facts().items():
            object.__setattr__(self, name, facts.kind.checked(name, getattr(self, name)))

    def __str__(self) -> str:
        """Return one line with the number of players and the options that are not the default."""
        facts = self.facts()
        changed = (
            f", {name}={facts[name].kind.said(value)}"
            for name, value in self.changed().items()
            if name != "num_players"
        )
        return f"{self.num_players} players{''.join(changed)}"

    def changed(self) -> dict[str, Any]:
        """The options that are not the default, by name."""
        return {each.name: value for each in fields(self) if (value := getattr(self, each.name)) != each.default}

    def arguments(self) -> list[str]:
        """Return the arguments of a command for the options that are not the default."""
        found = []
        for name, value in self.changed().items():
            facts = self.facts()[name]
            found.append(facts.flags[0])
            if not isinstance(facts.kind, Flag):
                found.append(facts.kind.text(value))
        return found

    def numbers(self) -> npt.NDArray[np.int64]:
        """Return int64[num_options], the numbers for compiled code in the order of the fields."""
        facts = self.facts().items()
        return np.array([number for name, each in facts for number in each.kind.numbers(getattr(self, name))], np.int64)

    @classmethod
    def from_json(cls, content: Any) -> Self:
        """Return options from the JSON of `asdict`.

        Parameters
        ----------
        content : object
            A dict. Missing options have their defaults.

        Returns
        -------
        GameOptions
            The options.

        Raises
        ------
        TypeError, ValueError
            As the class, and for an unknown name.
        """
        if not isinstance(content, dict):
            raise TypeError("options are not a table")
        for name in content.keys() - cls.facts().keys():
            raise ValueError(f"option {reprlib.repr(name)} is not known to this version")
        return cls(**content)

    @classmethod
    def facts(cls) -> dict[str, Facts]:
        """Return the facts of each option, by its name."""
        return {each.name: each.metadata["facts"] for each in fields(cls)}

    @classmethod
    def drawn(cls, rng: random.Random, given: Mapping[str, Any]) -> Self:
        """Return options with the values `given` and random valid values for the others.

        Raise UserError if no valid options have these values.
        """
        for _ in range(_MOST_DRAWS):
            values = {name: each.kind.drawn(rng) for name, each in cls.facts().items()}
            try:
                return cls(**values | dict(given))
            except ValueError as error:
                reason = error
        raise UserError(str(reason))

    @classmethod
    def add_arguments(
        cls, parser: argparse._ActionsContainer, settled: Iterable[str] = (), given_only: bool = False
    ) -> None:
        """Add an argument for each option except those in `settled`.

        With `given_only`, the parsed arguments have no attribute for an option that is not given.
        """
        for each in fields(cls):
            if each.name not in settled:
                facts = each.metadata["facts"]
                kind = facts.kind.argument(each.default)
                default = argparse.SUPPRESS if given_only else each.default
                parser.add_argument(*facts.flags, dest=each.name, default=default, help=facts.help, **kind)

    @classmethod
    def from_arguments(cls, args: argparse.Namespace, **settled: Any) -> Self:
        """Return the options of the arguments, and those in `settled`.

        Raise UserError if they are not a valid combination.
        """
        given = {name: getattr(args, name) for name in cls.facts().keys() - settled.keys()}
        try:
            return cls(**given, **settled)
        except ValueError as error:
            raise UserError(str(error)) from error


def rows(options: Iterable[GameOptions]) -> npt.NDArray[np.int64]:
    """Return int64[N, NUM_OPTIONS], the numbers of each element, for compiled batches."""
    return np.stack([each.numbers() for each in options])
