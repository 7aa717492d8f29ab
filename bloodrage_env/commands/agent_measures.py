"""Measures the speed of the agents of a game, for `bloodrage bench --agents`."""

import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

import numpy as np

from bloodrage_agents import parts, registry
from bloodrage_agents.base import View
from bloodrage_agents.match import ask, play_game, reset
from bloodrage_agents.shipped import BUDGET

from .measures import Effort, Figure, Subject, rates_of

GAMES: Final = "games/min"
SIMULATIONS: Final = "simulations/s"
BUDGETED: Final = 500  # simulations of a measured decision
SKIPPED: Final = ("human", "llm", "network")  # a person, a service; what is measured by its network
EARLY, APART, LATE = 20, 13, 150  # decisions into a game at which a search is measured


def figures(game: str, effort: Effort) -> Iterator[tuple[str, Callable[[], Figure]]]:
    """Yield names of measurements and functions that return their figures."""
    of = Subject(game)
    table = registry.table(game)
    searches = [name for name in table if set(BUDGET) <= set(table[name].arguments)]
    compiled = parts.styles(game)
    for name, style in compiled.items():
        if name != "random":
            yield f"{name}, compiled", partial(_compiled, of, effort, name, style)
    for name in table:
        if name not in (*searches, *SKIPPED):
            yield f"{name}, as an agent", partial(_played, of, effort, name)
    for name in searches:
        yield name, partial(_searched, of, effort, name)


def _compiled(of: Subject, effort: Effort, name: str, style: int) -> Figure:
    """Measure whole games in compiled code."""
    play_on = parts.open_seats(of.game.name).play_on
    numbers = of.options().numbers()
    states = of.game.new_game(0, of.options())
    styles = np.full((1, of.game.max_seats), style)
    which, words = np.zeros(1, np.int64), np.arange(1, 5).reshape(1, 4)

    def run() -> int:
        for seed in range(effort.games):
            of.game.play.reset(states, 0, seed, numbers)
            play_on(states, which, styles, words)
        return effort.games

    return rates_of(effort, run).figure(f"{name}, compiled", GAMES, 60)


def _played(of: Subject, effort: Effort, name: str) -> Figure:
    """Measure whole games in which an agent makes each decision from its seat's information."""
    options = of.options()
    agents = [registry.make(name, of.game.name) for _ in range(options.num_players)]
    count = effort.games // 10

    def run() -> int:
        for seed in range(count):
            play_game(agents, seed, options, range(options.num_players))
        return count

    return rates_of(effort, run).figure(f"{name}, as an agent", GAMES, 60)


def _searched(of: Subject, effort: Effort, name: str) -> Figure:
    """Measure decisions from the middle of games between heuristics."""
    game, play, options = of.game.name, of.game.play, of.options()
    agent, heuristic = (
        registry.make(f"{name}:simulations={BUDGETED}", game),
        registry.make(registry.default(game), game),
    )
    rng = np.random.default_rng(0)
    views = []
    for seed in range(effort.repeats * 3):
        states = of.game.new_game(seed, options)
        reset(heuristic, 0, options)
        for _ in range(EARLY + APART * seed % LATE):
            after = play.clone(states, 0)
            play.apply(after, 0, ask(heuristic, states, 0, play.seat_to_act(states, 0), rng, game))
            if play.is_over(after, 0):
                break  # a short game is measured at its end
            states = after
        seat = play.seat_to_act(states, 0)
        views.append((View.of(states, 0, seat, game), play.legal_mask(states, 0)))
    agent.act(*views[0], rng)
    start = time.perf_counter()
    for view, mask in views:
        agent.act(view, mask, rng)
    return Figure(name, BUDGETED * len(views) / (time.perf_counter() - start), SIMULATIONS)
