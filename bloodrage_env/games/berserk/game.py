"""Berserk as a `Game`: the engine, what a seat sees of it, and what is paid at its end."""

import functools
from typing import Final

from ...core.engine.batch import batch_for
from ...core.engine.game import Game
from ...core.engine.observe import observe_for
from ...core.engine.rewards import win_rewards
from . import engine
from .engine import CHECKS, COMPILER, FLOW, PLAY, RULES_VERSION, check_state
from .mode import NAME, TEAM
from .observation import SECTIONS, SIZES, WRITER
from .options import Options

GAME: Final = Game(
    name=NAME,
    rules_version=RULES_VERSION,
    state=engine.STATE,
    options=Options,
    max_seats=engine.NUM_SEATS,
    max_decisions=engine.MAX_DECISIONS,
    blocks=engine.BLOCKS,
    sections=SECTIONS,
    play=PLAY,
    observe=observe_for(COMPILER, FLOW, CHECKS, WRITER, SIZES),
    batch=batch_for(COMPILER, FLOW, WRITER, SIZES, engine.redeal_game),
    hide=engine.hide,
    redeal=engine.redeal,
    check_state=check_state,
    play_checked=engine.play_checked,
    invariants=engine.Invariant,
    # +1, -1, or 0 in a draw and at the end of the last turn (rules 6.4, 6.5, 10.19)
    rewards={"win": functools.partial(win_rewards, team=TEAM)},
    team=TEAM,
)
