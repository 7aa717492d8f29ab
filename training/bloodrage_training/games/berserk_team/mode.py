"""The parts of the team battle that training uses (`berserk/mode.py`)."""

from bloodrage_agents.games.berserk_team.compiled.forward import FORWARD as FORWARD
from bloodrage_agents.games.berserk_team.compiled.heuristics import choose_many as choose_many
from bloodrage_agents.games.berserk_team.table import AGENTS as AGENTS
from bloodrage_env.games.berserk_team.engine import LEAST_PLAYERS as LEAST_PLAYERS
from bloodrage_env.games.berserk_team.engine import NUM_SEATS as NUM_SEATS
from bloodrage_env.games.berserk_team.game import GAME as GAME
from bloodrage_env.games.berserk_team.options import Options as Options
