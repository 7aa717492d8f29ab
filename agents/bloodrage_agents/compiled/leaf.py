"""What a position is worth to every seat, and the priors of its moves: what the search asks the network of
`forward.py`.
"""

from math import exp, log

from bloodrage_env.core.compiled import Floats, Ints, rule
from bloodrage_env.core.rewards import share_of_rule, victory_share_rule
from bloodrage_env.engine import CARD, MAX_SEATS, QUESTS, State

from .forward import Net, evaluate
from .nodes import HIDDEN_QUEST, NUM_CALLS
from .rollout import Doubles


@rule
def fill_hidden_quest(s: State, scores: Floats) -> None:
    """The logit of a hidden quest, which is any quest."""
    total = 0.0
    for card in QUESTS:
        if s.mask[CARD + card] == 1:
            total += exp(scores[CARD + card])
    scores[HIDDEN_QUEST] = log(total) if total > 0.0 else -1e9


@rule
def ask_priors(s: State, net: Net, counters: Ints, scores: Floats) -> None:
    """Fill `scores`, float32[NUM_MOVES], with the network's priors for the seat to act, and `net.rewards`."""
    counters[NUM_CALLS] += 1
    evaluate(s, net, scores[:HIDDEN_QUEST])
    fill_hidden_quest(s, scores)


@rule
def ask_values(s: State, net: Net, counters: Ints, scores: Floats, values: Doubles) -> None:
    """Do as `ask_priors`, and fill `values` with each seat's part of the victory: 0 to 1, with sum 1."""
    ask_priors(s, net, counters, scores)
    total = 0.0
    values[:] = 0.0
    for seat in range(s.num_players):
        values[seat] = min(1.0, max(0.0, share_of_rule(float(net.rewards[seat]), int(s.num_players))))
        total += values[seat]
    for seat in range(s.num_players):
        values[seat] = values[seat] / total if total > 0.0 else 1.0 / int(s.num_players)


@rule
def victory(s: State, values: Doubles) -> None:
    """What the end of a game is worth: `values[seat]`, the part of the victory."""
    for seat in range(MAX_SEATS):
        values[seat] = victory_share_rule(s.glory[: s.num_players], seat) if seat < s.num_players else 0.0
