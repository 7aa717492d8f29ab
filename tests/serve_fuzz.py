"""Damaged requests to each endpoint of the server: paths, headers, bodies.

    python -m tests.serve_fuzz GAME SEED COUNT

sends so many to a server of its own, and prints those that it answered with a status of 500 or more, and its log.
"""

import json
import random
import re
import select
import socket
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.serve_process import seeded

SECONDS = 60.0  # that an answer may take
SECONDS_FOR_MORE = 0.5  # after which a request that has not been answered ends
TOOLS = ["list_agents", "start_game", "take_seat", "observe", "observe_struct", "list_actions", "explain_action"]
TOOLS += ["wait", "act", "rules", "cards", "nothing"]
PAGES = ["/", "/play", "/join", "/learn", "/api/agents", "/api/texts", "/api/seat", "/api/seat/replay", "/nothing"]
PAGES += ["/api/seat/link", "/api/seat/game", "/api/seat/review", "/api/seat/talk", "/static/table.js"]
PAGES += ["/api/seat/chances", "/render/elements.js", "/static/../app.py", "/static/%00"]
OPTIONS = ["first_game", "sets", "decks", "squads", "setup", "x"]
METHODS = ["initialize", "tools/list", "tools/call", "resources/list", "resources/read", "resources/templates/list"]
METHODS += ["prompts/list", "prompts/get", "ping", "logging/setLevel", "completion/complete", "nothing/x"]
METHODS += ["resources/subscribe", "notifications/cancelled", "notifications/initialized", "notifications/progress"]
ODD: list[Any] = [None, True, -1, 0, 1, 7, 10**18, 10**30, -(10**30), 0.5, 1e308, float("nan"), float("inf"), "", "x"]
ODD += ["\ud800", "\0", "é" * 50, "x" * 3000, [], {}, [[]], [None], {"": None}, [[[[]]]], "__proto__", "../..", "%00"]
HOSTS = ["localhost", "127.0.0.1", "[::1]", "[::1]:99999", "localhost:x", "", "a b", "[", "@", "127.0.0.1:"]
HOSTS += ["[fe80::1%" + "a" * 4000 + "]", "u:p@localhost", "localhost/x?y#z", "[127.0.0.1]", "\xe9", "localhost:65536"]
HEADERS = {
    "content-type": ["application/json", "application/json; charset=x", "text/plain", "", "\xe9", "x" * 500],
    "accept": ["application/json, text/event-stream", "*/*", "", "x;q=y"],
    "if-none-match": ["x", '"1-1"', 'W/"x"', "\xe9", "*"],
    "prefer": ["wait=0", "wait=1", "wait=-1", "wait=\xb2", "wait=99999", "wait", "=", "wait=1e3"],
    "cookie": ["a=b", "=", "\xe9", ";;;", "a=" + "x" * 500],
    "origin": ["http://localhost", "null", "http://evil", "\xe9", "x" * 500],
    "range": [
        "bytes=0-1",
        "bytes=-1",
        "bytes=5-1",
        "bytes=x-",
        "bytes=0-1,3-4",
        "bytes=" + "0-1," * 99,
        "bytes=99999999-",
    ],
    "if-range": ["x", '"x"', "Wed, 21 Oct 2015 07:28:00 GMT"],
    "if-modified-since": ["x", "Wed, 99 Oct 2015 07:28:00 GMT", "Wed, 21 Oct 99999 07:28:00 GMT", "\xe9"],
    "transfer-encoding": ["chunked", "gzip", "chunked, chunked", "x"],
    "expect": ["100-continue", "x"],
    "connection": ["keep-alive", "upgrade", "close, x"],
    "upgrade": ["websocket", "h2c"],
    "mcp-protocol-version": ["2025-06-18", "2026-07-28", "x", "\xe9", ""],
    "mcp-session-id": ["x", "", "\xe9", "x" * 500],
    "last-event-id": ["x", "1", ""],
    "x-forwarded-for": ["1.2.3.4", "x", ""],
    "accept-encoding": ["gzip", "x"],
    "content-length": ["0", "5", "-1", "x", "99999999999999999999", "1, 1"],
}
STATUS = re.compile(rb"HTTP/1\.1 (\d\d\d)")


class Fuzz:
    """Requests by a seed. `tokens` are of seats and tables."""

    def __init__(self, seed: int, tokens: list[str]) -> None:
        self.rng = random.Random(seed)
        self.tokens = tokens

    def request(self) -> bytes:
        """A damaged request."""
        rng = self.rng
        path, body = rng.choice(self.endpoints())
        method = rng.choice(["GET", "POST"] * 4 + ["HEAD", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "X" * 20])
        if body is not None and rng.random() < 0.8:
            method = "POST"
        data = self.body(body)
        headers = [("host", rng.choice(HOSTS) if rng.random() < 0.1 else "localhost")]
        if rng.random() < 0.9:
            headers.append(("authorization", self.authorization()))
        if rng.random() < 0.9:
            headers.append(("content-type", "application/json"))
            headers.append(("accept", HEADERS["accept"][0]))
        more = rng.sample(sorted(HEADERS), rng.choice([0, 0, 1, 2, 4]))
        headers += [(name, rng.choice(HEADERS[name])) for name in more]
        headers.append(("content-length", str(len(data))))
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers)
        path = self.damaged(path) if rng.random() < 0.15 else path
        head = f"{method} {path} HTTP/1.1\r\n{lines}\r\n".encode("latin-1", "replace")
        if rng.random() < 0.05:
            place = rng.randrange(len(head))
            head = head[:place] + bytes([rng.randrange(256)]) + head[place + 1 :]
        return head + data

    def endpoints(self) -> list[tuple[str, Any]]:
        """Each endpoint with a body that it may be given, or None."""
        rng, small = self.rng, self.rng.randrange(-2, 40)
        seats = [rng.choice([{"person": "x"}, {"visitor": True}, {"agent": "random"}]) for _ in range(rng.randrange(6))]
        arguments = {"token": rng.choice(self.tokens), "table": rng.choice(self.tokens), "seats": ["you", "random"]}
        arguments |= {"answer": "1", "action": small, "seconds": 0, "names": ["x"], "name": "x", "options": {}}
        call = {"name": rng.choice(TOOLS), "arguments": arguments}
        uri = rng.choice(["game://rules", "game://cards/x", "game://cards/%ff", "x", "game://schemas/actions"])
        params = rng.choice([call, {"uri": uri}, {"name": "x"}, {}, {"ref": {"type": "ref/prompt", "name": "x"}}])
        rpc = {"jsonrpc": "2.0", "id": 1, "method": rng.choice(METHODS), "params": params}
        return [
            *[(path, None) for path in PAGES],
            ("/api/games", {"seats": seats, "options": {rng.choice(OPTIONS): rng.choice(ODD)}}),
            ("/api/lesson", {"number": small}),
            ("/api/lists", {"option": rng.choice(["decks", "squads", "x"]), "name": "x.csv", "text": "a,1"}),
            ("/api/seat/answer", {"number": small, "action": rng.randrange(-2, 500)}),
            ("/api/seat/answers", {"number": small, "actions": [rng.randrange(-2, 500)] * rng.randrange(4)}),
            ("/api/seat/undo", {"number": small, "to": rng.randrange(-2, 40)}), ("/api/seat/end", {"number": small}),
            ("/api/seat/pace", {"milliseconds": small, "paused": False}),
            ("/api/seat/claim", {"seat": small, "name": "x"}),
            ("/api/seat/vote", {"seat": rng.randrange(-2, 5), "agree": rng.random() < 0.5}),
            ("/api/seat/here", {}), ("/api/seat/rematch", {}),
            ("/api/seat/back", {"undo": rng.random() < 0.5}), ("/api/seat/hint", {"number": small}),
            ("/api/seat/allow", {"hints": True}), ("/api/seat/branch", {"step": small, "seat": small}),
            *[("/mcp", rpc)] * 8,
        ]  # fmt: skip

    def body(self, content: Any) -> bytes:
        """JSON with odd values, or damaged JSON."""
        rng = self.rng
        if content is None:
            return b""
        if rng.random() < 0.7:
            content = self.odd(content)
        data = json.dumps(content).encode()
        kind = rng.random()
        if kind < 0.05:
            return data[: rng.randrange(len(data) + 1)]
        if kind < 0.1:
            return rng.choice(
                [b"", b"[" * 3000, b'{"a":' * 800, b"\xff\xfe", b"9" * 4000, b'"\\ud800"', b"x" * 5000, b"{}" * 2]
            )
        if kind < 0.15 and data:
            place = rng.randrange(len(data))
            return data[:place] + bytes([rng.randrange(256)]) + data[place + 1 :]
        return data

    def odd(self, value: Any) -> Any:
        """The same data with something odd in one place."""
        rng = self.rng
        if isinstance(value, dict) and value and rng.random() < 0.9:
            name = rng.choice(list(value))
            if rng.random() < 0.1:
                return {each: value[each] for each in value if each != name}
            if rng.random() < 0.1:
                return {**value, str(rng.choice(ODD)): rng.choice(ODD)}
            return {**value, name: self.odd(value[name])}
        if isinstance(value, list) and value and rng.random() < 0.7:
            place = rng.randrange(len(value))
            return [*value[:place], self.odd(value[place]), *value[place + 1 :]]
        return rng.choice(ODD)

    def authorization(self) -> str:
        """That of a seat, mostly."""
        token = self.rng.choice(self.tokens)
        kind = self.rng.random()
        if kind < 0.8:
            return f"Bearer {token}"
        return self.rng.choice(
            ["", "Bearer", "Bearer ", "Bearer \xe9", "Basic eDp4", f"bearer {self.damaged(token)}", "B" * 5000]
        )

    def damaged(self, text: str) -> str:
        """The same text with something odd in it."""
        place = self.rng.randrange(len(text) + 1)
        odd = [
            "%",
            "%00",
            "%ff",
            "..",
            "//",
            "\\",
            "?",
            "?a=%ff",
            "#",
            "é",
            ";",
            "%2e%2e%2f",
            "x" * 2000,
            "{",
            "'",
            ".",
        ]
        return text[:place] + self.rng.choice(odd) + text[place + self.rng.randrange(2) :]


class Served:
    """`bloodrage mcp --http`, which serves the pages too, in a process of its own."""

    def __init__(self, folder: Path, game: str) -> None:
        self.said = tempfile.TemporaryFile("w+")  # noqa: SIM115  # closed by `stop`
        words = ["mcp", "--http", "--port", "0", "--games", str(folder), "--game", game, "--agents", "random"]
        self.process = subprocess.Popen(seeded(2, *words), stderr=self.said, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = re.search(r":(\d+)", line.partition("//")[2])
        assert found is not None, line
        self.port = int(found[1])

    def ask(self, request: bytes) -> int | None:
        """The status of the answer; None where the server closes the connection."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=SECONDS) as connection:
            try:
                connection.sendall(request)
                if not select.select([connection], [], [], SECONDS_FOR_MORE)[0]:
                    connection.shutdown(socket.SHUT_WR)  # it waits for the rest of the request
                data = connection.recv(1 << 16)
            except ConnectionError:
                return None
        found = STATUS.match(data)
        return int(found[1]) if found else None

    def post(self, path: str, body: Any, token: str = "") -> Any:
        """The JSON of an answer to a good request."""
        data = json.dumps(body).encode()
        head = f"POST {path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {token}\r\nconnection: close\r\n"
        head += f"content-type: application/json\r\ncontent-length: {len(data)}\r\n\r\n"
        with socket.create_connection(("127.0.0.1", self.port), timeout=SECONDS) as connection:
            connection.sendall(head.encode() + data)
            answer = b"".join(iter(lambda: connection.recv(1 << 16), b""))
        return json.loads(answer.partition(b"\r\n\r\n")[2])

    def stop(self) -> str:
        """Stop it; returns its log."""
        self.process.terminate()
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()
        with self.said:
            self.said.seek(0)
            return self.said.read()


def attack(
    folder: Path, game: str, seed: int, count: int
) -> tuple[list[tuple[int | None, bytes]], dict[Any, int], str]:
    """Send damaged requests. Return those that were not answered or with 500 or more, answers by status, the log."""
    server = Served(folder, game)
    faults, counts = [], dict[Any, int]()
    try:
        agents = [{"agent": "random"}] * 2
        watched = server.post("/api/games", {"seats": agents, "options": {}})
        table = server.post("/api/games", {"seats": [{"visitor": True}, {"person": "x"}], "options": {}})
        alone = server.post("/api/games", {"seats": [{"person": "x"}, {"agent": "random"}], "options": {}})
        tokens = [watched["watch"], table["watch"], table["tokens"][1], alone["tokens"][0]]
        tokens.append(server.post("/api/seat/claim", {"seat": 0, "name": "y"}, table["watch"])["token"])
        fuzz = Fuzz(seed, tokens)
        for _ in range(count):
            request = fuzz.request()
            status = server.ask(request)
            counts[status] = counts.get(status, 0) + 1
            if status is not None and status >= 500:
                faults.append((status, request))
    finally:
        said = server.stop()
    return faults, counts, said


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        found, by_status, log = attack(Path(made), sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
    for status, request in found[:20]:
        print(status, request[:700])
    print(len(found), by_status)
    print(log[-6000:])
