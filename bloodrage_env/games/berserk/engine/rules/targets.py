"""What an action can be aimed at (rules 4.1, 5.2, 5.4, 5.6)."""

from .....core.compile.decorators import rule
from .. import hooks, keyword_hooks
from ..actions import CELL, DONE, FLYER
from ..board import ALL_CELLS, FAR, NEAR, OFF_BOARD, STEP, TWO_ON, UNLIMITED, WITHIN
from ..cards import ABILITIES, FLYERS, Part
from ..ids import NONE, NUM_CELLS, NUM_DIRECTIONS, NUM_SLOTS, Attack
from ..primitives import is_corporeal, most_tokens
from ..queries import enemy_flyers, flies, free, lives, of_all, of_enemies, owner, relative, seen, slot_of
from ..stack import get
from ..state import Frame, State


@rule
def across_targets(s: State, cell: int, own: int, enemy: int) -> int:
    """Enemies exactly two cells away in the row or column, with nothing or an own card between (rules 5.2)."""
    found = 0
    barred = of_all(s) & ~own | int(s.fires)
    for direction in range(NUM_DIRECTIONS):
        far = TWO_ON[direction, cell]
        if far != OFF_BOARD and enemy >> far & 1 == 1 and barred >> STEP[0, direction, cell] & 1 == 0:
            found |= 1 << far
    return found


@rule
def spell_targets(s: State) -> int:
    """Creatures of either side with a free cell next to them (rules 5.6)."""
    found = 0
    empty = free(s)
    everybody = of_all(s)
    for cell in range(NUM_CELLS):
        if everybody >> cell & 1 == 1 and NEAR[cell] & empty != 0:
            found |= 1 << cell
    return found


@rule
def heal_targets(s: State) -> int:
    """Creatures of either side that have wounds to heal (rules 12.4)."""
    found = 0
    for slot in range(NUM_SLOTS):
        if lives(s, slot) and s.wounds[slot] > 0 and is_corporeal(s, slot):
            found |= 1 << int(s.cell[slot])
    return found & ALL_CELLS


@rule
def in_range(s: State, slot: int, act: int) -> int:
    """The cells that an influence of a card reaches, its own too: all without a range, and from the additional zone
    (rules 7.15, 12.4, 12.12).
    """
    distance = int(ABILITIES[Part.RANGE, s.card[slot], act])
    if distance == UNLIMITED or flies(s, slot):
        return ALL_CELLS
    return int(WITHIN[min(FAR, distance), s.cell[slot]]) | 1 << int(s.cell[slot])


@rule
def targets(s: State, slot: int, act: int) -> int:
    """The cells that an action of a card on the board can be aimed at, as bits."""
    attack = ABILITIES[Part.ATTACK, s.card[slot], act]
    if attack >= Attack.TOKEN:
        return 0
    cell = int(s.cell[slot])
    own, enemy = int(s.standing[owner(slot)]), of_enemies(s, owner(slot))
    if attack == Attack.SIMPLE:
        found = (ALL_CELLS if flies(s, slot) else int(WITHIN[hooks.reach(s, slot), cell])) & enemy
        return hooks.closed_bits(s, found) if hooks.must_strike(s, slot) else found
    if attack == Attack.ACROSS:
        return across_targets(s, cell, own, enemy)
    if attack == Attack.SPELL:
        return spell_targets(s)
    if attack == Attack.HEAL:
        return heal_targets(s) & in_range(s, slot, act)
    if attack == Attack.WOUND:
        return of_all(s) & in_range(s, slot, act)
    if attack == Attack.BONFIRE:
        return free(s)
    if flies(s, slot):
        return ALL_CELLS & enemy
    if attack == Attack.SPECIAL or attack == Attack.MAGIC_STRIKE:
        return int(NEAR[cell]) & enemy
    return int(WITHIN[hooks.attack_range(s, slot, act), cell]) & ~int(NEAR[cell]) & enemy


@rule
def flyer_targets(s: State, slot: int, act: int) -> int:
    """The flyers that an action of a card can be aimed at, as bits by slot (rules 12.4, 12.11, 12.12)."""
    attack = ABILITIES[Part.ATTACK, s.card[slot], act]
    heals = attack == Attack.HEAL
    if not FLYERS or attack == Attack.ACROSS or (attack >= Attack.SPELL and not heals and attack != Attack.WOUND):
        return 0
    if attack >= Attack.SPELL:
        found = 0
        for other in range(NUM_SLOTS):
            if flies(s, other) and (not heals or (s.wounds[other] > 0 and is_corporeal(s, other))):
                found |= 1 << other
        return found
    if hooks.is_ranged(attack):
        return enemy_flyers(s, owner(slot))
    found = keyword_hooks.flyers_in_reach(s, slot)
    bound = attack == Attack.SIMPLE and hooks.must_strike(s, slot)
    return keyword_hooks.closed_flyers(s, found) if bound else found


@rule
def without_flyer(bits: int, slot: int) -> int:
    """Flyers, as bits by slot, without this one; `slot` may be NONE."""
    return bits & ~(1 << int(slot)) if FLYERS and slot != NONE else bits


@rule
def without(s: State, bits: int, slot: int) -> int:
    """A set of cells without that of a card; `slot` may be NONE."""
    return bits & (ALL_CELLS & ~(1 << int(s.cell[slot]))) if slot != NONE and s.cell[slot] != NONE else bits


@rule
def can_act(s: State, slot: int, act: int, before: int) -> bool:
    """Whether an action can be declared: its cost can be paid, and it has a target other than the card `before`, if it
    needs one (rules 1.8, 5.4).
    """
    card = s.card[slot]
    attack = ABILITIES[Part.ATTACK, card, act]
    if attack == Attack.NOTHING:
        return False
    if attack == Attack.TOKEN:
        return s.tokens[slot] < most_tokens(s, slot)
    if attack == Attack.DIRECTED:
        return s.directed[slot] == 0
    if s.tokens[slot] < ABILITIES[Part.COST, card, act] + ABILITIES[Part.ANY_COST, card, act]:
        return False
    if without(s, targets(s, slot, act), before) != 0:
        return True
    return without_flyer(flyer_targets(s, slot, act), before) != 0


@rule
def open_targets(s: State) -> int:
    """The cells that the action under way can be aimed at now: nothing that it has been aimed at before."""
    bits = targets(s, get(s, Frame.ACTOR), get(s, Frame.ACT))
    return without(s, without(s, bits, get(s, Frame.BEFORE)), get(s, Frame.TARGET))


@rule
def open_flyers(s: State) -> int:
    """The flyers that it can be aimed at now, as bits by slot."""
    bits = flyer_targets(s, get(s, Frame.ACTOR), get(s, Frame.ACT))
    return without_flyer(without_flyer(bits, get(s, Frame.BEFORE)), get(s, Frame.TARGET))


@rule
def has_target(s: State) -> bool:
    """Whether the action under way can be aimed at anything now."""
    return open_targets(s) != 0 or open_flyers(s) != 0


@rule
def offer(s: State, cells: int, flyers: int) -> None:
    """CELL[cell] of cells, FLYER[slot] of flyers; both as bits."""
    for cell in range(NUM_CELLS):
        if cells >> cell & 1 == 1:
            s.mask[CELL + seen(s, int(s.seat), cell)] = 1
    if FLYERS and flyers != 0:
        for slot in range(NUM_SLOTS):
            if flyers >> slot & 1 == 1:
                s.mask[FLYER + relative(int(s.seat), slot)] = 1


@rule
def chosen(s: State, seat: int, action: int) -> int:
    """The slot of the card that a CELL or a FLYER names; NONE if the cell is empty."""
    if FLYERS and action >= FLYER:
        return slot_of(seat, action - FLYER)
    return int(s.at[seen(s, seat, action - CELL)])


@rule
def mask_target(s: State) -> None:
    """CELL[cell] or FLYER[slot]; from the second target of an ability on also DONE (rules 5.5)."""
    offer(s, open_targets(s), open_flyers(s))
    s.mask[DONE] = get(s, Frame.COUNT) > 0
