"""The moves of a tree search from the view of its observer: the functions that `mcts/tree.py` needs."""

from bloodrage_env.core.compile.decorators import Floats, Ints, rule

from ....forward import Net
from ....mcts.nodes import MOVE_BITS, Doubles
from ....mcts.rules import Search, lister_for
from ..mode import COMPILER, NUM_SEATS, NUM_SLOTS, Decision, State, answered_in_secret
from .inputs import score_actions

DIE = 6

list_actions = lister_for(COMPILER)


@rule
def question(s: State) -> int:
    """Return the open question as a number whose low `MOVE_BITS` are free.

    It contains the seat, the question, its cards, and the visible dice of a fight, or the die of an ability that may be
    rolled again (rules 12.5).
    """
    key = int(s.decision)
    key = key * NUM_SEATS + int(s.seat)
    key = key * (NUM_SLOTS + 1) + int(s.actor) + 1
    key = key * (NUM_SLOTS + 1) + int(s.target) + 1
    again = int(s.die) if s.decision == Decision.REROLL else 0
    for die in range(len(s.white)):
        key = key * (DIE + 1) + max(int(s.white[die]), again)
        key = key * (DIE + 1) + int(s.black[die])
    return key << MOVE_BITS


@rule
def list_moves(s: State, observer: int, moves: Ints) -> int:
    """Fill `moves`, int64[NUM_ACTIONS], with the legal actions. Return their number."""
    return list_actions(s, moves)


@rule
def action_of(s: State, move: int, words: Ints) -> int:
    """Return the action of a move, which is the move itself."""
    return move


@rule
def fill_moves(s: State, scores: Floats) -> None:
    """Do nothing: every move is an action."""


@rule
def is_secret(s: State, observer: int) -> bool:
    """Return whether another seat answers in secret (rules 9.4)."""
    return s.seat != observer and answered_in_secret(s)


@rule
def score_moves(s: State, style: int, sharpness: float, scores: Floats) -> None:
    """Fill the priors of a style."""
    score_actions(s, style, scores)
    for move in range(len(scores)):
        scores[move] *= sharpness


@rule
def score_secret(s: State, settings: Doubles, scores: Floats) -> bool:
    """Return False: only the network predicts secret choices of the other player."""
    return False


@COMPILER.rule
def choose_in_secret(net: Net, search: Search, k: int) -> None:
    """Do nothing: cards that the other has bought, placed and hidden remain as in the redeal."""
