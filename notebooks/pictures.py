"""What the notebooks show: boards and charts as PNG, small enough to be kept in them."""

import io
from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

import matplotlib
import numpy as np
import numpy.typing as npt
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter
from PIL import Image

from bloodrage_env.games.bloodrage.engine import States
from bloodrage_env.games.bloodrage.render.colours import CLAN_FILL
from bloodrage_env.games.bloodrage.render.picture import ground, things
from bloodrage_env.games.bloodrage.render.scene import scene
from bloodrage_env.render.pixels import pixels
from bloodrage_training.tournament.estimates import Estimate

BOARD_WIDTH: Final = 880  # pixels
COLOURS: Final = 128  # of a picture that is kept
BLUE: Final = "#1667a8"
WIDTH: Final = 8.0  # of a chart, in inches

matplotlib.rcParams.update(
    {"axes.spines.top": False, "axes.spines.right": False, "axes.titlelocation": "left", "figure.dpi": 110}
)


class Picture:
    """A picture that a notebook shows at the end of a cell."""

    def __init__(self, image: Image.Image) -> None:
        self._image = image.convert("RGB").quantize(COLOURS, Image.Quantize.MAXCOVERAGE, kmeans=2)

    def _repr_png_(self) -> bytes:
        data = io.BytesIO()
        self._image.save(data, "png", optimize=True)
        return data.getvalue()


def board(states: States, seat: int | None = None) -> Picture:
    """The board of a game; with a seat also what that clan alone knows."""
    shown = scene(states, 0, seat)
    image = Image.fromarray(pixels(ground(shown), things(shown)))
    return Picture(image.resize((BOARD_WIDTH, BOARD_WIDTH * image.height // image.width), Image.Resampling.LANCZOS))


def drawn(figure: Figure) -> Picture:
    """A chart as a picture."""
    data = io.BytesIO()
    figure.savefig(data, bbox_inches="tight")
    return Picture(Image.open(data))


def chart(title: str, height: float) -> tuple[Figure, Any]:
    """An empty chart and its axes."""
    figure = Figure((WIDTH, height))
    axes = figure.subplots()
    axes.set_title(title)
    return figure, axes


def dots(
    rows: Sequence[tuple[str, Estimate]],
    title: str,
    axis: str,
    percent: bool = False,
    reference: float | None = None,
    bounds: Sequence[str] = (),
) -> Picture:
    """A dot with its interval for each row, `reference` a dashed line; rows named in `bounds` are arrows."""
    figure, axes = chart(title, 0.9 + 0.28 * len(rows))
    for y, (name, each) in enumerate(rows):
        if each.bounded and name not in bounds:
            axes.plot([each.low, each.high], [y, y], color=BLUE, linewidth=2, alpha=0.5)
        axes.plot(each.value, y, "<" if name in bounds else "o", color=BLUE)
    axes.set_yticks(range(len(rows)), [name for name, _ in rows])
    axes.invert_yaxis()
    axes.grid(axis="x", alpha=0.3)
    axes.set_xlabel(axis)
    if reference is not None:
        axes.axvline(reference, color="black", linestyle="--", linewidth=1)
    if percent:
        axes.xaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    return drawn(figure)


def learning(curves: Sequence[tuple[str, Sequence[tuple[float, Estimate]]]], title: str, reference: float) -> Picture:
    """Win rates against decisions played, on a logarithmic axis, with their intervals as bands."""
    figure, axes = chart(title, 3.6)
    for name, points in curves:
        x = [decisions for decisions, _ in points]
        (line,) = axes.plot(x, [each.value for _, each in points], "o-", label=name)
        axes.fill_between(
            x, [each.low for _, each in points], [each.high for _, each in points], color=line.get_color(), alpha=0.2
        )
    axes.set_xscale("log")
    axes.axhline(reference, color="black", linestyle="--", linewidth=1)
    axes.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    axes.set(xlabel="decisions played", ylabel="win rate", ylim=(0, 1))
    axes.grid(alpha=0.3)
    axes.legend(loc="upper left")
    return drawn(figure)


def histograms(rows: Sequence[tuple[str, Counter[int]]], title: str, axis: str) -> Picture:
    """How often each number came, a histogram for each row, all on the same axes; the orange line is the mean."""
    figure = Figure((WIDTH, 1.2 + 1.1 * len(rows)))
    figure.suptitle(title, x=0.12, ha="left")
    most = max(max(counts) for _, counts in rows)
    for axes, (name, counts) in zip(figure.subplots(len(rows), sharex=True, sharey=True), rows, strict=True):
        values = np.repeat(list(counts), list(counts.values()))
        axes.hist(values, bins=np.arange(0, most + 5, 4), color=BLUE, alpha=0.7)
        axes.axvline(values.mean(), color="#d97706", linewidth=2)
        axes.set_ylabel(name)
        axes.set_yticks([])
    axes.set_xlabel(axis)
    return drawn(figure)


def heat(values: npt.NDArray[np.float64], rows: Sequence[str], columns: Sequence[str], title: str) -> Picture:
    """A table of shares: the darker, the greater; NaN is left empty."""
    figure, axes = chart(title, 1.0 + 0.3 * len(rows))
    axes.imshow(values, cmap="Blues", vmin=0, vmax=1, aspect="auto")
    for (y, x), share in np.ndenumerate(values):
        if np.isfinite(share):
            axes.text(x, y, f"{share:.0%}", ha="center", va="center", color="white" if share > 0.6 else "black")
    axes.set_xticks(range(len(columns)), columns)
    axes.set_yticks(range(len(rows)), rows)
    axes.tick_params(top=True, labeltop=True, bottom=False, labelbottom=False, left=False)
    axes.spines[:].set_visible(False)
    return drawn(figure)


def curves(
    rows: Sequence[tuple[str, Sequence[float]]], title: str, axis: str, marks: Sequence[int] = (), stacked: bool = False
) -> Picture:
    """Probabilities over a game, a line or an area for each row; `marks` are dotted lines."""
    figure, axes = chart(title, 3.6)
    x = range(len(rows[0][1]))
    if stacked:
        axes.stackplot(x, [values for _, values in rows], labels=[name for name, _ in rows], colors=CLAN_FILL)
    else:
        for name, values in rows:
            axes.plot(x, values, label=name, drawstyle="steps-post", color=BLUE)
    for each in marks:
        axes.axvline(each, color="black", linestyle=":", linewidth=1)
    axes.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    axes.set(xlabel=axis, ylim=(0, 1), xlim=(0, max(x)))
    if len(rows) > 1:
        axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return drawn(figure)


def bars(names: Sequence[str], parts: Sequence[tuple[str, Sequence[float]]], title: str) -> Picture:
    """Shares side by side: a group of bars for each name, one bar for each part."""
    figure, axes = chart(title, 1.0 + 0.4 * len(names))
    high = 0.8 / len(parts)
    for number, (label, values) in enumerate(parts):
        places = np.arange(len(names)) + high * (number - (len(parts) - 1) / 2)
        axes.barh(places, values, high, label=label, color=("#9ca3af", BLUE)[number])
    axes.set_yticks(range(len(names)), names)
    axes.invert_yaxis()
    axes.xaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    axes.grid(axis="x", alpha=0.3)
    axes.legend(loc="lower right")
    return drawn(figure)


def budgets(sizes: Sequence[int], rows: Sequence[tuple[str, Sequence[float]]], title: str) -> Picture:
    """Shares of the visits against the number of simulations."""
    figure, axes = chart(title, 3.6)
    for name, shares in rows:
        axes.plot(sizes, shares, "o-", label=name)
    axes.set_xscale("log")
    axes.set_xticks(sizes, map(str, sizes), minor=False)
    axes.minorticks_off()
    axes.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    axes.set(xlabel="simulations", ylim=(0, 1))
    axes.grid(alpha=0.3)
    axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return drawn(figure)


def spread(values: npt.NDArray[np.float64], title: str, axis: str) -> Picture:
    """How often each difference came; the dashed line is none, the orange one the mean."""
    figure, axes = chart(title, 2.8)
    axes.hist(values, bins=24, color=BLUE, alpha=0.7)
    axes.axvline(0, color="black", linestyle="--", linewidth=1)
    axes.axvline(values.mean(), color="#d97706", linewidth=2)
    axes.xaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    axes.set(xlabel=axis, ylabel="redeals")
    return drawn(figure)
