"""Numbered choices in words; similar moves share a line."""

import textwrap
from collections.abc import Sequence

import numpy as np

from ....terminal.text import legal_actions
from ..engine import CARD, FIGURE_AT, MARCH, MARCH_TO, NONE, NUM_ACTIONS, NUM_BOARD, NUM_CARDS, PASS, Decision, States
from ..notation import action_text
from ..notation.words import PLACES, PROVINCES
from .cards import card_facts

WIDTH = 98
SPREAD = (Decision.ACTION, Decision.FREE_INVADE, Decision.RAISE_DEAD)  # questions with figures to many places
_DESCRIBED = (Decision.DRAFT, Decision.KEEP_CARD)  # questions in which cards are said more about
_COLUMN = 44  # where that is said


def menu(states: States) -> tuple[list[str], list[int]]:
    """Return the lines to print, and the action of each number from 1 on.

    Invades with the same figure share an entry, and so do marches from the same province: the numbers precede the
    places. The pass is last, so that it is not chosen by habit.
    """
    actions = sorted(legal_actions(states), key=lambda action: (action == PASS, action))
    spread = states[0].decision in SPREAD
    groups: dict[str, list[tuple[int, str]]] = {}
    for number, action in enumerate(actions, start=1):
        label, place = group(states, action) if spread else (action_text(states, 0, action), "")
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


def group(states: States, action: int) -> tuple[str, str]:
    """Return the common text of an action and similar ones of a question in `SPREAD`, and the rest, or ""."""
    text = action_text(states, 0, action)
    if MARCH <= action < NUM_ACTIONS:
        target = PROVINCES[MARCH_TO[action - MARCH]]
        return text.replace(f" to {target}", "", 1) + " to", target
    if FIGURE_AT <= action < MARCH:
        place = PLACES[(action - FIGURE_AT) % NUM_BOARD]
        return text.replace(f"invade {place} ", "invade ", 1), place
    return text, ""
