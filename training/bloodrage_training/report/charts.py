"""Charts as inline SVG, for a page with the styles of `page.html`.

Colours are classes, so they follow light and dark mode. Text from outside is cleaned and escaped here. The `label` of a
chart describes it for screen readers. The numbers are in a table next to the chart.
"""

import html
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from ..tournament.estimates import Estimate

WIDTH: Final = 560  # user units; the page scales it: to a phone too, where letters of 14 must still be read
LABELS: Final = 190  # room for names on the left
RIGHT: Final = 24
ROW: Final = 28
AXIS: Final = 44  # room for the axis below
NAME_LENGTH: Final = 26  # characters of a name beside a chart
COLOURS: Final = 8  # classes c0 to c7 of the page


@dataclass(frozen=True)
class Outside:
    """A row whose value is off the scale: a bound. The chart shows a text at one edge, with an arrow."""

    text: str
    upper: bool


def clean(text: str) -> str:
    """Return a text that is safe within HTML and SVG, without invisible characters and those that change direction."""
    return html.escape("".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text))


def shorten(text: str, length: int = NAME_LENGTH) -> str:
    """Return a text of at most `length` characters, cut in the middle, because names often differ at the end."""
    if len(text) <= length:
        return text
    head = (length - 1) // 2
    return f"{text[:head]}…{text[len(text) - (length - 1 - head) :]}"


def dots(rows: Sequence[tuple[str, Estimate | Outside]], label: str, axis: str, percent: bool = False,
         reference: float | None = None) -> str:  # fmt: skip
    """Return a chart with a point and its interval for each row. `reference` is a dashed line.

    Rows `Outside` do not affect the scale.
    """
    ends = _ends(each for _, each in rows if isinstance(each, Estimate)) + ([] if reference is None else [reference])
    scale = _Scale.around(ends or [0.0, 1.0], LABELS, WIDTH - RIGHT)
    height = ROW * len(rows) + AXIS
    parts = [_x_axis(scale, height - AXIS, axis, percent)]
    if reference is not None:
        x = scale(reference)
        parts.append(_line("reference", (x, 0), (x, height - AXIS)))
    for number, (name, each) in enumerate(rows):
        y = ROW * number + ROW / 2
        parts.append(_row_name(name, y))
        if isinstance(each, Outside):
            parts.append(_outside(each, y))
            continue
        if each.bounded:
            parts.append(_line("interval", (scale(each.low), y), (scale(each.high), y)))
        if each.known:
            parts.append(_dot(scale(each.value), y))
    return _svg(height, label, parts)


def lines(points: Sequence[tuple[float, Estimate]], label: str, axes: tuple[str, str], notes: Sequence[str] = (),
          percent: bool = False, reference: float | None = None) -> str:  # fmt: skip
    """Return a chart of estimates with intervals over a positive number, on a logarithmic axis, joined by a line.

    `notes` are below the numbers of the axis, one for each point.
    """
    height, left, bottom = 380, 80, 380 - AXIS - 18
    ends = _ends(each for _, each in points) + ([] if reference is None else [reference])
    across = _Scale.of([math.log(x) for x, _ in points] or [0.0], left + 30, WIDTH - RIGHT - 30)
    up = _Scale.around(ends or [0.0, 1.0], bottom, 12)
    parts = []
    for tick in up.ticks:
        y = up(tick)
        parts.append(_line("grid", (left, y), (WIDTH - RIGHT, y)))
        parts.append(_text("tick", (left - 8, y + 4), "end", up.text(tick, percent)))
    for number, (x, _) in enumerate(points):
        at = across(math.log(x))
        parts.append(_text("tick strong", (at, bottom + 18), "middle", f"{x:g}"))
        parts += [_text("tick", (at, bottom + 34), "middle", clean(note)) for note in notes[number : number + 1]]
    middle = (left + WIDTH - RIGHT) / 2
    parts.append(_text("axis", (middle, height - 6), "middle", clean(axes[0])))
    turned = f'transform="translate(16 {bottom / 2:.0f}) rotate(-90)" text-anchor="middle"'
    parts.append(f'<text class="axis" {turned}>{clean(axes[1])}</text>')
    if reference is not None:
        y = up(reference)
        parts.append(_line("reference", (left, y), (WIDTH - RIGHT, y)))
    known = [(across(math.log(x)), each) for x, each in points if each.known]
    path = " ".join(f"{x:.1f},{up(each.value):.1f}" for x, each in known)
    parts.append(f'<polyline class="path" points="{path}"/>')
    for x, each in known:
        if each.bounded:
            parts.append(_line("interval", (x, up(each.low)), (x, up(each.high))))
        parts.append(_dot(x, up(each.value)))
    return _svg(height, label, parts)


def histograms(rows: Sequence[tuple[str, Mapping[int, int]]], label: str, axis: str) -> str:
    """Return histograms of integers, one row per name, on a common axis, with a line at the mean."""
    numbers = [number for _, counts in rows for number in counts]
    if not numbers:
        return _svg(AXIS, label, [])
    step = bin_width(min(numbers), max(numbers))
    first, last = min(numbers) // step, max(numbers) // step
    scale = _Scale.of([first * step, (last + 1) * step], LABELS, WIDTH - RIGHT)
    tall, gap = (46, 12) if len(rows) > 1 else (140, 12)
    height = (tall + gap) * len(rows) + AXIS
    parts = [_x_axis(scale, height - AXIS, axis, percent=False)]
    for number, (name, counts) in enumerate(rows):
        base = (tall + gap) * (number + 1)
        parts.append(_row_name(name, base - tall / 2))
        bins: dict[int, int] = {}
        for value, count in counts.items():
            bins[value // step] = bins.get(value // step, 0) + count
        most, total = max(bins.values(), default=1), sum(counts.values())
        for place, count in sorted(bins.items()):
            x, end, y = scale(place * step), scale((place + 1) * step), base - tall * count / most
            said = f"{place * step} to {(place + 1) * step - 1}: {count / total:.1%}"
            shape = f'x="{x + 0.5:.1f}" y="{y:.1f}" width="{max(end - x - 1, 0.5):.1f}" height="{base - y:.1f}"'
            parts.append(f'<rect class="bar" {shape}><title>{said}</title></rect>')
        if total:
            mean = scale(sum(value * count for value, count in counts.items()) / total + 0.5)
            parts.append(_line("mark", (mean, base - tall), (mean, base)))
    return _svg(height, label, parts)


def bin_width(low: int, high: int) -> int:
    """Return the smallest of 1, 2 or 5 times a power of ten with at most about 30 bins for a range of integers."""
    width = 1
    while (high - low) / width > 30:
        width = width * 5 // 2 if str(width).startswith("2") else width * 2
    return width


def stacked(rows: Sequence[tuple[str, Sequence[float]]], names: Sequence[str], label: str, axis: str) -> str:
    """Return a chart of the parts of a sum, one bar per row. Negative parts are left of zero."""
    lows = [sum(min(part, 0) for part in parts) for _, parts in rows]
    highs = [sum(max(part, 0) for part in parts) for _, parts in rows]
    scale = _Scale.around([0.0, *lows, *highs], LABELS, WIDTH - RIGHT)
    height = (ROW + 6) * len(rows) + AXIS
    shapes = [_x_axis(scale, height - AXIS, axis, percent=False)]
    for number, (name, parts) in enumerate(rows):
        y = (ROW + 6) * number + 5
        shapes.append(_row_name(name, y + 12))
        right = left = 0.0
        for part, (source, size) in enumerate(zip(names, parts, strict=True)):
            start = right if size >= 0 else left + size
            right, left = right + max(size, 0), left + min(size, 0)
            x, width = scale(start), abs(scale(start + abs(size)) - scale(start))
            if width > 0:
                shape = f'x="{x:.1f}" y="{y}" width="{width:.1f}" height="24"'
                title = f"<title>{clean(source)}: {size:.1f}</title>"
                shapes.append(f'<rect class="part c{part % COLOURS}" {shape}>{title}</rect>')
            if width > 30:
                where = f'x="{x + width / 2:.1f}" y="{y + 16.5}" text-anchor="middle"'
                shapes.append(f'<text class="inside t{part % COLOURS}" {where}>{size:.1f}</text>')
    x = scale(0)
    shapes.append(_line("zero", (x, 0), (x, height - AXIS)))
    return _svg(height, label, shapes)


def legend(names: Sequence[str]) -> str:
    """Return the names of the parts of `stacked` with their colours, as HTML."""
    items = "".join(f'<li><i class="key c{n % COLOURS}"></i>{clean(name)}</li>' for n, name in enumerate(names))
    return f'<ul class="legend">{items}</ul>'


class _Scale:
    """Maps numbers to positions in the drawing, with round ticks."""

    def __init__(self, low: float, high: float, start: float, end: float) -> None:
        self._low, self._per = low, (end - start) / (high - low)
        self._start = start
        self.step = _round_step(high - low)
        first, last = math.ceil(low / self.step - 1e-9), math.floor(high / self.step + 1e-9)
        self.ticks = [number * self.step for number in range(first, last + 1)]

    @classmethod
    def of(cls, numbers: Sequence[float], start: float, end: float) -> "_Scale":
        """Return a scale from the least to the greatest number."""
        low, high = min(numbers), max(numbers)
        return cls(low, high, start, end) if high > low else cls(low - 0.5, low + 0.5, start, end)

    @classmethod
    def around(cls, numbers: Sequence[float], start: float, end: float) -> "_Scale":
        """Return a scale from a tick at or below the least number to one at or above the greatest."""
        low, high = min(numbers), max(numbers)
        if high - low < 1e-9:
            low, high = low - 0.5, high + 0.5
        step = _round_step(high - low)
        return cls(math.floor(low / step + 1e-9) * step, math.ceil(high / step - 1e-9) * step, start, end)

    def __call__(self, number: float) -> float:
        return self._start + (number - self._low) * self._per

    def text(self, tick: float, percent: bool) -> str:
        """Return the text of a tick."""
        if percent:
            return f"{100 * tick:.{0 if self.step >= 0.0099 else 1}f} %".replace("-", "−")
        return f"{tick:.{max(0, -math.floor(math.log10(self.step) + 1e-9))}f}".replace("-", "−")


def _round_step(span: float) -> float:
    """Return 1, 2 or 5 times a power of ten, so that the span has three to eight steps."""
    power = 10.0 ** math.floor(math.log10(span / 3))
    return max(power * factor for factor in (1, 2, 5) if power * factor <= span / 3 + 1e-12)


def _x_axis(scale: _Scale, base: float, name: str, percent: bool) -> str:
    parts = []
    for tick in scale.ticks:
        x = scale(tick)
        parts.append(_line("grid", (x, 0), (x, base)))
        parts.append(_text("tick", (x, base + 16), "middle", scale.text(tick, percent)))
    middle = (LABELS + WIDTH - RIGHT) / 2
    parts.append(_text("axis", (middle, base + 36), "middle", clean(name)))
    return "".join(parts)


def _row_name(name: str, y: float) -> str:
    title = f"<title>{clean(name)}</title>" if len(name) > NAME_LENGTH else ""
    return _text("name", (LABELS - 10, y + 4), "end", clean(shorten(name)) + title)


def _ends(estimates: Iterable[Estimate]) -> list[float]:
    """Return all finite numbers of the estimates, which a scale must contain."""
    return [end for each in estimates for end in (each.low, each.value, each.high) if math.isfinite(end)]


def _outside(each: Outside, y: float) -> str:
    """Return an arrow at the edge of the drawing, with its text."""
    edge, way, anchor = (WIDTH - RIGHT, 1, "end") if each.upper else (LABELS, -1, "start")
    arrow = f"{edge:.1f},{y:.1f} {edge - 10 * way:.1f},{y - 5:.1f} {edge - 10 * way:.1f},{y + 5:.1f}"
    text = _text("tick", (edge - 16 * way, y + 4), anchor, clean(each.text))
    return f'<polygon class="outside" points="{arrow}"/>{text}'


def _dot(x: float, y: float) -> str:
    return f'<circle class="dot" cx="{x:.1f}" cy="{y:.1f}" r="5"/>'


def _line(kind: str, start: tuple[float, float], end: tuple[float, float]) -> str:
    return f'<line class="{kind}" x1="{start[0]:.1f}" y1="{start[1]:.1f}" x2="{end[0]:.1f}" y2="{end[1]:.1f}"/>'


def _text(kind: str, at: tuple[float, float], anchor: str, content: str) -> str:
    return f'<text class="{kind}" x="{at[0]:.1f}" y="{at[1]:.1f}" text-anchor="{anchor}">{content}</text>'


def _svg(height: float, label: str, parts: Sequence[str]) -> str:
    size = f'viewBox="0 0 {WIDTH} {height:.0f}"'
    return f'<svg {size} role="img" aria-label="{clean(label)}">{"".join(parts)}</svg>'
