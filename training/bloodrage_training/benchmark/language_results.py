"""The results of a language track: each agent, and agents compared on the same items, with 95 % intervals."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import combinations, groupby
from typing import Any, Final

import numpy as np

from bloodrage_env import __version__, games
from bloodrage_env.as_data import plain
from bloodrage_env.language.transcript import Talk

from ..tournament.estimates import Estimate, Quotients, mean_share, wilson
from .language import DECISIONS, GAMES, GROUPS, Entrant, Item, Track
from .language_file import Answers, Result

SLOW: Final = 0.95  # of the questions are answered within `Standing.slow`


@dataclass(frozen=True)
class Part:
    """A result: how often it was measured, the value with its interval, and how often no answer was legal.

    `missing` items have no answer yet: the endpoint failed, or the run was interrupted.
    """

    name: str
    group: str
    count: int
    value: float
    low: float
    high: float
    failed: int = 0
    missing: int = 0


@dataclass(frozen=True)
class Standing:
    """The results of an agent. `failure` is the last failure of its endpoint, if items are missing for it."""

    agent: str
    base: str  # the agent that it varies, "" for an agent that was named
    change: str
    parts: tuple[Part, ...]
    talk: Talk | None  # None unless it is a language model
    slow: float | None  # seconds
    failures: int  # items that the endpoint failed, also if they were answered later
    failure: str | None

    @property
    def missing(self) -> int:
        """The number of items that have no answer."""
        return sum(part.missing for part in self.parts)


@dataclass(frozen=True)
class Comparison:
    """The mean difference of two agents, or of a change over the agents that it was made to, on the same items."""

    group: str
    first: str
    second: str
    count: int
    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Found:
    """All results of a run."""

    track: Track
    standings: tuple[Standing, ...]
    comparisons: tuple[Comparison, ...]  # of all pairs that were named
    changes: tuple[Comparison, ...]  # of each change: `first` is the change, `second` the agent, "" for all

    @property
    def comparable(self) -> bool:
        """Whether nothing of the protocol was left out, and nothing is missing."""
        return self.track.comparable and not any(each.missing for each in self.standings)


def results(track: Track, entrants: Sequence[Entrant], answers: Answers) -> Found:
    """Return the results of these agents."""
    standings = tuple(_standing(track, each, answers) for each in entrants)
    named = [each.spec for each in entrants if not each.base]
    compared = [
        _compared(track, answers, group, [(first, second)], first, second)
        for group in GROUPS
        for first, second in combinations(named, 2)
    ]
    changes = []
    for change in dict.fromkeys(each.change for each in entrants if each.base):
        pairs = [(each.spec, each.base) for each in entrants if each.change == change]
        for group in GROUPS:
            changes += [_compared(track, answers, group, [pair], change, pair[1]) for pair in pairs]
            if len(pairs) > 1:
                changes.append(_compared(track, answers, group, pairs, change, ""))
    return Found(track, standings, _counted(compared), _counted(changes))


def _counted(found: Iterable[Comparison]) -> tuple[Comparison, ...]:
    return tuple(each for each in found if each.count)


def _standing(track: Track, entrant: Entrant, answers: Answers) -> Standing:
    items = _parts(entrant.asked(track.items))
    used = [answers.of(entrant.spec, part)[item.number] for part, of in items.items() for item in of
            if answers.has(entrant.spec, part, item.number)]  # fmt: skip
    talks = [result.talk for result in used if result.talk is not None]
    total = Talk()
    for talk in talks:
        total.add(talk)
    waited = [talk.seconds for talk in talks if talk.asked == 1]
    return Standing(
        entrant.spec, entrant.base, entrant.change,
        tuple(_part(answers.of(entrant.spec, part), of) for part, of in items.items()),
        total if talks else None,
        float(np.quantile(waited, SLOW)) if waited else None,
        len(answers.failures(entrant.spec)), answers.last_failure(entrant.spec),
    )  # fmt: skip


def _parts(items: Iterable[Item]) -> dict[str, list[Item]]:
    found: dict[str, list[Item]] = {}
    for item in items:
        found.setdefault(item.part, []).append(item)
    return found


def _part(found: Mapping[int, Result], items: Sequence[Item]) -> Part:
    used = [found[item.number] for item in items if item.number in found]
    values = np.array([_value(each) for each in used])
    if items[0].group == GAMES:
        played = (item for item in items if item.number in found)
        deals = groupby(played, lambda item: item.cluster)
        estimate = mean_share([_value(found[item.number]) for item in deal] for _, deal in deals)
    elif items[0].group == DECISIONS:
        quotients = Quotients()
        quotients.add(values[:, None], np.ones((len(values), 1)))
        estimate = quotients.ratio().at(0)
    elif len(values):
        estimate = wilson(float(values.mean()), len(values))
    else:
        estimate = Estimate(math.nan, math.nan, math.nan)
    return Part(
        items[0].part, items[0].group, len(used), estimate.value, estimate.low, estimate.high,
        sum(each.failed for each in used), len(items) - len(used),
    )  # fmt: skip


def _value(result: Result) -> float:
    assert result.value is not None
    return result.value


def _compared(
    track: Track, answers: Answers, group: str, pairs: Sequence[tuple[str, str]], first: str, second: str
) -> Comparison:
    """The mean of first minus second over the items that both have, for one pair or several, by clusters."""
    sums: dict[int, list[float]] = {}
    for item in track.items:
        if item.group != group:
            continue
        for pair in pairs:
            both = [answers.of(spec, item.part).get(item.number) for spec in pair]
            if both[0] is not None and both[1] is not None:
                cluster = sums.setdefault(item.cluster, [0.0, 0.0])
                cluster[0] += _value(both[0]) - _value(both[1])
                cluster[1] += 1
    if not sums:
        return Comparison(group, first, second, 0, math.nan, math.nan, math.nan)
    array = np.array(list(sums.values()))
    quotients = Quotients()
    quotients.add(array[:, :1], array[:, 1:])
    estimate = quotients.ratio().at(0)
    low, high = np.clip((estimate.low, estimate.high), -1, 1)  # no difference of shares is larger
    return Comparison(group, first, second, int(array[:, 1].sum()), estimate.value, float(low), float(high))


# ---- as text and as JSON


def interval(value: float, low: float, high: float, sign: str = "") -> str:
    """Return shares in percent: "62.0 (55.1 to 68.4)"; without an interval the value alone."""
    if not math.isfinite(value):
        return "unknown"
    ends = f" ({100 * low:{sign}.1f} to {100 * high:{sign}.1f})" if math.isfinite(low) else ""
    return f"{100 * value:{sign}.1f}{ends}"


def lines(found: Found) -> list[str]:
    """Return results as text: shares in percent, losses of decisions in points. Agents are numbered."""
    text = [f"language track, version {found.track.version}"]
    numbers = {each.agent: str(number) for number, each in enumerate(found.standings, 1)}
    for each in found.standings:
        text += ["", f"{numbers[each.agent]}: {each.agent}", *(f"  {_line(part)}" for part in each.parts)]
        text += [f"  {each.talk.text()}"] if each.talk else []
        text += [f"  failures of the endpoint: {each.failures}; {each.failure or 'all answered later'}"] * bool(
            each.failures
        )
    if found.comparisons:
        text += ["", "differences on the same items; of decisions, of what they lose"]
        text += [f"  {each.group}, {numbers[each.first]} - {numbers[each.second]}: {_difference(each)}"
                 for each in found.comparisons]  # fmt: skip
    if found.changes:
        text += ["", "changes on the same items"]
        text += [f"  {each.group}, {each.first}, {numbers.get(each.second, 'all')}: {_difference(each)}"
                 for each in found.changes]  # fmt: skip
    return [*text, "", "in parentheses: 95 % intervals"]


def _line(part: Part) -> str:
    more = [f"{part.failed} failed"] * (part.failed > 0) + [f"{part.missing} missing"] * (part.missing > 0)
    return f"{part.name}: {', '.join([f'{interval(part.value, part.low, part.high)} of {part.count}', *more])}"


def _difference(each: Comparison) -> str:
    return f"{interval(each.value, each.low, each.high, '+')} of {each.count}"


def content(found: Found, stated: str, name: str | None) -> dict[str, Any]:
    """Return results as a JSON object; unknown numbers are null."""
    track = found.track
    return {
        "track": "language", "version": track.version, "game": track.game, "comparable": found.comparable,
        "decisions": track.digest, "name": name or ", ".join(each.agent for each in found.standings if not each.base),
        "stated": stated,
        "versions": {"bloodrage": __version__, "rules": games.game(track.game).rules_version},
        "made": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "agents": plain(found.standings),
        "comparisons": plain(found.comparisons),
        "changes": plain(found.changes),
    }  # fmt: skip
