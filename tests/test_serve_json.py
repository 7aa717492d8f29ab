"""All that the server sends is JSON, whatever happens in a game; and what can't be shown costs no game."""

import ast
import asyncio
import dataclasses
import inspect
import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("starlette")

from serve_client import Client

from bloodrage_env import games
from bloodrage_env.encoding import as_bytes, as_json
from bloodrage_env.serve import tables
from bloodrage_env.serve.games import Seat, digest_of
from bloodrage_env.serve.seating import Refused
from bloodrage_env.serve.studies import Studies
from bloodrage_env.serve.tools import TableTools
from tests import everything
from tests.random_play import keen_action

ROOT = Path(__file__).resolve().parents[1]
# Seeds of games of 2 to 5 seats with all card sets. In a battle of the first one nobody has a card; in the last one
# agents play alone.
SEEDS = (2245, 0, 30, 315, 15)
NO_CARDS = SEEDS[0]
TOKEN = "a" * 20


def test_numbers_of_numpy_are_encoded():
    data = {np.int8(1): [np.False_, np.float32(0.5)], "a": np.arange(4, dtype=np.int16).reshape(2, 2), "b": (None, "ö")}
    plain = {"1": [False, 0.5], "a": [[0, 1], [2, 3]], "b": [None, "ö"]}
    assert json.loads(as_bytes(data)) == json.loads(as_json(data)) == plain
    assert as_json([1, {"a": "ö"}]) == json.dumps([1, {"a": "ö"}])
    assert as_bytes("\ud800") == b'"?"'
    with pytest.raises(TypeError):
        as_json({"a": object()})
    with pytest.raises(ValueError, match="JSON compliant"):
        as_json(float("nan"))


@pytest.mark.parametrize("is_open", [True, False])
def test_a_token_with_half_a_surrogate_belongs_to_no_game(client, is_open):
    """JSON can have one, UTF-8 can't."""
    (token, _) = client.new_game(None, "random")
    if not is_open:
        client.tables._open.clear()
    odd = token.partition(".")[0] + ".\ud800"
    assert client.call("POST", "/api/own", {"tokens": [odd]}).json == {"stands": [None]}
    assert client.call("POST", "/api/habits", {"tokens": [odd]}).json == {"habits": []}
    with pytest.raises(Refused, match="belongs to no game"):
        client.loop.run_until_complete(TableTools(client.tables, []).observe(odd))


def test_nothing_else_encodes():
    """Each module that encoded by itself had to know what numpy returns."""
    found = []
    for package in ("bloodrage_env", "agents/bloodrage_agents", "training/bloodrage_training"):
        for path in (ROOT / package).rglob("*.py"):
            names = {
                node.attr if isinstance(node, ast.Attribute) else node.name
                for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
                if isinstance(node, ast.Attribute | ast.alias)
            }
            found += [path.name for name in ("dumps", "dump", "JSONResponse", "JSONEncoder") if name in names]
    assert set(found) <= {"encoding.py", "isolated.py", "numba_private.py", "opponents.py"}  # the others pickle
    assert found.count("encoding.py") == 1


@pytest.mark.slow
@pytest.mark.parametrize("game", games.all_names())
def test_all_that_is_sent_of_random_games_is_json(game):
    seeds = SEEDS if game == games.FIRST else range(3)
    counts = Counter()
    for seed in seeds:
        everything.play(game, seed, counts)
    print(dict(counts))
    assert counts["games"] == len(seeds)
    assert counts["log entries"] > 30 * len(seeds)  # a player alone loses soon in random play
    assert counts["views"] > 3 * len(seeds)


@pytest.mark.slow
def test_hints_and_reviews_are_json(monkeypatch):
    monkeypatch.setattr("bloodrage_env.serve.studies.HINT_SIMULATIONS", 4)
    monkeypatch.setattr("bloodrage_env.serve.studies.REVIEW_SIMULATIONS", 1)
    monkeypatch.setattr(everything, "HINTED", 0.05)
    counts, studies = Counter(), Studies("bloodrage")
    everything.play(games.FIRST, 0, counts, studies)
    assert counts["hints"] > 2
    assert counts["reviews"] == 1


# ---- what can't be shown


def test_a_game_with_a_battle_in_which_nobody_has_a_card_opens(tmp_path):
    """The log had a bool of numpy from there on, and each view of the table failed, after a restart too."""
    game, rng = everything.new_game(games.FIRST, NO_CARDS), np.random.default_rng(NO_CARDS)
    game.seats = (Seat(person="", digest=digest_of(TOKEN)), *game.seats[1:])
    while game.number < 302:
        game._play(keen_action(game.states, rng))
    (begun,) = [step for step in game.log(0)[-1]["battle"] if step["step"] == "begin"]
    assert begun["open"] is False
    assert game.states[0].hand_size[game.states[0].in_battle == 1].tolist() == [0, 0]
    with Client(tmp_path) as client:
        game_id = client.tables.storage.new_id()
        client.tables.storage.create(game_id, game)
        assert begun in client.view(f"{game_id}.{TOKEN}")["log"][-1]["battle"]


def fails(*_arguments):
    raise RuntimeError("broken")


def unfit(*arguments):
    """What is told, as the game has it, or what is seen, with something that is not JSON."""
    seats = arguments[2] if isinstance(arguments[2], list) else None
    return {"question": None, "scene": object()} if seats is None else {seat: {"lines": object()} for seat in seats}


@pytest.mark.parametrize("broken", [fails, unfit])
@pytest.mark.parametrize("part", ["entries", "seen"])
@pytest.mark.parametrize("game", games.all_names())
def test_what_can_not_be_shown_costs_no_game(tmp_path, monkeypatch, game, part, broken):
    """The request is refused, one line says why, and the game goes on: what can't be told is left out of the log."""
    with Client(tmp_path, game=game) as client:
        tokens = client.new_game(*[None] * max(2, games.game(game).options.facts()["num_players"].kind.low))
        table = client.table(tokens[0])
        seat = table.game.seat_to_act
        before = table.game.log(seat)
        with monkeypatch.context() as patch:
            patch.setattr(table.game, "page", dataclasses.replace(table.game.page, **{part: broken}))
            action = int(np.flatnonzero(table.game.states[0].mask)[0])
            answer = client.answer(tokens[seat], table.game.number_for(seat), action)
            again = client.call("GET", "/api/seat", token=tokens[seat])
        assert answer.status == again.status == (200 if part == "entries" else 500)
        assert "error" in answer.json or answer.json["log"] == before
        (said,) = client.said
        assert said.startswith(f"game {table.id}: can't ")
        assert "Error: " in said
        assert "\n" not in said
        assert table.game.number + table.game.together.kept(seat) == 1
        assert client.view(tokens[seat])["log"] == table.game.log(seat)
    with Client(tmp_path, game=game) as later:
        assert len(later.view(tokens[seat])["log"]) == 2
        assert later.said == []


def test_a_game_that_can_not_be_opened_is_kept(tmp_path, monkeypatch):
    with Client(tmp_path) as client:
        (token, _) = client.new_game(None, "random")
        client.asked(token)
    with Client(tmp_path) as later:
        with monkeypatch.context() as patch:
            patch.setattr(tables.Game, "from_replay", fails)
            assert later.call("GET", "/api/seat", token=token).status == 500
        assert later.said == [f"game {token[:16]}: can't open it: {BROKEN}"]
        assert later.view(token)["question"] is not None


BROKEN = f"RuntimeError: broken (test_serve_json.py, line {inspect.getsourcelines(fails)[1] + 1})"


def test_a_review_that_fails_is_begun_again(tmp_path, monkeypatch):
    with Client(tmp_path) as client:
        tokens = client.new_game(None, None)
        game = client.game(tokens[0])
        rng = np.random.default_rng(0)
        while not game.over:
            game.play(keen_action(game.states, rng))
        monkeypatch.setattr("bloodrage_env.serve.studies.Reviewer", fails)
        for _ in range(2):
            assert client.call("GET", "/api/seat/review", token=tokens[0]).json["done"] == 0
            client.loop.run_until_complete(asyncio.wait([client.table(tokens[0])._review]))
            assert client.call("GET", "/api/seat/review", token=tokens[0]).status == 500
        (said,) = client.said
        assert "can't show the review: RuntimeError: broken" in said
