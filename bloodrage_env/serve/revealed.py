"""Whether an action reveals hidden information to a seat, found by dealing again what the seat does not know."""

from collections.abc import Iterable
from typing import Final

from ..core.compile.decorators import Records
from ..core.engine.game import Game

DEALS: Final = 8  # games that a seat cannot distinguish, in each of which the action is applied


def is_revealing(rules: Game, before: Records, action: int, seats: Iterable[int]) -> bool:
    """Return whether one of the seats learns something from an action that it could not foresee.

    What the seat knows after the action is compared with what it would know in `DEALS` games that it cannot
    distinguish from this one: other hidden cards, other dice.
    """
    after = rules.play.clone(before, 0)
    rules.play.apply(after, 0, action)
    for seat in seats:
        known = rules.hide(after, 0, seat).tobytes()
        for seed in range(DEALS):
            other = rules.redeal(before, 0, seat, seed)
            if not other[0].mask[action]:
                return True
            rules.play.apply(other, 0, action)
            if rules.hide(other, 0, seat).tobytes() != known:
                return True
    return False
