"""The study of Berserk: what its analyst knows of the game, and the texts and pages that show its results."""

from functools import partial
from typing import Final

import numpy as np

from bloodrage_env.render.study_data import study_data
from bloodrage_env.study import Studied
from bloodrage_env.terminal.study_text import Words, study_lines

from ...analysis import Analyst, Parts, Terms
from .mode import LIFE, NONE, NUM_SEATS, NUM_TEAMS, SQUAD, Options, States
from .shown import PRESENTATION, action_text, page_data, replay_page

TURNS: Final = 2  # of both sides, the one under way included


def action_of(states: States, move: int) -> int:
    """Return the action of a move of the search, which is the move itself."""
    return move


def text_of(states: States, move: int) -> str:
    """Return a move of the search as text."""
    return action_text(states, 0, move)


def toll(games: States, team: int) -> Parts:
    """Return the life that the cards of a team have lost in each game, float64[N]: wounds, and the whole life of the
    dead.
    """
    lost = np.zeros(len(games))
    for seat in range(team, NUM_SEATS, NUM_TEAMS):
        slots = slice(seat * SQUAD, (seat + 1) * SQUAD)
        card = games["card"][:, slots]
        wounds = np.where(games["died"][:, slots] > 0, LIFE[card], games["wounds"][:, slots])
        lost += np.where(card == NONE, 0, wounds).sum(1)
    return lost


def dealt(games: States, seat: int) -> Parts:
    """Return the life that the enemy's cards have lost in each game, float64[N]."""
    return toll(games, (seat + 1) % NUM_TEAMS)


def suffered(games: States, seat: int) -> Parts:
    """Return the life that the own cards have lost in each game, float64[N]."""
    return toll(games, seat % NUM_TEAMS)


def turn(games: States, index: int) -> int:
    """Return the turn of a game, 0 before the battle."""
    return int(games[index].turn)


TERMS: Final = Terms(Options.game, action_of, text_of, dealt, suffered, turn, TURNS, PRESENTATION.secret)
WORDS: Final = Words(PRESENTATION, action_text, lambda states: f"turn {states[0].turn}", "life taken")
STUDIED: Final = Studied(
    partial(Analyst.of, TERMS),
    action_text,
    partial(study_lines, WORDS),
    replay_page,
    page_data,
    partial(study_data, action_text),
)
