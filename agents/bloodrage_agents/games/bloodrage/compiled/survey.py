"""The plan of a position, and how much better it is after a move that is only looked at."""

from bloodrage_env.core.compile.decorators import rule
from bloodrage_env.games.bloodrage.engine import FIRST_FJORD, NONE, NUM_PROVINCES, Place, State

from .odds import control_chance, prospect, quests_worth, read_board, read_cards
from .plan import Plan
from .prices import price_figures, price_goods


@rule
def make_plan(s: State, plan: Plan) -> None:
    """Fill a plan whose `weights` are set, for the seat to act."""
    plan.seat = int(s.seat)
    plan.act = 1.0
    price_goods(s, plan)
    price_figures(s, plan)
    read_cards(s, plan)
    read_board(s, plan)
    for province in range(NUM_PROVINCES):
        plan.worth[province] = prospect(s, plan, province)
        plan.control[province] = control_chance(s, plan, province)
        plan.trial[province] = plan.control[province]


@rule
def shift(t: State, seat: int, kind: int, origin: int, target: int, count: int) -> None:
    """Move figures in a copy of the game."""
    t.figures[seat, kind, origin] -= count
    t.figures[seat, kind, target] += count


@rule
def change(t: State, plan: Plan, one: int, two: int) -> float:
    """How much better the provinces `one` and `two` (or NONE) are after a shift in `t`: prospects and quests."""
    gain = -quests_worth(plan)
    for province in (one, two):
        if province != NONE:
            gain += prospect(t, plan, province) - plan.worth[province]
            plan.trial[province] = control_chance(t, plan, province)
    gain += quests_worth(plan)
    for province in (one, two):
        if province != NONE:
            plan.trial[province] = plan.control[province]
    return gain


@rule
def first_province(place: int) -> int:
    """The province of a place, or the first of the two that a fjord supports."""
    return (place - FIRST_FJORD) * 2 if place >= FIRST_FJORD else place


@rule
def second_province(place: int) -> int:
    """The other province that a fjord supports, NONE for a province."""
    return (place - FIRST_FJORD) * 2 + 1 if place >= FIRST_FJORD else NONE


@rule
def placing(t: State, plan: Plan, kind: int, place: int) -> float:
    """What a figure from outside the board is worth in a place; `t` is as it was afterwards."""
    seat = plan.seat
    shift(t, seat, kind, Place.RESERVE, place, 1)
    gain = plan.stand[kind, place] + change(t, plan, first_province(place), second_province(place))
    shift(t, seat, kind, place, Place.RESERVE, 1)
    return float(gain)


@rule
def moving(t: State, plan: Plan, kind: int, origin: int, target: int) -> float:
    """What it is worth that a figure goes from one province to another; `t` is as it was afterwards."""
    seat = plan.seat
    shift(t, seat, kind, origin, target, 1)
    gain = plan.stand[kind, target] - plan.stand[kind, origin] + change(t, plan, origin, target)
    shift(t, seat, kind, target, origin, 1)
    return float(gain)
