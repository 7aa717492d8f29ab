"""The texts and pages of the game that its study uses. Each mode of Berserk has its own module `shown`."""

from bloodrage_env.games.berserk.notation import action_text as action_text
from bloodrage_env.games.berserk.presentation import PRESENTATION as PRESENTATION
from bloodrage_env.games.berserk.render.replay_page import page_data as page_data
from bloodrage_env.games.berserk.render.replay_page import replay_page as replay_page
