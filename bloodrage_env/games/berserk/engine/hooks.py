"""Every place where a card may bend a rule, once, in the order in which a game meets them. Chapters name no card.

What a card's text says as a number is a column of `EFFECTS`; a face-down card has no text (rules 2.7).
"""

import numpy as np
import numpy.typing as npt

from ....core.compile.decorators import rule
from ..mode import TEAM
from .board import COLUMN_OF, DIAGONAL, DISTANCE, FAR, FIRST_ROW, IN_COLUMN, NEAR, OFF_BOARD, STEP, UNLIMITED, WITHIN
from .cards import ABILITIES, EFFECTS, ELEMENT, PROTECTED, UNIQUE, WOUNDED, Effect, Part
from .formation import ANY_RANK, by_formation, partners, resists_poison
from .ids import NONE, NUM_CELLS, SQUAD, STRONG, WEAK, Attack, Direction, Element
from .keyword_hooks import (
    closed_flyers,
    flyers_in_reach,
    has_lost_shot_protection,
    is_kept_off,
    is_unanswered,
    text,
)
from .primitives import wound
from .queries import (
    are_enemies,
    flies,
    free,
    is_open,
    lives,
    of_enemies,
    opponent,
    owner,
    part_of,
    place_of,
    side,
    size,
    team_of,
    turn_seat,
    works,
)
from .state import State

COMMON, ELITE_RANK = 0, 1  # the column `elite` of the cards

# TRAINED[card]: whether a card's own text can give it armour or experience; it is quick to ask.
_TRAINING = [
    Effect.ARMOUR, Effect.MOUNTAIN_ARMOUR, Effect.FORMATION_ARMOUR, Effect.ELITE_ARMOUR,
    Effect.ATTACK_EXPERIENCE, Effect.OUTNUMBERING,
    Effect.DEFENCE_EXPERIENCE, Effect.FORMATION_DEFENCE, Effect.COMMON_DEFENCE,
]  # fmt: skip
TRAINED: npt.NDArray[np.bool_] = np.any(EFFECTS[_TRAINING], axis=0)


# ---- recruiting and reveal (rules 2)


@rule
def more_gold(card: int) -> int:
    """Gold that a card of the squad adds to its owner's crystals (rules 2.4)."""
    return int(EFFECTS[Effect.GOLD, card])


@rule
def most_copies(card: int) -> int:
    """How many of a name a squad may have (rules 2.4)."""
    return 1 if UNIQUE[card] == 1 else SQUAD


@rule
def starts_battle(card: int) -> bool:
    """Whether the card has a start-of-battle ability (rules 2.8)."""
    return steppe_movement(card) > 0 or mountain_armour(card) > 0


@rule
def is_shown(card: int) -> bool:
    """Whether the card can't stay face down (rules 2.6, 12.2)."""
    return starts_battle(card) or EFFECTS[Effect.VANGUARD, card] == 1


@rule
def steppe_movement(card: int) -> int:
    """Movement gained for the battle, with a steppe creature in the squad (rules 2.8)."""
    return int(EFFECTS[Effect.STEPPE_MOVEMENT, card])


@rule
def mountain_armour(card: int) -> int:
    """Armour gained for the battle, with a mountain creature in the squad (rules 2.8)."""
    return int(EFFECTS[Effect.MOUNTAIN_ARMOUR, card])


# ---- the main part of a turn (rules 3.3 to 3.6)


@rule
def closed_bits(s: State, bits: int) -> int:
    """Of a set of cells with cards those with a closed one."""
    found = 0
    for cell in range(NUM_CELLS):
        if bits >> cell & 1 == 1 and s.closed[s.at[cell]] == 1:
            found |= 1 << cell
    return found


@rule
def reach(s: State, slot: int) -> int:
    """How far a simple strike of the card goes (rules 4.1)."""
    return max(1, by_formation(s, slot, Effect.FORMATION_REACH))


@rule
def must_strike(s: State, slot: int) -> bool:
    """Whether the card has to strike a closed enemy before its owner may do all else (rules 7.23)."""
    if text(s, slot, Effect.MUST_STRIKE) == 0 or not is_open(s, slot):
        return False
    closed = closed_bits(s, int(WITHIN[reach(s, slot), s.cell[slot]]) & of_enemies(s, owner(slot)))
    return closed != 0 or closed_flyers(s, flyers_in_reach(s, slot)) != 0


@rule
def may_act(s: State, slot: int) -> bool:
    """Whether an open card may take an action: one with a second strike at once has no other (rules 7.22)."""
    return is_open(s, slot) and (text(s, slot, Effect.SECOND_STRIKE) == 0 or s.strikes[slot] == 0)


@rule
def stays_open(s: State, slot: int) -> bool:
    """Whether the strike just made doesn't close the card (rules 7.21, 7.22, 12.2)."""
    if is_unanswered(s):
        return True
    twice = text(s, slot, Effect.TWO_STRIKES) == 1 or text(s, slot, Effect.SECOND_STRIKE) == 1
    return twice and s.strikes[slot] == 1


@rule
def strikes_again(s: State, slot: int) -> bool:
    """Whether a second strike may follow at once (rules 7.22)."""
    return text(s, slot, Effect.SECOND_STRIKE) == 1 and s.strikes[slot] == 1 and is_open(s, slot)


@rule
def attack_range(s: State, slot: int, act: int) -> int:
    """How far a ranged attack goes (rules 5.2, 7.15)."""
    card = s.card[slot]
    printed = int(ABILITIES[Part.RANGE, card, act])
    if printed == UNLIMITED:
        return FAR
    more = int(ABILITIES[Part.RANGE_PER_CELL, card, act]) * int(s.entered[slot])
    bits = int(IN_COLUMN[s.cell[slot]]) & int(s.standing[owner(slot)])
    for cell in range(NUM_CELLS):
        if bits >> cell & 1 == 1:
            more += text(s, int(s.at[cell]), Effect.COLUMN_RANGE)
    return min(FAR, printed + more)


# ---- the fight (rules 4)


@rule
def outnumbers(s: State, slot: int) -> int:
    """Attack experience, and directed, while more own creatures than enemy ones are adjacent."""
    number = text(s, slot, Effect.OUTNUMBERING)
    if number == 0 or not lives(s, slot):
        return 0
    around = int(NEAR[s.cell[slot]])
    own, enemy = int(s.standing[owner(slot)]), of_enemies(s, owner(slot))
    return number if size(around & own) > size(around & enemy) else 0


@rule
def is_directed(s: State, slot: int, target: int) -> bool:
    """Whether a simple strike of the card at this one is directed (rules 4.2, 7.1)."""
    if s.directed[slot] == 1 or text(s, slot, Effect.DIRECTED) == 1 or outnumbers(s, slot) > 0:
        return True
    if text(s, slot, Effect.DIRECTED_VS_MOUNTAIN) == 1 and ELEMENT[s.card[target]] == Element.MOUNTAIN:
        return True
    if text(s, slot, Effect.DIRECTED_VS_CLOSED) == 1 and s.closed[target] == 1:
        return True
    number = text(s, slot, Effect.PARTNERS_DIRECTED)
    return number > 0 and partners(s, slot, ANY_RANK) >= number


@rule
def rolls_two(s: State, slot: int) -> bool:
    """Whether two dice are rolled on the card's side in a fight (rules 7.27)."""
    return text(s, slot, Effect.TWO_DICE) == 1


@rule
def attack_experience(s: State, slot: int) -> int:
    """How often the white die may be rolled again (rules 7.12)."""
    return max(text(s, slot, Effect.ATTACK_EXPERIENCE), outnumbers(s, slot))


@rule
def defence_experience(s: State, slot: int) -> int:
    """How often the black die may be rolled again (rules 7.12)."""
    most = max(text(s, slot, Effect.DEFENCE_EXPERIENCE), by_formation(s, slot, Effect.FORMATION_DEFENCE))
    by_partner = text(s, slot, Effect.COMMON_DEFENCE)
    return max(most, by_partner) if by_partner > 0 and partners(s, slot, COMMON) > 0 else most


# ---- landing (rules 4.7)


@rule
def strike_force(s: State, slot: int, force: int) -> int:
    """How hard a simple strike of the card lands (rules 4.7 a)."""
    strong = text(s, slot, Effect.STRONG_COUNTER) == 1 and team_of(turn_seat(s)) != team_of(owner(slot))
    return STRONG if strong else force


@rule
def protected(s: State, source: int, slot: int, attack: int, force: int) -> bool:
    """Whether an attack, spell or simple strike of this force does nothing to the card (rules 7.14)."""
    if s.face_down[slot] == 1 or (attack < Attack.SPELL and is_kept_off(s, source, slot)):
        return s.face_down[slot] == 0
    if attack == Attack.SIMPLE:
        return force == WEAK and text(s, slot, Effect.PROTECTION_WEAK) == 1
    if attack == Attack.THROW and by_formation(s, slot, Effect.FORMATION_PROTECTION_THROW) == 1:
        return True
    return PROTECTED[attack, s.card[slot]] == 1 and not (attack == Attack.SHOT and has_lost_shot_protection(s, slot))


@rule
def strike_bonus(s: State, slot: int, target: int, force: int, defended: int) -> int:
    """What is added to a simple strike (rules 4.7 c, 7.6, 7.8)."""
    bonus = int(s.bonus[slot]) + by_formation(s, slot, Effect.FORMATION_STRIKE)
    if force == WEAK:
        bonus += by_formation(s, slot, Effect.FORMATION_WEAK)
    elif force == STRONG:
        bonus += by_formation(s, slot, Effect.FORMATION_STRONG)
    if ELEMENT[s.card[target]] == Element.MOUNTAIN:
        bonus += text(s, slot, Effect.STRIKE_VS_MOUNTAIN)
    if s.closed[target] == 1 or is_unanswered(s):
        bonus += text(s, slot, Effect.STRIKE_VS_CLOSED)
    if defended == 1:
        bonus += text(s, slot, Effect.STRIKE_VS_DEFENDER)
    bonus += text(s, slot, Effect.STRIKE_PER_CELL) * int(s.entered[slot])
    if text(s, slot, Effect.STRIKE_VS_AHEAD) > 0 and s.cell[target] == ahead_of(s, slot) and lives(s, target):
        bonus += text(s, slot, Effect.STRIKE_VS_AHEAD)
    if text(s, slot, Effect.STRIKE_VS_OPEN_ROW) > 0:
        enemy = owner(target)
        if int(s.standing[enemy]) & int(FIRST_ROW[side(s, enemy), part_of(s, enemy)]) == 0:
            bonus += text(s, slot, Effect.STRIKE_VS_OPEN_ROW)
    return bonus


@rule
def ahead_of(s: State, slot: int) -> int:
    """The cell ahead of a card, or OFF_BOARD (rules 1.2)."""
    return int(STEP[side(s, owner(slot)), Direction.FORWARD, place_of(s, slot)])


@rule
def attack_bonus(s: State, slot: int, target: int, act: int, paid: int) -> int:
    """What is added to the attack of an ability (rules 4.7 c, 7.6, 7.8)."""
    card = s.card[slot]
    bonus = int(ABILITIES[Part.PER_TOKEN, card, act]) * int(s.tokens[slot])
    bonus += int(ABILITIES[Part.PER_PAID, card, act]) * paid
    if s.wounds[target] >= WOUNDED:
        bonus += int(ABILITIES[Part.VS_WOUNDED, card, act])
    if COLUMN_OF[s.cell[target]] == COLUMN_OF[place_of(s, slot)]:
        bonus += int(ABILITIES[Part.VS_COLUMN, card, act])
    if ABILITIES[Part.VS_TRAINED, card, act] > 0 and is_trained(s, target):
        bonus += int(ABILITIES[Part.VS_TRAINED, card, act])
    return bonus + (int(ABILITIES[Part.VS_FLYER, card, act]) if flies(s, target) else 0)


@rule
def element_bonus(s: State, slot: int, target: int, attack: int) -> int:
    """What is added to strikes of several kinds against an element (rules 7.6)."""
    strike = attack == Attack.SIMPLE or attack == Attack.SPECIAL or attack == Attack.ACROSS
    if strike and ELEMENT[s.card[target]] == Element.MOUNTAIN:
        return text(s, slot, Effect.STRIKES_VS_MOUNTAIN)
    return 0


@rule
def is_trained(s: State, slot: int) -> bool:
    """Whether a card has experience or armour at this moment (rules 7.12)."""
    if not TRAINED[s.card[slot]]:
        return False
    return attack_experience(s, slot) > 0 or defence_experience(s, slot) > 0 or armour(s, slot) > 0


@rule
def is_ranged(attack: int) -> bool:
    """Whether it is a ranged attack (rules 5.1)."""
    return attack == Attack.SHOT or attack == Attack.THROW or attack == Attack.ACROSS or attack == Attack.DISCHARGE


@rule
def is_melee(attack: int) -> bool:
    """Whether it is a melee strike (rules 5.1)."""
    return attack == Attack.SIMPLE or attack == Attack.SPECIAL or attack == Attack.MAGIC_STRIKE


@rule
def reduction(s: State, source: int, target: int, attack: int, directed: int) -> int:
    """What the target takes off the strength of an attack (rules 7.7)."""
    less = 0
    if is_ranged(attack):
        less += text(s, target, Effect.FROM_RANGED) + aside_reduction(s, target)
        if attack == Attack.SHOT or attack == Attack.THROW:
            less += by_formation(s, target, Effect.FORMATION_FROM_MISSILES)
    if is_melee(attack) or attack == Attack.ACROSS:
        number = text(s, target, Effect.FROM_DIAGONAL)
        if number > 0 and DIAGONAL[place_of(s, source), place_of(s, target)] == 1:
            less += number
    if attack == Attack.SIMPLE:
        less += by_formation(s, target, Effect.FORMATION_FROM_SIMPLE)
        if directed == 1:
            less += text(s, target, Effect.FROM_DIRECTED)
    return less


@rule
def aside_reduction(s: State, target: int) -> int:
    """What own cards directly left and right of a steppe creature take off ranged attacks at it (rules 8.8)."""
    if ELEMENT[s.card[target]] != Element.STEPPE or not lives(s, target):
        return 0
    less = 0
    for direction in (Direction.LEFT, Direction.RIGHT):
        cell = STEP[0, direction, s.cell[target]]
        if cell != OFF_BOARD and s.at[cell] != NONE and owner(s.at[cell]) == owner(target):
            less += text(s, int(s.at[cell]), Effect.ASIDE_FROM_RANGED)
    return less


@rule
def armour(s: State, slot: int) -> int:
    """The armour that a card has now; of several the largest counts (rules 7.10)."""
    most = max(text(s, slot, Effect.ARMOUR), int(s.extra_armour[slot]))
    most = max(most, by_formation(s, slot, Effect.FORMATION_ARMOUR))
    by_partner = text(s, slot, Effect.ELITE_ARMOUR)
    return max(most, by_partner) if by_partner > 0 and partners(s, slot, ELITE_RANK) > 0 else most


@rule
def blocks(s: State, slot: int, attack: int) -> int:
    """From which roll on a card blocks an attack, 0 if it rolls no die (rules 7.27)."""
    return text(s, slot, Effect.BLOCK) if is_ranged(attack) else 0


@rule
def spell_wounds(s: State, slot: int, cell: int, act: int) -> int:
    """The wounds of a spell on the creature in a cell (rules 5.6)."""
    most = int(ABILITIES[Part.FREE_CELLS, s.card[slot], act])
    return min(most, size(int(NEAR[cell]) & free(s)))


# ---- afterwards (rules 4.8)


@rule
def spell(s: State, source: int, target: int, count: int) -> None:
    """Wounds by a spell, unless the card is protected from spells (rules 5.6)."""
    if count > 0 and not protected(s, source, target, Attack.SPELL, WEAK):
        wound(s, target, count, are_enemies(source, target))


@rule
def poison_of(s: State, source: int, struck: int, force: int) -> int:
    """The poison that a simple strike of the card gives the struck one; of several the largest counts (rules 7.13)."""
    poison = text(s, source, Effect.WEAK_POISON if force == WEAK else Effect.POISON)
    return int(s.poison[struck]) if resists_poison(s, struck) else max(poison, int(s.poison[struck]))


@rule
def closing_wounds(s: State, source: int, struck: int) -> int:
    """The wounds that an open card takes that its owner does not close (rules 7.18); 0 if it needn't."""
    return text(s, source, Effect.CLOSE_OR_WOUND) if is_open(s, struck) else 0


@rule
def push_wounds(s: State, source: int) -> int:
    """The wounds of a card that is not pushed (rules 7.28); 0 if the card of the source does not push now."""
    return text(s, source, Effect.PUSH) if turn_seat(s) == owner(source) else 0


@rule
def struck_wounds(s: State, slot: int) -> int:
    """The wounds (spell) of whoever strikes the card (rules 7.4)."""
    return text(s, slot, Effect.STRUCK_WOUND)


@rule
def counter_strike(s: State, slot: int, striker: int) -> int:
    """The strength with which a card struck in melee strikes back at an adjacent striker (rules 7.4, 8.14)."""
    near = DISTANCE[place_of(s, slot), s.cell[striker]] == 1
    return text(s, slot, Effect.STRUCK_STRIKE) if near else 0


@rule
def when_closed(s: State, slot: int) -> None:
    """Enemy cards in the column of a card that has just closed wound it (rules 7.25)."""
    for i in range(TEAM):
        enemy = opponent(owner(slot), i)
        for other in range(enemy * SQUAD, enemy * SQUAD + SQUAD):
            if s.card[other] != NONE and works(s, other) and text(s, other, Effect.CLOSING_WOUND) > 0:
                if lives(s, slot) and COLUMN_OF[s.cell[other]] == COLUMN_OF[s.cell[slot]]:
                    spell(s, other, slot, text(s, other, Effect.CLOSING_WOUND))


# ---- the start of a turn (rules 3.2)


@rule
def start_tokens(s: State, slot: int) -> int:
    """Tokens that a card gains as its owner's turn starts."""
    return by_formation(s, slot, Effect.FORMATION_TOKEN)


@rule
def start_fire(s: State, slot: int) -> None:
    """Wounds to the enemy creature ahead (influence), more if it made no step in its owner's last turn (rules 8.11)."""
    count = text(s, slot, Effect.FIRE_AHEAD)
    if count == 0 or not works(s, slot):
        return
    cell = ahead_of(s, slot)
    if cell == OFF_BOARD or s.at[cell] == NONE or not are_enemies(s.at[cell], slot):
        return
    target = int(s.at[cell])
    if s.stepped[target] == 0:
        count += text(s, slot, Effect.FIRE_IDLE)
    wound(s, target, count, True)


@rule
def valhalla(s: State, slot: int) -> int:
    """What a dead card adds to the simple strikes of an own creature this turn (rules 7.24)."""
    return int(EFFECTS[Effect.VALHALLA, s.card[slot]]) if s.died[slot] > 0 and s.by_enemy[slot] == 1 else 0


@rule
def regeneration(s: State, slot: int) -> int:
    """Wounds that a card heals as its owner's turn starts (rules 7.11)."""
    return text(s, slot, Effect.REGENERATION)
