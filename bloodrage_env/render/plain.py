"""The replay page of a game without one of its own: the events, and the board as text after each answer."""

from collections.abc import Callable, Iterable, Sequence
from html import escape

from .. import games
from ..core.api.replay import Replay
from ..errors import UserError
from ..study import Study
from . import STATIC, ReplayPage

STYLE = """body { max-width: 900px; margin: 0 auto; padding: 20px; }
h1, h2, ul, ol, body > pre { margin: 0 0 12px; } pre { font-size: 14px; overflow-x: auto; }
summary p { display: inline; margin-right: 1em; }
"""


def replay_page_of(game: str) -> ReplayPage:
    """Return the function that creates the replay pages of a game."""
    return games.replay_page(game) if games.spec(game).has("replay_page") else plain_page


def plain_page(replay: Replay, title: str, players: Sequence[str] | None = None) -> str:
    """Return the page as text. It needs neither scripts nor a network."""
    if players is not None and len(players) != replay.options.num_players:
        raise UserError(f"{len(players)} names for a game of {replay.options.num_players} players")
    shown = games.presentation(replay.game.name)
    walk = replay.states()
    states = next(walk)
    parts = [_board(shown.board_text(states, 0, None, False))]
    for action, after in zip(replay.actions, walk, strict=True):
        lines = "".join(f"<p>{escape(event.text)}</p>" for event in shown.events(states, action, None))
        parts.append(
            f"<li><details><summary>{lines}</summary>{_board(shown.board_text(after, 0, None, False))}</details>"
        )
        states = after
    who = zip(shown.seats, players or (), strict=False)
    names = "".join(f"<li>{escape(seat)}: {escape(name)}</li>" for seat, name in who)
    style = (STATIC / "page.css").read_text(encoding="utf-8") + STYLE
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><style>{style}</style></head>'
        f"<body><h1>{escape(title)}</h1><ul>{names}</ul>{parts[0]}<ol>{''.join(parts[1:])}</ol>"
        f"<h2>Result</h2><pre>{escape(shown.result_table(states))}</pre></body></html>\n"
    )


def studied_page(
    lines: Callable[[Replay, Study], Iterable[str]], replay: Replay, title: str, players: Sequence[str] | None,
    study: Study,
) -> str:  # fmt: skip
    """Return the page with the lines of a study at its end."""
    page, end, rest = plain_page(replay, title, players).partition("</body>")
    return f"{page}<h2>Analysis</h2><pre>{escape(chr(10).join(lines(replay, study)))}</pre>{end}{rest}"


def _board(text: str) -> str:
    return f"<pre>{escape(text.rpartition(chr(10) * 2)[0])}</pre>"
