"""Hooks of keywords that no printed card has (rules 12): what no card of the table has is left out of compiled code."""

from typing import Final

from ....core.compile.decorators import rule
from ..mode import TEAM
from .board import ALL_CELLS
from .cards import EFFECTS, FLYERS, MARKS, Effect, in_table
from .formation import by_formation
from .ids import MISS, NUM_SLOTS, WEAK, Attack, Phase
from .primitives import gain_tokens, heal
from .queries import enemy_flyers, flies, flyers_of, opponent, owner
from .state import State

VANGUARD: Final = in_table(Effect.VANGUARD)
VULNERABILITY: Final = in_table(Effect.VULNERABILITY)
EXPERIENCE: Final = in_table(Effect.SHOT_EXPERIENCE, Effect.THROW_EXPERIENCE, Effect.DISCHARGE_EXPERIENCE)
OPENING: Final = in_table(Effect.OPENING_TOKENS, Effect.OPENING_HEALING)
REDUCED: Final = in_table(
    Effect.SIMPLE_TO_WEAK, Effect.SHOT_TO_WEAK, Effect.THROW_TO_WEAK, Effect.DISCHARGE_TO_WEAK
)  # fmt: skip


@rule
def text(s: State, slot: int, effect: int) -> int:
    """The number that a card's text has for an effect; nothing of a face-down card."""
    return int(EFFECTS[effect, s.card[slot]]) if s.face_down[slot] == 0 else 0


@rule
def has_vanguard(s: State, slot: int) -> bool:
    """Whether a card may strike before the first turn (rules 12.2)."""
    return text(s, slot, Effect.VANGUARD) == 1


@rule
def is_unanswered(s: State) -> bool:
    """Whether a simple strike is unanswered: one of Vanguard is, before the first turn (rules 7.3, 12.2)."""
    return VANGUARD and s.turn == 0


@rule
def ability_experience(s: State, slot: int, attack: int) -> int:
    """How often the die of a shot, throw or discharge may be rolled again (rules 12.5)."""
    if EXPERIENCE and attack == Attack.SHOT:
        return text(s, slot, Effect.SHOT_EXPERIENCE)
    if EXPERIENCE and attack == Attack.THROW:
        return text(s, slot, Effect.THROW_EXPERIENCE)
    return text(s, slot, Effect.DISCHARGE_EXPERIENCE) if EXPERIENCE and attack == Attack.DISCHARGE else 0


@rule
def wounds_more(s: State, target: int) -> int:
    """The wounds that an attack inflicts beyond its strength (rules 12.3, 12.22)."""
    if MARKS and s.vulnerable[target] == 1:
        return 1
    return text(s, target, Effect.VULNERABILITY) if VULNERABILITY else 0


@rule
def has_lost_shot_protection(s: State, slot: int) -> bool:
    """Whether shots work on a card whatever protects it (rules 12.22)."""
    return bool(s.no_shot_protection[slot] == 1) if MARKS else False


@rule
def mark(s: State, source: int, struck: int) -> None:
    """What a simple strike of a card gives to the struck one, or takes from it, for the battle (rules 12.22)."""
    if MARKS:
        s.vulnerable[struck] |= text(s, source, Effect.GIVES_VULNERABILITY)
        s.no_shot_protection[struck] |= text(s, source, Effect.TAKES_SHOT_PROTECTION)
        s.no_poison_protection[struck] |= text(s, source, Effect.TAKES_POISON_PROTECTION)


@rule
def is_reduced(s: State, target: int, attack: int) -> bool:
    """Whether attacks of this kind on a card are reduced to weak (rules 12.19)."""
    if attack == Attack.SIMPLE:
        return text(s, target, Effect.SIMPLE_TO_WEAK) == 1
    if attack == Attack.SHOT:
        return text(s, target, Effect.SHOT_TO_WEAK) == 1
    if attack == Attack.THROW:
        return text(s, target, Effect.THROW_TO_WEAK) == 1
    return attack == Attack.DISCHARGE and text(s, target, Effect.DISCHARGE_TO_WEAK) == 1


@rule
def reduced_force(s: State, target: int, attack: int, force: int) -> int:
    """How hard an attack lands on a card that may reduce it to weak (rules 12.19)."""
    return WEAK if REDUCED and force != MISS and is_reduced(s, target, attack) else force


@rule
def when_opened(s: State, slot: int) -> None:
    """What a card does whenever it opens (rules 12.7)."""
    if OPENING:
        gain_tokens(s, slot, text(s, slot, Effect.OPENING_TOKENS))
        heal(s, slot, text(s, slot, Effect.OPENING_HEALING))


# ---- flyers (rules 12.9 to 12.18)


@rule
def is_flyer(card: int) -> bool:
    """Whether a card is a flyer by its text (rules 12.9)."""
    return FLYERS and EFFECTS[Effect.FLYER, card] == 1


@rule
def may_fly(s: State, slot: int) -> bool:
    """Whether a card may be on the board or in the additional zone (rules 12.17)."""
    return FLYERS and s.phase >= Phase.BATTLE and text(s, slot, Effect.TAKES_WING) == 1


@rule
def meet(s: State, slot: int, other: int) -> bool:
    """Whether a strike that has been declared reaches from one card to the other as one of them flies (rules 12.13)."""
    return flies(s, slot) or flies(s, other)


@rule
def flyers_in_reach(s: State, slot: int) -> int:
    """The enemy flyers that melee attacks of a card reach, as bits by slot (rules 12.11, 12.12); Vanguard reaches none,
    since no flyer is adjacent (rules 12.2).
    """
    if not FLYERS or is_unanswered(s):
        return 0
    if flies(s, slot) or text(s, slot, Effect.STRIKES_FLYERS) == 1:
        return enemy_flyers(s, owner(slot))
    found = 0
    for i in range(TEAM):
        enemy = opponent(owner(slot), i)
        if int(s.standing[enemy]) & ALL_CELLS == 0:
            found |= flyers_of(s, enemy)
    return found


@rule
def closed_flyers(s: State, flyers: int) -> int:
    """Of flyers, as bits by slot, those that are closed."""
    found = 0
    for slot in range(NUM_SLOTS):
        if flyers >> slot & 1 == 1 and s.closed[slot] == 1:
            found |= 1 << slot
    return found


@rule
def flying_defenders(s: State, actor: int, target: int, seat: int) -> int:
    """Other open flyers of a seat, where a flyer strikes or is struck, as bits by slot (rules 12.14)."""
    if not meet(s, actor, target):
        return 0
    flyers = flyers_of(s, seat)
    return flyers & ~closed_flyers(s, flyers) & ~(1 << target)


@rule
def is_kept_off(s: State, source: int, slot: int) -> bool:
    """Whether attacks of a card do nothing to another one, since it flies (rules 12.16)."""
    return flies(s, source) and by_formation(s, slot, Effect.FORMATION_PROTECTION_FLYERS) == 1
