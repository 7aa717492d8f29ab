"""The tree search of Blood Rage (`bloodrage_agents/mcts/tree.py`)."""

from typing import Final

from bloodrage_env.games.bloodrage.engine import COMPILER, FLOW, check_game, redeal

from ....mcts.rules import Rules
from ....mcts.tree import tree_for
from .deals import choose_in_secret
from .drafts import score_picks
from .forward import FORWARD
from .leaf import LEAF
from .moves import NUM_MOVES, action_of, is_secret, list_moves, question, score_moves
from .rollout import choose, outcome, play_out
from .weights import STYLES

RULES: Final = Rules(
    NUM_MOVES, question, list_moves, action_of, is_secret, score_moves, choose, play_out, outcome, score_picks,
    redeal, choose_in_secret,
)  # fmt: skip
grow = tree_for(COMPILER, FLOW, check_game, FORWARD, RULES, LEAF, len(STYLES))
