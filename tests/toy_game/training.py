"""What training needs of the game."""

from collections.abc import Sequence

import numpy as np

from bloodrage_training.learn.learnable import Learnable

from .agents import AGENTS
from .game import GAME, Options
from .network import FORWARD
from .styles import STYLES, choose_many


def options_of(num_players: int, sets: Sequence[str]) -> Options:
    return Options(num_players)


def needed_sets(num_players: int) -> Sequence[str]:
    return ()


def draw_options(num_players: int, sets: Sequence[str], chance: float, rng: np.random.Generator) -> Options:
    return Options(num_players)


LEARNABLE = Learnable(
    GAME,
    FORWARD,
    STYLES,
    choose_many,
    AGENTS.held_out,
    AGENTS.baselines,
    options_of,
    needed_sets,
    draw_options,
    {"players": (2, 6)},
)
