"""`ismcts`: information-set Monte Carlo tree search (Cowling, Powley and Whitehouse 2012).

docs/agents/ismcts.md describes it, docs/experiments.md what was tried. The search itself is in `mcts/tree.py`.
"""

from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import numpy as np
import numpy.typing as npt

from bloodrage_env import games
from bloodrage_env.core.compile.decorators import Ints
from bloodrage_env.core.engine.chance import MAX_SEED
from bloodrage_env.core.engine.record import NONE
from bloodrage_env.errors import UserError

from . import parts
from .answer import Answer
from .base import View
from .budget import Meter
from .mcts.nodes import MAX_NODES, MOVE_BITS, NODE, NUM_COUNTERS, ROOT, SIMULATIONS, Doubles, Nodes
from .mcts.settings import PURPOSES, Setting, defaults, ignored, row_of
from .network import Network
from .search import SearchAgent

DEALS: Final = 256  # sampled for a decision at most; further simulations take them again


def guided_deals(simulations: int) -> int:
    """Return the number of deals for a search with a policy.

    With 100 simulations more than 16 win no more games, and cost time; 400 simulations need more.
    """
    return min(DEALS, max(16, simulations // 6))


class Tree:
    """The memory of a search. A new tree overwrites the nodes and deals of the previous one."""

    def __init__(self, game: str, deals: int) -> None:
        self.size = game, deals
        self.nodes = np.zeros(MAX_NODES, NODE)
        self.deals = np.zeros(deals, games.game(game).state)
        self.counters = np.zeros(NUM_COUNTERS, np.int64)

    def __reduce__(self) -> tuple[type["Tree"], tuple[str, int]]:
        """Return what copies and pickles contain: only the size. The content is not used after a decision."""
        return Tree, self.size


class Ismcts(SearchAgent):
    """An information-set tree search, with a new tree for each decision.

    Parameters
    ----------
    simulations, ms : int, optional
        The budget of a decision, in simulations or milliseconds.
    style : str, optional
        Without `path`, a style provides the priors, and simulations end in rollouts; by default that of the game.
    path : str, optional
        A policy file as for `NetworkAgent`, which provides priors and values.
    threads : int
        Each has a tree of its own and an equal part of the simulations.
    game : str
        The name of the game.
    **settings : float
        Values of `mcts.settings.Setting`, by names in lower case.

    Raises
    ------
    UserError
        As `Network.load`, and for a setting that has no effect on any search with these arguments.

    Examples
    --------
    >>> from bloodrage_agents.base import View, agent_rng
    >>> from bloodrage_agents.ismcts import Ismcts
    >>> from bloodrage_env import games
    >>> states = games.game("bloodrage").new_game(1, games.options_from("bloodrage", num_players=2))
    >>> view = View.of(states, 0, int(states[0].seat))
    >>> action = Ismcts(simulations=8).act(view, states[0].mask, agent_rng(1))
    >>> int(states[0].mask[action])
    1
    """

    def __init__(
        self,
        simulations: int | None = None,
        ms: int | None = None,
        style: str | None = None,
        path: str | None = None,
        threads: int = 1,
        game: str = games.FIRST,
        **settings: float,
    ) -> None:
        self.game = game
        parts.grow(game)  # loaded now, and compiled by `super().__init__`
        known = parts.table(game)
        self.style = known.styles.index(style or known.default)
        super().__init__(simulations, ms)
        self.network = None if path is None else Network.load(path, game)
        self.players = 0  # for whom are the constants, and the weights and the width of the network
        self.settings, self.weights, self.width = np.zeros(0), np.zeros(0, np.float32), 0
        self.given = {Setting[name.upper()]: value for name, value in settings.items()}
        self._refuse_ignored()
        trees = min(threads, simulations or threads)
        guided = self.network is not None
        deals = DEALS if simulations is None or not guided else guided_deals(simulations // trees)
        self.trees = [Tree(game, deals) for _ in range(trees)]

    def search(self, view: View, legal: Ints, seed: int, meter: Meter) -> Answer:
        """Return the answer: the most visited action, or the one that sequential halving selects."""
        players = int(view.record[0].num_players)
        self.prepare(players)
        for tree in self.trees:
            tree.counters[:] = 0
        if len(self.trees) > 1:
            return self.search_side_by_side(view, seed, meter)
        tree, granted, best = self.trees[0], 0, int(legal[0])
        while granted == tree.counters[SIMULATIONS] and (size := meter.chunk()):  # fewer: nothing can change any more
            granted += size
            best = self.grow(tree, view, seed, size, granted + meter.left())
        return answer_of([tree.nodes], view.seat, players, self.settings, best)

    def prepare(self, players: int) -> None:
        """Select the constants and the units of the network for games of `players` players."""
        if players == self.players:
            return
        self.players = players
        self.settings = row_of({**defaults(self.network is not None, players), **self.given})
        if self.network is not None:
            network = self.network.for_players(players)
            self.weights, self.width = network.vector, network.width

    def _refuse_ignored(self) -> None:
        """Raise UserError for a constant without an effect."""
        guided = self.network is not None
        settings = {**defaults(guided, self.players), **self.given}
        for setting in sorted(self.given.keys() & ignored(guided, settings[Setting.CANDIDATES])):
            name = setting.name.lower()
            raise UserError(f"ismcts: {name} has no effect: it is for {PURPOSES[setting]}; leave it out")

    def search_side_by_side(self, view: View, seed: int, meter: Meter) -> Answer:
        """Return the answer by the visits and values over all trees."""
        count = len(self.trees)
        granted = 0
        with ThreadPoolExecutor(count) as pool:
            while size := meter.chunk(count) or int(granted == 0):
                granted += size
                # One tree whose leader cannot be overtaken must not stop: the others may prefer another move.
                planned = granted + meter.left() // count if self.settings[Setting.CANDIDATES] >= 1 else 0
                jobs = [
                    pool.submit(self.grow, tree, view, (seed + i) % MAX_SEED, size, planned)
                    for i, tree in enumerate(self.trees)
                ]
                for job in jobs:
                    job.result()
        players = int(view.record[0].num_players)
        return answer_of([tree.nodes for tree in self.trees], view.seat, players, self.settings)

    def line(self, move: int, most: int) -> list[int]:
        """Return the moves that the last search tried most from a root move on: that move and those after it, at most
        `most` of them. With several threads they are those of the first tree.
        """
        nodes, found = self.trees[0].nodes, [move]
        (node,) = [child for child in children(nodes, ROOT) if move_of(nodes, child) == move]
        while len(found) < most and (below := [child for child in children(nodes, node) if nodes[child]["visits"]]):
            node = max(below, key=lambda child: int(nodes[child]["visits"]))
            found.append(move_of(nodes, node))
        return found

    def grow(self, tree: Tree, view: View, seed: int, simulations: int, planned: int) -> int:
        """Run `simulations` more simulations; see `tree.grow`."""
        return parts.grow(self.game)(
            view.record, 0, view.seat, seed, simulations, planned, self.style, self.weights, self.width, self.settings,
            tree.deals, tree.nodes, tree.counters,
        )  # fmt: skip


def answer_of(trees: Sequence[Nodes], seat: int, players: int, settings: Doubles, move: int | None = None) -> Answer:
    """Return the answer of the trees of one decision of `seat`, which were searched with these settings.

    With one tree, `move` is what its search returned. With several the answer is the move with the most visits in all
    of them, the lowest of equals. With sequential halving, which ends with equal visits of two moves, it is the best
    of the moves with at least half of the most visits.
    """
    visits: Counter[int] = Counter()
    scores: dict[int, float] = {}
    sums: dict[int, npt.NDArray[np.float64]] = {}
    for nodes in trees:
        for child in children(nodes, ROOT):
            if nodes[child]["visits"]:
                tried = move_of(nodes, child)
                visits[tried] += int(nodes[child]["visits"])
                scores[tried] = float(nodes[child]["score"])
                sums[tried] = sums.get(tried, 0.0) + nodes[child]["values"][:players]
    most, halved = max(visits.values()), settings[Setting.CANDIDATES] >= 1
    weight = weight_of(settings, most)

    def height(tried: int) -> float:
        """Order moves with as many visits as `root.best_with` and `root.first_with` do."""
        return float(scores[tried] + weight * sums[tried][seat] / visits[tried]) if halved else 0.0

    if move is None:
        leading = [each for each in visits if visits[each] >= (most / 2 if halved else most)]
        move = min(leading, key=lambda each: (-height(each), each))
    moves = sorted(visits, key=lambda each: (each != move, -visits[each], -height(each)))
    counts = np.array([visits[each] for each in moves], np.int64)
    return Answer(np.array(moves, np.int64), counts, np.array([sums[each] for each in moves]) / counts[:, None])


def weight_of(settings: Doubles, most: int) -> float:
    """Return how many logits a difference of 1 in value is worth in sequential halving, as in `root.best_with`. `most`
    is the number of visits of the most visited move.
    """
    return float((settings[Setting.OFFSET] + most) * settings[Setting.CONFIDENCE])


def children(nodes: Nodes, node: int) -> list[int]:
    """Return the children of a node: the moves that were legal there in some deal."""
    found = []
    child = int(nodes[node]["child"])
    while child != NONE:
        found.append(child)
        child = int(nodes[child]["sibling"])
    return found


def move_of(nodes: Nodes, node: int) -> int:
    """Return the move that leads to a node: an action id, or a number that represents several actions."""
    return int(nodes[node]["key"]) & ((1 << MOVE_BITS) - 1)
