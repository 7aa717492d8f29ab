"""`bloodrage mcp`: a server of the Model Context Protocol, through which language models play at tables."""

import argparse
import asyncio
import contextlib
import os
import socket
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

from .. import games
from ..arguments import add_game
from ..core.compile.decorators import compile_all
from ..errors import MissingPackageError, UserError
from ..serve.links import at_port
from ..serve.visitors import is_loopback
from . import serve

if TYPE_CHECKING:
    from ..serve.protocol import Server
    from ..serve.tables import Tables


PORT: Final = 8018


def add_arguments(parser: argparse.ArgumentParser, game: str) -> None:
    """Add the options."""
    add_game(parser, game)
    serve.add_server_arguments(parser, port=PORT, pace=0.0)
    parser.add_argument(
        "--http", action="store_true", help="serve any number of clients over HTTP, and the pages (stdio: one client)"
    )


def run(args: argparse.Namespace) -> int:
    """Serve one client over stdio until it leaves, or any number over HTTP until Ctrl-C."""
    if args.http:
        return _serve(args, lambda: None)
    if (args.host, args.port) != (serve.HOST, PORT):
        raise UserError("--host and --port are for --http; add it, or leave them out")
    with _printed_to_stderr() as claim:
        return _serve(args, claim)


@contextlib.contextmanager
def _printed_to_stderr() -> Iterator[Callable[[], None]]:
    """A context in which what agents print, when they are imported too, is not in the protocol.

    The value is a function that opens stdout for the transport of `mcp`, which keeps it for itself while it serves.
    """
    sys.stdout.flush()
    try:
        printed, said = sys.stdout.fileno(), sys.stderr.fileno()
    except OSError:  # a stream of this process alone, as in a test
        yield lambda: None
        return
    wire = os.dup(printed)

    def divert() -> None:
        os.dup2(said, printed)

    def claim() -> None:
        sys.stdout.flush()
        os.dup2(wire, printed)

    divert()
    try:
        yield claim
    finally:
        divert()


def _serve(args: argparse.Namespace, claim: Callable[[], None]) -> int:
    """Serve. `claim` is called before a client is served over stdio."""
    try:
        from ..serve.protocol import make_server
        from ..serve.storage import Storage
        from ..serve.tables import Tables
        from ..serve.tools import TableTools
    except ModuleNotFoundError as error:
        if error.name not in ("mcp", "pydantic", "starlette", "uvicorn"):
            raise
        raise MissingPackageError("the server", error.name, "language") from None
    report = serve.report_as("mcp")
    folder = serve.folder_of(args.games, args.game, args.game)
    agents = serve.on_offer(args.agents, args.game)
    listening = serve.listen(args.host, args.port) if args.http else None
    tables = Tables(Storage(folder, args.game), [spec for spec, _ in agents], args.pace, report)
    compile_all()  # or loaded: before a client waits for it
    with contextlib.suppress(KeyboardInterrupt):
        if listening is None:
            server = make_server(TableTools(tables, agents), report)
            claim()
            asyncio.run(_over_stdio(server, tables))
        else:
            address, port = listening.getsockname()[:2]
            url = at_port(serve.outward(address), port)
            server = make_server(TableTools(tables, agents, url), report)
            asyncio.run(_over_http(server, tables, agents, args, listening, url))
    return 0


async def _over_stdio(server: "Server", tables: "Tables") -> None:
    """Serve until the client closes its end."""
    try:
        await server.run_stdio_async()
    finally:
        await tables.close()


async def _over_http(
    server: "Server",
    tables: "Tables",
    agents: list[tuple[str, str]],
    args: argparse.Namespace,
    listening: socket.socket,
    url: str,
) -> None:
    """Serve the protocol at `/mcp`, and the pages of the tables beside it."""
    from ..serve.app import make_app
    from ..serve.connections import Connections
    from ..serve.connections import Server as HttpServer
    from ..serve.protocol import PATH, routes

    names = [args.host, socket.gethostname()]
    more = routes(server)
    app = make_app(tables, agents, names, not is_loopback(args.host), url, more)

    def say_where() -> None:
        title = games.spec(args.game).title
        print(
            f"{title} is at {url}{PATH} for clients of MCP, and at {url}/ in the browser. Ctrl-C ends it.", flush=True
        )

    async with server.session_manager.run():
        await HttpServer(app, tables, Connections(), say_where).serve(sockets=[listening])
