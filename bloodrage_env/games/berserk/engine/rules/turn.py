"""A turn: its main part, moves, its end, and the end of the game (rules 3.3 to 3.8, 6.4, 6.5)."""

from enum import IntEnum

from .....core.compile.decorators import rule
from ...mode import TEAM
from .. import hooks
from ..actions import ACT, DONE, MOVE
from ..board import OFF_BOARD, STEP
from ..ids import NONE, NUM_ACTS, NUM_CELLS, NUM_DIRECTIONS, NUM_SLOTS, SQUAD, Act, Decision, Phase, Routine
from ..laar import plays
from ..primitives import put_out, step_to
from ..queries import is_open, of_team, owner, side, taken
from ..stack import ask, get, go_to, pop, push, push_action
from ..state import Frame, State
from .start import open_turn
from .targets import can_act


class Step(IntEnum):
    """The steps of a turn."""

    START = 0
    MAIN = 1


@rule
def turn(s: State) -> None:
    """The start; then the player goes on until it passes, or has no card (rules 10.18). After each action the victory
    check (rules 6.4).
    """
    seat = get(s, Frame.SEAT)
    if TEAM > 1 and get(s, Frame.STEP) == Step.START and s.standing[seat] == 0:
        open_turn(s, seat)  # it is passed over, and counters of the turn return to 0 (rules 10.18)
        end_turn(s)
    elif get(s, Frame.STEP) == Step.START:
        go_to(s, Step.MAIN)
        open_turn(s, seat)
        push(s, Routine.START, seat)
    elif of_team(s, 0) == 0 or of_team(s, 1) == 0:
        s.phase = Phase.OVER
        s.over = 1
    elif s.standing[seat] == 0 or not plays(s, seat):
        end_turn(s)
    else:
        ask(s, Decision.MAIN, seat, NONE, NONE)


@rule
def mask_main(s: State) -> None:
    """MOVE and ACT of own open cards; DONE: pass the turn, unless a card has to strike first (rules 3.3, 7.23)."""
    seat = int(s.seat)
    blocked = taken(s)
    s.mask[DONE] = 1
    for k in range(SQUAD):
        slot = seat * SQUAD + k
        if not is_open(s, slot):
            continue
        bound = hooks.must_strike(s, slot)
        if bound:
            s.mask[DONE] = 0
        elif s.moves[slot] > 0:
            mask_moves(s, slot, k, blocked)
        if hooks.may_act(s, slot):
            mask_acts(s, slot, k, bound)


@rule
def mask_moves(s: State, slot: int, k: int, blocked: int) -> None:
    """Step to free cells beside (rules 3.4)."""
    for direction in range(NUM_DIRECTIONS):
        cell = STEP[side(s, owner(slot)), direction, s.cell[slot]]
        s.mask[MOVE + k * NUM_DIRECTIONS + direction] = cell != OFF_BOARD and blocked >> cell & 1 == 0


@rule
def mask_acts(s: State, slot: int, k: int, bound: bool) -> None:
    """A simple strike, and abilities that can be declared; a bound card may only strike."""
    for act in range(1 if bound else NUM_ACTS):
        if can_act(s, slot, act, NONE):
            s.mask[ACT + k * NUM_ACTS + act] = 1


@rule
def apply_main(s: State, seat: int, action: int) -> None:
    """A step, an action, or the end of the turn."""
    if action == DONE:
        end_turn(s)
    elif action < ACT:
        slot = seat * SQUAD + (action - MOVE) // NUM_DIRECTIONS
        step_to(s, slot, STEP[side(s, seat), (action - MOVE) % NUM_DIRECTIONS, s.cell[slot]])
    else:
        begin_action(s, seat, action, NONE)


@rule
def begin_action(s: State, seat: int, action: int, before: int) -> None:
    """The action of an ACT; the card in slot `before` may not be attacked."""
    act = (action - ACT) % NUM_ACTS
    routine = Routine.STRIKE if act == Act.STRIKE else Routine.ABILITY
    push_action(s, routine, seat, seat * SQUAD + (action - ACT) // NUM_ACTS, act, before)


@rule
def end_turn(s: State) -> None:
    """What lasts until the end of the turn ends; so do bonfires of the other player, and the last turn (rules 3.8)."""
    s.bonus[:NUM_SLOTS] = 0
    if s.fires != 0:
        for cell in range(NUM_CELLS):
            if s.bonfire[cell] == s.turn:
                put_out(s, cell)
    if s.turn == s.max_turns:
        s.truncated = 1
        s.phase = Phase.OVER
        s.over = 1
    else:
        pop(s)
