"""How fast the agents are: for `bloodrage bench --agents`."""

import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

import numpy as np

from bloodrage_agents import registry
from bloodrage_agents.base import View
from bloodrage_agents.compiled.heuristics import STYLES, play_heuristics
from bloodrage_agents.match import play_game

from .. import engine
from ..options import Options
from .measures import PLAYERS, Effort, Figure, best_rate

GAMES: Final = "games/min"
SIMULATIONS: Final = "simulations/s"
SEARCHES: Final = ("flat", "ismcts")
BUDGET: Final = 500  # simulations of a measured decision


def figures(effort: Effort) -> Iterator[tuple[str, Callable[[], Figure]]]:
    """Names, and what to call for the figures, one after the other. All games have four seats."""
    for style in STYLES:
        yield f"{style}, compiled", partial(_compiled, effort, style)
    for name in ("random", "greedy", *STYLES):
        yield f"{name}, as an agent", partial(_played, effort, name)
    for name in SEARCHES:
        yield name, partial(_searched, effort, name)


def _compiled(effort: Effort, style: str) -> Figure:
    """Whole games in compiled code."""
    styles = np.full(engine.MAX_SEATS, STYLES.index(style))
    states = engine.new_game(0, PLAYERS)

    def run() -> int:
        for seed in range(effort.games):
            engine.reset(states, 0, seed, PLAYERS)
            play_heuristics(states, 0, styles, seed, engine.MAX_DECISIONS)
        return effort.games

    return Figure(f"{style}, compiled", 60 * best_rate(effort.repeats, run), GAMES)


def _played(effort: Effort, name: str) -> Figure:
    """Whole games, each decision asked of an agent with what its seat knows."""
    agents = [registry.make(name) for _ in range(PLAYERS)]
    games = effort.games // 10

    def run() -> int:
        for seed in range(games):
            play_game(agents, seed, Options(PLAYERS), range(PLAYERS))
        return games

    return Figure(f"{name}, as an agent", 60 * best_rate(effort.repeats, run), GAMES)


def _searched(effort: Effort, name: str) -> Figure:
    """Decisions from the middle of games between heuristics."""
    agent = registry.make(f"{name}:simulations={BUDGET}")
    rng = np.random.default_rng(0)
    styles = np.full(engine.MAX_SEATS, STYLES.index("balanced"))
    views = []
    for seed in range(effort.repeats * 3):
        states = engine.new_game(seed, PLAYERS)
        play_heuristics(states, 0, styles, seed, 20 + 13 * seed % 150)
        seat = engine.seat_to_act(states, 0)
        if seat >= 0:
            views.append((View.of(states, 0, seat), engine.legal_mask(states, 0)))
    agent.act(*views[0], rng)
    start = time.perf_counter()
    for view, mask in views:
        agent.act(view, mask, rng)
    return Figure(name, BUDGET * len(views) / (time.perf_counter() - start), SIMULATIONS)
