"""What the games of a person have in common: kills that were left, cards lost beside enemies, defenders not named."""

from collections.abc import Iterable, Iterator

import numpy as np

from ....core.shown.table_page import Habit
from ..engine import ABILITIES, ACT, CELL, DONE, NUM_ACTS, SQUAD, Attack, Decision, Part, States, apply, clone
from .near import left, next_to, stands, strike, worst

LEFT = "You ended # turns with a strike left that could have killed"
STRUCK = "You lost # cards that struck next to enemies who could kill them"
UNDEFENDED = "You lost # cards for which you named no defender"


def habits(steps: Iterable[tuple[States, int]], seat: int) -> Iterator[Habit]:
    """Yield the turns that a seat has ended, its strikes next to enemies whose strongest strikes would together kill
    the card, and the questions for a defender that it answered with none.

    `steps` are the positions of a game and their actions. A card is lost if it dies before its owner's next turn, or in
    the strike that nobody defended against. Strikes are taken as printed, as in hints.
    """
    struck: dict[int, tuple[int, int]] = {}  # by slot: the step of the strike, and the turn
    bare: tuple[int, int] | None = None  # the step of the question for a defender, and the target
    end: States | None = None
    for step, (states, action) in enumerate(steps):
        s = states[0]
        if s.decision == Decision.MAIN:
            yield from _bare(s, bare)
            bare = None
            if s.seat == seat:
                yield from _struck(s, {slot: at for slot, at in struck.items() if at[1] < s.turn})
                struck = {slot: at for slot, at in struck.items() if at[1] == s.turn}
                if action == DONE:
                    yield Habit(LEFT, step, _could_kill(s, seat))
                elif ACT <= action < CELL:
                    slot, act = seat * SQUAD + (action - ACT) // NUM_ACTS, (action - ACT) % NUM_ACTS
                    simple = ABILITIES[Part.ATTACK, s.card[slot], act] == Attack.SIMPLE
                    simple = simple and s.num_players > 1  # a demon without a player strikes nobody (rules 11.2)
                    if simple and worst(s, slot, int(s.cell[slot])) >= left(s, slot):
                        struck[slot] = step, int(s.turn)
        elif s.decision == Decision.DEFENDER and s.seat == seat and action == DONE:
            bare = step, int(s.target)
        end = clone(states, 0)
        apply(end, 0, action)
    if end is not None:
        yield from _bare(end[0], bare)
        yield from _struck(end[0], struck)


def _struck(s: np.record, struck: dict[int, tuple[int, int]]) -> Iterator[Habit]:
    for slot, (step, _) in struck.items():
        yield Habit(STRUCK, step, bool(s.died[slot]))


def _bare(s: np.record, bare: tuple[int, int] | None) -> Iterator[Habit]:
    if bare is not None:
        yield Habit(UNDEFENDED, bare[0], bool(s.died[bare[1]]))


def _could_kill(s: np.record, seat: int) -> bool:
    """Whether an open card of a seat may strike an enemy whose life is not above its strongest strike."""
    for slot in range(seat * SQUAD, (seat + 1) * SQUAD):
        acts = s.mask[ACT + (slot - seat * SQUAD) * NUM_ACTS :][:NUM_ACTS]
        if stands(s, slot) and (acts & (ABILITIES[Part.ATTACK, s.card[slot]] == Attack.SIMPLE)).any():
            if any(strike(s, slot) >= left(s, other) for other in next_to(s, slot, int(s.cell[slot]))):
                return True
    return False
