"""A table that visitors join: one link, by which seats are taken by name and public information is watched."""

import logging
import random
import re

import pytest

pytest.importorskip("starlette")

from serve_client import Client, play

from bloodrage_env.commands.serve import outward
from bloodrage_env.core.shown.table_page import PUBLIC
from bloodrage_env.games.bloodrage.options import Options
from bloodrage_env.serve.games import Game
from bloodrage_env.serve.links import Links
from bloodrage_env.serve.seating import Seat
from bloodrage_env.terminal.text import random_action

GAMES = ["bloodrage", "berserk"]
BEGUN = [{"person": "Ann"}, {"visitor": True}]


def begun(client, seats=BEGUN):
    answer = client.call("POST", "/api/games", {"seats": seats, "options": {}})
    assert answer.status == 201
    return answer.json["watch"], answer.json["tokens"]


def refused(answer, status, text):
    assert answer.status == status
    assert answer.json == {"error": text}


def test_whoever_begins_a_table_has_no_seat_of_a_visitor(client):
    link, tokens = begun(client)
    assert tokens[1] is None
    assert [each["free"] for each in client.view(tokens[0])["players"]] == [False, True]
    assert client.view(link)["seat"] == PUBLIC


def test_a_free_seat_is_claimed_once_and_played(client):
    link, (ann, _) = begun(client)
    clan = client.game(link).names[1]
    answer = client.claim(link, 1, " Ben ")
    assert answer.status == 201
    refused(client.claim(link, 1, "Eve"), 409, f"{clan} is taken: choose another seat")
    refused(client.claim(link, 0, "Eve"), 409, f"{client.game(link).names[0]} is taken: choose another seat")
    ben = answer.json["token"]
    shown = {
        "clan": clan,
        "person": "Ben",
        "agent": None,
        "free": False,
        "here": False,
        "votes": [],
        "undoable": 0,
        "until": None,
    }
    assert client.view(ann)["players"][1] == shown
    play(client, [ann, ben], random.Random(2), 12)
    assert client.game(link).number > 11
    game, rng = client.game(link), random.Random(3)
    while not game.over:
        if game.held is not None:
            game.end_turn(game.held, game.number_for(game.held))
        else:
            game.play(random_action(game.states, rng))
    assert client.view(link)["scene"]["over"]
    assert client.call("GET", "/api/seat/replay", token=link).status == 200


def test_a_claim_that_can_not_be_is_refused_in_a_line(client):
    link, (ann, _) = begun(client)
    refused(client.claim(ann, 1, "Eve"), 409, "a seat is taken with the link of the table")
    for seat in (-1, 2, 99):
        refused(client.claim(link, seat, "Eve"), 422, "there is no such seat")
    refused(client.claim(link, 1, " "), 422, "who takes a seat needs a name: fill it in")
    for name in ("a\nb", "x" * 25):
        refused(client.claim(link, 1, name), 422, "a name has at most 24 characters, all of them visible")
    link, _ = begun(client, [{"agent": "random"}, {"visitor": True}])
    clan = client.game(link).names[0]
    refused(client.claim(link, 0, "Eve"), 409, f"{clan} is played by an agent: choose another seat")
    answer = client.call("POST", "/api/games", {"seats": [{"visitor": False}] * 2, "options": {}})
    assert answer.status == 422


def test_claimed_and_free_seats_survive_a_restart(client):
    link, _ = begun(client, [{"visitor": True}] * 2)
    ann = client.claim(link, 0, "Ann").json["token"]
    with Client(client.folder, game=client.tables.storage.game) as later:
        assert [each["person"] for each in later.view(ann)["players"]] == ["Ann", ""]
        assert later.claim(link, 0, "Eve").status == 409
        assert later.claim(link, 1, "Ben").status == 201
    with Client(client.folder, game=client.tables.storage.game) as latest:
        assert [each["person"] for each in latest.view(link)["players"]] == ["Ann", "Ben"]


def test_a_free_seat_has_its_turn_to_wait_for(client):
    """The game begins, and asks the visitor once there is one."""
    link, (ann, _) = begun(client)
    game = client.game(link)
    while game.seat_to_act == 0:
        game.play(random_action(game.states, random.Random(1)))
        if game.held is not None:
            game.end_turn(0, game.number_for(0))
    assert game.seat_to_act == 1
    assert client.view(client.claim(link, 1, "Ben").json["token"])["question"]
    assert client.view(ann)["players"][1]["person"] == "Ben"


def test_who_watches_has_no_part_in_the_game(client):
    link, _ = begun(client)
    number = client.game(link).number
    for answer in (
        client.answer(link, 0, 0),
        client.undo(link, 0, 0),
        client.end(link, 0),
        client.hint(link, 0) if client.tables.studies else client.end(link, 0),
        client.call("POST", "/api/seat/pace", {"milliseconds": 0, "paused": True}, link),
        client.call("GET", "/api/seat/replay", token=link),
    ):
        assert answer.status in (403, 409)
    assert client.game(link).number == number


def forced_questions(watcher):
    """Questions with one answer, which only the hand tells, that a person among agents is asked in a few games."""
    rng, found = random.Random(4), 0
    for seed in range(2):
        game = Game([Seat("", "digest"), Seat(agent="random")], seed, Options(2, skip_forced=False), watcher)
        while not game.over:
            if game.held is not None:
                game.end_turn(game.held, game.number_for(game.held))
                continue
            one = game.seat_to_act == 0 and game.states[0].num_legal == 1
            found += bool(one and not game.rules.play.is_openly_forced(game.states, 0))
            game.play(random_action(game.states, rng))
    return found


def test_a_person_with_a_spectator_is_asked_though_there_is_one_answer():
    """How fast a forced answer comes would tell the spectator of it."""
    assert forced_questions("digest of the link") > 0
    assert forced_questions(None) == 0


def test_tokens_are_in_no_log_and_no_file(client, caplog, capfd):
    caplog.set_level(logging.DEBUG)
    link, tokens = client.new_table("Ann", "Ben")
    client.claim(link, 1, "Eve")
    client.call("GET", "/api/seat/link", token=link)
    client.call("GET", "/api/seat/link", token="nobody." + tokens[0])
    out = capfd.readouterr()
    said = "\n".join([*client.said, caplog.text, out.out, out.err])
    written = b"".join(path.read_bytes() for path in client.folder.iterdir())
    for token in (link, *tokens):
        secret = token.partition(".")[2]
        assert secret not in said
        assert secret.encode() not in written


# ---- links


def link_of(client, token, **headers):
    answer = client.call("GET", "/api/seat/link", token=token, **headers)
    assert answer.status == 200
    return answer.json


def test_the_link_of_a_table_and_of_a_seat(client):
    link, (ann, _) = begun(client)
    assert link_of(client, link)["link"] == f"http://localhost/join#{link}"
    there = link_of(client, ann, host="127.0.0.1:8017")
    assert there["link"] == f"http://127.0.0.1:8017/play#{ann}"
    assert there["open"] is False
    assert link_of(client, ann, host="[::1]:8017")["link"] == f"http://[::1]:8017/play#{ann}"
    for host in ("localhost:x", "localhost:99999", "evil.example"):
        assert client.call("GET", "/api/seat/link", token=ann, host=host).status == 403


def test_others_are_given_the_address_by_which_they_reach_the_server():
    links = Links("A game", True, "http://192.168.1.5:8017")
    assert links.link("localhost:8017", "/join#a")["link"] == "http://192.168.1.5:8017/join#a"
    assert links.link("10.0.0.1:8017", "/join#a")["link"] == "http://10.0.0.1:8017/join#a"
    assert outward("10.0.0.1") == "10.0.0.1"
    assert re.fullmatch(r"[\d.]+", outward("0.0.0.0"))


def test_a_qr_code_is_one(client):
    """Three corners of it have the marks by which cameras find a code."""
    pytest.importorskip("segno")
    link, _ = begun(client)
    rows = link_of(client, link)["code"]
    mark = ["1111111", "1000001", "1011101", "1011101", "1011101", "1000001", "1111111"]
    assert len({len(row) for row in rows} | {len(rows)}) == 1
    assert [row[:7] for row in rows[:7]] == [row[-7:] for row in rows[:7]] == [row[:7] for row in rows[-7:]] == mark


def test_without_the_library_there_is_no_code(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "segno", None)
    assert Links("A game", False, None).link("localhost", "/join#a")["code"] is None
