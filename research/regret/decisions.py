"""Decisions whose legal actions were all valued by two independent searches, as a file.

In a search every legal action has the same number of visits and meets the same deals. Otherwise actions that look good
have more visits, a deeper tree below them, and so a higher value for the seat that chooses there.
"""

import sys
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from math import ceil, log2
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from bloodrage_agents import parts
from bloodrage_agents.ismcts import DEALS, Tree, answer_of
from bloodrage_agents.mcts.settings import Setting, defaults, row_of
from bloodrage_agents.network import Network
from bloodrage_env.errors import UserError
from bloodrage_env.games.bloodrage.engine import States
from bloodrage_env.games.bloodrage.game import GAME
from bloodrage_training.learn.export import packed
from bloodrage_training.learn.learnable import learnable
from bloodrage_training.learn.policy import Policy
from bloodrage_training.learn.roots import RootSearcher
from bloodrage_training.learn.source import GPU, DeviceGames

from ..values.playing import Decisions, Whole
from ..values.reached import Reached, reach

FILE: Final = Path(__file__).with_name("decisions.npz")  # the decisions that come with the project
SEARCHES: Final = 2  # of a decision: one selects the best action, the other values it
SHOWN: Final = 50  # decisions between two lines of progress
GAMES: Final = 4096  # on a GPU; four times as many simulations are there at once


@dataclass(frozen=True)
class Judged(Reached):
    """P open decisions with values of their legal actions, as shares of the victory of the seat to act."""

    FORMAT = 1
    NAME = "judged decisions"

    choices: Whole  # int64[P]: number of legal actions
    visits: Whole  # int64[P]: of each action, in each search
    values: npt.NDArray[np.float32]  # float32[SEARCHES, sum of choices]: decision by decision, by rising action

    def fits(self) -> bool:
        """Return whether there are values of at least two actions of each decision."""
        return (
            self.choices.shape == self.visits.shape == self.seeds.shape
            and bool((self.choices > 1).all() and (self.visits > 0).all())
            and self.values.shape == (SEARCHES, self.choices.sum())
            and self.values.dtype == np.float32
            and bool(((self.values >= 0) & (self.values <= 1)).all())
        )

    def states(self) -> States:
        """Return the decisions as records. Raise UserError also if they have other actions than the values."""
        states = super().states()
        if (states["mask"].sum(1) != self.choices).any():
            raise UserError("the values are not those of these decisions")
        return states


def visits_of(choices: int, simulations: int) -> int:
    """Return the number of visits of each of `choices` actions in a search."""
    return max(1, simulations // choices)


class Judge:
    """Values all legal actions of decisions by searches that a policy guides."""

    def __init__(self, policy: Policy, simulations: int) -> None:
        self._network, self._simulations = Network.from_bytes(packed(policy), GAME.name), simulations
        self._tree, self._grow = Tree(GAME.name, DEALS), parts.grow(GAME.name)

    def value_all(self, states: States, rng: np.random.Generator) -> Iterator[npt.NDArray[np.float32]]:
        """Yield the values of each decision, float32[SEARCHES, choices]."""
        for number in range(len(states)):
            seeds = rng.integers(2**62, size=SEARCHES).tolist()
            yield np.stack([self.values(states, number, each) for each in seeds])

    def values(self, states: States, game: int, seed: int) -> npt.NDArray[np.float32]:
        """Return the values of the legal actions of a decision, by rising action."""
        players, seat = int(states[game].num_players), int(states[game].seat)
        choices, tree, network = int(states[game].num_legal), self._tree, self._network.for_players(players)
        settings = row_of({**defaults(True, players), Setting.CANDIDATES: float(choices)})
        simulations = choices * visits_of(choices, self._simulations)
        planned = simulations * ceil(log2(choices))  # of which all candidates have these, before the first is dropped
        tree.counters[:] = 0
        best = self._grow(
            states, game, seat, seed, simulations, planned, 0, network.vector, network.width, settings, tree.deals,
            tree.nodes, tree.counters,
        )  # fmt: skip
        answer = answer_of([tree.nodes], seat, players, settings, best)
        return np.asarray(answer.values[answer.moves.argsort(), seat], np.float32)


class DeviceJudge:
    """Values all legal actions of decisions by searches without a tree, `games` decisions at once, on a GPU.

    Raises UserError without numba-cuda or a GPU.
    """

    def __init__(self, policy: Policy, simulations: int, games: int = GAMES) -> None:
        known = learnable(GAME.name).reading(policy.net.ledger > 0)
        self._games, self._simulations = DeviceGames(known, games, 0), simulations
        self._searcher = RootSearcher(self._games, deepcopy(policy).to(self._games.device), simulations)

    def value_all(self, states: States, rng: np.random.Generator) -> Iterator[npt.NDArray[np.float32]]:
        """Yield the values of each decision, float32[SEARCHES, choices]."""
        games = self._games
        for start in range(0, len(states), games.num_games):
            some = states[start : start + games.num_games]
            whole = np.resize(some, games.num_games)  # the last decisions fill the batch, too
            games.players = whole["num_players"].astype(np.int64)
            games.restore(whole, np.zeros(games.num_games, np.int64))
            visits = np.array([visits_of(each, self._simulations) for each in some["num_legal"].tolist()])
            which = np.arange(len(some))
            found = np.stack([self._searcher.value_actions(which, visits, rng) for _ in range(SEARCHES)])
            for row in which:
                yield found[:, row, some["mask"][row] != 0].astype(np.float32)


def make(policy: Policy, decisions: int, simulations: int, seed: int, name: str, device: str = "cpu") -> Judged:
    """Play games by the sampled policy, draw a decision with several legal actions of each, and search these.

    `name` is the name of the policy in the file. `device` is cpu, for `Judge`, or `GPU`, for `DeviceJudge`.
    """
    rng = np.random.default_rng(seed)

    def draw(played: Decisions, rows: Whole, _: int) -> int:
        return int(played.place[rng.choice(rows[played.choices[rows] > 1])])

    judge = DeviceJudge(policy, simulations) if device == GPU else Judge(policy, simulations)
    method = {"method": "searches without a tree"} if device == GPU else {}
    recipe = Judged.recipe_of(name, seed, simulations=simulations, **method)
    reached = reach(policy, decisions, seed, rng, draw)
    none = np.zeros(0, np.int64)
    states = Reached.states(Judged(recipe, *reached, none, none, np.zeros((SEARCHES, 0), np.float32)))
    values = []
    for number, found in enumerate(judge.value_all(states, rng), 1):
        values.append(found)
        if number % SHOWN == 0 or number == decisions:
            print(f"{number} of {decisions} decisions", file=sys.stderr, flush=True)
    choices = np.array([each.shape[1] for each in values])
    visits = np.array([visits_of(each, simulations) for each in choices.tolist()])
    return Judged(recipe, *reached, choices, visits, np.concatenate(values, 1))
