"""What several commands need: errors, colours, telling a game, results, what can be taken back."""

import os
import random
import re
import sys
import textwrap
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import numpy as np

from .. import engine
from ..engine import Source, States, pieces
from ..errors import UserError
from ..notation import CLANS, Event, Kind
from ..notation.words import SOURCES, outcome
from ..render.ansi import COLOURS
from ..replay import Replay

WIDTH: Final = 98
_COLOUR_OF: Final = dict(zip(CLANS, COLOURS, strict=True))
_CLAN_NAMES = re.compile(rf"\b({'|'.join(CLANS)})\b")


def wants_colour(option: str) -> bool:
    """Whether to colour, by the option `--colour`."""
    if option != "auto":
        return option == "always"
    return sys.stdout.isatty() and "NO_COLOR" not in os.environ


def coloured(text: str) -> str:
    """A text with the names of clans in their colours."""
    return _CLAN_NAMES.sub(lambda name: f"\x1b[{_COLOUR_OF[name[0]]}m{name[0]}\x1b[0m", text)


def tell(events: Iterable[Event], colour: bool, kinds: Iterable[Kind] = (Kind.ANSWER, Kind.EFFECT)) -> None:
    """Print headings and events of the given kinds."""
    for event in events:
        if event.kind == Kind.HEADING:
            print(f"\n\x1b[1m{event.text}\x1b[0m" if colour else f"\n{event.text}")
        elif event.kind in kinds:
            indent = "  " if event.kind == Kind.EFFECT else ""
            text = textwrap.fill(event.text, WIDTH, initial_indent=indent, subsequent_indent=indent + "    ")
            print(coloured(text) if colour else text)


def legal_actions(states: States) -> list[int]:
    """The answers to the open question, in rising order."""
    return [int(action) for action in np.flatnonzero(states["mask"][0])]


def random_action(states: States, rng: random.Random) -> int:
    """One of the legal answers, each equally likely."""
    return rng.choice(legal_actions(states))


def save_replay(replay: Replay, path: str) -> None:
    """Write a replay and say so on stderr."""
    replay.save(path)
    print(f"saved {path}: {len(replay)} actions, {Path(path).stat().st_size} bytes", file=sys.stderr)


def check_save(path: str | None) -> None:
    """Refuse a path for `--save` that can't work, before a game is played for nothing."""
    if path is None:
        return
    target = Path(path)
    if target.is_dir() or not target.absolute().parent.is_dir():
        raise UserError(f"can't save to {path}: it is {'a' if target.is_dir() else 'in no'} directory")


def result_table(states: States, colour: bool) -> str:
    """Places, glory and where it came from; for a game that is not over, how it stands."""
    s = states[0]
    scores = engine.scores(states, 0).tolist()
    shown = [source for source in Source if s.glory_from[:, source].any()]
    header = f"{'':4}{'clan':9}{'glory':>6}" + "".join(f"{SOURCES[source]:>14}" for source in shown)
    lines = [header]
    for seat in sorted(range(s.num_players), key=lambda seat: (-scores[seat], seat)):
        place = 1 + sum(other > scores[seat] for other in scores)
        row = f"{place}.".ljust(4) + f"{CLANS[seat]:9}{scores[seat]:>6}"
        lines.append(row + "".join(f"{s.glory_from[seat, source]:>14}" for source in shown))
    if s.over:
        lines += ["", outcome(s)]
    text = "\n".join(lines)
    return coloured(text) if colour else text


def reveals(before: States, action: int, seat: int) -> bool:
    """Whether an answer of `seat` had others act, or told it something that was hidden from it."""
    others = [other for other in range(before[0].num_players) if other != seat]
    for piece in pieces(before, 0, action):
        s, after = piece.before[0], piece.after[0]
        if piece.action >= 0 and s.seat != seat:
            return True
        if any((s[name] != after[name]) for name in ("age", "phase", "draft_round", "quests_open")):
            return True
        if (s.main != after.main).any():  # also an own card that all have seen is not taken back
            return True
        if any((s[name][others] != after[name][others]).any() for name in ("hand", "quests", "pending")):
            return True
    return False
