"""Hooks of keywords that no printed card has (rules 12): what no card of the table has is left out of compiled code."""

from typing import Final

from ....core.compiled import rule
from .cards import EFFECTS, Effect, in_table
from .ids import Attack
from .primitives import gain_tokens, heal
from .state import State

VANGUARD: Final = in_table(Effect.VANGUARD)
VULNERABILITY: Final = in_table(Effect.VULNERABILITY)
EXPERIENCE: Final = in_table(Effect.SHOT_EXPERIENCE, Effect.THROW_EXPERIENCE, Effect.DISCHARGE_EXPERIENCE)
OPENING: Final = in_table(Effect.OPENING_TOKENS, Effect.OPENING_HEALING)


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
    """The wounds that an attack inflicts beyond its strength (rules 12.3)."""
    return text(s, target, Effect.VULNERABILITY) if VULNERABILITY else 0


@rule
def when_opened(s: State, slot: int) -> None:
    """What a card does whenever it opens (rules 12.7)."""
    if OPENING:
        gain_tokens(s, slot, text(s, slot, Effect.OPENING_TOKENS))
        heal(s, slot, text(s, slot, Effect.OPENING_HEALING))
