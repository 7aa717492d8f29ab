"""The style sheet and the scripts that the pages of every game use."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, TypeAlias

from ..core.api.replay import Replay

STATIC: Final = Path(__file__).parent / "static"

# The page of a replay as text, by title and the names of who played, by seat. Raises ReplayError if the replay does not
# play, UserError for another number of players.
ReplayPage: TypeAlias = Callable[[Replay, str, Sequence[str] | None], str]
