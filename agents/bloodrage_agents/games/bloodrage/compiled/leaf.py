"""What the search asks of the network of Blood Rage (`bloodrage_agents/mcts/rules.py`)."""

from typing import Final

from bloodrage_env.games.bloodrage.engine import COMPILER, FLOW

from ....mcts.rules import leaf_for
from .forward import FORWARD
from .moves import fill_hidden_quest

LEAF: Final = leaf_for(COMPILER, FLOW, FORWARD, fill_hidden_quest)
