"""The folder of games: they survive a restart, damaged ones are said to be, and a full one stops no game."""

import random

import pytest

pytest.importorskip("starlette")

from serve_client import Client, play

from bloodrage_env.serve.storage import Storage


@pytest.fixture
def client(tmp_path):
    with Client(tmp_path / "games") as client:
        yield client


NO_TURN = {"held": None, "undo": [], "revealed": False, "number": None}  # what was to be taken back is lost


def test_games_survive_a_restart(client):
    tokens = client.new_game(None, "random", None)
    play(client, tokens, random.Random(8), 40)
    people = [tokens[0], tokens[2]]
    client.asked(people[0])
    views = [client.view(token) for token in people]
    with Client(client.folder) as later:
        for token, view in zip(people, views, strict=True):
            assert later.view(token) == view | {"turn": NO_TURN}
        play(later, tokens, random.Random(9))
        assert later.view(people[0])["scene"]["over"]


def test_damaged_games_are_said_to_be(client):
    (token, _) = client.new_game(None, "random")
    client.asked(token)
    game_id = token.partition(".")[0]
    for name, content in [
        (f"{game_id}.json", b"{}"),
        (f"{game_id}.json", b'{"format":2,"seats":[{}, 3],"watcher":null}'),
        (f"{game_id}.brz", b"nonsense"),
    ]:
        path = client.folder / name
        kept = path.read_bytes()
        path.write_bytes(content)
        with Client(client.folder) as later:
            answer = later.call("GET", "/api/seat", token=token)
            assert answer.status == 410
            assert later.said
        path.write_bytes(kept)


def test_a_folder_that_can_not_be_written_stops_no_game(client, monkeypatch):
    (token, _) = client.new_game(None, "random")
    question = client.asked(token)["question"]

    def full(*_arguments):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Storage, "save", full)
    assert client.answer(token, question["number"], question["choices"][0]["action"]).status == 200
    assert "No space left" in client.said[-1]
    assert client.call("POST", "/api/games", {"seats": [{"person": ""}] * 2, "options": {}}).status == 507


def test_the_folder_is_not_filled(client, monkeypatch):
    monkeypatch.setattr("bloodrage_env.serve.tables.MAX_GAMES", 2)
    client.new_game(None, None)
    client.new_game(None, None)
    assert client.call("POST", "/api/games", {"seats": [{"person": ""}] * 2, "options": {}}).status == 507
