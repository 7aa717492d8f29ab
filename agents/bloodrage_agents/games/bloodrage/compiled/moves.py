"""The moves of a tree search, as its observer sees them: an action, or a quest that another clan commits to."""

from math import exp, log

from bloodrage_env.core.compile.decorators import Floats, Ints, rule
from bloodrage_env.core.engine.chance import below
from bloodrage_env.games.bloodrage.engine import (
    CARD,
    COMPILER,
    MAX_SEATS,
    NONE,
    NUM_ACTIONS,
    NUM_BOARD,
    NUM_CARDS,
    NUM_KINDS,
    QUESTS,
    Decision,
    State,
    chosen_at_once,
)

from ....mcts.nodes import MOVE_BITS
from ....mcts.rules import lister_for
from .heuristics import score_actions

# A move is an action id, or this one: another clan commits to a quest, face down.
HIDDEN_QUEST = NUM_ACTIONS
NUM_MOVES = NUM_ACTIONS + 1

list_actions = lister_for(COMPILER)


@rule
def is_secret(s: State, observer: int) -> bool:
    """Return whether another clan has to answer a question of all clans in secret."""
    return s.seat != observer and chosen_at_once(s)


@rule
def question(s: State) -> int:
    """Return the open question as a number whose low `MOVE_BITS` are free.

    It contains the seat, the question, its subject, and the cards revealed in a battle. All of it is public, so the
    branches of a tree are events that the observer sees.
    """
    key = int(s.decision)
    key = key * MAX_SEATS + int(s.seat)
    key = key * (NUM_BOARD + 1) + int(s.about_place) + 1
    key = key * (NUM_KINDS + 1) + int(s.about_kind) + 1
    key = key * (NUM_CARDS + 1) + int(s.about_card) + 1
    for seat in range(MAX_SEATS):
        key = key * (NUM_CARDS + 1) + int(s.main[seat]) + 1
    return key << MOVE_BITS


@rule
def list_moves(s: State, observer: int, moves: Ints) -> int:
    """Fill `moves`, int64[NUM_MOVES], with the possible moves in this deal. Quests of other clans are one move.

    Return the number of moves.
    """
    hides_quests = s.decision == Decision.ACTION and s.seat != observer
    quests = 0
    if hides_quests:
        for card in QUESTS:
            quests += int(s.mask[CARD + card])
    count = list_actions(s, moves)
    if quests > 0:
        kept = 0
        for i in range(count):
            if not is_quest(moves[i]):
                moves[kept] = moves[i]
                kept += 1
        moves[kept] = HIDDEN_QUEST
        count = kept + 1
    return count


@rule
def is_quest(action: int) -> bool:
    """Return whether an action of the Action phase commits to a quest."""
    for card in QUESTS:
        if action == CARD + card:
            return True
    return False


@rule
def action_of(s: State, move: int, words: Ints) -> int:
    """Return the action of a move, or one of the quests to which the seat to act can commit."""
    if move != HIDDEN_QUEST:
        return move
    choice = NONE
    count = 0
    for card in QUESTS:
        if s.mask[CARD + card] == 1:
            count += 1
            if below(words, count) == 0:
                choice = CARD + card
    return choice


@rule
def fill_hidden_quest(s: State, scores: Floats) -> None:
    """Fill the logit of a hidden quest, which represents any quest."""
    total = 0.0
    for card in QUESTS:
        if s.mask[CARD + card] == 1:
            total += exp(scores[CARD + card])
    scores[HIDDEN_QUEST] = log(total) if total > 0.0 else -1e9


@rule
def score_moves(s: State, style: int, sharpness: float, scores: Floats) -> None:
    """Fill priors with the heuristic's score of each move. A hidden quest has the score of the best one."""
    score_actions(s, style, scores)
    scores[HIDDEN_QUEST] = -1e9
    for card in QUESTS:
        scores[HIDDEN_QUEST] = max(scores[HIDDEN_QUEST], scores[CARD + card])
    for move in range(NUM_MOVES):
        scores[move] *= sharpness
