"""The folder of games: they survive a restart, damaged ones are said to be, and a full one stops no game."""

import asyncio
import os
import random
import re
import types

import numpy as np
import pytest

pytest.importorskip("starlette")

from serve_client import Client, acting, play

from bloodrage_env.commands.serve import report_as
from bloodrage_env.games.bloodrage.engine import Decision
from bloodrage_env.games.bloodrage.options import Options
from bloodrage_env.serve import tables
from bloodrage_env.serve.games import Game
from bloodrage_env.serve.seating import Seat, digest_of
from bloodrage_env.serve.storage import Storage


def ordered(view):
    """A view with the lines of its log in one order: a person reads an own choice when it is made, and after a restart
    where the game asked for it. Who is here is not compared, nor what can be taken back, which is lost.
    """
    players = [player | {"here": None} for player in view["players"]]
    return view | {
        "log": sorted(line for entry in view["log"] for line in entry["lines"]),
        "players": players,
        "turn": None,
    }


def test_games_survive_a_restart(client):
    tokens = client.new_game(None, "random", None)
    play(client, tokens, random.Random(8), 40)
    people = [tokens[0], tokens[2]]
    for token in people:
        client.asked(token)
    views = [client.view(token) for token in people]
    with Client(client.folder) as later:
        for token, view in zip(people, views, strict=True):
            assert ordered(later.view(token)) == ordered(view)
        play(later, tokens, random.Random(9))
        assert later.view(people[0])["scene"]["over"]


def test_damaged_games_are_said_to_be(client):
    (token, _) = client.new_game(None, "random")
    client.asked(token)
    game_id = token.partition(".")[0]
    saved = (client.folder / f"{game_id}.json").read_bytes()
    for name, content in [
        (f"{game_id}.json", b"{}"),
        (f"{game_id}.json", b'{"format":4,"seats":[{}, 3],"watcher":null,"ahead":[0,[]],"earlier":[],"rematch":null}'),
        (f"{game_id}.json", re.sub(rb'"digest": ?"[^"]*', '"digest": "\u00e9'.encode(), saved)),
        (f"{game_id}.json", re.sub(rb'"watcher": ?null', rb'"watcher": "\\u00e9"', saved)),
        (f"{game_id}.brz", b"nonsense"),
    ]:
        path = client.folder / name
        kept = path.read_bytes()
        assert content != kept
        path.write_bytes(content)
        with Client(client.folder) as later:
            answer = later.call("GET", "/api/seat", token=token)
            assert answer.status == 410
            assert later.said[0].startswith("can't load a game")
        path.write_bytes(kept)


def test_a_file_of_a_game_that_is_not_played_so_is_refused(client):
    """In which forced questions are not asked, or which has another number of seats."""
    (token, _) = client.new_game(None, "random")
    game_id, seats = token.partition(".")[0], client.game(token).seats
    for options in (Options(2, skip_forced=True), Options(3, skip_forced=False)):
        client.tables.storage.save(game_id, Game((seats * 2)[: options.num_players], 1, options))
        with Client(client.folder) as later:
            assert later.call("GET", "/api/seat", token=token).status == 410
            assert "and its replay don't fit together" in later.said[0]


def test_unfinished_files_of_a_server_that_was_killed_are_removed(client):
    """Only those: other files stay."""
    (token, _) = client.new_game(None, "random")
    game_id = token.partition(".")[0]
    ours = [f".{game_id}{suffix}.0123abcd" for suffix in (".brz", ".json", ".talk.jsonl")]
    others = [f".{game_id}.brz", ".x.brz.0123abcd", f".{game_id}.brz.0123abcde", f"{game_id}.talk.jsonl", "notes.txt"]
    for name in ours + others:
        (client.folder / name).write_bytes(b"")
    with Client(client.folder) as later:
        later.view(token)
    left = {path.name for path in client.folder.iterdir()}
    assert left == {*others, f"{game_id}.brz", f"{game_id}.json"}


def test_a_game_is_opened_once(client):
    """By two who ask for it at the same time."""
    (token, _) = client.new_game(None, "random")
    with Client(client.folder) as later:

        async def both():
            return await asyncio.gather(later.tables.find(token), later.tables.find(token))

        (one, _), (other, _) = later.loop.run_until_complete(both())
        assert one is other is later.table(token)


def test_a_game_that_is_removed_while_it_is_opened_is_not_opened(client, monkeypatch):
    (token, _) = client.new_game(None, "random")
    with Client(client.folder) as later:
        storage = later.tables.storage
        load = storage.load

        def loaded(game_id):
            game = load(game_id)
            storage.remove(game_id)
            return game

        monkeypatch.setattr(storage, "load", loaded)
        assert later.call("GET", "/api/seat", token=token).status == 401
        assert later.tables._open == {}


@pytest.fixture
def disk(monkeypatch):
    """A disk of which a test says whether it is `full`."""
    sync = os.fsync

    def write(handle):
        if disk.full:
            raise OSError(28, "No space left on device")
        sync(handle)

    disk = types.SimpleNamespace(full=False)
    monkeypatch.setattr(os, "fsync", write)
    monkeypatch.setattr(tables, "SAVE_SECONDS", 0.02)
    return disk


def begun(client, *seats):
    """The tokens and a game that waits for seat 0."""
    tokens = client.new_game(*seats)
    client.asked(tokens[0])
    return tokens, client.game(tokens[0])


def answer(client, tokens, game):
    """The first choice of who is asked; what the server returns."""
    seat = acting(game)
    action = int(np.flatnonzero(game.asked(seat)[0].mask)[0])
    answer = client.answer(tokens[seat], game.number_for(seat), action)
    assert answer.status == 200
    return answer.json


def kept(client, token):
    """How many moves the file of a game has."""
    return len(client.tables.storage.load(token.partition(".")[0]).replay())


def test_a_game_that_can_not_be_saved_is_saved_later(client, disk):
    """The page shows it as long as it lasts, and the log of the server when it begins and ends."""
    tokens, game = begun(client, None, "random")
    before = kept(client, tokens[0])
    disk.full = True
    for _ in range(2):  # the cards that are kept in a round of the draft
        assert answer(client, tokens, game)["saved"] is False
    client.asked(tokens[0])
    assert client.view(tokens[0])["saved"] is False
    assert client.call("POST", "/api/games", {"seats": [{"person": ""}] * 2, "options": {}}).status == 507
    client.loop.run_until_complete(asyncio.sleep(0.05))
    assert kept(client, tokens[0]) == before < game.number
    waiting = client.call("GET", "/api/seat", token=tokens[0]).headers["etag"]
    disk.full = False
    news = client.call("GET", "/api/seat", token=tokens[0], if_none_match=waiting, prefer="wait=20")
    assert news.json["saved"] is True
    assert kept(client, tokens[0]) == game.number
    first, refused, last = client.said
    assert "can't be saved: [Errno 28] No space left on device" in first
    assert "can't save" in refused
    assert last.endswith("is saved again")
    assert {path.suffix for path in client.folder.iterdir()} == {".brz", ".json"}
    assert len(list(client.folder.iterdir())) == 2  # nothing is left of the game that could not be begun


def test_a_server_that_stops_saves_what_it_could_not_save(client, disk):
    games = [begun(client, None, "random") for _ in range(5)]
    disk.full = True
    for tokens, game in games:
        answer(client, tokens, game)
        client.asked(tokens[0])
    disk.full = False
    client.loop.run_until_complete(client.tables.close())
    assert [kept(client, tokens[0]) for tokens, _ in games] == [game.number for _, game in games]


def test_consent_to_hints_is_saved_later(client, disk):
    tokens, _ = begun(client, None, None)
    disk.full = True
    assert client.allow(tokens[1]).json["saved"] is False
    disk.full = False
    client.loop.run_until_complete(asyncio.sleep(0.1))
    assert client.view(tokens[1])["saved"] is True
    assert client.tables.storage.load(tokens[0].partition(".")[0]).hints == [1]


def test_that_an_answer_in_secret_is_not_saved_is_not_shown_to_the_others(client, disk):
    """It would tell that another one has answered; nor is it that one was saved again."""
    tokens, game = begun(client, None, None, None)
    disk.full = True
    before = client.call("GET", "/api/seat", token=tokens[2])
    assert answer(client, tokens, game)["saved"] is False
    client.loop.run_until_complete(asyncio.sleep(0.05))
    assert client.call("GET", "/api/seat", token=tokens[2]) == before
    assert answer(client, tokens, game)["saved"] is False
    assert answer(client, tokens, game)["saved"] is False  # all have chosen, or others still do
    while game.shown.secret(game.states):
        answer(client, tokens, game)
    assert [client.view(token)["saved"] for token in tokens] == [False] * 3


def test_that_the_last_answer_in_secret_is_not_saved_is_shown_to_all(client, disk):
    tokens, game = begun(client, None, None)
    # In the last of three rounds of the draft, each keeps two cards.
    while game.states[0].draft_round < 2 or sum(len(actions) for _, actions in game.together.ahead[1]) < 3:
        answer(client, tokens, game)
    disk.full = True
    answer(client, tokens, game)
    assert not game.shown.secret(game.states)
    assert [client.view(token)["saved"] for token in tokens] == [False] * 2


def test_a_removed_game_is_not_saved_again(client, disk):
    tokens, game = begun(client, None, "random")
    table = client.table(tokens[0])
    disk.full = True
    answer(client, tokens, game)
    client.tables._remove_idle([table.id], -1)
    disk.full = False
    table.changed(0)
    client.loop.run_until_complete(asyncio.sleep(0.05))
    assert list(client.folder.iterdir()) == []


def test_a_terminal_that_can_not_be_written_stops_nothing(monkeypatch):
    """The log of the server may be a file of the full disk."""

    class Full:
        def write(self, _text):
            raise OSError(28, "No space left on device")

        flush = write

    monkeypatch.setattr("sys.stderr", Full())
    report_as("serve")("can't save")


def test_the_folder_is_not_filled(client, monkeypatch):
    monkeypatch.setattr("bloodrage_env.serve.tables.MAX_GAMES", 2)
    client.new_game(None, None)
    client.new_game(None, None)
    assert client.call("POST", "/api/games", {"seats": [{"person": ""}] * 2, "options": {}}).status == 507


def test_answers_given_ahead_survive_a_restart(client):
    """Where all choose at once, the cards that a person has chosen already are chosen after a restart too."""
    tokens = client.new_game(None, None, None)
    ahead = tokens[1]
    client.asked(tokens[0])
    question = client.view(ahead)["question"]
    client.answer(ahead, question["number"], question["choices"][0]["action"])
    view = client.view(ahead)
    with Client(client.folder) as later:
        assert ordered(later.view(ahead)) == ordered(view)


def reloaded(tmp_path, game):
    """The game as it is after a restart."""
    storage = Storage(tmp_path, "bloodrage")
    storage.create("0" * 16, game)
    return storage.load("0" * 16)


def three_people(seed, first_game=False):
    seats = [Seat(person="", digest=digest_of(str(seat))) for seat in range(3)]
    return Game(seats, seed, Options(3, skip_forced=False, first_game=first_game))


def test_a_battle_in_which_somebody_has_one_card_survives_a_restart(tmp_path):
    """That card is kept ahead of all choices, after a restart too: it is not given a second time."""
    for seed in range(51, 150):
        game, rng = three_people(seed, first_game=True), np.random.default_rng(seed)
        while not game.over and game.number < 150:
            if game.held is not None:
                game.end_turn(game.held, game.number_for(game.held))
                continue
            seat = acting(game)
            game.answer(seat, game.number_for(seat), int(rng.choice(np.flatnonzero(game.asked(seat)[0].mask))))
            if game.states[0].decision == Decision.BATTLE_CARD and game.together.ahead[1]:
                forced = [seat for seat, _ in game.together.ahead[1] if game.states[0].hand_size[seat] == 1]
                if forced and acting(game) not in forced:
                    assert reloaded(tmp_path, game).together.ahead == game.together.ahead
                    return
    raise AssertionError("no battle with an openly forced card")


def test_an_answer_ahead_of_who_is_replaced_by_an_agent_stops_no_restart(tmp_path):
    game = three_people(1)
    game.answer(1, game.number_for(1), int(np.flatnonzero(game.asked(1)[0].mask)[0]))
    game.leaving.replace(1, "random")
    assert reloaded(tmp_path, game).seats == game.seats
