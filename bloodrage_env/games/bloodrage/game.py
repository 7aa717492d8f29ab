"""Blood Rage as a `Game`: the engine, what a seat sees of it, and what is paid at its end."""

from typing import Final

from ...core.batch import batch_for
from ...core.game import Game
from . import engine
from .engine import COMPILER, FLOW, PLAY, RULES_VERSION, check_state
from .observation import ENTRIES, SECTIONS, SIZES, WRITER
from .options import Options
from .rewards import REWARDS

GAME: Final = Game(
    name="bloodrage",
    rules_version=RULES_VERSION,
    state=engine.STATE,
    options=Options,
    max_seats=engine.MAX_SEATS,
    max_decisions=engine.MAX_DECISIONS,
    blocks=engine.BLOCKS,
    sections=SECTIONS,
    reset=engine.reset,
    play=PLAY,
    observe=ENTRIES,
    batch=batch_for(COMPILER, FLOW, WRITER, SIZES),
    hide=engine.hide,
    redeal=engine.redeal,
    check_state=check_state,
    play_checked=engine.play_checked,
    invariants=engine.Invariant,
    rewards=REWARDS,
)
