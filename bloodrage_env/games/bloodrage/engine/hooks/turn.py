"""What a clan may do in its turn and what it pays; what an Invade sets off (rules 3.2, 6.3.2)."""

from .....core.compile.decorators import rule
from ..card_ids import Card
from ..cards import PRICE, Effect
from ..ids import NONE, NUM_OUTER, NUM_PROVINCES, CardType, Decision, Figure, Place, Routine
from ..primitives import gain_rage, has_upgrade
from ..queries import card_of, horns_free, room, upgrade_sum
from ..stack import ask, clockwise, push, put
from ..state import Frame, State
from .figures import is_monster, is_mystic

CHALLENGE_PRICE = 2  # rules 6.3.6
RAISE_DEAD_PRICE = 1  # rules 6.3.7
FREE_PILLAGE_PRICE = 2  # rules 6.3.4


@rule
def upgrade_price(s: State, seat: int, card: int) -> int:
    """Rage to play an upgrade, never below 0 (rules 3.2.7, 6.3.19)."""
    return max(0, int(PRICE[card]) - upgrade_sum(s, seat, Effect.DISCOUNT))


@rule
def may_pillage_again(s: State, seat: int) -> bool:
    """Tyr's Challenge: pillage where the token is taken (rules 6.3.6)."""
    return has_upgrade(s, seat, Card.TYRS_CHALLENGE, CardType.CLAN) and s.rage[seat] >= CHALLENGE_PRICE


@rule
def pillage_price(s: State, province: int) -> int:
    """Rage for the action Pillage: none, unless the token is taken (rules 3.2.9, 6.3.6)."""
    return CHALLENGE_PRICE if s.pillaged[province] == 1 else 0


@rule
def may_sacrifice(s: State, seat: int) -> bool:
    """Frigga's Sacrifice: two own figures on the board (rules 6.3.8)."""
    return has_upgrade(s, seat, Card.FRIGGAS_SACRIFICE, CardType.CLAN) and s.on_board[seat] >= 2


@rule
def begin_sacrifice(s: State, seat: int) -> None:
    """The action of Frigga's Sacrifice is free (rules 6.3.8)."""
    push(s, Routine.SACRIFICE, seat, NONE)


@rule
def may_raise_dead(s: State, seat: int) -> bool:
    """Frigga's Domain: an Invade from Valhalla (rules 6.3.7)."""
    return has_upgrade(s, seat, Card.FRIGGAS_DOMAIN, CardType.CLAN) and s.rage[seat] >= RAISE_DEAD_PRICE


@rule
def begin_raise_dead(s: State, seat: int) -> None:
    """Pay for the action of Frigga's Domain; which figure invades, and where, is asked next (rules 6.3.7)."""
    gain_rage(s, seat, -RAISE_DEAD_PRICE)
    ask(s, Decision.RAISE_DEAD, seat, NONE, NONE, NONE)


# ---- an Invade, and what follows it (rules 3.2.5, 6.3.2)


@rule
def next_victim(s: State, seat: int, province: int, first: int) -> int:
    """Of the clans that sit `first` places to the left or more, how far the next one is that has a warrior or a Mystic
    in the province; the number of players if there is none (rules 6.4.4.9).
    """
    offset = first
    while offset < s.num_players:
        clan = clockwise(s, seat, offset)
        if s.figures[clan, Figure.WARRIOR, province] > 0 or s.figures[clan, Figure.MYSTIC, province] > 0:
            return offset
        offset += 1
    return offset


@rule
def may_take_village(s: State, seat: int, kind: int, province: int) -> bool:
    """Odin's Chosen: a Mystic may invade an outer province where it can destroy a figure (rules 6.4.4.9)."""
    return (
        province < NUM_OUTER
        and is_mystic(s, seat, kind)
        and has_upgrade(s, seat, Card.ODINS_CHOSEN, CardType.CLAN)
        and next_victim(s, seat, province, 1) < s.num_players
    )


@rule
def begin_take_village(s: State, seat: int, kind: int, origin: int, province: int) -> None:
    """Before the Mystic arrives it is asked whom it destroys (rules 6.4.4.10)."""
    push(s, Routine.TAKE_VILLAGE, seat, province)
    put(s, Frame.KIND, kind)
    put(s, Frame.ORIGIN, origin)
    put(s, Frame.VICTIMS, 1)


@rule
def kills_on_arrival(s: State, seat: int, kind: int) -> bool:
    """Whether an Invade with this figure kills others: Troll and Fire Giant (rules 6.3.11)."""
    card = card_of(s, seat, kind)
    return card == Card.TROLL or card == Card.FIRE_GIANT


@rule
def dies_on_arrival(s: State, seat: int, kind: int, victim: int, other: int) -> bool:
    """Whether such an Invade kills figures of kind `other` of another clan (rules 6.3.11)."""
    if card_of(s, seat, kind) == Card.TROLL:
        return other == Figure.WARRIOR
    return not is_monster(s, victim, other)


@rule
def may_succor(s: State, seat: int, place: int) -> bool:
    """Frigga's Succor: a warrior of the reserve follows into an outer province (rules 6.3.3)."""
    return (
        place < NUM_OUTER
        and has_upgrade(s, seat, Card.FRIGGAS_SUCCOR, CardType.CLAN)
        and s.figures[seat, Figure.WARRIOR, Place.RESERVE] > 0
        and horns_free(s, seat)
        and room(s, place) > 0
    )


@rule
def ask_follower(s: State, seat: int, place: int) -> bool:
    """Ask whether a figure follows the one that has invaded; True if there is a question (rules 6.3.3)."""
    if not may_succor(s, seat, place):
        return False
    ask(s, Decision.SUCCOR, seat, place, NONE, Figure.WARRIOR)
    return True


@rule
def may_pillage_freely(s: State, seat: int, place: int) -> bool:
    """Thor's Domain: a pillage right after an Invade, not for a clan that has passed (rules 3.2.3, 6.3.4)."""
    return (
        place < NUM_PROVINCES
        and has_upgrade(s, seat, Card.THORS_DOMAIN, CardType.CLAN)
        and s.passed[seat] == 0
        and s.rage[seat] >= FREE_PILLAGE_PRICE
        and s.pillaged[place] == 0
    )


@rule
def ask_free_pillage(s: State, seat: int, place: int) -> bool:
    """Ask whether the clan that has invaded pillages at once; True if there is a question (rules 6.3.4)."""
    if not may_pillage_freely(s, seat, place):
        return False
    ask(s, Decision.FREE_PILLAGE, seat, place, NONE, NONE)
    return True
