"""The words: names of seats, the board as text, the question, and the texts that describe an action to a seat."""

import numpy as np

from bloodrage_env.core.compile.decorators import Records
from bloodrage_env.core.engine.record import NONE
from bloodrage_env.core.shown.plain import presentation_for
from bloodrage_env.core.shown.presentation import Event, Kind

from .engine import SEATS
from .game import GAME

NAMES = ("Red", "Blue", "Green", "White", "Black", "Gold")


def board(states: Records, index: int, viewer: int | None) -> str:
    """The points and the numbers of each seat: those played, and to the viewer its own."""
    s, lines = states[index], []
    for seat in range(s.num_players):
        shown = [str(n) for n in np.flatnonzero(s.owner == seat) if s.shown[n]]
        hand = [str(n) for n in np.flatnonzero(s.owner == seat) if not s.shown[n] and seat == viewer]
        own = f"   hand: {' '.join(hand)}" if hand else ""
        lines.append(f"{NAMES[seat]}   points: {s.points[seat]}   played: {' '.join(shown)}{own}")
    return "\n".join(lines)


def question(states: Records, index: int) -> str:
    return f"{NAMES[states[index].seat]} plays a number"


def answer(states: Records, index: int, action: int) -> str:
    return f"play {action}"


def events(before: Records, action: int, viewer: int | None) -> list[Event]:
    """The choice to its seat alone; with the last one of a round what all played, to everybody."""
    s = before[0]
    found = [Event(Kind.SECRET, f"{NAMES[s.seat]} plays {action}")] if viewer in (None, s.seat) else []
    choices = np.where(np.arange(SEATS) == s.seat, action, s.choice)[: s.num_players]
    if (choices != NONE).all():
        shown = ", ".join(f"{name} {number}" for name, number in zip(NAMES, choices, strict=False))
        found.append(Event(Kind.ANSWER, f"{shown}: {NAMES[choices.argmax()]} scores"))
    return found


def secret(states: Records) -> bool:
    return not states[0].over


PRESENTATION = presentation_for(
    GAME, NAMES, question=question, answer=answer, board=board, secret=secret, events=events
)  # fmt: skip
