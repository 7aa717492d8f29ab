"""The texts and pages of the team battle that its study uses (`berserk/shown.py`)."""

from bloodrage_env.games.berserk_team.notation import action_text as action_text
from bloodrage_env.games.berserk_team.presentation import PRESENTATION as PRESENTATION
from bloodrage_env.games.berserk_team.render.replay_page import page_data as page_data
from bloodrage_env.games.berserk_team.render.replay_page import replay_page as replay_page
