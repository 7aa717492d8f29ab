"""Cards close and open (rules 3.1, 3.5, 4.8 d)."""

from .....core.compile.decorators import rule
from .. import hooks, keyword_hooks
from ..queries import is_open
from ..state import State


@rule
def close_card(s: State, slot: int) -> None:
    """An open card closes, which enemy cards may look at; nothing for one that is closed or dead."""
    if is_open(s, slot):
        s.closed[slot] = 1
        hooks.when_closed(s, slot)


@rule
def open_card(s: State, slot: int) -> None:
    """A card on the board opens; nothing for one that is open (rules 12.7)."""
    if s.closed[slot] == 1:
        s.closed[slot] = 0
        keyword_hooks.when_opened(s, slot)
