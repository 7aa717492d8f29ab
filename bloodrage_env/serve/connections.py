"""The HTTP server: uvicorn, with limits that it lacks on how long a request may take to come, and on connections.

uvicorn closes a connection that is idle after an answer, but waits for ever for the rest of a request, and its
`limit_concurrency` turns everybody away once one visitor holds all connections.
"""

import asyncio
import functools
import socket
from collections import Counter
from collections.abc import Callable, Iterable
from http import HTTPStatus
from types import FrameType
from typing import Any, Final

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from ..encoding import as_bytes
from .guard import MAX_HEADERS
from .tables import Tables
from .visitors import visitor_of

MAX_CONNECTIONS: Final = 200
MAX_OF_VISITOR: Final = 100
REQUEST_SECONDS: Final = 10.0  # for a whole request to come, from the connection or the last answer on
ANSWER_SECONDS: Final = 60.0  # for the answer to be taken; a request may wait 25 seconds for news
GOODBYE_SECONDS: Final = 2


class Connections:
    """All open connections, at most `total` and of one visitor at most `each`.

    Where there is one too many, the visitor's oldest that waits for a request makes room (or where all together are too
    many, the oldest of the visitor who has most of them). If all are being answered, the new one is refused.
    """

    def __init__(
        self,
        total: int = MAX_CONNECTIONS,
        each: int = MAX_OF_VISITOR,
        request_seconds: float = REQUEST_SECONDS,
        answer_seconds: float = ANSWER_SECONDS,
    ) -> None:
        self.total = total
        self.each = each
        self.request_seconds = request_seconds
        self.answer_seconds = answer_seconds
        self.open: dict[Connection, None] = {}  # the oldest first

    def add(self, connection: "Connection") -> tuple[int, str] | None:
        """Take a new connection in; or the status and text with which it is refused."""
        counts = Counter(each.visitor for each in self.open)
        own = [each for each in self.open if each.visitor == connection.visitor]
        if len(own) >= self.each and not self._drop_one(own, counts):
            return 429, "there are too many connections from your address"
        if len(self.open) >= self.total and not self._drop_one(self.open, counts):
            return 503, "there are too many connections at the moment"
        self.open[connection] = None
        return None

    def _drop_one(self, connections: Iterable["Connection"], counts: Counter[str]) -> bool:
        waiting = [each for each in connections if not each.is_busy()]
        if not waiting:
            return False
        max(waiting, key=lambda each: counts[each.visitor]).drop()
        return True


class Connection(H11Protocol):
    """A connection that is closed when a request takes too long to come, or its answer to be taken."""

    def __init__(self, connections: Connections, **options: Any) -> None:
        super().__init__(**options)
        self.visitor = ""
        self._all = connections
        self._was_busy = False
        self._deadline: asyncio.TimerHandle | None = None

    def is_busy(self) -> bool:
        """Whether a request has come in full, and its answer is not yet gone."""
        cycle = self.cycle
        asked = cycle is not None and not cycle.more_body and not cycle.response_complete
        return asked or self.transport.get_write_buffer_size() > 0

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Count it, or refuse it."""
        super().connection_made(transport)
        self.visitor = visitor_of(self.client[0] if self.client else "")
        refusal = self._all.add(self)
        if refusal:
            transport.write(_refusal(*refusal))
            transport.close()
        self._set_deadline()

    def data_received(self, data: bytes) -> None:
        """A part of a request has come: time goes on, unless it was the last part."""
        super().data_received(data)
        if self.is_busy() != self._was_busy:
            self._set_deadline()

    def on_response_complete(self) -> None:
        """An answer is sent, and time begins for the next request."""
        super().on_response_complete()
        self._set_deadline()

    def connection_lost(self, exc: Exception | None) -> None:
        """It is gone."""
        super().connection_lost(exc)
        self._all.open.pop(self, None)
        if self._deadline is not None:
            self._deadline.cancel()

    def drop(self) -> None:
        """Close it at once, whatever is still to be sent."""
        self._all.open.pop(self, None)
        self.transport.abort()

    def _set_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        self._was_busy = self.is_busy()
        seconds = self._all.answer_seconds if self._was_busy else self._all.request_seconds
        self._deadline = self.loop.call_later(seconds, self.drop)


def _refusal(status: int, text: str) -> bytes:
    body = as_bytes({"error": text})
    head = f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\ncontent-type: application/json\r\n"
    return f"{head}content-length: {len(body)}\r\nconnection: close\r\n\r\n".encode() + body


class Server(uvicorn.Server):
    """A server of games: `when_started` is called once it listens, and before it ends the agents are stopped."""

    def __init__(
        self, app: ASGIApp, tables: Tables, connections: Connections, when_started: Callable[[], None]
    ) -> None:
        config = uvicorn.Config(
            app,
            http=functools.partial(Connection, connections),
            ws="none",
            lifespan="off",
            log_level="warning",
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_graceful_shutdown=GOODBYE_SECONDS,
            h11_max_incomplete_event_size=MAX_HEADERS,
        )
        super().__init__(config)
        self._tables = tables
        self._when_started = when_started

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """From this moment on no agent moves."""
        self._tables.stop()
        super().handle_exit(sig, frame)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Say when it is there."""
        await super().startup(sockets)
        self._when_started()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Accept nobody any more, stop the agents, and answer those who wait for news, before it waits for them.

        Games that can't be saved are tried once more when nobody can make a move any more.
        """
        for server in self.servers:
            server.close()
        await self._tables.close()
        await super().shutdown(sockets)
        self._tables.save_all()
