"""Why an action of a turn is not legal, by rule; for what a model is told of its answer."""

import numpy as np

from .. import engine
from ..engine import CardType, Decision, Place, States
from ..notation.words import PLACES, PROVINCES, face, kind_name, rage_price


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
        found = _invade(s, seat, action - engine.FIGURE_AT)
    elif action >= engine.CARD:
        found = _card(action - engine.CARD)
    elif action >= engine.PROVINCE:
        found = _pillage(s, seat, action - engine.PROVINCE)
    else:
        found = ""
    if found or action < engine.PROVINCE:
        return found
    price = engine.price_of(known, 0, action)
    return f"it costs {rage_price(price)}, and you have {s.rage[seat]} (rules 3.2)" if price > s.rage[seat] else ""


def _march(s: np.record, seat: int, offset: int) -> str:
    origin, goal = int(engine.MARCH_FROM[offset]), int(engine.MARCH_TO[offset])
    if not s.figures[seat, :, origin].any():
        return f"you have no figure in {PROVINCES[origin]} (rules 3.2.6)"
    return _full(s, goal, "3.2.6")


def _invade(s: np.record, seat: int, offset: int) -> str:
    kind, place = divmod(offset, engine.NUM_BOARD)
    if not s.figures[seat, kind, Place.RESERVE]:
        return f"no {kind_name(s, seat, kind)} is in your reserve (rules 3.2.5)"
    if place == Place.YGGDRASIL:
        return "nobody invades Yggdrasil (rules 3.2.5)"
    if engine.FIRST_FJORD <= place < engine.NUM_BOARD:
        return f"only ships go to {PLACES[place]} (rules 3.2.5)"
    return _full(s, place, "3.2.5")


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
