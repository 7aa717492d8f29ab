"""Names of action ids, exact and independent of the state."""

from collections.abc import Sequence

from .tables import Block, action_names, length


class Names:
    """The names of a table's action ids. Raises RuntimeError if two ids have the same name."""

    def __init__(self, blocks: Sequence[Block]) -> None:
        self._names = action_names(blocks)
        self._ids = {name: action for action, name in enumerate(self._names)}
        if len(self._ids) != length(blocks):
            raise RuntimeError("the blocks of actions.py do not give each action id a name of its own")

    def action_name(self, action: int) -> str:
        """Return the name of an action id. Raise ValueError for an invalid id."""
        if not 0 <= action < len(self._names):
            raise ValueError(f"{action} is not an action: they go from 0 to {len(self._names) - 1}")
        return self._names[action]

    def action_id(self, name: str) -> int:
        """Return the action id of a name as `action_name` returns it. Raise ValueError for any other text."""
        try:
            return self._ids[name]
        except KeyError:
            raise ValueError(f"{name!r} is the name of no action") from None
