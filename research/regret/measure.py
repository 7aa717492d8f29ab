"""The regret of a policy at judged decisions: how much a seat would win by the best action instead of by the policy.

The largest of several noisy values is too high. So one search selects the best action, and the other one values it and
the policy; the mean over both orders is the estimate. It is an unbiased estimate of what is lost against the action
with the highest value in a search of as many simulations, and 0 in the mean where all actions have the same value. It
can be negative.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import torch

from bloodrage_env.games.bloodrage.engine import Decision, States
from bloodrage_training import markdown
from bloodrage_training.learn.policy import Policy, SparseRows
from bloodrage_training.report.columns import with_interval
from bloodrage_training.tournament.estimates import Estimate, Numbers, quantile

from ..values.playing import Whole
from .decisions import SEARCHES, Judged

EQUAL: Final = "equal chances"  # a policy that every table has
KINDS: Final = {
    "draft": Decision.DRAFT, "action": Decision.ACTION, "call": Decision.CALL, "battle card": Decision.BATTLE_CARD,
}  # fmt: skip
ALL, OTHER = "all", "other"


@dataclass(frozen=True)
class Regret:
    """The regret of a policy at each of P decisions, in points of win probability."""

    sampled: Numbers  # float64[P], of actions that are drawn by its probabilities
    likely: Numbers  # float64[P], of its most likely action


@dataclass(frozen=True)
class Row:
    """The mean regret of a policy at some of the decisions."""

    policy: str
    players: int
    kind: str
    decisions: int
    sampled: Estimate
    likely: Estimate
    change: Estimate | None  # of the regret of the most likely action, from that of the first policy


def regrets(judged: Judged, chances: Numbers) -> Numbers:
    """Return estimates of the regret of each decision, float64[P].

    `chances` are the probabilities of the actions, as the values are.
    """
    starts = np.append(0, judged.choices.cumsum())
    found = np.zeros(len(judged.choices))
    for number, (start, end) in enumerate(zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True)):
        values, part = judged.values[:, start:end].astype(np.float64), chances[start:end]
        for selecting in range(SEARCHES):
            valuing = values[1 - selecting]
            found[number] += (valuing[values[selecting].argmax()] - part @ valuing) / SEARCHES
    return 100 * found


def regret_of(judged: Judged, chances: Numbers) -> Regret:
    """Return the regret of a policy with these probabilities."""
    likely = np.zeros_like(chances)
    starts = np.append(0, judged.choices.cumsum()[:-1])
    parts = np.split(chances, starts[1:])
    likely[starts + np.array([part.argmax() for part in parts])] = 1.0
    return Regret(regrets(judged, chances), regrets(judged, likely))


def chances_of(policy: Policy, states: States) -> Numbers:
    """Return the probabilities of the legal actions, decision by decision, by rising action."""
    with torch.inference_mode():
        logs = policy(SparseRows.of(states, np.arange(len(states)), policy.net))[0].numpy().astype(np.float64)
    return np.asarray(np.exp(logs)[states["mask"] != 0])


def equal_of(choices: Whole) -> Numbers:
    """Return the same probability for each action of a decision."""
    return np.repeat(1 / choices, choices)


def kinds_of(states: States) -> list[str]:
    """Return the name of the kind of each decision."""
    names = {int(kind): name for name, kind in KINDS.items()}
    return [names.get(kind, OTHER) for kind in states["decision"].tolist()]


def mean_of(numbers: Numbers) -> Estimate:
    """Return the mean with a 95 % interval; one number has none."""
    mean, count = float(numbers.mean()), len(numbers)
    half = float(quantile(count - 1) * numbers.std(ddof=1) / np.sqrt(count)) if count > 1 else np.nan
    return Estimate(mean, mean - half, mean + half)


def measure(judged: Judged, kinds: Sequence[str], policies: Mapping[str, Regret]) -> list[Row]:
    """Return rows for EQUAL and these policies: by number of players, all kinds of decision together and each kind."""
    equal = regrets(judged, equal_of(judged.choices))
    known, rows = {EQUAL: Regret(equal, equal), **policies}, []
    first = next(iter(policies), None)
    for players in np.unique(judged.players).tolist():
        for kind in (ALL, *KINDS, OTHER):
            at = np.flatnonzero((judged.players == players) & ((np.array(kinds) == kind) | (kind == ALL)))
            for name, regret in known.items() if len(at) else ():
                compared = name not in (EQUAL, first)
                change = mean_of(regret.likely[at] - policies[str(first)].likely[at]) if compared else None
                means = mean_of(regret.sampled[at]), mean_of(regret.likely[at])
                rows.append(Row(name, players, kind, len(at), *means, change))
    return rows


def table(rows: Sequence[Row]) -> str:
    """Return the rows as a Markdown table."""
    head = ("players", "kind", "decisions", "policy", "regret, sampled", "regret, most likely", "change")
    lines = []
    for row in rows:
        means = (with_interval(each, ".2f") if each else "" for each in (row.sampled, row.likely, row.change))
        lines.append((str(row.players), row.kind, str(row.decisions), row.policy, *means))
    return "\n".join(markdown.table(head, lines))
