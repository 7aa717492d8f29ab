"""Connections: requests that never come, answers that nobody takes, one visitor with all connections."""

import contextlib
import json
import socket
import threading
import time

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from serve_client import AGENTS

from bloodrage_env.serve.app import make_app
from bloodrage_env.serve.connections import Connections, Server
from bloodrage_env.serve.storage import Storage
from bloodrage_env.serve.tables import Tables
from bloodrage_env.serve.visitors import visitor_of
from tests.serve_process import ServerProcess

PATIENCE = 300  # seconds after which a test gives up
OTHER = "127.0.0.2"  # an address that Linux has too


@contextlib.contextmanager
def serving(folder, **limits):
    """The port of a server in a thread of this process."""
    listening = socket.create_server(("127.0.0.1", 0), backlog=512)
    tables = Tables(Storage(folder, "bloodrage"), ["random"], 0.0, lambda text: None)
    started = threading.Event()
    server = Server(make_app(tables, AGENTS), tables, Connections(**limits), started.set)
    thread = threading.Thread(target=server.run, args=([listening],))
    thread.start()
    try:
        assert started.wait(PATIENCE)
        yield listening.getsockname()[1]
    finally:
        server.should_exit = True
        thread.join()


def connect(port, address="127.0.0.1"):
    return socket.create_connection(("127.0.0.1", port), timeout=PATIENCE, source_address=(address, 0))


def get(path, *headers):
    return "\r\n".join([f"GET {path} HTTP/1.1", "host: localhost", *headers, "", ""]).encode()


def post(body, length):
    """A new game, with the beginning of a body of this length."""
    head = "POST /api/games HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
    return f"{head}content-length: {length}\r\n\r\n".encode() + body


def answer(connection):
    """(status, JSON) of one answer."""
    file = connection.makefile("rb")
    status = int(file.readline().split()[1])
    length = 0
    while (line := file.readline()) != b"\r\n":
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
    body = file.read(length)
    return status, json.loads(body) if body else None


def served(port, address="127.0.0.1", path="/api/agents"):
    """Whether somebody is answered."""
    with connect(port, address) as connection:
        connection.sendall(get(path))
        return answer(connection)[0] == 200


def is_closed(connection):
    """Wait until the server has closed it; what it sent is read away."""
    try:
        while connection.recv(65536):
            pass
    except ConnectionError:
        pass
    return True


@pytest.fixture
def others():
    try:
        with socket.create_server((OTHER, 0)):
            return [OTHER, "127.0.0.1"]
    except OSError:
        return ["127.0.0.1"]


def test_half_open_connections_shut_nobody_out(tmp_path, others):
    with serving(tmp_path, request_seconds=2) as port, contextlib.ExitStack() as stack:
        half_open = [stack.enter_context(connect(port)) for _ in range(260)]
        for connection in half_open:
            with contextlib.suppress(ConnectionError):  # it may have made room for a later one
                connection.sendall(b"GET / HTTP/1.1\r\nhost: local")
        assert all(served(port, address) for address in others)
        assert all(map(is_closed, half_open))


@pytest.mark.parametrize(
    "request_part",
    [
        b"",
        b"GET / HTTP/1.1\r\n",
        post(b"{", 100),
        b"GET /api/agents HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\n\r\n",  # answered without its body
        get("/api/agents") + b"GET",
    ],
)
def test_a_request_that_does_not_come_in_full(tmp_path, request_part):
    """The limit is that of requests, not of answers."""
    with serving(tmp_path, request_seconds=1, answer_seconds=10 * PATIENCE) as port, connect(port) as connection:
        connection.sendall(request_part)
        assert is_closed(connection)


def test_bytes_that_drip_in_buy_no_time(tmp_path):
    with serving(tmp_path, request_seconds=1) as port, connect(port) as connection:
        connection.settimeout(0.1)
        connection.sendall(b"GET / HTTP/1.1\r\nx: ")
        end = time.monotonic() + PATIENCE
        with contextlib.suppress(ConnectionError):
            while time.monotonic() < end:
                connection.sendall(b"x")
                try:
                    assert connection.recv(1) == b""
                    return
                except TimeoutError:
                    pass
        assert time.monotonic() < end


@pytest.mark.parametrize("parts", [1, 4, 40])
@pytest.mark.parametrize(("size", "status"), [(12, 200), (17, None), (100, None)])
def test_headers_have_a_limit_in_however_many_packets_they_come(tmp_path, parts, size, status):
    """uvicorn counts only what is still incomplete: in one packet any number of bytes passed."""
    request = get("/api/agents", f"x: {'x' * (size * 1024)}")
    step = len(request) // parts + 1
    with serving(tmp_path) as port, connect(port) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with contextlib.suppress(ConnectionError):
            for begin in range(0, len(request), step):
                connection.sendall(request[begin : begin + step])
        got = int(connection.makefile("rb").readline().split()[1])
    assert got == status if status else got in (400, 431)


def test_a_long_address_is_a_large_head(tmp_path):
    with serving(tmp_path) as port, connect(port) as connection:
        connection.sendall(get(f"/api/agents?{'x' * 17000}"))
        assert answer(connection)[0] == 431


def test_an_answer_that_nobody_takes(tmp_path):
    with serving(tmp_path, answer_seconds=1) as port, connect(port) as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        request = get("/board/board.svg")
        with contextlib.suppress(ConnectionError):
            end = time.monotonic() + PATIENCE
            while time.monotonic() < end:
                connection.sendall(request)
        assert time.monotonic() < end


def test_answers_that_nobody_takes_shut_no_other_visitor_out(tmp_path, others):
    """Two visitors hold all connections with answers that they do not read."""
    if len(others) < 2:
        pytest.skip("this system has one local address")
    with serving(tmp_path, total=6, each=3) as port, contextlib.ExitStack() as stack:
        for address in ("127.0.0.3", "127.0.0.4"):
            for _ in range(3):
                connection = stack.enter_context(connect(port, address))
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                connection.settimeout(1)
                with contextlib.suppress(TimeoutError):  # the server takes no more, since its answers are not taken
                    for _ in range(100_000):
                        connection.sendall(get("/board/board.svg"))
        assert all(served(port, address) for address in others)


def wait_for_news(port, address="127.0.0.1"):
    """A connection with a request that is not answered for 25 seconds, and its headers."""
    connection = connect(port)
    body = json.dumps({"seats": [{"person": ""}] * 2, "options": {"first_game": True}}).encode()
    connection.sendall(post(body, len(body)))
    token = answer(connection)[1]["tokens"][0]
    connection.close()
    waiting = connect(port, address)
    waiting.sendall(get("/api/seat", f"authorization: Bearer {token}"))
    file = waiting.makefile("rb")
    tag = ""
    length = 0
    while (line := file.readline()) != b"\r\n":
        name, _, value = line.decode().partition(": ")
        tag = value.strip() if name == "etag" else tag
        length = int(value) if name == "content-length" else length
    file.read(length)
    return waiting, [f"authorization: Bearer {token}", f"if-none-match: {tag}"]


def test_who_waits_for_news_is_not_cut_off(tmp_path):
    with serving(tmp_path, request_seconds=1) as port:
        waiting, headers = wait_for_news(port)
        with waiting:
            waiting.sendall(get("/api/seat", *headers, "prefer: wait=2"))
            assert answer(waiting) == (304, None)


@pytest.mark.parametrize(("limits", "status"), [({"each": 3}, 429), ({"total": 3}, 503)])
def test_connections_that_are_all_being_answered(tmp_path, limits, status):
    with serving(tmp_path, **limits) as port, contextlib.ExitStack() as stack:
        for _ in range(3):
            waiting, headers = wait_for_news(port)
            stack.enter_context(waiting)
            waiting.sendall(get("/api/seat", *headers, "prefer: wait=25"))
        with connect(port) as refused:
            got, content = answer(refused)
        assert got == status
        assert content["error"].startswith("there are too many connections")


def test_the_limits_count_each_visitor(monkeypatch):
    """One that is idle makes room, the oldest first, and of those who have most; then a busy one of those."""

    class Fake:
        def __init__(self, visitor, busy=False):
            self.visitor, self.busy = visitor, busy

        def is_busy(self):
            return self.busy

        def drop(self):
            all_of_them.open.pop(self)

    all_of_them = Connections(total=5, each=3)
    a = [Fake("a", busy=True), Fake("a"), Fake("a"), Fake("a")]
    assert [all_of_them.add(each) for each in a] == [None] * 4
    assert list(all_of_them.open) == [a[0], a[2], a[3]]
    b = [Fake("b") for _ in range(2)]
    assert [all_of_them.add(each) for each in b] == [None] * 2
    c = Fake("c")
    assert all_of_them.add(c) is None
    assert list(all_of_them.open) == [a[0], a[3], *b, c]
    for each in all_of_them.open:
        each.busy = True
    d = Fake("d", busy=True)
    assert all_of_them.add(d) is None
    assert list(all_of_them.open) == [a[3], *b, c, d]
    assert all_of_them.add(Fake("d"))[0] == 503  # nobody has more than one more
    all_of_them.total = 10
    assert [all_of_them.add(Fake("a", busy=True)) for _ in range(2)] == [None] * 2
    assert all_of_them.add(Fake("a"))[0] == 429


@pytest.mark.parametrize(
    ("address", "visitor"),
    [
        ("192.168.1.5", "192.168.1.5"),
        ("::ffff:192.168.1.5", "192.168.1.5"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("fe80::1%eth0", "fe80::"),
        ("", ""),
    ],
)
def test_who_a_visitor_is(address, visitor):
    assert visitor_of(address) == visitor


def test_a_body_that_breaks_off_leaves_no_trace_in_the_terminal(tmp_path):
    server = ServerProcess(tmp_path)
    try:
        with connect(server.port) as connection:
            connection.sendall(post(b"{", 100))
        assert served(server.port, path="/api/front")
        server.process.terminate()
        assert server.wait() == ""
    finally:
        server.kill()
