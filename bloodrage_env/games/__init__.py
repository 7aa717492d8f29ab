"""The registry of games: the only place that knows which games there are.

All else names a game by a text, the `game` of its options, and asks here for what it needs of it. What is asked for is
loaded then, so that a command for one game neither loads nor compiles the others.
"""

import importlib
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from ..core.game import Game
    from ..core.options import GameOptions
    from ..core.presentation import Presentation

FIRST: Final = "bloodrage"  # the game where none is named


@dataclass(frozen=True)
class Listing:
    """Where the code of a game is. Every game has the same modules in these packages."""

    title: str
    score: str  # what it is won by
    package: str  # `game`, `replay`, ...
    agents: str  # `table`: its agents
    entries: tuple[str, ...]  # the modules of `package` with compiled functions that Python calls ...
    more_entries: tuple[str, ...]  # ... and packages whose modules have nothing else
    learning: str  # a module: what training needs of it
    player: str  # the file of the policy that comes with the project
    counted: bool  # reports of tournaments play its games again, and count drafts, cards and glory by source


GAMES: Final = {
    "bloodrage": Listing(
        "Blood Rage",
        "glory",
        "bloodrage_env.games.bloodrage",
        "bloodrage_agents.games.bloodrage",
        ("engine", "observation", "game"),
        ("bloodrage_agents.games.bloodrage.compiled", "bloodrage_training.learn.compiled"),
        "bloodrage_training.games.bloodrage.learnable",
        "selfplay.npz",
        counted=True,
    ),
    "berserk": Listing(
        "Berserk",
        "score",
        "bloodrage_env.games.berserk",
        "bloodrage_agents.games.berserk",
        ("engine", "game", "notation.facts"),
        ("bloodrage_agents.games.berserk.compiled", "bloodrage_training.learn.compiled"),
        "bloodrage_training.games.berserk.learnable",
        "berserk.npz",
        counted=False,
    ),
}


def listing(name: str) -> Listing:
    """The entry of a game. ValueError for a name that is none."""
    if name not in GAMES:
        raise ValueError(f"there is no game {name!r:.60}; there are {', '.join(GAMES)}")
    return GAMES[name]


def in_use() -> list[str]:
    """The games that this process has loaded."""
    return [name for name, each in GAMES.items() if f"{each.package}.game" in sys.modules]


def part(name: str, module: str) -> Any:
    """A module of a game's package, such as "replay"."""
    return importlib.import_module(f"{listing(name).package}.{module}")


def agents_part(name: str, module: str) -> Any:
    """A module of the package of a game's agents, such as "table"."""
    return importlib.import_module(f"{listing(name).agents}.{module}")


def game(name: str) -> "Game":
    """The game itself."""
    found: Game = part(name, "game").GAME
    return found


def options_from(name: str, **options: Any) -> "GameOptions":
    """Options of a game, with its defaults for what is not given. Raises as its `Options` do."""
    made: GameOptions = game(name).options(**options)
    return made


def of_replay(path: str) -> str:
    """The game that a replay is of, by what the file begins with; the first one for a file that is no replay.

    Raises OSError if it can't be read.
    """
    with Path(path).open("rb") as file:
        head = file.read(100)
    replays = {name: part(name, "replay").Replay for name in GAMES if head.startswith(name.encode())}
    return next((name for name, each in replays.items() if head.startswith(each.magic())), FIRST)


def options_to_json(options: "GameOptions") -> dict[str, Any]:
    """The options of a game with its name, as files hold them."""
    return {"game": options.game, **asdict(options)}


def options_from_json(content: Any) -> "GameOptions":
    """What `options_to_json` has made, and JSON of it. TypeError or ValueError for what are no options of a game."""
    if not isinstance(content, dict) or not isinstance(content.get("game"), str):
        raise TypeError("options name no game")
    if content["game"] not in GAMES:
        raise ValueError(f"game {content['game']!r:.60} is none of {', '.join(GAMES)}")
    own = {name: value for name, value in content.items() if name != "game"}
    made: GameOptions = game(content["game"]).options.from_json(own)
    return made


def presentation(name: str) -> "Presentation":
    """The game as people see it."""
    found: Presentation = part(name, "presentation").PRESENTATION
    return found
