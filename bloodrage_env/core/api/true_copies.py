"""Objects that contain a game, and whose copies are independent games."""

import copy
from typing import Self


class TrueCopies:
    """A base class: `copy.copy` returns what `copy.deepcopy` does, since a game that is shared changes for both."""

    def __copy__(self) -> Self:
        """Return a copy that shares nothing."""
        return copy.deepcopy(self)
