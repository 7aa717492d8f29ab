"""The search of many decisions at once, for games on a GPU: sequential halving of the actions that a policy prefers.

The roots are searched as those of `mcts/root.py`: Gumbel noise on the logits, and in each round as many simulations for
each action that is left. There is no tree below them, so that the simulations of a round can run side by side. In a
simulation, which is like the first one of an action in the tree, the action is played in a redeal, and the policy
answers for all seats until the seat of the root has a choice, which the network values, or the game ends. The actions
of a root are tried in the same redeals.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from bloodrage_agents.gpu import ASKED, CHOICE, OVER, GpuWorlds
from bloodrage_agents.mcts.nodes import NUM_COUNTERS
from bloodrage_agents.mcts.root import next_visits
from bloodrage_agents.mcts.settings import GUIDED, NUM_SETTINGS, Setting, defaults, row_of
from bloodrage_env.core.engine.rewards import share_of

from .policy import Inputs, Policy
from .source import DeviceGames, shared

Doubles = npt.NDArray[np.float64]
Whole = npt.NDArray[np.int64]


class Halving:
    """Sequential halving of several roots side by side.

    `logs`, float64[R, num_actions], are the policy's log-probabilities, -inf for illegal actions, and `constants`
    float64[R, NUM_SETTINGS]. `worth` are the shares of the victory that a reward of 1 is worth, float64[R]. `actions`
    are those that are tried, int64[R, K], `rewards` the sums of the seat's rewards over their `visits`.
    """

    def __init__(
        self, logs: Doubles, constants: Doubles, worth: Doubles, simulations: int, rng: np.random.Generator
    ) -> None:
        noise, most = constants[:, Setting.NOISE, None], int(constants[:, Setting.CANDIDATES].max())
        noisy = logs + noise * rng.gumbel(size=logs.shape)
        most = min(most, logs.shape[1])
        self.actions: Whole = np.argpartition(-noisy, most - 1, 1)[:, :most]
        self.scores = np.take_along_axis(noisy, self.actions, 1)
        self.visits, self.rewards = np.zeros(self.actions.shape, np.int64), np.zeros(self.actions.shape)
        self._offset, self._confidence = constants[:, Setting.OFFSET], constants[:, Setting.CONFIDENCE] * worth
        candidates = np.minimum(np.isfinite(self.scores).sum(1), constants[:, Setting.CANDIDATES].astype(np.int64))
        # Of each round of each root: the number of actions that are tried, and how often each of them is.
        self._plan = np.zeros((len(logs), simulations, 2), np.int64)
        self.rounds = 0
        for count in np.unique(candidates):
            counters = np.zeros(NUM_COUNTERS, np.int64)
            numbers = np.bincount([next_visits(counters, int(count), simulations) for _ in range(simulations)])
            starts = np.flatnonzero(np.diff(numbers, prepend=0))
            times = np.diff(np.append(starts, len(numbers)))
            self._plan[candidates == count, : len(starts)] = np.stack([numbers[starts], times], 1)
            self.rounds = max(self.rounds, len(starts))

    def weights(self, most: Whole) -> Doubles:
        """Return the logits that a reward of 1 is worth, where the most visited action has `most` visits."""
        return np.asarray((self._offset + most) * self._confidence)

    def simulations(self, number: int) -> tuple[Whole, Whole, Whole]:
        """Return the root, the place in `actions` and the earlier visits of each simulation of a round, int64[W].

        The actions are those that `grow` of the tree selects one after the other.
        """
        most, (numbers, times) = self.visits.max(1), self._plan[:, number].T
        able = np.isfinite(self.scores) & (self.visits == most[:, None])
        heights = np.where(able, self._heights(most + 1), -np.inf)
        first = np.where(able, self._heights(most), -np.inf).argmax(1)  # after it, one has a visit more
        heights[np.arange(len(heights)), first] = np.inf
        roots, places = np.nonzero(able & ((-heights).argsort(1).argsort(1) < numbers[:, None]))
        times = times[roots]
        roots, places = np.repeat(roots, times), np.repeat(places, times)
        return roots, places, most[roots] + np.arange(len(roots)) - np.repeat(times.cumsum() - times, times)

    def add(self, roots: Whole, places: Whole, rewards: Doubles) -> None:
        """Count simulations and the rewards of the seats of the roots."""
        np.add.at(self.visits, (roots, places), 1)
        np.add.at(self.rewards, (roots, places), rewards)

    def answers(self) -> Whole:
        """Return the answer of each root, int64[R]."""
        most = self.visits.max(1)
        best = np.where(self.visits == most[:, None], self._heights(most), -np.inf).argmax(1)
        return np.asarray(self.actions[np.arange(len(best)), best])

    def _heights(self, most: Whole) -> Doubles:
        means = self.rewards / np.maximum(1, self.visits)
        return np.asarray(self.scores + self.weights(most)[:, None] * means)


class RootSearcher:
    """Searches open decisions of games on a GPU with a policy on the same device."""

    def __init__(self, games: DeviceGames, policy: Policy, simulations: int) -> None:
        self.games, self._policy, self._simulations = games, policy, simulations
        seats = games.game.max_seats
        self._roots = max(1, games.num_games // 4)  # that are searched at once ...
        self._most = self._roots * int(GUIDED[Setting.CANDIDATES])  # ... with so many simulations at once
        self._worlds = GpuWorlds(games.games, self._most, self._most)
        self._inputs = Inputs.empty(self._most, policy.net, policy.device)
        self._constants, self._worth = np.zeros((seats + 1, NUM_SETTINGS)), np.zeros(seats + 1)
        self._even = np.zeros(seats + 1)  # the share of the victory that pays 0
        for players in range(1, seats + 1):
            self._constants[players] = row_of({**defaults(True, players), Setting.NOISE: 1.0})
            half, none = (share_of(reward, players, games.game.team) for reward in (0.5, 0.0))
            self._worth[players], self._even[players] = 2 * (half - none), none

    def evaluate(self, which: Whole) -> tuple[Doubles, Doubles]:
        """Return the policy's log-probabilities and values of the open decisions of games `which`."""
        logs, values = self._network(which)
        return logs.double().cpu().numpy(), values.double().cpu().numpy()

    def search_all(
        self, which: Whole, logs: Doubles, expected: Doubles, rng: np.random.Generator
    ) -> tuple[Whole, Doubles, Doubles]:
        """Return actions, improved policies and expected rewards, as `Searcher.search_all`."""
        parts = _parts((which, logs, expected), self._roots)
        found = [self._search(some, its, values, rng) for some, its, values in parts]
        actions, targets, rewards = (np.concatenate(each) for each in zip(*found, strict=True))
        return actions, targets, rewards

    def value_actions(self, which: Whole, visits: Whole, rng: np.random.Generator) -> Doubles:
        """Simulate all legal actions of games `which` with as many `visits`, int64[R], in the same redeals of a game.

        There are at most as many visits of an action as simulations of a search. Return the mean shares of the victory
        of the seats to act, float64[R, num_actions], 0 for illegal actions.
        """
        parts = _parts((which, self.games.masks[which], visits), self._roots)
        return np.concatenate([self._values(some, masks, its, rng) for some, masks, its in parts])

    def _values(self, which: Whole, masks: Any, visits: Whole, rng: np.random.Generator) -> Doubles:
        players, seats = self.games.players[which], self.games.seats[which]
        seeds, sums = rng.integers(2**62, size=(len(which), self._simulations)), np.zeros(masks.shape)
        rows = np.repeat(np.arange(len(which)), visits)  # of the redeals
        at, actions = np.nonzero(masks[rows])
        tried = rows[at], np.concatenate([np.arange(each) for each in visits])[at], actions
        for roots, numbers, actions in _parts(tried, self._most):
            rewards = self._outcomes(which, seats, seeds, roots, numbers, actions)
            own = rewards[np.arange(len(roots)), seats[roots]]
            shares = self._even[players[roots]] + self._worth[players[roots]] * own
            np.add.at(sums, (roots, actions), shares.clip(0.0, 1.0))
        return np.asarray(sums / visits[:, None])

    def _search(
        self, which: Whole, logs: Doubles, expected: Doubles, rng: np.random.Generator
    ) -> tuple[Whole, Doubles, Doubles]:
        players, seats = self.games.players[which], self.games.seats[which]
        halving = Halving(logs, self._constants[players], self._worth[players], self._simulations, rng)
        sums = np.zeros((len(which), self.games.game.max_seats))
        seeds = rng.integers(2**62, size=(len(which), self._simulations))  # of the redeals of each root
        for number in range(halving.rounds):
            for roots, places, visits in _parts(halving.simulations(number), self._most):
                rewards = self._outcomes(which, seats, seeds, roots, visits, halving.actions[roots, places])
                np.add.at(sums, roots, rewards)
                halving.add(roots, places, rewards[np.arange(len(roots)), seats[roots]])
        counts, values = np.zeros(logs.shape, np.int64), np.zeros(logs.shape)
        np.put_along_axis(counts, halving.actions, halving.visits, 1)
        np.put_along_axis(values, halving.actions, halving.rewards / np.maximum(1, halving.visits), 1)
        targets = improved(logs, counts, values, expected, halving.weights(counts.max(1)))
        return halving.answers(), targets, sums / counts.sum(1, keepdims=True)

    def _outcomes(
        self, which: Whole, seats: Whole, seeds: Whole, rows: Whole, visits: Whole, actions: Whole
    ) -> Doubles:
        """Simulate an action of each root of `rows`, int64[W]. Return the rewards by seat, float64[W, seats]."""
        worlds, left, logits = self._worlds, np.arange(len(rows)), None
        deals, deal_of = np.unique(rows * self._simulations + visits, return_inverse=True)
        roots = deals // self._simulations
        worlds.begin(which[roots], seats[roots], seeds.ravel()[deals], deal_of, actions)
        found = np.zeros((len(rows), self.games.game.max_seats))
        ended = np.zeros(len(rows), bool)
        while len(left):
            stops = worlds.play(left, logits)
            ended[left[stops == OVER]] = True
            left, own = left[stops == ASKED], left[stops == CHOICE]
            if len(left) + len(own):
                logs, values = self._network(np.concatenate([left, own]), worlds.records)
                logits = shared(logs[: len(left)])
                found[own] = values[len(left) :].double().cpu().numpy()  # of the seats clockwise
        players, every = self.games.players[which[rows], None], np.arange(found.shape[1])
        turned = np.take_along_axis(found, (every - seats[rows, None]) % players, 1)
        found = np.where(every < players, turned, 0.0)
        found[ended] = worlds.rewards[: len(rows)][ended]
        return found

    def _network(self, which: Whole, records: Any = None) -> tuple[torch.Tensor, torch.Tensor]:
        """Return log-probabilities and values of the open decisions of games, or of these worlds."""
        inputs = self._inputs.part(0, len(which))
        self.games.write(which, np.zeros(len(which), bool), inputs, self._policy.net, records)
        with torch.inference_mode():
            logs, values = self._policy(self._policy.rows(inputs))
        return logs, values


def _parts(arrays: tuple[Any, ...], size: int) -> Iterator[Any]:
    """Yield parts of arrays of the same length, `size` numbers at most of each."""
    for start in range(0, len(arrays[0]), size):
        yield tuple(each[start : start + size] for each in arrays)


def improved(logs: Doubles, visits: Any, values: Doubles, expected: Any, weight: Any) -> Doubles:
    """Return the log-probabilities of the improved policy: the policy's logits plus weighted values of the actions.

    Values of actions without visits are completed. The last axis is that of actions, `logs` are as for `Halving`.
    `expected` is the network's value of the decision, which is mixed with those of the visited actions. `weight` is the
    number of logits that a difference of 1 in value is worth.
    """
    tried, total = visits > 0, visits.sum(-1)
    prior = np.where(tried, np.exp(logs), 0.0)
    mixed = (expected + total * (prior * values).sum(-1) / prior.sum(-1)) / (1.0 + total)
    heights = logs + np.asarray(weight)[..., None] * np.where(tried, values, mixed[..., None])
    heights -= heights.max(-1, keepdims=True)
    return np.asarray(heights - np.log(np.exp(heights).sum(-1, keepdims=True)))
