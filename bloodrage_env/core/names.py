"""Every action id as a name, and back: exact, and the same in every state."""

from collections.abc import Sequence

from .tables import Block, action_names, length


class Names:
    """The names of a table's action ids. RuntimeError if two ids have one name."""

    def __init__(self, blocks: Sequence[Block]) -> None:
        self._names = action_names(blocks)
        self._ids = {name: action for action, name in enumerate(self._names)}
        if len(self._ids) != length(blocks):
            raise RuntimeError("the blocks of actions.py do not give each action id a name of its own")

    def action_name(self, action: int) -> str:
        """The name of an action id. Raises ValueError for a number that is no action."""
        if not 0 <= action < len(self._names):
            raise ValueError(f"{action} is no action: they go from 0 to {len(self._names) - 1}")
        return self._names[action]

    def action_id(self, name: str) -> int:
        """The action id of a name as `action_name` gives it. Raises ValueError for any other text."""
        try:
            return self._ids[name]
        except KeyError:
            raise ValueError(f"{name!r} is the name of no action") from None
