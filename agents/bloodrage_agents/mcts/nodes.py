"""The nodes of the tree in `tree.py`.

The tree contains what the observer sees: a child of a node is a move together with the open question that it answers.
Secret choices of others are not branches, so later moves cannot depend on them. A move is an action id, or a larger
number for actions that the observer cannot distinguish (`Rules` in `rules.py`).
"""

from typing import Annotated, TypeAlias, cast

import numba
import numpy as np
import numpy.typing as npt

from bloodrage_env.core.compile.decorators import Floats, Ints, rule
from bloodrage_env.core.engine.record import NONE

Doubles: TypeAlias = Annotated[npt.NDArray[np.float64], numba.float64[::1]]

MOST_SEATS = 8  # of any game
NODE = cast(
    "np.dtype[np.record]",
    np.dtype(
        (
            np.record,
            np.dtype(
                [
                    ("key", np.int64),  # the question and the move, see `Rules.question`
                    ("visits", np.int32),  # simulations that came through
                    ("available", np.int32),  # simulations in which its parent was left and the move was legal
                    ("child", np.int32),  # the first of its children, or NONE
                    ("sibling", np.int32),  # the next child of its parent, or NONE
                    ("score", np.float32),  # logarithm of the move's prior, up to a constant of the question
                    ("values", np.float64, MOST_SEATS),  # sums of outcomes over the visits
                ],
                align=True,
            ),
        )
    ),
)
Nodes: TypeAlias = Annotated[npt.NDArray[np.record], numba.from_dtype(NODE)[::1]]

ROOT = 0
MAX_NODES = 400_000  # 37 MB; a tree that is full grows no further, but goes on counting
MAX_DEPTH = 100  # moves from the root in one simulation; forced ones and secret ones don't count
MAX_PATH = MAX_DEPTH + 1  # nodes

# Counters of a search
NUM_NODES = 0
SIMULATIONS = 1
NUM_DEALS = 2  # that were sampled
NUM_CALLS = 3  # of the network
# Of sequential halving, see `root.next_visits`
NUM_LEFT = 4  # moves of the root that are left; 0 before the first simulation
NUM_TRIED = 5  # of them that this pass has tried; a pass tries each of them once
NUM_PASSES = 6  # before this one
ROUND_BEGAN = 7  # the number of passes when the round began, at whose end the better half is left
NUM_COUNTERS = 8

MOVE_BITS = 9  # of the number of a move in the key of a node


@rule
def find_children(key: int, nodes: Nodes, node: int, edges: Ints) -> None:
    """Fill `edges[move]` with the node's child for each move of the question `key`, NONE without a child."""
    edges[:] = NONE
    child = int(nodes[node].child)
    while child != NONE:
        move = move_of(nodes, child)
        if nodes[child].key - move == key:
            edges[move] = child
        child = int(nodes[child].sibling)


@rule
def move_of(nodes: Nodes, node: int) -> int:
    """Return the move that leads to a node."""
    return int(nodes[node].key) & ((1 << MOVE_BITS) - 1)


@rule
def lacks_children(moves: Ints, count: int, edges: Ints) -> bool:
    """Return whether one of these moves has no child."""
    for i in range(count):
        if edges[moves[i]] == NONE:
            return True
    return False


@rule
def expand(
    key: int, nodes: Nodes, counters: Ints, node: int, moves: Ints, count: int, edges: Ints, scores: Floats
) -> bool:
    """Add children for moves without one, with their `scores`. Return False if there is no memory left."""
    for i in range(count):
        move = moves[i]
        if edges[move] == NONE:
            new = counters[NUM_NODES]
            if new == len(nodes):
                return False
            counters[NUM_NODES] = new + 1
            clear(nodes, new)
            nodes[new].key = key + move
            nodes[new].score = scores[move]
            nodes[new].sibling = nodes[node].child
            nodes[node].child = new
            edges[move] = new
    return True


@rule
def clear(nodes: Nodes, node: int) -> None:
    """Reset a node to no visits and no children."""
    nodes[node].key = 0
    nodes[node].visits = 0
    nodes[node].available = 0
    nodes[node].child = NONE
    nodes[node].sibling = NONE
    nodes[node].score = 0.0
    nodes[node].values[:] = 0.0


@rule
def back_up(nodes: Nodes, path: Ints, depth: int, values: Doubles) -> None:
    """Add an outcome to every node of the path."""
    for i in range(depth + 1):
        node = nodes[path[i]]
        node.visits += 1
        for seat in range(MOST_SEATS):
            node.values[seat] += values[seat]
