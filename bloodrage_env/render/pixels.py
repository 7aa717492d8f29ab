"""Pictures as pixels and in a window, by pygame-ce (the extra `render`). It is imported only when needed."""

import os
import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from ..errors import MissingPackageError, UserError
from .shapes import FRAME, Box, Disc, Group, Path, Point, Polygon, Shape, Words

try:
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    import pygame
    import pygame.gfxdraw
except ImportError:
    raise MissingPackageError("a picture as pixels", "pygame-ce", "render") from None

if not getattr(pygame, "IS_CE", False):  # the two can't be installed side by side
    raise UserError("pictures as pixels need pygame-ce, and pygame is installed: uninstall it, install pygame-ce")

SIZE: Final = (int(FRAME.w), int(FRAME.h))
FRAMES_A_SECOND: Final = 30
FONTS: Final = "dejavusans,verdana,liberationsans,arial,freesans"
OWN_FONT_SCALE: Final = 1.25  # pygame's own font is smaller than others of its size
DASH: Final = 9.0
PIECES: Final = 6  # straight pieces that a curve is drawn with

Pixels = npt.NDArray[np.uint8]


def pixels(ground: Iterable[Shape], things: Iterable[Shape]) -> Pixels:
    """Return a picture as uint8[800, 1280, 3] in red, green and blue.

    `things` are in front of `ground`, which seldom changes and is kept.
    """
    surface = draw(pygame.Surface(SIZE), ground, things)
    flat = np.frombuffer(pygame.image.tobytes(surface, "RGB"), np.uint8)
    return flat.reshape(SIZE[1], SIZE[0], 3).copy()


class Window:
    """A window on the screen that shows pictures."""

    def __init__(self, title: str) -> None:
        pygame.display.init()
        self._screen = pygame.display.set_mode(SIZE)
        pygame.display.set_caption(title)
        self._clock = pygame.time.Clock()

    def show(self, ground: Iterable[Shape], things: Iterable[Shape]) -> None:
        """Paint a picture, at most `FRAMES_A_SECOND` times a second."""
        pygame.event.pump()
        draw(self._screen, ground, things)
        pygame.display.flip()
        self._clock.tick(FRAMES_A_SECOND)

    def close(self) -> None:
        """Close the window."""
        pygame.display.quit()


def draw(surface: Any, ground: Iterable[Shape], things: Iterable[Shape]) -> Any:
    """Draw a picture on a surface of `SIZE`, which is returned."""
    unnamed = (shape.shapes if isinstance(shape, Group) else (shape,) for shape in ground)
    surface.blit(_ground(tuple(shape for shapes in unnamed for shape in shapes)), (0, 0))
    return paint(surface, things)


@lru_cache(maxsize=4)
def _ground(shapes: tuple[Shape, ...]) -> Any:
    """Return a surface with what seldom changes."""
    return paint(pygame.Surface(SIZE), shapes)


def paint(surface: Any, shapes: Iterable[Shape]) -> Any:
    """Paint shapes on a surface, which is returned."""
    for shape in shapes:
        if isinstance(shape, Group):
            paint(surface, shape.shapes)
        elif isinstance(shape, Words):
            _words(surface, shape)
        elif isinstance(shape, Polygon):
            _polygon(surface, shape)
        elif isinstance(shape, Path):
            _path(surface, shape)
        elif isinstance(shape, Box):
            _box(surface, shape)
        else:
            _disc(surface, shape)
    return surface


def _polygon(surface: Any, shape: Polygon) -> None:
    if shape.fill:
        corners = _corners(tuple(shape.points))
        pygame.gfxdraw.aapolygon(surface, corners, pygame.Color(shape.fill))
        pygame.gfxdraw.filled_polygon(surface, corners, pygame.Color(shape.fill))
    if shape.stroke:
        closed = [*shape.points, shape.points[0]]
        for start, end in pairwise(closed):
            _line(surface, shape.stroke, start, end, shape.width, shape.dashed)


def _path(surface: Any, shape: Path) -> None:
    for points, closed in _flattened(shape.path):
        moved = [(shape.x + shape.scale * x, shape.y + shape.scale * y) for x, y in points]
        if shape.fill:
            corners = [(round(x), round(y)) for x, y in moved]
            pygame.gfxdraw.aapolygon(surface, corners, pygame.Color(shape.fill))
            pygame.gfxdraw.filled_polygon(surface, corners, pygame.Color(shape.fill))
        if shape.stroke:
            width = shape.width * shape.scale
            for start, end in pairwise([*moved, moved[0]] if closed else moved):
                _line(surface, shape.stroke, start, end, width, dashed=False)


@lru_cache(maxsize=1000)
def _flattened(path: str) -> tuple[tuple[tuple[Point, ...], bool], ...]:
    """Return the lines of a path, with curves as straight segments, and whether each line is closed."""
    lines: list[tuple[list[Point], bool]] = []
    for command, numbers in re.findall(r"([MLQCZ])([^MLQCZ]*)", path):
        values = [float(number) for number in numbers.split()]
        points = list(zip(values[::2], values[1::2], strict=True))
        if command == "M":
            lines.append((points[:1], False))
            points = points[1:]
        line = lines[-1][0]
        if command == "Z":
            lines[-1] = (line, True)
        step = {"Q": 2, "C": 3}.get(command, 1)
        for first in range(0, len(points), step):
            line += _curve([line[-1], *points[first : first + step]])
    return tuple((tuple(line), closed) for line, closed in lines)


def _curve(points: list[Point]) -> list[Point]:
    """Return the points of a Bezier curve after its first one."""
    if len(points) == 2:
        return points[1:]
    found = []
    for number in range(1, PIECES + 1):
        share, rest = number / PIECES, points
        while len(rest) > 1:
            rest = [(a + (c - a) * share, b + (d - b) * share) for (a, b), (c, d) in pairwise(rest)]
        found.append(rest[0])
    return found


@lru_cache(maxsize=2000)
def _corners(points: tuple[Point, ...]) -> list[tuple[int, int]]:
    return [(round(x), round(y)) for x, y in points]


def _line(surface: Any, colour: str, start: Point, end: Point, width: float, dashed: bool) -> None:
    if not dashed:
        pygame.draw.aaline(surface, colour, start, end, max(1, round(width)))
        if width >= 3:  # round joints
            pygame.draw.aacircle(surface, colour, start, width / 2)
        return
    (x0, y0), (x1, y1) = start, end
    length = max(abs(x1 - x0), abs(y1 - y0))
    steps = max(1, round(length / DASH))
    for step in range(0, steps, 2):
        a, b = step / steps, (step + 1) / steps
        first, last = (x0 + (x1 - x0) * a, y0 + (y1 - y0) * a), (x0 + (x1 - x0) * b, y0 + (y1 - y0) * b)
        pygame.draw.aaline(surface, colour, first, last, max(1, round(width)))


def _box(surface: Any, shape: Box) -> None:
    rect, radius = pygame.Rect(*(round(part) for part in shape.rect)), round(shape.radius)
    if shape.fill:
        pygame.draw.rect(surface, shape.fill, rect, border_radius=radius)
    if shape.stroke:
        pygame.draw.rect(surface, shape.stroke, rect, max(1, round(shape.width)), border_radius=radius)


def _disc(surface: Any, shape: Disc) -> None:
    if shape.stroke:
        pygame.draw.aacircle(surface, shape.stroke, (shape.x, shape.y), shape.r + shape.width / 2)
    if shape.fill:
        pygame.draw.aacircle(surface, shape.fill, (shape.x, shape.y), shape.r - shape.width / 2)


def _words(surface: Any, words: Words) -> None:
    drawn, ascent = _rendered(words.text, words.size, words.bold, words.fill)
    shift = {"start": 0.0, "middle": 0.5, "end": 1.0}[words.anchor]
    surface.blit(drawn, (words.x - shift * drawn.get_width(), words.y - ascent))


@lru_cache(maxsize=2000)
def _rendered(text: str, size: float, bold: bool, fill: str) -> tuple[Any, int]:
    """Return a line of text as a surface, and the distance of its base line from its top."""
    font = _font(size, bold)
    return font.render(text, True, fill), font.get_ascent()


@lru_cache(maxsize=100)
def _font(size: float, bold: bool) -> Any:
    """Return a font of the system like that of the SVG, or the font of pygame, which has bold only."""
    pygame.font.init()
    name = pygame.font.match_font(FONTS, bold=bold)
    return pygame.font.Font(name, round(size if name else size * OWN_FONT_SCALE))
