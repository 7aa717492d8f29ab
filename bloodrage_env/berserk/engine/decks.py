"""The decks and squads that come with the game, and how any go through the options: two words each."""

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from ...core.compiled import Ints, rule
from .card_ids import NUM_CARDS, Card
from .ids import HOME_CELLS, MAX_COPIES, MAX_DECK, MIN_DECK, NONE, WORDS

Deck = npt.NDArray[np.int64]  # copies of each card
Squad = npt.NDArray[np.int64]  # the card in each cell of the own half, in the own view, or NONE

_COPY_BITS: Final = 2
_CARD_BITS: Final = 6
_CARDS_A_WORD: Final = 31
_CELLS_A_WORD: Final = 10
assert WORDS * _CARDS_A_WORD >= NUM_CARDS
assert WORDS * _CELLS_A_WORD >= HOME_CELLS


def _rows(name: str) -> list[dict[str, str]]:
    with (Path(__file__).parent / name).open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def _decks() -> dict[str, Deck]:
    rows = _rows("decks.csv")
    found: dict[str, Deck] = {}
    for name in list(rows[0])[1:]:
        found[name] = np.zeros(NUM_CARDS, dtype=np.int64)
        for row in rows:
            found[name][Card[row["card"]]] = int(row[name])
    return found


def _squads() -> dict[str, Squad]:
    found: dict[str, Squad] = {}
    for row in _rows("squads.csv"):
        squad = found.setdefault(row["squad"], np.full(HOME_CELLS, NONE, dtype=np.int64))
        squad[int(row["cell"])] = Card[row["card"]]
    return found


DECKS: Final = _decks()
SQUADS: Final = _squads()


def _packed(values: Sequence[int], bits: int, a_word: int) -> tuple[int, ...]:
    return tuple(
        sum(int(value) << (bits * i) for i, value in enumerate(values[word * a_word : (word + 1) * a_word]))
        for word in range(WORDS)
    )


def deck_words(deck: Sequence[int]) -> tuple[int, ...]:
    """A deck as the options have it; `deck` is copies by card."""
    return _packed(deck, _COPY_BITS, _CARDS_A_WORD)


def squad_words(squad: Sequence[int]) -> tuple[int, ...]:
    """A squad as the options have it; `squad` is cards by cell of the own half."""
    return _packed([card + 1 for card in squad], _CARD_BITS, _CELLS_A_WORD)


@rule
def copies_in(words: Ints, start: int, card: int) -> int:
    """Copies of a card in the deck whose words begin at `start` of the options."""
    word = words[start + card // _CARDS_A_WORD]
    return int((word >> (_COPY_BITS * (card % _CARDS_A_WORD))) & MAX_COPIES)


@rule
def card_at(words: Ints, start: int, cell: int) -> int:
    """The card of a cell in the squad whose words begin at `start` of the options; NONE if it is empty."""
    word = words[start + cell // _CELLS_A_WORD]
    return int((word >> (_CARD_BITS * (cell % _CELLS_A_WORD))) & ((1 << _CARD_BITS) - 1)) - 1


@rule
def is_deck(words: Ints, start: int) -> bool:
    """Whether the words are those of a deck (rules 9.7)."""
    size = 0
    for card in range(WORDS * _CARDS_A_WORD):
        copies = copies_in(words, start, card)
        if card >= NUM_CARDS and copies > 0:
            return False
        size += copies
    return words[start] >= 0 and words[start + 1] >= 0 and MIN_DECK <= size <= MAX_DECK


@rule
def is_squad(words: Ints, start: int) -> bool:
    """Whether the words are those of a squad (rules 9.7)."""
    size = 0
    for cell in range(WORDS * _CELLS_A_WORD):
        card = card_at(words, start, cell)
        if card >= NUM_CARDS or (cell >= HOME_CELLS and card != NONE):
            return False
        size += card != NONE
    top = _CARD_BITS * _CELLS_A_WORD
    return words[start] >> top == 0 and words[start + 1] >> top == 0 and size > 0
