"""The language track: games of two against four agents, the decisions, and the questions. Protocol version 2.

Agents that are not language models play the games and the decisions; the questions need an agent with `reply`.
"""

import hashlib
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any, Final

import numpy as np

from bloodrage_agents import registry
from bloodrage_agents.base import AgentLike
from bloodrage_agents.match import GameRecord, play_game
from bloodrage_env import __version__
from bloodrage_env.core.engine.rewards import victory_share
from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.options import Options

from ....benchmark.language import Cost, Part, line_of
from ....tournament.estimates import wilson
from . import decisions, questions
from .decisions import OPTIONS

VERSION: Final = 2
OPPONENTS: Final = ("random", "greedy", "balanced", "network")
DEALS: Final = 10  # of each opponent, each played from both seats
SEED: Final = 20_261_126  # of the first deal and of the questions
QUESTIONS: Final = 25  # of each kind


def transcript_of(agent: AgentLike) -> list[dict[str, Any]]:
    """Return the transcript of the game that an agent has played last, if it keeps one."""
    found = getattr(agent, "transcript", None)
    return found() if callable(found) else []


def games_against(spec: str, opponent: str, deals: int, workers: int, cost: Cost) -> Part:
    """Play games of two, so many deals from both seats, several at a time, and return the win rate."""

    def game(number: int) -> tuple[int, GameRecord, list[dict[str, Any]]]:
        deal, seat = divmod(number, 2)
        agents = [registry.make(spec if each == seat else opponent, Options.game) for each in range(2)]
        record = play_game(agents, SEED + deal, OPTIONS, (SEED + deal, SEED + deal + 1))
        return seat, record, transcript_of(agents[seat])

    with ThreadPoolExecutor(workers) as pool:
        played = list(pool.map(game, range(2 * deals)))
    won, failed = 0.0, 0
    for seat, record, talk in played:
        cost.add(talk)
        if record.forfeit_seat is not None:
            failed += record.forfeit_seat == seat
            won += record.forfeit_seat != seat
        else:
            won += victory_share(np.array(record.scores, np.int32), seat)
    rate = wilson(won / len(played), len(played))
    return Part(f"games against {opponent}", len(played), rate.value, rate.low, rate.high, failed)


def on_decisions(spec: str, wanted: Sequence[decisions.Position], cost: Cost) -> Part:
    """Return the win probability that an agent loses for each decision, with two standard errors on both sides."""
    agent = registry.make(spec, Options.game)
    lost: list[decisions.Score] = []
    for number, position in enumerate(wanted):
        lost.append(decisions.score(agent, [position], SEED + number))
        cost.add(transcript_of(agent))
    values = np.array([each.lost for each in lost])
    error = float(values.std(ddof=1) / np.sqrt(len(values)))
    mean = float(values.mean())
    return Part("decisions", len(lost), mean, mean - 2 * error, mean + 2 * error, sum(each.failed for each in lost))


def on_questions(agent: Any, wanted: Sequence[questions.Question], cost: Cost) -> list[Part]:
    """Return the share of right answers of a language model for each kind of question."""
    right: dict[str, list[bool]] = {}
    for question in wanted:
        said = agent.reply(question.prompt, Options.game)
        cost.add([said])
        right.setdefault(question.kind, []).append(question.right(said["messages"][-1]["content"]))
    parts = []
    for kind, answers in right.items():
        share = wilson(float(np.mean(answers)), len(answers))
        parts.append(Part(f"questions, {kind}", len(answers), share.value, share.low, share.high))
    return parts


def measure(spec: str, games: int | None, workers: int, part: int) -> dict[str, Any]:
    """Return the results of an agent, as `bloodrage_training.benchmark.language.Measure`."""
    spec = registry.canonical(spec, Options.game)
    deals = DEALS if games is None else -(-games // 2)
    cost, parts = Cost(), list[Part]()
    for opponent in OPPONENTS:
        parts.append(games_against(spec, opponent, deals, workers, cost))
        print(line_of(parts[-1]), file=sys.stderr, flush=True)
    known = decisions.load()
    parts.append(on_decisions(spec, known[::part], cost))
    print(line_of(parts[-1]), file=sys.stderr, flush=True)
    agent = registry.make(spec, Options.game)
    if callable(getattr(agent, "reply", None)):
        parts += on_questions(agent, questions.make(known, SEED, QUESTIONS)[::part], cost)
    return {
        "track": "language", "version": VERSION, "game": Options.game, "agent": spec,
        "comparable": (deals, part) == (DEALS, 1),
        "decisions": hashlib.sha256(decisions.FILE.read_bytes()).hexdigest()[:16],
        "versions": {"bloodrage": __version__, "rules": engine.RULES_VERSION},
        "made": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "parts": [asdict(each) for each in parts],
        "cost": asdict(cost) if cost.asked else None,
    }  # fmt: skip
