"""The options of a game of Berserk (rules 9.7)."""

import argparse
import reprlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Self, TypeAlias

from ..core.numbers import whole_number
from ..core.options import Flag, GameOptions, OneOf, WholeNumber, option
from .engine import (
    DECKS,
    HOME_CELLS,
    MAX_COPIES,
    MAX_DECK,
    MAX_TURNS,
    MIN_DECK,
    NONE,
    NUM_CARDS,
    NUM_SEATS,
    SQUADS,
    Card,
    deck_words,
    squad_words,
)

# A name of those that come with the game, or its cards: of a deck with copies, of a squad with cells.
Cards: TypeAlias = str | tuple[tuple[str, int], ...]


class CardLists:
    """The kind of an option: for each seat the name of a list of cards, or its cards by name with a number each."""

    def __init__(self, what: str, known: Iterable[str]) -> None:
        self.what, self.known = what, tuple(known)

    def checked(self, name: str, value: Any) -> tuple[Cards, ...]:
        """The two lists. TypeError for another type, ValueError for a list that can't be played."""
        if isinstance(value, str | Mapping) or not isinstance(value, Iterable):
            raise TypeError(f"{name} must be two {self.what}s, not {reprlib.repr(value)}")
        lists = list(value)
        if len(lists) != NUM_SEATS:
            raise ValueError(f"{name} must be two {self.what}s, not {len(lists)}")
        return tuple(self._one(name, each) for each in lists)

    def argument(self, default: tuple[Cards, ...]) -> dict[str, Any]:
        """What `add_argument` is given beside flags, default and help."""

        def read(text: str) -> tuple[Cards, ...]:
            try:
                return self.checked(f"{self.what}s", text.split(","))
            except ValueError as error:
                raise argparse.ArgumentTypeError(str(error)) from None

        return {"type": read, "metavar": f"{self.what.upper()},{self.what.upper()}"}

    def numbers(self, value: tuple[Cards, ...]) -> tuple[int, ...]:
        """What compiled code takes: two words for each seat."""
        return tuple(word for each in value for word in self._words(each))

    def _one(self, name: str, value: Any) -> Cards:
        """One of the two lists, its cards in rising order."""
        if isinstance(value, str):
            if value not in self.known:
                raise ValueError(f"{name} must be of {', '.join(self.known)}, not {reprlib.repr(value)}")
            return value
        if not isinstance(value, Iterable):
            raise TypeError(f"{name} must be names or cards with numbers, not {reprlib.repr(value)}")
        pairs = []
        for pair in value.items() if isinstance(value, Mapping) else value:
            if isinstance(pair, str) or not isinstance(pair, Iterable) or len(pair := tuple(pair)) != 2:
                raise TypeError(f"{name} must be names or cards with numbers, not {reprlib.repr(value)}")
            card, number = pair
            if not isinstance(card, str):
                raise TypeError(f"{name}: a card is given by its name, not {reprlib.repr(card)}")
            if card not in Card.__members__:
                raise ValueError(f"{name}: there is no card {reprlib.repr(card)}")
            pairs.append((card, whole_number(name, number)))
        pairs.sort(key=lambda each: (Card[each[0]], each[1]))
        self._check(name, pairs)
        return tuple(pairs)

    def _check(self, name: str, pairs: list[tuple[str, int]]) -> None:
        raise NotImplementedError

    def _words(self, value: Cards) -> tuple[int, ...]:
        raise NotImplementedError


class Decks(CardLists):
    """Decks: cards with copies."""

    def __init__(self) -> None:
        super().__init__("deck", DECKS)

    def _check(self, name: str, pairs: list[tuple[str, int]]) -> None:
        """Check the size of a deck and the copies of each card."""
        for card, copies in pairs:
            if not 1 <= copies <= MAX_COPIES:
                raise ValueError(f"{name}: {card} must be there 1 to {MAX_COPIES} times, not {reprlib.repr(copies)}")
        if len({card for card, _ in pairs}) != len(pairs):
            raise ValueError(f"{name}: a card is named twice")
        size = sum(copies for _, copies in pairs)
        if not MIN_DECK <= size <= MAX_DECK:
            raise ValueError(f"{name}: a deck has {MIN_DECK} to {MAX_DECK} cards, not {size}")

    def _words(self, value: Cards) -> tuple[int, ...]:
        if isinstance(value, str):
            return deck_words(DECKS[value].tolist())
        copies = [0] * NUM_CARDS
        for card, number in value:
            copies[Card[card]] = number
        return deck_words(copies)


class Squads(CardLists):
    """Squads: cards with cells of the own half, in the owner's view."""

    def __init__(self) -> None:
        super().__init__("squad", SQUADS)

    def _check(self, name: str, pairs: list[tuple[str, int]]) -> None:
        """Check that the cells are those of the own half, and each is there once."""
        cells = [cell for _, cell in pairs]
        for cell in cells:
            if not 0 <= cell < HOME_CELLS:
                raise ValueError(f"{name}: a cell of the own half is 0 to {HOME_CELLS - 1}, not {reprlib.repr(cell)}")
        if len(set(cells)) != len(cells):
            raise ValueError(f"{name}: two cards stand in one cell")
        if not cells:
            raise ValueError(f"{name}: a squad has a card at least")

    def _words(self, value: Cards) -> tuple[int, ...]:
        if isinstance(value, str):
            return squad_words(SQUADS[value].tolist())
        cards = [NONE] * HOME_CELLS
        for card, cell in value:
            cards[cell] = Card[card]
        return squad_words(cards)


@dataclass(frozen=True)
class Options(GameOptions):
    """The options of a game.

    `decks` and `squads` have an entry for each seat: a name (`decks.csv` and `squads.csv` have them), or cards by name,
    of a deck with copies, of a squad with cells in the owner's view. TypeError for a value of another type, ValueError
    for one out of its range; both name the option.
    """

    game: ClassVar[str] = "berserk"

    num_players: int = option(
        NUM_SEATS, WholeNumber(NUM_SEATS, NUM_SEATS), "two players", ("--players", "--seats"), "how many players (2)"
    )
    skip_forced: bool = option(
        True, Flag(), "questions of which everybody can see the one legal answer are not asked (rules 9.1)",
        ("--ask-forced",), "ask also where everybody can see the one legal answer",
    )  # fmt: skip
    combat: str = option(
        "book", OneOf("book", "difference"), "which table a fight uses (rules 4.4, 4.10)", ("--combat",),
        "the table of a fight (book)",
    )  # fmt: skip
    setup: str = option(
        "full", OneOf("full", "fixed"), "`full`: recruiting and placement; `fixed`: given squads (rules 9.7)",
        ("--setup",), "recruit squads, or play given ones (full)",
    )  # fmt: skip
    max_turns: int = option(
        MAX_TURNS, WholeNumber(1, MAX_TURNS), "turns of both players after which the game ends (rules 6.5)",
        ("--max-turns",), "turns after which nobody has won (200)",
    )  # fmt: skip
    decks: tuple[Cards, ...] = option(
        ("steppe", "mountain"), Decks(), "the deck of each seat (rules 9.7)", ("--decks",),
        "the decks of both (steppe,mountain)",
    )  # fmt: skip
    squads: tuple[Cards, ...] = option(
        ("steppe", "mountain"), Squads(), "the squad of each seat with a fixed set-up (rules 9.7)", ("--squads",),
        "the squads of both with a fixed set-up (steppe,mountain)",
    )  # fmt: skip

    @classmethod
    def in_turn(cls) -> tuple[str, ...]:
        """Both tables, both set-ups, other decks; in a quarter of the games every question is asked."""
        return ("combat", "setup", "decks", "skip_forced")

    @classmethod
    def for_check(cls, number: int, given: argparse.Namespace) -> Self:
        """The tables in turn; a fixed set-up every third time; then the next pair of decks."""
        names = sorted(DECKS)
        pairs = [(one, other) for one in names for other in names]
        return cls.from_arguments(
            given,
            combat=("book", "difference")[number % 2],
            setup="fixed" if number % 3 == 2 else "full",
            decks=pairs[number // 2 % len(pairs)],
            skip_forced=number % 4 != 3,
        )


DEFAULT: Final = Options()
