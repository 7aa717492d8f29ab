"""Formation: own face-up cards with the keyword that stand beside each other (rules 7.9). Nothing of it is stored."""

from typing import Final

from ....core.compile.decorators import rule
from ....core.engine.sparse import lowest_bit
from .board import BESIDE
from .cards import EFFECTS, ELITE, MARKS, Effect, in_table
from .ids import NUM_SLOTS
from .queries import owner, works
from .state import State

ANY_RANK: Final = -1
CURES: Final = in_table(Effect.FORMATION_PROTECTION_POISON)


@rule
def partners(s: State, slot: int, rank: int) -> int:
    """How many partners a card has, of one rank (the column `elite` of the cards) or of ANY_RANK."""
    if EFFECTS[Effect.FORMATION, s.card[slot]] == 0 or not works(s, slot):
        return 0
    count = 0
    beside = int(BESIDE[s.cell[slot]]) & int(s.standing[owner(slot)])
    while beside != 0:
        other = int(s.at[lowest_bit(beside)])
        beside &= beside - 1
        if s.face_down[other] == 0 and EFFECTS[Effect.FORMATION, s.card[other]] == 1:
            count += rank == ANY_RANK or ELITE[s.card[other]] == rank
    return count


@rule
def by_formation(s: State, slot: int, effect: int) -> int:
    """What formation gives a card of an effect, if it is in formation."""
    number = EFFECTS[effect, s.card[slot]]
    return int(number) if number != 0 and partners(s, slot, ANY_RANK) > 0 else 0


@rule
def resists_poison(s: State, slot: int) -> bool:
    """Whether a card is protected from poison now (rules 7.14, 12.6, 12.22)."""
    if s.face_down[slot] == 1:
        return False
    if MARKS and s.no_poison_protection[slot] == 1:
        return False
    if EFFECTS[Effect.PROTECTION_POISON, s.card[slot]] == 1:
        return True
    return CURES and by_formation(s, slot, Effect.FORMATION_PROTECTION_POISON) == 1


@rule
def cure(s: State) -> None:
    """Poisoned cards that have gained protection from poison lose it (rules 12.6): after each change of a formation."""
    if CURES:
        for slot in range(NUM_SLOTS):
            if s.poison[slot] > 0 and resists_poison(s, slot):
                s.poison[slot] = 0
