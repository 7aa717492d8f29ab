"""Pictures of cards, composed of drawings of our own: a sky, what lies in it, a ground and things in front.

`drawings.csv` has the paths of each drawing, about the origin: things in a square from -54 to 54, skies and grounds in
WIDTH by HEIGHT. A path without a line of its own has the outline of its drawing. A game lists its pictures by card
title in a file of `title`, `sky` (of `skies.csv`) and `things`, from back to front, each as
`name@x:y*size/degrees#colour`; all but the name may be omitted. What is painted in `currentColor` has that colour, or
the one of the sky's top.
"""

import csv
import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final

NAMESPACE: Final = 'xmlns="http://www.w3.org/2000/svg"'
SVG: Final = "image/svg+xml"
WIDTH, HEIGHT = 160, 100
TITLE_HEIGHT = 62  # of the part that is shown of a title picture
FOLDER: Final = Path(__file__).parent
OUTLINE: Final = 'stroke="#14110d" stroke-width="1.6" stroke-linejoin="round" stroke-linecap="round"'
WHOLE: Final = f"M{-WIDTH // 2} {-HEIGHT // 2}h{WIDTH}v{HEIGHT}h-{WIDTH}Z"
THING: Final = re.compile(r"([a-z-]+)(?:@(-?\d+):(-?\d+)|\*([\d.]+)|/(-?\d+)|(#\w{6}))*")


def rows(path: Path) -> list[dict[str, str]]:
    """Return the rows of a CSV file."""
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


@cache
def drawings() -> dict[str, str]:
    """Return the markup of each drawing by name."""
    found: dict[str, str] = {}
    for row in rows(FOLDER / "drawings.csv"):
        line = f' stroke="{row["line"]}"' if row["line"] else ""
        width = f' stroke-width="{row["width"]}"' if row["width"] else ""
        name = row["drawing"]
        found[name] = found.get(name, "") + f'<path fill="{row["fill"]}"{line}{width} d="{row["path"]}"/>'
    return found


@cache
def skies() -> dict[str, dict[str, str]]:
    """Return the colours of each sky by name."""
    return {row["sky"]: row for row in rows(FOLDER / "skies.csv")}


def _thing(text: str) -> str:
    found = THING.fullmatch(text)
    if found is None:
        raise ValueError(f"{text!r} is not a part of a picture")
    name, x, y, size, turn, colour = found.groups()
    paint = f' color="{colour}"' if colour else ""
    moves = (f"translate({x} {y})" * bool(x), f"rotate({turn})" * bool(turn), f"scale({size})" * bool(size))
    transform = f' transform="{"".join(moves)}"' if any(moves) else ""
    drawn = name if name.startswith("figure-") else f"draw-{name}"
    return f'<use href="#{drawn}"{transform}{paint}/>'


def files(titles: Sequence[str], listed: Path, game: str) -> dict[str, tuple[str, str]]:
    """Return what pages show, by address, each as text and media type: the symbols of the cards, and the title picture.

    `titles` are those of the cards, "" for a number without one. A card that the file does not list has the picture of
    the title "". Figures of the game, `figure-...`, have to be in a page that shows the symbols.
    """
    table = {row["title"]: row for row in rows(listed)}
    found = ((number, table.get(title, table[""])) for number, title in enumerate(titles) if title)
    cards = "".join(_symbol(f"art-{number}", row) for number, row in found)
    return {
        "/board/pictures.svg": (f'<svg {NAMESPACE} class="unseen" aria-hidden="true">{_with_parts(cards)}</svg>', SVG),
        "/board/title.svg": (title_picture(listed, game), SVG),
    }


def title_picture(listed: Path, game: str) -> str:
    """Return the title picture of a game, which needs nothing else of the game: the row of its name, or that of ""."""
    table = {row["title"]: row for row in rows(listed)}
    shown = f'{_symbol("title", table.get(game, table[""]))}<use href="#title" height="{TITLE_HEIGHT}"/>'
    return f'<svg {NAMESPACE} viewBox="0 0 {WIDTH} {TITLE_HEIGHT}">{_with_parts(shown)}</svg>'


def _with_parts(pictures: str) -> str:
    """Return symbols with the skies and drawings that they use."""
    used = set(re.findall(r"#([a-z-]+)", pictures))
    found = "".join(_gradient(name, sky) for name, sky in skies().items() if f"sky-{name}" in used)
    found += "".join(
        f'<g id="draw-{name}" {OUTLINE}>{parts}</g>' for name, parts in drawings().items() if f"draw-{name}" in used
    )
    return found + pictures


def _symbol(name: str, row: Mapping[str, str]) -> str:
    things = "".join(map(_thing, row["things"].split()))
    view = f'viewBox="{-WIDTH // 2} {-HEIGHT // 2} {WIDTH} {HEIGHT}" preserveAspectRatio="xMidYMid slice"'
    sky = f'<path d="{WHOLE}" fill="url(#sky-{row["sky"]})"/>'
    return f'<symbol id="{name}" {view} color="{skies()[row["sky"]]["top"]}">{sky}{things}</symbol>'


def _gradient(name: str, sky: Mapping[str, str]) -> str:
    stops = "".join(
        f'<stop offset="{at}" stop-color="{sky[key]}"/>' for at, key in ((0, "top"), (0.45, "middle"), (0.8, "low"))
    )
    return f'<linearGradient id="sky-{name}" x2="0" y2="1">{stops}</linearGradient>'
