"""The parts of the game that its agents use. Each mode of Berserk has its own module `mode`."""

from bloodrage_env.games.berserk.engine import *  # noqa: F403
from bloodrage_env.games.berserk.game import GAME as GAME
from bloodrage_env.games.berserk.observation import OBSERVATION_SIZE as OBSERVATION_SIZE
from bloodrage_env.games.berserk.observation import SECTIONS as SECTIONS
from bloodrage_env.games.berserk.observation import SIZES as SIZES
from bloodrage_env.games.berserk.observation import WRITER as WRITER
from bloodrage_env.games.berserk.options import Options as Options
