"""Selects the move of a node that a simulation tries."""

from math import exp, sqrt

from bloodrage_env.core.compile.decorators import Floats, Ints, rule
from bloodrage_env.core.engine.record import NONE

from .nodes import Doubles, Nodes
from .settings import Setting


@rule
def fill_scores(nodes: Nodes, moves: Ints, count: int, edges: Ints, scores: Floats) -> None:
    """Fill the scores of the moves from their children."""
    for i in range(count):
        scores[moves[i]] = nodes[edges[moves[i]]].score


@rule
def select(
    nodes: Nodes, node: int, mover: int, moves: Ints, count: int, edges: Ints, scores: Floats, settings: Doubles
) -> int:
    """Return the move to try by PUCT (Rosin 2011, as in AlphaZero). Availability replaces the visits of the parent.

    The value is that of the seat to act, max^n. The priors are a softmax of the scores over the legal moves of this
    deal. A move without visits has a completed value as in Danihelka and others (2022): the mean of the node mixed with
    the values of the siblings by their priors, minus FIRST_PLAY.
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
