"""Measures other installed libraries for `bloodrage bench --peers`, with the same loops in the same run.

PettingZoo's games use `agent_iter`, `last` and `step`. OpenSpiel's and RLCard's games use their own interfaces and
compute observation and legal actions for each decision. Actions are recorded before, except with RLCard, whose games
cannot be repeated.
"""

import contextlib
import functools
import importlib
import io
import random
from collections.abc import Callable, Iterator
from typing import Any, Final

import numpy as np
from pettingzoo import AECEnv

from .measures import YARDSTICK, Effort, Figure, aec_rate, best_rate

CLASSICS: Final = {"tictactoe_v3": 200, "connect_four_v3": 40, "chess_v6": 1}  # games a run
OPEN_SPIEL: Final = {YARDSTICK: 10, "hearts": 10, "hanabi(players=4)": 10, "gin_rummy": 10}
EMPTY_GAMES: Final = 10
EMPTY_SEATS: Final = 4  # of the game without rules
RLCARD: Final = {"gin-rummy": 3}


class Empty(AECEnv[str, dict[str, Any], int | None]):
    """A game without rules and with constant observations. It measures the cost of PettingZoo's loop."""

    length = 200

    def __init__(self) -> None:
        self.possible_agents = [f"player_{seat}" for seat in range(EMPTY_SEATS)]
        self._seen = {"observation": np.zeros(1, np.uint8), "action_mask": np.ones(1, np.int8)}

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin with the first agent."""
        self.agents, self._turn = self.possible_agents[:], 0
        self.agent_selection = self.agents[0]
        self.rewards, self._cumulative_rewards = (dict.fromkeys(self.agents, 0.0) for _ in range(2))
        self.terminations, self.truncations = (dict.fromkeys(self.agents, False) for _ in range(2))
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}

    def observe(self, agent: str) -> dict[str, Any]:
        """Return the constant observation."""
        return self._seen

    def step(self, action: int | None) -> None:
        """Pass the turn to the next agent."""
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._turn += 1
        self.agent_selection = self.possible_agents[self._turn % len(self.possible_agents)]
        if self._turn == self.length:
            self.terminations = dict.fromkeys(self.agents, True)


def yardstick(effort: Effort) -> tuple[str, Callable[[], Figure]]:
    """Returns the name of the game that others are compared with, and a function that measures it."""
    measure = functools.partial(_open_spiel, effort, YARDSTICK, OPEN_SPIEL[YARDSTICK])
    return YARDSTICK, _guarded(f"OpenSpiel {YARDSTICK}", measure)


def figures(effort: Effort) -> Iterator[tuple[str, Callable[[], Figure]]]:
    """Yields names and functions for all other games."""
    yield "empty game", lambda: Figure("PettingZoo, an empty game", aec_rate(Empty(), effort, EMPTY_GAMES))
    for prefix, table, measure in (
        ("PettingZoo", CLASSICS, _classic),
        ("OpenSpiel", OPEN_SPIEL, _open_spiel),
        ("RLCard", RLCARD, _rlcard),
    ):
        for game, games in table.items():
            if game != YARDSTICK:
                yield game, _guarded(f"{prefix} {game}", functools.partial(measure, effort, game, games))


def _guarded(name: str, measure: Callable[[], float]) -> Callable[[], Figure]:
    """Return a figure, or a note that the library is not installed or fails here."""

    def run() -> Figure:
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                return Figure(name, measure())
        except ImportError as error:
            return Figure(name, None, note=f"not installed ({error.name})")
        except Exception as error:  # whatever a library that we don't know does
            return Figure(name, None, note=f"does not run: {type(error).__name__}")

    return run


def _classic(effort: Effort, game: str, games: int) -> float:
    module = importlib.import_module(f"pettingzoo.classic.{game}")
    return aec_rate(module.env(), effort, games)


def _open_spiel(effort: Effort, name: str, games: int) -> float:
    pyspiel = importlib.import_module("pyspiel")
    game = pyspiel.load_game(name)
    rng = random.Random(0)
    played = [_open_spiel_game(game, rng) for _ in range(games)]
    kind = None if game.get_type().provides_observation_tensor else pyspiel.IIGObservationType(perfect_recall=True)
    kept = importlib.import_module("open_spiel.python.observation").make_observation(game, kind)

    def run() -> int:
        count = 0
        for actions in played:
            state = game.new_initial_state()
            for action in actions:
                if not state.is_chance_node():
                    kept.set_from(state, state.current_player())
                    state.legal_actions_mask()
                    count += 1
                state.apply_action(action)
        return count

    return best_rate(effort.repeats, run)


def _open_spiel_game(game: Any, rng: random.Random) -> list[int]:
    """Return the actions of a random game, including those of chance."""
    state = game.new_initial_state()
    actions = []
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes(), strict=True)
            actions.append(int(rng.choices(outcomes, weights)[0]))
        else:
            actions.append(int(rng.choice(state.legal_actions())))
        state.apply_action(actions[-1])
    return actions


def _rlcard(effort: Effort, name: str, games: int) -> float:
    rlcard = importlib.import_module("rlcard")
    env = rlcard.make(name, config={"seed": 0})
    rng = np.random.default_rng(0)

    def run() -> int:
        count = 0
        for _ in range(games):
            state, _ = env.reset()
            while not env.is_over():
                state, _ = env.step(int(rng.choice(list(state["legal_actions"]))))
                count += 1
        return count

    return best_rate(effort.repeats, run)
