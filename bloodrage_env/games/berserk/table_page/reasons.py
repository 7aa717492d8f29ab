"""What the rules say for and against a move, from what its player knows: the life at stake, what a strike can do, and
which enemies can answer next to it and with what at worst.
"""

from collections.abc import Iterator

import numpy as np

from ..engine import (
    ABILITIES,
    ACT,
    AIR,
    CELL,
    DISTANCE,
    DONE,
    LIFE,
    MOVE,
    NONE,
    NUM_ACTS,
    NUM_CELLS,
    NUM_DIRECTIONS,
    NUM_SLOTS,
    NUM_TEAMS,
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
    before = _worst(s, slot, int(s.cell[slot]))
    yield _danger(s, slot, cell, f"on {cell_name(cell)}")
    if before:
        yield f"Where it is, strikes from next to it take up to {before}."


def _act(s: np.record, slot: int, act: int) -> Iterator[str]:
    """What an action takes, from whom it can take it, and who is next to the card, which it closes."""
    parts = ABILITIES[:, s.card[slot], act]
    if parts[Part.ATTACK] == Attack.SIMPLE:
        for other in _next_to(s, slot, int(s.cell[slot])):
            most = int(parts[Part.STRONG])
            kills = ", which would kill it" if most >= _left(s, other) else ""
            yield f"{_life(s, other)}; a strong strike takes {most}{kills}."
    yield _danger(s, slot, int(s.cell[slot]), "once it is closed")


def _target(s: np.record, slot: int) -> Iterator[str]:
    if slot == NONE or s.card[slot] == NONE:
        return
    yield f"{_life(s, slot)}{', and it is closed' if s.closed[slot] else ''}."
    if s.decision == Decision.TARGET and _team(slot) != _team(int(s.seat) * SQUAD):
        near = [card_name(s, other, int(s.seat)) for other in _guards(s, slot)]
        yield (
            f"{' and '.join(near)} next to both may defend it against a strike."
            if near
            else "No open card is next to both to defend it."
        )


def _pass(s: np.record, seat: int) -> Iterator[str]:
    """The cards that have not acted."""
    own = range(seat * SQUAD, (seat + 1) * SQUAD)
    rested = [card_name(s, slot) for slot in own if _stands(s, slot) and not s.closed[slot]]
    yield (
        f"{', '.join(rested)} {'has' if len(rested) == 1 else 'have'} not acted." if rested else "All cards are closed."
    )


# ---- cards


def _team(slot: int) -> int:
    return slot // SQUAD % NUM_TEAMS


def _stands(s: np.record, slot: int) -> bool:
    return bool(s.card[slot] != NONE and s.cell[slot] not in (NONE, AIR))


def _next_to(s: np.record, slot: int, cell: int) -> list[int]:
    """The enemies of a card that stand next to a cell, as slots."""
    others = [other for other in range(NUM_SLOTS) if _team(other) != _team(slot) and _stands(s, other)]
    return [other for other in others if DISTANCE[cell, s.cell[other]] == 1 and not s.face_down[other]]


def _guards(s: np.record, slot: int) -> list[int]:
    """The open cards of a card's side next to it, and next to the attacker, which may defend it (rules 4.3)."""
    own = [other for other in range(NUM_SLOTS) if other != slot and _team(other) == _team(slot) and _stands(s, other)]
    near = [other for other in own if DISTANCE[s.cell[slot], s.cell[other]] == 1 and not s.closed[other]]
    return [other for other in near if DISTANCE[s.cell[s.actor], s.cell[other]] == 1]


def _left(s: np.record, slot: int) -> int:
    return int(LIFE[s.card[slot]]) - int(s.wounds[slot])


def _life(s: np.record, slot: int) -> str:
    return f"{card_name(s, slot)} has {_left(s, slot)} of {LIFE[s.card[slot]]} life"


def _strike(s: np.record, slot: int) -> int:
    """The most that a simple strike of a card takes, as printed."""
    acts = ABILITIES[:, s.card[slot]]
    simple = acts[Part.ATTACK] == Attack.SIMPLE
    return int(acts[Part.STRONG][simple].max(initial=0))


def _worst(s: np.record, slot: int, cell: int) -> int:
    return sum(_strike(s, other) for other in _next_to(s, slot, cell))


def _danger(s: np.record, slot: int, cell: int, where: str) -> str:
    """Who can strike a card in a cell without a step, and with what at worst."""
    near = [f"{card_name(s, other)} ({_strike(s, other)})" for other in _next_to(s, slot, cell)]
    if not near:
        return f"No enemy is next to it {where}."
    strikes = f"their strongest strikes take {_worst(s, slot, cell)} of its {_left(s, slot)} life"
    return f"Next to it {where}: {', '.join(near)}; {strikes}."
