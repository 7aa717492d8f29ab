"""What a person who plays in the terminal is asked and shown, and how a game stands."""

import textwrap
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from ..core.lookup import find_title
from .engine import (
    ACT,
    CARD,
    CELL,
    DONE,
    ELEMENT,
    LIFE,
    NONE,
    NUM_CARDS,
    NUM_SEATS,
    NUM_SLOTS,
    SQUAD,
    TITLE,
    Card,
    Decision,
    Element,
    States,
    apply,
    clone,
    scores,
)
from .notation import action_text, outcome, player
from .notation.cards import WIDTH, card_facts, card_lines
from .notation.words import ELEMENTS, is_secret

_COLUMN: Final = 34  # where more is said of a card on offer
_TITLE: Final = max(map(len, TITLE))


def menu(states: States) -> tuple[list[str], list[int]]:
    """Lines to print and the action of each number, from 1 on. The answer that ends something comes last."""
    actions = sorted((int(each) for each in np.flatnonzero(states["mask"][0])), key=lambda each: (each == DONE, each))
    lines = []
    for number, action in enumerate(actions, start=1):
        card = card_of(action)
        facts = card_facts(card) if card != NONE else ""
        lines += _beside(f"{number:4}  {action_text(states, 0, action):{_COLUMN}}  ", facts)
    return lines, actions


def _beside(head: str, text: str) -> list[str]:
    """A text in a column of its own, to the right of `head`."""
    return textwrap.wrap(text, WIDTH, initial_indent=head, subsequent_indent=" " * len(head)) or [head.rstrip()]


def shows_board(states: States) -> bool:
    """Whether the board is shown before the open question: where cards move, act or are placed."""
    return int(states[0].decision) in (Decision.MAIN, Decision.PLACE)


def caution(states: States, action: int) -> str:
    """What is said before an answer is taken: a turn is not passed lightly while a card can act."""
    s = states[0]
    if action != DONE or s.decision != Decision.MAIN or not s.mask[ACT:CELL].any():
        return ""
    return "To pass ends your turn, and cards of yours can still act"


def card_of(action: int) -> int:
    """The card that an action names, or NONE."""
    return action - CARD if CARD <= action < CARD + NUM_CARDS else NONE


def offered(states: States, seat: int, actions: Sequence[int]) -> list[int]:
    """The cards that answers name, or else those in play that a seat sees."""
    cards = sorted({card for action in actions if (card := card_of(action)) != NONE})
    s = states[0]
    seen = (slot for slot in range(NUM_SLOTS) if s.cell[slot] != NONE and not is_secret(s, slot, seat))
    return cards or sorted({int(s.card[slot]) for slot in seen})


def find(text: str) -> list[int]:
    """Cards by title, by id, by the beginning of a title, or else by a part of one; UserError if none or several."""
    return find_title(text, dict(enumerate(TITLE)), {card: card.name for card in Card}, "card")


def reference() -> Iterator[str]:
    """The list of all cards, by element."""
    for element in Element:
        yield f"{ELEMENTS[element].capitalize()} cards"
        for card in range(NUM_CARDS):
            if ELEMENT[card] == element:
                yield from _beside(f"  {TITLE[card]:{_TITLE}}  ", card_facts(card))
        yield ""
    yield "`bloodrage cards --game berserk NAME` shows what a card does."


def about(name: str) -> Iterator[str]:
    """The cards of a name."""
    yield "\n\n".join("\n".join(card_lines(card)) for card in find(name))


def result_table(states: States) -> str:
    """Who has won, and what each has left; for a game that is not over, how it stands."""
    s = states[0]
    won = scores(states, 0).tolist()
    lines = [f"{'':4}{'player':12}{'score':>6}{'cards left':>12}{'life left':>11}{'cards lost':>12}"]
    left = [[slot for slot in range(seat * SQUAD, (seat + 1) * SQUAD) if s.cell[slot] != NONE] for seat in range(2)]
    for seat in sorted(range(NUM_SEATS), key=lambda seat: (-won[seat], seat)):
        place = 1 + sum(other > won[seat] for other in won)
        life = sum(int(LIFE[s.card[slot]]) - int(s.wounds[slot]) for slot in left[seat] if s.card[slot] != NONE)
        lost = int((s.died[seat * SQUAD : (seat + 1) * SQUAD] > 0).sum())
        lines.append(f"{place}.".ljust(4) + f"{player(seat):12}{won[seat]:>6}{len(left[seat]):>12}{life:>11}{lost:>12}")
    return "\n".join([*lines, "", outcome(s)] if s.over else lines)


def reveals(before: States, action: int, seat: int) -> bool:
    """Whether an answer of `seat` had the other act, or told it something: dice, cards turned up, a new phase."""
    states = clone(before, 0)
    apply(states, 0, action)
    s, after = before[0], states[0]
    fields = ("phase", "turn", "chance", "face_down")
    return bool(after.seat != seat or any(np.any(s[name] != after[name]) for name in fields))
