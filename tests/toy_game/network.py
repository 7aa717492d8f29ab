"""The network: its inputs are the observation, and a score for each action."""

from bloodrage_agents.forward import forward_for
from bloodrage_agents.network_inputs import Inputs
from bloodrage_env.core.compile.decorators import Floats, rule
from bloodrage_env.core.engine.tables import action_names, section, sections

from .engine import BLOCKS, COMPILER, NUMBERS, SECTIONS, SIZES, WRITER, State
from .game import GAME

INPUTS = sections(*SECTIONS, section("scores", (action_names(BLOCKS),), "1 for a legal action"))


@rule
def write_more(s: State, more: Floats) -> None:
    for number in range(NUMBERS):
        more[number] = s.mask[number]


@rule
def check_open(s: State) -> None:
    if s.over == 1 or s.num_legal == 0:
        raise ValueError("index must be of a game with an open question")


FORWARD = forward_for(COMPILER, Inputs(INPUTS, WRITER, write_more), SIZES, GAME.batch.checks.check_which, check_open)
