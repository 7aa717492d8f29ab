"""Numbered choices in words; similar moves share a line."""

import textwrap
from collections.abc import Sequence

import numpy as np

from ....terminal.text import legal_actions
from ..engine import CARD, FIGURE_AT, NONE, NUM_CARDS, PASS, Decision, States
from ..notation.questions import answer_parts, answer_text
from .cards import card_facts

WIDTH = 98
_DESCRIBED = (Decision.DRAFT, Decision.KEEP_CARD)  # questions in which cards are said more about
_COLUMN = 44  # where that is said


def menu(states: States) -> tuple[list[str], list[int]]:
    """Return the lines to print, and the action of each number from 1 on.

    Invades with the same figure share an entry, and so do marches from the same province: the numbers precede the
    places. The pass is last, so that it is not chosen by habit.
    """
    actions = sorted(legal_actions(states), key=lambda action: (action == PASS, action))
    groups: dict[str, list[tuple[int, str]]] = {}
    for number, action in enumerate(actions, start=1):
        label, place = answer_parts(states, 0, action)
        if action < FIGURE_AT:  # no figure goes anywhere
            label, place = answer_text(states, 0, action), ""
        groups.setdefault(label, []).append((number, place))
    lines = []
    for label, members in groups.items():
        number, place = members[0]
        if not place:
            card = card_of(actions[number - 1])
            facts = card_facts(card) if card != NONE and states[0].decision in _DESCRIBED else ""
            lines.append(f"{number:4}  {label:{_COLUMN}}{facts}".rstrip())
        else:
            places = ", ".join(f"{number}\xa0{place.replace(' ', chr(160))}" for number, place in members)
            wrapped = textwrap.wrap(f"{label}: {places}", WIDTH - 6, subsequent_indent="  ")
            lines += [f"      {line}".replace("\xa0", " ") for line in wrapped]
    return lines, actions


def card_of(action: int) -> int:
    """Return the card of an action, or NONE."""
    return action - CARD if CARD <= action < CARD + NUM_CARDS else NONE


def offered(states: States, seat: int, actions: Sequence[int]) -> list[int]:
    """Return the cards of the answers, or else the cards in the hand of a seat."""
    cards = sorted({card for action in actions if (card := card_of(action)) != NONE})
    return cards or [int(card) for card in np.flatnonzero(states[0].hand[seat])]
