"""Why a move or an action of a card is not legal, by rule; for what a model is told of its answer."""

import numpy as np

from .. import engine
from ..engine import Act, Decision, Effect, States
from ..notation.words import card_name, cell_name, is_turned


def why(known: States, seat: int, action: int) -> str:
    """Return why an action is not legal for the seat that is asked, "" if no rule is known."""
    s = known[0]
    if s.decision == Decision.BUY and engine.CARD <= action < engine.CARD + engine.CARD_CAPACITY:
        return _buy(s, seat, action - engine.CARD)
    if s.decision == Decision.MAIN and engine.MOVE <= action < engine.CELL:
        return _card(s, seat, action)
    if s.decision == Decision.PLACE and engine.CELL <= action < engine.CELL + engine.NUM_CELLS:
        return "a card is placed in a free cell of the own half, the middle cells first (rules 2.5)"
    return ""


def _buy(s: np.record, seat: int, card: int) -> str:
    if not s.deal[seat, card]:
        return f"{engine.TITLE[card]} is not in your deal (rules 2.4)"
    last = max(np.flatnonzero(s.squad[seat]).tolist(), default=engine.NONE)
    if card < last:
        return f"{engine.TITLE[card]} comes before {engine.TITLE[last]}, and cards are bought in that order (rules 9.2)"
    if s.squad[seat, card] >= s.deal[seat, card]:
        return f"you have bought each {engine.TITLE[card]} of your deal (rules 2.4)"
    return f"{engine.TITLE[card]} can't be paid, or is unique and bought already (rules 2.4)"


def _card(s: np.record, seat: int, action: int) -> str:
    """Why a card does not move or act."""
    moves = action < engine.ACT
    number, what = divmod(
        action - (engine.MOVE if moves else engine.ACT), engine.NUM_DIRECTIONS if moves else engine.NUM_ACTS
    )
    slot = seat * engine.SQUAD + number
    if s.card[slot] == engine.NONE or s.cell[slot] == engine.NONE:
        return "no card of yours is in this slot"
    name = card_name(s, slot, seat)
    if s.closed[slot]:
        return f"{name} is closed (rules 3.3)"
    if not moves and s.strikes[slot] and engine.EFFECTS[Effect.SECOND_STRIKE, s.card[slot]]:
        return f"{name} has acted in this turn (rules 7.22)"
    if not moves:
        kind = "target for a strike" if what == Act.STRIKE else "such ability, or no target or tokens for it"
        return f"{name} has no {kind} (rules 3.5)"
    if not s.moves[slot]:
        return f"{name} has no movement left (rules 3.4)"
    cell = engine.STEP[int(is_turned(s, seat)), what, s.cell[slot]]
    if cell == engine.OFF_BOARD:
        return f"{name} can't step there (rules 3.4)"
    if s.at[cell] != engine.NONE or s.bonfire[cell]:
        return f"{cell_name(int(cell))} is taken (rules 3.4)"
    return f"{name} has to strike a closed enemy first (rules 7.23)"
