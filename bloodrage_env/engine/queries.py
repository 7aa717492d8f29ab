"""Questions that several chapters ask about a position; nothing here changes it."""

from ..core.compiled import rule
from .board import FJORD_OF, UNLIMITED, VILLAGES
from .cards import EFFECTS, PRICE, STRENGTH, Effect
from .ids import (
    FIRST_FJORD,
    NONE,
    NUM_KINDS,
    NUM_OUTER,
    NUM_SLOTS,
    Figure,
    Place,
    Slot,
    Stat,
)
from .primitives import monster_card, stat_value
from .state import State

LEADER_STRENGTH = 3
WARRIOR_STRENGTH = 1
SHIP_STRENGTH = 2


@rule
def room(s: State, place: int) -> int:
    """Empty villages of a place; Yggdrasil and the fjords have no limit (rules 1.2, 1.3)."""
    if VILLAGES[place] == UNLIMITED:
        return UNLIMITED
    return int(VILLAGES[place]) - int(s.occupied[place])


@rule
def fjord_in_use(s: State, fjord: int) -> bool:
    """A fjord works while one of its two provinces stands (rules 2.3)."""
    first = (fjord - FIRST_FJORD) * 2
    return s.destroyed[first] == 0 or s.destroyed[first + 1] == 0


@rule
def horns_free(s: State, seat: int) -> bool:
    """Whether the Horns allow one more figure on the board (rules 3.2.5)."""
    return s.on_board[seat] < stat_value(s, seat, Stat.HORNS)


@rule
def has_fjord(province: int) -> bool:
    """Whether a province has a supporting fjord: all but Yggdrasil (rules 6.1.8)."""
    return province < NUM_OUTER


@rule
def figures_of_kind(s: State, seat: int, kind: int, province: int) -> int:
    """Figures of a kind in a province and in its supporting fjord."""
    count = int(s.figures[seat, kind, province])
    if has_fjord(province):
        count += int(s.figures[seat, kind, FJORD_OF[province]])
    return count


@rule
def figures_in_reach(s: State, seat: int, province: int) -> int:
    """Figures of a clan in a province and in its supporting fjord: those that fight there (rules 4.3)."""
    count = 0
    for kind in range(NUM_KINDS):
        count += figures_of_kind(s, seat, kind, province)
    return count


@rule
def warrior_strength(s: State, seat: int) -> int:
    """Printed STR of one warrior (rules 1.4, 6.3.15)."""
    card = s.upgrades[seat, Slot.WARRIOR]
    return WARRIOR_STRENGTH if card == NONE else int(STRENGTH[card])


@rule
def warriors_strength(s: State, seat: int, count: int) -> int:
    """STR of the warriors of one province together; some upgrades count them in pairs (rules 6.3.15)."""
    card = s.upgrades[seat, Slot.WARRIOR]
    if card != NONE and EFFECTS[Effect.PAIR_STRENGTH, card] > 0:
        return int(count // 2 * EFFECTS[Effect.PAIR_STRENGTH, card] + count % 2 * STRENGTH[card])
    return count * warrior_strength(s, seat)


@rule
def figure_strength(s: State, seat: int, kind: int, place: int) -> int:
    """STR of one figure of a kind in a place; for warriors the printed one."""
    if kind == Figure.WARRIOR:
        return warrior_strength(s, seat)
    if kind == Figure.LEADER:
        card = s.upgrades[seat, Slot.LEADER]
        return LEADER_STRENGTH if card == NONE else int(STRENGTH[card])
    if kind == Figure.SHIP:
        card = s.upgrades[seat, Slot.SHIP]
        return SHIP_STRENGTH if card == NONE else int(STRENGTH[card])
    card = monster_card(s, seat, kind)
    if card == NONE:
        return 0
    if place == Place.YGGDRASIL and EFFECTS[Effect.YGGDRASIL_STRENGTH, card] > 0:
        return int(EFFECTS[Effect.YGGDRASIL_STRENGTH, card])
    return int(STRENGTH[card])


@rule
def clan_strength(s: State, seat: int, province: int) -> int:
    """Total STR of a clan's figures in a province and in its supporting fjord (rules 3.4, 4.3)."""
    total = warriors_strength(s, seat, int(s.figures[seat, Figure.WARRIOR, province]))
    for kind in range(NUM_KINDS):
        if kind != Figure.WARRIOR:
            count = figures_of_kind(s, seat, kind, province)
            if count > 0:
                total += count * figure_strength(s, seat, kind, province)
    return total


@rule
def upgrade_sum(s: State, seat: int, effect: int) -> int:
    """A number of card texts, summed over the upgrades of a clan: two of a kind both count (rules 3.2.7)."""
    total = 0
    for slot in range(NUM_SLOTS):
        card = s.upgrades[seat, slot]
        if card != NONE:
            total += int(EFFECTS[effect, card])
    return total


@rule
def invade_price(s: State, seat: int, kind: int) -> int:
    """Rage to invade with a figure: its printed STR, but a leader is free and a monster costs what its card says
    (rules 1.4, 3.2.5, 6.3.14, 6.3.15, 6.3.19).
    """
    if kind == Figure.LEADER:
        return 0
    if kind == Figure.WARRIOR or kind == Figure.SHIP:
        return figure_strength(s, seat, kind, Place.RESERVE)
    card = monster_card(s, seat, kind)
    return 0 if card == NONE else int(PRICE[card])


@rule
def strongest_alone(s: State, seat: int, province: int) -> bool:
    """Whether a clan has strictly the most STR in a province that stands (rules 3.4)."""
    if s.destroyed[province] == 1:
        return False
    own = clan_strength(s, seat, province)
    if own == 0:
        return False
    for other in range(s.num_players):
        if other != seat and clan_strength(s, other, province) >= own:
            return False
    return True
