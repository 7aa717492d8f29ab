"""The deals of a tree search: redeals, in which the others have chosen in secret as the policy chooses."""

from bloodrage_env.core.chance import seed_words
from bloodrage_env.core.compiled import Floats, Ints, rule
from bloodrage_env.engine import (
    CARD,
    NONE,
    PLAY,
    QUESTS,
    Decision,
    State,
    States,
    chosen_at_once,
    redeal,
    step,
)

from .forward import Net, draw
from .heuristics import score_actions
from .leaf import ask_priors
from .nodes import HIDDEN_QUEST, NUM_DEALS, NUM_MOVES
from .rollout import Doubles, draw_seed
from .settings import Setting

go_on = PLAY.go_on

DEAL_STREAM = 2**30  # of the generator: deal k has the stream DEAL_STREAM + k, a k-th visit the stream k


@rule
def score_moves(s: State, style: int, sharpness: float, scores: Floats) -> None:
    """Priors of the heuristic: what it thinks of each move; of a hidden quest, what it thinks of the best one."""
    score_actions(s, style, scores)
    scores[HIDDEN_QUEST] = -1e9
    for card in QUESTS:
        scores[HIDDEN_QUEST] = max(scores[HIDDEN_QUEST], scores[CARD + card])
    for move in range(NUM_MOVES):
        scores[move] *= sharpness


@rule
def only_action(s: State) -> int:
    """The one legal action, or the first of several."""
    action = 0
    while s.mask[action] == 0:
        action += 1
    return action


@rule
def deal_again(
    states: States, index: int, observer: int, seed: int, style: int, net: Net, settings: Doubles,
    deals: States, counters: Ints, worlds: States, scores: Floats, words: Ints,
) -> None:  # fmt: skip
    """Sample the next deal into `deals`; `worlds[0]` takes a game in which to try."""
    k = int(counters[NUM_DEALS])
    seed_words(words, seed, DEAL_STREAM + k)
    take(deals, k, redeal(states, index, observer, draw_seed(words)))
    counters[NUM_DEALS] = k + 1
    if chosen_at_once(deals[k]):
        worlds[0] = deals[k]
        choose_in_secret(
            deals[k], worlds, observer, style, net, settings, counters, scores, words
        )  # fmt: skip


@rule
def take(deals: States, k: int, others: States) -> None:
    """Copy the first game of an array: a record alone would not keep its array alive, an argument does."""
    deals[k] = others[0]


@rule
def choose_in_secret(
    s: State, worlds: States, observer: int, style: int, net: Net, settings: Doubles, counters: Ints,
    scores: Floats, words: Ints,
) -> None:  # fmt: skip
    """The others choose by the policy in this deal what all choose at once with the observer, whose turn it is.

    Those who have chosen before it choose again: in a redeal they have chosen anything, each equally likely. Those who
    would be asked after it choose now, since what it does is hidden from them. `worlds[0]` is a copy of the deal, in
    which all are asked from the beginning; the observer's choice is taken back again and again, so that the cards are
    not revealed before each of the others has chosen.
    """
    t = worlds[0]
    for seat in range(t.num_players):
        t.pending[seat, :] = NONE
    t.decision = Decision.NONE
    go_on(worlds, 0, -1)
    while t.over == 0 and chosen_at_once(t):
        seat = int(t.seat)
        if seat == observer:
            step(t, only_action(t))
            if t.pending[observer, 0] == NONE:
                return
            continue
        t.pending[observer, :] = NONE
        if t.num_legal > 1 and net.width > 0:
            ask_priors(t, net, counters, scores)
            step(t, draw(t, scores, words))
        elif t.num_legal > 1:
            score_moves(t, style, settings[Setting.SHARPNESS], scores)
            step(t, draw(t, scores, words))
        else:
            step(t, only_action(t))
        s.pending[seat, :] = t.pending[seat, :]
