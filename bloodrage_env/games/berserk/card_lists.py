"""Decks and squads as options: those that come with the game by name, others as cards with numbers (rules 9.7).

On the command line a list is a name, a file, or its cards in one text: `ORC=2+NOMAD=3`. A file has a line for each
card, `CARD,COPIES` in a deck and `CARD,CELL` in a squad, the card by title or id. Options hold the cards, not the file,
so that replays and stores can be played without it.
"""

import argparse
import difflib
import hashlib
import random
import reprlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias

from ...core.engine.numbers import whole_number
from ...core.engine.options import Kind
from ...files import MAX_TABLE, csv_lines
from . import engine
from .engine import Card

_HEADER: Final = "card"  # a first line with names of columns begins with it
_COUNT: Final = {2: "two", 4: "four"}[engine.NUM_SEATS]
_DIGITS: Final = 8  # of a digest
_CARDS: Final = {word.casefold(): card.name for card in Card for word in (card.name, engine.TITLE[card])}


# A name of those that come with the game, or its cards: of a deck with copies, of a squad with cells.
Cards: TypeAlias = str | tuple[tuple[str, int], ...]


class CardLists(Kind):
    """The kind of an option: for each seat the name of a list of cards, or its cards by name with a number each."""

    def __init__(self, what: str, known: Iterable[str], number: str) -> None:
        self.what, self.known, self.number = what, tuple(known), number

    def checked(self, name: str, value: Any) -> tuple[Cards, ...]:
        """The lists. TypeError for another type, ValueError for a list that can't be played."""
        if isinstance(value, str | Mapping) or not isinstance(value, Iterable):
            raise TypeError(f"{name} must be {_COUNT} {self.what}s, not {reprlib.repr(value)}")
        lists = list(value)
        if len(lists) != engine.NUM_SEATS:
            raise ValueError(f"{name} must be {_COUNT} {self.what}s, not {len(lists)}")
        return tuple(self._one(name, each) for each in lists)

    def argument(self, default: tuple[Cards, ...]) -> dict[str, Any]:
        """What `add_argument` is given beside flags, default and help."""

        def read(text: str) -> tuple[Cards, ...]:
            try:
                return self.checked(f"{self.what}s", [self._given(each) for each in text.split(",")])
            except ValueError as error:
                raise argparse.ArgumentTypeError(str(error)) from None

        return {"type": read, "metavar": ",".join([self.what.upper()] * engine.NUM_SEATS)}

    def drawn(self, rng: random.Random) -> tuple[Cards, ...]:
        """For each seat one of the names, or cards of its own."""
        return tuple(
            rng.choice(self.known) if rng.random() < 0.5 else self._drawn(rng) for _ in range(engine.NUM_SEATS)
        )

    def numbers(self, value: tuple[Cards, ...]) -> tuple[int, ...]:
        """What compiled code takes: two words for each seat."""
        return tuple(word for each in value for word in self._words(each))

    def text(self, value: tuple[Cards, ...]) -> str:
        """As the command line takes it."""
        return ",".join(each if isinstance(each, str) else _joined(each) for each in value)

    def said(self, value: tuple[Cards, ...]) -> str:
        """In short: names, and for others how many cards there are, and a digest of them."""
        return "+".join(each if isinstance(each, str) else self.name_of(each) for each in value)

    def name_of(self, value: tuple[tuple[str, int], ...]) -> str:
        """What a list without a name is called: "own deck 1f3a9c0e"; the same cards always have the same digest."""
        return f"own {self.what} {hashlib.sha256(_joined(value).encode()).hexdigest()[:_DIGITS]}"

    def parse(self, content: bytes, name: str) -> tuple[tuple[str, int], ...]:
        """A list from the content of a file. Raise ValueError with one line that begins with `name`."""
        pairs: list[tuple[str, int]] = []
        for where, row in csv_lines(content, name, self.what):
            if not pairs and row[0].casefold() == _HEADER:
                continue
            if len(row) != 2 or not row[1].isascii() or not row[1].isdigit() or len(row[1]) > 4:
                raise ValueError(f"{where}: must be a card and its {self.number}, such as Orc,2")
            pairs.append((_card(row[0], where), int(row[1])))
        cards = self._one(name, pairs)
        assert not isinstance(cards, str)
        return cards

    def _given(self, text: str) -> Any:
        """What one entry of an argument means: a name, cards in one text, or a file."""
        if text in self.known:
            return text
        if "=" in text and not {".", "/"} & set(text):
            return self.parse(text.replace("+", "\n").replace("=", ",").encode(), f"{self.what} {reprlib.repr(text)}")
        try:
            with Path(text).open("rb") as file:
                return self.parse(file.read(MAX_TABLE + 1), text)
        except FileNotFoundError:
            return text  # `checked` says which names there are
        except OSError as error:
            raise ValueError(f"{text} can't be read: {error.strerror}") from None

    def _one(self, name: str, value: Any) -> Cards:
        """One of the lists, its cards in rising order."""
        if isinstance(value, str):
            if value not in self.known:
                known = ", ".join(self.known)
                raise ValueError(f"{name} must be of {known}, or a file with cards, not {reprlib.repr(value)}")
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

    def _drawn(self, rng: random.Random) -> Cards:
        raise NotImplementedError


class Decks(CardLists):
    """Decks: cards with copies."""

    def __init__(self) -> None:
        super().__init__("deck", engine.DECKS, "copies")

    def _check(self, name: str, pairs: list[tuple[str, int]]) -> None:
        """Check the size of a deck and the copies of each card."""
        for card, copies in pairs:
            if not 1 <= copies <= engine.MAX_COPIES:
                raise ValueError(
                    f"{name}: {card} must be there 1 to {engine.MAX_COPIES} times, not {reprlib.repr(copies)}"
                )
        cards = [card for card, _ in pairs]
        if twice := next((card for card in cards if cards.count(card) > 1), None):
            raise ValueError(f"{name}: {twice} is named twice")
        size = sum(copies for _, copies in pairs)
        if not engine.MIN_DECK <= size <= engine.MAX_DECK:
            raise ValueError(f"{name}: a deck has {engine.MIN_DECK} to {engine.MAX_DECK} cards, not {size}")

    def _words(self, value: Cards) -> tuple[int, ...]:
        if isinstance(value, str):
            return engine.deck_words(engine.DECKS[value].tolist())
        copies = [0] * engine.NUM_CARDS
        for card, number in value:
            copies[Card[card]] = number
        return engine.deck_words(copies)

    def _drawn(self, rng: random.Random) -> Cards:
        """A deck of any size, each copy of the table equally likely."""
        copies = [card for card in Card.__members__ for _ in range(engine.MAX_COPIES)]
        return tuple(Counter(rng.sample(copies, rng.randint(engine.MIN_DECK, engine.MAX_DECK))).items())


class Squads(CardLists):
    """Squads: cards with cells of the own half, in the owner's view."""

    def __init__(self) -> None:
        super().__init__("squad", engine.SQUADS, "cell")

    def _check(self, name: str, pairs: list[tuple[str, int]]) -> None:
        """Check that the cells are those of the own half, and each is there once."""
        cells = [cell for _, cell in pairs]
        for cell in cells:
            if not 0 <= cell < engine.HOME_CELLS:
                raise ValueError(
                    f"{name}: a cell of the own half is 0 to {engine.HOME_CELLS - 1}, not {reprlib.repr(cell)}"
                )
        if len(set(cells)) != len(cells):
            raise ValueError(f"{name}: two cards stand in one cell")
        if not cells:
            raise ValueError(f"{name}: a squad has a card at least")

    def _words(self, value: Cards) -> tuple[int, ...]:
        if isinstance(value, str):
            return engine.squad_words(engine.SQUADS[value].tolist())
        cards = [engine.NONE] * engine.HOME_CELLS
        for card, cell in value:
            cards[cell] = Card[card]
        return engine.squad_words(cards)

    def _drawn(self, rng: random.Random) -> Cards:
        """A squad of any size, any card in each of its cells."""
        cells = rng.sample(range(engine.HOME_CELLS), rng.randint(1, engine.HOME_CELLS))
        return tuple((rng.choice(list(Card.__members__)), cell) for cell in cells)


DECK: Final = Decks()
SQUAD_LIST: Final = Squads()


def deck_name(copies: Sequence[int]) -> str:
    """What a deck of the record is called: by its name, or as `CardLists.name_of` does."""
    cards = _cards_of(copies)
    named = (name for name, deck in engine.DECKS.items() if _cards_of(deck.tolist()) == cards)
    return next(named, DECK.name_of(cards))


def _cards_of(copies: Sequence[int]) -> tuple[tuple[str, int], ...]:
    """The cards of a deck with their copies, from an array of copies by card."""
    return tuple((card.name, int(copies[card])) for card in Card if copies[card])


def _joined(pairs: Iterable[tuple[str, int]]) -> str:
    return "+".join(f"{card}={number}" for card, number in pairs)


def _card(text: str, where: str) -> str:
    """The name of a card that is given by title or name."""
    if text.casefold() not in _CARDS:
        near = difflib.get_close_matches(text.casefold(), _CARDS, 1)
        hint = f"; did you mean {engine.TITLE[Card[_CARDS[near[0]]]]}?" if near else ""
        raise ValueError(f"{where}: there is no card {reprlib.repr(text)}{hint}")
    return _CARDS[text.casefold()]
