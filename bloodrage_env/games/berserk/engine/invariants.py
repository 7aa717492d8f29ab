"""What always holds, between any two decisions. `broken` names the first invariant that does not.

`check_state` is for records that come from elsewhere: what keeps these invariants, and has each number in its range
(`state.py`), stays within the record whatever is played.
"""

from enum import IntEnum
from typing import Final

import numpy as np

from ....core.compile.decorators import rule
from ....core.engine.checked_play import state_checks_for
from ..mode import TEAM
from .card_ids import ANGEL, DEMON, NUM_CARDS
from .cards import LIFE, MARKS, MOVEMENT, NUM_ROWS
from .checks import check_game
from .flow import FLOW
from .frames import question_holds, stack_holds
from .hooks import is_shown, most_copies, starts_battle
from .ids import (
    LAAR,
    MAX_COPIES,
    MAX_DECK,
    MIN_DECK,
    NONE,
    NUM_CELLS,
    NUM_SEATS,
    NUM_SLOTS,
    SQUAD,
    Dice,
    Element,
    Phase,
    Setup,
)
from .information import has_placed
from .keyword_hooks import VANGUARD, is_flyer, may_fly
from .laar import recruits
from .primitives import most_tokens
from .queries import flies, number_of, of_all, owner, turn_seat
from .rules.purchase import is_affordable
from .rules.reveal import HAS_MOUNTAIN, HAS_STEPPE, TOLD, has_element, may_stay_down
from .rules.setup import is_tied, roll_off_winner
from .stack import get
from .state import COMPILER, GROUPS, Frame, State


class Invariant(IntEnum):
    """What always holds between two decisions; NONE where nothing is broken."""

    NONE = 0
    QUESTION = 1  # a game that goes on has a question that its stack asks, with the legal answers of the rules
    STACK = 2  # the stack holds the game, its phase and what these call (frames.py)
    CLOCK = 3  # turns are counted in a battle alone, and First is settled after the roll-off
    DECKS = 4  # decks, deals and squads contain each other, and a squad can be paid for
    PLACES = 5  # each card in play stands in one cell, flies or is dead, and cells and bonfires agree with that
    SQUADS = 6  # what stands and has died is the squad, once it is placed
    CARDS = 7  # what lies on a card can lie there; nothing on the dead
    FACE_DOWN = 8  # only untouched cards of Second's third row, before its first turn
    GAINS = 9  # start-of-battle effects have told what the squad has
    DICE = 10  # a die that was rolled since the last answer lies open


@rule
def clock_holds(s: State) -> bool:
    """Invariant.CLOCK"""
    if (s.first == NONE) != (s.phase == Phase.ROLL_OFF and s.setup == Setup.FULL):
        return False
    if s.phase < Phase.BATTLE and s.turn != 0:
        return False
    if s.phase == Phase.BATTLE and (s.turn < (0 if VANGUARD else 1) or s.turn > s.max_turns):
        return False
    if (TEAM > 1 or LAAR) and s.first != roll_off_winner(s):
        return False
    return not is_tied(s) and (s.setup == Setup.FULL or s.phase >= Phase.BATTLE)


@rule
def has_bought(s: State, seat: int) -> bool:
    """Whether a seat has a squad, or is buying it: First buys before Second."""
    if s.phase == Phase.PURCHASE:
        return recruits(s, seat) and number_of(s, seat) <= number_of(s, get(s, Frame.SEAT))
    return s.phase > Phase.PURCHASE


@rule
def decks_hold(s: State, seat: int) -> bool:
    """Invariant.DECKS"""
    deck = deal = 0
    for card in range(NUM_CARDS):
        deck += int(s.deck[seat, card])
        deal += int(s.deal[seat, card])
        if s.squad[seat, card] > s.deal[seat, card]:
            return False
        if s.setup == Setup.FULL and (s.deal[seat, card] > s.deck[seat, card] or s.deck[seat, card] > MAX_COPIES):
            return False
        if s.setup == Setup.FULL and s.squad[seat, card] > most_copies(card):
            return False
    dealt = s.phase > Phase.ROLL_OFF and recruits(s, seat)
    if deck < MIN_DECK or deck > MAX_DECK or deal != (s.deal_size[seat] if dealt else 0):
        return False
    if not has_bought(s, seat) and s.squad[seat].sum() > 0:
        return False
    return s.setup == Setup.FIXED or s.phase == Phase.ROLL_OFF or is_affordable(s, seat)


@rule
def places_hold(s: State) -> bool:
    """Invariant.PLACES"""
    standing = np.zeros(NUM_SEATS, np.int64)
    deaths = 0
    for slot in range(NUM_SLOTS):
        deaths += s.died[slot] > 0
        cell = int(s.cell[slot])
        if s.card[slot] == NONE:
            if cell != NONE or s.died[slot] > 0:
                return False
        elif (cell == NONE) != (s.died[slot] > 0) or (cell == NONE) != (s.fell_at[slot] != NONE):
            return False
        if cell != NONE:
            if flies(s, slot) != is_flyer(s.card[slot]) and not may_fly(s, slot):
                return False
            if not flies(s, slot) and s.at[cell] != slot:
                return False
            standing[owner(slot)] |= 1 << cell
    for seat in range(NUM_SEATS):
        if standing[seat] != s.standing[seat]:
            return False
    for slot in range(NUM_SLOTS):
        for other in range(slot):
            if s.died[slot] > 0 and s.died[slot] == s.died[other]:
                return False
        if s.died[slot] > deaths:
            return False
    return fires_hold(s)


@rule
def fires_hold(s: State) -> bool:
    """The cells without a card, and bonfires."""
    for cell in range(NUM_CELLS):
        stands = of_all(s) >> cell & 1
        if (s.at[cell] != NONE) != (stands == 1) or (s.bonfire[cell] > 0) != (s.fires >> cell & 1 == 1):
            return False
        left = int(s.bonfire[cell]) - int(s.turn)
        if s.bonfire[cell] > 0 and (stands == 1 or left < 0 or left >= NUM_SEATS):
            return False
    return True


@rule
def squad_holds(s: State, seat: int) -> bool:
    """Invariant.SQUADS"""
    left = np.zeros(NUM_ROWS, np.int64)
    for card in range(NUM_CARDS):
        left[card] = s.squad[seat, card]
    if LAAR and s.phase >= Phase.BATTLE:
        left[ANGEL if recruits(s, seat) else DEMON] = 1
    placing = s.phase == Phase.PLACEMENT and not has_placed(s, seat)
    last, highest = False, NONE
    for slot in range(seat * SQUAD, seat * SQUAD + SQUAD):
        card = s.card[slot]
        if card == NONE:
            last = True
        elif last or (placing and card < highest):
            return False  # slots are filled from the first on; while it places, in rising order of cards
        else:
            left[card] -= 1
            highest = card
    for card in range(NUM_ROWS):
        awaited = placing and (card >= highest or is_flyer(card))
        if left[card] < 0 or (left[card] > 0 and s.phase > Phase.PURCHASE and not awaited):
            return False
    return s.phase >= Phase.PLACEMENT or s.card[seat * SQUAD] == NONE


@rule
def marks_on(s: State, slot: int) -> int:
    """How many marks lie on a card (rules 12.22)."""
    if MARKS:
        return int(s.vulnerable[slot]) + int(s.no_shot_protection[slot]) + int(s.no_poison_protection[slot])
    return 0


@rule
def card_holds(s: State, slot: int) -> bool:
    """Invariant.CARDS"""
    if s.cell[slot] == NONE:
        lying = s.wounds[slot] + s.closed[slot] + s.face_down[slot] + s.moves[slot] + s.absorbed[slot]
        lying += s.poison[slot] + s.tokens[slot] + s.stunned[slot] + s.directed[slot] + s.extra_movement[slot]
        lying += s.extra_armour[slot] + s.entered[slot] + s.stepped[slot] + s.strikes[slot] + s.bonus[slot]
        lying += marks_on(s, slot)
        return lying == 0 and (s.died[slot] > 0 or s.by_enemy[slot] == 0)
    if s.wounds[slot] >= LIFE[s.card[slot]] or s.tokens[slot] > most_tokens(s, slot) or s.by_enemy[slot] == 1:
        return False
    if s.moves[slot] > MOVEMENT[s.card[slot]] + s.extra_movement[slot]:
        return False
    mine = s.phase >= Phase.BATTLE and (s.turn == 0 or turn_seat(s) == owner(slot))
    return mine or (s.strikes[slot] == 0 and s.bonus[slot] == 0)


@rule
def face_down_holds(s: State, slot: int) -> bool:
    """Invariant.FACE_DOWN"""
    if s.face_down[slot] == 0:
        return s.phase != Phase.PLACEMENT or s.card[slot] == NONE or flies(s, slot)
    if flies(s, slot):
        return False
    if s.phase != Phase.PLACEMENT:
        if s.phase < Phase.REVEAL or not may_stay_down(s, slot) or s.turn > number_of(s, owner(slot)):
            return False
    touched = s.wounds[slot] + s.closed[slot] + s.poison[slot] + s.tokens[slot] + s.entered[slot] + s.stepped[slot]
    touched += s.extra_movement[slot] + s.extra_armour[slot] + s.directed[slot] + s.absorbed[slot] + marks_on(s, slot)
    full = MOVEMENT[s.card[slot]] if s.phase >= Phase.BATTLE else 0
    return touched == 0 and s.moves[slot] == full and not (s.phase >= Phase.BATTLE and is_shown(s.card[slot]))


@rule
def gains_hold(s: State, seat: int) -> bool:
    """Invariant.GAINS"""
    told = False
    for card in range(NUM_CARDS):
        if s.phase >= Phase.BATTLE and s.squad[seat, card] > 0 and starts_battle(card):
            told = True
    if not told:
        return s.gains[seat] == 0 and not gained(s, seat)
    wanted = TOLD
    if has_element(s, seat, Element.STEPPE):
        wanted |= HAS_STEPPE
    if has_element(s, seat, Element.MOUNTAIN):
        wanted |= HAS_MOUNTAIN
    return s.gains[seat] == wanted


@rule
def gained(s: State, seat: int) -> bool:
    """Whether any card of the seat has more movement or armour than is printed."""
    for slot in range(seat * SQUAD, seat * SQUAD + SQUAD):
        if s.extra_movement[slot] + s.extra_armour[slot] > 0:
            return True
    return False


@rule
def dice_hold(s: State) -> bool:
    """Invariant.DICE"""
    for i in range(2):
        if (s.rolled >> (Dice.WHITE + i) & 1 == 1 and s.white[i] == 0) or (
            s.rolled >> (Dice.BLACK + i) & 1 == 1 and s.black[i] == 0
        ):
            return False
    return (s.rolled >> Dice.BLOCK & 1 == 0 or s.block > 0) and (s.rolled >> Dice.STRENGTH & 1 == 0 or s.die > 0)


@rule
def broken(s: State) -> int:
    """The first invariant that does not hold, but for Invariant.QUESTION, or Invariant.NONE."""
    if not clock_holds(s):
        return Invariant.CLOCK
    if not places_hold(s):
        return Invariant.PLACES
    if s.over == 0 and not stack_holds(s):
        return Invariant.STACK
    for seat in range(NUM_SEATS):
        if not decks_hold(s, seat):
            return Invariant.DECKS
        if not squad_holds(s, seat):
            return Invariant.SQUADS
        if not gains_hold(s, seat):
            return Invariant.GAINS
    for slot in range(NUM_SLOTS):
        if not card_holds(s, slot):
            return Invariant.CARDS
        if not face_down_holds(s, slot):
            return Invariant.FACE_DOWN
    if not dice_hold(s):
        return Invariant.DICE
    return Invariant.NONE


CHECKED: Final = state_checks_for(COMPILER, FLOW, check_game, GROUPS, broken, question_holds, Invariant)
broken_invariant, check_state, play_checked = CHECKED
