"""The styles: a score for each legal action, and the functions that other modules call. See docs/agents/."""

import numpy as np

from bloodrage_env.core.compile.apart import apart
from bloodrage_env.core.compile.decorators import Floats, Ints, entry, rule, shared_rule
from bloodrage_env.core.compile.local_arrays import local_zeros
from bloodrage_env.core.compile.memory_copies import copy_record
from bloodrage_env.core.engine.chance import NUM_WORDS, below, seed_words, unit
from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine import (
    COMPILER,
    MAX_SEATS,
    NUM_ACTIONS,
    STATE,
    Decision,
    State,
    States,
    check_count,
    check_game,
    check_open,
    check_seed,
)

from ....styles import RANDOM, STREAM, check_styles, choose_many_for
from .plan import PLAN, Plan, Plans
from .score_action import (
    score_action,
    score_follower,
    score_free_pillage,
    score_god_move,
    score_leader_move,
    score_march,
    score_places,
    score_sacrifice,
    score_victim,
    score_withdraw,
)
from .score_battle import (
    score_battle_card,
    score_call,
    score_count_quest,
    score_keep_figure,
    score_late_card,
    score_save,
)
from .score_cards import score_buy_back, score_draft, score_keep_card, score_slot, score_stat
from .survey import make_plan
from .weights import NUM_COLUMNS, NUM_STYLES, STYLES, TABLE, Weight

__all__ = [
    "NUM_STYLES",
    "RANDOM",
    "STYLES",
    "choose",
    "choose_many",
    "pick",
    "play_heuristics",
    "score_actions",
]

NO_SCORE = -1e9


@shared_rule
def score_with(s: State, scratch: States, plans: Plans, scores: Floats) -> None:
    """Fill the scores by `plans[0]`, whose `weights` are set. `scratch[0]` is a work copy for trying moves.

    The arguments are arrays because a record does not keep its array alive.
    """
    plan = plans[0]
    copy_record(scratch, 0, s)
    t = scratch[0]
    make_plan(t, plan)
    for action in range(NUM_ACTIONS):
        scores[action] = NO_SCORE
    decision = s.decision
    if decision == Decision.ACTION:
        score_action(t, plan, scores)
    elif decision == Decision.DRAFT:
        score_draft(t, plan, scores)
    elif decision == Decision.CALL:
        score_call(t, plan, scores)
    elif decision == Decision.BATTLE_CARD:
        score_battle_card(t, plan, scores)
    elif decision == Decision.LATE_CARD:
        score_late_card(t, plan, scores)
    elif decision == Decision.STAT:
        score_stat(t, plan, scores)
    elif decision == Decision.MARCH:
        score_march(t, plan, scores)
    elif decision == Decision.SLOT:
        score_slot(t, plan, scores)
    elif decision == Decision.FREE_INVADE or decision == Decision.RAISE_DEAD:
        score_places(t, plan, scores)
    elif decision == Decision.KEEP_CARD:
        score_keep_card(t, plan, scores)
    elif decision == Decision.SAVE:
        score_save(t, plan, scores)
    elif decision == Decision.COUNT_QUEST:
        score_count_quest(t, plan, scores)
    elif decision == Decision.KEEP_FIGURE:
        score_keep_figure(t, plan, scores)
    elif decision == Decision.BUY_BACK:
        score_buy_back(t, plan, scores)
    elif decision == Decision.LEADER_MOVE:
        score_leader_move(t, plan, scores)
    elif decision == Decision.SACRIFICE:
        score_sacrifice(t, plan, scores)
    elif decision == Decision.FREE_PILLAGE:
        score_free_pillage(t, plan, scores)
    elif decision == Decision.GOD_MOVE:
        score_god_move(t, plan, scores)
    elif decision == Decision.WITHDRAW:
        score_withdraw(t, plan, scores)
    elif decision == Decision.VICTIM:
        score_victim(t, plan, scores)
    else:
        score_follower(t, plan, scores)


@rule
def set_weights(plan: Plan, style: int) -> None:
    """Set the weights of a plan to those of a style."""
    for i in range(NUM_COLUMNS):
        plan.weights[i] = TABLE[style, i]


@rule
def score_actions(s: State, style: int, scores: Floats) -> None:
    """Fill `scores` (float32[NUM_ACTIONS]): about the glory that each legal action brings, NO_SCORE for the others.

    Read only what the seat to act may know.
    """
    scratch, plans = local_zeros(1, STATE), local_zeros(1, PLAN)
    set_weights(plans[0], style)
    score_with(s, scratch, plans, scores)


@rule
def best_of(s: State, scores: Floats, noise: float, words: Ints) -> int:
    """Return the legal action with the best blurred score. Without noise, ties are broken at random."""
    best = -1
    best_score = 0.0
    for action in range(NUM_ACTIONS):
        if s.mask[action] == 1:
            score = scores[action] + (noise + 1e-4) * unit(words)
            if best < 0 or score > best_score:
                best = action
                best_score = score
    return best


@rule
def pick(s: State, style: int, words: Ints) -> int:
    """Return the action of a style for the seat to act. Read information of that seat only, and the generator."""
    scores = local_zeros(NUM_ACTIONS, np.float32)
    score_actions(s, style, scores)
    return best_of(s, scores, float(TABLE[style, Weight.NOISE]), words)


@entry
def choose(states: States, index: int, style: int, seed: int) -> int:
    """Return the action of a style (an index of STYLES) for the seat to act in game `index`; the seed breaks ties.

    The action is the same for the game, a hidden view and a redeal. Raise ValueError for an unknown style.
    """
    check_game(states, index)
    check_open(states[index])
    check_style(style)
    check_seed(seed)
    words = local_zeros(NUM_WORDS, np.int64)
    seed_words(words, seed, STREAM)
    return pick(states[index], style, words)


choose_many = choose_many_for(COMPILER, pick, NUM_STYLES)


@entry
def play_heuristics(states: States, index: int, styles: Ints, seed: int, max_decisions: int) -> int:
    """Play on for `max_decisions` decisions or to the end. Return the number of decisions.

    `styles` is int64[MAX_SEATS], by seat; -1 plays at random.
    """
    if not apart((states, styles)):
        raise ValueError("states and styles must not share memory")
    check_game(states, index)
    check_seed(seed)
    check_count(max_decisions)
    if len(styles) != MAX_SEATS:
        raise ValueError("styles must be MAX_SEATS numbers")
    s = states[index]
    check_styles(styles, NUM_STYLES)
    words = local_zeros(NUM_WORDS, np.int64)
    seed_words(words, seed, STREAM)
    for count in range(max_decisions):
        if s.over == 1:
            return count
        style = int(styles[s.seat])
        if style < 0:
            engine.step(s, engine.pick(s, below(words, int(s.num_legal))))
        else:
            engine.step(s, pick(s, style, words))
    return max_decisions


@rule
def check_style(style: int) -> None:
    """Raise ValueError for an unknown style."""
    if style < 0 or style >= NUM_STYLES:
        raise ValueError("style must be an index of STYLES")
