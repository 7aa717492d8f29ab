"""Cards close (rules 3.5, 4.8 d)."""

from .....core.compiled import rule
from .. import hooks
from ..queries import is_open
from ..state import State


@rule
def close_card(s: State, slot: int) -> None:
    """An open card closes, which enemy cards may look at; nothing for one that is closed or dead."""
    if is_open(s, slot):
        s.closed[slot] = 1
        hooks.when_closed(s, slot)
