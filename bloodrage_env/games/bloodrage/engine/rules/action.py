"""The Action phase: turns, the choice of an action, passing, the end (rules 3.2.1 to 3.2.4)."""

from .....core.compile.decorators import rule
from .....core.engine.sparse import WORD, lowest_bit, set_bits
from .. import hooks
from ..actions import CARD, FIGURE_AT, MARCH, MARCH_FROM, MARCH_ID, MARCH_TO, PASS, PROVINCE, RAISE_DEAD, SACRIFICE
from ..card_ids import NUM_CARDS
from ..cards import IS_UPGRADE, TYPE
from ..ids import (
    NONE,
    NUM_BOARD,
    NUM_KINDS,
    NUM_PROVINCES,
    CardType,
    Decision,
    Place,
)
from ..primitives import commit_quest, gain_rage, set_rage
from ..queries import figures_in_reach, open_provinces, places_of_clan, provinces_in_reach
from ..stack import ask, clockwise, figure_at, get, pop, put
from ..state import Frame, State
from .invade import can_invade_from, invade, invade_places
from .march import MARCH_PRICE, begin_march
from .pillage import begin_pillage
from .upgrade import begin_upgrade


@rule
def may_act(s: State, seat: int) -> bool:
    """A clan with Rage that has not passed (rules 3.2.2, 3.2.3)."""
    return s.rage[seat] > 0 and s.passed[seat] == 0


@rule
def all_pillaged(s: State) -> bool:
    """Every province that stands has been pillaged, Yggdrasil included (rules 3.2.4)."""
    for province in range(NUM_PROVINCES):
        if s.destroyed[province] == 0 and s.pillaged[province] == 0:
            return False
    return True


@rule
def action_phase(s: State) -> None:
    """One turn after the other; the end is looked at between actions (rules 3.2.4)."""
    if not all_pillaged(s):
        for offset in range(s.num_players):
            seat = clockwise(s, get(s, Frame.SEAT), offset)
            if may_act(s, seat):
                put(s, Frame.SEAT, clockwise(s, seat, 1))
                ask(s, Decision.ACTION, seat, NONE, NONE, NONE)
                return
    for seat in range(s.num_players):
        set_rage(s, seat, 0)
    pop(s)


@rule
def can_pillage(s: State, seat: int, province: int) -> bool:
    """Rules 3.2.9; where the token is taken, only by an upgrade (rules 6.3.6); never where barred (rules 6.4.1.7)."""
    if s.destroyed[province] == 1 or s.barred[seat, province] == 1 or figures_in_reach(s, seat, province) == 0:
        return False
    return s.pillaged[province] == 0 or hooks.may_pillage_again(s, seat)


@rule
def mask_action(s: State) -> None:
    """PASS; FIGURE_AT to invade; MARCH; CARD for an upgrade or a quest; PROVINCE to pillage; actions of upgrades."""
    seat = int(s.seat)
    s.mask[PASS] = 1
    mask_invades(s, seat)
    mask_marches(s, seat)
    mask_cards(s, seat)
    reach = provinces_in_reach(places_of_clan(s, seat))
    while reach != 0:
        province = lowest_bit(reach)
        reach &= reach - 1
        if can_pillage(s, seat, province):
            s.mask[PROVINCE + province] = 1
    if hooks.may_sacrifice(s, seat):
        s.mask[SACRIFICE] = 1
    if hooks.may_raise_dead(s, seat) and can_invade_from(s, seat, Place.VALHALLA):
        s.mask[RAISE_DEAD] = 1


@rule
def mask_cards(s: State, seat: int) -> None:
    """Quests of the hand, and upgrades that can be paid (rules 3.2.7, 3.2.8)."""
    for start in range(0, NUM_CARDS, WORD):
        held = set_bits(s.hand[seat], start)
        while held != 0:
            card = start + lowest_bit(held)
            held &= held - 1
            if TYPE[card] == CardType.QUEST:
                s.mask[CARD + card] = 1
            elif IS_UPGRADE[card] and hooks.upgrade_price(s, seat, card) <= s.rage[seat]:
                s.mask[CARD + card] = 1


@rule
def mask_invades(s: State, seat: int) -> None:
    """Figures of the reserve, where they can go and that can be paid (rules 3.2.5)."""
    for kind in range(NUM_KINDS):
        if s.figures[seat, kind, Place.RESERVE] > 0:
            places = invade_places(s, seat, kind)
            while places != 0:
                place = lowest_bit(places)
                places &= places - 1
                if hooks.invade_price(s, seat, kind, place) <= s.rage[seat]:
                    s.mask[figure_at(kind, place)] = 1


@rule
def mask_marches(s: State, seat: int) -> None:
    """From a province with figures that can move to another one with room (rules 3.2.6)."""
    targets = open_provinces(s)
    places = places_of_clan(s, seat)
    for origin in range(NUM_PROVINCES):
        if places >> origin & 1:
            for target in range(NUM_PROVINCES):
                if target != origin:
                    s.mask[MARCH_ID[origin, target]] = targets >> target & 1


@rule
def apply_action(s: State, seat: int, action: int) -> None:
    """Pay, then act (rules 3.2.1)."""
    if action == PASS:
        set_rage(s, seat, 0)
        s.passed[seat] = 1
    elif action == SACRIFICE:
        hooks.begin_sacrifice(s, seat)
    elif action == RAISE_DEAD:
        hooks.begin_raise_dead(s, seat)
    elif action >= MARCH:
        gain_rage(s, seat, -MARCH_PRICE)
        begin_march(s, seat, MARCH_FROM[action - MARCH], MARCH_TO[action - MARCH])
    elif action >= FIGURE_AT:
        kind = (action - FIGURE_AT) // NUM_BOARD
        place = (action - FIGURE_AT) % NUM_BOARD
        gain_rage(s, seat, -hooks.invade_price(s, seat, kind, place))
        invade(s, seat, kind, Place.RESERVE, place)
    elif action >= CARD:
        card = action - CARD
        if TYPE[card] == CardType.QUEST:
            commit_quest(s, seat, card)
        else:
            begin_upgrade(s, seat, card)
    else:
        gain_rage(s, seat, -hooks.pillage_price(s, action - PROVINCE))
        begin_pillage(s, seat, action - PROVINCE)
