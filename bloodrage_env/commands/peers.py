"""Measures other installed libraries for `bloodrage bench --peers`, with the same loops in the same run.

PettingZoo's games use `agent_iter`, `last` and `step`. OpenSpiel's and RLCard's games use their own interfaces and
compute observation and legal actions for each decision. Actions are recorded before, except with RLCard, whose games
cannot be repeated.

The yardstick gets its legal actions from `legal_actions_mask`, because the measured games write masks as well.
`legal_actions`, which returns a list of ids, is measured beside it.
"""

import contextlib
import functools
import importlib
import io
import operator
import random
from collections.abc import Callable, Iterator
from typing import Any, Final

import numpy as np
from pettingzoo import AECEnv

from .measures import YARDSTICK, Effort, Figure, Rates, aec_rates, rates_of

CLASSICS: Final = {"tictactoe_v3": 200, "connect_four_v3": 40, "chess_v6": 1}  # games a run
OPEN_SPIEL: Final = {YARDSTICK: 200, "hearts": 10, "hanabi(players=4)": 10, "gin_rummy": 10}
MASK, IDS = "legal_actions_mask", "legal_actions"  # OpenSpiel's calls for the legal actions
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


def yardstick() -> Callable[[], int] | None:
    """Return a run of the game that others are compared with, None if it is not installed or fails here."""
    try:
        return _open_spiel(YARDSTICK, MASK)
    except Exception:  # `figures` notes the reason
        return None


def figures(effort: Effort) -> Iterator[tuple[str, Callable[[], Figure]]]:
    """Yield names and functions for all games, the yardstick first."""

    def open_spiel(game: str, call: str = MASK) -> Rates:
        return rates_of(effort, _open_spiel(game, call))

    yield YARDSTICK, _guarded(f"OpenSpiel {YARDSTICK}", lambda: open_spiel(YARDSTICK))
    yield f"{YARDSTICK}, {IDS}", _guarded(f"OpenSpiel {YARDSTICK}, {IDS}", lambda: open_spiel(YARDSTICK, IDS))
    yield "empty game", _guarded("PettingZoo, an empty game", lambda: aec_rates(Empty(), effort, EMPTY_GAMES))
    for game in CLASSICS:
        yield game, _guarded(f"PettingZoo {game}", functools.partial(_classic, effort, game))
    for game in OPEN_SPIEL:
        if game != YARDSTICK:
            yield game, _guarded(f"OpenSpiel {game}", functools.partial(open_spiel, game))
    for game in RLCARD:
        yield game, _guarded(f"RLCard {game}", functools.partial(_rlcard, effort, game))


def _guarded(name: str, measure: Callable[[], Rates]) -> Callable[[], Figure]:
    """Return a figure, or a note that the library is not installed or fails here."""

    def run() -> Figure:
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                return measure().figure(name)
        except ImportError as error:
            return Figure(name, None, note=f"not installed ({error.name})")
        except Exception as error:  # whatever a library that we don't know does
            return Figure(name, None, note=f"does not run: {type(error).__name__}")

    return run


def _classic(effort: Effort, game: str) -> Rates:
    module = importlib.import_module(f"pettingzoo.classic.{game}")
    return aec_rates(module.env(), effort, CLASSICS[game])


def _open_spiel(name: str, call: str) -> Callable[[], int]:
    """Return a run of a game, with one of the calls for the legal actions."""
    pyspiel = importlib.import_module("pyspiel")
    game = pyspiel.load_game(name)
    rng = random.Random(0)
    played = [_open_spiel_game(game, rng) for _ in range(OPEN_SPIEL[name])]
    kind = None if game.get_type().provides_observation_tensor else pyspiel.IIGObservationType(perfect_recall=True)
    kept = importlib.import_module("open_spiel.python.observation").make_observation(game, kind)
    legal = operator.methodcaller(call)

    def run() -> int:
        count = 0
        for actions in played:
            state = game.new_initial_state()
            for action in actions:
                if not state.is_chance_node():
                    kept.set_from(state, state.current_player())
                    legal(state)
                    count += 1
                state.apply_action(action)
        return count

    return run


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


def _rlcard(effort: Effort, name: str) -> Rates:
    rlcard = importlib.import_module("rlcard")
    env = rlcard.make(name, config={"seed": 0})
    rng = np.random.default_rng(0)

    def run() -> int:
        count = 0
        for _ in range(RLCARD[name]):
            state, _ = env.reset()
            while not env.is_over():
                state, _ = env.step(int(rng.choice(list(state["legal_actions"]))))
                count += 1
        return count

    return rates_of(effort, run)
