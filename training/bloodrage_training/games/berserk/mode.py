"""The parts of the game that training uses. Each mode of Berserk has its own module `mode`."""

from bloodrage_agents.games.berserk.compiled.forward import FORWARD as FORWARD
from bloodrage_agents.games.berserk.compiled.heuristics import choose_many as choose_many
from bloodrage_agents.games.berserk.table import AGENTS as AGENTS
from bloodrage_env.games.berserk.engine import LEAST_PLAYERS as LEAST_PLAYERS
from bloodrage_env.games.berserk.engine import NUM_SEATS as NUM_SEATS
from bloodrage_env.games.berserk.game import GAME as GAME
from bloodrage_env.games.berserk.options import Options as Options
