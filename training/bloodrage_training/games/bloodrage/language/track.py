"""The language track: the decisions, the questions, and games of two against four agents. Protocol version 4.

Agents that are not language models play the games and the decisions; the questions need an agent with `reply`.
"""

import hashlib
from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import Any, Final

import numpy as np

from bloodrage_agents import registry
from bloodrage_agents.base import AgentLike
from bloodrage_agents.match import play_game
from bloodrage_env.core.engine.rewards import victory_share
from bloodrage_env.games.bloodrage.options import Options
from bloodrage_env.language.final import RefusedError
from bloodrage_env.language.transcript import of_agents

from ....benchmark.language import DECISIONS, GAMES, QUESTIONS, Item, Outcome, Track
from . import decisions, questions
from .decisions import OPTIONS

VERSION: Final = 4
OPPONENTS: Final = ("random", "greedy", "balanced", "network")
DEALS: Final = 10  # of each opponent, each played from both seats
SEED: Final = 20_261_126  # of the first deal and of the questions
EACH: Final = 25  # questions of each kind


def play(opponent: str, deal: int, seat: int, agent: AgentLike) -> Outcome:
    """Play a game of two. Return the agent's share of the victory; who gives no legal answer loses."""
    other = registry.make(opponent, Options.game)
    players = [agent, other] if seat == 0 else [other, agent]
    record = play_game(players, SEED + deal, OPTIONS, (SEED + deal, SEED + deal + 1))
    lines = of_agents([agent])
    if record.forfeit_seat is not None:
        return Outcome(float(record.forfeit_seat != seat), record.forfeit_seat == seat, lines)
    return Outcome(victory_share(np.array(record.scores, np.int32), seat), False, lines)


def decide(position: decisions.Position, number: int, agent: AgentLike) -> Outcome:
    """Return the win probability that an agent loses by its answer to one question of a game."""
    score = decisions.score(agent, [position], SEED + number)
    return Outcome(score.lost, score.failed > 0, of_agents([agent]))


def reply(question: questions.Question, agent: Any) -> Outcome:
    """Return 1 if the answer of a language model to a question about the rules is right, otherwise 0."""
    line = agent.reply(question.prompt, Options.game)
    try:
        chosen = question.chosen(line["messages"][-1]["content"])
    except RefusedError as error:
        refused = {"refused": [str(error)], "classes": [str(error.refusal)]}
        return Outcome(0.0, True, [line | refused])
    return Outcome(float(chosen == question.answer), False, [line])


def items(deals: int, part: int) -> Iterator[Item]:
    """Yield what agents are asked: one of `part` decisions and questions, then the games."""
    known = decisions.load()
    for number, position in enumerate(known):
        if number % part == 0:
            yield Item(DECISIONS, "decisions", number, number, partial(decide, position, number))
    counts = Counter[str]()
    for number, question in enumerate(questions.make(known, SEED, EACH)):
        counts[question.kind] += 1
        if number % part == 0:
            name = f"questions, {question.kind}"
            yield Item(QUESTIONS, name, counts[question.kind], number, partial(reply, question))
    for deal in range(deals):
        for opponent in OPPONENTS:
            for seat in range(2):
                name = f"games against {opponent}"
                yield Item(GAMES, name, 2 * deal + seat, deal, partial(play, opponent, deal, seat))


def track(games: int | None, part: int) -> Track:
    """Return the track, as `bloodrage_training.benchmark.language.MakeTrack`."""
    deals = DEALS if games is None else -(-games // 2)
    digest = hashlib.sha256(decisions.FILE.read_bytes()).hexdigest()[:16]
    return Track(Options.game, VERSION, digest, tuple(items(deals, part)), (deals, part) == (DEALS, 1))
