"""Cards next to each other, their life and their strikes, for sentences about moves and for patterns over games."""

import numpy as np

from ..engine import ABILITIES, AIR, DISTANCE, LIFE, NONE, NUM_SLOTS, NUM_TEAMS, SQUAD, Attack, Part


def team(slot: int) -> int:
    """Return the team of a card's owner."""
    return slot // SQUAD % NUM_TEAMS


def stands(s: np.record, slot: int) -> bool:
    """Return whether a slot has a card that lives and is seen, on the board."""
    return bool(s.card[slot] != NONE and s.cell[slot] not in (NONE, AIR))


def next_to(s: np.record, slot: int, cell: int) -> list[int]:
    """The enemies of a card that stand next to a cell, as slots."""
    others = [other for other in range(NUM_SLOTS) if team(other) != team(slot) and stands(s, other)]
    return [other for other in others if DISTANCE[cell, s.cell[other]] == 1 and not s.face_down[other]]


def guards(s: np.record, slot: int) -> list[int]:
    """The open cards of a card's side next to it, and next to the attacker, which may defend it (rules 4.3)."""
    own = [other for other in range(NUM_SLOTS) if other != slot and team(other) == team(slot) and stands(s, other)]
    near = [other for other in own if DISTANCE[s.cell[slot], s.cell[other]] == 1 and not s.closed[other]]
    return [other for other in near if DISTANCE[s.cell[s.actor], s.cell[other]] == 1]


def left(s: np.record, slot: int) -> int:
    """Return the life that a card has left."""
    return int(LIFE[s.card[slot]]) - int(s.wounds[slot])


def strike(s: np.record, slot: int) -> int:
    """The most that a simple strike of a card takes, as printed."""
    acts = ABILITIES[:, s.card[slot]]
    simple = acts[Part.ATTACK] == Attack.SIMPLE
    return int(acts[Part.STRONG][simple].max(initial=0))


def worst(s: np.record, slot: int, cell: int) -> int:
    """Return the most that simple strikes from next to a cell take together, as printed."""
    return sum(strike(s, other) for other in next_to(s, slot, cell))
