"""The parts of the Battle for Laar that training uses (`berserk/mode.py`)."""

from bloodrage_agents.games.berserk_laar.compiled.forward import FORWARD as FORWARD
from bloodrage_agents.games.berserk_laar.compiled.heuristics import choose_many as choose_many
from bloodrage_agents.games.berserk_laar.table import AGENTS as AGENTS
from bloodrage_env.games.berserk_laar.engine import LEAST_PLAYERS as LEAST_PLAYERS
from bloodrage_env.games.berserk_laar.engine import NUM_SEATS as NUM_SEATS
from bloodrage_env.games.berserk_laar.game import GAME as GAME
from bloodrage_env.games.berserk_laar.options import Options as Options
