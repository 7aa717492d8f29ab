"""The functions of a game, and of its network, that the tree search needs."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from bloodrage_env.core.compile.decorators import Compiler, Floats, Ints, Record, Records
from bloodrage_env.core.engine.flow import Flow
from bloodrage_env.core.engine.rewards import share_of_rule, victory_share_rule

from ..forward import Forward, Net
from .nodes import NUM_CALLS, Doubles, Nodes


class Search(NamedTuple):
    """The arguments of one search, its tree and its work arrays."""

    observer: int
    seed: int
    style: int  # of the priors without a network
    settings: Doubles
    deals: Records
    nodes: Nodes
    counters: Ints
    worlds: Records  # one: the game of a simulation
    path: Ints  # nodes from the root
    moves: Ints  # of an open question, ...
    edges: Ints  # ... and the children for them, by move
    scores: Floats  # by move
    values: Doubles  # by seat
    words: Ints  # of the random generator


class Rules(NamedTuple):
    """The compiled functions of a game that its tree search needs."""

    num_moves: int  # actions, and moves that stand for several of them
    question: Callable[[Record], int]  # the open question as a number whose low MOVE_BITS are free, of what all can see
    list_moves: Callable[[Record, int, Ints], int]  # fills the moves that an observer sees possible; how many
    action_of: Callable[[Record, int, Ints], int]  # an action that belongs to a move, by a generator
    is_secret: Callable[[Record, int], bool]  # whether what is answered now is hidden from the observer
    score_moves: Callable[[Record, int, float, Floats], None]  # priors of a style, by their sharpness
    choose: Callable[[Record, Ints], int]  # the action of a rollout
    play_out: Callable[[Record, Ints], None]  # a rollout ...
    outcome: Callable[[Record, Doubles], None]  # ... and what its end is worth to each seat, 0 to 1 with sum 1
    # Logits of what another clan chooses in secret, by the settings, if the game has a model of that; else False.
    score_secret: Callable[[Record, Doubles, Floats], bool]
    redeal: Callable[[Records, int, int, int], Records]
    # Gives a new deal, by its index, what others have chosen, or choose, in secret in it.
    choose_in_secret: Callable[[Net, Search, int], None]


def lister_for(compiler: Compiler) -> Callable[[Record, Ints], int]:
    """Make the first part of every `list_moves`."""

    @compiler.rule
    def list_actions(s: Record, moves: Ints) -> int:
        """Fill `moves` with the legal actions by rising id. Return their number."""
        count = 0
        action = 0
        while count < s.num_legal:
            if s.mask[action] == 1:
                moves[count] = action
                count += 1
            action += 1
        return count

    return list_actions


class Leaf(NamedTuple):
    """The functions of a network that the search needs."""

    ask_priors: Callable[[Record, Net, Ints, Floats], None]
    ask_values: Callable[[Record, Net, Ints, Floats, Doubles], None]
    victory: Callable[[Record, Doubles], None]
    only_action: Callable[[Record], int]


def leaf_for(compiler: Compiler, flow: Flow, forward: Forward, fill_moves: Callable[[Record, Floats], None]) -> Leaf:
    """Make the functions of a game. `fill_moves` derives logits of moves that are not actions."""
    num_actions, score, evaluate = forward.sizes.actions, flow.score, forward.evaluate
    team = forward.sizes.team

    @compiler.rule
    def ask_priors(s: Record, net: Net, counters: Ints, scores: Floats) -> None:
        """Fill `scores`, one per move, with the network's priors for the seat to act, and `net.rewards`."""
        counters[NUM_CALLS] += 1
        evaluate(s, net, scores[:num_actions])
        fill_moves(s, scores)

    @compiler.rule
    def ask_values(s: Record, net: Net, counters: Ints, scores: Floats, values: Doubles) -> None:
        """Do as `ask_priors`, and fill `values` with each seat's share of the victory, 0 to 1. Those of two players or
        more have sum 1.
        """
        ask_priors(s, net, counters, scores)
        total = 0.0
        values[:] = 0.0
        for seat in range(s.num_players):
            values[seat] = share_of_rule(float(net.rewards[seat]), int(s.num_players), team)
            total += values[seat]
        if s.num_players == 1:
            return  # nobody has the rest of the victory
        for seat in range(s.num_players):
            values[seat] = values[seat] / total if total > 0.0 else 1.0 / int(s.num_players)

    @compiler.rule
    def victory(s: Record, values: Doubles) -> None:
        """Fill `values[seat]` with the share of the victory at the end of a game."""
        n = int(s.num_players)
        scores = np.empty(n, np.int32)
        for seat in range(n):
            scores[seat] = score(s, seat)
        values[:] = 0.0
        for seat in range(n):
            values[seat] = victory_share_rule(scores, seat)

    @compiler.rule
    def only_action(s: Record) -> int:
        """Return the single legal action, or the first of several."""
        action = 0
        while s.mask[action] == 0:
            action += 1
        return action

    return Leaf(ask_priors, ask_values, victory, only_action)
