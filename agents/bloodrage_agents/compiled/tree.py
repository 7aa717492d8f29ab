"""Information-set Monte Carlo tree search with a single observer (Cowling, Powley and Whitehouse 2012), as one entry.

Every simulation takes a deal, descends the tree of `nodes.py` by the moves that are legal there to a new node, and
values that: by one call of a network (`leaf.py`) or by a rollout. docs/agents/ismcts.md describes it.
"""

from math import exp, sqrt

import numpy as np

from bloodrage_env.core.chance import below, new_words, seed_words
from bloodrage_env.core.compiled import Floats, Ints, entry, rule
from bloodrage_env.engine import (
    CARD,
    MAX_SEATS,
    NONE,
    NUM_ACTIONS,
    QUESTS,
    State,
    States,
    check_game,
    check_seed,
    chosen_at_once,
    step,
)

from .deals import deal_again, only_action, score_moves
from .forward import Net, check_weights, draw, new_net
from .heuristics import check_style
from .leaf import ask_priors, ask_values, victory
from .nodes import (
    HIDDEN_QUEST,
    MAX_DEPTH,
    NUM_COUNTERS,
    NUM_DEALS,
    NUM_MOVES,
    NUM_NODES,
    ROOT,
    SIMULATIONS,
    Nodes,
    back_up,
    clear,
    expand,
    find_children,
    lacks_children,
    list_moves,
    move_of,
)
from .rollout import Doubles, check_observer, choose, outcome, play_out
from .root import add_noise, best_with, check_settings, first_with, is_decided, most_visits, plan_halving
from .settings import Setting

MOST_SIMULATIONS = 2**30  # of a decision: so many streams of the generator belong to them


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
def fill_scores(nodes: Nodes, moves: Ints, count: int, edges: Ints, scores: Floats) -> None:
    """The scores of the moves, as their children have them."""
    for i in range(count):
        scores[moves[i]] = nodes[edges[moves[i]]].score


@rule
def select(
    nodes: Nodes, node: int, mover: int, moves: Ints, count: int, edges: Ints, scores: Floats, settings: Doubles
) -> int:
    """The move to try: PUCT (Rosin 2011, as in AlphaZero) with the availability of a move for the visits of its parent.

    The value is what the mover itself has got, max^n. The priors are a softmax of the scores over what is possible in
    this deal. A move without visits has a completed value as in Danihelka and others (2022), the mean of the node mixed
    with the values of the siblings by their priors, less FIRST_PLAY.
    """
    top = -1e9
    for i in range(count):
        top = max(top, scores[moves[i]])
    total = 0.0
    known = 0.0
    mean = 0.0
    visits = 0
    for i in range(count):
        child = nodes[edges[moves[i]]]
        child.available += 1
        weight = exp(scores[moves[i]] - top)
        total += weight
        if child.visits > 0:
            known += weight
            mean += weight * child.values[mover] / child.visits
            visits += int(child.visits)
    untried = nodes[node].values[mover] / max(1, nodes[node].visits)
    if known > 0.0:
        untried = (untried + visits * mean / known) / (1 + visits)
    untried -= settings[Setting.FIRST_PLAY]
    best = -1e9
    choice = NONE
    for i in range(count):
        child = nodes[edges[moves[i]]]
        value = child.values[mover] / child.visits if child.visits > 0 else untried
        prior = exp(scores[moves[i]] - top) / total
        value += settings[Setting.EXPLORATION] * prior * sqrt(child.available) / (1 + child.visits)
        if value > best:
            best = value
            choice = moves[i]
    return choice


@rule
def value_leaf(
    s: State, observer: int, net: Net, nodes: Nodes, counters: Ints, node: int, moves: Ints,
    edges: Ints, scores: Floats, values: Doubles, words: Ints,
) -> None:  # fmt: skip
    """Fill `values` with what a new node is worth to each seat, 0 to 1 with sum 1.

    A network is asked once, for the seat that has the next choice, and its priors go to the node's moves. Without one
    a rollout ends the game.
    """
    if net.width == 0:
        play_out(s, words)
        outcome(s, values)
        return
    while s.over == 0 and s.num_legal == 1:
        step(s, only_action(s))
    if s.over == 1:
        victory(s, values)
        return
    ask_values(s, net, counters, scores, values)
    if s.seat == observer or not chosen_at_once(s):
        find_children(s, nodes, node, edges)
        expand(s, nodes, counters, node, moves, list_moves(s, observer, moves), edges, scores)


@rule
def descend(
    s: State, observer: int, style: int, net: Net, settings: Doubles, nodes: Nodes, counters: Ints,
    path: Ints, moves: Ints, edges: Ints, scores: Floats, words: Ints,
) -> int:  # fmt: skip
    """Play moves of the tree from the node at `path[1]` to one without visits, or to the end; returns how many there
    are, the one before included, with their nodes in `path`.
    """
    depth = 1
    node = path[1]
    while s.over == 0 and depth < MAX_DEPTH and nodes[node].visits > 0:
        if s.num_legal == 1:
            step(s, only_action(s))
            continue
        if s.seat != observer and chosen_at_once(s):
            if net.width > 0:
                ask_priors(s, net, counters, scores)
                step(s, draw(s, scores, words))
            else:
                step(s, choose(s, words))
            continue
        count = list_moves(s, observer, moves)
        find_children(s, nodes, node, edges)
        lacks = lacks_children(moves, count, edges)
        if lacks and net.width == 0:
            score_moves(s, style, settings[Setting.SHARPNESS], scores)
        elif net.width > 0 and (lacks or (s.seat != observer and depth <= settings[Setting.REFRESH])):
            ask_priors(s, net, counters, scores)
        else:
            fill_scores(nodes, moves, count, edges, scores)
        if lacks and not expand(s, nodes, counters, node, moves, count, edges, scores):
            return depth
        move = select(nodes, node, int(s.seat), moves, count, edges, scores, settings)
        step(s, any_quest(s, words) if move == HIDDEN_QUEST else move)
        node = edges[move]
        depth += 1
        path[depth] = node
    return depth


@rule
def prepare_root(
    deals: States, observer: int, seed: int, style: int, net: Net, settings: Doubles, nodes: Nodes,
    counters: Ints, moves: Ints, edges: Ints, scores: Floats,
) -> None:  # fmt: skip
    """Make the root and a child for each legal action, which are the same in all deals."""
    clear(nodes, ROOT)
    counters[NUM_NODES] = 1
    s = deals[0]
    if net.width > 0:
        ask_priors(s, net, counters, scores)
    else:
        score_moves(s, style, settings[Setting.SHARPNESS], scores)
    edges[:] = NONE
    expand(s, nodes, counters, ROOT, moves, list_moves(s, observer, moves), edges, scores)
    add_noise(nodes, seed, settings[Setting.NOISE])


@rule
def check_tree(simulations: int, planned: int, deals: States, nodes: Nodes, counters: Ints) -> None:
    """There are simulations to run, and arrays for a tree."""
    if simulations < 0 or planned < 0:
        raise ValueError("simulations and planned must be 0 or more")
    if len(nodes) <= NUM_ACTIONS:
        raise ValueError("nodes must have room for the root and its moves")
    if len(counters) != NUM_COUNTERS or counters[NUM_NODES] < 0 or counters[NUM_NODES] > len(nodes):
        raise ValueError("counters must be those of a tree in nodes, NUM_COUNTERS of them")
    if counters[SIMULATIONS] < 0 or counters[SIMULATIONS] > MOST_SIMULATIONS:
        raise ValueError("counters must be those of a tree, with a number of simulations")
    if len(deals) == 0:
        raise ValueError("deals must have room for one")
    if counters[NUM_DEALS] < 0 or counters[NUM_DEALS] > len(deals):
        raise ValueError("counters must be those of a tree, with no more deals than there is room for")
    if planned > 0 and counters[SIMULATIONS] + simulations > planned:
        raise ValueError("planned must be as many as all simulations of the decision")


@rule
def next_child(
    nodes: Nodes, observer: int, left: int, visits: int, moves: Ints, count: int, edges: Ints, scores: Floats,
    settings: Doubles,
) -> int:  # fmt: skip
    """The child of the root that the next simulation tries: the best with so many `visits`, as halving wants it, or by
    PUCT if that is NONE; NONE if the answer can't change in the simulations that are `left`, -1 where that isn't known.
    """
    if visits != NONE:
        child = best_with(nodes, observer, visits, settings)
        nodes[child].available += 1
        return child
    if left >= 0 and is_decided(nodes, left):
        return NONE
    fill_scores(nodes, moves, count, edges, scores)
    return int(edges[select(nodes, ROOT, observer, moves, count, edges, scores, settings)])


@rule
def simulate(
    worlds: States, deals: States, visit: int, observer: int, seed: int, style: int, net: Net,
    settings: Doubles, nodes: Nodes, counters: Ints, path: Ints, moves: Ints, edges: Ints, scores: Floats,
    values: Doubles, words: Ints,
) -> None:  # fmt: skip
    """One simulation for the root's child at `path[1]`, which has been visited `visit` times."""
    seed_words(words, seed, visit)
    worlds[0] = deals[visit % len(deals)]
    s = worlds[0]
    step(s, move_of(nodes, int(path[1])))
    depth = descend(s, observer, style, net, settings, nodes, counters, path, moves, edges, scores, words)
    value_leaf(
        s, observer, net, nodes, counters, int(path[depth]), moves, edges, scores, values,
        words,
    )  # fmt: skip
    back_up(nodes, path, depth, values)


@entry
def grow(
    states: States, index: int, observer: int, seed: int, simulations: int, planned: int, style: int, weights: Floats,
    width: int, settings: Doubles, deals: States, nodes: Nodes, counters: Ints,
) -> int:  # fmt: skip
    """Run so many simulations more for the open question of `observer`, in game `index`, which may be its view; returns
    the action that is best so far.

    Priors are those of the heuristic `style` and simulations end in rollouts; or, if `width` is not 0, both are the
    business of a network (`weights` and `width` as in `forward.py`). `settings` is float64[NUM_SETTINGS]. `planned` is
    the number of simulations of the whole decision, or 0: with it the root is searched by sequential halving if the
    settings say so, and otherwise the search stops once no other action can become the answer.

    `nodes`, `deals` (those sampled, which simulations share) and `counters` (int64[NUM_COUNTERS], all zero for a new
    tree) hold the tree. It is decided by all of these and the number of simulations, however divided into calls.
    """
    check_game(states, index)
    check_observer(states[index], observer)
    check_seed(seed)
    check_tree(simulations, planned, deals, nodes, counters)
    check_style(style)
    check_settings(settings)
    if width != 0:
        check_weights(weights, width)
    return grow_tree(
        states, index, observer, seed, simulations, planned, style, weights, width, settings, deals, nodes, counters
    )


@rule
def grow_tree(
    states: States, index: int, observer: int, seed: int, simulations: int, planned: int, style: int, weights: Floats,
    width: int, settings: Doubles, deals: States, nodes: Nodes, counters: Ints,
) -> int:  # fmt: skip
    """Do what `grow` does, with arguments that are checked."""
    words, values, path = new_words(), np.zeros(MAX_SEATS), np.zeros(MAX_DEPTH + 1, dtype=np.int64)
    moves, edges = np.zeros(NUM_MOVES, dtype=np.int64), np.zeros(NUM_MOVES, dtype=np.int64)
    root_moves, root_edges = np.zeros(NUM_MOVES, dtype=np.int64), np.zeros(NUM_MOVES, dtype=np.int64)
    scores = np.zeros(NUM_MOVES, dtype=np.float32)
    net = new_net(weights, width)
    worlds = deals[:1].copy()
    if counters[NUM_DEALS] == 0:
        deal_again(
            states, index, observer, seed, style, net, settings, deals, counters, worlds, scores,
            words,
        )  # fmt: skip
    if counters[NUM_NODES] == 0:
        prepare_root(
            deals, observer, seed, style, net, settings, nodes, counters, moves, edges, scores,
        )  # fmt: skip
    count = list_moves(states[index], observer, root_moves)
    find_children(states[index], nodes, ROOT, root_edges)
    candidates = min(count, int(settings[Setting.CANDIDATES])) if planned > 0 else 0
    sequence = np.zeros(planned if candidates > 0 else 0, dtype=np.int64)
    if candidates > 0:
        plan_halving(candidates, planned, sequence)
    for _ in range(simulations):
        done = int(counters[SIMULATIONS])
        path[1] = next_child(
            nodes, observer, planned - done if planned > 0 else -1, int(sequence[done]) if candidates > 0 else NONE,
            root_moves, count, root_edges, scores, settings,
        )  # fmt: skip
        if path[1] == NONE:
            break
        visit = int(nodes[path[1]].visits)
        if visit % len(deals) == counters[NUM_DEALS]:
            deal_again(
                states, index, observer, seed, style, net, settings, deals, counters, worlds, scores,
                words,
            )  # fmt: skip
        counters[SIMULATIONS] = done + 1
        simulate(
            worlds, deals, visit, observer, seed, style, net, settings, nodes, counters, path, moves, edges,
            scores, values, words,
        )  # fmt: skip
    visits = most_visits(nodes)
    return move_of(nodes, best_with(nodes, observer, visits, settings) if candidates > 0 else first_with(nodes, visits))
