"""A chat endpoint on loopback: it answers with what a test gives it, one thing for each request."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

# What a request is answered with: a text, a status, or one of these.
CUT, SLOW, NONSENSE, EMPTY = "cut", "slow", "nonsense", "empty"
Answer = str | int
Answers = Callable[[list[dict[str, str]]], Answer]


class Endpoint:
    """`requests` are the bodies that came, `headers` and `keys` what came with them. `release` lets slow answers go on."""

    def __init__(self, answers: Answers) -> None:
        self.answers, self.requests, self.keys = answers, list[Any](), list[str]()
        self.headers = list[dict[str, str]]()
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
        if answer == SLOW:
            self.release.wait(30)
        if answer in (CUT, SLOW):
            handler.connection.close()
            return
        status = answer if isinstance(answer, int) else 200
        usage = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": str(answer)}}
        choices = [] if answer == EMPTY else [choice]
        whole = {"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": choices, "usage": usage}
        content = b"<html>{" if answer == NONSENSE else json.dumps(whole if status == 200 else {"error": "no"}).encode()
        handler.send_response(status)
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
