"""The processes in which plug-ins play. `isolated.py` starts a server, which forks a process for each game.

The server has loaded the code of this project, which takes most of the time of a start, and never that of a plug-in.
The process of a game begins as a copy of the server: it gives up its rights, loads the plug-in and carries out calls
until its pipe is closed. It can change nothing that the server or a later game has: its pipes are new, and it has no
other open file and no shared memory. Only its end is visible to the server, which passes it on.
"""

import gc
import json
import logging
import os
import pickle
import signal
import socket
import sys
import time
from typing import Any, Final

import numpy as np

from bloodrage_env import games
from bloodrage_env.core.compile.decorators import compile_all

from . import registry, sandbox
from .base import AgentLike
from .isolated import BEGIN, END, END_SECONDS, LENGTH, REPLY, RUNS
from .match import action_id, describe

_MAX_FILE: Final = 2**16  # a number above those of open files


def serve() -> None:
    """Fork a process for each game, as requests on stdin ask, until stdin ends.

    The arguments of the program are the path of Python, what the sandbox needs, the game and modules to load.
    """
    _, _, allowed, game, *modules = sys.argv
    control = socket.socket(fileno=0)
    player = Player(game)
    compile_all()  # or loaded
    for module in modules:
        __import__(module)
    sandbox.hide_memory()
    vars(logging)["_startTime"] = 0  # a later game could tell from it how long the earlier ones took
    gc.freeze()
    pid = 0
    while True:
        word, pipes, _, _ = socket.recv_fds(control, 1, 2)
        if word == BEGIN:
            pid = _fork(player, pipes, allowed)
            control.sendall(REPLY.pack(pid))
        elif word == END:
            control.sendall(REPLY.pack(_end(pid, END_SECONDS)))
            pid = 0
        else:
            break
    if pid:
        _end(pid, 0.0)


def _fork(player: "Player", pipes: list[int], allowed: str) -> int:
    """Return the id of a new process that plays, the leader of a group."""
    pid = os.fork()
    if pid == 0:
        try:
            _keep_only(pipes)
            np.random.seed()  # Python and numba draw other numbers after a fork on their own
            sandbox.enter(*json.loads(allowed))
            _play(player, *pipes)
        finally:
            os._exit(0)
    os.setpgid(pid, pid)
    for each in pipes:
        os.close(each)
    return pid


def _keep_only(pipes: list[int]) -> None:
    """Close all files but these. An open file of the server would carry its flags and its position to later games."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for fd in range(3):  # what a plug-in prints is not an answer
        os.dup2(nowhere, fd)
    last = 2
    for fd in sorted(pipes):
        os.closerange(last + 1, fd)
        last = fd
    os.closerange(last + 1, _MAX_FILE)


def _play(player: "Player", requests: int, answers: int) -> None:
    """Answer requests until their pipe ends."""
    with os.fdopen(requests, "rb") as asked:
        while head := asked.read(LENGTH.size):
            name, *arguments = pickle.loads(asked.read(*LENGTH.unpack(head)))
            try:
                line = getattr(player, name)(*arguments)
            except BaseException as error:  # whatever a plug-in raises
                line = f"F {describe(error)}"
            os.write(answers, f"{line}\n".encode(errors="replace"))


def _end(pid: int, seconds: float) -> int:
    """Return the exit code of a process that ends within `seconds`. Kill it otherwise, and return RUNS."""
    deadline = time.monotonic() + seconds
    while True:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        if time.monotonic() >= deadline:
            os.killpg(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            return RUNS
        time.sleep(0.005)


class Player:
    """A plug-in, for a game, and its generator. Each method handles one request and returns one line."""

    agent: AgentLike
    rng: np.random.Generator

    def __init__(self, game: str) -> None:
        self.game = games.game(game)
        registry.table(game)  # and with it all that its agents are made of

    def start(self, spec: str) -> str:
        """Load the plug-in. Return R and the kind of input that it expects."""
        self.agent = registry.make(spec, self.game.name)
        if getattr(self.agent, "sees", "observation") != "view":
            return "R observation"
        compile_all()  # it will want to play on: what it loaded itself takes none of its thinking time
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
