"""The analyst of Blood Rage, and the texts and pages that show its results."""

from typing import Final

from bloodrage_env.games.bloodrage.notation.questions import answer_text
from bloodrage_env.games.bloodrage.render.replay_page import page_data, replay_page
from bloodrage_env.games.bloodrage.render.study_data import study_data
from bloodrage_env.games.bloodrage.terminal.study_text import study_lines
from bloodrage_env.study import Studied

from .analysis import Analyst

STUDIED: Final = Studied(Analyst.of, answer_text, study_lines, replay_page, page_data, study_data)
