"""The HTTP server: uvicorn with limits on the time of a request and on connections per visitor.

uvicorn closes a connection that is idle after an answer, but waits without limit for the rest of a request. Its
`limit_concurrency` refuses everybody when one visitor holds all connections.
"""

import asyncio
import functools
import socket
from collections import Counter
from collections.abc import Callable, Iterable
from http import HTTPStatus
from types import FrameType
from typing import Any, Final, Protocol

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from ..encoding import as_bytes
from .guard import MAX_HEADERS
from .visitors import visitor_of

MAX_CONNECTIONS: Final = 200
MAX_OF_VISITOR: Final = 100
REQUEST_SECONDS: Final = 10.0  # for a whole request to come, from the connection or the last answer on
ANSWER_SECONDS: Final = 60.0  # for the answer to be taken; a request may wait 25 seconds for news
GOODBYE_SECONDS: Final = 2


class Connections:
    """The open connections, at most `total`, and at most `each` per visitor.

    Above a limit, the oldest connection of the visitor that waits for a request is closed. If the total is exceeded, it
    is the oldest of the visitor with the most connections. If all of them are busy, the oldest one of that visitor is
    closed for a visitor with fewer connections; otherwise the new one is refused.
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
        """Add a connection, or return the status and text of its refusal."""
        counts = Counter(each.visitor for each in self.open)
        own = [each for each in self.open if each.visitor == connection.visitor]
        if len(own) >= self.each and not self._drop_one(own, counts):
            return 429, "there are too many connections from your address"
        if len(self.open) >= self.total and not (
            self._drop_one(self.open, counts) or self._drop_busy(len(own), counts)
        ):
            return 503, "there are too many connections at the moment"
        self.open[connection] = None
        return None

    def _drop_one(self, connections: Iterable["Connection"], counts: Counter[str]) -> bool:
        waiting = [each for each in connections if not each.is_busy()]
        if not waiting:
            return False
        max(waiting, key=lambda each: counts[each.visitor]).drop()
        return True

    def _drop_busy(self, own: int, counts: Counter[str]) -> bool:
        """Close a connection of the visitor with the most, unless a visitor with `own` would then have more."""
        oldest = max(self.open, key=lambda each: counts[each.visitor])
        if counts[oldest.visitor] <= own + 1:
            return False
        oldest.drop()
        return True


class Connection(H11Protocol):
    """A connection that is closed when a request takes too long to arrive or its answer takes too long to be read."""

    def __init__(self, connections: Connections, **options: Any) -> None:
        super().__init__(**options)
        self.visitor = ""
        self._all = connections
        self._was_busy = False
        self._deadline: asyncio.TimerHandle | None = None

    def is_busy(self) -> bool:
        """Return whether a request has arrived and its answer has not been sent."""
        cycle = self.cycle
        asked = cycle is not None and not cycle.more_body and not cycle.response_complete
        return asked or self.transport.get_write_buffer_size() > 0

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Count the connection, or refuse it."""
        super().connection_made(transport)
        self.visitor = visitor_of(self.client[0] if self.client else "")
        refusal = self._all.add(self)
        if refusal:
            transport.write(_refusal(*refusal))
            transport.close()
        self._set_deadline()

    def data_received(self, data: bytes) -> None:
        """Receive a part of a request. The time limit applies until the last part."""
        super().data_received(data)
        if self.is_busy() != self._was_busy:
            self._set_deadline()

    def on_response_complete(self) -> None:
        """Start the time limit of the next request."""
        super().on_response_complete()
        self._set_deadline()

    def connection_lost(self, exc: Exception | None) -> None:
        """Remove the connection."""
        super().connection_lost(exc)
        self._all.open.pop(self, None)
        if self._deadline is not None:
            self._deadline.cancel()

    def drop(self) -> None:
        """Close the connection at once and discard pending output."""
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


class Stoppable(Protocol):
    """The tables of one game, or of all games of a server."""

    def stop(self) -> None:
        """Stop all agents. A signal handler may call this."""

    async def close(self) -> None:
        """Stop the agents, wake waiting requests, and save unsaved games."""

    def save_all(self) -> None:
        """Save the games that could not be saved."""


class Server(uvicorn.Server):
    """A server of games. It calls `when_started` once it listens, and stops the agents before it ends."""

    def __init__(
        self, app: ASGIApp, tables: Stoppable, connections: Connections, when_started: Callable[[], None]
    ) -> None:
        config = uvicorn.Config(
            app,
            http=functools.partial(Connection, connections),
            ws="none",
            lifespan="off",
            log_level="error",  # of requests that are not HTTP, nothing is said
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
        """Stop all agents, then exit."""
        self._tables.stop()
        super().handle_exit(sig, frame)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start listening and call `when_started`."""
        await super().startup(sockets)
        self._when_started()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Refuse new connections, stop the agents, and answer waiting requests.

        Games that are not saved are saved once more after the last request.
        """
        for server in self.servers:
            server.close()
        await self._tables.close()
        await super().shutdown(sockets)
        self._tables.save_all()
