"""Formation: own face-up cards with the keyword that stand beside each other (rules 7.9). Nothing of it is stored."""

from typing import Final

from ...core.compiled import rule
from .board import OFF_BOARD, STEP
from .cards import EFFECTS, ELITE, Effect
from .ids import NONE, NUM_DIRECTIONS
from .queries import owner, works
from .state import State

ANY_RANK: Final = -1


@rule
def partners(s: State, slot: int, rank: int) -> int:
    """How many partners a card has, of one rank (the column `elite` of the cards) or of ANY_RANK."""
    if EFFECTS[Effect.FORMATION, s.card[slot]] == 0 or not works(s, slot):
        return 0
    count = 0
    for direction in range(NUM_DIRECTIONS):
        cell = STEP[0, direction, s.cell[slot]]
        if cell == OFF_BOARD or s.at[cell] == NONE:
            continue
        other = int(s.at[cell])
        if owner(other) == owner(slot) and s.face_down[other] == 0 and EFFECTS[Effect.FORMATION, s.card[other]] == 1:
            count += rank == ANY_RANK or ELITE[s.card[other]] == rank
    return count


@rule
def by_formation(s: State, slot: int, effect: int) -> int:
    """What formation gives a card of an effect, if it is in formation."""
    number = EFFECTS[effect, s.card[slot]]
    return int(number) if number != 0 and partners(s, slot, ANY_RANK) > 0 else 0
