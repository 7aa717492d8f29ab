"""Information-set Monte Carlo tree search (Cowling, Powley and Whitehouse 2012), single observer, as one entry.

The tree is what the observer sees happen: a child of a node is a move, together with the open question that it
answers. What others choose in secret makes no branch, so that nothing after it can depend on it. Every simulation
descends in a deal of its own, by the moves that are legal there. docs/agents/ismcts.md describes it.
"""

from math import exp, log, sqrt
from typing import Annotated, TypeAlias, cast

import numba
import numpy as np
import numpy.typing as npt

from bloodrage_env.core.chance import below, new_words, seed_words
from bloodrage_env.core.compiled import Floats, Ints, Mask, entry, rule
from bloodrage_env.core.rewards import share_of_rule, victory_share_rule
from bloodrage_env.engine import (
    CARD,
    MAX_SEATS,
    NONE,
    NUM_ACTIONS,
    NUM_BOARD,
    NUM_CARDS,
    NUM_KINDS,
    QUESTS,
    STATE,
    Decision,
    State,
    States,
    check_game,
    check_seed,
    chosen_at_once,
    redeal,
    step,
)
from bloodrage_env.observation import OBSERVATION_SIZE

from .forward import check_weights, draw, evaluate
from .heuristics import check_style, score_actions
from .rollout import Doubles, check_observer, choose, draw_seed, outcome, play_out

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
                    ("estimate", np.float32),  # the network's, of its mover's part of the victory; 0 without one
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
NUM_COUNTERS = 2

# A move is an action id, or this one: another clan commits to a quest, face down.
HIDDEN_QUEST = NUM_ACTIONS
NUM_MOVES = NUM_ACTIONS + 1
MOVE_BITS = 9

# Weight of priors and visits against values: the network's values are less blurred than the ends of rollouts.
EXPLORATION = 1.0
NETWORK_EXPLORATION = 0.3
SHARPNESS = 0.3  # of priors: a move with one glory more gets exp(SHARPNESS) times as much


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
def list_moves(s: State, observer: int, moves: Mask) -> None:
    """1 for each move that is possible in this deal; quests of the other clans are one move."""
    moves[:NUM_ACTIONS] = s.mask
    moves[HIDDEN_QUEST] = 0
    if s.decision == Decision.ACTION and s.seat != observer:
        for card in QUESTS:
            if moves[CARD + card] == 1:
                moves[CARD + card] = 0
                moves[HIDDEN_QUEST] = 1


@rule
def find_children(s: State, nodes: Nodes, node: int, edges: Ints) -> None:
    """`edges[move]`: the child of a node for each move of the open question, NONE where there is none yet."""
    edges[:] = NONE
    key = question(s)
    child = int(nodes[node].child)
    while child != NONE:
        move = nodes[child].key & ((1 << MOVE_BITS) - 1)
        if nodes[child].key - move == key:
            edges[move] = child
        child = int(nodes[child].sibling)


@rule
def expand(s: State, nodes: Nodes, counters: Ints, node: int, moves: Mask, edges: Ints, scores: Floats) -> bool:
    """Add the moves that have no child yet, with their `scores`; False if there is no memory left."""
    key = question(s)
    for move in range(NUM_MOVES):
        if moves[move] == 1 and edges[move] == NONE:
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
    nodes[node].estimate = 0.0
    nodes[node].values[:] = 0.0


@rule
def needs_children(moves: Mask, edges: Ints) -> bool:
    """Whether a move of this deal has no child yet."""
    for move in range(NUM_MOVES):
        if moves[move] == 1 and edges[move] == NONE:
            return True
    return False


@rule
def score_moves(s: State, style: int, scores: Floats) -> None:
    """Priors of the heuristic: what it thinks of each move; of a hidden quest, what it thinks of the best one."""
    score_actions(s, style, scores)
    scores[HIDDEN_QUEST] = -1e9
    for card in QUESTS:
        scores[HIDDEN_QUEST] = max(scores[HIDDEN_QUEST], scores[CARD + card])
    for move in range(NUM_MOVES):
        scores[move] *= SHARPNESS


@rule
def part(s: State, value: float) -> float:
    """The part of the victory, 0 to 1, that a network's value (the `win` reward, -1 / (n - 1) to 1) stands for."""
    return min(1.0, max(0.0, share_of_rule(value, int(s.num_players))))


@rule
def ask_network(s: State, weights: Floats, width: int, memory: Floats, scores: Floats) -> float:
    """Priors of the network, a hidden quest being any quest; returns the part of the victory expected for the mover."""
    value = part(s, evaluate(s, int(s.seat), weights, width, memory, scores[:NUM_ACTIONS]))
    total = 0.0
    for card in QUESTS:
        if s.mask[CARD + card] == 1:
            total += exp(scores[CARD + card])
    scores[HIDDEN_QUEST] = log(total) if total > 0.0 else -1e9
    return value


@rule
def select(nodes: Nodes, node: int, mover: int, moves: Mask, edges: Ints, exploration: float) -> int:
    """The move to try: PUCT (Rosin 2011, as in AlphaZero) with the availability of a move for the visits of its parent.

    The value is what the mover itself has got, max^n; a move not tried yet counts as its parent does. The priors are a
    softmax of the scores over what is possible in this deal.
    """
    top = -1e9
    for move in range(NUM_MOVES):
        if moves[move] == 1:
            nodes[edges[move]].available += 1
            top = max(top, nodes[edges[move]].score)
    total = 0.0
    for move in range(NUM_MOVES):
        if moves[move] == 1:
            total += exp(nodes[edges[move]].score - top)
    untried = nodes[node].values[mover] / max(1, nodes[node].visits)
    best = -1.0
    choice = NONE
    for move in range(NUM_MOVES):
        if moves[move] == 1:
            child = nodes[edges[move]]
            prior = exp(child.score - top) / total
            value = child.values[mover] / child.visits if child.visits > 0 else untried
            value += exploration * prior * sqrt(child.available) / (1 + child.visits)
            if value > best:
                best = value
                choice = move
    return choice


@rule
def any_quest(s: State, words: Ints) -> int:
    """One of the quests that the seat to act may commit to."""
    choice = NONE
    count = 0
    for card in QUESTS:
        if s.mask[CARD + card] == 1:
            count += 1
            if below(words, count) == 0:
                choice = CARD + card
    return choice


@rule
def descend(
    s: State, observer: int, style: int, weights: Floats, width: int, nodes: Nodes, counters: Ints, path: Ints,
    moves: Mask, edges: Ints, scores: Floats, memory: Floats, estimates: Doubles, words: Ints,
) -> int:  # fmt: skip
    """Play moves of the tree up to a child that is new, or to the end; returns how many, with their nodes in `path`.

    With a network (`width` > 0) `estimates[seat]` becomes the one of the seat's last node on the way.
    """
    exploration = NETWORK_EXPLORATION if width > 0 else EXPLORATION
    node = ROOT
    depth = 0
    while s.over == 0 and depth < MAX_DEPTH:
        if s.num_legal == 1 or (s.seat != observer and chosen_at_once(s)):
            if width > 0 and s.num_legal > 1:
                estimates[s.seat] = ask_network(s, weights, width, memory, scores)
                step(s, draw(s, scores, words))
            else:
                step(s, choose(s, words))
            continue
        list_moves(s, observer, moves)
        find_children(s, nodes, node, edges)
        if needs_children(moves, edges):
            if width > 0:
                nodes[node].estimate = ask_network(s, weights, width, memory, scores)
            else:
                score_moves(s, style, scores)
            if not expand(s, nodes, counters, node, moves, edges, scores):
                return depth
        estimates[s.seat] = nodes[node].estimate
        move = select(nodes, node, int(s.seat), moves, edges, exploration)
        step(s, any_quest(s, words) if move == HIDDEN_QUEST else move)
        node = edges[move]
        depth += 1
        path[depth] = node
        if nodes[node].visits == 0:
            return depth
    return depth


@rule
def play_to_estimate(
    s: State, observer: int, weights: Floats, width: int, memory: Floats, scores: Floats, estimates: Doubles,
    words: Ints,
) -> None:  # fmt: skip
    """Play on by the network's policy until the observer is asked: each seat's estimate is that of its last decision.

    A value that was taken before the others have answered would say nothing of the move that is tried.
    """
    while s.over == 0:
        if s.num_legal == 1:
            step(s, choose(s, words))
            continue
        estimates[s.seat] = ask_network(s, weights, width, memory, scores)
        if s.seat == observer:
            return
        step(s, draw(s, scores, words))


@rule
def settle(s: State, estimates: Doubles, values: Doubles) -> None:
    """What a simulation is worth to each seat, 0 to 1 with sum 1: the victory, or else what the estimates say.

    Seats that were not asked (estimate below 0) have equal parts of what the others leave.
    """
    values[:] = 0.0
    if s.over == 1:
        for seat in range(s.num_players):
            values[seat] = victory_share_rule(s.glory[: s.num_players], seat)
        return
    total = 0.0
    unknown = 0
    for seat in range(s.num_players):
        if estimates[seat] < 0.0:
            unknown += 1
        else:
            total += estimates[seat]
    for seat in range(s.num_players):
        values[seat] = estimates[seat] if estimates[seat] >= 0.0 else max(0.0, 1.0 - total) / unknown
    total = max(total, 1.0) if unknown > 0 else max(total, 1e-3)
    for seat in range(s.num_players):
        values[seat] /= total


@rule
def back_up(nodes: Nodes, path: Ints, depth: int, values: Doubles) -> None:
    """Count an outcome in every node of the path."""
    for i in range(depth + 1):
        node = nodes[path[i]]
        node.visits += 1
        for seat in range(MAX_SEATS):
            node.values[seat] += values[seat]


@rule
def check_tree(simulations: int, nodes: Nodes, counters: Ints) -> None:
    """There are simulations to run, and arrays for a tree."""
    if simulations < 0:
        raise ValueError("simulations must be 0 or more")
    if len(nodes) == 0:
        raise ValueError("nodes must have room for the root")
    if len(counters) != NUM_COUNTERS or counters[NUM_NODES] < 0 or counters[NUM_NODES] > len(nodes):
        raise ValueError("counters must be those of a tree in nodes, NUM_COUNTERS of them")


@rule
def take_first(games: States, others: States) -> None:
    """Copy the first game of an array: a record alone would not keep its array alive, an argument does."""
    games[0] = others[0]


@entry
def grow(
    states: States, index: int, observer: int, seed: int, simulations: int, style: int, weights: Floats, width: int,
    nodes: Nodes, counters: Ints,
) -> None:  # fmt: skip
    """Run so many simulations more for the open question of `observer`, in game `index`, which may be its view.

    Priors are those of the heuristic `style` and simulations end in rollouts; or, if `width` is not 0, both are the
    business of a network (`weights` and `width` as in `forward.py`). `nodes` and `counters` (int64[NUM_COUNTERS], all
    zero for a new tree) hold the tree. It is decided by all of these and the number of simulations, however they are
    divided into calls.
    """
    check_game(states, index)
    check_observer(states[index], observer)
    check_seed(seed)
    check_tree(simulations, nodes, counters)
    check_style(style)
    if width != 0:
        check_weights(weights, width)
    words = new_words()
    moves = np.zeros(NUM_MOVES, dtype=np.int8)
    edges = np.zeros(NUM_MOVES, dtype=np.int64)
    scores = np.zeros(NUM_MOVES, dtype=np.float32)
    memory = np.zeros(OBSERVATION_SIZE + 2 * width, dtype=np.float32)
    estimates = np.zeros(MAX_SEATS)
    values = np.zeros(MAX_SEATS)
    path = np.zeros(MAX_DEPTH + 1, dtype=np.int64)
    worlds = np.zeros(1, STATE)
    if counters[NUM_NODES] == 0:
        clear(nodes, ROOT)
        counters[NUM_NODES] = 1
    for _ in range(simulations):
        seed_words(words, seed, counters[SIMULATIONS])
        counters[SIMULATIONS] += 1
        take_first(worlds, redeal(states, index, observer, draw_seed(words)))
        estimates[:] = -1.0
        depth = descend(
            worlds[0], observer, style, weights, width, nodes, counters, path, moves, edges, scores, memory, estimates,
            words,
        )  # fmt: skip
        if width > 0:
            play_to_estimate(worlds[0], observer, weights, width, memory, scores, estimates, words)
            settle(worlds[0], estimates, values)
        else:
            play_out(worlds[0], words)
            outcome(worlds[0], values)
        back_up(nodes, path, depth, values)
