"""All games of a server: the start page, and below the name of each game its pages and requests.

A game is imported and compiled once, when something of it is first asked for. Games are loaded one after the other.
Which game a link belongs to is answered from the folders, and no game is loaded for it.
"""

import asyncio
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from .. import games
from ..errors import UserError
from ..render import art
from .app import FOLDERS, compressed, game_app
from .guard import Guard
from .joined import kept, page, reader
from .links import Links
from .requests import body, handlers, json_response
from .seating import Refused
from .storage import is_stored
from .tables import Tables

MAX_WAIT: Final = 20.0  # seconds that a request waits for its game to be loaded
NOT_DESCRIBED: Final = {"about": "", "lessons": [], "puzzles": False}
REST: Final = 30.0  # seconds in which a game that could not be loaded is not tried again
REFRESH: Final = "3"  # seconds after which a page asks again
Agents = Sequence[tuple[str, str]]  # those on offer, as (spec, description)


def title_picture(name: str) -> str | None:
    """Return the title picture of a game, loaded or not, if it has one, by `render/pictures.csv` in its folder."""
    package = games.spec(name).place("game")[0].rpartition(".")[0]
    found = (Path(folder) / "render" / "pictures.csv" for folder in sys.modules[package].__path__)
    return next((art.title_picture(path, name) for path in found if path.is_file()), None)


def described(name: str) -> dict[str, Any]:
    """Return what the start page says of a game, loaded or not: `about`, a text, `lessons`, the
    titles of its guided games, and `puzzles`, whether it has puzzles. It is in `front.json` in the game's folder.
    """
    package = games.spec(name).place("game")[0].rpartition(".")[0]
    path = Path(sys.modules[package].__path__[0]) / "front.json"
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else NOT_DESCRIBED
    return found


class Front:
    """The games of a server, with the folder of each. `load` takes a while to return the tables and agents of one."""

    def __init__(self, folders: Mapping[str, Path], load: Callable[[str, Path], tuple[Tables, Agents]]) -> None:
        self.names = tuple(folders)
        self._folders = folders
        self._load = load
        self._loaded: dict[str, tuple[Tables, Agents]] = {}
        self._turn = asyncio.Lock()  # one game is loaded at a time
        self._loading: dict[str, asyncio.Task[None]] = {}
        self.stopping = False
        self.pictures: dict[str, str] = {}  # the title pictures

    def load(self, name: str) -> None:
        """Load a game before the server starts. Raise UserError."""
        self._loaded[name] = self._load(name, self._folders[name])

    def find(self, game_id: str) -> str | None:
        """Return the game of an id, which may be any text, or None. No game is loaded for it."""
        return next((name for name, folder in self._folders.items() if is_stored(folder, game_id)), None)

    @property
    def loaded(self) -> dict[str, Tables]:
        """The tables of the games that have been asked for."""
        return {name: tables for name, (tables, _) in self._loaded.items()}

    async def game(self, name: str) -> tuple[Tables, Agents]:
        """Return the tables and the agents of a game. Raise Refused if it can't be loaded, or not within
        `MAX_WAIT` seconds.
        """
        if name not in self._loaded:
            if name not in self._loading:
                self._loading[name] = asyncio.create_task(self._load_in_thread(name))
            task = self._loading[name]
            await asyncio.wait([task], timeout=MAX_WAIT)
            if not task.done():
                raise Refused(503, f"{games.spec(name).title} is being prepared, which takes a minute or two, once")
            task.result()
        return self._loaded[name]

    async def _load_in_thread(self, name: str) -> None:
        async with self._turn:
            try:
                loaded = await asyncio.to_thread(self._load, name, self._folders[name])
            except Exception as error:  # whatever a game raises as it is imported and compiled
                asyncio.get_running_loop().call_later(REST, self._loading.pop, name)
                if not isinstance(error, (OSError, UserError)):
                    raise
                raise Refused(500, f"{games.spec(name).title} can't be started: {error}") from None
            if self.stopping:
                loaded[0].stop()
            self._loaded[name] = loaded

    def stop(self) -> None:
        """Stop all agents. A signal handler may call this."""
        self.stopping = True
        for tables in self.loaded.values():
            tables.stop()

    async def close(self) -> None:
        """Stop the agents, wake waiting requests, and save unsaved games."""
        self.stop()
        await asyncio.gather(*(tables.close() for tables in self.loaded.values()))

    def save_all(self) -> None:
        """Save the games that could not be saved."""
        for tables in self.loaded.values():
            tables.save_all()


class _Game:
    """The application of a game, which is loaded by its first request."""

    def __init__(self, front: Front, name: str, open_to_others: bool, address: str | None) -> None:
        self._front, self._name = front, name
        self._links = Links(games.spec(name).title, open_to_others, address)
        self._app: ASGIApp | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Load the game, and pass a request on."""
        try:
            tables, agents = await self._front.game(self._name)
        except Refused as refusal:
            if refusal.status != 503 or b"text/html" not in dict(scope["headers"]).get(b"accept", b""):
                raise
            page = Response(
                f"<!doctype html><title>One moment</title><p>{refusal}.", 503, {"refresh": REFRESH}, "text/html"
            )
            await page(scope, receive, send)
            return
        if self._app is None:
            self._app = game_app(tables, agents, self._links)
        await self._app(scope, receive, send)


def make_front(front: Front, names: Sequence[str], open_to_others: bool, address: str | None) -> Guard:
    """Return the application of all games. `Guard` and `Links` document the parameters."""
    pages = {"/": "front.html", "/play": "find.html", "/join": "find.html"}
    read = reader({}, FOLDERS)
    front.pictures = {name: picture for name in front.names if (picture := title_picture(name)) is not None}
    routes = [
        *(route for path, name in pages.items() for route in page(path, read(f"static/{name}"), read)),
        *(Route(f"/title/{name}.svg", kept(picture.encode(), art.SVG)) for name, picture in front.pictures.items()),
        Route("/api/front", _front),
        Route("/api/find", _find, methods=["POST"]),
        *(Mount(f"/{name}", StaticFiles(directory=folder)) for name, folder in FOLDERS.items()),
        *(Mount(f"/{name}", _Game(front, name, open_to_others, address)) for name in front.names),
    ]
    app = Starlette(routes=routes, exception_handlers=handlers)
    app.state.front = front
    return Guard(compressed(app), names, open_to_others)


async def _front(request: Request) -> Response:
    """Return the `games` on offer, and the `tables` that are open to all, of games that have been loaded."""
    front: Front = request.app.state.front
    shown = [
        {"name": name, "title": games.spec(name).title, "picture": name in front.pictures, **described(name)}
        for name in front.names
    ]
    listed = [{"game": name, **table} for name, tables in front.loaded.items() for table in await tables.listed()]
    return json_response({"games": shown, "tables": listed})


async def _find(request: Request) -> Response:
    """Return the `game` of a token. Links of servers with a single game do not name it."""
    front: Front = request.app.state.front
    game_id, _, _ = (await body(request, {"token": str}))["token"].partition(".")
    name = front.find(game_id)
    if name is None:
        raise Refused(401, "this link belongs to no game here")
    return json_response({"game": name})
