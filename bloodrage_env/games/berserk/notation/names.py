"""Every action id as a name, and back: exact, and the same in every state."""

from typing import Final

from ....core.names import Names
from ..engine import BLOCKS

# `DONE`, `CARD[ORC]`, `MOVE[3, LEFT]`, `ACT[3, STRIKE]`, `CELL[17]`
_NAMES: Final = Names(BLOCKS)
action_name, action_id = _NAMES.action_name, _NAMES.action_id
