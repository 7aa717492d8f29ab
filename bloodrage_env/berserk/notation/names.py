"""Every action id as a name, and back: exact, and the same in every state."""

from typing import Final

from ...core.tables import Block
from ..engine import BLOCKS, NUM_ACTIONS, NUM_ACTS, NUM_DIRECTIONS, Act, Card, Direction


def _arguments(block: Block, offset: int) -> str:
    """What stands between the brackets of the id at `offset` of a block."""
    if block.name == "CARD":
        return Card(offset).name
    if block.name == "MOVE":
        return f"{offset // NUM_DIRECTIONS}, {Direction(offset % NUM_DIRECTIONS).name}"
    if block.name == "ACT":
        return f"{offset // NUM_ACTS}, {Act(offset % NUM_ACTS).name}"
    return str(offset + 1 if block.name == "NUMBER" else offset)


_NAMES: Final = tuple(
    block.name if block.size == 1 else f"{block.name}[{_arguments(block, offset)}]"
    for block in BLOCKS
    for offset in range(block.size)
)
_IDS: Final = {name: action for action, name in enumerate(_NAMES)}
if len(_IDS) != NUM_ACTIONS:
    raise RuntimeError("the blocks of actions.py do not give each action id a name of its own")


def action_name(action: int) -> str:
    """The name of an action id: ``DONE``, ``CARD[ORC]``, ``MOVE[3, LEFT]``, ``ACT[3, STRIKE]``, ``CELL[17]``.

    Raises ValueError for a number that is no action.
    """
    if not 0 <= action < NUM_ACTIONS:
        raise ValueError(f"{action} is no action: they go from 0 to {NUM_ACTIONS - 1}")
    return _NAMES[action]


def action_id(name: str) -> int:
    """The action id of a name as `action_name` gives it. Raises ValueError for any other text."""
    try:
        return _IDS[name]
    except KeyError:
        raise ValueError(f"{name!r} is the name of no action") from None
