"""Berserk as people see it: `notation` and `terminal` by the names that every game has."""

import re
from typing import Final

from ...core.shown.presentation import Presentation, Terminal
from .engine import NUM_SEATS, SECRET, States
from .notation import action_text, board_text, decision_text, events, opening_events, player
from .notation.cards import card_lines
from .notation.words import LETTERS, chosen_together
from .terminal import (
    about,
    basket,
    card_of,
    cards,
    caution,
    context,
    find,
    menu,
    offered,
    reference,
    result_table,
    reveals,
    shows_board,
)

COLOURS: Final = (33, 36, 31, 34)[:NUM_SEATS]  # by seat: yellow, cyan, red, blue
_SLOT: Final = re.compile(rf"\b([{''.join(LETTERS)}])\d+\b")


def board(states: States, index: int, viewer: int | None, colour: bool) -> str:
    """The board as text, and the question as a paragraph of its own; with colours, slots have that of their seat."""
    head, _, question = board_text(states, index, viewer).rpartition("\n")
    text = f"{head}\n\n{question}"
    if not colour:
        return text
    return _SLOT.sub(lambda slot: f"\x1b[{COLOURS[LETTERS.index(slot[1])]}m{slot[0]}\x1b[0m", text)


def secret(states: States) -> bool:
    """Whether the open question is answered in secret."""
    return bool(SECRET[states[0].decision])


def at_once(states: States) -> tuple[int, ...] | None:
    """What identifies a stage in which players choose and no other sees anything of it; None for other questions."""
    s = states[0]
    return (int(s.phase), int(s.decision)) if chosen_together(s) else None


PRESENTATION: Final = Presentation(
    seats=tuple(player(seat) for seat in range(NUM_SEATS)),
    colours=COLOURS,
    opening_events=opening_events,
    events=events,
    decision_text=decision_text,
    action_text=action_text,
    board_text=board,
    result_table=result_table,
    reference=reference,
    about=about,
    facts=cards,
    secret=secret,
    at_once=at_once,
    terminal=Terminal(context, basket, menu, shows_board, caution, offered, card_of, find, card_lines, reveals),
)
