"""What has changed a card where no answer names it: effects of the start of a turn, of a text, of a reaction."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from ....core.compile.decorators import Ints
from .. import engine
from ..engine import Decision, Direction, Effect, Frame, Routine, StartStep
from .words import card_name, is_turned

# Questions about the wounds by a text: the card that has it is the actor.
BY_TEXT: Final = (Decision.CLOSE_OR_WOUND, Decision.PUSH, Decision.GO_OR_WOUND)


def by(found: Sequence[str]) -> str:
    """Return the end of a sentence with what was found."""
    return f" by {' and '.join(found)}" if found else ""


def _routine(last: np.record) -> tuple[int, Ints]:
    frame = last.stack[int(last.depth) - 1]
    return int(frame[Frame.ROUTINE]), frame


def wounded_by(last: np.record, slot: int, answered: bool) -> list[str]:
    """Return what wounds a card, or kills it, in a piece that begins with this state, [] for what was declared."""
    routine, frame = _routine(last)
    if answered and last.decision in BY_TEXT:
        return [card_name(last, int(last.actor))]
    if routine == Routine.ABILITY and slot == frame[Frame.ACTOR] and frame[Frame.TARGET] != engine.NONE:
        return [card_name(last, int(frame[Frame.TARGET]))]  # a reaction
    if routine != Routine.START:
        return []
    seat, found = int(frame[Frame.SEAT]), []
    for other in range(seat * engine.SQUAD, (seat + 1) * engine.SQUAD):
        if last.cell[other] == engine.NONE or last.face_down[other] or frame[Frame.STEP] > StartStep.FIRE:
            continue
        fires = engine.EFFECTS[Effect.FIRE_AHEAD, last.card[other]] and _ahead(last, other, seat) == last.cell[slot]
        if fires or (engine.LAAR and engine.EFFECTS[Effect.STORM, last.card[other]]):
            found.append(card_name(last, other))
    return found + ["poison"] * bool(slot // engine.SQUAD == seat and last.poison[slot])


def _ahead(last: np.record, slot: int, seat: int) -> int:
    return int(engine.STEP[int(is_turned(last, seat)), Direction.FORWARD, last.cell[slot]])


def healed_by(last: np.record, slot: int) -> list[str]:
    """Return what heals a card in a piece that begins with this state, [] for what was declared."""
    routine, frame = _routine(last)
    if routine == Routine.START:
        return ["regeneration"]
    if routine == Routine.TURN:
        return ["opening"]
    if engine.LAAR and routine == Routine.STRIKE:
        fighters = [int(frame[column]) for column in (Frame.ACTOR, Frame.TARGET)]
        return [card_name(last, each) for each in fighters if engine.EFFECTS[Effect.HEAL_ALLIES, last.card[each]]]
    return []


def gained_by(last: np.record, answered: bool) -> list[str]:
    """Return what gives a card tokens or strength in a piece that begins with this state, [] for what was declared."""
    if answered and last.decision == Decision.VALHALLA:
        return [card_name(last, int(last.actor))]
    routine, _ = _routine(last)
    return {int(Routine.START): ["formation"], int(Routine.TURN): ["opening"]}.get(routine, [])
