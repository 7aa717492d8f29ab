"""A replay as one self-contained HTML page: the board after each answer, and the events. It needs no network.

Everything is in it, cards that lay face down too: it is about a game that is over.
"""

import re
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, Final

from ....core.api.replay import Replay
from ....encoding import as_json
from ....errors import UserError
from ....render import STATIC as SHARED
from ....render.modules import script
from ....render.study_data import study_data
from ....study import Study
from ..engine import AIR, NUM_SEATS, NUM_TEAMS, Phase, States
from ..notation import action_text, events, opening_events, outcome
from ..notation.seen import Seen, seen_by, seen_by_all
from ..notation.words import CARDS, CELLS, PHASES, SLOTS, recruiting, who
from . import COLOURS, STATIC
from .actions import done_by
from .faces import board_parts, page_place, texts

VERSION: Final = 3
STYLES: Final = (SHARED / "page.css", STATIC / "board.css", STATIC / "replay.css")


def replay_page(replay: Replay, title: str, players: Sequence[str] | None = None, study: Study | None = None) -> str:
    """Return a replay as a self-contained HTML page. It contains all hands, and probabilities that were recorded.

    Parameters
    ----------
    replay : Replay
        The game.
    title : str
        The title of the page.
    players : sequence of str, optional
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
    >>> from bloodrage_env.games.berserk.render.replay_page import replay_page
    >>> replay_page(games.recorder(games.options_from("berserk"), seed=1).replay(), "A game")[:15]
    '<!doctype html>'
    """
    text = as_json(page_data(replay, title, players, study), compact=True, ascii_only=False)
    parts = {
        "title": escape(title),
        "body": body(escape(title)),
        "style": COLOURS + "".join(path.read_text(encoding="utf-8") for path in STYLES),
        "data": text.replace("<", "\\u003c"),
        "script": script(STATIC, "replay_start.js"),
    }
    return _filled("replay.html", parts)


def body(title: str) -> str:
    """Return the body of the page without style, data and scripts. `title` is markup."""
    return _filled("replay_body.html", {"title": title})


def _filled(template: str, parts: Mapping[str, str]) -> str:
    text = (STATIC / template).read_text(encoding="utf-8")
    return re.sub(r"\{\{(\w+)\}\}", lambda name: parts[name[1]], text)


def page_data(
    replay: Replay, title: str, players: Sequence[str] | None = None, study: Study | None = None
) -> dict[str, Any]:
    """What the page holds as JSON.

    `version`, `title`, `seats`: how many, `names` of the sides, `sides`: who plays whom; `near`: whose side is near;
    `parts` and `texts` as in `faces`; `study`: None, or as in `render/study_data.py`; `frames`, one before the first
    answer and one after each: `head`, `seat`, who is asked, `fires` (cells), `cards` on the board, each as slot, card,
    cell (`page_place`), life left, and bits (1 closed, 2 face down, 4 stunned), `log`, rows of kind and text, until the
    battle `squads`, each as seat and rows of card, copies dealt and bought, and `moves` and `fight` as in `actions`.
    """
    count = replay.options.num_players
    if players is not None and len(players) != count:
        raise UserError(f"{len(players)} names for a game of {count} player{'s'[: count != 1]}")
    walk = replay.states()
    states = next(walk)
    names = [who(states[0], seat) for seat in range(NUM_SEATS)]
    for seat, name in enumerate(players or ()):
        names[seat] = f"{names[seat]} ({name})"
    frames = [_frame(states, [[int(each.kind), each.text] for each in opening_events(states)])]
    for action, after in zip(replay.actions, walk, strict=True):
        found, done = [[int(each.kind), each.text] for each in events(states, action)], done_by(states, action)
        states = after
        frames.append(_frame(states, found) | done)
    return {
        "version": VERSION,
        "title": title,
        "seats": count,
        "names": names,
        "sides": " against ".join(" and ".join(names[team::NUM_TEAMS]) for team in range(NUM_TEAMS)),
        "texts": texts(),
        "study": study_data(action_text, replay, study) if study is not None else None,
        "near": max(int(states[0].first), 0),
        "parts": board_parts(states[0]),
        "frames": frames,
    }


def _frame(states: States, found: list[list[Any]]) -> dict[str, Any]:
    """The board, and what led to it."""
    s, cards = states[0], []
    structs = [seen_by(states, seat) for seat in range(s.num_players)]
    struct = seen_by_all(structs)
    for slot, card in struct["cards"].items():
        if "in_play" in card:
            place = page_place(CELLS[f"{card['column']}{card['row']}"] if "row" in card else AIR, SLOTS[slot])
            bits = ("closed" in card) | ("face_down" in card) << 1 | ("stunned" in card) << 2
            cards.append([SLOTS[slot], CARDS[card["card"]], place, card["life"], bits])
    turn = f", turn {s.turn} of {s.max_turns}" if s.turn else ""
    head = outcome(s) if s.over else f"{PHASES[Phase(int(s.phase))]}{turn}"
    fires = sorted(CELLS[cell] for cell in struct.get("bonfires", {}))
    frame: dict[str, Any] = {"head": head, "seat": int(s.seat), "fires": fires, "cards": cards, "log": found}
    if Phase.ROLL_OFF < s.phase < Phase.BATTLE:
        frame["squads"] = [[seat, _recruits(structs[seat])] for seat in recruiting(s)]
    return frame


def _recruits(struct: Seen) -> list[list[int]]:
    squad = struct.get("squad", {})
    return [[CARDS[title], count, squad.get(title, 0)] for title, count in struct.get("deal", {}).items()]
