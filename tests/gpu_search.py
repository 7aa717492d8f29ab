"""Searches of games on a GPU and on the CPU, in numba's simulator: python -m tests.gpu_search GAME [whole].

Set NUMBA_ENABLE_CUDASIM=1 and NUMBA_DISABLE_JIT=1. The network is on the CPU, as in the simulator everything is.
"""

import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from unittest import mock

import numpy as np
import torch

from bloodrage_agents.mcts.nodes import NODE, NUM_COUNTERS, ROOT, clear
from bloodrage_agents.mcts.root import best_with, most_visits, next_visits
from bloodrage_agents.mcts.settings import Setting, defaults, row_of
from bloodrage_agents.styles import STREAM
from bloodrage_env.core.engine.chance import NUM_WORDS, seed_words
from bloodrage_training.learn import search
from bloodrage_training.learn.config import Search
from bloodrage_training.learn.export import packed
from bloodrage_training.learn.learnable import learnable
from bloodrage_training.learn.policy import Inputs, Policy, SparseRows
from bloodrage_training.learn.positions import Played
from bloodrage_training.learn.roots import Halving, RootSearcher
from bloodrage_training.learn.source import DeviceGames

GAMES, STEPS, SIMULATIONS = 3, 12, 8


class OnHost(RootSearcher):
    """The same search, whose simulations are on the CPU, one after the other."""

    def _outcomes(self, which, seats, seeds, rows, visits, actions):
        drawn = zip(which[rows], seats[rows], seeds[rows, visits], actions, strict=True)
        return np.array([self.outcome(*map(int, each)) for each in drawn])

    def outcome(self, index, seat, seed, action):
        """The rewards of a simulation."""
        game, draw = self.games.game, learnable(self.games.game.name).forward.draw
        deal, words = game.redeal(self.games.states, index, seat, seed), np.zeros(NUM_WORDS, np.int64)
        s, play = deal[0], game.play
        seed_words(words, seed, STREAM)
        play.apply(deal, 0, action)
        while not s.over and (s.num_legal == 1 or s.seat != seat):
            play.apply(deal, 0, int(s.mask.argmax()) if s.num_legal == 1 else draw(s, self.of(deal)[0], words))
        found, players = np.zeros(game.max_seats), int(s.num_players)
        value = game.rewards["win"](play.scores(deal, 0)) if s.over else np.roll(self.of(deal)[1][:players], seat)
        found[:players] = value
        return found

    def of(self, deal):
        """The policy's log-probabilities and values."""
        rows = Inputs.empty(1, self._policy.net)
        learnable(self.games.game.name).write(deal, np.zeros(1, np.int64), np.zeros(1, bool), rows)
        with torch.inference_mode():
            return [each[0].numpy() for each in self._policy(self._policy.rows(rows))]


def searches_differ(name: str) -> int:
    """Searches decisions of games with both. Return how many; exits at a difference."""
    torch.manual_seed(1)
    policy, count = Policy(8, 1, name), 0
    games = DeviceGames(learnable(name), GAMES, 5)
    games.games.reset()
    both = [kind(games, policy, SIMULATIONS) for kind in (RootSearcher, OnHost)]
    for step in range(STEPS):
        games.step(games.games.random_actions())
        which, mirrored = np.flatnonzero(games.masks.sum(1) > 1), np.arange(GAMES) % 2 == 1
        rows = games.rows(which, mirrored[which]), learnable(name).rows(games.states, which, mirrored[which])
        if not np.array_equal(*(dense(each, policy.net.num_inputs) for each in rows)):
            sys.exit(f"decision {step}: other rows")
        if len(which):
            logs, values = both[0].evaluate(which)
            logs[games.masks[which] == 0] = -np.inf
            found = [each.search_all(which, logs, values[:, 0], np.random.default_rng(step)) for each in both]
            valued = [each.value_actions(which, 1 + which % 2, np.random.default_rng(step)) for each in both]
            if not np.allclose(*valued, atol=1e-5):
                sys.exit(f"decision {step}: other values")
            for one, other in zip(*found, strict=True):
                if not np.allclose(one, other, atol=1e-5):
                    sys.exit(f"decision {step}: {one} is not {other}")
        count += len(which)
    return count


def dense(rows: SparseRows, columns: int) -> np.ndarray:
    """Return the inputs as a matrix."""
    found = np.zeros((len(rows), columns), np.float32)
    found[np.repeat(np.arange(len(rows)), np.diff(rows.offsets)), rows.index] = rows.values
    return found


def halving_differs() -> str:
    """Compares roots that are searched side by side with those of `mcts/root.py`. Return the first difference."""
    rng = np.random.default_rng(3)
    for players in (2, 4):
        for legal, simulations in ((2, 5), (3, 8), (9, 32), (40, 100), (40, 7)):
            constants = row_of(defaults(True, players))
            logs, means = np.full((2, 50), -np.inf), rng.random((50, simulations))
            logs[:, rng.permutation(50)[:legal]] = rng.normal(size=legal).astype(np.float32)
            both = Halving(logs, np.tile(constants, (2, 1)), np.ones(2), simulations, rng)
            for number in range(both.rounds):
                roots, places, visits = both.simulations(number)
                both.add(roots, places, means[both.actions[roots, places], visits])
            found, (wanted, answer) = np.zeros(50, np.int64), one_root(logs[0], constants, means, simulations)
            np.put_along_axis(found, both.actions[1], both.visits[1], 0)
            if found.tolist() != wanted.tolist() or both.answers().tolist() != [answer, answer]:
                return f"{players} players, {legal} actions, {simulations} simulations: {found} is not {wanted}"
    return ""


def one_root(logs, constants, means, simulations):
    """Searches a root whose k-th simulation of an action has the value `means[action, k]`: visits and the answer."""
    legal = np.flatnonzero(np.isfinite(logs))
    nodes, counters = np.zeros(1 + len(logs), NODE).view(np.recarray), np.zeros(NUM_COUNTERS, np.int64)
    for node in range(len(nodes)):
        clear(nodes, node)
    for action in legal:
        nodes[1 + action].key, nodes[1 + action].score = action, logs[action]
        nodes[1 + action].sibling, nodes[ROOT].child = nodes[ROOT].child, 1 + action
    candidates = min(len(legal), int(constants[Setting.CANDIDATES]))
    for _ in range(simulations):
        node = nodes[best_with(nodes, 0, next_visits(counters, candidates, simulations), constants)]
        node.values[0] += means[node.key, node.visits]
        node.visits += 1
    return nodes["visits"][1:], best_with(nodes, 0, most_visits(nodes), constants) - 1


def played(config: Search, device: str) -> Played:
    """Return what a task plays on a device. On the CPU it searches nothing, as a game may have no tree search."""
    torch.manual_seed(2)
    with mock.patch.object(search.parts, "grow"):
        *_, found = search.play(config, packed(Policy(8, 1, config.game)), 7, device)
    return found


def main(name: str, whole: str = "") -> None:
    """Compare, and print the first difference or what was compared; with `whole`, play whole games and learn, too."""
    if fault := halving_differs():
        sys.exit(fault)
    print(f"{name}: {searches_differ(name)} decisions, no difference")
    if not whole:
        return
    config = Search(game=name, games=4, width=8, layers=1, players=(2,), simulations=4, learned=1.0, unsure=0.1)
    none = [played(replace(config, unsure=100.0), device).positions for device in ("cpu", "cuda")]
    for one, other in zip(*(each.state().values() for each in none), strict=True):
        if not np.allclose(one, other, atol=1e-4):
            sys.exit("games without searches differ")
    print(f"{len(none[0])} positions without searches, no difference; {played(config, 'cuda').searched} searched")
    with tempfile.TemporaryDirectory() as folder:
        run = replace(config, tasks=2, decisions=1, evaluate_every=1, evaluation_games=4, minibatch=16)
        print("learned" if search.train(run, Path(folder), device="cuda") else "stopped")


if __name__ == "__main__":
    main(*sys.argv[1:])
