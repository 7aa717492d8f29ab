"""What the stack of routines and the open question can be."""

from typing import Final

from ....core.compile.decorators import rule
from ....core.engine.frames import LAST_SEAT, Wait, frames_for
from .board import OFF_BOARD
from .cards import ABILITIES, Part
from .ids import NONE, SQUAD, Attack, Decision, Phase, Routine
from .queries import owner, partner_of, team_of, turn_seat
from .rules.ability import Step as AbilityStep
from .rules.on_strike import pushed_to
from .rules.start import Step as StartStep
from .rules.strike import Step as StrikeStep
from .rules.vanguard import Step as VanguardStep
from .stack import get
from .state import COMPILER, Frame, State

_ACTIONS: Final = (Routine.START, Routine.STRIKE, Routine.ABILITY)
_ON_STRIKE: Final = (Decision.CLOSE_OR_WOUND, Decision.PUSH, Decision.GO_OR_WOUND)

# Where a routine can wait, and what for; those with a single step at step 0.
WAITS: Final = (
    Wait(Routine.GAME, Phase.DEAL, (Decision.SEAT,)),
    Wait(Routine.GAME, Phase.PURCHASE, calls=(Routine.DEAL,)),
    Wait(Routine.GAME, Phase.PLACEMENT, calls=(Routine.PURCHASE,)),
    Wait(Routine.GAME, Phase.REVEAL, calls=(Routine.PLACEMENT,)),
    Wait(Routine.GAME, Phase.BATTLE, calls=(Routine.REVEAL, Routine.TURN, Routine.VANGUARD)),
    Wait(Routine.DEAL, 0, (Decision.KEEP,)),
    Wait(Routine.PURCHASE, 0, (Decision.BUY,)),
    Wait(Routine.PLACEMENT, 0, (Decision.PLACE,)),
    Wait(Routine.REVEAL, 0, (Decision.HIDE,)),
    Wait(Routine.TURN, 1, (Decision.MAIN,), _ACTIONS),
    Wait(Routine.VANGUARD, VanguardStep.ASK, (Decision.VANGUARD,)),
    Wait(Routine.VANGUARD, VanguardStep.NEXT, calls=(Routine.STRIKE,)),
    Wait(Routine.START, StartStep.VALHALLA, (Decision.VALHALLA,)),
    Wait(Routine.START, StartStep.CARDS, (Decision.HEAL_FIRST,)),
    Wait(Routine.STRIKE, StrikeStep.DEFENDER, (Decision.TARGET,)),
    Wait(Routine.STRIKE, StrikeStep.ROLL, (Decision.DEFENDER,)),
    Wait(Routine.STRIKE, (StrikeStep.PICK_BLACK, StrikeStep.EXPERIENCE), (Decision.PICK_DIE,)),
    Wait(Routine.STRIKE, (StrikeStep.REROLL_WHITE, StrikeStep.REROLL_BLACK), (Decision.REROLL,)),
    Wait(Routine.STRIKE, StrikeStep.LAND, (Decision.WEAKEN,)),
    Wait(Routine.STRIKE, (StrikeStep.ON_COUNTER, StrikeStep.REACT), _ON_STRIKE),
    Wait(Routine.STRIKE, StrikeStep.END, (Decision.AGAIN,)),
    Wait(Routine.ABILITY, AbilityStep.TARGET, (Decision.TOKENS,)),
    Wait(Routine.ABILITY, AbilityStep.ATTACK, (Decision.TARGET,)),
    Wait(Routine.ABILITY, AbilityStep.REROLL, (Decision.REROLL,)),
    Wait(Routine.ABILITY, AbilityStep.END, (Decision.AGAIN,)),
)

# Columns whose range is narrower in a frame of a routine.
_OF_A_SEAT: Final = {Frame.SEAT: (0, LAST_SEAT)}
_BEFORE_BATTLE: Final = _OF_A_SEAT | {Frame.DONE: (0, SQUAD - 1)}
LIMITS: Final = (
    {Routine.GAME: {Frame.SEAT: (NONE, NONE)}}
    | dict.fromkeys((Routine.DEAL, Routine.PURCHASE, Routine.PLACEMENT, Routine.REVEAL), _BEFORE_BATTLE)
    | dict.fromkeys((Routine.TURN, Routine.VANGUARD, *_ACTIONS), _OF_A_SEAT)
)
stack_fits, question_fits = frames_for(COMPILER, Frame, WAITS, LIMITS)

# The steps at which the target is asked for.
ASKS_STRIKE: Final = int(StrikeStep.DEFENDER)
ASKS_ABILITY: Final = int(AbilityStep.ATTACK)


@rule
def stack_holds(s: State) -> bool:
    """Below the game, above it the phase; in a battle the turn, and above that its start or an action."""
    if not stack_fits(s):
        return False
    bottom = s.stack[0]
    if bottom[Frame.ROUTINE] != Routine.GAME:
        return False
    if bottom[Frame.STEP] != (s.phase if s.phase == Phase.BATTLE else s.phase + 1):
        return False
    if s.phase == Phase.ROLL_OFF:
        return s.depth == 1
    if s.phase != Phase.BATTLE:
        return s.depth == 2 and s.stack[1, Frame.ROUTINE] != Routine.TURN
    if s.depth < 2 or s.stack[1, Frame.ROUTINE] != (Routine.TURN if s.turn > 0 else Routine.VANGUARD):
        return False
    seat = s.stack[1, Frame.SEAT]
    if s.turn > 0 and seat != turn_seat(s):
        return False
    return s.depth == 2 or (s.stack[2, Frame.SEAT] == seat and frame_holds(s))


@rule
def frame_holds(s: State) -> bool:
    """The frame of a start of a turn or of an action, on top of the turn's."""
    routine = get(s, Frame.ROUTINE)
    if routine == Routine.START:
        return True
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
    """There is a target once it has been asked for; spells and healing may have one of the own side. It lives until it
    is hit.
    """
    target = get(s, Frame.TARGET)
    strike = get(s, Frame.ROUTINE) == Routine.STRIKE
    if target == NONE:
        early = get(s, Frame.STEP) <= (ASKS_STRIKE if strike else ASKS_ABILITY)
        return early and get(s, Frame.COUNT) == 0
    anybody = attack == Attack.SPELL or attack == Attack.HEAL or attack == Attack.WOUND
    if not anybody and team_of(owner(target)) == team_of(get(s, Frame.SEAT)):
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
    if decision == Decision.DEFENDER and get(s, Frame.DONE) > 0:
        return partner_of(owner(s.target))
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
    return question_fits(s) and about_holds(s) and s.seat == seat_asked(s)


@rule
def about_holds(s: State) -> bool:
    """The cards that the question is about are those of the frame."""
    decision = s.decision
    if decision == Decision.VALHALLA or decision == Decision.HEAL_FIRST or decision == Decision.HIDE:
        return s.actor != NONE and s.card[s.actor] != NONE and s.target == NONE and owner(s.actor) == get(s, Frame.SEAT)
    if decision < Decision.TARGET or decision == Decision.VANGUARD:
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
    if not (s.actor == actor and s.target == target) and not (s.actor == target and s.target == actor):
        return False
    if decision > Decision.WEAKEN and s.cell[s.target] == NONE:
        return False
    return decision != Decision.GO_OR_WOUND or pushed_to(s, int(s.actor), int(s.target)) != OFF_BOARD
