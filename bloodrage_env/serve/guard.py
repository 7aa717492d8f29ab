"""Checks before the application: origins (DNS rebinding, forged requests), the size of a request's head, and headers of
every answer.
"""

import ipaddress
import re
from collections.abc import Collection
from typing import Final

from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ..encoding import as_bytes

HOST: Final = re.compile(r"(?:\[([0-9a-f.]*:[0-9a-f.:]*)\]|([0-9a-z_.-]+))(?::([0-9]{1,5}))?", re.ASCII | re.IGNORECASE)
MAX_HOST: Final = 260  # characters
MAX_PORT: Final = 65535
MAX_HEADERS: Final = 16 * 1024  # bytes, the first line included
HEADERS: Final = (
    (
        b"content-security-policy",
        b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        b"base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
)

BETWEEN: Final = 4  # bytes of a line beside a name and a value


class Guard:
    """An ASGI application that checks the requests of another one.

    A page from elsewhere can make a browser send requests here, also under a host name that points to this address.
    Therefore the Host must be `localhost`, one of `names`, or an IP address: a loopback address, or any address if
    `open_to_others`. A request with an Origin must come from a page of this server.
    """

    def __init__(self, app: ASGIApp, names: Collection[str] = (), open_to_others: bool = False) -> None:
        self.app = app
        self.names = {"localhost", *(name.lower() for name in names)}
        self.open_to_others = open_to_others

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a request, or pass it on."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        started = False

        async def send_guarded(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                message["headers"] = [*message.get("headers", ()), *HEADERS]
            await send(message)

        fault = self.fault(scope)
        if fault is None:
            try:
                await self.app(scope, receive, send_guarded)
            except ClientDisconnect:
                return  # nobody waits for an answer
            if started:
                return
            fault = 400, "this request has no answer"  # `mcp` gives none to one that asks for earlier events
        status, text = fault
        start = {"type": "http.response.start", "status": status, "headers": [(b"content-type", b"application/json")]}
        await send_guarded(start)
        await send_guarded({"type": "http.response.body", "body": as_bytes({"error": text})})

    def fault(self, scope: Scope) -> tuple[int, str] | None:
        """Return the status and text of a refusal, or None."""
        # Where all of them come in one packet, the HTTP server does not count them.
        lines = [len(scope["raw_path"]) + len(scope["query_string"]), *(len(n) + len(v) for n, v in scope["headers"])]
        if sum(lines) + BETWEEN * len(lines) > MAX_HEADERS:
            return 431, f"the headers are larger than {MAX_HEADERS} bytes"
        stranger = self.stranger(scope)
        return None if stranger is None else (403, stranger)

    def stranger(self, scope: Scope) -> str | None:
        """Return why a request may not be made from its origin, or None."""
        headers: dict[bytes, list[bytes]] = {}
        for name, value in scope["headers"]:
            headers.setdefault(name.lower(), []).append(value)
        hosts = headers.get(b"host", [])
        if len(hosts) != 1 or not self.is_own(hosts[0].decode("latin-1")):
            return "this server is not known by that name"
        origins = headers.get(b"origin", [])
        own = f"http://{hosts[0].decode('latin-1')}".lower()
        if len(origins) > 1 or any(origin.decode("latin-1").lower() != own for origin in origins):
            return "this request comes from a page of another server"
        site = headers.get(b"sec-fetch-site", [b"none"])[0]
        if scope["method"] != "GET" and site not in (b"same-origin", b"none"):
            return "this request comes from a page of another server"
        return None

    def is_own(self, host: str) -> bool:
        """Return whether the value of a Host header names this server."""
        match = HOST.fullmatch(host) if len(host) <= MAX_HOST else None
        if match is None or int(match[3] or 0) > MAX_PORT:
            return False
        name = (match[1] or match[2]).lower()
        if name in self.names:
            return True
        try:
            address = ipaddress.ip_address(name)
        except ValueError:
            return False
        return self.open_to_others or address.is_loopback
