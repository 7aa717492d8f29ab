"""What the games of a person have in common: battles joined, pillages that met others, and how they ended."""

from collections.abc import Iterable, Iterator

from ....core.shown.table_page import WATCHER, Habit
from ..engine import NO, Decision, States
from .story import entries

JOINED, BEGUN = "You lost # battles that you joined", "You lost # battles that you began by a pillage"


def habits(steps: Iterable[tuple[States, int]], seat: int) -> Iterator[Habit]:
    """Yield each battle that a seat has joined or begun, in the order in which they ended.

    `steps` are the positions of a game and their actions. A tie is a loss (rules 4.6).
    """
    joined: int | None = None  # the step at which the seat joined the battle that is called
    for step, (states, action) in enumerate(steps):
        s = states[0]
        if s.decision == Decision.CALL and s.seat == seat and action != NO:
            joined = step if joined is None else joined
        for part in entries(states, action, [WATCHER]).get(WATCHER, {}).get("battle", ()):
            if part["step"] != "totals":
                continue
            fought = [side for side, _, _ in part["sides"]]
            began = int(s.pillager) == seat and len(fought) > 1
            if seat in fought and (began or joined is not None):
                text = BEGUN if began else JOINED
                yield Habit(text, step if joined is None else joined, part["winner"] != seat)
            joined = None
