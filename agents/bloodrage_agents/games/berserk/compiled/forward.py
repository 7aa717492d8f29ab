"""The network of Berserk, compiled (`bloodrage_agents/forward.py`)."""

from typing import Final

from bloodrage_env.games.berserk.engine import COMPILER
from bloodrage_env.games.berserk.game import GAME
from bloodrage_env.games.berserk.observation import SIZES

from ....forward import Inputs, forward_for
from .heuristics import check_open
from .inputs import INPUTS, write_inputs

FORWARD: Final = forward_for(COMPILER, Inputs(INPUTS, write_inputs), SIZES, GAME.batch.checks.check_which, check_open)
