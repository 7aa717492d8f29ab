"""Exact names of action ids, the same in every state, and their inverse."""

from typing import Final

from ....core.engine.action_names import Names
from ..engine import BLOCKS

# `PASS`, `CARD[TROLL]`, `FIGURE_AT[WARRIOR, UTGARD]`, `MARCH[GIMLE, HORGR]`
_NAMES: Final = Names(BLOCKS)
action_name, action_id = _NAMES.action_name, _NAMES.action_id
