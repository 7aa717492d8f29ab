"""Runs a plug-in in processes of its own. Each plays one game, has few rights and never sees the state of the game.

Every game has a new process, so a plug-in cannot remember a deal that is played again with other seats or agents. A
server, one for each `Isolated`, loads this project once and forks these processes (`child.py`). The parent sends method
calls: the observation, the mask and the generator of the game. The process answers with one line of at most `MAX_LINE`
bytes: a letter and a number or a text. The line is not trusted. `sandbox.py` removes the rights of the process, as far
as the platform supports it.
"""

import os
import pickle
import re
import select
import signal
import socket
import struct
import subprocess
import sys
import weakref
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from io import FileIO
from time import monotonic
from typing import Any, Final, Literal, Self

import numpy as np

from bloodrage_env import games
from bloodrage_env.core.compile.decorators import compile_all
from bloodrage_env.core.engine.options import GameOptions
from bloodrage_env.encoding import as_json
from bloodrage_env.errors import UserError

from . import registry, sandbox
from .base import ActionMask
from .match import Forfeit, one_line, too_slow

START_SECONDS: Final = 180.0  # to load what a plug-in needs; no thinking time
MAX_LINE: Final = 1024  # bytes of an answer
END_SECONDS: Final = 1.0  # in which a process that has closed its pipe can end, or a server
LENGTH: Final = struct.Struct("<I")  # before each request: its length in bytes
# What the server is asked: to fork a process, and how it ended. It replies with its number, and with its exit code.
BEGIN, END = b"B", b"E"
REPLY: Final = struct.Struct("<i")
RUNS: Final = 256  # the exit code of a process that had not ended
# Libraries that the server loads if the file of a plug-in names them, since they load slowly. They are not asked from
# a plug-in: whatever the server imports runs with the rights of the user.
SLOW_LIBRARIES: Final = ("torch",)
_ANSWER: Final = re.compile(rb"(?:A (-?[0-9]{1,18})|R (observation|view)|F ([^\n]*))\n")
_SERVER: Final = "import sys; sys.path[:] = sys.argv[1].split('\\n'); from bloodrage_agents.child import serve; serve()"


class Isolated:
    """An agent whose plug-in plays `game` in a separate process, a new one for each game.

    `start` or the first `reset` starts the server and the first process. Starting can take `START_SECONDS`; each
    `reset` and each decision can take `seconds_a_decision`. Every fault raises Forfeit. All random numbers of the
    plug-in come from the generator of the first decision of a game, so it plays as it would in this process. The
    plug-in cannot read files whose paths begin with one of `hidden`, where the platform supports such rules.
    """

    def __init__(
        self, spec: str, seconds_a_decision: float, hidden: Sequence[str] = (), game: str = games.FIRST
    ) -> None:
        if sys.platform == "win32":
            raise UserError(f"{spec} can't play in a process of its own: that needs Linux or macOS")
        self.spec = registry.canonical(spec, game)
        self.game = game
        self.seconds_a_decision = seconds_a_decision
        self.hidden = list(hidden)
        self.sees: Literal["observation", "view"] = "observation"  # the plug-in says so when it starts
        self._server: _Server | None = None
        self._in_game = False  # whether the process has begun a game
        self._first_decision = True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def __getstate__(self) -> dict[str, Any]:
        """Return what copies and pickles contain. Raise UserError while a process runs, which cannot be copied."""
        if self._server is not None:
            raise UserError(f"{self.spec} can't be copied: it plays in a process of its own; close() it first")
        return self.__dict__

    @property
    def _process(self) -> "_Process | None":
        """The process of the game."""
        return None if self._server is None else self._server.process

    def start(self) -> None:
        """Start a process and load the plug-in, unless this was done before. Raise UserError if it cannot be loaded."""
        if self._process is not None:
            return
        try:
            if self._server is None:
                games.game(self.game)
                compile_all()  # the server could compile, but not keep the result
                self._server = _Server(self._program())
            self._server.begin()
            ready = self._call(START_SECONDS, "start", self.spec)
        except BaseException as fault:
            self.close()
            if not isinstance(fault, Forfeit):
                raise
            raise UserError(f"can't start {self.spec}: {fault}") from None
        self.sees = "view" if ready == "view" else "observation"

    def close(self) -> None:
        """End the server and the process of the game, if there are any."""
        if self._server is not None:
            self._server.close()
        self._server, self._in_game = None, False

    def reset(self, seat: int, options: GameOptions) -> None:
        """Begin a new game in a new process. Raise Forfeit if the plug-in cannot be loaded, or fails."""
        if self._in_game:
            self._end_game()
        try:
            self.start()
        except UserError as error:
            raise Forfeit(one_line(str(error))) from None
        self._in_game = self._first_decision = True
        self._call(self.seconds_a_decision, "reset", seat, options)

    def act(self, observation: Any, action_mask: ActionMask, rng: np.random.Generator) -> int:
        """Return the answer of the plug-in, which `match.ask` checks. Raise Forfeit for any fault."""
        given = rng if self._first_decision else None
        self._first_decision = False
        answer = self._call(self.seconds_a_decision, "act", observation, action_mask, given)
        if not isinstance(answer, int):
            self._end_game()
            raise Forfeit("answered with something else than an action")
        return answer

    def _end_game(self) -> None:
        """End the process of the game."""
        self._in_game = False
        if self._server is not None:
            try:
                self._server.end()
            except BaseException as fault:  # a Ctrl-C too, after which its reply could be taken for another one
                self.close()
                if not isinstance(fault, Forfeit):
                    raise

    def _program(self) -> list[str]:
        """Return the command of the server."""
        named = [value for value in registry.parse(self.spec, self.game).arguments.values() if isinstance(value, str)]
        source = registry.source_of(self.spec, self.game).resolve()
        own = [str(source.parent), *filter(os.path.isfile, named)]
        content = source.read_bytes()
        slow = [each for each in SLOW_LIBRARIES if each.encode() in content and find_spec(each)]
        path = "\n".join(sys.path)
        return [sys.executable, "-c", _SERVER, path, as_json([own, self.hidden]), self.game, *slow]

    def _call(self, seconds: float, *request: Any) -> int | str:
        """Send a request and return the answer, within `seconds`. A fault ends the process and raises Forfeit."""
        try:
            line = self._exchange(pickle.dumps(request), monotonic() + seconds)
            answer = _ANSWER.fullmatch(line)
            if answer is None:
                raise Forfeit("wrote something else than an answer to its pipe")
            if answer[3] is not None:
                raise Forfeit(one_line(answer[3].decode("utf-8", "replace")))
            return int(answer[1]) if answer[1] is not None else answer[2].decode()
        except TimeoutError:
            self._end_game()
            raise Forfeit(too_slow(seconds)) from None
        except Forfeit:
            self._end_game()
            raise
        except BaseException:  # such as a Ctrl-C
            self.close()
            raise

    def _exchange(self, request: bytes, deadline: float) -> bytes:
        """Send a request and read a line. Raise TimeoutError, or Forfeit if the process has ended."""
        process = self._process
        if process is None or self._server is None:
            raise Forfeit("has no process any more")
        unsent = LENGTH.pack(len(request)) + request
        line = b""
        while b"\n" not in line and len(line) <= MAX_LINE:
            left = max(0.0, deadline - monotonic())
            readable, writable, _ = select.select([process.answers], [process.requests] if unsent else [], [], left)
            if readable:
                part = process.answers.read(MAX_LINE)
                if not part:
                    raise Forfeit(f"its process ended {_how(self._server.end(kill=False))}")
                line += part
            elif writable:
                with suppress(BrokenPipeError):  # reading will say how it ended
                    unsent = unsent[process.requests.write(unsent) or 0 :]
            else:
                raise TimeoutError
        if unsent:
            raise Forfeit("wrote to its pipe before it was asked")
        return line


@dataclass(frozen=True)
class _Process:
    """The process of a game, which leads a group, and this end of its pipes."""

    pid: int
    requests: FileIO
    answers: FileIO

    def kill(self) -> None:
        """End the process and what it may have started."""
        _kill(self.pid)

    def close(self) -> None:
        """Close the pipes."""
        self.requests.close()
        self.answers.close()


class _Server:
    """The server of a plug-in, and the process that it has forked last. Both end with this object."""

    def __init__(self, program: Sequence[str]) -> None:
        self._control, other = socket.socketpair()
        with other:
            popen = subprocess.Popen(
                program,
                stdin=other.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=sandbox.environment(),
                start_new_session=True,  # Ctrl-C is for the parent, which ends it
            )
        self.pid = popen.pid
        self._running: list[_Process] = []
        self.close = weakref.finalize(self, _close, popen, self._control, self._running)

    @property
    def process(self) -> _Process | None:
        """The process of the game."""
        return self._running[0] if self._running else None

    def begin(self) -> None:
        """Fork a process. Raise Forfeit if the server has ended."""
        asked, requests = os.pipe()
        answers, answered = os.pipe()
        ends = FileIO(requests, "w"), FileIO(answers)
        for end in (requests, answers):
            os.set_blocking(end, False)
        try:
            self._running.append(_Process(self._ask(BEGIN, asked, answered), *ends))
        finally:
            os.close(asked)
            os.close(answered)

    def end(self, kill: bool = True) -> int:
        """End the process, if there is one. Return its exit code as `subprocess` does, RUNS if it had to be killed.

        Without `kill` it can end on its own within a second. Raise Forfeit if the server has ended.
        """
        if self.process is None:
            return RUNS
        if kill:
            self.process.kill()
        code = self._ask(END)
        self._running.pop().close()
        return code

    def _ask(self, word: bytes, *files: int) -> int:
        """Send a request with open files. Return the reply."""
        try:
            self._control.settimeout(START_SECONDS)
            socket.send_fds(self._control, [word], files)
            found = self._control.recv(REPLY.size, socket.MSG_WAITALL)
        except OSError:
            found = b""
        if len(found) < REPLY.size:
            raise Forfeit("its server ended")
        (number,) = REPLY.unpack(found)
        return int(number)


def _how(code: int) -> str:
    """Describe how a process ended that has closed its pipe."""
    if code == RUNS:
        return "its answers"
    return f"by {signal.Signals(-code).name}" if code < 0 else f"with status {code}"


def _close(server: "subprocess.Popen[bytes]", control: socket.socket, running: list[_Process]) -> None:
    """Kill a server and its process."""
    control.close()
    for process in running:
        process.kill()
        process.close()
    if running:  # the server waits for the end of the process and then ends itself
        with suppress(subprocess.TimeoutExpired):
            server.wait(END_SECONDS)
    running.clear()
    _kill(server.pid)
    server.wait()


def _kill(group: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)
