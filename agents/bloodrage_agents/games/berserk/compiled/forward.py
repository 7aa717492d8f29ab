"""The network of Berserk, compiled (`bloodrage_agents/forward.py`)."""

from typing import Final

from ....forward import forward_for
from ....network_inputs import Inputs
from ..mode import COMPILER, GAME, SIZES, WRITER
from .heuristics import check_open
from .inputs import INPUTS, write_more
from .ledger import NUM_LEDGER, write_ledger

FORWARD: Final = forward_for(
    COMPILER,
    Inputs(INPUTS, WRITER, write_more, NUM_LEDGER, write_ledger),
    SIZES,
    GAME.batch.checks.check_which,
    check_open,
)
