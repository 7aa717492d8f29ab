"""Damaged requests to each endpoint of the pages and of the protocol: no fault, and nothing in the log."""

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
pytest.importorskip("mcp")

from tests.serve_fuzz import Served, attack


@pytest.mark.parametrize(("game", "count"), [("bloodrage", 300), pytest.param("berserk", 3000, marks=pytest.mark.slow)])
def test_damaged_requests(tmp_path, game, count):
    faults, counts, said = attack(tmp_path, game, 1, count)
    assert faults == []
    assert [line for line in said.splitlines() if line and "compiling" not in line] == []
    assert counts[200] > count / 50  # not all of them are refused


@pytest.mark.parametrize(
    ("head", "body", "status"),
    [
        ("last-event-id: x", b"{}", 400),  # the protocol gives no answer
        ("mcp-protocol-version: 2026-07-28\r\ncontent-length: 100", b"{", None),  # the rest does not come
        ("content-length: 100", b"{", None),
    ],
)
def test_requests_that_left_a_traceback(tmp_path, head, body, status):
    server = Served(tmp_path, "bloodrage")
    try:
        method = "GET" if status else "POST"
        lines = f"{method} /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n{head}\r\n"
        lines += "accept: application/json, text/event-stream\r\n\r\n"
        assert server.ask(lines.encode() + body) == status
    finally:
        said = server.stop()
    assert [line for line in said.splitlines() if line and "compiling" not in line] == []
