"""A person who leaves a table is replaced by an agent by the vote of the others, and can come back."""

import asyncio
import random

import pytest

pytest.importorskip("starlette")

from serve_client import Client, acting

GAMES = ["bloodrage", "berserk"]


def vote(client, token, seat, agree=True):
    return client.call("POST", "/api/seat/vote", {"seat": seat, "agree": agree}, token)


def back(client, token, undo=False):
    return client.call("POST", "/api/seat/back", {"undo": undo}, token)


def here(client, token):
    return client.call("POST", "/api/seat/here", {}, token)


def leave(client, token, seat):
    """Have the person of a seat be gone for a while."""
    client.loop.call_soon(client.table(token).presence.gone, seat)


def replaced(client, token, seat):
    """Vote that an agent plays for a person who has left."""
    leave(client, token, seat)
    return vote(client, token, seat)


def notes(client, token):
    return [text for entry in client.view(token)["log"] for kind, text in entry["lines"] if kind == "note"]


def answered(client, token):
    """Give the first answer to the open question of a seat."""
    question = client.view(token)["question"]
    answer = client.answer(token, question["number"], question["choices"][0]["action"])
    assert answer.status == 200
    return client.asked(token)


def to_question_of(client, seat, tokens):
    """Answer for all others until this seat alone is to act."""
    rng, game = random.Random(2), client.game(tokens[0])
    while acting(game) != seat or game.held is not None:
        if game.held is not None:
            game.end_turn(game.held, game.number_for(game.held))
            continue
        acts = acting(game)
        if acts >= len(tokens):  # an agent
            client.asked(tokens[0])
            continue
        choice = rng.choice(client.view(tokens[acts])["question"]["choices"])
        assert client.answer(tokens[acts], game.number_for(acts), choice["action"]).status == 200


def test_an_agent_plays_for_a_person_until_the_person_comes_back(client):
    _, tokens = client.new_table("Ann", "Ben")
    to_question_of(client, 1, tokens)
    number = client.game(tokens[0]).number
    assert replaced(client, tokens[0], 1).json["players"][1]["agent"] == "random"
    client.asked(tokens[0])
    game = client.game(tokens[0])
    assert game.number > number
    assert game.seat_to_act == 0
    assert client.view(tokens[1])["question"] is None
    assert notes(client, tokens[1]) == [f"{game.names[1]} is away: random plays until its person comes back."]
    assert back(client, tokens[1]).json["players"][1]["agent"] is None
    to_question_of(client, 1, tokens)
    assert client.view(tokens[1])["question"]


def test_who_is_replaced_survives_a_restart(client):
    _, tokens = client.new_table("Ann", "Ben")
    replaced(client, tokens[0], 1)
    with Client(client.folder, game=client.tables.storage.game) as later:
        assert later.view(tokens[0])["players"][1]["agent"] == "random"
        assert later.view(tokens[0])["players"][1]["person"] == "Ben"
        assert back(later, tokens[1]).status == 200


def test_all_others_who_are_here_have_to_agree(tmp_path):
    with Client(tmp_path) as client:
        _, tokens = client.new_table("Ann", "Ben", "Cid")
        for token in tokens:
            client.view(token)
        assert vote(client, tokens[0], 2).json["players"][2]["votes"] == [0]
        assert client.view(tokens[2])["players"][2]["agent"] is None
        assert vote(client, tokens[0], 2, agree=False).json["players"][2]["votes"] == []
        vote(client, tokens[1], 2)
        assert client.view(tokens[2])["players"][2]["agent"] is None
        assert replaced(client, tokens[0], 2).json["players"][2]["agent"] == "random"
        assert replaced(client, tokens[0], 1).json["players"][1]["agent"] == "random"  # who is away has no vote


def test_votes_of_people_who_are_gone_carry_nothing(tmp_path):
    """The last one to go would be replaced by the vote of one who went before."""
    with Client(tmp_path) as client:
        _, tokens = client.new_table("Ann", "Ben", "Cid")
        for token in tokens:
            client.view(token)
        vote(client, tokens[0], 2)
        for seat in range(3):
            leave(client, tokens[0], seat)
        client.loop.run_until_complete(asyncio.sleep(0))
        assert client.game(tokens[0]).people == [0, 1, 2]
        assert client.view(tokens[0])["players"][2]["agent"] == "random"  # who votes is here again


def test_a_seat_that_nobody_has_taken_is_played_by_an_agent_until_somebody_takes_it(client):
    seats = [{"person": "Ann"}, {"visitor": True}]
    data = client.call("POST", "/api/games", {"seats": seats, "options": {}}).json
    assert vote(client, data["tokens"][0], 1).json["players"][1]["free"]
    ben = client.claim(data["watch"], 1, "Ben").json["token"]
    assert client.view(ben)["players"][1]["agent"] is None


def test_a_vote_that_can_not_be_is_refused(client):
    link, tokens = client.new_table("Ann", "Ben")
    for answer, status in (
        (vote(client, link, 1), 409),
        (vote(client, tokens[0], 0), 409),
        (vote(client, tokens[0], 7), 422),
        (back(client, tokens[1]), 409),
        (back(client, link), 409),
    ):
        assert answer.status == status
        assert len(answer.json["error"].splitlines()) == 1
    replaced(client, tokens[0], 1)
    assert vote(client, tokens[1], 0).status == 409  # an agent plays for this person
    assert client.answer(tokens[1], 0, 0).status == 409


def test_answers_given_ahead_count_and_a_turn_that_is_held_ends(tmp_path):
    with Client(tmp_path) as client:
        _, tokens = client.new_table("Ann", "Ben", "Cid")
        game = client.game(tokens[0])
        ahead = next(seat for seat in range(3) if seat != game.seat_to_act)
        others = [seat for seat in range(3) if seat != ahead]
        action = client.view(tokens[ahead])["question"]["choices"][0]["action"]
        client.answer(tokens[ahead], 0, action)
        for other in others:
            replaced(client, tokens[other], ahead)
        assert game.seats[ahead].agent == "random"
        for other in others:
            answered(client, tokens[other])
        assert action in game.replay().actions[:3]


def test_a_thought_of_an_agent_is_dropped_when_the_person_is_back(tmp_path):
    with Client(tmp_path) as client:
        _, tokens = client.new_table("Ann", "Ben")
        to_question_of(client, 1, tokens)
        client.table(tokens[0])._goes_on.clear()  # its move waits
        replaced(client, tokens[0], 1)
        number = client.game(tokens[0]).number
        back(client, tokens[1])
        client.table(tokens[0])._goes_on.set()
        client.asked(tokens[0])
        assert client.game(tokens[0]).number == number
        assert client.view(tokens[1])["question"]
