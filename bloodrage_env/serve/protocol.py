"""The tools of `tools.py` as a server of the Model Context Protocol, by the package `mcp`."""

import asyncio
import contextlib
import logging
from collections.abc import Callable
from typing import Annotated, Any, Final

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError, ToolError
from mcp.server.transport_security import TransportSecuritySettings
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS
from pydantic import Field, ValidationError
from starlette.requests import ClientDisconnect
from starlette.routing import BaseRoute

from .. import __version__, games
from ..language.final import MAX_ANSWER
from .faults import described
from .seating import Refused
from .tools import MAX_NAMES, MAX_SEATS, MAX_SPEC, MAX_TITLE, MAX_WAIT, OPEN, YOU, TableTools
from .visitors import visitor_of

PATH: Final = "/mcp"
MAX_BODY: Final = 64 * 1024  # bytes of a request
MAX_LINE: Final = 500  # characters of a line of the log
MAX_SAID: Final = 40  # characters of what a client sent, in an error
MAX_CALLERS: Final = 1000  # whose calls are put in turn; others share one turn
STDIO: Final = "mcp"  # the one client over stdio
Answer = Annotated[str, Field(max_length=MAX_ANSWER)] | int | dict[str, Any]
Token = Annotated[str, Field(max_length=100, description="the token of your seat")]
Action = Annotated[Answer, Field(description="a legal action: its id, its words, its notation, or its JSON")]
Several = Annotated[
    Answer,
    Field(description="a legal action: its id, words, notation or JSON; further ones after ; answer what follows"),
]
Name = Annotated[str, Field(max_length=100, description="the name that others see")]


class OneLine(logging.Handler):
    """Reports a record of the package's log as one line, without a traceback."""

    def __init__(self, report: Callable[[str], None]) -> None:
        super().__init__(logging.ERROR)  # a warning is about what a client sent
        self._report = report

    def emit(self, record: logging.LogRecord) -> None:
        """Report a record, unless it says that a client has gone."""
        error = record.exc_info[1] if record.exc_info else None
        if isinstance(error, ClientDisconnect):
            return
        said = f"{record.getMessage()}: {described(error)}" if isinstance(error, Exception) else record.getMessage()
        self._report(" ".join(said.split())[:MAX_LINE])


class Server(MCPServer):
    """A server whose errors are one line. `report` takes a line for each fault of the program."""

    def __init__(self, report: Callable[[str], None], **given: Any) -> None:
        super().__init__(**given)
        self._report = report
        log = logging.getLogger("mcp")
        log.handlers, log.propagate = [OneLine(report)], False
        self._turns: dict[str, asyncio.Lock] = {}

    async def call_tool(self, name: str, arguments: dict[str, Any], context: Any = None) -> Any:
        """Call a tool. Of one client, only one tool works at a time, except `wait`. Raise ToolError with one line."""
        try:
            async with contextlib.nullcontext() if name == "wait" else self._turn(context):
                return await super().call_tool(name, arguments, context)
        except ToolError as error:
            raise ToolError(f"{name}: {self._reason(error)}") from None

    async def get_prompt(self, name: str, arguments: Any = None, context: Any = None) -> Any:
        """Raise MCPError: there are no prompts."""
        raise MCPError(INVALID_PARAMS, f"there is no prompt {name[:MAX_SAID]!r}")

    async def read_resource(self, uri: Any, context: Any = None) -> Any:
        """Read a resource. Raise ResourceError with one line."""
        try:
            async with self._turn(context):
                return await super().read_resource(uri, context)
        except ResourceNotFoundError:
            raise ResourceNotFoundError("there is no such resource") from None
        except ResourceError as error:
            raise ResourceError(self._reason(error)) from None

    def _turn(self, context: Any) -> asyncio.Lock:
        """The turn of a client."""
        known = len(self._turns) < MAX_CALLERS
        return self._turns.setdefault(caller_of(context) if known else "", asyncio.Lock())

    def _reason(self, error: ToolError | ResourceError) -> str:
        cause = error.__cause__
        if isinstance(cause, ValidationError):
            first = cause.errors(include_url=False, include_input=False)[0]
            return f"{'.'.join(map(str, first['loc']))}: {first['msg'].lower()}"
        if cause is None or isinstance(cause, Refused | ValueError):
            return " ".join(str(cause or error).split())
        self._report(described(cause) if isinstance(cause, Exception) else repr(cause))
        return "the server failed; what went wrong is in its terminal"


def caller_of(context: Any) -> str:
    """Return the visitor that calls a tool, by its address; `STDIO` without one."""
    request = None if context is None else context.request_context.request
    client = getattr(request, "client", None)
    return STDIO if client is None else visitor_of(client.host)


def make_server(tools: TableTools, report: Callable[[str], None]) -> Server:
    """Return the server of the tools of a game."""
    title = games.spec(tools.game).title
    server = Server(
        report,
        name="bloodrage",
        title=title,
        version=__version__,
        instructions=(
            f"{title}. Begin a game with start_game, or take a seat of a table with take_seat; both return the token "
            "of your seat, which the other tools need. Then repeat: wait until you are asked, and act. rules explains "
            "the game and how actions are written, cards what is printed on cards."
        ),
        log_level="WARNING",
    )
    _add_seats(server, tools)
    _add_play(server, tools)
    _add_reference(server, tools)
    return server


def _add_seats(server: Server, tools: TableTools) -> None:
    """Games, agents and seats."""

    @server.tool()
    def list_agents() -> list[dict[str, str]]:
        """List the agents that can play seats: `agent` is what start_game takes."""
        return tools.list_agents()

    @server.tool()
    async def start_game(
        context: Context,
        seats: Annotated[
            list[Annotated[str, Field(max_length=MAX_SPEC)]],
            Field(max_length=MAX_SEATS, description=f'for each seat "{YOU}", "{OPEN}" for another player, or an agent'),
        ],
        name: Name = "model",
        options: Annotated[dict[str, Any] | None, Field(description="options of the game by name")] = None,
    ) -> dict[str, Any]:
        """Begin a game. `token` is that of your seat; `table` lets others take open seats, and watch."""
        return await tools.start_game(seats, name, options or {}, caller_of(context))

    @server.tool()
    async def take_seat(
        table: Annotated[str, Field(max_length=100, description="the token of the table")],
        name: Name = "model",
        seat: Annotated[
            str | None, Field(max_length=100, description="the name of an open seat; the first one by default")
        ] = None,
    ) -> dict[str, Any]:
        """Take an open seat of a table. `token` is that of your seat."""
        return await tools.take_seat(table, name, seat)


def _add_play(server: Server, tools: TableTools) -> None:
    """What a seat sees and does."""

    @server.tool(structured_output=False)
    async def observe(token: Token) -> str:
        """Show what you know as text: the board, what has happened, the open question and your legal actions."""
        return await tools.observe(token)

    @server.tool()
    async def observe_struct(token: Token) -> dict[str, Any]:
        """Show what you know as JSON, by the schema game://schemas/observation, with your legal actions."""
        return await tools.observe_struct(token)

    @server.tool()
    async def list_actions(token: Token) -> list[dict[str, Any]]:
        """List your legal actions, by the schema game://schemas/actions; an empty list if you are not asked."""
        return await tools.list_actions(token)

    @server.tool(structured_output=False)
    async def explain_action(token: Token, action: Action) -> str:
        """Explain a legal action, with the text of the card that it is about."""
        return await tools.explain_action(token, action)

    @server.tool(structured_output=False)
    async def wait(
        token: Token, seconds: Annotated[float, Field(ge=0, le=MAX_WAIT, description="how long at most")] = 20.0
    ) -> str:
        """Wait until you are asked or the game is over; then show what observe does."""
        return await tools.wait(token, seconds)

    @server.tool()
    async def act(
        token: Token,
        answer: Several,
        number: Annotated[
            int | None, Field(description="of the question that is answered, the open one by default")
        ] = None,
    ) -> dict[str, Any]:
        """Answer the open question. `done` lists what was carried out; `asked` says whether you are asked again."""
        return await tools.act(token, answer, number)


def _add_reference(server: Server, tools: TableTools) -> None:
    """Rules and cards, as tools and as resources."""

    @server.tool(structured_output=False)
    def rules() -> str:
        """Explain the rules, and how actions are written."""
        return tools.rules()

    @server.tool(structured_output=False)
    async def cards(
        names: Annotated[
            list[Annotated[str, Field(max_length=MAX_TITLE)]] | None,
            Field(max_length=MAX_NAMES, description="titles or parts of titles; all cards by default"),
        ] = None,
    ) -> str:
        """Look up cards: the texts of those named, or a list of all."""
        return await tools.cards(names or [])

    @server.resource("game://rules", mime_type="text/plain")
    def rules_resource() -> str:
        """The rules, and how actions are written."""
        return tools.rules()

    @server.resource("game://cards", mime_type="text/plain")
    async def cards_resource() -> str:
        """A list of all cards."""
        return await tools.cards([])

    @server.resource("game://cards/{name}", mime_type="text/plain")
    async def card_resource(name: str) -> str:
        """The text of a card."""
        return await tools.cards([name])

    @server.resource("game://schemas/observation", mime_type="application/json")
    def observation_schema() -> Any:
        """The JSON Schema of observations."""
        return tools.schema("observation")

    @server.resource("game://schemas/actions", mime_type="application/json")
    def actions_schema() -> Any:
        """The JSON Schema of legal actions."""
        return tools.schema("actions")


def routes(server: Server) -> list[BaseRoute]:
    """Return the routes of the protocol over HTTP; `server.session_manager` must run. `Guard` checks the requests."""
    app = server.streamable_http_app(
        streamable_http_path=PATH,
        json_response=True,
        stateless_http=True,
        max_request_body_size=MAX_BODY,
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
    )
    return list(app.routes)
