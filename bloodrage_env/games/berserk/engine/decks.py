"""The decks and squads that come with the game, and how any go through the options: two words each."""

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from ....core.compile.decorators import Ints, rule
from .card_ids import NUM_CARDS, Card
from .ids import HOME_CELLS, MAX_COPIES, MAX_DECK, MIN_DECK, NONE, WORDS

Deck = npt.NDArray[np.int64]  # copies of each card
Squad = npt.NDArray[np.int64]  # the card in each cell of the own half, in the own view, or NONE

_COPY_BITS: Final = 2
_CARD_BITS: Final = 6
_CARDS_A_WORD: Final = 31
_CELLS_A_WORD: Final = 10
assert WORDS * _CARDS_A_WORD >= NUM_CARDS < 1 << _CARD_BITS
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
    """Copy of a card in the deck whose words begin at `start` of the options."""
    word = words[start + card // _CARDS_A_WORD]
    return int((word >> (_COPY_BITS * (card % _CARDS_A_WORD))) & MAX_COPIES)


@rule
def card_at(words: Ints, start: int, cell: int) -> int:
    """The card of a cell in the squad whose words begin at `start` of the options; NONE if it is empty."""
    word = words[start + cell // _CELLS_A_WORD]
    return int((word >> (_CARD_BITS * (cell % _CELLS_A_WORD))) & ((1 << _CARD_BITS) - 1)) - 1


# A batch asks at every step whether the words are options: all fields of a word at once, not one after the other.
_TWO_BITS: Final = 0x3333_3333_3333_3333  # two bits of four
_FOUR_BITS: Final = 0x0F0F_0F0F_0F0F_0F0F
_BYTE: Final = (1 << 8) - 1
# Every second field of a squad's word; what more than NUM_CARDS in a field carries beyond it; and where to.
_SECOND_CELLS: Final = sum(((1 << _CARD_BITS) - 1) << (2 * _CARD_BITS * i) for i in range(_CELLS_A_WORD // 2))
_SPARE: Final = sum(((1 << _CARD_BITS) - 1 - NUM_CARDS) << (2 * _CARD_BITS * i) for i in range(_CELLS_A_WORD // 2))
_BEYOND: Final = sum(1 << (2 * _CARD_BITS * i + _CARD_BITS) for i in range(_CELLS_A_WORD // 2))


@rule
def copies_of_word(word: int) -> int:
    """The sum of the copies in a word of a deck."""
    pairs = (word & _TWO_BITS) + (word >> _COPY_BITS & _TWO_BITS)
    return ((pairs & _FOUR_BITS) + (pairs >> 2 * _COPY_BITS & _FOUR_BITS)) % _BYTE


@rule
def is_deck(words: Ints, start: int) -> bool:
    """Whether the words are those of a deck (rules 9.7)."""
    low, high = int(words[start]), int(words[start + 1])
    if low >> _COPY_BITS * _CARDS_A_WORD != 0 or high >> _COPY_BITS * (NUM_CARDS - _CARDS_A_WORD) != 0:
        return False
    size = copies_of_word(low) + copies_of_word(high)
    return size >= MIN_DECK and size <= MAX_DECK


@rule
def has_other_card(word: int) -> bool:
    """Whether a word of a squad has a card that is not in the table."""
    return ((word & _SECOND_CELLS) + _SPARE | (word >> _CARD_BITS & _SECOND_CELLS) + _SPARE) & _BEYOND != 0


@rule
def is_squad(words: Ints, start: int) -> bool:
    """Whether the words are those of a squad (rules 9.7)."""
    low, high = int(words[start]), int(words[start + 1])
    if low >> _CARD_BITS * _CELLS_A_WORD != 0 or high >> _CARD_BITS * (HOME_CELLS - _CELLS_A_WORD) != 0:
        return False
    return (low | high) != 0 and not has_other_card(low) and not has_other_card(high)
