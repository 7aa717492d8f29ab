"""Blood Rage as a `Game`: the engine, what a seat sees of it, and what is paid at its end."""

from typing import Final

from ...core.compile.decorators import Records
from ...core.engine.batch import batch_for
from ...core.engine.game import Game
from . import engine
from .engine import COMPILER, FLOW, PLAY, RULES_VERSION, Decision, check_state
from .observation import ENTRIES, SECTIONS, SIZES, WRITER
from .options import Options
from .rewards import REWARDS

_ASKED: Final = slice(-2, None)  # the columns of a frame for who is asked next and who has declined


def blank(states: Records) -> None:
    """Place the cards of each deck by rising id, and the frame of a question asked in secret as if nobody was asked.

    `hide` for one seat after another leaves an order that depends on what each of them knows, and on who is asked.
    """
    states["deck"].sort(axis=-1)
    s = states[0]
    if s.decision == Decision.NONE and not s.over:
        s.stack[s.depth - 1, _ASKED] = 0


GAME: Final = Game(
    name="bloodrage",
    rules_version=RULES_VERSION,
    state=engine.STATE,
    options=Options,
    max_seats=engine.MAX_SEATS,
    max_decisions=engine.MAX_DECISIONS,
    blocks=engine.BLOCKS,
    sections=SECTIONS,
    play=PLAY,
    observe=ENTRIES,
    batch=batch_for(COMPILER, FLOW, WRITER, SIZES, engine.redeal_game),
    hide=engine.hide,
    redeal=engine.redeal,
    check_state=check_state,
    play_checked=engine.play_checked,
    invariants=engine.Invariant,
    rewards=REWARDS,
    blank=blank,
)
