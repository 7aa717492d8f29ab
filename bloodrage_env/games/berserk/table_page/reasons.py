"""What the rules say for and against a move, from what its player knows: the life at stake, what a strike can do, and
which enemies can answer next to it and with what at worst.
"""

from collections.abc import Iterator

import numpy as np

from ..engine import (
    ABILITIES,
    ACT,
    CELL,
    DONE,
    LIFE,
    MOVE,
    NONE,
    NUM_ACTS,
    NUM_CELLS,
    NUM_DIRECTIONS,
    NUMBER,
    SQUAD,
    STEP,
    Attack,
    Decision,
    Part,
    Phase,
    States,
)
from ..notation.words import card_name, cell_name, is_turned
from .near import guards, left, next_to, stands, strike, team, worst


def reasons(known: States, seat: int, action: int) -> list[str]:
    """Return sentences about a legal action of a seat, from what it knows. None is a guess."""
    s = known[0]
    if s.phase != Phase.BATTLE:
        return []
    if MOVE <= action < ACT:
        slot, direction = seat * SQUAD + (action - MOVE) // NUM_DIRECTIONS, (action - MOVE) % NUM_DIRECTIONS
        return list(_step(s, slot, int(STEP[int(is_turned(s, seat)), direction, s.cell[slot]])))
    if ACT <= action < CELL:
        slot, act = seat * SQUAD + (action - ACT) // NUM_ACTS, (action - ACT) % NUM_ACTS
        return list(_act(s, slot, act))
    if CELL <= action < NUMBER and s.decision in (Decision.TARGET, Decision.DEFENDER):
        cell = NUM_CELLS - 1 - (action - CELL) if is_turned(s, seat) else action - CELL
        return list(_target(s, int(s.at[cell])))
    if action == DONE and s.decision == Decision.DEFENDER:
        return [f"{_life(s, int(s.target))}."]
    if action == DONE and s.decision == Decision.MAIN:
        return list(_pass(s, seat))
    return []


def _step(s: np.record, slot: int, cell: int) -> Iterator[str]:
    """The enemies next to where a card goes."""
    yield f"{_life(s, slot)}."
    before = worst(s, slot, int(s.cell[slot]))
    yield _danger(s, slot, cell, f"on {cell_name(cell)}")
    if before:
        yield f"Where it is, strikes from next to it take up to {before}."


def _act(s: np.record, slot: int, act: int) -> Iterator[str]:
    """What an action takes, from whom it can take it, and who is next to the card, which it closes."""
    parts = ABILITIES[:, s.card[slot], act]
    if parts[Part.ATTACK] == Attack.SIMPLE:
        for other in next_to(s, slot, int(s.cell[slot])):
            most = int(parts[Part.STRONG])
            kills = ", which would kill it" if most >= left(s, other) else ""
            yield f"{_life(s, other)}; a strong strike takes {most}{kills}."
    yield _danger(s, slot, int(s.cell[slot]), "once it is closed")


def _target(s: np.record, slot: int) -> Iterator[str]:
    if slot == NONE or s.card[slot] == NONE:
        return
    yield f"{_life(s, slot)}{', and it is closed' if s.closed[slot] else ''}."
    if s.decision == Decision.TARGET and team(slot) != team(int(s.seat) * SQUAD):
        near = [card_name(s, other, int(s.seat)) for other in guards(s, slot)]
        yield (
            f"{' and '.join(near)} next to both may defend it against a strike."
            if near
            else "No open card is next to both to defend it."
        )


def _pass(s: np.record, seat: int) -> Iterator[str]:
    """The cards that have not acted."""
    own = range(seat * SQUAD, (seat + 1) * SQUAD)
    rested = [card_name(s, slot) for slot in own if stands(s, slot) and not s.closed[slot]]
    yield (
        f"{', '.join(rested)} {'has' if len(rested) == 1 else 'have'} not acted." if rested else "All cards are closed."
    )


def _life(s: np.record, slot: int) -> str:
    return f"{card_name(s, slot)} has {left(s, slot)} of {LIFE[s.card[slot]]} life"


def _danger(s: np.record, slot: int, cell: int, where: str) -> str:
    """Who can strike a card in a cell without a step, and with what at worst."""
    near = [f"{card_name(s, other)} ({strike(s, other)})" for other in next_to(s, slot, cell)]
    if not near:
        return f"No enemy is next to it {where}."
    strikes = f"their strongest strikes take {worst(s, slot, cell)} of its {left(s, slot)} life"
    return f"Next to it {where}: {', '.join(near)}; {strikes}."
