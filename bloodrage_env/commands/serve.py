"""`bloodrage serve`: a server for games in the browser, against agents and other people."""

import argparse
import contextlib
import ipaddress
import os
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

from bloodrage_agents import registry

from .. import games
from ..arguments import seconds, whole_number
from ..core.compile.decorators import compile_all
from ..errors import MissingPackageError, UserError
from ..serve.links import at_port
from ..serve.plain import page_of
from ..serve.visitors import is_loopback

HOST: Final = "127.0.0.1"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument("--game", choices=games.all_names(), help="the only game on offer (all games)")
    add_server_arguments(parser, port=8017, pace=0.6)


def add_server_arguments(parser: argparse.ArgumentParser, port: int, pace: float) -> None:
    """Add the options of any server, with these defaults."""
    parser.add_argument("--host", default=HOST, metavar="HOST", help="address to listen on (127.0.0.1)")
    parser.add_argument(
        "--port", type=whole_number(0, 65535), default=port, metavar="N", help=f"port ({port}; 0: a free one)"
    )
    parser.add_argument("--agents", metavar="SPEC[,SPEC...]", help="agents that can be chosen (all shipped agents)")
    parser.add_argument("--games", metavar="FOLDER", help="folder of the games (in the user's data folder)")
    parser.add_argument(
        "--pace",
        type=seconds,
        default=pace,
        metavar="S",
        help=f"least seconds of a visible move of an agent ({pace:g})",
    )


def run(args: argparse.Namespace) -> int:
    """Serve until Ctrl-C."""
    try:
        from ..serve.connections import Connections, Server
        from ..serve.front import Front, make_front
        from ..serve.storage import Storage
        from ..serve.tables import Tables
    except ModuleNotFoundError as error:
        if error.name not in ("uvicorn", "starlette"):
            raise
        raise MissingPackageError("the server", error.name, "web") from None
    if args.agents and not args.game:
        raise UserError("--agents are those of one game: name it with --game")
    report = report_as("serve")

    def load(game: str, folder: Path) -> tuple[Tables, list[tuple[str, str]]]:
        agents = on_offer(args.agents, game)
        tables = Tables(Storage(folder, game), [spec for spec, _ in agents], args.pace, report)
        compile_all()  # or loaded: before somebody waits for it
        if tables.studies is not None:
            tables.studies.load()
        return tables, agents

    names = [args.game] if args.game else games.all_names()
    front = Front({name: folder_of(args.games, name, args.game) for name in names}, load)
    listening = listen(args.host, args.port)
    address, port = listening.getsockname()[:2]
    url = at_port(outward(address), port)
    app = make_front(front, [args.host, socket.gethostname()], not is_loopback(args.host), url)

    def say_where() -> None:
        titles = ", ".join(games.spec(name).title for name in front.names)
        print(f"{url}/ offers {titles}. Ctrl-C ends it.", flush=True)

    front.load(front.names[0])
    with contextlib.suppress(KeyboardInterrupt):
        Server(app, front, Connections(), say_where).run(sockets=[listening])
    return 0


def report_as(command: str) -> Callable[[str], None]:
    """Return a function that prints a line for the user who runs the server.

    A line that cannot be printed, as on a full disk, is dropped.
    """

    def report(text: str) -> None:
        with contextlib.suppress(OSError):
            print(f"bloodrage {command}: {text}", file=sys.stderr, flush=True)

    return report


def folder_of(given: str | None, game: str, alone: str | None) -> Path:
    """Return the folder of the games of one kind: that of `--games` if the server has one game, else one in it."""
    if given is None:
        return default_folder(game)
    if alone:
        return Path(given)
    if next(Path(given).glob("*.json"), None):
        raise UserError(f"{given} has the games of one kind: name it with --game, or another folder with --games")
    return Path(given) / page_of(game).data_folder


def default_folder(game: str) -> Path:
    """Return the default folder of games, in the user's data. Raise UserError without a home directory."""
    try:
        home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    except RuntimeError:
        raise UserError("there is no home directory to keep games in: name a folder with --games") from None
    return Path(home) / "bloodrage" / page_of(game).data_folder


def on_offer(asked: str | None, game: str) -> list[tuple[str, str]]:
    """Return the agents that can be chosen in the browser, as (spec, description): those given, or levels and all
    others.

    A browser cannot choose other agents, so it cannot run any file.
    """
    levels = page_of(game).levels
    others = [name for name in registry.alone(game) if name not in levels]
    specs = registry.split(asked) if asked else [*levels, *others]
    found = []
    for spec in (registry.canonical(each, game) for each in specs):
        registry.make(spec, game)  # or it can't be; and what it needs is imported, to be compiled with the rest
        shipped = registry.parse(spec, game).shipped
        if spec == "human":
            raise UserError("human is not an agent for the browser: the people there are people anyway")
        found.append((spec, shipped.says if shipped else "a plug-in"))
    return found


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket. Raise UserError with the reason if that fails."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listening = socket.socket(family, kind, protocol)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(128)
    except (OSError, UnicodeError) as error:  # UnicodeError: no name of a host
        raise UserError(f"can't listen at {host} port {port}: {getattr(error, 'strerror', None) or error}") from None
    return listening


def outward(address: str) -> str:
    """Return the address by which others in the network reach a server that listens at this address.

    Where it listens at all addresses, that is the one of the connection that leads out, if there is one.
    """
    if not ipaddress.ip_address(address).is_unspecified:
        return address
    family, far = (socket.AF_INET6, "2001:db8::1") if ":" in address else (socket.AF_INET, "192.0.2.1")
    with socket.socket(family, socket.SOCK_DGRAM) as probe, contextlib.suppress(OSError):
        probe.connect((far, 9))  # of the addresses reserved for documents: nothing is sent
        return str(probe.getsockname()[0])
    return address
