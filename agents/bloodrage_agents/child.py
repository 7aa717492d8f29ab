"""The process in which a plug-in plays. It carries out the calls that `isolated.py` sends until its pipe is closed."""

import faulthandler
import json
import os
import pickle
import sys
from typing import Any, Final

import numpy as np

from bloodrage_env import games
from bloodrage_env.core.compile.decorators import compile_all

from . import registry, sandbox
from .base import AgentLike
from .isolated import LENGTH, START_SECONDS
from .match import action_id, describe

GRACE: Final = 2.0  # seconds after which the process ends itself


def serve() -> None:
    """Answer requests from stdin on stdout, until stdin ends or a call fails.

    The second argument is for the sandbox, the third is the name of the game.

    This project's code is loaded before the process gives up its rights, the code of the plug-in after that.
    """
    requests, answers = os.fdopen(os.dup(0), "rb"), os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1):  # what a plug-in prints is not an answer
        os.dup2(nowhere, fd)
    player = Player(sys.argv[3])
    sandbox.enter(*json.loads(sys.argv[2]))
    seconds = START_SECONDS
    while head := requests.read(LENGTH.size):
        name, *arguments = pickle.loads(requests.read(*LENGTH.unpack(head)))
        # Ends a plug-in that hangs when its parent is gone, compiled code included.
        faulthandler.dump_traceback_later(seconds + GRACE, exit=True, file=nowhere)
        try:
            line = getattr(player, name)(*arguments)
        except BaseException as error:  # whatever a plug-in raises
            line = f"F {describe(error)}"
        faulthandler.cancel_dump_traceback_later()
        seconds = player.seconds
        os.write(answers, f"{line}\n".encode(errors="replace"))


class Player:
    """A plug-in, for a game, and its generator. Each method handles one request and returns one line."""

    agent: AgentLike
    rng: np.random.Generator
    seconds = START_SECONDS

    def __init__(self, game: str) -> None:
        self.game = games.game(game)
        registry.table(game)  # and with it all that its agents are made of

    def start(self, spec: str, seconds: float) -> str:
        """Load the plug-in. Return R and the kind of input that it expects."""
        self.agent = registry.make(spec, self.game.name)
        self.seconds = seconds
        if getattr(self.agent, "sees", "observation") != "view":
            return "R observation"
        compile_all()  # it will want to play on: what is loaded now takes none of its thinking time
        return "R view"

    def reset(self, *arguments: Any) -> str:
        """Begin a game. Return A."""
        begin = getattr(self.agent, "reset", None)
        if begin is not None:
            begin(*arguments)
        return "A 0"

    def act(self, observation: Any, action_mask: Any, rng: np.random.Generator | None) -> str:
        """Make a decision. Return A and the action. The first request of a game also contains the generator."""
        self.rng = rng or self.rng
        return f"A {action_id(self.agent.act(observation, action_mask, self.rng), self.game.num_actions)}"
