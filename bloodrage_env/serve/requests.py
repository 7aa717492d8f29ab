"""What all requests share: tokens, bodies, answers as JSON, and errors as JSON."""

import json
from collections.abc import Mapping
from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from ..encoding import as_bytes
from .seating import Refused
from .table import Table
from .tables import Tables
from .visitors import visitor_of

MAX_BODY: Final = 4096  # bytes
MAX_TOKEN: Final = 100
NO_STORE: Final = {"cache-control": "no-store"}


def json_response(data: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Return a response with data as JSON. Bytes are sent unchanged."""
    content = data if isinstance(data, bytes) else as_bytes(data)
    return Response(content, status, {**NO_STORE, **(headers or {})}, media_type="application/json")


def token_of(request: Request) -> str:
    """Return the token of a request. Raise Refused."""
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    if kind.lower() != "bearer" or not token.isascii() or len(token) > MAX_TOKEN:
        raise Refused(401, "this link belongs to no game here")
    return str(token)


def visitor(request: Request) -> str:
    """Return who asks (`visitors.py`)."""
    return visitor_of(request.client.host if request.client else "")


async def table_of(request: Request) -> tuple[Table, int]:
    """Return the table and the seat of a request. Raise Refused."""
    tables: Tables = request.app.state.tables
    table, seat = await tables.find(token_of(request))
    if request.method == "POST":
        table.show_up(seat)
    return table, seat


async def body(request: Request, wanted: dict[str, type]) -> dict[str, Any]:
    """Return the JSON of a request with exactly these entries, each of its type."""
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise Refused(415, "the body must be application/json")
    try:
        content = json.loads(await _read(request))
    except ClientDisconnect:
        raise Refused(400, "the body did not come in full") from None
    except (ValueError, RecursionError):
        raise Refused(400, "the body is not JSON") from None
    if not isinstance(content, dict) or content.keys() != wanted.keys():
        raise Refused(422, f"the body must be an object with the entries {', '.join(wanted)}")
    for name, kind in wanted.items():
        if type(content[name]) is not kind:
            raise Refused(422, f"{name} is not of the right type")
    return content


async def _read(request: Request) -> bytes:
    data = b""
    async for part in request.stream():
        data += part
        if len(data) > MAX_BODY:
            raise Refused(413, f"the body is larger than {MAX_BODY} bytes")
    return data


# ---- errors


async def _refused(_request: Request, error: Exception) -> Response:
    assert isinstance(error, Refused)
    headers = {"www-authenticate": "Bearer"} if error.status == 401 else {}
    return json_response({"error": str(error)}, error.status, headers)


async def _http_error(_request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return json_response({"error": error.detail.lower()}, error.status_code, error.headers)


async def _failed(_request: Request, _error: Exception) -> Response:
    return json_response({"error": "the server failed; what went wrong is in its terminal"}, 500)


handlers: Final[dict[Any, Any]] = {Refused: _refused, HTTPException: _http_error, Exception: _failed}
