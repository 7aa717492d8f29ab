"""The styles, agents in compiled code: `high` plays its highest number, `low` its lowest."""

from bloodrage_agents.open_seats import open_seats_for
from bloodrage_agents.styles import choose_many_for
from bloodrage_env.core.compile.decorators import Ints, rule

from .agents import STYLES
from .engine import COMPILER, FLOW, NUMBERS, SIZES, WRITER, State
from .game import GAME


@rule
def pick(s: State, style: int, words: Ints) -> int:
    """The action of a style for the seat to act."""
    best = 0
    for number in range(NUMBERS):
        if s.mask[number] == 1 and (style == 0 or s.mask[best] == 0):
            best = number
    return best


SEATS = open_seats_for(COMPILER, FLOW, GAME.batch.checks, SIZES, WRITER.write_floats, pick, len(STYLES))
choose_many = choose_many_for(COMPILER, pick, len(STYLES))
