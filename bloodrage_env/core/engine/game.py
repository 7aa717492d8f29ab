"""The interface of a game, which environments, agents and training use."""

import functools
import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from ...errors import UserError
from ..compile.decorators import Ints, Records, direct
from .batch import Batch
from .flow import ILLEGAL
from .observe import Observe
from .play import Play
from .tables import Block, Section, greatest, length, scales

Number = TypeVar("Number", bound=np.generic)


def open_to_all(states: Records, index: int, seat: int, seed: int = 0) -> Records:
    """`hide` and `redeal` of a game without hidden information and without chance after the set-up.

    Parameters
    ----------
    states : ndarray
        An array of games.
    index : int
        One of them.
    seat, seed : int
        Not used.

    Returns
    -------
    ndarray
        A copy of the game, an array of one record.

    Examples
    --------
    >>> from bloodrage_env import games
    >>> from bloodrage_env.core.engine.game import open_to_all
    >>> states = games.game("bloodrage").new_game(1, games.options_from("bloodrage"))
    >>> open_to_all(states, 0, seat=1) == states
    array([ True])
    """
    return states[index : index + 1].copy()


def no_redeal(states: Records, index: int, seat: int, seed: int) -> Records:
    """Raise UserError: the game has no `redeal`."""
    raise UserError("this game has no redeal, which searches need: give Game(redeal=...), or open_to_all")


@dataclass(frozen=True)
class Game:
    """The functions, sizes and tables of a game.

    Examples
    --------
    >>> from bloodrage_env import games
    >>> game = games.game("bloodrage")
    >>> states = game.new_game(1, game.options(num_players=2))
    >>> seat = game.play.seat_to_act(states, 0)
    >>> game.play.legal_mask(states, 0).shape
    (301,)
    """

    name: str
    rules_version: str
    state: np.dtype[np.record]
    options: type[Any]
    max_seats: int
    max_decisions: int  # a game is cut off then
    blocks: tuple[Block, ...]
    sections: tuple[Section, ...]
    play: Play
    observe: Observe
    batch: Batch
    hide: Callable[[Records, int, int], Records]
    check_state: Callable[[Records, int], None]
    play_checked: Callable[[Records, int, int, Ints, Ints], int]  # random games with every state checked
    invariants: type[IntEnum]  # what it can find violated
    rewards: dict[str, Callable[[Sequence[int]], list[float]]]
    redeal: Callable[[Records, int, int, int], Records] = no_redeal
    blank: Callable[[Records], None] | None = None  # the traces of secrets that `hide` for all seats leaves in a record
    team: int = 1  # players of a side, who win together: those of seats that differ by a multiple of the sides

    @property
    def num_actions(self) -> int:
        """Return the number of action ids."""
        return length(self.blocks)

    @property
    def observation_size(self) -> int:
        """Return the number of values of an observation."""
        return length(self.sections)

    @functools.cached_property
    def no_actions(self) -> npt.NDArray[np.int8]:
        """Return int8[num_actions], zeros that are read-only: the mask of a seat that is not to act."""
        mask = np.zeros(self.num_actions, np.int8)
        mask.flags.writeable = False
        return mask

    @functools.cached_property
    def scales(self) -> npt.NDArray[np.float32]:
        """Return float32[observation_size]: a uint8 observation times these is the float32 observation."""
        return scales(self.sections)

    @functools.cached_property
    def most(self) -> npt.NDArray[np.float32]:
        """Return float32[observation_size]: the maximum of each value of a float32 observation. The minimum is 0."""
        return greatest(self.sections)

    def observation_space(self, dtype: npt.DTypeLike = np.float32) -> spaces.Box:
        """Return the space of observations.

        Parameters
        ----------
        dtype : dtype
            float32 or uint8.

        Returns
        -------
        Box
            Shape (observation_size,); of float32 with the maximum of each value, of uint8 with 255.
        """
        if np.dtype(dtype) == np.uint8:
            return spaces.Box(0, 255, (self.observation_size,), np.uint8)
        return spaces.Box(np.zeros_like(self.most), self.most, dtype=np.float32)

    def state_space(self, num_players: int, dtype: npt.DTypeLike = np.float32) -> spaces.Box:
        """Return the space of `GameEnv.state()`.

        Parameters
        ----------
        num_players : int
            Number of seats.
        dtype : dtype
            float32 or uint8.

        Returns
        -------
        Box
            Shape (num_players * observation_size,): observations of all seats, one after another.
        """
        most = np.full(self.observation_size, 255) if np.dtype(dtype) == np.uint8 else self.most
        high = np.tile(most, num_players).astype(dtype)
        return spaces.Box(np.zeros_like(high), high, dtype=np.dtype(dtype).type)

    def write_state(self, states: Records, index: int, out: npt.NDArray[np.float32 | np.uint8]) -> None:
        """Write the observations of all seats.

        Parameters
        ----------
        states : ndarray
            An array of games.
        index : int
            One of them.
        out : ndarray
            float32 or uint8[seats, observation_size], which is filled; zeros for absent seats.
        """
        entry = self.observe.observe_bytes if out.dtype == np.uint8 else self.observe.observe
        players = int(states[index].num_players)
        out[players:] = 0
        for seat in range(players):
            entry(states, index, seat, out[seat])

    def new_game(self, seed: int, options: Any) -> Records:
        """Return a new game.

        Parameters
        ----------
        seed : int
            0 to 2**63 - 1.
        options : GameOptions
            The options of this game.

        Returns
        -------
        ndarray
            An array of one record.
        """
        states = np.zeros(1, self.state)
        self.play.reset(states, 0, seed, options.numbers())
        return states

    def public(self, states: Records, index: int, num_players: int) -> Records:
        """Return what is open to everybody, as `hide` returns what a seat knows.

        Parameters
        ----------
        states : ndarray
            An array of games.
        index : int
            One of them.
        num_players : int
            Its number of players.

        Returns
        -------
        ndarray
            An array of one record.
        """
        known = self.play.clone(states, index)
        for seat in range(num_players):
            known = self.hide(known, 0, seat)
        if self.blank is not None:
            self.blank(known)
        return known

    def stepper(
        self, states: Records, index: int, observation: npt.NDArray[Any], mask: npt.NDArray[np.int8]
    ) -> Callable[[int], int]:
        """Return a function that steps a game and writes the next observation and mask.

        It calls `step_and_observe` with the same arrays. They are checked here once, so a call takes 100 ns less.

        Parameters
        ----------
        states : ndarray
            An array of games.
        index : int
            One of them.
        observation : ndarray
            uint8 or float32[observation_size].
        mask : ndarray
            int8[num_actions].

        Returns
        -------
        callable
            Takes an action and returns the seat to act, GAME_OVER or ILLEGAL.

        Raises
        ------
        ValueError, TypeError
            Other arrays, or an invalid index.
        """
        as_bytes = getattr(observation, "dtype", None) == np.uint8
        entry = self.observe.step_and_observe_bytes if as_bytes else self.observe.step_and_observe
        entry(states, index, ILLEGAL, observation, mask)  # changes nothing
        answer = direct(entry)

        def step(action: int) -> int:
            if action.__class__ is not int:
                action = operator.index(action)
            result: int = answer(states, index, action, observation, mask)
            return result

        return step

    def by_section(self, vector: npt.NDArray[Number]) -> dict[str, npt.NDArray[Number]]:
        """Return the sections of an observation.

        Parameters
        ----------
        vector : ndarray
            Of shape (observation_size,), any dtype.

        Returns
        -------
        dict
            Views of the vector by the names of the sections, each in its shape.
        """
        return {each.name: vector[each.start : each.start + each.size].reshape(each.shape) for each in self.sections}
