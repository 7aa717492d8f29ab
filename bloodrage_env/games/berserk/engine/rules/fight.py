"""The dice of a fight, and what they say (rules 4.4, 4.5, 4.10, 7.27)."""

import numpy as np

from .....core.compile.decorators import rule
from .. import hooks, keyword_hooks
from ..actions import NO, YES
from ..board import DISTANCE
from ..ids import DIE, FARTHEST, MEDIUM, MISS, STRONG, WEAK, Combat, Decision, Routine
from ..laar import plays
from ..primitives import clear_dice, roll_black, roll_strength, roll_white
from ..queries import owner
from ..stack import ask, get, put
from ..state import Frame, State

BOTH_MISS = 5  # of the black die
# How hard an attack lands by its die (rules 4.4, 5.3); MISS where there is none.
FORCE_OF = np.array([MISS, WEAK, WEAK, WEAK, MEDIUM, MEDIUM, STRONG], dtype=np.int64)

# How the attacker's strike and the other's land by the difference of the dice, -5 to 5 (rules 4.10); the column of 0 is
# for low dice, that of two high ones comes last.
BY_DIFFERENCE = np.array(
    [[MISS, WEAK, MISS, MISS, WEAK, WEAK, WEAK, MEDIUM, MEDIUM, STRONG, STRONG, MISS],
     [MEDIUM, MEDIUM, WEAK, MISS, MISS, MISS, MISS, WEAK, MISS, WEAK, MISS, WEAK]], dtype=np.int64
)  # fmt: skip
HIGH = 2 * FARTHEST + 1  # the column of two high dice
LOW = 4  # equal dice are low up to here


@rule
def force_of(die: int) -> int:
    """How hard an attack lands by its die (rules 4.4, 5.3)."""
    return int(FORCE_OF[die])


@rule
def roll_dice(s: State, actor: int, target: int) -> None:
    """The white die, and the black one of an open card; some cards roll two (rules 4.4, 7.27)."""
    clear_dice(s)
    for i in range(2 if hooks.rolls_two(s, actor) else 1):
        roll_white(s, i)
    if s.closed[target] == 0 and not keyword_hooks.is_unanswered(s):
        for i in range(2 if hooks.rolls_two(s, target) else 1):
            roll_black(s, i)


# ---- the choice of a die (rules 7.27)


@rule
def ask_pick(s: State, slot: int, other: int, white: bool) -> bool:
    """Ask which of two dice counts, unless they are equal."""
    second = s.white[1] if white else s.black[1]
    if second == 0 or second == (s.white[0] if white else s.black[0]):
        return False
    ask(s, Decision.PICK_DIE, owner(slot), slot, other)
    return True


@rule
def mask_yes_no(s: State) -> None:
    """YES and NO."""
    s.mask[YES] = 1
    s.mask[NO] = 1


@rule
def apply_pick_die(s: State, seat: int, action: int) -> None:
    """YES: the first counts; NO: the second. The other is taken away."""
    white = s.actor == get(s, Frame.ACTOR)
    if action == NO and white:
        s.white[0] = s.white[1]
    elif action == NO:
        s.black[0] = s.black[1]
    if white:
        s.white[1] = 0
    else:
        s.black[1] = 0


# ---- experience (rules 4.5, 7.12)


@rule
def prepare_rerolls(s: State, slot: int, white: bool) -> None:
    """How often the die of a card may be rolled again; with the table of differences it counts more instead."""
    left = 0
    if s.combat == Combat.BOOK and white:
        left = hooks.attack_experience(s, slot)
    elif s.combat == Combat.BOOK and s.black[0] > 0:
        left = hooks.defence_experience(s, slot)
    put(s, Frame.LEFT, left)


@rule
def ask_reroll(s: State, slot: int, other: int) -> bool:
    """Ask the owner of the die, while it may be rolled again."""
    if get(s, Frame.LEFT) == 0:
        return False
    ask(s, Decision.REROLL, owner(slot), slot, other)
    return True


@rule
def apply_reroll(s: State, seat: int, action: int) -> None:
    """The new result replaces the old one; NO: no more of this die."""
    if action == NO:
        put(s, Frame.LEFT, 0)
        return
    put(s, Frame.LEFT, get(s, Frame.LEFT) - 1)
    if get(s, Frame.ROUTINE) == Routine.ABILITY:
        roll_strength(s)
    elif s.actor == get(s, Frame.ACTOR):
        roll_white(s, 0)
    else:
        roll_black(s, 0)


# ---- what the dice say


@rule
def ask_weaken(s: State, actor: int, target: int) -> bool:
    """Settle how the strikes land; where both do, the owner of the higher result may lessen it (rules 4.10)."""
    if s.combat == Combat.BOOK:
        read_book(s)
        return False
    if s.black[0] == 0:
        die = min(max(int(s.white[0]) + hooks.attack_experience(s, actor), 1), DIE)
        put(s, Frame.FORCE, force_of(die))
        put(s, Frame.COUNTER, MISS)
        return False
    white = int(s.white[0]) + hooks.attack_experience(s, actor)
    black = int(s.black[0]) + hooks.defence_experience(s, target)
    read_difference(s, white - black, white <= LOW)
    if get(s, Frame.FORCE) == MISS or get(s, Frame.COUNTER) == MISS:
        return False
    if white < black and not plays(s, owner(target)):
        return False
    if white > black:
        ask(s, Decision.WEAKEN, owner(actor), actor, target)
    else:
        ask(s, Decision.WEAKEN, owner(target), target, actor)
    return True


@rule
def read_book(s: State) -> None:
    """The table of the book (rules 4.4)."""
    black = int(s.black[0])
    lands = black < BOTH_MISS
    put(s, Frame.FORCE, force_of(int(s.white[0])) if lands else MISS)
    put(s, Frame.COUNTER, WEAK if black > BOTH_MISS else MISS)


@rule
def read_difference(s: State, difference: int, low: bool) -> None:
    """The table of differences (rules 4.10)."""
    held = min(max(difference, -FARTHEST), FARTHEST)
    column = HIGH if held == 0 and not low else held + FARTHEST
    put(s, Frame.DIFFERENCE, held)
    put(s, Frame.FORCE, BY_DIFFERENCE[0, column])
    put(s, Frame.COUNTER, BY_DIFFERENCE[1, column])


@rule
def apply_weaken(s: State, seat: int, action: int) -> None:
    """YES: the column one nearer to 0."""
    if action == YES:
        column = get(s, Frame.DIFFERENCE)
        read_difference(s, column - 1 if column > 0 else column + 1, True)


@rule
def in_reach(s: State, slot: int, other: int) -> bool:
    """Whether a counter of the card reaches the attacker (rules 4.6, 12.13)."""
    return keyword_hooks.meet(s, slot, other) or DISTANCE[s.cell[slot], s.cell[other]] <= hooks.reach(s, slot)
