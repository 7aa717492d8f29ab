"""Every action id as a name, and back: exact, and the same in every state."""

from typing import Final

from ...core.names import Names
from ...core.tables import Block
from ..engine import BLOCKS, NUM_ACTS, NUM_DIRECTIONS, Act, Card, Direction


def _arguments(block: Block, offset: int) -> str:
    """What stands between the brackets of the id at `offset` of a block."""
    if block.name == "CARD":
        return Card(offset).name
    if block.name == "MOVE":
        return f"{offset // NUM_DIRECTIONS}, {Direction(offset % NUM_DIRECTIONS).name}"
    if block.name == "ACT":
        return f"{offset // NUM_ACTS}, {Act(offset % NUM_ACTS).name}"
    return str(offset + 1 if block.name == "NUMBER" else offset)


# `DONE`, `CARD[ORC]`, `MOVE[3, LEFT]`, `ACT[3, STRIKE]`, `CELL[17]`
_NAMES: Final = Names(BLOCKS, _arguments)
action_name, action_id = _NAMES.action_name, _NAMES.action_id
