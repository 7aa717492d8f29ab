"""What clients of the protocol send has bounds, and one client takes nothing from the others."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from toy_installed import toy

pytest.importorskip("mcp")

import serve_client
from mcp import Client
from mcp_play import call, refused
from test_mcp import AGENTS, Here

from bloodrage_env.language.prompt import TextGame
from bloodrage_env.serve import tables
from bloodrage_env.serve.protocol import make_server, routes
from bloodrage_env.serve.tools import TableTools

__all__ = ["toy"]

pytestmark = pytest.mark.usefixtures("toy")
LONG = "a" * 50_000


def test_arguments_without_bounds_are_refused_in_one_line(tmp_path: Path) -> None:
    here = Here(tmp_path, "toy")

    async def ask(client: Client) -> None:
        begun = await call(client, "start_game", seats=["you", "open"], name="one")
        token = begun["token"]
        for tool, arguments in (
            ("cards", {"names": ["a"] * 1000}),
            ("cards", {"names": [LONG]}),
            ("start_game", {"seats": ["you"] + ["open"] * 1000}),
            ("start_game", {"seats": ["you", LONG]}),
            ("start_game", {"seats": ["you", "open"], "name": LONG}),
            ("start_game", {"seats": ["you", "open"], "name": "\ud83d"}),
            ("take_seat", {"table": begun["table"], "seat": LONG}),
            ("take_seat", {"table": LONG}),
            ("observe", {"token": LONG}),
            ("act", {"token": token, "answer": LONG}),
            ("act", {"token": token, "answer": "\ud83d" * 9}),
            ("act", {"token": token, "answer": '{"k":[' * 3333}),
            ("act", {"token": token, "answer": "1;" * 9999}),
            ("act", {"token": token, "answer": "march " + " " * 19_990 + "x"}),
            ("explain_action", {"token": token, "action": {"id": "9" * 5000}}),
        ):
            said = await refused(client, tool, **arguments)
            assert said.startswith(f"{tool}: ")
            assert len(said) < 300
        assert (await call(client, "observe_struct", token=token))["number"] == 0

    here.run(ask)
    assert here.said == []


def test_an_answer_is_read_beside_the_loop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another client is answered while a long answer is read, and an answer that comes too late is refused."""
    here = Here(tmp_path, "toy")
    began, go_on, read = asyncio.Event(), asyncio.Event(), TextGame.read

    async def play(client: Client) -> None:
        loop = asyncio.get_running_loop()

        def slow(text: TextGame, *rest: Any) -> int:
            loop.call_soon_threadsafe(began.set)
            asyncio.run_coroutine_threadsafe(go_on.wait(), loop).result(60)
            return read(text, *rest)

        begun = await call(client, "start_game", seats=["you", "open"], name="one")
        taken = await call(client, "take_seat", table=begun["table"], name="two")
        tokens = [begun["token"], taken["token"]]
        table, _ = await here.tables.find(tokens[0])
        seat, number = table.game.seat_to_act, table.game.number
        action = int(table.game.states[0].mask.argmax())
        monkeypatch.setattr(TextGame, "read", slow)
        acting = asyncio.create_task(refused(client, "act", token=tokens[seat], answer=action))
        await began.wait()
        await table.answer(seat, number, action)  # the loop serves others meanwhile
        go_on.set()
        assert await acting in ("act: you are not asked now", "act: that question is answered already")

    here.run(play)


def test_one_client_shuts_out_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Over HTTP clients are told apart by their addresses, as browsers are, with which they share their games."""
    monkeypatch.setattr(tables, "MAX_GAMES_OF_VISITOR", 2)
    said: list[str] = []
    with serve_client.Client(tmp_path, game="toy") as web:
        server = make_server(TableTools(web.tables, AGENTS), said.append)
        web.app.app.app.router.routes.extend(routes(server))

        async def post(path: str, body: dict[str, Any]) -> Any:
            head = {
                "host": "localhost",
                "content-type": "application/json",
                "accept": "application/json, text/event-stream",
            }
            pairs = [(name.encode(), value.encode()) for name, value in head.items()]
            return await web._call("POST", path, json.dumps(body).encode(), pairs)

        async def begin(address: str) -> str:
            web.address = address
            arguments = {"name": "start_game", "arguments": {"seats": ["you", "open"]}}
            answer = await post("/mcp", {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": arguments})
            assert answer.status == 200, answer
            return str(json.loads(answer.body)["result"]["content"][0]["text"])

        async def session() -> None:
            async with server.session_manager.run():
                assert ["token" in await begin("10.0.0.1") for _ in range(3)] == [True, True, False]
                assert "token" in await begin("10.0.0.2")
                web.address = "10.0.0.1"
                seats = [{"person": ""}, {"agent": "random"}]
                assert (await post("/api/games", {"seats": seats, "options": {}})).status == 429

        web.loop.run_until_complete(session())


def test_calls_of_one_client_are_carried_out_one_by_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the expensive ones at most one works at a time."""
    here = Here(tmp_path, "toy")
    working, most = [0], [0]

    async def cards(tools: TableTools, names: Any) -> str:
        working[0] += 1
        most[0] = max(most[0], working[0])
        for _ in range(20):
            await asyncio.sleep(0)
        working[0] -= 1
        return "cards"

    monkeypatch.setattr(TableTools, "cards", cards)

    async def ask(client: Client) -> None:
        await asyncio.gather(*(call(client, "cards", names=["a"]) for _ in range(8)))

    here.run(ask)
    assert most[0] == 1
