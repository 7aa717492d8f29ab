"""Information-set Monte Carlo tree search with a single observer (Cowling, Powley and Whitehouse 2012), as one entry.

Every simulation takes a deal, descends the tree of `nodes.py` by the moves that are legal there to a new node, and
values that: by a network or by a rollout (`rules.py`). docs/agents/ismcts.md describes it.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from bloodrage_env.core.compile.apart import apart
from bloodrage_env.core.compile.decorators import Compiler, Floats, Ints, Record, Records
from bloodrage_env.core.compile.local_arrays import local_zeros
from bloodrage_env.core.engine.chance import NUM_WORDS, seed_words
from bloodrage_env.core.engine.checks import check_seed
from bloodrage_env.core.engine.flow import Flow
from bloodrage_env.core.engine.record import NONE

from ..forward import Forward, Net
from .deals import DEAL_STREAM, draw_seed
from .nodes import (
    MAX_DEPTH,
    MOST_SEATS,
    NUM_COUNTERS,
    NUM_DEALS,
    NUM_NODES,
    ROOT,
    SIMULATIONS,
    Doubles,
    Nodes,
    back_up,
    clear,
    expand,
    find_children,
    lacks_children,
    move_of,
)
from .root import add_noise, best_with, check_settings, first_with, most_visits, plan_halving_rule
from .rules import Leaf, Rules
from .select import fill_scores, next_child, select
from .settings import Setting

MOST_SIMULATIONS = 2**30  # of a decision: the number of streams of the generator for them

Grow = Callable[..., int]


class Walk(NamedTuple):
    """The functions of a simulation, without checks."""

    simulate: Callable[..., None]
    prepare_root: Callable[..., None]


def walk_for(compiler: Compiler, flow: Flow, forward: Forward, rules: Rules, leaf: Leaf) -> Walk:
    """Make the functions of a game."""
    step = flow.step
    draw = forward.draw
    question, list_moves, action_of, is_secret = rules.question, rules.list_moves, rules.action_of, rules.is_secret
    score_moves, choose, play_out, outcome = rules.score_moves, rules.choose, rules.play_out, rules.outcome
    score_secret = rules.score_secret
    ask_priors, ask_values, victory, only_action = leaf

    @compiler.rule
    def first_moves(
        s: Record, observer: int, nodes: Nodes, counters: Ints, node: int, moves: Ints, edges: Ints, scores: Floats
    ) -> None:
        """Add the moves of the open question to a node without moves."""
        if nodes[node].child == NONE:
            edges[:] = NONE
            expand(question(s), nodes, counters, node, moves, list_moves(s, observer, moves), edges, scores)

    @compiler.rule
    def draw_secret(s: Record, net: Net, settings: Doubles, counters: Ints, scores: Floats, words: Ints) -> int:
        """Return a secret action of another clan, drawn from the game's model, otherwise from the network."""
        if not score_secret(s, settings, scores):
            ask_priors(s, net, counters, scores)
        return draw(s, scores, words)

    @compiler.rule
    def value_leaf(
        s: Record, observer: int, net: Net, settings: Doubles, nodes: Nodes, counters: Ints, node: int, moves: Ints,
        edges: Ints, scores: Floats, values: Doubles, words: Ints,
    ) -> None:  # fmt: skip
        """Fill `values` with the value of a new node for each seat, 0 to 1 with sum 1.

        With a network, the others move until the observer has a question, whose values are used, because only the
        observer knows its hand. The first open question provides the moves of the node and their priors. Without a
        network, a rollout ends the game.
        """
        if net.width == 0:
            play_out(s, words)
            outcome(s, values)
            return
        while s.over == 0 and (s.num_legal == 1 or s.seat != observer):
            if s.num_legal == 1:
                step(s, only_action(s))
                continue
            if is_secret(s, observer):
                step(s, draw_secret(s, net, settings, counters, scores, words))
                continue
            ask_priors(s, net, counters, scores)
            first_moves(s, observer, nodes, counters, node, moves, edges, scores)
            step(s, draw(s, scores, words))
        if s.over == 1:
            victory(s, values)
            return
        ask_values(s, net, counters, scores, values)
        first_moves(s, observer, nodes, counters, node, moves, edges, scores)

    @compiler.rule
    def descend(
        s: Record, observer: int, style: int, net: Net, settings: Doubles, nodes: Nodes, counters: Ints,
        path: Ints, moves: Ints, edges: Ints, scores: Floats, words: Ints,
    ) -> int:  # fmt: skip
        """Play moves of the tree from the node at `path[1]` to a node without visits, or to the end.

        Return the number of nodes in `path`, including the one before.
        """
        depth = 1
        node = path[1]
        while s.over == 0 and depth < MAX_DEPTH and nodes[node].visits > 0:
            if s.num_legal == 1:
                step(s, only_action(s))
                continue
            if is_secret(s, observer):
                if net.width > 0:
                    step(s, draw_secret(s, net, settings, counters, scores, words))
                else:
                    step(s, choose(s, words))
                continue
            count = list_moves(s, observer, moves)
            find_children(question(s), nodes, node, edges)
            lacks = lacks_children(moves, count, edges)
            if lacks and net.width == 0:
                score_moves(s, style, settings[Setting.SHARPNESS], scores)
            elif net.width > 0 and (lacks or (s.seat != observer and depth <= settings[Setting.REFRESH])):
                ask_priors(s, net, counters, scores)
            else:
                fill_scores(nodes, moves, count, edges, scores)
            if lacks and not expand(question(s), nodes, counters, node, moves, count, edges, scores):
                return depth
            move = select(nodes, node, int(s.seat), moves, count, edges, scores, settings)
            step(s, action_of(s, move, words))
            node = edges[move]
            depth += 1
            path[depth] = node
        return depth

    @compiler.rule
    def prepare_root(
        deals: Records, observer: int, seed: int, style: int, net: Net, settings: Doubles, nodes: Nodes,
        counters: Ints, moves: Ints, edges: Ints, scores: Floats,
    ) -> None:  # fmt: skip
        """Make the root and a child for each legal action. They are the same in all deals."""
        clear(nodes, ROOT)
        counters[NUM_NODES] = 1
        s = deals[0]
        if net.width > 0:
            ask_priors(s, net, counters, scores)
        else:
            score_moves(s, style, settings[Setting.SHARPNESS], scores)
        first_moves(s, observer, nodes, counters, ROOT, moves, edges, scores)
        add_noise(nodes, seed, settings[Setting.NOISE])

    @compiler.rule
    def simulate(
        worlds: Records, deals: Records, visit: int, observer: int, seed: int, style: int, net: Net,
        settings: Doubles, nodes: Nodes, counters: Ints, path: Ints, moves: Ints, edges: Ints, scores: Floats,
        values: Doubles, words: Ints,
    ) -> None:  # fmt: skip
        """Run one simulation for the root's child at `path[1]`, which has been visited `visit` times."""
        seed_words(words, seed, visit)
        worlds[0] = deals[visit % len(deals)]
        s = worlds[0]
        step(s, move_of(nodes, int(path[1])))
        depth = descend(s, observer, style, net, settings, nodes, counters, path, moves, edges, scores, words)
        value_leaf(
            s, observer, net, settings, nodes, counters, int(path[depth]), moves, edges, scores, values, words,
        )  # fmt: skip
        back_up(nodes, path, depth, values)

    return Walk(simulate, prepare_root)


def check_for(compiler: Compiler, num_actions: int) -> Callable[[int, int, Records, Nodes, Ints], None]:
    """Make the checks of `grow`."""

    @compiler.rule
    def check_tree(simulations: int, planned: int, deals: Records, nodes: Nodes, counters: Ints) -> None:
        """Raise ValueError unless there are simulations to run and valid arrays for a tree."""
        if simulations < 0 or planned < 0:
            raise ValueError("simulations and planned must be 0 or more")
        if len(nodes) <= num_actions:
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

    return check_tree


def deals_for(compiler: Compiler, rules: Rules) -> Callable[..., None]:
    """Make the deals of a game: redeals in which the policy makes the secret choices of others."""
    redeal, choose_in_secret = rules.redeal, rules.choose_in_secret

    @compiler.rule
    def take(deals: Records, k: int, others: Records) -> None:
        """Copy the first game of an array. A record alone would not keep its array alive, an argument does."""
        deals[k] = others[0]

    @compiler.rule
    def deal_again(
        states: Records, index: int, observer: int, seed: int, style: int, net: Net, settings: Doubles,
        deals: Records, counters: Ints, worlds: Records, scores: Floats, words: Ints,
    ) -> None:  # fmt: skip
        """Sample the next deal into `deals`. `worlds[0]` is a work copy."""
        k = int(counters[NUM_DEALS])
        seed_words(words, seed, DEAL_STREAM + k)
        take(deals, k, redeal(states, index, observer, draw_seed(words)))
        counters[NUM_DEALS] = k + 1
        choose_in_secret(deals, k, worlds, observer, style, net, settings, counters, scores, words)

    return deal_again


def tree_for(
    compiler: Compiler,
    flow: Flow,
    check_game: Callable[[Records, int], None],
    forward: Forward,
    rules: Rules,
    leaf: Leaf,
    num_styles: int,
) -> Grow:
    """Make the search of a game. Raise RuntimeError for a game with more seats than nodes have values for."""
    if forward.sizes.seats > MOST_SEATS:
        raise RuntimeError(f"a tree search is for at most {MOST_SEATS} seats, not {forward.sizes.seats}")
    simulate, prepare_root = walk_for(compiler, flow, forward, rules, leaf)
    deal_again, check_tree = deals_for(compiler, rules), check_for(compiler, forward.sizes.actions)
    check_weights, new_net = forward.check_weights, forward.new_net
    question, list_moves, num_moves = rules.question, rules.list_moves, rules.num_moves

    @compiler.rule
    def grow_tree(
        states: Records, index: int, observer: int, seed: int, simulations: int, planned: int, style: int,
        weights: Floats, width: int, settings: Doubles, deals: Records, nodes: Nodes, counters: Ints,
    ) -> int:  # fmt: skip
        """Do as `grow` with checked arguments."""
        words, values, path = (
            local_zeros(NUM_WORDS, np.int64),
            np.zeros(MOST_SEATS),
            np.zeros(MAX_DEPTH + 1, dtype=np.int64),
        )
        moves, edges = np.zeros(num_moves, dtype=np.int64), np.zeros(num_moves, dtype=np.int64)
        root_moves, root_edges = np.zeros(num_moves, dtype=np.int64), np.zeros(num_moves, dtype=np.int64)
        scores = np.zeros(num_moves, dtype=np.float32)
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
        find_children(question(states[index]), nodes, ROOT, root_edges)
        candidates = min(count, int(settings[Setting.CANDIDATES])) if planned > 0 else 0
        sequence = np.zeros(planned if candidates > 0 else 0, dtype=np.int64)
        if candidates > 0:
            plan_halving_rule(candidates, planned, sequence)
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
        best = best_with(nodes, observer, visits, settings) if candidates > 0 else first_with(nodes, visits)
        return move_of(nodes, best)

    @compiler.entry
    def grow(
        states: Records, index: int, observer: int, seed: int, simulations: int, planned: int, style: int,
        weights: Floats, width: int, settings: Doubles, deals: Records, nodes: Nodes, counters: Ints,
    ) -> int:  # fmt: skip
        """Run `simulations` more simulations for the open question of `observer` in game `index`.

        Return the best action so far. The game can be a view. Priors are those of the heuristic `style` and
        simulations end in rollouts; if `width` is not 0, a network provides both (`weights` and `width` as in
        `bloodrage_agents/forward.py`). `settings` is float64[NUM_SETTINGS]. `planned` is the number of simulations of
        the whole decision, or 0. With it, the root is searched by sequential halving if the settings allow it;
        otherwise the search stops when no other action can become the answer.

        `nodes`, `deals` (sampled deals, which simulations share) and `counters` (int64[NUM_COUNTERS], all zero for a
        new tree) are the state of the tree. The result depends on these arguments and the number of simulations, but
        not on how the simulations are divided into calls.
        """
        if not apart((states, weights, settings, deals, nodes, counters)):
            raise ValueError("states, weights, settings, deals, nodes and counters must not share memory")
        check_game(states, index)
        if states[index].over != 0 or observer < 0 or observer != states[index].seat:
            raise ValueError("observer must be the seat to act")
        check_seed(seed)
        check_tree(simulations, planned, deals, nodes, counters)
        if style < 0 or style >= num_styles:
            raise ValueError("style must be an index of STYLES")
        check_settings(settings)
        if width != 0:
            check_weights(weights, width)
        return grow_tree(
            states, index, observer, seed, simulations, planned, style, weights, width, settings, deals, nodes, counters
        )

    return grow
