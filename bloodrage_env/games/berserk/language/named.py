"""Cards by their names, slots and cells in answers: `Orc (A4) on b4`, `Orc`, `A4` and `b4` can be the same target.

A slot is written in capitals, a cell in small letters. A name such as `a4` is a slot and a cell, so an answer that does
not keep to this is refused where the two are different.
"""

import functools
import re
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from ....core.shown.language import UnknownWordError
from ....text import words_of
from ..engine import AIR, NONE, SQUAD, TITLE, Decision, States
from ..notation.words import CELLS, SECRET, SLOTS, cell_name, is_secret, slot_name

_APART: Final = {"then", "and", "at", "&", "+"}  # between the parts of a move
_BEFORE_CELL: Final = {"to", "on", "flyer"}
_OF_CARDS: Final = {Decision.MAIN, Decision.VANGUARD, Decision.TARGET, Decision.DEFENDER}
_ACTING: Final = {Decision.MAIN, Decision.VANGUARD}  # the first card of an answer is the one that acts
_NAME: Final = re.compile(r"\b[A-Za-z]\d+\b")
_CELL: Final = re.compile(r"\b(?:to|on)\s+([A-Za-z]\d+)\b", re.IGNORECASE)


class _Card(NamedTuple):
    slot: str
    cell: str  # "" for none on the board
    title: tuple[str, ...]
    shown: str


def plain(text: str, known: States, seat: int) -> list[str]:
    """Return the words of a text with the slot of the card that acts, and with the cells of other cards."""
    words, s = words_of(text), known[0]
    if s.decision not in _OF_CARDS or not words:
        return words
    return _Naming(text, _cards(s, seat), seat, s.decision in _ACTING).plain(words)


@functools.cache
def _words_of_title(title: str) -> tuple[str, ...]:
    return tuple(words_of(title))


def _cards(s: np.record, seat: int) -> list[_Card]:
    """The cards in play, longer titles first."""
    found = []
    cells, cards = s.cell.tolist(), s.card.tolist()
    for slot in (slot for slot, cell in enumerate(cells) if cell != NONE):
        title = SECRET if is_secret(s, slot, seat) else TITLE[cards[slot]]
        cell = "" if cells[slot] == AIR else cell_name(cells[slot])
        found.append(_Card(slot_name(slot).lower(), cell, _words_of_title(title), title))
    return sorted(found, key=lambda card: -len(card.title))


class _Naming:
    """The cards that one text names. `acts` says whether its first card is the one that acts."""

    def __init__(self, text: str, cards: Sequence[_Card], seat: int, acts: bool) -> None:
        self.cards, self.seat, self.acts = cards, seat, acts
        self.by_slot = {card.slot: card for card in cards}
        self.names = _NAME.findall(text)
        self.actor, self.goal = "", ""  # the slot of the card that acts, and the cell to which it goes first
        self.mixed = any(name[0].isupper() for name in _CELL.findall(text))  # capitals do not say what is a slot

    def plain(self, words: Sequence[str]) -> list[str]:
        """The words with one name for each card."""
        found: list[str] = []
        at = 0
        while at < len(words):
            card, end = self._card(words, at)
            if card is None:
                found += [words[at]] if words[at] not in _APART else []
                if at and words[at - 1] == "to" and words[at] in CELLS:
                    self.goal = words[at]
            elif self.acts:
                self.acts, self.actor = False, card.slot
                found.append(card.slot)
                if words[end - 1] == card.slot:
                    self.mixed |= self.names.pop(0)[0].islower()
            else:
                cell, end = self._cell(card, words, end)
                found.append(cell)
            at = end
        return found

    def _card(self, words: Sequence[str], at: int) -> tuple[_Card | None, int]:
        """The card that is named at a place, and where its name ends; None for other words."""
        same = [card for card in self.cards if tuple(words[at : at + len(card.title)]) == card.title]
        same = [card for card in same if len(card.title) == len(same[0].title)]
        if not same:
            return self._bare(words, at), at + 1
        end = at + len(same[0].title)
        after = words[end] if end < len(words) else ""
        if SLOTS.get(after.upper()) is not None:
            return next(((card, end + 1) for card in same if card.slot == after), (None, at + 1))
        if after == "on":
            same = [card for card in same if [card.cell] == words[end + 1 : end + 2]]
        elif self.acts:
            same = [card for card in same if SLOTS[card.slot.upper()] // SQUAD == self.seat]
        return (same[0], end) if len(same) == 1 else (None, at + 1)

    def _bare(self, words: Sequence[str], at: int) -> _Card | None:
        """The card that a slot alone means. Raise UnknownWordError for what can be a card and another cell."""
        word, before = words[at], words[at - 1] if at else ""
        card = self.by_slot.get(word)
        if self.acts or card is None or not card.cell:
            return card if self.acts else None
        if before in _BEFORE_CELL or word == card.cell:
            return None
        if word not in CELLS or list(words[at + 1 : at + 3]) == ["on", card.cell]:
            return card
        if self.mixed or {word, word.upper()} <= {*self.names}:
            name = word.upper()
            raise UnknownWordError(f"is not a move: {name} is a card and a cell: say `{card.shown} ({name})`")
        return card if word.upper() in self.names else None

    def _cell(self, card: _Card, words: Sequence[str], at: int) -> tuple[str, int]:
        """The cell of a card, its slot without one, and where the words go on after it."""
        cell = self.goal if card.slot == self.actor and self.goal else card.cell or card.slot
        said = words[at + 1] if at + 1 < len(words) and words[at] == "on" and words[at + 1] in CELLS else ""
        if said not in ("", cell):
            raise UnknownWordError(f"is not a move: {card.slot.upper()} is not on {said}")
        return cell, at + 2 if said else at
