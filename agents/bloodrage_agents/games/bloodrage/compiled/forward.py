"""The network of Blood Rage, compiled (`bloodrage_agents/forward.py`)."""

from typing import Final

from bloodrage_env.games.bloodrage.engine import COMPILER, check_open
from bloodrage_env.games.bloodrage.game import GAME
from bloodrage_env.games.bloodrage.observation import SIZES

from ....forward import Inputs, forward_for
from .inputs import INPUTS, write_inputs

FORWARD: Final = forward_for(COMPILER, Inputs(INPUTS, write_inputs), SIZES, GAME.batch.checks.check_which, check_open)
