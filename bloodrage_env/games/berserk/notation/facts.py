"""What the rules say about a position, for texts and pictures."""

from ....core.compile.decorators import entry
from .. import engine
from ..engine import (
    ACT,
    CELL,
    NUM_ACTS,
    OFF_BOARD,
    SQUAD,
    Attack,
    Decision,
    Part,
    States,
    check_game,
    check_seat,
)


@entry
def crystals_left(states: States, index: int, seat: int) -> tuple[int, int]:
    """Gold that is left for elites, and gold and silver for all, before and in a purchase (rules 2.2, 2.4).

    Silver that is spent is gone first, so that no more gold is left than crystals are.
    """
    check_game(states, index)
    check_seat(states[index], seat)
    s = states[index]
    gold = engine.gold_of(s, seat) - engine.cost_of(s, seat, 1)
    both = gold + engine.silver_of(s, seat) - engine.cost_of(s, seat, 0)
    return min(gold, both), both


@entry
def card_to_place(states: States, index: int, seat: int) -> int:
    """The number of the card that a seat has to place now, -1 if it has none (rules 2.5)."""
    check_game(states, index)
    check_seat(states[index], seat)
    return engine.next_to_place(states[index], seat)


@entry
def squad_seen(states: States, index: int, seat: int) -> bool:
    """Whether everybody sees which cells the cards of a seat take (rules 2.5)."""
    check_game(states, index)
    check_seat(states[index], seat)
    return engine.squad_is_seen(states[index], seat)


@entry
def push_leads_to(states: States, index: int) -> int:
    """The cell where the push of the open question brings the struck card, -1 if it stays (rules 7.28)."""
    check_game(states, index)
    s = states[index]
    if s.decision != Decision.PUSH and s.decision != Decision.GO_OR_WOUND:
        return -1
    cell = engine.pushed_to(s, int(s.actor), int(s.target))
    return -1 if cell == OFF_BOARD else cell


@entry
def range_of(states: States, index: int, action: int) -> int:
    """How far the ability of a legal ACT reaches now; 0 for another action (rules 7.15)."""
    check_game(states, index)
    s = states[index]
    if action < ACT or action >= CELL or s.mask[action] == 0:
        return 0
    slot, act = int(s.seat) * SQUAD + (action - ACT) // NUM_ACTS, (action - ACT) % NUM_ACTS
    if engine.ABILITIES[Part.ATTACK, s.card[slot], act] >= Attack.SPELL:
        return int(engine.ABILITIES[Part.RANGE, s.card[slot], act])  # nothing adds to that of an influence
    return engine.attack_range(s, slot, act)
