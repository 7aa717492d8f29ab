"""The settings of Blood Rage for training."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from bloodrage_agents.games.bloodrage.compiled.forward import FORWARD
from bloodrage_agents.games.bloodrage.compiled.heuristics import choose_many
from bloodrage_agents.games.bloodrage.compiled.weights import STYLES
from bloodrage_agents.games.bloodrage.table import AGENTS
from bloodrage_env.games.bloodrage.engine import MAX_SEATS
from bloodrage_env.games.bloodrage.game import GAME
from bloodrage_env.games.bloodrage.options import Options

from ...learn.learnable import Learnable
from .mirror import MIRROR

FIVE_PLAYERS: Final = "p5"  # the set that games of five need


def options_of(num_players: int, sets: Sequence[str]) -> Options:
    """Return the options of a game with these card sets."""
    return Options(num_players, sets=tuple(sets))


def needed_sets(num_players: int) -> Sequence[str]:
    """Return FIVE_PLAYERS for games of five."""
    return (FIVE_PLAYERS,) if num_players == MAX_SEATS else ()


def draw_options(num_players: int, sets: Sequence[str], chance: float, rng: np.random.Generator) -> Options:
    """Return the options of a game with random card sets. FIVE_PLAYERS is drawn in games of five only."""
    chosen = [name for name in sets if name != FIVE_PLAYERS and rng.random() < chance]
    return Options(num_players, sets=(*chosen, *needed_sets(num_players)))


LEARNABLE: Final = Learnable(
    GAME,
    FORWARD,
    STYLES,
    choose_many,
    AGENTS.held_out,
    AGENTS.baselines,
    options_of,
    needed_sets,
    draw_options,
    mirror=MIRROR,
)
