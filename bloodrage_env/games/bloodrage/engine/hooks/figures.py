"""What a figure counts as, its STR and what its Invade costs (rules 1.4, 3.2.5)."""

from typing import Final

import numpy as np

from .....core.compile.decorators import rule
from ..board import PLAIN_STRENGTH
from ..card_ids import NUM_CARDS, Card
from ..cards import EFFECTS, PRICE, STRENGTH, TYPE, Effect
from ..decks import has_set
from ..effects import kickstarter_monsters
from ..ids import NONE, NUM_KINDS, CardSet, CardType, Figure, God, Place, Purpose
from ..queries import card_of, god_stands
from ..state import State
from ..weighing import MOST_STRENGTH, STRENGTH_BITS

BY_PLACE: Final = -1  # the STR of a kind of figure of a clan depends on its place
_UNEQUAL: Final = 1 << NUM_KINDS * STRENGTH_BITS  # the same, of one kind

# By kind and card, NONE first: the STR of one figure in the bits of its kind, or _UNEQUAL; and by card what a pair of
# warriors has in addition.
if STRENGTH.max() > MOST_STRENGTH:
    raise RuntimeError(f"cards.csv has a STR beyond {MOST_STRENGTH}")
_STRENGTHS = np.zeros((NUM_KINDS, NUM_CARDS + 1), dtype=np.int64)
_PAIR_MORE = np.zeros(NUM_CARDS + 1, dtype=np.int64)
_paired = EFFECTS[Effect.PAIR_STRENGTH] > 0
_PAIR_MORE[1:][_paired] = (EFFECTS[Effect.PAIR_STRENGTH] - 2 * STRENGTH)[_paired]
for _kind in range(NUM_KINDS):
    _STRENGTHS[_kind] = np.append(PLAIN_STRENGTH[_kind], STRENGTH) << _kind * STRENGTH_BITS
    _STRENGTHS[_kind, 1:][EFFECTS[Effect.YGGDRASIL_STRENGTH] > 0] = _UNEQUAL
    if _kind != Figure.WARRIOR:
        _STRENGTHS[_kind, 1:][_paired] = _UNEQUAL


@rule
def is_leader(s: State, seat: int, kind: int) -> bool:
    """Leaders, and the monster that is one as well (rules 6.4.3.2)."""
    return kind == Figure.LEADER or card_of(s, seat, kind) == Card.MOUNTAIN_GIANT


@rule
def is_monster(s: State, seat: int, kind: int) -> bool:
    """Whether figures of a kind are monsters."""
    card = card_of(s, seat, kind)
    return card != NONE and TYPE[card] == CardType.MONSTER


@rule
def is_ship(s: State, seat: int, kind: int) -> bool:
    """Ships, and the monster that is one in all ways (rules 6.3.13)."""
    return kind == Figure.SHIP or card_of(s, seat, kind) == Card.SEA_SERPENT


@rule
def is_mystic(s: State, seat: int, kind: int) -> bool:
    """Mystics, whichever card has brought them (rules 6.4.4.3); the Mystic Troll is none (rules 6.4.1.4)."""
    return kind == Figure.MYSTIC


@rule
def printed_strength(s: State, seat: int, kind: int) -> int:
    """The STR printed for one figure of a kind: on its card, or on the clan sheet (rules 1.4)."""
    card = card_of(s, seat, kind)
    return int(PLAIN_STRENGTH[kind]) if card == NONE else int(STRENGTH[card])


@rule
def strength(s: State, seat: int, kind: int, count: int, place: int, purpose: int) -> int:
    """STR of `count` figures of a kind, together in a place, for a `Purpose` (rules 1.4, 6.3.13 to 6.3.15).

    Some upgrades count warriors in pairs, some monsters are stronger in Yggdrasil. In a battle of Tyr's no figure
    counts, in one of the Wolfman's none but monsters (rules 6.4.5.10, 6.4.3.5).
    """
    if purpose == Purpose.BATTLE:
        if god_stands(s, God.TYR, place):
            return 0
        if kickstarter_monsters.wolfman_fights(s, place) and not is_monster(s, seat, kind):
            return 0
    card = card_of(s, seat, kind)
    if card != NONE:
        if place == Place.YGGDRASIL and EFFECTS[Effect.YGGDRASIL_STRENGTH, card] > 0:
            return count * int(EFFECTS[Effect.YGGDRASIL_STRENGTH, card])
        if EFFECTS[Effect.PAIR_STRENGTH, card] > 0:
            return count // 2 * int(EFFECTS[Effect.PAIR_STRENGTH, card]) + count % 2 * int(STRENGTH[card])
    return count * printed_strength(s, seat, kind)


@rule
def strength_by_kind(s: State, seat: int) -> int:
    """The STR of one figure of each kind in a battle, as `weigh` takes it; BY_PLACE if a kind has several."""
    if has_set(s, CardSet.KS) or has_set(s, CardSet.GODS):
        return BY_PLACE
    found = 0
    for kind in range(NUM_KINDS):
        found |= _STRENGTHS[kind, card_of(s, seat, kind) + 1]
    return found if found < _UNEQUAL else BY_PLACE


@rule
def pair_strength(s: State, seat: int) -> int:
    """What two warriors of a clan in one place have in addition to the STR of each (rules 6.3.15)."""
    return int(_PAIR_MORE[card_of(s, seat, Figure.WARRIOR) + 1])


@rule
def may_invade_yggdrasil(s: State, seat: int, kind: int) -> bool:
    """Only a figure with a STR of its own there (rules 6.3.14)."""
    card = card_of(s, seat, kind)
    return card != NONE and EFFECTS[Effect.YGGDRASIL_STRENGTH, card] > 0


@rule
def invade_price(s: State, seat: int, kind: int, place: int) -> int:
    """Rage to invade a place with a figure of the reserve: its printed STR, but leaders and Mystics are free and a
    monster costs what its card says; none beside the Mystic Troll (rules 1.4, 3.2.5, 6.3.14, 6.3.15, 6.3.19, 6.4.3.6,
    6.4.4.1).
    """
    if is_leader(s, seat, kind) or is_mystic(s, seat, kind) or kickstarter_monsters.mystic_troll_pays(s, seat, place):
        return 0
    if is_monster(s, seat, kind):
        return int(PRICE[card_of(s, seat, kind)])
    return printed_strength(s, seat, kind)
