"""Runs a plug-in in its own process. The process plays one game, has few rights and never sees the state of the game.

Every game has a new process, so a plug-in cannot remember a deal that is played again with other seats or agents. The
parent sends method calls, which `child.py` carries out: the observation, the mask and the generator of the game. The
child answers with one line of at most `MAX_LINE` bytes: a letter and a number or a text. The line is not trusted.
`sandbox.py` removes the rights of the child, as far as the platform supports it.
"""

import contextlib
import os
import pickle
import re
import select
import signal
import struct
import subprocess
import sys
import weakref
from collections.abc import Sequence
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
LENGTH: Final = struct.Struct("<I")  # before each request: its length in bytes
_ANSWER: Final = re.compile(rb"(?:A (-?[0-9]{1,18})|R (observation|view)|F ([^\n]*))\n")
_CHILD: Final = "import sys; sys.path[:] = sys.argv[1].split('\\n'); from bloodrage_agents.child import serve; serve()"


class Isolated:
    """An agent whose plug-in plays `game` in a separate process, a new one for each game.

    `start` or the first `reset` starts the first process. Starting can take `START_SECONDS`; each `reset` and each
    decision can take `seconds_a_decision`. Every fault raises Forfeit. All random numbers of the plug-in come from the
    generator of the first decision of a game, so it plays as it would in this process. The plug-in cannot read files
    whose paths begin with one of `hidden`, where the platform supports such rules.
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
        self._process: subprocess.Popen[bytes] | None = None
        self._in_game = False  # whether the process has begun a game
        self._first_decision = True
        self._end: weakref.finalize[..., Any] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def __getstate__(self) -> dict[str, Any]:
        """Return what copies and pickles contain. Raise UserError while a process runs, which cannot be copied."""
        if self._process is not None:
            raise UserError(f"{self.spec} can't be copied: it plays in a process of its own; close() it first")
        return self.__dict__

    def start(self) -> None:
        """Start the process and load the plug-in, unless this was done before. Raise UserError if it cannot be
        loaded.
        """
        if self._process is not None:
            return
        games.game(self.game)
        compile_all()  # the process could compile, but not keep the result
        self._process = subprocess.Popen(
            [
                sys.executable,
                "-c",
                _CHILD,
                "\n".join(sys.path),
                as_json([self._own_files(), self.hidden]),
                self.game,
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=sandbox.environment(),
            start_new_session=True,  # Ctrl-C is for the parent, which ends it; so is what it may start itself
        )
        self._end = weakref.finalize(self, _end, self._process)
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            os.set_blocking(pipe.fileno(), False)
        try:
            ready = self._call(START_SECONDS, "start", self.spec, self.seconds_a_decision)
        except Forfeit as fault:
            raise UserError(f"can't start {self.spec}: {fault}") from None
        self.sees = "view" if ready == "view" else "observation"

    def close(self) -> None:
        """End the process, if there is one."""
        if self._end is not None:
            self._end()
        self._process, self._end, self._in_game = None, None, False

    def reset(self, seat: int, options: GameOptions) -> None:
        """Begin a new game in a new process. Raise Forfeit if the plug-in cannot be loaded, or fails."""
        if self._in_game:
            self.close()
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
            self.close()
            raise Forfeit("answered with something else than an action")
        return answer

    def _own_files(self) -> list[str]:
        """Return the folder of the plug-in, and the files that its arguments may name."""
        named = [value for value in registry.parse(self.spec, self.game).arguments.values() if isinstance(value, str)]
        return [str(registry.source_of(self.spec, self.game).resolve().parent), *filter(os.path.isfile, named)]

    def _call(self, seconds: float, *request: Any) -> int | str:
        """Send a request and return the child's answer, within `seconds`. A fault ends the child and raises Forfeit."""
        try:
            line = self._exchange(pickle.dumps(request), monotonic() + seconds)
            answer = _ANSWER.fullmatch(line)
            if answer is None:
                raise Forfeit("wrote something else than an answer to its pipe")
            if answer[3] is not None:
                raise Forfeit(one_line(answer[3].decode("utf-8", "replace")))
            return int(answer[1]) if answer[1] is not None else answer[2].decode()
        except TimeoutError:
            self.close()
            raise Forfeit(too_slow(seconds)) from None
        except BaseException:  # a Ctrl-C too
            self.close()
            raise

    def _exchange(self, request: bytes, deadline: float) -> bytes:
        """Send a request and read a line. Raise TimeoutError, or Forfeit if the process has ended."""
        process = self._process
        if process is None or process.stdin is None or process.stdout is None:
            raise Forfeit("has no process any more")
        unsent = LENGTH.pack(len(request)) + request
        line = b""
        while b"\n" not in line and len(line) <= MAX_LINE:
            left = max(0.0, deadline - monotonic())
            readable, writable, _ = select.select([process.stdout], [process.stdin] if unsent else [], [], left)
            if readable:
                part = os.read(process.stdout.fileno(), MAX_LINE)
                if not part:
                    raise Forfeit(f"its process ended {_how(process)}")
                line += part
            elif writable:
                with contextlib.suppress(BrokenPipeError):  # reading will say how it ended
                    unsent = unsent[os.write(process.stdin.fileno(), unsent) :]
            else:
                raise TimeoutError
        if unsent:
            raise Forfeit("wrote to its pipe before it was asked")
        return line


def _how(process: "subprocess.Popen[bytes]") -> str:
    """Describe how a process ended that has closed its pipe."""
    try:
        status = process.wait(1)
    except subprocess.TimeoutExpired:
        return "its answers"
    if status < 0:
        return f"by {signal.Signals(-status).name}"
    return f"with status {status}"


def _end(process: "subprocess.Popen[bytes]") -> None:
    """Kill a process and its child processes."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with contextlib.suppress(OSError):
                pipe.close()
