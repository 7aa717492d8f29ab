"""The table page of a game without a page of its own: the board as text, and a button for each choice."""

from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np

from ... import games
from ...core.compile.decorators import Records
from ...core.engine.game import Game
from ...core.engine.options import GameOptions, WholeNumber
from ...core.shown.presentation import Presentation
from ...core.shown.table_page import Entry, TablePage, entries_for, lines_for

STATIC: Final = Path(__file__).parent / "static"


def page_of(game: str) -> TablePage:
    """Return the `TablePage` of a game."""
    spec = games.spec(game)
    if spec.has("table_page"):
        return games.table_page(game)
    rules, shown = games.game(game), games.presentation(game)
    return TablePage(
        data_folder=f"{game}-games",
        static=STATIC,
        folders={"game": STATIC},
        files=lambda: {"/board/colours.css": (colours(rules.max_seats), "text/css")},
        texts=partial(texts, spec.title, rules, shown),
        opening=partial(opening, shown),
        entries=partial(entries, shown),
        seen=partial(seen, shown),
        lists={},
        levels={},
    )


def colours(seats: int) -> str:
    """Return a style sheet with the colours of the seats, and without the title picture of other games."""
    hues = [round(360 * seat / seats) for seat in range(seats)]
    return "body.start header { background: none; padding-top: 0 }\n" + "".join(
        f":root {{ --clan-{seat}: hsl({hue} 60% 45%); --ink-{seat}: #fff }} "
        f".edge-{seat} {{ --clan: var(--clan-{seat}) }} "
        f".seat.clan-{seat} {{ border-color: var(--clan-{seat}) }} .clan-name.clan-{seat} {{ color: inherit }}\n"
        for seat, hue in enumerate(hues)
    )


def texts(title: str, rules: Game, shown: Presentation) -> dict[str, Any]:
    """Return names, and the range of the number of players."""
    players = rules.options.facts()["num_players"].kind
    assert isinstance(players, WholeNumber)
    return {
        "title": title,
        "file": f"{rules.name}{games.replays(rules.name).suffix}",
        "clans": list(shown.seats),
        "faces": [],
        "players": [players.low, players.high],
        "usual": rules.options.num_players,
    }


def opening(shown: Presentation, states: Records, seat: int) -> Entry:
    """Return the first log entry of a new game for a seat, `WATCHER` or `PUBLIC`."""
    return {"lines": lines_for(seat, partial(shown.opening_events, states))}


def entries(shown: Presentation, before: Records, action: int, seats: Iterable[int]) -> dict[int, Entry]:
    """Return the log entry of a legal action for each of `seats`. Seats that may know nothing of it are omitted."""
    return entries_for(seats, partial(shown.events, before, action), {})


def seen(shown: Presentation, known: Records, seat: int, asked: bool, options: GameOptions) -> dict[str, Any]:
    """Return the data of the page for a seat: the board, the standings, and the open question."""
    s = known[0]
    text, _, question = shown.board_text(known, 0, None if seat < 0 else seat, False).rpartition("\n\n")
    actions = np.flatnonzero(s.mask).tolist() if asked else []
    choices = [{"action": action, "text": shown.action_text(known, 0, action)} for action in actions]
    return {
        "scene": {
            "over": bool(s.over),
            "board": text,
            "result": shown.result_table(known),
            "question": {"text": question, "seat": int(s.seat)} if not s.over else None,
        },
        "question": {"text": shown.decision_text(known, 0), "choices": choices} if asked else None,
    }
