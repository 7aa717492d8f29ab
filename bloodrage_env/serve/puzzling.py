"""The requests about puzzles: those that come with a game, decisions of a review, and what is done at one."""

import time
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from .puzzles import GRADE, check, move
from .requests import MAX_TOKEN, NO_STORE, body, json_response, table_of, visitor
from .seating import Refused
from .tables import Tables

DAY: Final = 24 * 3600  # seconds


async def _list(request: Request) -> Response:
    """Return `puzzles`, as `about`, `solved` and `of`, how many agents of how many solve it, and `today`, the number of
    that of the day, or None without puzzles.
    """
    tables: Tables = request.app.state.tables
    found = [
        {"about": each.about, "solved": sum(each.agents.values()), "of": len(each.agents)}
        for each in tables.page.puzzles()
    ]
    return json_response({"puzzles": found, "today": int(time.time() / DAY) % len(found) if found else None})


async def _solve(request: Request) -> Response:
    """Create a table with a puzzle by its number."""
    tables: Tables = request.app.state.tables
    content = await body(request, {"number": int})
    return json_response({"token": await tables.solve(content["number"], visitor(request))}, 201)


async def _try(request: Request) -> Response:
    """Create a table with a costly decision of a finished game as a puzzle."""
    table, own = await table_of(request)
    tables: Tables = request.app.state.tables
    content = await body(request, {"step": int})
    return json_response({"token": await tables.try_again(table, own, content["step"], visitor(request))}, 201)


async def _do(request: Request) -> Response:
    """Grade the answer to a puzzle, take it back, play out the better line, or leave the puzzle."""
    table, seat = await table_of(request)
    content = await body(request, {"way": str})
    way = content["way"]
    check(table.game, seat, way)
    if way == GRADE:
        with table.showing("the grade"):
            await request.app.state.tables.studied().grade(table.game)
    else:
        move(table.game, way)
    table.game.version += 1
    table.changed(seat)
    table.go_on()
    view, tag = table.seen(seat)
    return Response(view, media_type="application/json", headers={**NO_STORE, "etag": tag})


async def _habits(request: Request) -> Response:
    """Return what the finished games of tokens have in common."""
    tables: Tables = request.app.state.tables
    tokens = (await body(request, {"tokens": list}))["tokens"]
    if any(type(token) is not str or len(token) > MAX_TOKEN for token in tokens):
        raise Refused(422, "tokens is not of the right type")
    return json_response({"habits": await tables.habits(tokens)})


# What there is for a game that can be studied.
PUZZLING: Final = (
    Route("/api/puzzles", _list),
    Route("/api/puzzles", _solve, methods=["POST"]),
    Route("/api/habits", _habits, methods=["POST"]),
    Route("/api/seat/try", _try, methods=["POST"]),
    Route("/api/seat/puzzle", _do, methods=["POST"]),
)
