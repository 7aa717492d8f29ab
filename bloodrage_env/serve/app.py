"""The web application: pages, and the requests of `docs/playing.md`.

A browser authenticates with a token in the Authorization header. Every answer contains the number of its question, so
that a late or repeated answer has no effect.
"""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from starlette.applications import Starlette
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from .. import games
from ..core.shown.table_page import PUBLIC
from ..encoding import as_bytes
from ..render import STATIC as RENDERED
from .guard import Guard
from .joined import kept, page, reader
from .links import Links
from .puzzling import PUZZLING
from .requests import MAX_TOKEN, NO_STORE, body, handlers, json_response, table_of, token_of, visitor
from .seating import Refused
from .table import Table
from .tables import Tables
from .views import tried

STATIC: Final = Path(__file__).parent / "static"
FOLDERS: Final = {"static": STATIC, "render": RENDERED}  # those of the page of any game
ANYBODY: Final = "anybody"  # of a seat: the table is listed on the start page
SMALL: Final = 500  # bytes of an answer that is not compressed
COMPRESSION: Final = 6  # level of gzip
MAX_WAIT: Final = 25  # seconds that a request for news may wait
MAX_FILE_NAME: Final = 100  # characters
MAX_NAME: Final = 24  # characters of a person's name


def make_app(
    tables: Tables,
    agents: Sequence[tuple[str, str]],
    names: Sequence[str] = (),
    open_to_others: bool = False,
    address: str | None = None,
    more: Sequence[BaseRoute] = (),
) -> Guard:
    """Return the application of one game at the root of a server.

    `agents` are the agents on offer, as (spec, description). `address` is the address for other devices, as in
    `links.Links`. `more` are further routes. `Guard` documents the other parameters.
    """
    links = Links(games.spec(tables.storage.game).title, open_to_others, address)
    return Guard(compressed(game_app(tables, agents, links, more)), names, open_to_others)


def compressed(app: ASGIApp) -> ASGIApp:
    """Return an application whose answers are compressed for browsers that take gzip."""
    return GZipMiddleware(app, minimum_size=SMALL, compresslevel=COMPRESSION)


def game_app(
    tables: Tables, agents: Sequence[tuple[str, str]], links: Links, more: Sequence[BaseRoute] = ()
) -> Starlette:
    """Return the pages and requests of a game, which can be mounted below any path: pages name addresses relatively."""
    shown = tables.page
    texts = {
        **shown.texts(),
        "lessons": [lesson.title for lesson in shown.lessons()],
        "studied": tables.studies is not None,
    }

    async def agent_list(_request: Request) -> Response:
        return json_response([{"spec": spec, "says": says, "level": shown.levels.get(spec)} for spec, says in agents])

    folders = {**FOLDERS, **shown.folders}
    files = shown.files()
    pages = {"/": shown.static / "index.html", "/play": shown.static / "play.html", "/join": STATIC / "join.html"}
    if shown.lessons():
        pages["/learn"] = shown.static / "learn.html"
    if tables.studies:
        pages["/puzzles"] = STATIC / "puzzles.html"
    markup = {path: file.read_text(encoding="utf-8") for path, file in pages.items()}
    markup |= {path: text for path, (text, kind) in files.items() if kind == "text/html"}
    read = reader(files, folders)
    routes = [
        *(route for path, text in markup.items() for route in page(path, text, read)),
        Route("/api/agents", agent_list),
        Route("/api/texts", kept(as_bytes(texts), "application/json")),
        Route("/api/games", _create, methods=["POST"]),
        Route("/api/now", _play_now, methods=["POST"]),
        Route("/api/own", _own, methods=["POST"]),
        Route("/api/lesson", _learn, methods=["POST"]),
        *([Route("/api/lists", _list, methods=["POST"])] if shown.lists else []),
        Route("/api/seat", _seat),
        Route("/api/seat/answer", _answer, methods=["POST"]),
        Route("/api/seat/answers", _answers, methods=["POST"]),
        Route("/api/seat/tried", _tried, methods=["POST"]),
        Route("/api/seat/undo", _undo, methods=["POST"]),
        Route("/api/seat/end", _end, methods=["POST"]),
        Route("/api/seat/pace", _pace, methods=["POST"]),
        Route("/api/seat/rematch", _rematch, methods=["POST"]),
        Route("/api/seat/replay", _replay),
        Route("/api/seat/link", _link),
        Route("/api/seat/claim", _claim, methods=["POST"]),
        Route("/api/seat/vote", _vote, methods=["POST"]),
        Route("/api/seat/here", _here, methods=["POST"]),
        Route("/api/seat/back", _back, methods=["POST"]),
        Route("/api/seat/agent", _agent, methods=["POST"]),
        *(Route(path, kept(text.encode(), kind)) for path, (text, kind) in files.items() if path not in markup),
        *((*STUDYING, *PUZZLING) if tables.studies else ()),
        *more,
        *(Mount(f"/{name}", StaticFiles(directory=folder)) for name, folder in folders.items()),
    ]
    app = Starlette(routes=routes, exception_handlers=handlers)
    app.state.tables = tables
    app.state.links = links
    return app


# ---- games


async def _create(request: Request) -> Response:
    tables: Tables = request.app.state.tables
    content = await body(request, {"seats": list, "options": dict})
    # Forced questions are asked too: a question that is not asked would reveal what a hand holds.
    settled = {"num_players": len(content["seats"]), "skip_forced": False}
    try:
        options = games.game(tables.storage.game).options.from_json(content["options"] | settled)
    except (TypeError, ValueError) as error:
        raise Refused(422, str(error)) from None
    players = [_player(seat, tables.agents) for seat in content["seats"]]
    listed = {"visitor": ANYBODY} in content["seats"]
    tokens, watch = await tables.create(players, options, visitor(request), listed=listed)
    return json_response({"tokens": tokens, "watch": watch}, 201)


async def _play_now(request: Request) -> Response:
    """A game with the usual options: the person has the first seat, agents of a strength have the others."""
    tables: Tables = request.app.state.tables
    content = await body(request, {"level": str})
    return json_response({"token": await tables.play_now(content["level"], visitor(request))}, 201)


async def _own(request: Request) -> Response:
    """Return how games stand for the seats of tokens, in their order; null for an unknown token."""
    tables: Tables = request.app.state.tables
    tokens = (await body(request, {"tokens": list}))["tokens"]
    if any(type(token) is not str or len(token) > MAX_TOKEN for token in tokens):
        raise Refused(422, "tokens is not of the right type")
    return json_response({"stands": [await tables.stands(token) for token in tokens]})


async def _learn(request: Request) -> Response:
    """Create a guided game by its number."""
    tables: Tables = request.app.state.tables
    content = await body(request, {"number": int})
    return json_response({"token": await tables.learn(content["number"], visitor(request))}, 201)


async def _vote(request: Request) -> Response:
    """Vote to have an agent play for the person of another seat, or withdraw the vote."""
    table, voter = await table_of(request)
    content = await body(request, {"seat": int, "agree": bool})
    table.vote(voter, content["seat"], content["agree"])
    return _now(table, voter)


async def _here(request: Request) -> Response:
    """Say that the person of a seat is here, as each request that does something says."""
    table, seat = await table_of(request)
    await body(request, {})
    return _now(table, seat)


async def _back(request: Request) -> Response:
    """Give a seat back to its person after an agent has played for it, and undo what the agent did on request."""
    table, seat = await table_of(request)
    content = await body(request, {"undo": bool})
    table.come_back(seat, content["undo"])
    return _now(table, seat)


async def _agent(request: Request) -> Response:
    """Ask an agent again that could not be asked, or have another one play on."""
    table, seat = await table_of(request)
    content = await body(request, {"again": bool})
    table.play_on(seat, content["again"])
    return _now(table, seat)


async def _list(request: Request) -> Response:
    """Return the value of an option that a person has uploaded as a file."""
    content = await body(request, {"option": str, "name": str, "text": str})
    reads = request.app.state.tables.page.lists.get(content["option"])
    if reads is None:
        raise Refused(422, "no such option is read from a file")
    name = content["name"]
    if not 0 < len(name) <= MAX_FILE_NAME or not name.isprintable():
        raise Refused(422, f"the name of a file has 1 to {MAX_FILE_NAME} characters, all of them visible")
    try:
        return json_response({"value": reads(content["text"].encode("utf-8", "replace"), name)})
    except ValueError as error:
        raise Refused(422, str(error)) from None


def _player(seat: Any, agents: Sequence[str]) -> tuple[str | None, str | None]:
    """Return (name, None) for a person, (None, spec) for an agent, (None, None) for a free seat."""
    if isinstance(seat, dict) and seat.keys() == {"person"} and isinstance(seat["person"], str):
        return _name(seat["person"]), None
    if seat in ({"visitor": True}, {"visitor": ANYBODY}):
        return None, None
    if isinstance(seat, dict) and seat.keys() == {"agent"}:
        if seat["agent"] not in agents:
            raise Refused(422, "this server does not offer that agent")
        return None, str(seat["agent"])
    raise Refused(422, 'a seat is {"person": NAME}, {"agent": SPEC} or {"visitor": true or "anybody"}')


def _name(text: str) -> str:
    name = text.strip()
    if len(name) > MAX_NAME or not name.isprintable():
        raise Refused(422, f"a name has at most {MAX_NAME} characters, all of them visible")
    return name


async def _link(request: Request) -> Response:
    """Return the link of the seat or the table for another device, and whether other devices can reach the server."""
    _, seat = await table_of(request)
    links: Links = request.app.state.links
    path = f"{request.scope['root_path']}/{'join' if seat == PUBLIC else 'play'}"
    return json_response(links.link(request.headers["host"], f"{path}#{token_of(request)}"))


async def _claim(request: Request) -> Response:
    """Give a free seat to a visitor who has the link of the table."""
    table, viewer = await table_of(request)
    content = await body(request, {"seat": int, "name": str})
    name = _name(content["name"])
    if not name:
        raise Refused(422, "who takes a seat needs a name: fill it in")
    return json_response({"token": table.claim(viewer, content["seat"], name)}, 201)


async def _seat(request: Request) -> Response:
    """Return what the seat may know. With If-None-Match and `Prefer: wait=SECONDS` the request waits for a change."""
    table, seat = await table_of(request)
    tag = request.headers.get("if-none-match", "").removeprefix("W/")  # a proxy that compresses weakens tags
    data, new_tag = await table.news(seat, tag, _wait(request)) if tag else table.seen(seat)
    if new_tag == tag:
        return Response(status_code=304, headers={**NO_STORE, "etag": new_tag})
    return _shown(table, data, new_tag)


def _wait(request: Request) -> float:
    name, _, seconds = request.headers.get("prefer", "").partition("=")
    if name.strip() != "wait" or not seconds.isascii() or not seconds.isdigit() or len(seconds) > 4:
        return 0.0
    return float(min(int(seconds), MAX_WAIT))


async def _answer(request: Request) -> Response:
    table, seat = await table_of(request)
    content = await body(request, {"number": int, "action": int})
    await table.answer(seat, content["number"], content["action"])
    return _now(table, seat)


async def _answers(request: Request) -> Response:
    """Apply answers to consecutive questions, all of them or none."""
    table, seat, number, actions = await _several(request)
    await table.answer(seat, number, *actions)
    return _now(table, seat)


async def _tried(request: Request) -> Response:
    """Return what the page shows of answers that are not given yet."""
    table, seat, number, actions = await _several(request)
    return json_response(tried(table.game, seat, number, actions))


async def _several(request: Request) -> tuple[Table, int, int, list[int]]:
    """Return the table, the seat, the number of a question, and answers to it and to those that follow."""
    table, seat = await table_of(request)
    content = await body(request, {"number": int, "actions": list})
    if any(type(action) is not int for action in content["actions"]):
        raise Refused(422, "actions is not of the right type")
    return table, seat, content["number"], content["actions"]


async def _undo(request: Request) -> Response:
    table, seat = await table_of(request)
    content = await body(request, {"number": int, "to": int})
    await table.undo(seat, content["number"], content["to"])
    return _now(table, seat)


async def _end(request: Request) -> Response:
    table, seat = await table_of(request)
    content = await body(request, {"number": int})
    await table.end_turn(seat, content["number"])
    return _now(table, seat)


async def _pace(request: Request) -> Response:
    table, seat = await table_of(request)
    content = await body(request, {"milliseconds": int, "paused": bool})
    table.set_pace(content["milliseconds"], content["paused"])
    return _now(table, seat)


def _now(table: Table, seat: int) -> Response:
    return _shown(table, *table.seen(seat))


def _shown(table: Table, view: bytes, tag: str) -> Response:
    """Return a response with a view. If the view has a time, `x-now` has that of the server, in milliseconds since
    1970: `date` is that of the request, which may have waited.
    """
    now = {"x-now": str(int(1000 * time.time()))} if table.game.leaving.is_asking else {}
    return Response(view, media_type="application/json", headers={**NO_STORE, "etag": tag, **now})


async def _rematch(request: Request) -> Response:
    """Begin the next game of the same people, or join it."""
    table, seat = await table_of(request)
    await body(request, {})
    tables: Tables = request.app.state.tables
    _, _, secret = token_of(request).partition(".")
    return json_response({"token": f"{tables.rematch(table, seat, visitor(request))}.{secret}"}, 201)


async def _replay(request: Request) -> Response:
    """Return the replay, which contains hidden cards, once the game is over."""
    table, _ = await table_of(request)
    if not table.game.over:
        raise Refused(409, "the replay shows every hand: it is given out when the game is over")
    storage = request.app.state.tables.storage
    name = f"{storage.game}-{table.id}{storage.suffix}"
    headers = {**NO_STORE, "content-disposition": f'attachment; filename="{name}"'}
    return Response(table.game.replay().to_bytes(), media_type="application/octet-stream", headers=headers)


# ---- studying


async def _hint(request: Request) -> Response:
    """Return the analysis of the open question from what the seat knows."""
    table, seat = await table_of(request)
    content = await body(request, {"number": int})
    return json_response(await table.hint(seat, content["number"]))


async def _chances(request: Request) -> Response:
    """Return each seat's chance to win, to spectators of agents."""
    table, seat = await table_of(request)
    return json_response(await table.chances(seat))


async def _allow(request: Request) -> Response:
    table, seat = await table_of(request)
    content = await body(request, {"hints": bool})
    table.allow_hints(seat, content["hints"])
    return _now(table, seat)


async def _game(request: Request) -> Response:
    """Return the data of the replay page once the game is over."""
    table, _ = await table_of(request)
    return json_response(await table.page())


async def _review(request: Request) -> Response:
    """Return the study of a game that is over, or its progress."""
    table, _ = await table_of(request)
    return json_response(table.review())


async def _talk(request: Request) -> Response:
    """Return the transcript of language models once the game is over."""
    table, _ = await table_of(request)
    return json_response(await table.talk())


async def _branch(request: Request) -> Response:
    """Create a game that continues from a step of a finished one."""
    table, own = await table_of(request)
    content = await body(request, {"step": int, "seat": int})
    tables: Tables = request.app.state.tables
    token = await tables.branch(table, own, content["step"], content["seat"], visitor(request))
    return json_response({"token": token}, 201)


# What there is for a game that can be studied.
STUDYING: Final = (
    Route("/api/seat/hint", _hint, methods=["POST"]),
    Route("/api/seat/chances", _chances),
    Route("/api/seat/allow", _allow, methods=["POST"]),
    Route("/api/seat/game", _game),
    Route("/api/seat/review", _review),
    Route("/api/seat/talk", _talk),
    Route("/api/seat/branch", _branch, methods=["POST"]),
)
