"""Information-set Monte Carlo tree search with a single observer (Cowling, Powley and Whitehouse 2012), as one entry.

Every simulation takes a deal, descends the tree of `nodes.py` by the moves that are legal there to a new node, and
values that: by a network or by a rollout (`rules.py`). docs/agents/ismcts.md describes it.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from bloodrage_env.core.compile.apart import apart
from bloodrage_env.core.compile.borrowed import borrowed
from bloodrage_env.core.compile.decorators import Compiler, Floats, Ints, Record, Records
from bloodrage_env.core.compile.local_arrays import local_zeros
from bloodrage_env.core.compile.memory_copies import copy_record
from bloodrage_env.core.engine.chance import NUM_WORDS, seed_words
from bloodrage_env.core.engine.checks import check_seed
from bloodrage_env.core.engine.flow import Flow
from bloodrage_env.core.engine.record import NONE

from ..forward import Forward, Net
from .deals import DEAL_STREAM, draw_seed
from .nodes import (
    MAX_DEPTH,
    MAX_PATH,
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
from .root import add_noise, best_with, check_settings, first_with, is_decided, most_visits, next_visits_rule
from .rules import Leaf, Rules, Search
from .select import fill_scores, select
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
    def first_moves(s: Record, search: Search, node: int) -> None:
        """Add the moves of the open question to a node without moves."""
        if search.nodes[node].child == NONE:
            moves, edges = search.moves, search.edges
            edges[:] = NONE
            count = list_moves(s, search.observer, moves)
            expand(question(s), search.nodes, search.counters, node, moves, count, edges, search.scores)

    @compiler.rule
    def draw_secret(s: Record, net: Net, search: Search) -> int:
        """Return a secret action of another clan, drawn from the game's model, otherwise from the network."""
        if not score_secret(s, search.settings, search.scores):
            ask_priors(s, net, search.counters, search.scores)
        return draw(s, search.scores, search.words)

    @compiler.rule
    def value_leaf(s: Record, net: Net, search: Search, node: int) -> None:
        """Fill `values` with the value of a new node for each seat, 0 to 1 with sum 1.

        With a network, the others move until the observer has a question, whose values are used, because only the
        observer knows its hand. The first open question provides the moves of the node and their priors. Without a
        network, a rollout ends the game.
        """
        observer, counters, scores = search.observer, search.counters, search.scores
        values, words = search.values, search.words
        if net.width == 0:
            play_out(s, words)
            outcome(s, values)
            return
        while s.over == 0 and (s.num_legal == 1 or s.seat != observer):
            if s.num_legal == 1:
                step(s, only_action(s))
                continue
            if is_secret(s, observer):
                step(s, draw_secret(s, net, search))
                continue
            ask_priors(s, net, counters, scores)
            first_moves(s, search, node)
            step(s, draw(s, scores, words))
        if s.over == 1:
            victory(s, values)
            return
        ask_values(s, net, counters, scores, values)
        first_moves(s, search, node)

    @compiler.rule
    def descend(s: Record, net: Net, search: Search) -> int:
        """Play moves of the tree from the node at `path[1]` to a node without visits, or to the end.

        Return the number of nodes in `path`, including the one before.
        """
        observer, settings, path = search.observer, search.settings, search.path
        nodes, counters, words = search.nodes, search.counters, search.words
        moves, edges, scores = search.moves, search.edges, search.scores
        depth = 1
        node = path[1]
        while s.over == 0 and depth < MAX_DEPTH and nodes[node].visits > 0:
            if s.num_legal == 1:
                step(s, only_action(s))
                continue
            if is_secret(s, observer):
                if net.width > 0:
                    step(s, draw_secret(s, net, search))
                else:
                    step(s, choose(s, words))
                continue
            count = list_moves(s, observer, moves)
            find_children(question(s), nodes, node, edges)
            lacks = lacks_children(moves, count, edges)
            if lacks and net.width == 0:
                score_moves(s, search.style, settings[Setting.SHARPNESS], scores)
            elif net.width > 0 and (lacks or (s.seat != observer and depth <= settings[Setting.REFRESH])):
                ask_priors(s, net, counters, scores)
            else:
                fill_scores(nodes, moves, count, edges, scores)
            # Without room for its moves a node stays a leaf.
            if lacks and not expand(question(s), nodes, counters, node, moves, count, edges, scores):
                return depth
            move = select(nodes, node, int(s.seat), moves, count, edges, scores, settings)
            step(s, action_of(s, move, words))
            node = edges[move]
            depth += 1
            path[depth] = node
        return depth

    @compiler.rule
    def prepare_root(net: Net, search: Search) -> None:
        """Make the root and a child for each legal action. They are the same in all deals."""
        settings, scores = search.settings, search.scores
        clear(search.nodes, ROOT)
        search.counters[NUM_NODES] = 1
        s = search.deals[0]
        if net.width > 0:
            ask_priors(s, net, search.counters, scores)
        else:
            score_moves(s, search.style, settings[Setting.SHARPNESS], scores)
        first_moves(s, search, ROOT)
        add_noise(search.nodes, search.seed, settings[Setting.NOISE])

    @compiler.rule
    def simulate(net: Net, search: Search, visit: int) -> None:
        """Run one simulation for the root's child at `path[1]`, which has been visited `visit` times."""
        worlds, deals, nodes, path = search.worlds, search.deals, search.nodes, search.path
        # Counted for each action: all actions meet the same deals and the same random numbers.
        seed_words(search.words, search.seed, visit)
        copy_record(worlds, 0, deals[visit % len(deals)])
        s = worlds[0]
        step(s, move_of(nodes, int(path[1])))
        depth = descend(s, net, search)
        value_leaf(s, net, search, int(path[depth]))
        back_up(nodes, path, depth, search.values)

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
        copy_record(deals, k, others[0])

    @compiler.rule
    def deal_again(states: Records, index: int, net: Net, search: Search) -> None:
        """Sample the next deal into `deals`."""
        k = int(search.counters[NUM_DEALS])
        seed_words(search.words, search.seed, DEAL_STREAM + k)
        take(search.deals, k, redeal(states, index, search.observer, draw_seed(search.words)))
        search.counters[NUM_DEALS] = k + 1
        choose_in_secret(net, search, k)

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
    question, list_moves, num_moves, state = rules.question, rules.list_moves, rules.num_moves, compiler.state

    @compiler.rule
    def grow_tree(states: Records, index: int, net: Net, search: Search, simulations: int, planned: int) -> int:
        """Do as `grow` with checked arguments."""
        observer, settings, deals = search.observer, search.settings, search.deals
        nodes, counters, path = search.nodes, search.counters, search.path
        if counters[NUM_DEALS] == 0:
            deal_again(states, index, net, search)
        if counters[NUM_NODES] == 0:
            prepare_root(net, search)
        moves, edges = np.zeros(num_moves, dtype=np.int64), np.zeros(num_moves, dtype=np.int64)
        count = list_moves(states[index], observer, moves)
        find_children(question(states[index]), nodes, ROOT, edges)
        candidates = min(count, int(settings[Setting.CANDIDATES])) if planned > 0 else 0
        for _ in range(simulations):
            done = int(counters[SIMULATIONS])
            if candidates > 0:
                path[1] = best_with(nodes, observer, next_visits_rule(counters, candidates, planned), settings)
                if path[1] == NONE:
                    raise ValueError("counters must be those of a search by sequential halving from its beginning on")
                # `select` counts this for each legal move; here one is chosen without it.
                nodes[path[1]].available += 1
            elif planned > 0 and is_decided(nodes, planned - done):
                break
            else:
                fill_scores(nodes, moves, count, edges, search.scores)
                path[1] = edges[select(nodes, ROOT, observer, moves, count, edges, search.scores, settings)]
            visit = int(nodes[path[1]].visits)
            # A deal is made when a simulation first needs it.
            if visit % len(deals) == counters[NUM_DEALS]:
                deal_again(states, index, net, search)
            counters[SIMULATIONS] = done + 1
            simulate(net, search, visit)
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
        the whole decision, as far as it is known now, or 0. With it, the root is searched by sequential halving if
        `settings` have candidates; otherwise the search stops when no other action can become the answer.

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
        search = Search(
            observer, seed, style, borrowed(settings), borrowed(deals), borrowed(nodes),
            borrowed(counters), local_zeros(1, state), local_zeros(MAX_PATH, np.int64),
            local_zeros(num_moves, np.int64), local_zeros(num_moves, np.int64), local_zeros(num_moves, np.float32),
            local_zeros(MOST_SEATS, np.float64), local_zeros(NUM_WORDS, np.int64),
        )  # fmt: skip
        return grow_tree(states, index, new_net(weights, width), search, simulations, planned)

    return grow
