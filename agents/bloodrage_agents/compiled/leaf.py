"""What a position is worth to every seat, and the priors of its moves: what the search asks the network of
`forward.py`.
"""

from math import exp, log

from bloodrage_env.core.compiled import Floats, Ints, rule
from bloodrage_env.core.rewards import share_of_rule, victory_share_rule
from bloodrage_env.engine import CARD, MAX_SEATS, QUESTS, State

from . import forward
from .nodes import HIDDEN_QUEST, NUM_CALLS
from .rollout import Doubles


@rule
def evaluate(
    s: State, seat: int, weights: Floats, width: int, memory: Floats, counters: Ints, logits: Floats, values: Floats
) -> None:
    """Fill `logits`, float32[NUM_ACTIONS], for the legal actions, and `values`, float32[MAX_SEATS], with the `win`
    reward that each seat can expect, as `seat` sees it.

    The network knows that of the seat that looks. With two seats the other one has the opposite; with more each of the
    others is asked for its own.
    """
    n = int(s.num_players)
    values[:] = 0.0
    for other in range(n):
        if other != seat and n > 2:
            counters[NUM_CALLS] += 1
            values[other] = forward.evaluate(s, other, weights, width, memory, logits)
    counters[NUM_CALLS] += 1
    values[seat] = forward.evaluate(s, seat, weights, width, memory, logits)
    if n == 2:
        values[1 - seat] = -values[seat]


@rule
def fill_hidden_quest(s: State, scores: Floats) -> None:
    """The logit of a hidden quest, which is any quest."""
    total = 0.0
    for card in QUESTS:
        if s.mask[CARD + card] == 1:
            total += exp(scores[CARD + card])
    scores[HIDDEN_QUEST] = log(total) if total > 0.0 else -1e9


@rule
def ask_priors(s: State, weights: Floats, width: int, memory: Floats, counters: Ints, scores: Floats) -> None:
    """Fill `scores`, float32[NUM_MOVES], with the network's priors for the seat to act."""
    counters[NUM_CALLS] += 1
    forward.evaluate(s, int(s.seat), weights, width, memory, scores[:HIDDEN_QUEST])
    fill_hidden_quest(s, scores)


@rule
def ask_values(
    s: State, weights: Floats, width: int, memory: Floats, counters: Ints, scores: Floats, rewards: Floats,
    values: Doubles,
) -> None:  # fmt: skip
    """Do as `ask_priors`, and fill `values` with each seat's part of the victory: 0 to 1, with sum 1.

    `rewards` is float32[MAX_SEATS], whose content doesn't matter.
    """
    evaluate(s, int(s.seat), weights, width, memory, counters, scores[:HIDDEN_QUEST], rewards)
    fill_hidden_quest(s, scores)
    total = 0.0
    values[:] = 0.0
    for seat in range(s.num_players):
        values[seat] = min(1.0, max(0.0, share_of_rule(float(rewards[seat]), int(s.num_players))))
        total += values[seat]
    for seat in range(s.num_players):
        values[seat] = values[seat] / total if total > 0.0 else 1.0 / int(s.num_players)


@rule
def victory(s: State, values: Doubles) -> None:
    """What the end of a game is worth: `values[seat]`, the part of the victory."""
    for seat in range(MAX_SEATS):
        values[seat] = victory_share_rule(s.glory[: s.num_players], seat) if seat < s.num_players else 0.0
