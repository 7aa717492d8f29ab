"""Whom a training run may meet: every style that is not held out for evaluation."""

from collections.abc import Sequence
from typing import Final

from bloodrage_agents.compiled.weights import HELD_OUT, STYLES
from bloodrage_env.errors import UserError

TRAINING_STYLES: Final = tuple(style for style in STYLES if style not in HELD_OUT)


def check_opponents(names: Sequence[str], known: Sequence[str]) -> None:
    """UserError for an opponent that is held out, or not among those known."""
    for name in names:
        if name in HELD_OUT:
            raise UserError(f"held out: {name} is for evaluation alone; a run may have {', '.join(known)}")
        if name not in known:
            raise UserError(f"there is no opponent {name!r}; there are {', '.join(known)}")
