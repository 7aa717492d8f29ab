"""The tree search of Berserk (`bloodrage_agents/mcts/tree.py`)."""

from typing import Final

from ....mcts.rules import Rules, leaf_for
from ....mcts.tree import tree_for
from ..mode import COMPILER, FLOW, NUM_ACTIONS, check_game, redeal
from .evaluate import outcome
from .forward import FORWARD
from .moves import (
    action_of,
    choose_in_secret,
    fill_moves,
    is_secret,
    list_moves,
    question,
    score_moves,
    score_secret,
)
from .rollout import choose_quickly, play_out
from .weights import NUM_STYLES

RULES: Final = Rules(
    NUM_ACTIONS, question, list_moves, action_of, is_secret, score_moves, choose_quickly, play_out, outcome,
    score_secret, redeal, choose_in_secret,
)  # fmt: skip
grow = tree_for(COMPILER, FLOW, check_game, FORWARD, RULES, leaf_for(COMPILER, FLOW, FORWARD, fill_moves), NUM_STYLES)
