"""`ismcts`: information-set Monte Carlo tree search (Cowling, Powley and Whitehouse 2012).

docs/agents/ismcts.md says how it works, docs/benchmarks.md what was tried and how strong it is. The search itself is
in `compiled/tree.py`.
"""

import numpy as np

from bloodrage_env.core.compiled import Ints
from bloodrage_env.engine import NONE

from .base import View
from .budget import Meter
from .compiled.tree import MAX_NODES, MOVE_BITS, NODE, NUM_COUNTERS, ROOT, Nodes, grow
from .compiled.weights import STYLES
from .network import Network
from .search import SearchAgent


class Ismcts(SearchAgent):
    """A tree of what its seat can see happen, built from scratch for each decision.

    Priors are the heuristic's of a style, and simulations end in rollouts; with the file of a policy (`path`, as for
    `NetworkAgent`) priors and values are the network's. Raises UserError as `Network.load` does.
    """

    def __init__(
        self, simulations: int | None = None, ms: int | None = None, style: str = "balanced", path: str | None = None
    ) -> None:
        super().__init__(simulations, ms)
        self.style = STYLES.index(style)
        self.network = None if path is None else Network.load(path)
        self.weights, self.width, self.players = np.zeros(0, np.float32), 0, 0  # of the network, for so many players
        # Kept for its memory alone: a new tree overwrites the nodes of the last one.
        self.nodes = np.zeros(MAX_NODES, NODE)
        self.counters = np.zeros(NUM_COUNTERS, np.int64)

    def search(self, view: View, legal: Ints, seed: int, meter: Meter) -> int:
        """The action that was tried most."""
        self.counters[:] = 0
        players = int(view.record[0].num_players)
        if self.network is not None and players != self.players:
            network = self.network.for_players(players)
            self.weights, self.width, self.players = network.vector, network.width, players
        while size := meter.chunk():
            grow(view.record, 0, view.seat, seed, size, self.style, self.weights, self.width, self.nodes, self.counters)
        return move_of(self.nodes, max(children(self.nodes, ROOT), key=lambda node: int(self.nodes[node]["visits"])))


def children(nodes: Nodes, node: int) -> list[int]:
    """The children of a node: what was possible there in some deal."""
    found = []
    child = int(nodes[node]["child"])
    while child != NONE:
        found.append(child)
        child = int(nodes[child]["sibling"])
    return found


def move_of(nodes: Nodes, node: int) -> int:
    """The move that leads to a node: an action id or HIDDEN_QUEST."""
    return int(nodes[node]["key"]) & ((1 << MOVE_BITS) - 1)
