"""Selects the root move of the next simulation, and the final move.

With candidates, the root is searched by sequential halving of the moves with the highest priors (Danihelka and others:
Policy improvement by planning with Gumbel, ICLR 2022); without, by PUCT, as the rest of the tree.
"""

from math import ceil, log, log2

import numpy as np

from bloodrage_env.core.compile.decorators import Ints, rule
from bloodrage_env.core.compile.local_arrays import local_zeros
from bloodrage_env.core.engine.chance import NUM_WORDS, seed_words, unit
from bloodrage_env.core.engine.record import NONE

from .nodes import NUM_LEFT, NUM_PASSES, NUM_TRIED, ROOT, ROUND_BEGAN, Doubles, Nodes
from .settings import MOST_DRAFTS, NUM_SETTINGS, Setting

NOISE_STREAM = 2**31  # of the generator; simulations and deals have lower ones


def next_visits(counters: Ints, candidates: int, planned: int) -> int:
    """Return the number of visits that the move of the next simulation must have, and count this simulation.

    All candidates are tried equally often, then the better half of them, and so on down to two, with about the same
    number of simulations in each round. `planned`, the simulations of the whole decision, can be another estimate in
    each call: it is read at the end of a pass.
    """
    if counters[NUM_LEFT] == 0:
        counters[NUM_LEFT] = candidates
    left = int(counters[NUM_LEFT])
    if counters[NUM_TRIED] == left:
        counters[NUM_TRIED] = 0
        counters[NUM_PASSES] += 1
        rounds = ceil(log2(max(2, candidates)))
        if counters[NUM_PASSES] - counters[ROUND_BEGAN] >= planned // (rounds * left):
            counters[NUM_LEFT] = max(min(2, left), left // 2)
            counters[ROUND_BEGAN] = counters[NUM_PASSES]
    counters[NUM_TRIED] += 1
    return int(counters[NUM_PASSES])


next_visits_rule = rule(next_visits)  # for compiled code; Python calls the one above


@rule
def add_noise(nodes: Nodes, seed: int, scale: float) -> None:
    """Add Gumbel noise of this scale to the logits of the root's moves."""
    words = local_zeros(NUM_WORDS, np.int64)
    seed_words(words, seed, NOISE_STREAM)
    child = int(nodes[ROOT].child)
    while child != NONE:
        nodes[child].score -= scale * log(-log((unit(words) * 4294967296.0 + 0.5) / 4294967296.0))
        child = int(nodes[child].sibling)


@rule
def most_visits(nodes: Nodes) -> int:
    """Return the number of visits of the most visited root move."""
    most = 0
    child = int(nodes[ROOT].child)
    while child != NONE:
        most = max(most, int(nodes[child].visits))
        child = int(nodes[child].sibling)
    return most


@rule
def best_with(nodes: Nodes, seat: int, visits: int, settings: Doubles) -> int:
    """Return the root's child with this number of visits and the highest logit plus weighted value; NONE without."""
    weight = (settings[Setting.OFFSET] + most_visits(nodes)) * settings[Setting.CONFIDENCE]
    best = NONE
    highest = 0.0
    child = int(nodes[ROOT].child)
    while child != NONE:
        if nodes[child].visits == visits:
            height = float(nodes[child].score)
            if visits > 0:
                height += weight * nodes[child].values[seat] / visits
            if best == NONE or height > highest:
                best = child
                highest = height
        child = int(nodes[child].sibling)
    return best


@rule
def first_with(nodes: Nodes, visits: int) -> int:
    """Return one of the root's children with this number of visits; NONE without."""
    child = int(nodes[ROOT].child)
    while child != NONE and nodes[child].visits != visits:
        child = int(nodes[child].sibling)
    return child


@rule
def is_decided(nodes: Nodes, left: int) -> bool:
    """Return whether the most visited root move keeps its lead through the remaining simulations."""
    first = 0
    second = 0
    child = int(nodes[ROOT].child)
    while child != NONE:
        visits = int(nodes[child].visits)
        if visits > first:
            second = first
            first = visits
        else:
            second = max(second, visits)
        child = int(nodes[child].sibling)
    return first - second > left


@rule
def check_settings(settings: Doubles) -> None:
    """Raise ValueError unless the settings are complete and valid."""
    if len(settings) != NUM_SETTINGS:
        raise ValueError("settings must be NUM_SETTINGS numbers")
    for each in settings:
        if not (each >= 0.0 and each <= 1e6):
            raise ValueError("settings must be from 0 to a million")
    if settings[Setting.DRAFTS] > MOST_DRAFTS:
        raise ValueError("settings must have a DRAFTS of MOST_DRAFTS or less")
