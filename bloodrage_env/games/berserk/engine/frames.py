"""What the stack of routines and the open question can be."""

from typing import Final

import numpy as np

from ....core.compiled import rule
from ....core.ranges import Range
from .cards import ABILITIES, MOST_TARGETS, Part
from .ids import (
    DIE,
    MAX_TOKENS,
    MISS,
    NONE,
    NUM_ACTS,
    NUM_SEATS,
    NUM_SLOTS,
    SQUAD,
    STRONG,
    Attack,
    Decision,
    Phase,
    Routine,
)
from .queries import owner, turn_seat
from .rules.ability import Step as AbilityStep
from .rules.fight import FARTHEST
from .rules.start import Step as StartStep
from .rules.strike import Step as StrikeStep
from .stack import get
from .state import FRAME_SIZE, Frame, State

MAX_STEPS: Final = len(StrikeStep)

FLAG: Final = (0, 1)
SLOT_OR_NONE: Final = (NONE, NUM_SLOTS - 1)
FORCES: Final = (MISS, STRONG)

# The least and the greatest number in each column of a frame, also of one that has left the stack.
COLUMNS: Final[dict[Frame, Range]] = {
    Frame.ROUTINE: (0, len(Routine) - 1),
    Frame.STEP: (0, MAX_STEPS - 1),
    Frame.SEAT: (NONE, NUM_SEATS - 1),
    Frame.ACTOR: (0, NUM_SLOTS - 1),
    Frame.ACT: (0, NUM_ACTS - 1),
    Frame.TARGET: SLOT_OR_NONE,
    Frame.BEFORE: SLOT_OR_NONE,
    Frame.COUNT: (0, MOST_TARGETS),
    Frame.PAID: (0, MAX_TOKENS),
    Frame.DIRECTED: FLAG,
    Frame.DEFENDED: FLAG,
    Frame.LEFT: (0, DIE),
    Frame.FORCE: FORCES,
    Frame.COUNTER: FORCES,
    Frame.DIFFERENCE: (-FARTHEST, FARTHEST),
    Frame.DONE: (0, NUM_SLOTS),
    Frame.SHOWN: (0, (1 << SQUAD) - 1),
}
LEAST, GREATEST = (np.array([COLUMNS[column][side] for column in Frame], np.int64) for side in range(2))

# The steps at which the target is asked for.
ASKS_STRIKE: Final = int(StrikeStep.DEFENDER)
ASKS_ABILITY: Final = int(AbilityStep.ATTACK)

_ON_STRIKE: Final = (Decision.CLOSE_OR_WOUND, Decision.PUSH, Decision.GO_OR_WOUND)

# The questions that a routine can have open while its frame says where it goes on; of one with a single step, step 0.
_ASKED: Final[dict[tuple[Routine, int], tuple[Decision, ...]]] = {
    (Routine.GAME, Phase.DEAL): (Decision.SEAT,),
    (Routine.DEAL, 0): (Decision.KEEP,),
    (Routine.PURCHASE, 0): (Decision.BUY,),
    (Routine.PLACEMENT, 0): (Decision.PLACE,),
    (Routine.REVEAL, 0): (Decision.HIDE,),
    (Routine.TURN, 1): (Decision.MAIN,),
    (Routine.START, StartStep.VALHALLA): (Decision.VALHALLA,),
    (Routine.START, StartStep.CARDS): (Decision.HEAL_FIRST,),
    (Routine.STRIKE, StrikeStep.DEFENDER): (Decision.TARGET,),
    (Routine.STRIKE, StrikeStep.ROLL): (Decision.DEFENDER,),
    (Routine.STRIKE, StrikeStep.PICK_BLACK): (Decision.PICK_DIE,),
    (Routine.STRIKE, StrikeStep.EXPERIENCE): (Decision.PICK_DIE,),
    (Routine.STRIKE, StrikeStep.REROLL_WHITE): (Decision.REROLL,),
    (Routine.STRIKE, StrikeStep.REROLL_BLACK): (Decision.REROLL,),
    (Routine.STRIKE, StrikeStep.LAND): (Decision.WEAKEN,),
    (Routine.STRIKE, StrikeStep.ON_COUNTER): _ON_STRIKE,
    (Routine.STRIKE, StrikeStep.REACT): _ON_STRIKE,
    (Routine.STRIKE, StrikeStep.END): (Decision.AGAIN,),
    (Routine.ABILITY, AbilityStep.TARGET): (Decision.TOKENS,),
    (Routine.ABILITY, AbilityStep.ATTACK): (Decision.TARGET,),
    (Routine.ABILITY, AbilityStep.END): (Decision.AGAIN,),
}

# ASKED[routine, step]: the questions as bits.
ASKED: Final = np.zeros((len(Routine), MAX_STEPS), dtype=np.int64)
for (_routine, _step), _decisions in _ASKED.items():
    ASKED[_routine, _step] = sum(1 << decision for decision in _decisions)

# The routine above the game's in each phase, NONE if there is none.
ABOVE: Final = np.array(
    [NONE, Routine.DEAL, Routine.PURCHASE, Routine.PLACEMENT, Routine.REVEAL, Routine.TURN, NONE], dtype=np.int64
)


@rule
def columns_hold(s: State) -> bool:
    """Each column of each frame on the stack is in its range."""
    for i in range(s.depth):
        for column in range(FRAME_SIZE):
            if s.stack[i, column] < LEAST[column] or s.stack[i, column] > GREATEST[column]:
                return False
    return True


@rule
def stack_holds(s: State) -> bool:
    """Below the game, above it the phase; in a battle the turn, and above that its start or an action."""
    if not columns_hold(s):
        return False
    bottom = s.stack[0]
    if bottom[Frame.ROUTINE] != Routine.GAME or bottom[Frame.SEAT] != NONE:
        return False
    if bottom[Frame.STEP] != (s.phase if s.phase == Phase.BATTLE else s.phase + 1):
        return False
    if ABOVE[s.phase] == NONE:
        return s.depth == 1
    above = s.stack[1]
    if s.depth < 2 or above[Frame.ROUTINE] != ABOVE[s.phase] or above[Frame.SEAT] == NONE:
        return False
    if s.phase != Phase.BATTLE:
        return s.depth == 2 and above[Frame.STEP] == 0 and above[Frame.DONE] < SQUAD
    if above[Frame.SEAT] != turn_seat(s) or above[Frame.STEP] != 1 or s.depth > 3:
        return False
    return s.depth == 2 or (s.stack[2, Frame.SEAT] == turn_seat(s) and frame_holds(s))


@rule
def frame_holds(s: State) -> bool:
    """The frame of a start of a turn or of an action, on top of the turn's."""
    routine = get(s, Frame.ROUTINE)
    if routine == Routine.START:
        return get(s, Frame.STEP) <= StartStep.CARDS
    if routine != Routine.STRIKE and routine != Routine.ABILITY:
        return False
    actor = get(s, Frame.ACTOR)
    if owner(actor) != get(s, Frame.SEAT) or s.card[actor] == NONE:
        return False
    attack = ABILITIES[Part.ATTACK, s.card[actor], get(s, Frame.ACT)]
    if attack == Attack.NOTHING or (attack == Attack.SIMPLE) != (routine == Routine.STRIKE):
        return False
    for column in (Frame.TARGET, Frame.BEFORE):
        if get(s, column) != NONE and s.card[get(s, column)] == NONE:
            return False
    return target_holds(s, attack)


@rule
def target_holds(s: State, attack: int) -> bool:
    """There is a target once it has been asked for; only a spell has one of the own side. It lives until it is hit."""
    target = get(s, Frame.TARGET)
    strike = get(s, Frame.ROUTINE) == Routine.STRIKE
    if target == NONE:
        early = get(s, Frame.STEP) <= (ASKS_STRIKE if strike else ASKS_ABILITY)
        return early and get(s, Frame.COUNT) == 0
    if attack != Attack.SPELL and owner(target) == get(s, Frame.SEAT):
        return False
    before = strike and get(s, Frame.STEP) <= StrikeStep.LAND
    if before and (s.cell[target] == NONE or s.cell[get(s, Frame.ACTOR)] == NONE):
        return False
    waits = strike and s.decision != Decision.TARGET
    return waits or not strike


@rule
def seat_asked(s: State) -> int:
    """The seat that the open question has to be asked of, by the frame and the cards that it is about."""
    decision = s.decision
    if decision == Decision.SEAT:
        return int(s.roll_off[1] > s.roll_off[0])
    if decision == Decision.DEFENDER or decision == Decision.CLOSE_OR_WOUND or decision == Decision.GO_OR_WOUND:
        return owner(s.target)
    if decision >= Decision.REROLL and decision <= Decision.WEAKEN:
        return owner(s.actor)
    if decision == Decision.PUSH:
        return owner(s.actor)
    return get(s, Frame.SEAT)


@rule
def question_holds(s: State) -> bool:
    """The routine on top can ask this, of this seat, about these cards."""
    step = get(s, Frame.STEP)
    if step < 0 or step >= MAX_STEPS or ASKED[get(s, Frame.ROUTINE), step] >> s.decision & 1 == 0:
        return False
    if not about_holds(s):
        return False
    return s.seat == seat_asked(s) and s.seat >= 0 and s.seat < NUM_SEATS


@rule
def about_holds(s: State) -> bool:
    """The cards that the question is about are those of the frame."""
    decision = s.decision
    if decision == Decision.VALHALLA or decision == Decision.HEAL_FIRST or decision == Decision.HIDE:
        return s.actor != NONE and s.card[s.actor] != NONE and s.target == NONE and owner(s.actor) == get(s, Frame.SEAT)
    if decision < Decision.TARGET:
        return s.actor == NONE and s.target == NONE
    if s.actor == NONE:
        return False
    actor, target = get(s, Frame.ACTOR), get(s, Frame.TARGET)
    if decision == Decision.TARGET or decision == Decision.TOKENS:
        return s.actor == actor and s.target == target
    if decision == Decision.AGAIN:
        return s.actor == actor and s.target == NONE
    if target == NONE:
        return False
    if decision == Decision.DEFENDER:
        return s.actor == actor and s.target == target
    struck_lives = decision <= Decision.WEAKEN or s.cell[s.target] != NONE
    return struck_lives and ((s.actor == actor and s.target == target) or (s.actor == target and s.target == actor))
