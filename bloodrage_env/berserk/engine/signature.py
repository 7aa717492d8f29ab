"""What tells one set of rules from another: a version for people, a hash for tests."""

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from ...core.signature import behaviour_hash, seeded_actions
from .api import apply, reset
from .state import MAX_DECISIONS, STATE

RULES_VERSION: Final = "1"  # of the rules as they are played here; replays of another version are refused

# What is left of a finished game. Named one by one, so that a new field or a wider one changes no hash.
_FIELDS: Final = (
    "over", "truncated", "decisions", "turn", "first", "roll_off", "deal_size", "deal", "squad", "card", "cell", "died",
    "by_enemy", "wounds", "closed", "poison", "tokens", "moves",
)  # fmt: skip


def behaviour_signature(games: int, options: Sequence[Sequence[int]]) -> str:
    """Sixteen hex digits over so many seeded random games, which take turns with the `options` (numbers of each).

    Only a change of rules may change it. Compiled and plain engine give the same hash.
    """
    states = np.zeros(1, STATE)

    def told(game: int) -> Iterator[npt.ArrayLike]:
        numbers = options[game % len(options)]
        reset(states, 0, game, *numbers)
        actions = seeded_actions(states, apply, game, MAX_DECISIONS)
        yield (*numbers, len(actions))
        yield actions
        yield from (np.ravel(states[name][0]) for name in _FIELDS)

    return behaviour_hash(games, told, "<i8")
