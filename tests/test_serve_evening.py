"""After a game: the next one of the same people, and the results of the games so far."""

import random
from types import SimpleNamespace

import numpy as np
import pytest

pytest.importorskip("starlette")

from serve_client import Client, play

from bloodrage_env import games
from bloodrage_env.core.shown.table_page import PUBLIC
from bloodrage_env.serve.evening import result

FIRST_GAME = {"first_game": True}


def rematch(client, token):
    return client.call("POST", "/api/seat/rematch", {}, token)


def over(client, *players):
    """A table whose game is over: its link and tokens."""
    link, tokens = client.new_table(*players)
    play(client, tokens, random.Random(3))
    return link, tokens


@pytest.fixture
def client(tmp_path):
    with Client(tmp_path) as client:
        yield client


def test_the_next_game_has_the_same_people_one_seat_further(client):
    link, tokens = over(client, "Ann", "Ben", "Cid")
    answers = [rematch(client, token) for token in tokens]
    assert [answer.status for answer in answers] == [201] * 3
    new = [answer.json["token"] for answer in answers]
    assert {token.partition(".")[0] for token in new} != {token.partition(".")[0] for token in tokens}
    assert len({token.partition(".")[0] for token in new}) == 1  # who asks later joins the game of the first
    views = [client.view(token) for token in new]
    assert [view["seat"] for view in views] == [1, 2, 0]
    assert [player["person"] for player in views[0]["players"]] == ["Cid", "Ann", "Ben"]
    assert client.game(new[0]).replay().seed != client.game(tokens[0]).replay().seed
    watched = f"{new[0].partition('.')[0]}.{link.partition('.')[2]}"  # who watches finds it by the view of the old game
    assert client.view(watched)["seat"] == PUBLIC
    assert rematch(client, link).json["token"] == watched


def test_the_results_go_with_the_people(client):
    _, tokens = over(client, "Ann", "Ben")
    scores = client.view(tokens[0])["scene"]["clans"]
    for _ in range(2):
        results = client.view(tokens[0])["evening"]["results"]
        new = [rematch(client, token).json["token"] for token in tokens]
        view = client.view(new[0])
        assert view["evening"]["results"] == [*results[:-1], results[-1] | {"game": tokens[0].partition(".")[0]}]
        assert client.view(tokens[0])["evening"]["next"]
        play(client, new, random.Random(4))
        tokens = new
    first = client.view(tokens[0])["evening"]["results"][0]
    assert first["scores"] == [clan["glory"] for clan in scores]
    assert first["winners"] == [first["scores"].index(max(first["scores"]))]


def test_all_of_it_survives_a_restart(client):
    _, tokens = over(client, "Ann", "Ben")
    new = rematch(client, tokens[0]).json["token"]
    with Client(client.folder) as later:
        assert later.view(new)["evening"] == client.view(new)["evening"]
        assert rematch(later, tokens[1]).json["token"].partition(".")[0] == new.partition(".")[0]


def test_links_of_earlier_games_are_made_of_the_own_secret(client):
    """Nobody is given a link of another one."""
    _, tokens = over(client, "Ann", "Ben")
    new = rematch(client, tokens[0]).json["token"]
    game = client.view(new)["evening"]["results"][0]["game"]
    assert f"{game}.{new.partition('.')[2]}" == tokens[0]
    for token in tokens:
        body = client.call("GET", "/api/seat", token=new).body.decode()
        assert token.partition(".")[2] not in body


def test_a_rematch_that_can_not_be_is_refused(client):
    link, tokens = client.new_table("Ann", "Ben")
    early = rematch(client, tokens[0])
    assert (early.status, early.json["error"]) == (409, "the game goes on: play it to its end first")
    play(client, tokens, random.Random(3))
    assert rematch(client, link).status == 409  # who watches begins none
    assert rematch(client, "0" * 16 + ".x").status == 401
    for bad in (b"", b"[]", b"nonsense", b'{"x": 1}'):
        answer = client.call("POST", "/api/seat/rematch", bad, tokens[0], content_type="application/json")
        assert answer.status in (400, 422)
        assert len(answer.json["error"].splitlines()) == 1
    assert client.view(tokens[0])["evening"]["next"] is False


def test_an_agent_that_played_for_a_person_gives_the_seat_back(client):
    _, tokens = client.new_table("Ann", "Ben")
    client.loop.call_soon(client.table(tokens[0]).presence.gone, 1)
    assert client.call("POST", "/api/seat/vote", {"seat": 1, "agree": True}, tokens[0]).json["players"][1]["agent"]
    play(client, tokens[:1], random.Random(3))
    new = rematch(client, tokens[0]).json["token"]
    assert [player["agent"] for player in client.view(new)["players"]] == [None, None]


@pytest.mark.parametrize(
    ("name", "scores", "winners"),
    [
        ("bloodrage", [40, 41], (1,)),
        ("bloodrage", [40, 40], (0, 1)),  # both have won (rules 5)
        ("berserk", [0, 0], ()),
        ("berserk_team", [1, -1, 1, -1], (0, 2)),
        ("berserk_laar", [-1], ()),
        ("berserk_laar", [1], (0,)),
    ],
)
def test_who_has_won(name, scores, winners):
    rules = SimpleNamespace(play=SimpleNamespace(scores=lambda *_: np.array(scores)), rewards=games.game(name).rewards)
    assert result("", SimpleNamespace(rules=rules, states=None)).winners == winners
