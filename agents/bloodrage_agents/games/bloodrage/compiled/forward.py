"""The network of Blood Rage, compiled (`bloodrage_agents/forward.py`)."""

from typing import Final

from bloodrage_env.games.bloodrage.engine import COMPILER, check_open
from bloodrage_env.games.bloodrage.game import GAME
from bloodrage_env.games.bloodrage.observation import SIZES, WRITER

from ....forward import forward_for
from ....network_inputs import Changes, Inputs
from .changes import CHANGE_UNITS, CHANGES, write_changes
from .inputs import INPUTS, write_more
from .ledger import NUM_LEDGER, write_ledger

FORWARD: Final = forward_for(
    COMPILER,
    Inputs(INPUTS, WRITER, write_more, NUM_LEDGER, write_ledger, Changes(tuple(CHANGES), CHANGE_UNITS, write_changes)),
    SIZES,
    GAME.batch.checks.check_which,
    check_open,
)
