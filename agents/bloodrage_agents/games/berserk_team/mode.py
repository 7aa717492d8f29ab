"""What the agents take of the team battle (`berserk/mode.py`)."""

from bloodrage_env.games.berserk_team.engine import *  # noqa: F403
from bloodrage_env.games.berserk_team.game import GAME as GAME
from bloodrage_env.games.berserk_team.observation import OBSERVATION_SIZE as OBSERVATION_SIZE
from bloodrage_env.games.berserk_team.observation import SECTIONS as SECTIONS
from bloodrage_env.games.berserk_team.observation import SIZES as SIZES
from bloodrage_env.games.berserk_team.observation import WRITER as WRITER
from bloodrage_env.games.berserk_team.options import Options as Options
