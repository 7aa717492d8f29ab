"""Functions that several commands use for any game: errors, colours, events, replays."""

import os
import random
import re
import sys
import textwrap
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import numpy as np

from ..core.api.replay import Replay
from ..core.compile.decorators import Records
from ..core.shown.presentation import Event, Kind, Presentation

WIDTH: Final = 98


def wants_colour(option: str) -> bool:
    """Return whether to colour output, by the option `--colour`."""
    if option != "auto":
        return option == "always"
    return sys.stdout.isatty() and "NO_COLOR" not in os.environ


def coloured(text: str, game: Presentation) -> str:
    """Return a text with the names of seats in their colours."""
    colours = dict(zip(game.seats, game.colours, strict=True))
    names = rf"\b({'|'.join(game.seats)})\b"
    return re.sub(names, lambda name: f"\x1b[{colours[name[0]]}m{name[0]}\x1b[0m", text)


UNSHOWN: Final = (Kind.DETAIL, Kind.SECRET)  # kinds of events that are not printed


def print_events(events: Iterable[Event], game: Presentation, colour: bool) -> None:
    """Print headings, answers and their effects."""
    for event in events:
        if event.kind == Kind.HEADING:
            print(f"\n\x1b[1m{event.text}\x1b[0m" if colour else f"\n{event.text}")
        elif event.kind not in UNSHOWN:
            indent = "  " if event.kind == Kind.EFFECT else ""
            text = textwrap.fill(event.text, WIDTH, initial_indent=indent, subsequent_indent=indent + "    ")
            print(coloured(text, game) if colour else text)


def result(states: Records, game: Presentation, colour: bool) -> str:
    """Return the result or the current standings of a game as text."""
    text = game.result_table(states)
    return coloured(text, game) if colour else text


def legal_actions(states: Records) -> list[int]:
    """Return the legal actions in rising order."""
    return [int(action) for action in np.flatnonzero(states["mask"][0])]


def random_action(states: Records, rng: random.Random) -> int:
    """Return a random legal action."""
    return rng.choice(legal_actions(states))


def save_replay(replay: Replay, path: str) -> None:
    """Write a replay and print its path on stderr."""
    replay.save(path)
    print(f"saved {path}: {len(replay)} actions, {Path(path).stat().st_size} bytes", file=sys.stderr)
