"""The registry of games: the only place that finds them.

Other code names a game by a string, the `game` of its options, and asks here for the parts that it needs. A game is a
`core.engine.spec.GameSpec`, which a package registers by an entry point of the group `bloodrage.games`. A part is
imported when it is asked for, so that a command for one game neither loads nor compiles the others. The parts for
agents are in `bloodrage_agents.parts`, those for training in `bloodrage_training`.
"""

import functools
import sys
from collections.abc import Sequence
from dataclasses import asdict
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ..core.engine.spec import GameSpec
from ..errors import UserError

if TYPE_CHECKING:
    from ..core.api.aims import Aims
    from ..core.api.env import GameEnv
    from ..core.api.replay import Recorder, Replay
    from ..core.engine.game import Game
    from ..core.engine.options import GameOptions
    from ..core.shown.presentation import Presentation
    from ..core.shown.table_page import TablePage
    from ..render import ReplayPage
    from ..study import Studied

GROUP: Final = "bloodrage.games"
MODES: Final = "bloodrage.modes"  # forms of a game with other seats or another board, named GAME_MODE
PLAIN: Final = "duel"  # the mode that is the game itself, of a game that has others
FIRST: Final = "bloodrage"  # the game where none is named
_OURS: Final = "bloodrage_env."


@functools.cache
def _points(group: str = GROUP) -> dict[str, EntryPoint]:
    """The entry points of all installed packages by name, FIRST first; names of this project can't be replaced."""
    found = sorted(
        entry_points(group=group), key=lambda each: (not each.value.startswith(_OURS), each.name != FIRST, each.name)
    )
    points: dict[str, EntryPoint] = {}
    for point in found:
        points.setdefault(point.name, point)
    if group == GROUP and FIRST not in points:
        raise UserError("the games of bloodrage are not installed: run pip install --editable . again")
    return points


def names() -> tuple[str, ...]:
    """Return the names of the installed games.

    Returns
    -------
    tuple of str
        The games, without their modes.

    Examples
    --------
    >>> from bloodrage_env import games
    >>> games.names()[:2]
    ('bloodrage', 'berserk')
    """
    return tuple(_points())


def all_names() -> tuple[str, ...]:
    """The games that are installed, and after them their modes."""
    return (*names(), *_points(MODES))


def modes(name: str) -> tuple[str, ...]:
    """Return the modes of a game.

    Parameters
    ----------
    name : str
        A game.

    Returns
    -------
    tuple of str
        PLAIN first; () for a game without modes.

    Examples
    --------
    >>> from bloodrage_env import games
    >>> games.modes("berserk")
    ('duel', 'laar', 'team')
    """
    found = sorted(mode.removeprefix(f"{name}_") for mode in _points(MODES) if mode.startswith(f"{name}_"))
    return (PLAIN, *found) if found else ()


def in_mode(name: str, mode: str | None) -> str:
    """Return the name of a game in a mode.

    Parameters
    ----------
    name : str
        A game.
    mode : str or None
        One of `modes(name)`. None is the game itself, as PLAIN.

    Returns
    -------
    str
        The name, such as `berserk_team`.

    Raises
    ------
    ValueError
        The game lacks the mode.

    Examples
    --------
    >>> from bloodrage_env import games
    >>> games.in_mode("berserk", "team")
    'berserk_team'
    """
    if mode is None or (mode == PLAIN and PLAIN in modes(name)):
        return name
    if mode not in modes(name):
        known = f"one of {', '.join(modes(name))}" if modes(name) else f"None: {name} has no modes"
        raise ValueError(f"mode must be {known}, not {mode!r:.60}")
    return f"{name}_{mode}"


@functools.cache
def spec(name: str) -> GameSpec:
    """Return the object that registers a game, or a mode of one.

    Parameters
    ----------
    name : str
        A name as in `all_names()`.

    Returns
    -------
    GameSpec
        Its names and parts.

    Raises
    ------
    ValueError
        An unknown name.
    UserError
        The game can't be loaded.

    Examples
    --------
    >>> from bloodrage_env import games
    >>> games.spec("bloodrage").title
    'Blood Rage'
    """
    if name not in all_names():
        raise ValueError(f"there is no game {name!r:.60}; there are {', '.join(all_names())}")
    point = (_points(MODES) | _points())[name]
    try:
        found = point.load()
    except Exception as error:  # the code of another package may raise anything
        raise UserError(f"the game {name} can't be loaded from {point.value}: {error}") from error
    if not isinstance(found, GameSpec) or found.name != name:
        raise UserError(f"the game {name} can't be loaded: {point.value} is not a GameSpec of this name")
    return found


def in_use() -> list[str]:
    """The games that this process has loaded."""
    return [
        name
        for name, point in (_points() | _points(MODES)).items()
        if point.module in sys.modules and spec(name).place("game")[0] in sys.modules
    ]


# ---- the parts of a game


def game(name: str) -> "Game":
    """Return the functions, sizes and tables of a game.

    Parameters
    ----------
    name : str
        A name as in `all_names()`. Raises as `spec`.

    Returns
    -------
    Game
        The game.

    Examples
    --------
    >>> from bloodrage_env import games
    >>> games.game("bloodrage").num_actions
    301
    """
    found: Game = spec(name).load("game")
    return found


def presentation(name: str) -> "Presentation":
    """The game as people see it."""
    found: Presentation = spec(name).load("presentation")
    return found


def replays(name: str) -> "type[Replay]":
    """The class of its replays."""
    found: type[Replay] = spec(name).load("replay")
    return found


def environment(name: str) -> "type[GameEnv]":
    """Return the class of a game's PettingZoo environment.

    Parameters
    ----------
    name : str
        A name as in `all_names()`. Raises as `spec`.

    Returns
    -------
    type of GameEnv
        The class.

    Examples
    --------
    >>> from bloodrage_env import games
    >>> games.environment("berserk_team")().num_players
    4
    """
    found: type[GameEnv] = spec(name).load("env")
    return found


def aims(name: str) -> "Aims":
    """Return the aims for the speed of a game. Raise UserError for a game without them."""
    found: Aims = spec(name).load("aims")
    return found


def table_page(name: str) -> "TablePage":
    """Return its `TablePage`. Raise UserError for a game without a page of its own."""
    found: TablePage = spec(name).load("table_page")
    return found


def replay_page(name: str) -> "ReplayPage":
    """Return the function that creates replay pages. Raise UserError for a game without a page of its own."""
    found: ReplayPage = spec(name).load("replay_page")
    return found


def study(name: str) -> "Studied":
    """Return its analyst. Raise UserError for a game without one."""
    found: Studied = spec(name).load("study")
    return found


# ---- options and replays


def options_from(name: str, **options: Any) -> "GameOptions":
    """Return options of a game.

    Parameters
    ----------
    name : str
        A name as in `all_names()`.
    **options
        Fields of its `Options`; others have their defaults.

    Returns
    -------
    GameOptions
        The options.

    Raises
    ------
    ValueError, TypeError
        A value that is out of range or of another type.

    Examples
    --------
    >>> from bloodrage_env import games
    >>> str(games.options_from("bloodrage", num_players=3, first_game=True))
    '3 players, first_game=True'
    """
    made: GameOptions = game(name).options(**options)
    return made


def recorder(options: "GameOptions", seed: int, players: Sequence[str] = ()) -> "Recorder":
    """Begin a game that records its actions.

    Parameters
    ----------
    options : GameOptions
        The options of the game, which name it.
    seed : int
        0 to 2**63 - 1.
    players : sequence of str
        Names of the players, by seat.

    Returns
    -------
    Recorder
        The game before its first action.

    Examples
    --------
    >>> from bloodrage_env import games
    >>> recorder = games.recorder(games.options_from("bloodrage", num_players=2), seed=1)
    >>> seat = recorder.apply(int(recorder.states[0].mask.argmax()))
    >>> len(recorder.replay())
    1
    """
    from ..core.api.replay import Recorder

    return Recorder(replays(options.game)(seed, options, players=tuple(players)))


def of_replay(path: str) -> str:
    """Return the game of a replay, by the first bytes of its file.

    Parameters
    ----------
    path : str
        A file. Raises OSError if it can't be read.

    Returns
    -------
    str
        The name of the game; FIRST for a file that is not a replay.

    Examples
    --------
    >>> from bloodrage_env import games
    >>> games.recorder(games.options_from("berserk"), seed=1).replay().save("game.bsk")
    >>> games.of_replay("game.bsk")
    'berserk'
    """
    from ..core.api.replay import magic

    with Path(path).open("rb") as file:
        head = file.read(100)
    return next((name for name in all_names() if head.startswith(magic(name))), FIRST)


def options_to_json(options: "GameOptions") -> dict[str, Any]:
    """Return options as files contain them.

    Parameters
    ----------
    options : GameOptions
        The options of a game.

    Returns
    -------
    dict
        Their fields, and the name of the game.

    Examples
    --------
    >>> from bloodrage_env import games
    >>> games.options_to_json(games.options_from("bloodrage"))["game"]
    'bloodrage'
    """
    return {"game": options.game, **asdict(options)}


def options_from_json(content: Any) -> "GameOptions":
    """Return options from the result of `options_to_json`.

    Parameters
    ----------
    content : object
        It is not trusted.

    Returns
    -------
    GameOptions
        The options.

    Raises
    ------
    TypeError, ValueError
        Other content.

    Examples
    --------
    >>> from bloodrage_env import games
    >>> games.options_from_json({"game": "bloodrage", "num_players": 3}).num_players
    3
    """
    if not isinstance(content, dict) or not isinstance(content.get("game"), str):
        raise TypeError("options name no game")
    if content["game"] not in all_names():
        raise ValueError(f"game {content['game']!r:.60} is none of {', '.join(all_names())}")
    own = {name: value for name, value in content.items() if name != "game"}
    made: GameOptions = game(content["game"]).options.from_json(own)
    return made
