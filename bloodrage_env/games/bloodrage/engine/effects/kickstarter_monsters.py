"""Kickstarter monsters that bend a rule where they stand (rules 6.4.3)."""

from .....core.compile.decorators import rule
from ..card_ids import Card
from ..decks import has_set
from ..ids import NONE, NUM_KINDS, NUM_OUTER, CardSet
from ..queries import card_of
from ..state import State


@rule
def stands(s: State, seat: int, card: int, place: int) -> bool:
    """Whether the monster of a card of the set is a clan's and stands in a place."""
    if has_set(s, CardSet.KS):
        for kind in range(NUM_KINDS):
            if s.figures[seat, kind, place] > 0 and card_of(s, seat, kind) == card:
                return True
    return False


@rule
def fenrirs_province(s: State) -> int:
    """The outer province where Fenrir stands, or NONE (rules 6.4.3.3)."""
    for province in range(NUM_OUTER):
        for seat in range(s.num_players):
            if stands(s, seat, Card.FENRIR, province):
                return province
    return NONE


@rule
def wolfman_fights(s: State, province: int) -> bool:
    """Whether the Wolfman, whosever he is, stands in a province (rules 6.4.3.5)."""
    if has_set(s, CardSet.KS):
        for seat in range(s.num_players):
            if stands(s, seat, Card.WOLFMAN, province):
                return True
    return False


@rule
def mystic_troll_pays(s: State, seat: int, place: int) -> bool:
    """Whether an Invade of this clan is into the very province of its Mystic Troll (rules 6.4.3.6)."""
    return stands(s, seat, Card.MYSTIC_TROLL, place)
