"""The interface of a game for training, as one object."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from bloodrage_agents.forward import Forward
from bloodrage_agents.styles import ChooseMany
from bloodrage_env import games
from bloodrage_env.core.compile.decorators import Ints, Records
from bloodrage_env.core.engine.game import Game
from bloodrage_env.core.engine.options import GameOptions

from .policy import Inputs, SparseRows

Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Mirror:
    """Permutations for the mirror image of a decision: input i becomes `inputs[i]`, and so on."""

    inputs: Ints
    actions: Ints
    players: int  # games of fewer have none

    def of(self, rows: SparseRows, which: Bools) -> SparseRows:
        """Return the rows; those of `which` (bool[N]) are replaced by their mirror images."""
        flags = np.repeat(which, np.diff(rows.offsets))
        index = np.where(flags, self.inputs[rows.index], rows.index)
        return SparseRows(rows.offsets, index, rows.values, rows.changes)


@dataclass(frozen=True)
class Learnable:
    """A game that can be learned."""

    game: Game
    forward: Forward
    styles: tuple[str, ...]  # compiled agents ...
    choose_many: ChooseMany  # ... and their play
    held_out: tuple[str, ...]  # styles that no run meets, for evaluation alone
    baselines: tuple[str, ...]  # the opponents of an evaluation: styles and "random"
    options_of: Callable[[int, Sequence[str]], GameOptions]  # for a number of players, with these sets; ValueError
    needed_sets: Callable[[int], Sequence[str]]  # that a number of players requires
    draw_options: Callable[[int, Sequence[str], float, np.random.Generator], GameOptions]  # of a game of a run
    defaults: Mapping[str, Any] = field(default_factory=dict)  # settings of runs, in place of those of `config.py`
    mirror: Mirror | None = None

    def reading(self, ledger: bool, changes: bool = False) -> "Learnable":
        """Return the game with inputs that contain the ledger and the changes of actions, or not."""
        return replace(self, forward=self.forward.reading(ledger, changes))

    def mirrored(self, players: Ints) -> Bools:
        """Return bool[games]: every second game with these numbers of players, if the game has a mirror image."""
        result = np.zeros(len(players), bool)
        if self.mirror is not None:
            for number in np.unique(players[players >= self.mirror.players]):
                result[np.flatnonzero(players == number)[1::2]] = True
        return result

    def rows(self, states: Records, which: Ints, mirrored: Bools) -> SparseRows:
        """Return the inputs of the open decisions of games `which`, as mirror images for `mirrored`
        (bool[len(which)]).
        """
        rows = SparseRows.of(states, which, self.forward)
        return rows if self.mirror is None else self.mirror.of(rows, mirrored)

    def write(self, states: Records, which: Ints, mirrored: Bools, inputs: Inputs, net: Forward) -> None:
        """Write the same inputs as bytes, those that `net` reads, into the rows of `inputs`."""
        moved = mirrored.astype(np.int8)
        net.write_rows(states, which, net.ledger, moved, self.order, inputs.counts.numpy(), inputs.more.numpy())
        if net.changes.names:
            changes = inputs.changes.numpy()
            net.write_changes(states, which, inputs.changes.flatten(1).numpy())
            if self.mirror is not None:
                changes[mirrored] = changes[mirrored][:, self.mirror.actions]

    @property
    def order(self) -> Ints:
        """The places of the inputs in the mirror image of a decision."""
        return np.arange(self.forward.num_inputs) if self.mirror is None else self.mirror.inputs

    def meant(self, answers: Ints, mirrored: Bools) -> Ints:
        """Return the actions for answers to such inputs."""
        return answers if self.mirror is None else np.where(mirrored, self.mirror.actions[answers], answers)

    @property
    def training_styles(self) -> tuple[str, ...]:
        """The styles that a run can use as opponents."""
        return tuple(style for style in self.styles if style not in self.held_out)

    @property
    def players(self) -> int:
        """The default number of players."""
        return int(self.game.options.num_players)


def learnable(game: str) -> Learnable:
    """Return the `Learnable` of a game. Raise UserError for a game without one."""
    found: Learnable = games.spec(game).load("learnable")
    return found
