"""The tree of `tree.py`: its nodes, and which move leads from one to the next.

The tree is what the observer sees happen: a child of a node is a move, together with the open question that it
answers. What others choose in secret makes no branch, so that nothing after it can depend on it.
"""

from typing import Annotated, TypeAlias, cast

import numba
import numpy as np
import numpy.typing as npt

from bloodrage_env.core.compiled import Floats, Ints, rule
from bloodrage_env.engine import (
    CARD,
    MAX_SEATS,
    NONE,
    NUM_ACTIONS,
    NUM_BOARD,
    NUM_CARDS,
    NUM_KINDS,
    QUESTS,
    Decision,
    State,
)

from .rollout import Doubles

NODE = cast(
    "np.dtype[np.record]",
    np.dtype(
        (
            np.record,
            np.dtype(
                [
                    ("key", np.int64),  # the question and the move, see `question`
                    ("visits", np.int32),  # simulations that came through
                    ("available", np.int32),  # simulations in which its parent was left and the move was legal
                    ("child", np.int32),  # the first of its children, or NONE
                    ("sibling", np.int32),  # the next child of its parent, or NONE
                    ("score", np.float32),  # logarithm of the move's prior, up to a constant of the question
                    ("values", np.float64, MAX_SEATS),  # sums of outcomes over the visits
                ],
                align=True,
            ),
        )
    ),
)
Nodes: TypeAlias = Annotated[npt.NDArray[np.record], numba.from_dtype(NODE)[::1]]

ROOT = 0
MAX_NODES = 400_000  # 30 MB; a tree that is full grows no further, but goes on counting
MAX_DEPTH = 100  # moves from the root in one simulation; forced ones and secret ones don't count

# Counters of a search
NUM_NODES = 0
SIMULATIONS = 1
NUM_DEALS = 2  # that were sampled
NUM_CALLS = 3  # of the network
NUM_COUNTERS = 4

# A move is an action id, or this one: another clan commits to a quest, face down.
HIDDEN_QUEST = NUM_ACTIONS
NUM_MOVES = NUM_ACTIONS + 1
MOVE_BITS = 9


@rule
def question(s: State) -> int:
    """The open question as a number whose low `MOVE_BITS` are free: who is asked what, about what, and the cards
    revealed in a battle. All of it is open, so that the branches of a tree are things that the observer sees.
    """
    key = int(s.decision)
    key = key * MAX_SEATS + int(s.seat)
    key = key * (NUM_BOARD + 1) + int(s.about_place) + 1
    key = key * (NUM_KINDS + 1) + int(s.about_kind) + 1
    key = key * (NUM_CARDS + 1) + int(s.about_card) + 1
    for seat in range(MAX_SEATS):
        key = key * (NUM_CARDS + 1) + int(s.main[seat]) + 1
    return key << MOVE_BITS


@rule
def list_moves(s: State, observer: int, moves: Ints) -> int:
    """Fill `moves`, int64[NUM_MOVES], with those possible in this deal; quests of other clans are one. How many."""
    hides_quests = s.decision == Decision.ACTION and s.seat != observer
    quests = 0
    if hides_quests:
        for card in QUESTS:
            quests += int(s.mask[CARD + card])
    count = 0
    left = int(s.num_legal)
    action = 0
    while left > 0:
        if s.mask[action] == 1:
            left -= 1
            moves[count] = action
            count += 1
        action += 1
    if quests > 0:
        kept = 0
        for i in range(count):
            if not is_quest(moves[i]):
                moves[kept] = moves[i]
                kept += 1
        moves[kept] = HIDDEN_QUEST
        count = kept + 1
    return count


@rule
def is_quest(action: int) -> bool:
    """Whether an action of the Action phase commits to a quest."""
    for card in QUESTS:
        if action == CARD + card:
            return True
    return False


@rule
def find_children(s: State, nodes: Nodes, node: int, edges: Ints) -> None:
    """`edges[move]`, int64[NUM_MOVES]: the node's child for each move of the open question, NONE where there is none
    yet.
    """
    edges[:] = NONE
    key = question(s)
    child = int(nodes[node].child)
    while child != NONE:
        move = move_of(nodes, child)
        if nodes[child].key - move == key:
            edges[move] = child
        child = int(nodes[child].sibling)


@rule
def move_of(nodes: Nodes, node: int) -> int:
    """The move that leads to a node: an action id or HIDDEN_QUEST."""
    return int(nodes[node].key) & ((1 << MOVE_BITS) - 1)


@rule
def lacks_children(moves: Ints, count: int, edges: Ints) -> bool:
    """Whether one of these moves has no child yet."""
    for i in range(count):
        if edges[moves[i]] == NONE:
            return True
    return False


@rule
def expand(
    s: State, nodes: Nodes, counters: Ints, node: int, moves: Ints, count: int, edges: Ints, scores: Floats
) -> bool:
    """Add the moves that have no child yet, with their `scores`; False if there is no memory left."""
    key = question(s)
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
    """A node without visits and children."""
    nodes[node].key = 0
    nodes[node].visits = 0
    nodes[node].available = 0
    nodes[node].child = NONE
    nodes[node].sibling = NONE
    nodes[node].score = 0.0
    nodes[node].values[:] = 0.0


@rule
def back_up(nodes: Nodes, path: Ints, depth: int, values: Doubles) -> None:
    """Count an outcome in every node of the path."""
    for i in range(depth + 1):
        node = nodes[path[i]]
        node.visits += 1
        for seat in range(MAX_SEATS):
            node.values[seat] += values[seat]
