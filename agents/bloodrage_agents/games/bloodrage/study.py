"""The study of Blood Rage: what its analyst knows of the game, and the texts and pages that show its results."""

from functools import partial
from typing import Final

import numpy as np

from bloodrage_env.games.bloodrage.engine import CARD, NUM_ACTIONS, NUM_CARDS, TYPE, CardType, Place, States
from bloodrage_env.games.bloodrage.notation.questions import answer_text
from bloodrage_env.games.bloodrage.options import Options
from bloodrage_env.games.bloodrage.presentation import PRESENTATION
from bloodrage_env.games.bloodrage.render.replay_page import page_data, replay_page
from bloodrage_env.render.study_data import study_data
from bloodrage_env.study import Studied
from bloodrage_env.terminal.study_text import Words, study_lines

from ...analysis import Analyst, Parts, Terms

HIDDEN: Final = "commit to a quest"


def action_of(states: States, move: int) -> int | None:
    """Return the action of a move of the search. NUM_ACTIONS stands for any quest of another clan."""
    if move < NUM_ACTIONS:
        return move
    cards = np.flatnonzero(states[0].mask[CARD : CARD + NUM_CARDS]).tolist()
    quests = [card for card in cards if TYPE[card] == CardType.QUEST]
    return CARD + quests[0] if quests else None


def text_of(states: States, move: int) -> str:
    """Return a move of the search as text, without which quest another clan commits to."""
    return answer_text(states, 0, move) if move < NUM_ACTIONS else HIDDEN


def glory(games: States, seat: int) -> Parts:
    """Return the glory of a seat in each game, float64[N]."""
    return np.asarray(games["glory"][:, seat], np.float64)


def fallen(games: States, seat: int) -> Parts:
    """Return how many figures of a seat are in Valhalla, float64[N]."""
    return np.asarray(games["figures"][:, seat, :, Place.VALHALLA].sum(1, dtype=np.float64))


def age(games: States, index: int) -> int:
    """Return the Age of a game."""
    return int(games[index].age)


def is_at_once(states: States) -> bool:
    """Return whether all clans answer the open question at the same time, face down."""
    return PRESENTATION.at_once(states) is not None


TERMS: Final = Terms(Options.game, action_of, text_of, glory, fallen, age, 1, is_at_once)
WORDS: Final = Words(PRESENTATION, answer_text, lambda states: f"Age {states[0].age + 1}", "glory")
STUDIED: Final = Studied(
    partial(Analyst.of, TERMS),
    answer_text,
    partial(study_lines, WORDS),
    replay_page,
    page_data,
    partial(study_data, answer_text),
)
