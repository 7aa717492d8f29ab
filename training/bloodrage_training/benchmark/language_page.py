"""The results of a language track as one self-contained page."""

import os
from collections.abc import Mapping, Sequence
from typing import Final

from bloodrage_agents import registry
from bloodrage_env import games

from ..report.charts import clean, dots
from ..report.columns import share
from ..report.games import talk_table
from ..report.page import MISSING, Cell, Row, figure, interval, number, page, section, signed, table, write
from ..tournament.estimates import Estimate
from .language import DECISIONS, GROUPS
from .language_results import SLOW, Comparison, Found, Part

_LOST: Final = "Of decisions it is the win probability that they lose, in percentage points: less is better."


def write_page(found: Found, path: str | os.PathLike[str]) -> None:
    """Write the page. Raise OSError."""
    title = f"{games.spec(found.track.game).title}: language track, version {found.track.version}"
    parts = [part(found, labels(found)) for part in (_standings, _differences, _changes, _talks, _failures)]
    head = f'<header><h1>{clean(title)}</h1><p class="lead">{clean(_lead(found))}</p></header>\n'
    footer = "<footer>Intervals hold 95 %. Written by bloodrage.</footer>"
    write(path, page(title, "".join([head, *parts, footer])))


def labels(found: Found) -> dict[str, str]:
    """Return a short name of each agent by its spec: its number with its model, or what it changes."""
    names: dict[str, str] = {"": "all"}
    for place, each in enumerate(found.standings, 1):
        parsed = registry.parse(each.agent, found.track.game)
        named = f"{names[each.base]}, {each.change}" if each.base else str(parsed.arguments.get("model", parsed.name))
        names[each.agent] = f"{place}: {named.partition(': ')[2] if each.base else named}"
    return names


def _lead(found: Found) -> str:
    complete = "All agents were asked the same things" if found.comparable else "A trial, or something is missing"
    return f"{complete}. Agents are compared on the items that both have answered."


def _standings(found: Found, names: Mapping[str, str]) -> str:
    """Each agent in each part."""
    columns = list(dict.fromkeys(part.name for each in found.standings for part in each.parts))
    rows: list[Row] = []
    for each in found.standings:
        parts = {part.name: part for part in each.parts}
        rows.append((names[each.agent], [_cell(parts.get(name)) for name in columns]))
    specs: list[Row] = [(names[each.agent], [Cell(each.agent, text=True)]) for each in found.standings]
    lost = [
        (names[each.agent], _estimate(part))
        for each in found.standings
        for part in each.parts
        if part.name == DECISIONS
    ]
    chart = dots(lost, "Win probability that decisions lose", "lost", percent=True)
    return section(
        "agents", "Agents", f"Games and questions: the share that was won, or right. {_LOST} Where no answer is legal, "
        "a game is lost, a question wrong, and a decision the worst one. What the endpoint did not answer counts for "
        "nothing and is listed as missing.", figure(chart), table("Results of each agent", ["agent", *columns], rows),
        table("Their specs", ["agent", "spec"], specs),
    )  # fmt: skip


def _cell(part: Part | None) -> Cell:
    if part is None or not part.count:
        return Cell(MISSING, f"{part.missing} missing" if part else "")
    cell = share(_estimate(part)).cell
    more = [f"{part.count}", *[f"{part.failed} failed"] * bool(part.failed),
            *[f"{part.missing} missing"] * bool(part.missing)]  # fmt: skip
    return Cell(cell.content, f"{cell.small} of {', '.join(more)}".strip())


def _estimate(part: Part | Comparison) -> Estimate:
    return Estimate(part.value, part.low, part.high)


def _differences(found: Found, names: Mapping[str, str]) -> str:
    """Each pair of agents."""
    if not found.comparisons:
        return ""
    read = f"The first agent minus the second one, in points, on the same items. {_LOST}"
    return section("differences", "Differences", read, _compared("Pairs of agents", " − ", found.comparisons, names))


def _changes(found: Found, names: Mapping[str, str]) -> str:
    """Each change of an argument."""
    if not found.changes:
        return ""
    read = f"An agent with the argument changed minus the agent as it is, in points, on the same items. {_LOST}"
    return section("changes", "Changes", read, _compared("Changes of arguments", " of ", found.changes, names))


def _compared(caption: str, between: str, found: Sequence[Comparison], names: Mapping[str, str]) -> str:
    """A table with a row for each two names, and a column for each group."""
    cells = {(each.first, each.second, each.group): _difference(each) for each in found}
    rows: list[Row] = [
        (
            f"{names.get(first, first)}{between}{names[second]}",
            [cells.get((first, second, group), Cell(MISSING)) for group in GROUPS],
        )
        for first, second in dict.fromkeys((each.first, each.second) for each in found)
    ]
    return table(caption, ["what", *GROUPS], rows)


def _difference(each: Comparison) -> Cell:
    return Cell(signed(f"{100 * each.value:+.1f}"), signed(f"{interval(_estimate(each))} of {each.count}".strip()))


def _talks(found: Found, names: Mapping[str, str]) -> str:
    """What language models took."""
    talks = [(names[each.agent], each.talk) for each in found.standings if each.talk is not None]
    if not talks:
        return ""
    slow: list[Row] = [(names[each.agent], [number(each.slow, 2)]) for each in found.standings if each.slow is not None]
    return section(
        "models", "Language models", "An unreadable answer names no action, an illegal one an action that is not "
        "possible. A failed request had no answer of the endpoint and was repeated.", talk_table(talks),
        table("Latency", ["agent", f"seconds of {100 * SLOW:.0f} % of the questions, at most"], slow),
    )  # fmt: skip


def _failures(found: Found, names: Mapping[str, str]) -> str:
    """What endpoints did not answer."""
    failed = [each for each in found.standings if each.failures]
    if not failed:
        return ""
    rows: list[Row] = [
        (names[each.agent], [number(each.failures), number(each.missing), Cell(each.failure or MISSING, text=True)])
        for each in failed
    ]
    return section(
        "failures", "Endpoints", "Items that an endpoint did not answer, after all retries. The next run asks them "
        "again.", table("Failures of endpoints", ["agent", "failures", "missing now", "the last one"], rows),
    )  # fmt: skip
