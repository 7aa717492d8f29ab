"""The server of games: who is asked what, what changes, what is taken back, and agents that play along."""

import random
import re

import pytest

pytest.importorskip("starlette")

from serve_client import Client, play

from bloodrage_env.games.bloodrage.replay import Replay

# ---- a game


def test_a_whole_game_of_one_person_and_agents(client):
    tokens = client.new_game("random", None, "random")
    assert [token is None for token in tokens] == [True, False, True]
    play(client, tokens, random.Random(1))
    view = client.view(tokens[1])
    assert view["scene"]["over"]
    assert view["question"] is None
    assert [sum(row) for row in view["glory"]] == [clan["glory"] for clan in view["scene"]["clans"]]
    answer = client.call("GET", "/api/seat/replay", token=tokens[1])
    assert answer.headers["content-disposition"].endswith('.brz"')
    assert Replay.from_bytes(answer.body).verify()[0].over


def test_two_people_see_each_others_moves_and_not_their_cards(client):
    one, two = client.new_game(None, None, first_game=True)
    for seat, token in enumerate((one, two)):
        clans = client.view(token)["scene"]["clans"]
        assert len(clans[seat]["private"]["hand"]) == 8
        assert clans[1 - seat]["private"] is None
    first = one if client.view(one)["question"] else two
    other = two if first == one else one
    tag = client.call("GET", "/api/seat", token=other).headers["etag"]
    question = client.view(first)["question"]
    assert client.answer(first, question["number"], question["choices"][-1]["action"]).status == 200
    news = client.call("GET", "/api/seat", token=other, if_none_match=tag)
    assert news.status == 200
    assert question["choices"][-1]["text"] in news.json["log"][-1]["lines"][0][1]


def test_who_waits_is_told_of_news(client):
    (token, _) = client.new_game(None, "random")
    answer = client.call("GET", "/api/seat", token=token)
    same = client.call("GET", "/api/seat", token=token, if_none_match=answer.headers["etag"])
    assert same.status in (200, 304)  # the agent may have played meanwhile
    client.asked(token)
    answer = client.call("GET", "/api/seat", token=token)
    same = client.call("GET", "/api/seat", token=token, if_none_match=answer.headers["etag"], prefer="wait=0")
    assert (same.status, same.body) == (304, b"")
    old = client.call("GET", "/api/seat", token=token, if_none_match='"old"', prefer="wait=20")
    assert (old.status, old.body) == (200, answer.body)


def test_views_of_a_seat_are_numbered(client):
    tokens = client.new_game(None, None, first_game=True)

    def tags():
        answers = [client.call("GET", "/api/seat", token=token) for token in tokens]
        found = [re.fullmatch(r'"(\w{16})-(\d+)"', answer.headers["etag"]).groups() for answer in answers]
        return {started for started, _ in found}, [int(number) for _, number in found]

    tags()  # that a seat comes is news for the others
    started, numbers = tags()
    assert tags() == (started, numbers)
    seat = next(seat for seat, token in enumerate(tokens) if client.view(token)["question"])
    question = client.view(tokens[seat])["question"]
    answer = client.answer(tokens[seat], question["number"], question["choices"][-1]["action"])
    assert tags() == (started, [number + 1 for number in numbers])
    assert answer.headers["etag"].endswith(f'-{numbers[seat] + 1}"')
    assert client.call("GET", "/api/seat", token=tokens[seat], if_none_match=answer.headers["etag"]).status == 304
    weak = f"W/{answer.headers['etag']}"  # as a proxy that compresses sends it on
    assert client.call("GET", "/api/seat", token=tokens[seat], if_none_match=weak).status == 304
    with Client(client.folder) as again:
        assert again.call("GET", "/api/seat", token=tokens[seat]).headers["etag"].split("-")[0][1:] not in started


def test_what_a_choice_says_and_touches(client):
    (token, _) = client.new_game(None, "random", first_game=True)
    question = client.asked(token)["question"]
    invades = [choice for choice in question["choices"] if choice["group"] == "invade with the leader (free)"]
    assert invades
    assert all(choice["place"] is not None and choice["kind"] == 0 and choice["target"] for choice in invades)
    assert [choice["text"] for choice in question["choices"] if choice["name"] == "PASS"] == ["pass"]


def test_forced_questions_of_the_only_person_are_answered_for_them(client):
    tokens = client.new_game(None, "random")
    rng = random.Random(5)
    while not (view := client.asked(tokens[0]))["scene"]["over"]:
        assert len(view["question"]["choices"]) > 1
        action = rng.choice(view["question"]["choices"])["action"]
        assert client.answer(tokens[0], view["question"]["number"], action).status == 200


@pytest.mark.slow
def test_questions_about_a_hand_are_asked_of_several_people_though_forced(client):
    """Else an answer that comes at once would tell what is not in the hand."""
    forced = set()
    for game in range(4):
        tokens = client.new_game(None, None)
        rng = random.Random(game)
        while not client.view(tokens[0])["scene"]["over"]:
            token, view = next((t, v) for t in tokens if (v := client.view(t))["question"])
            if len(view["question"]["choices"]) == 1:
                forced.add(view["scene"]["question"]["decision"])
            action = rng.choice(view["question"]["choices"])["action"]
            client.answer(token, view["question"]["number"], action)
            client.asked(token)
    assert forced
    assert forced <= {"DRAFT", "BATTLE_CARD", "LATE_CARD", "KEEP_CARD", "ACTION"}


# ---- taking back


def find_march(client, token):
    """Play on until a march can be begun; its view and action."""
    while True:
        view = client.asked(token)
        choices = view["question"]["choices"]
        marches = [choice for choice in choices if choice["origin"] is not None]
        if marches:
            return view, marches[0]["action"]
        leaders = [choice for choice in choices if choice["kind"] == 0 and choice["place"] is not None]
        chosen = (leaders or choices)[0]
        client.answer(token, view["question"]["number"], chosen["action"])


def march_that_asks(client, token):
    """As `find_march`, of a leader with a warrior beside it, so that it has to be said who goes."""
    for _ in range(2):
        view = client.asked(token)
        invade = next(c for c in view["question"]["choices"] if c["kind"] in (0, 1) and c["place"] == free_place(view))
        client.answer(token, view["question"]["number"], invade["action"])
    return find_march(client, token)


def test_a_choice_within_a_move_can_be_taken_back(client):
    (token, _) = client.new_game(None, "random", first_game=True)
    view, march = march_that_asks(client, token)
    before = client.game(token).number
    client.answer(token, before, march)
    during = client.view(token)
    assert during["turn"] == {"held": None, "undo": [before], "revealed": False, "number": before + 1}
    assert len(during["log"]) == len(view["log"]) + 1
    assert client.undo(token, before + 1, before - 1).status == 409
    assert client.undo(token, before + 1, before).status == 200
    assert client.view(token) == view
    assert client.undo(token, before, before).status == 409
    assert client.view(token) == view


def free_place(view):
    return next(
        p
        for p, entry in enumerate(view["scene"]["places"][:8])
        if not entry["destroyed"]
        and p in {choice["place"] for choice in view["question"]["choices"]}
        and len(entry["figures"]) < 3
    )


def test_nothing_is_taken_back_once_others_have_acted(client):
    (token, _) = client.new_game(None, "random", first_game=True)
    view = client.asked(token)
    pass_on = view["question"]["choices"][0]
    client.answer(token, view["question"]["number"], pass_on["action"])
    later = client.asked(token)
    assert later["turn"] == {"held": None, "undo": [], "revealed": False, "number": None}
    answer = client.undo(token, later["question"]["number"], view["question"]["number"])
    assert (answer.status, client.view(token)) == (409, later)


def test_a_turn_lasts_until_it_is_ended(client):
    """Nobody else is asked before; then nothing can be taken back."""
    first, second, _ = client.new_game(None, None, "random", first_game=True)
    tokens = {0: first, 1: second}
    game = client.game(first)
    client.view(second)
    while game.states[0].seat not in tokens:
        client.asked(first)
    seat = int(game.states[0].seat)
    own, other = tokens[seat], tokens[1 - seat]
    before, number = client.view(own), game.number
    invade = next(c for c in before["question"]["choices"] if c["kind"] == 0)
    client.answer(own, number, invade["action"])
    client.loop.run_until_complete(client.table(own)._drive())  # the agents have nothing to do
    held = client.view(own)
    assert held["turn"] == {"held": seat, "undo": [number], "revealed": False, "number": number + 1}
    assert held["question"] is None
    assert client.view(other)["question"] is None
    assert client.view(other)["turn"] == {"held": seat, "undo": [], "revealed": False, "number": None}
    assert game.number == number + 1
    for token, asked, status in ((other, number + 1, 409), (own, number, 409), (own, number + 1, 200)):
        assert client.undo(token, asked, number).status == status
    assert client.view(own) == before
    client.answer(own, number, invade["action"])
    assert client.end(other, number + 1).status == 409
    assert client.end(own, number).status == 409
    assert client.end(own, number + 1).status == 200
    assert client.end(own, number + 1).status == 409
    assert client.undo(own, number + 1, number).status == 409
    assert game.held is None


def test_what_was_revealed_is_not_taken_back(client, monkeypatch):
    """A choice after that can be, one before it can't, and the view says why."""
    (token, _) = client.new_game(None, "random", first_game=True)
    view, march = march_that_asks(client, token)
    number = view["question"]["number"]
    with monkeypatch.context() as patch:
        patch.setattr(client.game(token), "_reveals", lambda *_: True)
        client.answer(token, number, march)
    during = client.view(token)
    assert during["turn"] == {"held": None, "undo": [], "revealed": True, "number": None}
    assert client.undo(token, number + 1, number).status == 409
    client.answer(token, number + 1, during["question"]["choices"][-1]["action"])
    assert client.view(token)["turn"]["undo"] == [number + 1]
    assert client.view(token)["turn"]["revealed"]


def test_a_choice_in_secret_is_made_once(client):
    """It is taken back only as long as somebody has still to choose: here who keeps two cards, the second one."""
    (token, _) = client.new_game(None, "random")
    view = client.asked(token)
    assert view["scene"]["question"]["decision"] == "DRAFT"
    client.answer(token, view["question"]["number"], view["question"]["choices"][0]["action"])
    assert client.view(token)["turn"] == {"held": None, "undo": [0], "revealed": False, "number": 1}
    client.answer(token, 1, client.view(token)["question"]["choices"][0]["action"])
    assert client.view(token)["turn"] == {"held": None, "undo": [], "revealed": False, "number": None}


# ---- agents


def test_an_agent_that_fails_is_replaced_and_everybody_sees_it(client, monkeypatch):
    from bloodrage_env.errors import UserError
    from bloodrage_env.serve import table

    real = table.opponent

    def failing(spec, *rest):
        if spec == "broken":
            raise UserError("Bear (broken) can't play: it is broken.")
        return real(spec, *rest)

    monkeypatch.setattr(table, "opponent", failing)
    client.tables.agents = ("broken",)
    (token, _) = client.new_game(None, "broken")
    play(client, [token], random.Random(3), 20)
    notes = [text for entry in client.view(token)["log"] for kind, text in entry["lines"] if kind == "note"]
    assert notes == ["Bear (broken) can't play: it is broken. Random moves from here on."]


def test_ten_games_at_once(client):
    tokens = [client.new_game("random", None, "random", "random")[1] for _ in range(10)]
    rng = random.Random(4)
    for token in tokens * 3:
        question = client.asked(token)["question"]
        assert client.answer(token, question["number"], rng.choice(question["choices"])["action"]).status == 200
