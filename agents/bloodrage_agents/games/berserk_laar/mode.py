"""What the agents take of the Battle for Laar (`berserk/mode.py`)."""

from bloodrage_env.games.berserk_laar.engine import *  # noqa: F403
from bloodrage_env.games.berserk_laar.game import GAME as GAME
from bloodrage_env.games.berserk_laar.observation import OBSERVATION_SIZE as OBSERVATION_SIZE
from bloodrage_env.games.berserk_laar.observation import SECTIONS as SECTIONS
from bloodrage_env.games.berserk_laar.observation import SIZES as SIZES
from bloodrage_env.games.berserk_laar.observation import WRITER as WRITER
from bloodrage_env.games.berserk_laar.options import Options as Options
