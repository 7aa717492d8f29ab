"""What several chapters ask about a position and no card bends; nothing here changes it."""

import numpy as np

from ....core.compile.decorators import rule
from ....core.engine.sparse import set_bits
from .board import ADJACENT, FJORD_OF, SLOT_OF_KIND, UNLIMITED, VILLAGES
from .cards import EFFECTS
from .ids import FIRST_FJORD, NONE, NUM_FJORDS, NUM_KINDS, NUM_OUTER, NUM_PLACES, NUM_PROVINCES, NUM_SLOTS, Stat
from .primitives import stat_value
from .state import State

# Places as bits: the provinces, the fjords shifted down to bit 0, and what each set of fjords supports (rules 1.3).
_PROVINCES = (1 << NUM_PROVINCES) - 1
_FJORDS = (1 << NUM_FJORDS) - 1
_SUPPORTED = np.array(
    [sum(1 << p for p in range(NUM_OUTER) if bits >> FJORD_OF[p] - FIRST_FJORD & 1) for bits in range(_FJORDS + 1)],
    np.int64,
)


@rule
def room(s: State, place: int) -> int:
    """Empty villages of a place; Yggdrasil and the fjords have no limit (rules 1.2, 1.3)."""
    if VILLAGES[place] == UNLIMITED:
        return UNLIMITED
    return int(VILLAGES[place]) - int(s.occupied[place])


@rule
def open_provinces(s: State) -> int:
    """The provinces that stand and have room, as bits."""
    found = 0
    for province in range(NUM_PROVINCES):
        found |= (int(s.destroyed[province] == 0) & int(room(s, province) > 0)) << province
    return found


@rule
def may_move_on(s: State, province: int, target: int) -> bool:
    """Whether a text may move a figure on from one province to another: adjacent, standing, with room (rules 6.3.16,
    6.4.4.7).
    """
    return ADJACENT[province, target] and s.destroyed[target] == 0 and room(s, target) > 0


@rule
def fjord_in_use(s: State, fjord: int) -> bool:
    """A fjord works while one of its two provinces stands (rules 2.3)."""
    first = (fjord - FIRST_FJORD) * 2
    return s.destroyed[first] == 0 or s.destroyed[first + 1] == 0


@rule
def god_stands(s: State, god: int, place: int) -> bool:
    """Whether a god stands in a province, in none of the fjords (rules 6.4.5.4, 6.4.5.7)."""
    return place < NUM_PROVINCES and s.god_in[place] == god


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
def places_of_kind(s: State, seat: int, kind: int) -> int:
    """The places where a clan has figures of a kind, as bits."""
    return set_bits(s.figures[seat], kind * NUM_PLACES) & (1 << NUM_PLACES) - 1


@rule
def places_of_clan(s: State, seat: int) -> int:
    """The places where a clan has figures, as bits."""
    found = 0
    for kind in range(NUM_KINDS):
        found |= places_of_kind(s, seat, kind)
    return found


@rule
def provinces_in_reach(places: int) -> int:
    """The provinces in which figures in these places fight, all as bits: their own, or those their fjord supports."""
    return places & _PROVINCES | _SUPPORTED[places >> FIRST_FJORD & _FJORDS]


@rule
def figures_in_reach(s: State, seat: int, province: int) -> int:
    """Figures of a clan in a province and in its supporting fjord: those that fight there (rules 4.3)."""
    count = 0
    for kind in range(NUM_KINDS):
        count += figures_of_kind(s, seat, kind, province)
    return count


@rule
def card_of(s: State, seat: int, kind: int) -> int:
    """The upgrade that has brought or changed a clan's figures of a kind, NONE for plain ones (rules 1.4)."""
    slot = SLOT_OF_KIND[kind]
    return NONE if slot == NONE else int(s.upgrades[seat, slot])


@rule
def upgrade_sum(s: State, seat: int, effect: int) -> int:
    """A number of card texts, summed over the upgrades of a clan: two of a kind both count (rules 3.2.7)."""
    total = 0
    for slot in range(NUM_SLOTS):
        card = s.upgrades[seat, slot]
        if card != NONE:
            total += int(EFFECTS[effect, card])
    return total
