"""A game as the server of tables sees it: what a seat is sent, and which pages show it."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from .compiled import Records

WATCHER: Final = -1  # in place of a seat: who watches agents alone, and sees everything
PUBLIC: Final = -2  # ... who watches people, and sees what lies open to all
Entry = dict[str, Any]  # of a log; `lines` is a list of [kind, text] with the names of `presentation.Kind`


@dataclass(frozen=True)
class TablePage:
    """What the server asks of a game beside its rules and its words. States are arrays of one record.

    `static` has `index.html`, the page on which a game is begun, and `play.html`; `folders` are those whose files are
    sent, by the name that their addresses begin with, `files` other contents by address, each as text and media type,
    `texts` what the scripts need that is the same for all games.

    `opening` and `told` give what a seat, `WATCHER` or `PUBLIC` is told of a new game and what each of some of these is
    told of a legal action; a seat that may know nothing of it is left out. `seen` is made of what a seat may know (for
    `WATCHER` of everything, for `PUBLIC` of what lies open to all), the seat, whether the open question may be answered
    by it now, and the options: `scene`, with `over`, `question`, None or `text` and `choices`, and whatever else its
    page shows.

    `lists` are options of which a person may give a file of their own, by name: what reads its bytes, and the name of
    the file for what it raises, a ValueError.

    `levels` are agents that people choose opponents by, from the weakest to the strongest, by spec.
    """

    data_folder: str  # where games are kept, below the user's data
    static: Path
    folders: Mapping[str, Path]
    files: Callable[[], Mapping[str, tuple[str, str]]]
    texts: Callable[[], dict[str, Any]]
    opening: Callable[[Records, int], Entry]
    told: Callable[[Records, int, Iterable[int]], dict[int, Entry]]
    seen: Callable[[Records, int, bool, Any], dict[str, Any]]
    lists: Mapping[str, Callable[[bytes, str], Any]]
    levels: Mapping[str, str]
