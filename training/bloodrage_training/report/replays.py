"""The part of a report that contains games, each as the page of a replay, compressed until it is opened."""

import base64
import gzip
import hashlib
import re
from collections.abc import Iterable, Mapping
from importlib import resources
from typing import Final, TextIO

from bloodrage_env import games
from bloodrage_env.render.plain import replay_page_of
from bloodrage_env.terminal.progress import Progress

from ..tournament.records import StoredGame
from .charts import clean, shorten
from .chosen import Choice
from .page import section

SCRIPT: Final = re.compile(r"<script(?: type=\"module\")?>(.*)", re.DOTALL)  # that runs


def replay_of(game: StoredGame) -> str:
    """Return the page of a stored game. Raise ReplayError if it is invalid."""
    options = game.options
    replay = games.replays(options.game)(game.seed, options, game.actions, game.scores, game.line_up)
    return replay_page_of(options.game)(replay, f"Game {game.id[:8]}", game.line_up)


def anchor(game: str) -> str:
    """Return the fragment of the address that opens a game."""
    return f"game-{game}"


def scripts_of(page: str) -> list[str]:
    """Return the scripts of a page that run."""
    return [found[1] for part in page.split("</script>")[:-1] if (found := SCRIPT.search(part))]


def games_part(
    choices: Iterable[Choice], pages: Mapping[str, StoredGame], progress: TextIO | None = None
) -> tuple[str, list[str]]:
    """Return the chosen games as a section, and the scripts of the page, which its content policy must allow."""
    reasons: dict[str, list[Choice]] = {}
    for each in choices:
        if each.game in pages:
            reasons.setdefault(each.game, []).append(each)
    if not reasons:
        return "", []
    scripts = [resources.files(__package__).joinpath("replays.js").read_text(encoding="utf-8")]
    parts = []
    chosen = iter(reasons.items())
    for game, why in chosen if progress is None else Progress(progress, len(reasons), things="replays").over(chosen):
        replay = replay_of(pages[game])
        scripts += [each for each in scripts_of(replay) if each not in scripts]
        parts.append(_box(pages[game], why, replay))
    return section(
        "games",
        "Games",
        "The closest game of an agent: the least distance between it and the best other one, and of "
        "several such games the longest. Its greatest upset: "
        "the widest difference in Elo between it and another one, of which the weaker ended ahead. Forfeited games end "
        "where the agent failed.",
        *parts,
        f"<script>{scripts[0]}</script>",
    ), scripts


def policy(scripts: Iterable[str]) -> str:
    """Return the sources of a Content-Security-Policy that allows exactly these scripts."""
    hashes = (base64.b64encode(hashlib.sha256(each.encode()).digest()).decode() for each in scripts)
    return " ".join(f"'sha256-{each}'" for each in hashes) or "'none'"


def _box(game: StoredGame, why: Iterable[Choice], replay: str) -> str:
    ended = sorted(zip(game.scores, game.line_up, strict=True), key=lambda each: -each[0])
    result = ", ".join(f"{shorten(agent)} {score}" for score, agent in ended)
    reasons = "".join(f"<li>{clean(each.kind)} of {clean(shorten(each.agent))}: {clean(each.why)}</li>" for each in why)
    data = base64.b64encode(gzip.compress(replay.encode(), mtime=0)).decode()
    command = f"bloodrage tournament export STORE {game.id[:8]} game{games.replays(game.options.game).suffix}"
    return (
        f'<details class="replay" id="{anchor(game.id)}"><summary>{clean(result)}</summary><ul>{reasons}</ul>'
        f"<p><code>{clean(command)}</code> saves it as a file.</p>"
        f'<script type="application/gzip">{data}</script>'
        f'<iframe title="{clean(f"Game {game.id[:8]}")}" sandbox="allow-scripts"></iframe></details>\n'
    )
