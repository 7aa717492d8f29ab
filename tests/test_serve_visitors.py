"""How many games a visitor may begin, and which ones make room for others."""

import os
import time

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from serve_client import Client

from bloodrage_env.serve.tables import IDLE, IDLE_OF_VISITOR, MAX_GAMES, MAX_GAMES_OF_VISITOR

GAME = {"seats": [{"person": ""}] * 2, "options": {"first_game": True}}


def fill(client):
    """Begin games until one is refused: (the tokens, the refusal)."""
    tokens = []
    while len(tokens) <= MAX_GAMES:
        answer = client.call("POST", "/api/games", GAME)
        if answer.status != 201:
            return tokens, answer
        tokens.append(answer.json["tokens"][0])
    raise AssertionError("there is no limit")


def make_idle(client, token, seconds):
    client.table(token).asked_at -= seconds


def is_there(client, token):
    return client.call("GET", "/api/seat", token=token).status == 200


def test_one_visitor_can_not_fill_the_folder(client):
    client.address = "10.0.0.1"
    tokens, refusal = fill(client)
    assert len(tokens) == MAX_GAMES_OF_VISITOR < MAX_GAMES
    assert refusal.status == 429
    assert refusal.json == {"error": "you have begun 50 games here: play those, or come back in an hour"}
    assert len(client.tables.storage.ids()) == len(tokens)
    client.address = "10.0.0.2"
    assert client.call("POST", "/api/games", GAME).status == 201


def test_addresses_of_one_household_are_one_visitor(client):
    client.address = "2001:db8::1"
    fill(client)
    client.address = "2001:db8::5:0:0:2"
    assert client.call("POST", "/api/games", GAME).status == 429
    client.address = "2001:db8:0:1::1"
    assert client.call("POST", "/api/games", GAME).status == 201


def test_the_longest_idle_game_of_a_visitor_makes_room(client):
    other = client.new_game(None, None)[0]
    make_idle(client, other, 10 * IDLE_OF_VISITOR)
    client.address = "10.0.0.1"
    tokens, _ = fill(client)
    for token in tokens:
        make_idle(client, token, 2 * IDLE_OF_VISITOR)
    make_idle(client, tokens[7], 1)
    assert is_there(client, tokens[0])  # it is in use again
    assert client.call("POST", "/api/games", GAME).status == 201
    gone = tokens.pop(7)
    assert client.call("GET", "/api/seat", token=gone).status == 401
    assert not list(client.folder.glob(f"{gone.partition('.')[0]}*"))
    assert all(is_there(client, token) for token in [other, *tokens])
    assert "nobody had asked for in 2 h" in client.said[-1]
    assert client.call("POST", "/api/games", GAME).status == 429


@pytest.mark.parametrize("restarted", [False, True])
def test_a_full_folder_has_room_again_once_a_game_is_idle(client, monkeypatch, restarted):
    monkeypatch.setattr("bloodrage_env.serve.tables.MAX_GAMES", 2)
    tokens = [client.new_game(None, None)[0] for _ in range(2)]
    assert client.call("POST", "/api/games", GAME).status == 507
    with Client(client.folder) as later:
        used = later if restarted else client
        if restarted:
            assert used.call("POST", "/api/games", GAME).status == 507
            set_saved_at(used, tokens[1], IDLE + 60)
        else:
            make_idle(used, tokens[1], IDLE + 60)
        assert used.call("POST", "/api/games", GAME).status == 201
        assert [is_there(used, token) for token in tokens] == [True, False]


def set_saved_at(client, token, seconds):
    path = client.folder / f"{token.partition('.')[0]}.brz"
    os.utime(path, (time.time() - seconds,) * 2)


def test_a_game_that_can_not_be_removed_makes_no_room(client, monkeypatch):
    tokens, _ = fill(client)

    def refuse(*_arguments):
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(client.tables.storage, "remove", refuse)
    make_idle(client, tokens[0], 2 * IDLE_OF_VISITOR)
    assert client.call("POST", "/api/games", GAME).status == 429
    assert is_there(client, tokens[0])
    assert client.said == ["can't remove a game: [Errno 30] Read-only file system"]
