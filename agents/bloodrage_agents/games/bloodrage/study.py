"""The study of Blood Rage: what its analyst knows of the game, and the texts and pages that show its results."""

from functools import partial
from typing import Final

import numpy as np

from bloodrage_env.games.bloodrage.engine import CARD, NUM_ACTIONS, NUM_CARDS, TYPE, CardType, Place, States
from bloodrage_env.games.bloodrage.notation.questions import answer_text
from bloodrage_env.games.bloodrage.options import Options
from bloodrage_env.games.bloodrage.render.replay_page import page_data, replay_page
from bloodrage_env.games.bloodrage.render.study_data import study_data
from bloodrage_env.games.bloodrage.terminal.study_text import study_lines
from bloodrage_env.study import Studied

from ...analysis import Analyst, Parts, Terms

HIDDEN: Final = "commit to a quest"


def choice(states: States, move: int) -> tuple[int | None, str]:
    """Return the action of a move of the search, and its text. NUM_ACTIONS stands for any quest of another clan."""
    if move < NUM_ACTIONS:
        return move, answer_text(states, 0, move)
    cards = np.flatnonzero(states[0].mask[CARD : CARD + NUM_CARDS]).tolist()
    quests = [card for card in cards if TYPE[card] == CardType.QUEST]
    return CARD + quests[0] if quests else None, HIDDEN


def glory(games: States, seat: int) -> Parts:
    """Return the glory of a seat in each game, float64[N]."""
    return np.asarray(games["glory"][:, seat], np.float64)


def fallen(games: States, seat: int) -> Parts:
    """Return how many figures of a seat are in Valhalla, float64[N]."""
    return np.asarray(games["figures"][:, seat, :, Place.VALHALLA].sum(1, dtype=np.float64))


TERMS: Final = Terms(Options.game, choice, glory, fallen)
STUDIED: Final = Studied(partial(Analyst.of, TERMS), answer_text, study_lines, replay_page, page_data, study_data)
