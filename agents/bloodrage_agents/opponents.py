"""Agents for the seats that neither a person nor a learner plays."""

import copy
import pickle
from typing import Any, Self

import numpy as np

from bloodrage_env import games
from bloodrage_env.core.api.replay import Replay
from bloodrage_env.core.compile.decorators import Records
from bloodrage_env.core.engine.options import GameOptions
from bloodrage_env.errors import UserError

from . import match, registry
from .base import AgentLike, agent_rng


class Opponent:
    """An agent that plays a seat of one game after another. Every fault raises UserError, which names the agent.

    `copy.copy`, `copy.deepcopy` and pickle return independent copies in mid-game, which give the same answers as the
    original. They raise UserError for an agent that cannot be copied.
    """

    name: str
    seat: int
    rng: np.random.Generator

    def __init__(self, spec: str, game: str) -> None:
        self.spec, self.game = spec, game
        self.agent: AgentLike = registry.make(spec, game)

    def begin(self, name: str, seat: int, options: GameOptions, rng: np.random.Generator) -> None:
        """Begin a game at a seat. `name` is the name in error messages."""
        self.name, self.seat, self.rng, self._heard = name, seat, rng, 0
        try:
            match.reset(self.agent, seat, options)
        except match.Forfeit as fault:
            raise UserError(f"{name} can't play: {fault}") from None

    def catch_up(self, replay: Replay) -> None:
        """Pass the events of the game so far to an agent that observes them and has not received them yet."""
        if not match.listens(self.agent):
            return
        try:
            for step, (states, action) in enumerate(zip(replay.states(), replay.actions, strict=False), 1):
                if step > self._heard:
                    match.notify(self.agent, states, action, self.seat, self.game, step)
                    self._heard = step
        except match.Forfeit as fault:
            raise UserError(f"{self.name} can't go on: {fault}") from None

    def __call__(self, states: Records, index: int = 0) -> int:
        """Return the action for the open question of game `index`, which asks this agent's seat."""
        try:
            return match.ask(self.agent, states, index, self.seat, self.rng, self.game)
        except match.Forfeit as fault:
            raise UserError(f"{self.name} can't go on: {fault}") from None

    def __copy__(self) -> Self:
        """Return an independent copy. A shared generator would draw numbers for both."""
        return copy.deepcopy(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """Return an independent copy."""
        made = memo[id(self)] = self.__class__.__new__(self.__class__)
        try:
            made.__dict__.update(copy.deepcopy(self.__dict__, memo))
        except Exception as error:  # a plug-in may raise anything
            raise self._refused(error) from error
        return made

    def __getstate__(self) -> dict[str, Any]:
        """Return what pickles contain. The content is a pickle itself, because the plug-in is loaded before it
        is read.
        """
        try:
            return {"spec": self.spec, "game": self.game, "content": pickle.dumps(self.__dict__)}
        except Exception as error:
            raise self._refused(error) from error

    def __setstate__(self, saved: dict[str, Any]) -> None:
        """Restore. Raise UserError for a plug-in whose file is missing or has changed."""
        registry.load(saved["spec"], saved["game"])
        try:
            self.__dict__.update(pickle.loads(saved["content"]))
        except Exception as error:  # the class is not there, or a plug-in's own code raises
            reason = f"its file has changed, or its code fails: {match.describe(error)}"
            raise UserError(f"{saved['spec']} can't be restored: {reason}") from error

    def _refused(self, error: Exception) -> UserError:
        return UserError(f"{self.spec} can't be copied: {match.describe(error)}")


def line_up(asked: str | None, seat: int, options: GameOptions) -> dict[int, str]:
    """Return the spec of each other seat, from one spec or one for each; None is the game's default.

    Raise UserError for a number that does not fit.
    """
    listed = registry.split(asked or registry.default(options.game))
    specs = [registry.canonical(spec, options.game) for spec in listed]
    others = [other for other in range(options.num_players) if other != seat]
    if len(specs) not in (1, len(others)):
        raise UserError(f"there are {len(others)} opponents: name one agent for all, or {len(others)}")
    return dict(zip(others, specs * len(others), strict=False))


def everybody(asked: str | None, options: GameOptions) -> list[str]:
    """Return the spec of each seat, from one spec or one for each; None is the agents of a demo.

    Raise UserError for a number that does not fit.
    """
    seats = options.num_players
    listed = registry.split(asked) if asked else registry.demo(options.game, seats)
    specs = [registry.canonical(spec, options.game) for spec in listed]
    if len(specs) not in (1, seats):
        raise UserError(f"there are {seats} seats: name one agent for all, or {seats}")
    return (specs * seats)[:seats]


def opponent(spec: str, seat: int, seed: int, options: GameOptions) -> Opponent:
    """Return an agent for a seat of a game. The agent raises UserError if it cannot continue."""
    made = Opponent(spec, options.game)
    name = f"{games.presentation(options.game).seats[seat]} ({spec})"
    made.begin(name, seat, options, agent_rng(seed, seat))
    return made
