"""Shapes as SVG text."""

from collections.abc import Iterable, Mapping
from html import escape
from types import MappingProxyType
from typing import Final

from .shapes import Box, Disc, Group, Path, Polygon, Rect, Shape, Words

FONTS: Final = "'DejaVu Sans', Verdana, system-ui, sans-serif"


def document(shapes: Iterable[Shape], frame: Rect, label: str) -> str:
    """Return shapes as an SVG document that shows a part of the picture."""
    view = f"{frame.x:g} {frame.y:g} {frame.w:g} {frame.h:g}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{view}" width="{frame.w:g}" role="img" '
        f'aria-label="{escape(label)}" font-family="{FONTS}" style="max-width:100%;height:auto">{markup(shapes)}</svg>'
    )


def markup(shapes: Iterable[Shape], dark: Mapping[str, str] = MappingProxyType({})) -> str:
    """Return shapes as SVG elements, without a document around them.

    `dark` has the colours of the dark mode of pages, by those of the light one.
    """
    return "".join(_element(shape, dark) for shape in shapes)


def _element(shape: Shape, dark: Mapping[str, str]) -> str:
    if isinstance(shape, Group):
        name = f' id="{shape.name}"' if shape.name else ""
        kind = f' class="{shape.kind}"' if shape.kind else ""
        title = f"<title>{escape(shape.title)}</title>" if shape.title else ""
        return f"<g{name}{kind}>{title}{''.join(_element(each, dark) for each in shape.shapes)}</g>"
    if isinstance(shape, Polygon):
        points = " ".join(f"{x:g},{y:g}" for x, y in shape.points)
        return f'<polygon points="{points}"{_paint(shape, dark)}{_dashes(shape.dashed)} stroke-linejoin="round"/>'
    if isinstance(shape, Path):
        move = f"translate({shape.x:g} {shape.y:g})" if shape.x or shape.y else ""
        scale = f"scale({shape.scale:g})" if shape.scale != 1 else ""
        transform = f' transform="{move}{scale}"' if move or scale else ""
        ends = ' stroke-linejoin="round" stroke-linecap="round"' if shape.stroke else ""
        return f'<path d="{shape.path}"{transform}{_paint(shape, dark)}{ends}/>'
    if isinstance(shape, Box):
        x, y, w, h = shape.rect
        place = f'x="{x:g}" y="{y:g}" width="{w:g}" height="{h:g}" rx="{shape.radius:g}"'
        return f"<rect {place}{_paint(shape, dark)}{_dashes(shape.dashed)}/>"
    if isinstance(shape, Disc):
        return f'<circle cx="{shape.x:g}" cy="{shape.y:g}" r="{shape.r:g}"{_paint(shape, dark)}/>'
    return _words(shape, dark)


def _colour(colour: str | None, dark: Mapping[str, str]) -> str:
    if colour is None:
        return "none"
    return f"light-dark({colour},{dark[colour]})" if colour in dark else colour


def _paint(shape: Polygon | Box | Disc | Path, dark: Mapping[str, str]) -> str:
    stroke = f' stroke="{_colour(shape.stroke, dark)}" stroke-width="{shape.width:g}"' if shape.stroke else ""
    return f' fill="{_colour(shape.fill, dark)}"{stroke}'


def _dashes(dashed: bool) -> str:
    return ' stroke-dasharray="5 4"' if dashed else ""


def _words(words: Words, dark: Mapping[str, str]) -> str:
    weight = ' font-weight="bold"' if words.bold else ""
    anchor = "" if words.anchor == "start" else f' text-anchor="{words.anchor}"'
    place = f'x="{words.x:g}" y="{words.y:g}" font-size="{words.size:g}" fill="{_colour(words.fill, dark)}"'
    return f"<text {place}{weight}{anchor}>{escape(words.text)}</text>"
