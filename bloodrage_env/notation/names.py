"""Every action id as a name, and back: exact, and the same in every state."""

from typing import Final

from ..core.names import Names
from ..core.tables import Block
from ..engine import BLOCKS, MARCH_FROM, MARCH_TO, NUM_BOARD, Card, Figure, Place, Stat


def _arguments(block: Block, offset: int) -> str:
    """What stands between the brackets of the id at `offset` of a block."""
    if block.name == "STAT":
        return Stat(offset).name
    if block.name == "PROVINCE":
        return Place(offset).name
    if block.name == "CARD":
        return Card(offset).name
    if block.name == "FIGURE_AT":
        return f"{Figure(offset // NUM_BOARD).name}, {Place(offset % NUM_BOARD).name}"
    if block.name == "MARCH":
        return f"{Place(int(MARCH_FROM[offset])).name}, {Place(int(MARCH_TO[offset])).name}"
    return str(offset)


# `PASS`, `CARD[TROLL]`, `FIGURE_AT[WARRIOR, UTGARD]`, `MARCH[GIMLE, HORGR]`
_NAMES: Final = Names(BLOCKS, _arguments)
action_name, action_id = _NAMES.action_name, _NAMES.action_id
