"""What tells one set of rules from another: a version for people, a hash for tests."""

import hashlib
from typing import Final

import numpy as np

from .api import apply, new_game, reset
from .state import MAX_DECISIONS, States

RULES_VERSION: Final = "2"  # of the rules as they are played here; replays of another version are refused

# What everybody sees of a finished game. Named one by one, so that a new field or a wider one changes no hash.
_PUBLIC_FIELDS: Final = (
    "age", "phase", "first_player", "over", "truncated", "decisions", "stat_step", "rage", "glory", "glory_from",
    "passed", "upgrades", "figures", "token", "pillaged", "destroyed", "ragnarok", "hand_size", "discards",
)  # fmt: skip


def behaviour_signature(games: int = 1000) -> str:
    """Sixteen hex digits over so many seeded random games: their options, every action, the final records.

    Only a change of rules may change it. Games of two, three and four players alternate; every fourth is a
    first game, every eighth asks every question. Compiled and plain engine give the same hash.
    """
    digest = hashlib.sha256()
    states = new_game(0, 2)
    for game in range(games):
        options = (2 + game % 3, int(game % 4 == 3), int(game % 8 != 7))
        reset(states, 0, game, options[0], bool(options[1]), bool(options[2]))
        actions = _play(states, game)
        for part in ((*options, len(actions)), actions, *(states[name].ravel() for name in _PUBLIC_FIELDS)):
            digest.update(np.asarray(part, dtype="<i4").tobytes())
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
