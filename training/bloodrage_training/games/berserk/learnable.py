"""The settings of Berserk for training."""

from collections.abc import Sequence
from types import MappingProxyType
from typing import Final

import numpy as np

from ...learn.learnable import Learnable
from .mode import AGENTS, FORWARD, GAME, LEAST_PLAYERS, NUM_SEATS, Options, choose_many


def options_of(num_players: int, sets: Sequence[str]) -> Options:
    """Return the options of a game. Raise ValueError for card sets: Berserk has none."""
    if sets:
        raise ValueError(f"there are no card sets, and no {', '.join(sets)}")
    return Options(num_players)


def needed_sets(num_players: int) -> Sequence[str]:
    """Return no card sets."""
    return ()


def draw_options(num_players: int, sets: Sequence[str], chance: float, rng: np.random.Generator) -> Options:
    """Return the options of a game. Each side has a random deck."""
    decks = Options.decks if rng.random() < 0.5 else Options.decks[::-1]
    return Options(num_players, decks=decks)


LEARNABLE: Final = Learnable(
    GAME,
    FORWARD,
    AGENTS.styles,
    choose_many,
    AGENTS.held_out,
    AGENTS.baselines,
    options_of,
    needed_sets,
    draw_options,
    MappingProxyType({"players": tuple(range(NUM_SEATS, LEAST_PLAYERS - 1, -1))}),
)
