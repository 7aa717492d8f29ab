"""A person who is at the table is asked before an agent plays for them, and can undo what the agent did."""

import asyncio
import random
import time
from types import SimpleNamespace

import pytest

pytest.importorskip("starlette")

from serve_client import AGENTS, Client, acting
from test_serve_leave import back, here, leave, notes, replaced, to_question_of, vote

from bloodrage_env import games
from bloodrage_env.serve import games as served
from bloodrage_env.serve import presence, table
from bloodrage_env.serve.revealed import is_revealing
from bloodrage_env.serve.seating import Seat
from bloodrage_env.serve.tools import TableTools

GAMES = ["bloodrage", "berserk"]


@pytest.fixture
def impatient(monkeypatch):
    """The time to answer is over as soon as the loop runs."""
    monkeypatch.setattr(table, "CALL_SECONDS", 0.0)


def called(client, token, seat=1):
    return client.view(token)["players"][seat]["until"]


def at_table(client):
    """A table of two, both of them there."""
    link, tokens = client.new_table("Ann", "Ben")
    to_question_of(client, 1, tokens)
    client.view(tokens[1])
    return link, tokens


def test_who_is_there_is_asked_first_and_all_see_until_when(client):
    link, tokens = at_table(client)
    number = client.game(tokens[0]).number
    player = vote(client, tokens[0], 1).json["players"][1]
    assert player["agent"] is None
    left = player["until"] / 1000 - time.time()
    assert 0 < left <= table.CALL_SECONDS
    assert called(client, tokens[0]) == called(client, tokens[1]) == called(client, link) == player["until"]
    assert client.game(tokens[0]).number == number
    assert called(client, tokens[0], 0) is None


def test_an_answer_ends_the_call_and_the_vote_waits_a_while(client):
    _, tokens = at_table(client)
    vote(client, tokens[0], 1)
    player = here(client, tokens[1]).json["players"][1]
    assert (player["until"], player["votes"], player["agent"]) == (None, [], None)
    again = vote(client, tokens[0], 1)
    assert again.status == 409
    assert "just said to be here: you can vote again in" in again.json["error"]
    client.table(tokens[0])._shown_up[1] -= table.REST_SECONDS
    assert vote(client, tokens[0], 1).json["players"][1]["until"] is not None


def test_a_move_ends_the_call(client):
    _, tokens = at_table(client)
    vote(client, tokens[0], 1)
    client.view(tokens[1])  # a page that asks for news is not an answer
    assert called(client, tokens[0]) is not None
    question = client.view(tokens[1])["question"]
    client.answer(tokens[1], question["number"], question["choices"][0]["action"])
    assert called(client, tokens[0]) is None
    assert client.view(tokens[0])["players"][1]["votes"] == []


def test_a_vote_that_is_withdrawn_ends_the_call(client, impatient):
    _, tokens = at_table(client)

    async def both():  # before the loop runs on
        client.table(tokens[0]).vote(0, 1, True)
        client.table(tokens[0]).vote(0, 1, False)
        await asyncio.sleep(0.01)

    client.loop.run_until_complete(both())
    player = client.view(tokens[0])["players"][1]
    assert (player["until"], player["agent"]) == (None, None)


def test_who_does_not_answer_is_replaced(client, impatient):
    _, tokens = at_table(client)
    assert vote(client, tokens[0], 1).json["players"][1]["agent"] is None
    player = client.view(tokens[0])["players"][1]
    assert (player["agent"], player["until"]) == ("random", None)


def test_a_voter_who_is_replaced_no_longer_counts(tmp_path):
    with Client(tmp_path) as client:
        _, tokens = client.new_table("Ann", "Ben", "Cid")
        client.view(tokens[1])
        client.view(tokens[2])
        vote(client, tokens[0], 2)
        assert called(client, tokens[0], 2) is None
        vote(client, tokens[2], 1)
        replaced(client, tokens[0], 1)
        assert called(client, tokens[0], 2) is None  # the vote of Cid was an act, which dropped the vote
        vote(client, tokens[0], 2)
        assert called(client, tokens[0], 2) is not None
        back(client, tokens[1])
        assert called(client, tokens[0], 2) is None  # one of two who are here


def until_undoable(client, tokens):
    """Play, with an agent at seat 1, until what it did can be undone. Return the view of its person."""
    rng = random.Random(1)
    for _ in range(300):
        to_question_of(client, 1, tokens)
        before = client.game(tokens[0]).moment, client.game(tokens[0]).states.tobytes(), client.view(tokens[1])["log"]
        replaced(client, tokens[0], 1)
        view = client.asked(tokens[1])
        if view["players"][1]["undoable"]:
            return before
        assert back(client, tokens[1], undo=True).status == 409
        assert back(client, tokens[1]).status == 200
        if client.game(tokens[0]).seat_to_act == 1 and client.view(tokens[1])["question"]:
            question = client.view(tokens[1])["question"]
            client.answer(tokens[1], question["number"], rng.choice(question["choices"])["action"])
    raise AssertionError("never")


def test_what_the_agent_did_is_undone(client):
    _, tokens = client.new_table("Ann", "Ben")
    moment, states, log = until_undoable(client, tokens)
    game = client.game(tokens[0])
    assert game.number > moment[1]
    view = back(client, tokens[1], undo=True).json
    assert view["players"][1]["agent"] is None
    assert game.number >= moment[1]
    if game.number == moment[1]:  # nothing that it did revealed anything
        assert game.states.tobytes() == states
        assert view["log"][: len(log)] == log
    assert "What the agent did is taken back." in notes(client, tokens[0])[-1]
    assert view["question"] is not None
    assert client.view(tokens[1])["players"][1]["undoable"] == 0


def test_what_the_agent_did_stays_after_another_person_has_answered(tmp_path):
    with Client(tmp_path) as client:
        _, tokens = client.new_table("Ann", "Ben")
        until_undoable(client, tokens)
        question = client.view(tokens[0])["question"]
        client.answer(tokens[0], question["number"], question["choices"][0]["action"])
        number = client.game(tokens[0]).number
        assert client.view(tokens[1])["players"][1]["undoable"] == 0
        assert back(client, tokens[1], undo=True).status == 409
        assert client.game(tokens[0]).number == number
        assert back(client, tokens[1]).status == 200


def test_a_thought_from_before_an_undo_is_dropped(tmp_path):
    with Client(tmp_path) as client:
        data = client.call(
            "POST", "/api/games", {"seats": [{"visitor": True}, {"visitor": True}, {"agent": "random"}], "options": {}}
        ).json
        ann, ben = (client.claim(data["watch"], seat, name).json["token"] for seat, name in ((0, "Ann"), (1, "Ben")))
        tokens, game = [ann, ben], client.game(ann)
        rng = random.Random(3)
        for _ in range(400):
            while game.seat_to_act == 2 or game.held is not None:
                client.asked(ann)
                client.asked(ben)
            if game.seat_to_act == 1 and not game.shown.secret(game.states):
                leave(client, ann, 1)
                client.table(ann)._goes_on.clear()
                vote(client, ann, 1)
                first = game.seats[1].agent
                assert first == "random"
                client.table(ann)._goes_on.set()
                client.asked(ann)
                if client.view(ben)["players"][1]["undoable"]:
                    break
                back(client, ben)
                continue
            token = tokens[acting(game)]
            view = client.view(token)
            client.answer(token, view["question"]["number"], rng.choice(view["question"]["choices"])["action"])
        agents = dict(client.table(ann)._agents)
        assert back(client, ben, undo=True).status == 200
        assert not set(map(id, agents.values())) & set(map(id, client.table(ann)._agents.values()))
        client.asked(ben)
        replay = game.replay()
        replay.verify()


def test_a_thought_about_a_question_that_is_undone_is_dropped(tmp_path, monkeypatch):
    """Of the agent of another seat: the question that is open then is not its own."""
    with Client(tmp_path) as client:
        seats = [{"visitor": True}, {"visitor": True}, {"agent": "random"}]
        link = client.call("POST", "/api/games", {"seats": seats, "options": {}}).json["watch"]
        tokens = [client.claim(link, seat, name).json["token"] for seat, name in enumerate(("Ann", "Ben"))]
        at, moments = client.table(tokens[0]), []
        think = at._thought

        async def thought(seat):
            action = await think(seat)
            if seat == 2 and at.game.leaving.undoable(1):
                at.come_back(1, undo=True)
                moments.append(at.game.moment)
            return action

        monkeypatch.setattr(at, "_thought", thought)
        while not moments:
            to_question_of(client, 1, tokens)
            replaced(client, tokens[0], 1)
            client.asked(tokens[0])
            back(client, tokens[1])
        assert moments == [at.game.moment]
        assert client.view(tokens[1])["question"]


def test_what_only_the_person_has_seen_is_not_undone():
    """A hand that the agent has had dealt again."""
    for answer, undoable in (("keep the deal", 1), ("deal again, one card fewer", 0)):
        game = served.Game([Seat("Ann", "a"), Seat("Ben", "b")], 6, games.options_from("berserk", skip_forced=False))
        game.play(int(game.states[0].mask.argmax()))  # who is first
        seat, actions = game.seat_to_act, game.states[0].mask.nonzero()[0].tolist()
        game.leaving.replace(seat, "random")
        game.play(next(each for each in actions if game.shown.action_text(game.states, 0, each) == answer))
        assert game.leaving.undoable(seat) == undoable


def test_who_keeps_asking_is_here_until_a_minute_after_the_last_request(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(presence, "time", SimpleNamespace(monotonic=lambda: now[0]))

    async def looks():
        found, who = [], presence.Presence(lambda: None)
        for moment, asks in ((0, True), (40, True), (70, False), (99, False), (101, False)):
            now[0] = moment
            who.came(1) if asks else who._look(1)
            found.append(who.is_here(1))
        return found

    assert asyncio.run(looks()) == [True, True, True, True, False]


def test_a_call_of_a_tool_drops_the_vote_and_takes_the_seat_back(client):
    _, tokens = at_table(client)
    tools = TableTools(client.tables, AGENTS)
    vote(client, tokens[0], 1)
    client.loop.run_until_complete(tools.observe(tokens[1]))
    assert called(client, tokens[0]) is None
    client.table(tokens[0])._shown_up.clear()
    replaced(client, tokens[0], 1)
    client.loop.run_until_complete(tools.observe(tokens[1]))
    assert client.view(tokens[0])["players"][1]["agent"] is None


def test_notes_are_bounded(client):
    _, tokens = client.new_table("Ann", "Ben")
    to_question_of(client, 0, tokens)
    for _ in range(2 * served.MAX_NOTES):
        assert replaced(client, tokens[0], 1).status == 200
        assert back(client, tokens[1]).status == 200
    for token in tokens:
        assert len(notes(client, token)) == served.MAX_NOTES
    assert notes(client, tokens[0])[-1].endswith("is played by its person again.")


@pytest.mark.parametrize(("name", "players"), [("bloodrage", 3), ("berserk", 2)])
def test_what_reveals_hidden_information(name, players):
    """What all can foresee reveals nothing; an unknown card out of a hand, and dice, reveal something."""
    rules, rng, found, hidden = games.game(name), random.Random(0), {True: 0, False: 0}, 0
    recorder = games.recorder(rules.options(num_players=players), 5, ["a"] * players)
    while not rules.play.is_over(recorder.states, 0):
        states = recorder.states
        action = rng.choice([int(each) for each in states[0].mask.nonzero()[0]])
        if not games.presentation(name).secret(states):
            reveals = is_revealing(rules, states, action, range(players))
            found[reveals] += 1
            others = [each for each in range(players) if each != states[0].seat]
            after = rules.play.clone(states, 0)
            rules.play.apply(after, 0, action)
            unknown = any(not rules.redeal(states, 0, other, 99)[0].mask[action] for other in others)
            rolls = name == "berserk" and (after[0].chance != states[0].chance).any()
            hidden += unknown or rolls
            assert reveals or not (unknown or rolls)
        recorder.apply(action)
    assert min(found[True], found[False], hidden) > 5
