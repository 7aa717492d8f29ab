"""Hashes of a game's behaviour over seeded random games, equal for compiled and plain Python."""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from ..compile.decorators import Records
from .tables import Block


def behaviour_hash(games: int, facts: Callable[[int], Iterable[npt.ArrayLike]], dtype: str) -> str:
    """Return sixteen hex digits over the integers of `facts` for each game, written as `dtype`."""
    digest = hashlib.sha256()
    for game in range(games):
        for part in facts(game):
            digest.update(np.asarray(part, dtype=dtype).tobytes())
    return digest.hexdigest()[:16]


def first_numbers(blocks: Sequence[Block], starts: Mapping[str, int]) -> npt.NDArray[np.int64]:
    """Return int64[num_actions], the number of each action id before ids were reserved.

    `starts` contains the former starts of blocks that have moved since.
    """
    return np.concatenate([starts.get(each.name, each.start) + np.arange(each.size) for each in blocks])


def seeded_actions(
    states: Records, apply: Callable[[Records, int, int], int], seed: int, max_decisions: int
) -> list[int]:
    """Play game 0 at random to its end. Return the actions."""
    mask = states["mask"][0]
    actions: list[int] = []
    word = seed
    while len(actions) <= max_decisions:
        legal = mask.nonzero()[0]
        if len(legal) == 0:
            break
        word = (word * 6364136223846793005 + 1442695040888963407) & 0xFFFFFFFFFFFFFFFF  # Knuth's MMIX
        actions.append(int(legal[(word >> 32) % len(legal)]))
        apply(states, 0, actions[-1])
    return actions
