"""A replay as one self-contained HTML page, which needs no network.

The page contains the first scene and the difference to each next one, the log for each seat and for a spectator, and
the modules of `static/`. It contains all hands: the game is over.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from html import escape
from typing import Any, Final

from ....core.api.replay import Replay, Shares
from ....encoding import as_json
from ....errors import UserError
from ....render import STATIC as SHARED
from ....render.modules import script
from ....render.shapes import Shape
from ....render.strings import Strings
from ....render.study_data import study_data
from ....render.svg import markup
from ....study import Study
from ..engine import GOD, GOD_TEXT, NONE, NUM_CARDS, TEXT, TITLE, God, States
from ..notation import CLANS, Event, events, opening_events
from ..notation.questions import answer_text
from ..notation.words import CLAN_LETTERS, GOD_LABELS, GODS
from . import STATIC, figures, scenery
from .changes import difference
from .colours import CLAN_FILL, CLAN_INK, DARK, TOKEN_TEXT
from .figures import KIND_NAMES
from .geometry import BOARD, board_json
from .picture import HUT_SCALE, ICON_SCALE, board_background
from .scene import scene
from .silhouettes import KINDS, MONSTERS, moved

VERSION: Final = 1
# What pages say of an analysis: `#` is a number.
STUDY_WORDS: Final = {
    "chart": "Glory",
    "until": "by the end of the Age",
    "gained": "glory",
    "fallen": "figures lost",
    "fewer": "fewer",
}


def replay_page(
    replay: Replay,
    title: str = "A game of Blood Rage",
    agents: Sequence[str] | None = None,
    study: Study | None = None,
) -> str:
    """Return a replay as a self-contained HTML page. It contains all hands, and probabilities that were recorded.

    Parameters
    ----------
    replay : Replay
        The game.
    title : str
        The title of the page.
    agents : sequence of str, optional
        The names of the players, by seat.
    study : Study, optional
        An analysis of each decision.

    Returns
    -------
    str
        The page.

    Raises
    ------
    ReplayError
        The replay is not playable.
    UserError
        The number of names or decisions differs.

    Examples
    --------
    >>> from bloodrage_env import games
    >>> from bloodrage_env.games.bloodrage.render.replay_page import replay_page
    >>> replay_page(games.recorder(games.options_from("bloodrage"), seed=1).replay(), "A game")[:15]
    '<!doctype html>'
    """
    data = page_data(replay, title, agents, study)
    text = as_json(data, compact=True, ascii_only=False).replace("<", "\\u003c")
    parts = {
        "title": escape(title),
        "style": colours() + (SHARED / "page.css").read_text(encoding="utf-8"),
        "body": body(escape(title)),
        "data": text,
        "script": script(STATIC, "replay_start.js"),
    }
    return filled("replay.html", parts)


def body(title: str) -> str:
    """Return the body of the page without style, data and scripts. `title` is markup."""
    parts = {
        "title": title,
        "symbols": symbols(),
        "frame": f"{BOARD.x:g} {BOARD.y:g} {BOARD.w:g} {BOARD.h:g}",
        "board": markup(board_background(), DARK),
    }
    return filled("replay_body.html", parts)


def filled(template: str, parts: Mapping[str, str]) -> str:
    """Return a template of `static/` with its placeholders replaced."""
    text = (STATIC / template).read_text(encoding="utf-8")
    return re.sub(r"\{\{(\w+)\}\}", lambda name: parts[name[1]], text)


def colours() -> str:
    """Return the colours of the clans as CSS properties."""
    fills = "".join(f"--clan-{seat}:{fill};" for seat, fill in enumerate(CLAN_FILL))
    inks = "".join(f"--ink-{seat}:{ink};" for seat, ink in enumerate(CLAN_INK))
    return f":root{{{fills}{inks}}}\n"


def symbols() -> str:
    """Return the symbols for `<use>`: figures in the colour of the text, badges, gods, icons, ruins and swords."""
    drawn: dict[str, tuple[Shape, ...]] = figures.symbols()
    drawn |= {f"god-{god}": drawing for god, drawing in scenery.GODS.items()}
    drawn |= {f"token-{token}": moved(drawing, 0, 0, ICON_SCALE) for token, drawing in scenery.TOKENS.items()}
    drawn |= {f"icon-{name}": drawing for name, drawing in scenery.ICONS.items()}
    drawn |= {"burnt": moved(scenery.BURNT, 0, 8, HUT_SCALE), "swords": scenery.SWORDS}
    return "".join(f'<g id="{name}">{markup(shapes)}</g>' for name, shapes in drawn.items())


def texts() -> dict[str, Any]:
    """Return the data of the scripts besides scenes: geometry, names, and the cards in our own words."""
    return {
        "geometry": board_json(),
        "clans": list(CLANS),
        "letters": list(CLAN_LETTERS),
        "kinds": list(KIND_NAMES),
        "looks": {"kinds": list(KINDS), "monsters": {str(int(card)): name for card, name in MONSTERS.items()}},
        "tokens": [TOKEN_TEXT[token] for token in sorted(TOKEN_TEXT)],
        "gods": [[GODS[god], GOD_LABELS[god], GOD_TEXT[god]] for god in God],
        "cards": [[TITLE[card], GOD[card], TEXT[card]] for card in range(NUM_CARDS)],
        "study": STUDY_WORDS,
    }


def page_data(
    replay: Replay,
    title: str = "A game of Blood Rage",
    agents: Sequence[str] | None = None,
    study: Study | None = None,
) -> dict[str, Any]:
    """Return the content of the page as JSON data.

    `version`, `title`, `agents`; `texts`; `first` and `changes`: the scene with all hands before the first action, and
    the change by each action; `log`: the events before the first action and of each action, as rows of kind and
    number in `strings`, a list if all read the same, else a dict by who reads ("all" hands, "none", or a seat);
    `moments`: step, kind and text of where to jump; `probabilities`: None, or for each action None or rows of action,
    share in thousandths and number in `strings`, the most likely first; `actions`: what was chosen; `study`: None, or
    as in `render/study_data.py`.
    """
    if agents is not None and len(agents) != replay.options.num_players:
        raise UserError(f"{len(agents)} agents for a game of {replay.options.num_players} clans")
    strings = Strings()
    walk = replay.states()
    states = next(walk)
    shown = first = scene(states, 0, all_hands=True)
    log = [_rows(opening_events(states), partial(opening_events, states), replay.options.num_players, strings)]
    moments: list[list[Any]] = [[0, "age", "Age 1"]]
    changes, shares = [], []
    for step, (action, after) in enumerate(zip(replay.actions, walk, strict=True), 1):
        found = events(states, action)
        log.append(_rows(found, partial(events, states, action), replay.options.num_players, strings))
        moments += _moments(step, states, after, found)
        if replay.probabilities:
            shares.append(_shares(states, replay.probabilities[step - 1], strings))
        following = scene(after, 0, all_hands=True)
        changes.append(difference(shown, following))
        states, shown = after, following
    return {
        "version": VERSION,
        "title": title,
        "agents": list(agents) if agents is not None else None,
        "texts": texts(),
        "first": first,
        "changes": changes,
        "actions": list(replay.actions),
        "log": log,
        "strings": strings.texts,
        "moments": moments,
        "probabilities": shares or None,
        "study": study_data(answer_text, replay, study) if study is not None else None,
    }


def _rows(everything: list[Event], of_viewer: Callable[[int], list[Event]], num_players: int, strings: Strings) -> Any:
    """The rows of the log for each viewer: `of_viewer` takes a seat, or NONE for public information."""
    openly = of_viewer(NONE)
    if everything == openly:
        return _numbered(everything, strings)
    rows = {"all": everything, "none": openly} | {str(seat): of_viewer(seat) for seat in range(num_players)}
    return {viewer: _numbered(found, strings) for viewer, found in rows.items()}


def _numbered(found: list[Event], strings: Strings) -> list[list[int]]:
    return [[int(event.kind), strings.number(event.text)] for event in found]


def _moments(step: int, before: States, after: States, events_of_step: list[Event]) -> list[list[Any]]:
    """Return the Ages and battles that began with a step."""
    found: list[list[Any]] = [[step, "battle", event.moment] for event in events_of_step if event.moment]
    if after[0].age != before[0].age:
        found.append([step, "age", f"Age {after[0].age + 1}"])
    if after[0].over:
        found.append([step, "end", "the end"])
    return found


def _shares(states: States, shares: Shares, strings: Strings) -> list[list[int]] | None:
    legal = [(action, share) for action, share in shares if states[0].mask[action]]
    return [[action, share, strings.number(answer_text(states, 0, action))] for action, share in legal] or None
