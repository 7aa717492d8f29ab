"""`bloodrage mcp`: games by the official client, what a seat is shown, and what is said of wrong input."""

import asyncio
import builtins
import itertools
import json
import re
import secrets
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from toy_installed import toy

pytest.importorskip("mcp")

from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp_play import Twice, call, over_stdio, refused, seated

from bloodrage_agents import registry
from bloodrage_agents.match import play_game
from bloodrage_env import games
from bloodrage_env.cli import main
from bloodrage_env.core.api.replay import Replay
from bloodrage_env.serve.protocol import make_server
from bloodrage_env.serve.storage import Storage
from bloodrage_env.serve.tables import Tables
from bloodrage_env.serve.tools import TableTools
from tests.serve_process import seeded

__all__ = ["toy"]

pytestmark = pytest.mark.usefixtures("toy")
SEED = 11
BLOODRAGE = ("bloodrage", "balanced", {"num_players": 2})
BERSERK = ("berserk", "hold", {"setup": "fixed", "max_turns": 4})
AGENTS = [("random", "every legal action is equally likely")]


class Here:
    """A server in this process, whose games have seeds from `SEED` on."""

    def __init__(self, folder: Path, game: str) -> None:
        self.said: list[str] = []
        self.tables = Tables(Storage(folder, game), ["random"], 0.0, self.said.append)
        self.server = make_server(TableTools(self.tables, AGENTS), self.said.append)

    def run(self, what: Callable[[Client], Awaitable[Any]]) -> Any:
        """What a client gets."""

        async def session() -> Any:
            async with Client(self.server) as client:
                try:
                    return await what(client)
                finally:
                    await self.tables.close()

        return asyncio.run(session())


@pytest.fixture(autouse=True)
def seeds(monkeypatch: pytest.MonkeyPatch) -> None:
    count = itertools.count(SEED)
    own = SimpleNamespace(**vars(secrets) | {"randbits": lambda bits: next(count)})  # of tables alone
    monkeypatch.setattr("bloodrage_env.serve.tables.secrets", own)


def stored(folder: Path, game: str) -> Replay:
    """The one game of a folder, which is over."""
    (path,) = folder.glob(f"*{games.replays(game).suffix}")
    replay = games.replays(game).load(path)
    assert games.game(game).play.is_over(replay.verify(), 0)
    return replay


def direct(game: str, spec: str, seed: int, options: dict[str, Any]) -> tuple[int, ...]:
    """The actions of a game between two agents without any text."""
    agents = [registry.make(spec, game) for _ in range(2)]
    return play_game(agents, seed, games.options_from(game, **options, skip_forced=False), (1, 2)).actions


# ---- whole games


@pytest.mark.parametrize(
    ("game", "spec", "options", "whole"),
    [
        ("toy", "high", {"num_players": 2}, True),
        ("toy", "high", {"num_players": 2}, False),
        pytest.param(*BLOODRAGE, False, marks=pytest.mark.slow),
        pytest.param(*BERSERK, False, marks=pytest.mark.slow),
    ],
)
def test_two_clients_play_the_same_game_as_two_agents(
    tmp_path: Path, game: str, spec: str, options: dict[str, Any], whole: bool
) -> None:
    here, twice = Here(tmp_path, game), Twice(game, spec, SEED, (1, 2), options, whole)

    async def play(client: Client) -> str:
        tokens, _ = await seated([client, client], options)
        await twice.play([client, client], tokens, every=1 if game == "toy" else 5)
        return await call(client, "observe", token=tokens[1])

    assert here.run(play).startswith("The game is over.")
    assert stored(tmp_path, game).actions == tuple(twice.actions) == direct(game, spec, SEED, options)


@pytest.mark.slow
@pytest.mark.parametrize(("transport", "game", "spec", "options"), [("stdio", *BLOODRAGE), ("http", *BERSERK)])
def test_whole_games_of_a_process(
    tmp_path: Path, transport: str, game: str, spec: str, options: dict[str, Any]
) -> None:
    """One client holds both seats over stdio; two clients have one each over HTTP."""
    words = ["--game", game, "--games", str(tmp_path), "--agents", "random"]
    twice = Twice(game, spec, SEED, (1, 2), options, whole=True)

    async def play(one: Client, other: Client) -> None:
        tokens, _ = await seated([one, other], options)
        await twice.play([one, other], tokens, every=5)

    async def over_http() -> None:
        process = subprocess.Popen(
            seeded(SEED, "mcp", *words, "--http", "--port", "0"),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            assert process.stdout is not None
            found = re.search(r"http://127\.0\.0\.1:\d+/mcp", process.stdout.readline())
            assert found
            async with Client(found[0]) as one, Client(found[0]) as other:
                await play(one, other)
        finally:
            process.terminate()
            process.communicate()

    async def by_stdio() -> None:
        async with over_stdio(SEED, *words) as client:
            await play(client, client)

    asyncio.run(over_http() if transport == "http" else by_stdio())
    assert stored(tmp_path, game).actions == tuple(twice.actions) == direct(game, spec, SEED, options)


def test_what_agents_print_is_not_in_the_protocol(tmp_path: Path) -> None:
    """An agent that prints when it is imported, also past Python's own stream, and when it ends."""
    plug_in = tmp_path / "talks.py"
    plug_in.write_text(
        "import atexit, os, sys\n"
        "from bloodrage_agents.random import RandomAgent as Talks\n"
        "print('imported')\n"
        "os.write(1, b'written')\n"
        "atexit.register(print, 'ended')\n"
    )
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}
    words = ["--games", str(tmp_path / "games"), "--agents", f"{plug_in}:Talks"]
    done = subprocess.run(
        seeded(SEED, "mcp", *words),
        input=json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}) + "\n",
        capture_output=True,
        text=True,
        check=True,
    )
    (answer,) = done.stdout.splitlines()
    assert json.loads(answer)["id"] == 1
    assert sorted(done.stderr.replace("written", "written\n").split()) == ["ended", "imported", "written"]


def test_a_game_against_agents_is_found_by_the_server_of_tables(tmp_path: Path) -> None:
    here = Here(tmp_path, "toy")

    async def play(client: Client) -> dict[str, Any]:
        begun = await call(client, "start_game", seats=["random", "you", "random"], name="model")
        done: dict[str, Any] = {"over": False}
        while not done["over"]:
            await call(client, "wait", token=begun["token"])
            actions = await call(client, "list_actions", token=begun["token"])
            if not actions:
                break
            done = await call(client, "act", token=begun["token"], answer=actions[0]["id"])
        assert (await call(client, "wait", token=begun["token"])).startswith("The game is over.")
        return begun

    begun = here.run(play)
    assert begun["seat"] == games.presentation("toy").seats[1]
    assert stored(tmp_path, "toy").players == ("random", "model", "random")

    async def found() -> Any:
        tables = Tables(Storage(tmp_path, "toy"), ["random"], 0.0, print)
        table, seat = await tables.find(begun["table"])
        return table.game.over, seat == table.game.watching

    assert asyncio.run(found()) == (True, True)


# ---- what a seat is shown


def shown_to(here: Here, token: str) -> dict[str, Any]:
    """What each tool returns to a seat."""

    async def ask(client: Client) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for tool in ("observe", "observe_struct", "list_actions"):
            found[tool] = await call(client, tool, token=token)
        found["wait"] = await call(client, "wait", token=token, seconds=0)
        for action in found["list_actions"][:3]:
            found[f"explain {action['id']}"] = await call(client, "explain_action", token=token, action=action["id"])
        return found

    async def session() -> dict[str, Any]:
        async with Client(here.server) as client:
            return await ask(client)

    return asyncio.run(session())


def twins(here: Here, game: str, rounds: int) -> Iterator[tuple[bool, bool]]:
    """Whether a redeal for the seat that looks is another game, and whether the seat is shown the same."""
    rules, rng = games.game(game), np.random.default_rng(5)

    async def begin() -> tuple[list[str], Any]:
        async with Client(here.server) as client:
            tokens, _ = await seated([client, client], {})
            table, _ = await here.tables.find(tokens[0])
            return tokens, table

    tokens, table = asyncio.run(begin())
    for _ in range(rounds):
        for seat, token in enumerate(tokens):
            one, true = shown_to(here, token), rules.play.clone(table.game.states, 0)
            table.game.states[:] = rules.redeal(true, 0, seat, int(rng.integers(1 << 60)))
            yield table.game.states.tobytes() != true.tobytes(), shown_to(here, token) == one
            table.game.states[:] = true
        for _ in range(12):
            legal = np.flatnonzero(table.game.states[0].mask)
            table.game._play(int(rng.choice(legal[1:] if len(legal) > 1 else legal)))


@pytest.mark.parametrize("game", ["bloodrage", "berserk"])
def test_twins_are_shown_alike(tmp_path: Path, game: str) -> None:
    """A game and a redeal for the seat that looks, which holds other cards for the others."""
    found = list(twins(Here(tmp_path, game), game, 5))
    assert sum(other for other, _ in found) > 5
    assert all(alike for _, alike in found)


def test_twins_show_a_leak(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They differ if a tool shows the hands of all seats."""
    monkeypatch.setattr(TableTools, "_text", lambda tools, table, seat: str(table.game.states["hand"].tolist()))
    assert not all(alike for _, alike in twins(Here(tmp_path, "bloodrage"), "bloodrage", 2))


def test_a_table_shows_nothing_of_a_seat(tmp_path: Path) -> None:
    here = Here(tmp_path, "bloodrage")

    async def look(client: Client) -> None:
        begun = await call(client, "start_game", seats=["you", "open"], name="one")
        for tool in ("observe", "observe_struct", "list_actions"):
            assert "the token of a table" in await refused(client, tool, token=begun["table"])
        assert "the token of a table" in await refused(client, "act", token=begun["table"], answer="1")
        taken = await call(client, "take_seat", table=begun["table"], name="two", seat="Bear")
        assert taken["seat"] == "Bear"
        assert "no seat of this table is free" in await refused(client, "take_seat", table=begun["table"], name="three")
        hands = [(await call(client, "observe_struct", token=each))["observation"]["pack"] for each in
                 (begun["token"], taken["token"])]  # fmt: skip
        assert hands[0] != hands[1]

    here.run(look)


def test_a_composite_move_is_one_call(tmp_path: Path) -> None:
    here = Here(tmp_path, "toy")

    async def play(client: Client) -> None:
        begun = await call(client, "start_game", seats=["you", "random"], name="one")
        token = begun["token"]
        await call(client, "wait", token=token)
        actions = await call(client, "list_actions", token=token)
        done = await call(client, "act", token=token, answer=f"Answer: {actions[0]['text']}; {actions[1]['text']}")
        assert done["done"][0] == {"id": actions[0]["id"], "text": actions[0]["text"]}

    here.run(play)


def test_rules_cards_and_schemas_can_be_read(tmp_path: Path) -> None:
    here = Here(tmp_path, "bloodrage")

    async def read(client: Client) -> None:
        names = {each.name for each in (await client.list_tools()).tools}
        assert {"start_game", "take_seat", "observe", "list_actions", "explain_action", "act", "wait"} <= names
        assert {each.uri for each in (await client.list_resources()).resources} == {
            "game://rules", "game://cards", "game://schemas/observation", "game://schemas/actions",
        }  # fmt: skip
        text = (await client.read_resource("game://rules")).contents[0].text
        assert text == await call(client, "rules")
        assert "Fenrir" in await call(client, "cards")
        assert "Fenrir" in await call(client, "cards", names=["fenrir"])
        assert "Fenrir" in (await client.read_resource("game://cards/fenrir")).contents[0].text
        schema = json.loads((await client.read_resource("game://schemas/actions")).contents[0].text)
        assert schema["title"].startswith("Legal actions of bloodrage")

    here.run(read)


# ---- wrong input


def test_what_is_not_there_is_one_line_and_none_in_the_log(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """The package logged a traceback of 200 lines for a card that does not exist."""
    here = Here(tmp_path, "bloodrage")

    async def ask(client: Client) -> None:
        for uri, said in (("game://cards/nothing", "there is no card 'nothing'"), ("game://x", "no such resource")):
            with pytest.raises(MCPError, match=said) as refusal:
                await client.read_resource(uri)
            assert len(str(refusal.value).splitlines()) == 1
        with pytest.raises(MCPError, match="there is no prompt 'x'"):
            await client.get_prompt("x")

    here.run(ask)
    assert (here.said, caplog.text) == ([], "")


def test_what_is_wrong_is_one_line(tmp_path: Path) -> None:
    here = Here(tmp_path, "bloodrage")

    async def ask(client: Client) -> None:
        begun = await call(client, "start_game", seats=["you", "open"], name="one")
        token = begun["token"]
        for tool, arguments, said in (
            ("start_game", {"seats": ["random", "random"]}, 'start_game: one of the seats must be "you"'),
            ("start_game", {"seats": ["you", "nobody"]}, "there is no agent 'nobody': a seat is"),
            ("start_game", {"seats": ["you"]}, "num_players must be 2 to"),
            ("start_game", {"seats": ["you", "open"], "options": {"snow": 1}}, "option 'snow' is not known"),
            ("start_game", {"seats": ["you", "open"], "name": "\n"}, "a name has 1 to 24 characters"),
            ("start_game", {"seats": 5}, "seats"),
            ("take_seat", {"table": "x"}, "this link belongs to no game here"),
            ("take_seat", {"table": begun["table"], "seat": "Fox"}, "there is no seat 'Fox'; Bear can be taken"),
            ("observe", {"token": "x"}, "this link belongs to no game here"),
            ("observe", {}, "observe: token: field required"),
            ("wait", {"token": token, "seconds": 1e9}, "seconds"),
            ("act", {"token": token, "answer": "dance"}, "is not a legal action: end with one line"),
            ("act", {"token": token, "answer": 9999}, "there is no action 9999"),
            ("act", {"token": token, "answer": "1", "number": 7}, "question 7 is not open: the open one is 0"),
            ("explain_action", {"token": token, "action": {"kind": "fly"}}, "'fly' with these arguments"),
            ("cards", {"names": ["nothing of this name"]}, "nothing of this name"),
        ):
            assert said in await refused(client, tool, **arguments)
        assert (await call(client, "observe_struct", token=token))["number"] == 0

    here.run(ask)
    assert here.said == []


def test_a_question_has_the_number_that_its_answer_is_given_with(tmp_path: Path) -> None:
    """It counts no secret answers of others. The options of a client change neither seats nor questions."""
    here, numbers = Here(tmp_path, "toy"), []

    async def ask(client: Client) -> None:
        tokens, _ = await seated([client, client], {"skip_forced": True})
        for token in tokens * 2:
            seen = await call(client, "observe_struct", token=token)
            numbers.append(seen["number"])
            await call(client, "act", token=token, answer=seen["actions"][0]["id"], number=seen["number"])
        table, _ = await here.tables.find(tokens[0])
        assert not table.game.options.skip_forced

    here.run(ask)
    assert numbers == [0, 0, 1, 1]


def test_a_fault_of_the_program_tells_the_client_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = Here(tmp_path, "toy")

    def fail(*_: Any) -> Any:
        raise KeyError("the hand of another seat")

    async def ask(client: Client) -> str:
        begun = await call(client, "start_game", seats=["you", "open"], name="one")
        monkeypatch.setattr("bloodrage_env.serve.tools.known_to", fail)
        return await refused(client, "observe", token=begun["token"])

    assert here.run(ask) == "observe: the server failed; what went wrong is in its terminal"
    assert "the hand of another seat" in here.said[0]


def test_a_missing_package_is_said_in_a_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    real = builtins.__import__

    def missing(name: str, *rest: Any) -> Any:
        if name.partition(".")[0] == "mcp":
            raise ModuleNotFoundError("No module named 'mcp'", name="mcp")
        return real(name, *rest)

    monkeypatch.delitem(sys.modules, "bloodrage_env.serve.protocol", raising=False)
    monkeypatch.setattr(builtins, "__import__", missing)
    assert main(["mcp", "--games", str(tmp_path)]) == 1
    assert capsys.readouterr().err == (
        "bloodrage mcp: the server needs the package mcp: install bloodrage with the extra language (README, Install)\n"
    )
