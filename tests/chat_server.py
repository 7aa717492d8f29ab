"""A chat endpoint on loopback: it answers with what a test gives it, one thing for each request."""

import contextlib
import gzip
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Handler = BaseHTTPRequestHandler
# What a request is answered with: a text of the model, a status, the body of an answer, or what is done to the handler.
Answer = str | int | bytes | Callable[["Endpoint", Handler], None]
Answers = Callable[[list[dict[str, str]]], Answer]
USAGE = '{"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}'


def completion(content: str, usage: str = USAGE) -> bytes:
    """The body of an answer; the content of the message and the usage are JSON."""
    choice = '{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": ' + content + "}}"
    head = '"id": "1", "object": "chat.completion", "created": 0, "model": "m"'
    return f'{{{head}, "choices": [{choice}], "usage": {usage}}}'.encode()


def cut(endpoint: "Endpoint", handler: Handler) -> None:
    """The connection ends without an answer."""
    handler.connection.close()


def slow(endpoint: "Endpoint", handler: Handler) -> None:
    """No answer."""
    endpoint.release.wait(30)
    handler.connection.close()


def dripping(head: bytes) -> Answer:
    """A byte every 20 ms after the head, for ever."""

    def drip(endpoint: "Endpoint", handler: Handler) -> None:
        handler.wfile.write(head)
        while not endpoint.release.wait(0.02):
            handler.wfile.write(b"x")

    return drip


def endless(endpoint: "Endpoint", handler: Handler) -> None:
    """A body without an end, as fast as it is taken."""
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n")
    while not endpoint.release.is_set():
        handler.wfile.write(b" " * 65536)
        endpoint.written += 65536


BOMB = gzip.compress(b" " * 50_000_000)  # 50 KB


def compressed(endpoint: "Endpoint", handler: Handler) -> None:
    """A small body that is 50 MB."""
    head = f"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: {len(BOMB)}\r\n\r\n"
    handler.wfile.write(head.encode() + BOMB)


def elsewhere(endpoint: "Endpoint", handler: Handler) -> None:
    """Another address."""
    handler.wfile.write(
        b"HTTP/1.1 307 Temporary Redirect\r\nLocation: http://127.0.0.1:9/\r\nContent-Length: 0\r\n\r\n"
    )


NONSENSE = b"<html>{"
EMPTY = b'{"choices": [], "usage": null}'
# Failures of an endpoint: what it answers, and what is said of it.
FAILURES: dict[str, tuple[Answer, str]] = {
    "bad request": (400, "it answered with status 400"),
    "wrong key": (401, "it answered with status 401: check the key"),
    "no such model": (404, "it answered with status 404: check the url and the model"),
    "too many requests": (429, "it answered with status 429"),
    "server error": (500, "it answered with status 500"),
    "overloaded": (503, "it answered with status 503"),
    "redirect": (elsewhere, "it answered with status 307"),
    "cut": (cut, "the connection failed (RemoteProtocolError)"),
    "slow": (slow, "no whole answer came in 0.5 s"),
    "drip of the head": (dripping(b"HTTP/1.1 200 OK\r\nX-A: "), "no whole answer came in 0.5 s"),
    "drip": (dripping(b"HTTP/1.1 200 OK\r\n\r\n"), "no whole answer came in 0.5 s"),
    "endless": (endless, "its answer is longer than 4194304 bytes"),
    "compressed": (compressed, "it compresses its answers though it was asked not to"),
    "no HTTP": (dripping(b"220 mail\r\n\r\n"), "the connection failed (RemoteProtocolError)"),
    "no JSON": (NONSENSE, "its answer is not a chat completion"),
    "no UTF-8": (b"\xff\xfe{", "its answer is not a chat completion"),
    "deep JSON": (b"[" * 100_000, "its answer is not a chat completion"),
    "long number": (b"9" * 100_000, "its answer is not a chat completion"),
    "no object": (b"[1]", "its answer is not a chat completion"),
    "error with status 200": (b'{"error": {"message": "no", "code": 402}}', "its answer is not a chat completion"),
    "error and choices": (
        completion('"Answer: 0"')[:-1] + b', "error": {"code": 5}}',
        "its answer is not a chat completion",
    ),
    "no choices": (EMPTY, "its answer is not a chat completion"),
    "choices null": (b'{"choices": null}', "its answer is not a chat completion"),
    "no message": (b'{"choices": [{"message": null}]}', "its answer is not a chat completion"),
    "no content": (b'{"choices": [{"message": {}}]}', "its answer is not a chat completion"),
    "content of numbers": (completion("5"), "its answer is not a chat completion"),
}
# Usages without numbers, which cost a model nothing.
NO_COUNTS = ("NaN", "Infinity", "1e999", "null", '"7"', "-1", "1.5", "true", str(2**70), "{}")
USAGES = (
    "null",
    "{}",
    '"many"',
    "[]",
    "5",
    *(USAGE.replace("100", each).replace("10,", f"{each},") for each in NO_COUNTS),
)


class Endpoint:
    """`requests` are the bodies that came, `headers` and `keys` what came with them. `release` ends slow answers."""

    def __init__(self, answers: Answers) -> None:
        self.answers, self.requests, self.keys = answers, list[Any](), list[str]()
        self.headers = list[dict[str, str]]()
        self.written = 0  # bytes of endless answers
        self.release = threading.Event()
        endpoint = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:  # the name that the server calls
                endpoint.reply(self)

            def log_message(self, *words: Any) -> None:
                """Nothing is printed."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}/v1"

    def reply(self, handler: BaseHTTPRequestHandler) -> None:
        body = json.loads(handler.rfile.read(int(handler.headers["Content-Length"])))
        self.requests.append(body)
        self.headers.append({name.lower(): value for name, value in handler.headers.items()})
        self.keys.append(handler.headers.get("Authorization", ""))
        answer = self.answers(body["messages"])
        if callable(answer):
            handler.close_connection = True
            with contextlib.suppress(OSError):  # the client has gone
                answer(self, handler)
            return
        content = completion(json.dumps(answer)) if isinstance(answer, str) else answer
        handler.send_response(content if isinstance(content, int) else 200)
        content = b'{"error": "no"}' if isinstance(content, int) else content
        handler.send_header("Content-Type", "application/json")
        handler.send_header("Content-Length", str(len(content)))
        handler.send_header("Retry-After-Ms", "1")
        handler.end_headers()
        handler.wfile.write(content)


@contextmanager
def serving(answers: Answers) -> Iterator[Endpoint]:
    """An endpoint that is there until the end of the block."""
    endpoint = Endpoint(answers)
    thread = threading.Thread(target=endpoint.server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield endpoint
    finally:
        endpoint.release.set()
        endpoint.server.shutdown()
        endpoint.server.server_close()
        thread.join()


def in_turn(*answers: Answer) -> Answers:
    """These answers one after the other, the last one for ever."""
    left = [*answers]
    return lambda messages: left.pop(0) if len(left) > 1 else left[0]
