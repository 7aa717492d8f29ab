"""`bloodrage serve` in a process of its own, as people have it, and a client that keeps its connection."""

import asyncio
import json
import re
import subprocess
import sys
import tempfile

from bloodrage_env import games

# The command, in which every game has the seed of the first argument, and a person who is asked whether it is here the
# seconds of the second one to answer. Tokens stay random.
COMMAND = """
import secrets, sys, types
from bloodrage_env.cli import main
from bloodrage_env.serve import table, tables
seed = int(sys.argv.pop(1))
table.CALL_SECONDS = float(sys.argv.pop(1))
table.secrets = tables.secrets = types.SimpleNamespace(**dict(vars(secrets), randbits=lambda count: seed))
raise SystemExit(main())
"""


def seeded(seed, *words, call_seconds=30.0):
    """The command of a server whose games and agents have this seed: no test depends on chance."""
    return [sys.executable, "-c", COMMAND, str(seed), str(call_seconds), *words]


class ServerProcess:
    """A server at a free port, which it keeps when it is started again."""

    def __init__(self, folder, agents="random", pace=0, game=games.FIRST, call_seconds=30.0):
        self.call_seconds = call_seconds
        self.folder, self.agents, self.pace, self.game = folder, agents, pace, game
        self.port = 0
        self.start()

    def start(self):
        """Return when it answers; it may have to compile first."""
        options = ["--port", str(self.port), "--games", str(self.folder)]
        options += ["--agents", self.agents, "--pace", str(self.pace)]
        options += ["--game", self.game]
        self.said = tempfile.TemporaryFile("w+")  # noqa: SIM115  # closed by `wait`
        self.process = subprocess.Popen(
            seeded(2, "serve", *options, call_seconds=self.call_seconds),
            stdout=subprocess.PIPE,
            stderr=self.said,
            text=True,
        )
        line = self.process.stdout.readline()
        self.port = int(re.search(r"http://127\.0\.0\.1:(\d+)/", line)[1])
        self.address = f"http://127.0.0.1:{self.port}/{self.game}"  # of the pages of the game

    def wait(self):
        """Wait for its end; returns what it said on stderr."""
        self.process.wait()
        self.process.stdout.close()
        with self.said:
            self.said.seek(0)
            return self.said.read()

    def kill(self):
        """End it without a goodbye, if it has not ended."""
        if self.process.poll() is None:
            self.process.kill()
            self.wait()


class Connection:
    """A connection of a client, made anew where the server has closed it."""

    def __init__(self, port, game=games.FIRST):
        self.port, self.game = port, game
        self.writer = None

    async def call(self, method, path, body=None, token=None, **headers):
        """(status, headers, body as JSON or None). Raise OSError or EOFError where no answer comes."""
        if self.writer is not None:
            try:
                return await self._call(method, path, body, token, headers)
            except (OSError, EOFError):
                self.close()
        return await self._call(method, path, body, token, headers)

    async def _call(self, method, path, body, token, headers):
        if self.writer is None:
            self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        data = b"" if body is None else json.dumps(body).encode()
        wanted = {"host": f"127.0.0.1:{self.port}", "content-length": str(len(data))}
        wanted |= {"content-type": "application/json"} if data else {}
        wanted |= {"authorization": f"Bearer {token}"} if token else {}
        wanted |= {name.replace("_", "-"): value for name, value in headers.items()}
        lines = "".join(f"{name}: {value}\r\n" for name, value in wanted.items())
        self.writer.write(f"{method} /{self.game}{path} HTTP/1.1\r\n{lines}\r\n".encode() + data)
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        got = dict(line.lower().split(": ", 1) for line in head[1:] if line)
        content = await self.reader.readexactly(int(got.get("content-length", 0)))
        if got.get("connection") == "close":
            self.close()
        return int(head[0].split()[1]), got, json.loads(content) if content else None

    def close(self):
        if self.writer is not None:
            self.writer.close()
            self.writer = None


async def new_game(connection, agent):
    """The token of the person in a new game of one person and three agents."""
    seats = [{"person": ""}, *[{"agent": agent}] * 3]
    status, _, data = await connection.call("POST", "/api/games", {"seats": seats, "options": {"first_game": False}})
    assert status == 201, data
    return data["tokens"][0]


async def play(connection, token, rng, go_on, answered):
    """Random answers of a person while `go_on()`; `answered(seconds)` after each. Return the last view."""
    loop = asyncio.get_running_loop()
    tag, view = None, None
    while go_on() and not (view and view["scene"]["over"]):
        news = {"if_none_match": tag, "prefer": "wait=20"} if tag else {}
        status, headers, data = await connection.call("GET", "/api/seat", token=token, **news)
        assert status in (200, 304), data
        tag, view = headers["etag"], data or view
        while view["question"] and go_on():
            choice = rng.choice(view["question"]["choices"])
            answer = {"number": view["question"]["number"], "action": choice["action"]}
            begin = loop.time()
            status, headers, data = await connection.call("POST", "/api/seat/answer", answer, token)
            assert status == 200, data
            answered(loop.time() - begin)
            if data["turn"]["held"] == data["seat"]:
                end = {"number": data["turn"]["number"]}
                status, headers, data = await connection.call("POST", "/api/seat/end", end, token)
                assert status == 200, data
            tag, view = headers["etag"], data
    return view
