"""What tells one set of rules from another: a version for people, a hash for tests."""

import hashlib
from collections.abc import Sequence
from typing import Final

import numpy as np

from .api import apply, reset
from .state import MAX_DECISIONS, STATE, States

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
    digest = hashlib.sha256()
    states = np.zeros(1, STATE)
    for game in range(games):
        numbers = options[game % len(options)]
        reset(states, 0, game, *numbers)
        actions = _play(states, game)
        parts = ((*numbers, len(actions)), actions, *(np.ravel(states[name][0]) for name in _FIELDS))
        for part in parts:
            digest.update(np.asarray(part, dtype="<i8").tobytes())
    return digest.hexdigest()[:16]


def _play(states: States, seed: int) -> list[int]:
    """Play to the end at random; returns the actions."""
    mask = states["mask"][0]
    actions: list[int] = []
    word = seed
    while len(actions) <= MAX_DECISIONS:
        legal = mask.nonzero()[0]
        if len(legal) == 0:
            break
        word = (word * 6364136223846793005 + 1442695040888963407) & 0xFFFFFFFFFFFFFFFF  # Knuth's MMIX
        actions.append(int(legal[(word >> 32) % len(legal)]))
        apply(states, 0, actions[-1])
    return actions
