"""Why an action of a turn is not legal, by rule; for what a model is told of its answer."""

import numpy as np

from .. import engine
from ..engine import CardType, Decision, Figure, Place, Stat, States
from ..notation.words import FJORDS, PLACES, PROVINCES, face, kind_name, rage_price


def why(known: States, seat: int, action: int) -> str:
    """Return why an action is not legal for the seat that is asked (rules 3.2), "" if no rule is known."""
    s = known[0]
    if s.decision == Decision.DRAFT and engine.CARD <= action < engine.CARD + engine.NUM_CARDS:
        return f"{face(action - engine.CARD)} is not in the pack, or another copy has to be kept first"
    if engine.CARD <= action < engine.CARD + engine.NUM_CARDS and not s.hand[seat, action - engine.CARD]:
        return f"{face(action - engine.CARD)} is not in your hand"
    if s.decision != Decision.ACTION:
        return ""
    if action >= engine.MARCH:
        found = _march(s, seat, action - engine.MARCH)
    elif action >= engine.FIGURE_AT:
        return _invade(known, seat, action)
    elif action >= engine.CARD:
        found = _card(action - engine.CARD)
    elif action >= engine.PROVINCE:
        found = _pillage(s, seat, action - engine.PROVINCE)
    else:
        found = ""
    return found if found or action < engine.PROVINCE else _price(known, seat, action)


def _price(known: States, seat: int, action: int) -> str:
    price, rage = engine.price_of(known, 0, action), known[0].rage[seat]
    return f"it costs {rage_price(price)}, and you have {rage} (rules 3.2)" if price > rage else ""


def _march(s: np.record, seat: int, offset: int) -> str:
    origin, goal = int(engine.MARCH_FROM[offset]), int(engine.MARCH_TO[offset])
    if not s.figures[seat, :, origin].any():
        return f"you have no figure in {PROVINCES[origin]} (rules 3.2.6)"
    return _full(s, goal, "3.2.6")


def _invade(known: States, seat: int, action: int) -> str:
    s = known[0]
    kind, place = divmod(action - engine.FIGURE_AT, engine.NUM_BOARD)
    fjord, name = place - engine.FIRST_FJORD, kind_name(s, seat, kind)
    if not s.figures[seat, kind, Place.RESERVE]:
        return f"no {name} is in your reserve (rules 3.2.5)"
    unfit = "nobody invades Yggdrasil" if place == Place.YGGDRASIL else f"the {name} goes to fjords only"
    unfit = f"{f'only ships go to {PLACES[place]}' if fjord >= 0 else unfit} (rules 3.2.5)"
    fits = place != Place.YGGDRASIL and (kind == Figure.SHIP) == (fjord >= 0)
    if not fits and engine.TYPE_OF_KIND[kind] != CardType.MONSTER:
        return unfit
    if fjord >= 0 and s.destroyed[2 * fjord : 2 * fjord + 2].all():
        return f"{FJORDS[fjord]} are destroyed (rules 3.2.5)"
    horns = engine.STAT_VALUE[Stat.HORNS, s.stat_step[seat, Stat.HORNS]]
    if s.on_board[seat] >= horns:  # before villages, since a Mystic of Odin's Chosen needs none that is empty
        return f"you have {s.on_board[seat]} figures on the board, and Horns {horns} (rules 3.2.5)"
    full = _full(s, place, "3.2.5") if fjord < 0 else ""
    return full or _price(known, seat, action) or unfit  # where monsters go is a matter of their cards


def _full(s: np.record, place: int, rule: str) -> str:
    """Why no figure can go to a province."""
    if s.destroyed[place]:
        return f"{PROVINCES[place]} is destroyed (rules {rule})"
    full = engine.VILLAGES[place] != engine.UNLIMITED and s.occupied[place] >= engine.VILLAGES[place]
    return f"{PROVINCES[place]} has no empty village (rules {rule})" if full else ""


def _card(card: int) -> str:
    if engine.TYPE[card] == CardType.QUEST or engine.IS_UPGRADE[card]:
        return ""
    return f"{face(card)} is a battle card, which is played in a battle (rules 4)"


def _pillage(s: np.record, seat: int, province: int) -> str:
    if s.destroyed[province]:
        return f"{PROVINCES[province]} is destroyed (rules 3.2.9)"
    if s.pillaged[province]:
        return f"{PROVINCES[province]} is pillaged already in this Age (rules 3.2.9)"
    if s.barred[seat, province]:
        return f"you may not pillage {PROVINCES[province]} again now (rules 6.4.1.7)"
    return f"you have no figure in {PROVINCES[province]} and no ship beside it (rules 3.2.9)"
