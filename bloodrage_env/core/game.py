"""A game, as what stands above an engine sees it, and the functions that every game has."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numpy as np
import numpy.typing as npt

from .batch import Batch, Sizes, batch_for
from .checks import Checks, checks_for
from .compiled import Compiler, Floats, Ints, Record, Records
from .flow import Flow, Rules, flow_for
from .observe import Observe, observe_for
from .play import Play, play_for
from .tables import Block, Section, length


@dataclass(frozen=True)
class Functions:
    """The compiled functions that follow from a game's rules and tables."""

    flow: Flow
    checks: Checks
    play: Play
    observe: Observe
    batch: Batch


def functions_for(
    compiler: Compiler,
    rules: Rules,
    write_observation: Callable[[Record, int, Floats], None],
    sizes: Sizes,
    max_decisions: int,
) -> Functions:
    """Make them. `write_observation` fills a vector of zeros with what a seat may know."""
    flow = flow_for(compiler, rules, sizes.actions, max_decisions)
    checks = checks_for(compiler)
    return Functions(
        flow,
        checks,
        play_for(compiler, flow, checks),
        observe_for(compiler, flow, checks, write_observation, sizes),
        batch_for(compiler, flow, write_observation, sizes),
    )


@dataclass(frozen=True)
class Game:
    """What an engine offers.

    `options` is the dataclass of its options: `num_players`, others, and `numbers()`, which `reset` takes after the
    array of games, an index and a seed; `reset` returns the seat to act.
    """

    name: str
    rules_version: str
    state: np.dtype[np.record]
    options: type[Any]
    max_seats: int
    max_decisions: int  # a game is cut off then
    blocks: tuple[Block, ...]
    sections: tuple[Section, ...]
    reset: Callable[..., int]
    play: Play
    observe: Observe
    batch: Batch
    hide: Callable[[Records, int, int], Records]
    redeal: Callable[[Records, int, int, int], Records]
    check_state: Callable[[Records, int], None]
    play_checked: Callable[[int, int, Ints, Ints], int]  # random games with all invariants looked at
    invariants: type[IntEnum]  # what it can find violated
    rewards: dict[str, Callable[[Sequence[int]], list[float]]]

    @property
    def num_actions(self) -> int:
        """How many action ids there are."""
        return length(self.blocks)

    @property
    def observation_size(self) -> int:
        """How many numbers an observation has."""
        return length(self.sections)

    def new_game(self, seed: int, options: Any) -> Records:
        """A new game as an array of one record."""
        states = np.zeros(1, self.state)
        self.reset(states, 0, seed, *options.numbers())
        return states

    def by_section(self, vector: npt.NDArray[np.float32]) -> dict[str, npt.NDArray[np.float32]]:
        """The parts of an observation by their names, each in the shape of its section."""
        return {each.name: vector[each.start : each.start + each.size].reshape(each.shape) for each in self.sections}
