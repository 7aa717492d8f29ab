"""The functions that write cards, wounds and cells in a battle. What a card's text adds to them is in `hooks.py`."""

import numpy as np

from ....core.compile.decorators import rule
from ....core.compile.local_arrays import local_zeros
from ....core.engine.chance import NUM_WORDS, below
from .board import AIR
from .cards import EFFECTS, FLYERS, LIFE, MARKS, MOVEMENT, Effect
from .formation import cure
from .ids import DIE, MAX_TOKENS, NONE, NUM_SLOTS, Dice
from .queries import flyers_of, owner
from .state import State


@rule
def roll(s: State) -> int:
    """A die from the generator of the game (rules 9.5)."""
    words = local_zeros(NUM_WORDS, np.int64)
    for i in range(len(words)):
        words[i] = s.chance[i]
    result = below(words, DIE) + 1
    for i in range(len(words)):
        s.chance[i] = words[i]
    return result


@rule
def roll_white(s: State, i: int) -> None:
    """A white die is rolled, the first or the second one."""
    s.white[i] = roll(s)
    s.rolled |= 1 << (Dice.WHITE + i)


@rule
def roll_black(s: State, i: int) -> None:
    """A black die is rolled, the first or the second one."""
    s.black[i] = roll(s)
    s.rolled |= 1 << (Dice.BLACK + i)


@rule
def roll_block(s: State) -> None:
    """The die of a card that blocks is rolled."""
    s.block = roll(s)
    s.rolled |= 1 << Dice.BLOCK


@rule
def roll_strength(s: State) -> None:
    """The die of an ability is rolled."""
    s.die = roll(s)
    s.rolled |= 1 << Dice.STRENGTH


@rule
def clear_dice(s: State) -> None:
    """No dice lie open any more."""
    s.white[:] = 0
    s.black[:] = 0
    s.block = 0
    s.die = 0


@rule
def dice_lie_open(s: State) -> bool:
    """Whether any dice lie open."""
    return s.white[0] > 0 or s.black[0] > 0 or s.block > 0 or s.die > 0


# ---- cells


@rule
def lift(s: State, slot: int) -> None:
    """Take a card off its cell, or out of the additional zone."""
    cell = int(s.cell[slot])
    s.cell[slot] = NONE
    if FLYERS and cell == AIR:
        if flyers_of(s, owner(slot)) == 0:
            s.standing[owner(slot)] &= ~(1 << AIR)
        return
    s.at[cell] = NONE
    s.standing[owner(slot)] &= ~(1 << cell)


@rule
def lay(s: State, slot: int, cell: int) -> None:
    """Put a card on a free cell, or into the additional zone."""
    if not FLYERS or cell != AIR:
        s.at[cell] = slot
    s.standing[owner(slot)] |= 1 << cell
    s.cell[slot] = cell


@rule
def enter(s: State, slot: int, cell: int) -> None:
    """A card goes to a free cell, by a step or a push (rules 3.4, 3.7, 7.20)."""
    lift(s, slot)
    lay(s, slot, cell)
    s.entered[slot] += 1
    cure(s)


@rule
def step_to(s: State, slot: int, cell: int) -> None:
    """A step of a card's own, for a unit of movement (rules 3.4)."""
    enter(s, slot, cell)
    s.moves[slot] -= 1
    s.stepped[slot] = 1


@rule
def light(s: State, cell: int, last_turn: int) -> None:
    """A bonfire burns to the end of `last_turn` (rules 7.26)."""
    s.bonfire[cell] = last_turn
    s.fires |= 1 << cell


@rule
def put_out(s: State, cell: int) -> None:
    """A bonfire ends."""
    s.bonfire[cell] = 0
    s.fires &= ~(1 << cell)


# ---- cards


@rule
def bear(s: State, slot: int, card: int) -> None:
    """A card comes into play, upright and face up, nothing on it, not yet on the board."""
    empty(s, slot)
    s.card[slot] = card
    s.cell[slot] = NONE
    s.fell_at[slot] = NONE
    s.died[slot] = 0
    s.by_enemy[slot] = 0


@rule
def empty(s: State, slot: int) -> None:
    """Nothing lies on a card any more, and it has gained nothing."""
    s.wounds[slot] = 0
    s.closed[slot] = 0
    s.face_down[slot] = 0
    s.moves[slot] = 0
    s.absorbed[slot] = 0
    s.poison[slot] = 0
    s.tokens[slot] = 0
    s.stunned[slot] = 0
    s.directed[slot] = 0
    s.extra_movement[slot] = 0
    s.extra_armour[slot] = 0
    s.entered[slot] = 0
    s.stepped[slot] = 0
    s.strikes[slot] = 0
    s.bonus[slot] = 0
    if MARKS:
        s.vulnerable[slot] = 0
        s.no_shot_protection[slot] = 0
        s.no_poison_protection[slot] = 0


@rule
def refresh_moves(s: State, slot: int) -> None:
    """All units of movement come back (rules 3.4)."""
    s.moves[slot] = MOVEMENT[s.card[slot]] + s.extra_movement[slot]


@rule
def turn_up(s: State, slot: int) -> None:
    """A face-down card is turned up (rules 2.7)."""
    s.face_down[slot] = 0
    cure(s)


@rule
def most_tokens(s: State, slot: int) -> int:
    """How many tokens a card can hold (rules 7.19)."""
    printed = EFFECTS[Effect.MAX_TOKENS, s.card[slot]]
    return int(printed) if printed > 0 else MAX_TOKENS


@rule
def gain_tokens(s: State, slot: int, count: int) -> None:
    """Tokens are gained, as far as there is room."""
    s.tokens[slot] = min(most_tokens(s, slot), int(s.tokens[slot]) + count)


@rule
def lose_tokens(s: State, slot: int, count: int) -> None:
    """Tokens are spent or lost, as far as there are any."""
    s.tokens[slot] = max(0, int(s.tokens[slot]) - count)


# ---- wounds and death (rules 6)


@rule
def add_wounds(s: State, slot: int, count: int) -> None:
    """Wounds add up, as far as they count (rules 6.1); deaths are looked at by `bury`."""
    s.wounds[slot] = min(int(LIFE[s.card[slot]]), int(s.wounds[slot]) + count)


@rule
def heal(s: State, slot: int, count: int) -> None:
    """Wounds are removed, not below 0, and none of an incorporeal card (rules 6.2, 12.4)."""
    if is_corporeal(s, slot):
        s.wounds[slot] = max(0, int(s.wounds[slot]) - count)


@rule
def is_corporeal(s: State, slot: int) -> bool:
    """Whether a card can be healed (rules 12.4)."""
    return s.face_down[slot] == 1 or EFFECTS[Effect.INCORPOREAL, s.card[slot]] == 0


@rule
def bury(s: State, slot: int, by_enemy: bool) -> None:
    """A card with as many wounds as it has life dies, and loses everything on it (rules 6.1, 6.3)."""
    if s.cell[slot] == NONE or s.wounds[slot] < LIFE[s.card[slot]]:
        return
    s.fell_at[slot] = s.cell[slot]
    lift(s, slot)
    deaths = 0
    for other in range(NUM_SLOTS):
        deaths += s.died[other] > 0
    empty(s, slot)
    s.died[slot] = deaths + 1
    s.by_enemy[slot] = by_enemy
    if FLYERS and s.fell_at[slot] == AIR:
        take_wing(s)


@rule
def take_wing(s: State) -> None:
    """Cards that are flyers from the death of a flyer on leave the board (rules 12.17)."""
    for slot in range(NUM_SLOTS):
        cell = s.cell[slot]
        if cell != NONE and cell != AIR and s.face_down[slot] == 0 and EFFECTS[Effect.TAKES_WING, s.card[slot]] == 1:
            lift(s, slot)
            lay(s, slot, AIR)


@rule
def wound(s: State, slot: int, count: int, by_enemy: bool) -> None:
    """Wounds outright: no armour, no protection (rules 5.6)."""
    add_wounds(s, slot, count)
    bury(s, slot, by_enemy)
