"""Hints at a table, the review of a game that is over, and games that go on from a step of it."""

import asyncio
import random

import pytest

pytest.importorskip("starlette")

from serve_client import Client, play

from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.options import Options
from bloodrage_env.serve.games import Game, Refused, Seat, digest_of
from bloodrage_env.serve.storage import Storage
from bloodrage_env.terminal.text import random_action


@pytest.fixture(autouse=True)
def short_searches(monkeypatch):
    monkeypatch.setattr("bloodrage_env.serve.studies.HINT_SIMULATIONS", 20)
    monkeypatch.setattr("bloodrage_env.serve.studies.REVIEW_SIMULATIONS", 4)


# ---- hints


def test_a_person_alone_gets_a_hint(client):
    (token, _) = client.new_game(None, "random")
    view = client.asked(token)
    assert view["hints"] == [0]
    choices = {choice["action"]: choice["text"] for choice in view["question"]["choices"]}
    answer = client.hint(token, view["question"]["number"])
    assert answer.status == 200
    assert answer.headers["cache-control"] == "no-store"
    hint = answer.json
    assert (hint["number"], hint["seat"]) == (view["question"]["number"], 0)
    assert hint["best"] == hint["search"][0][0]
    assert sum(visits for _, visits, *_ in hint["search"]) <= 20
    assert sum(hint["wins"]) == pytest.approx(1000, abs=2)
    assert {action: text for action, _, text in hint["network"]}.items() <= choices.items()
    assert client.hint(token, view["question"]["number"]).body == answer.body


def test_a_question_is_analysed_once(client, monkeypatch):
    (token, _) = client.new_game(None, "random")
    number = client.asked(token)["question"]["number"]
    first = client.hint(token, number)
    monkeypatch.setattr(client.tables.studies, "hint", None)
    assert client.hint(token, number).body == first.body


def test_who_is_not_asked_gets_no_hint(client):
    one, two = client.new_game(None, None)
    for token in (one, two):
        client.allow(token)
    while client.game(one).shown.at_once(client.game(one).states):  # both are asked
        play(client, (one, two), random.Random(1), 1)
    asked, other = (one, two) if client.view(one)["question"] else (two, one)
    number = client.view(asked)["question"]["number"]
    answers = {client.hint(other, guess).body for guess in (number - 1, number, number + 1)}
    assert answers == {b'{"error":"you are not asked now"}'}
    assert client.hint(asked, number + 1).status == 409
    assert client.hint(asked, number).status == 200


def test_a_hint_that_waits_for_another_is_for_the_open_question(client):
    (token, _) = client.new_game(None, "random", first_game=True)
    question, table = client.asked(token)["question"], client.table(token)

    async def answered_meanwhile():
        async with table._studying:
            hint = asyncio.create_task(table.hint(0, question["number"]))
            await asyncio.sleep(0)
            await table.answer(0, question["number"], question["choices"][0]["action"])
        with pytest.raises(Refused, match=r"^(that question is answered already|you are not asked now)$"):
            await hint

    client.loop.run_until_complete(answered_meanwhile())


def test_hints_are_for_tables_where_everybody_allows_them(client):
    one, two, _ = client.new_game(None, None, "random")
    asked = one if client.asked(one)["question"] else two
    number = client.view(asked)["question"]["number"]
    refused = client.hint(asked, number)
    assert refused.status == 403
    assert "everybody at the table has to allow them" in refused.json["error"]
    assert client.allow(one).json["hints"] == [0]
    assert client.hint(asked, number).status == 403
    client.allow(two)
    assert client.view(one)["hints"] == [0, 1]
    assert client.hint(asked, number).status == 200
    client.allow(one, False)
    assert client.view(two)["hints"] == [1]
    assert client.hint(asked, number).status == 403


def test_who_allows_hints_survives_a_restart(client):
    one, two = client.new_game(None, None)
    client.allow(two)
    with Client(client.folder) as later:
        assert later.view(one)["hints"] == [1]


def test_hints_and_branches_take_what_they_know(client):
    (token, _) = client.new_game(None, "random")
    for path, body in [
        ("hint", {"number": "1"}),
        ("hint", {"number": 1, "more": 2}),
        ("allow", {"hints": 1}),
        ("branch", {"step": 1.5, "seat": 0}),
        ("branch", {"step": 1}),
    ]:
        assert client.call("POST", f"/api/seat/{path}", body, token).status == 422
    for method, path in [("POST", "hint"), ("POST", "allow"), ("POST", "branch"), ("GET", "game"), ("GET", "review")]:
        body = {"number": 0} if method == "POST" else None
        assert client.call(method, f"/api/seat/{path}", body, "nobody").status == 401


# ---- after the game


def over(client, people=1, others=("random",)):
    """A game that is over, played at random; returns the tokens of the people, and the game."""
    tokens = ["a" * 20, "b" * 20][:people]
    seats = [Seat(person="", digest=digest_of(token)) for token in tokens] + [Seat(agent=agent) for agent in others]
    game = Game(seats, 4, Options(len(seats), first_game=True, skip_forced=False))
    rng = random.Random(4)
    while not game.over:
        game.play(random_action(game.states, rng))
    storage = Storage(client.folder, "bloodrage")
    game_id = storage.new_id()
    storage.create(game_id, game)
    return [f"{game_id}.{token}" for token in tokens], game


def reviewed(client, token):
    """The answers to the question for a review, to the last one."""
    answers = []
    while not answers or "decisions" not in answers[-1]:
        answer = client.call("GET", "/api/seat/review", token=token)
        assert answer.status == 200
        answers.append(answer.json)
    return answers


@pytest.mark.slow
def test_a_review_tells_how_far_it_is_and_then_all(client):
    (token,), game = over(client)
    answers = reviewed(client, token)
    total = game.number
    done = [answer["done"] for answer in answers[:-1]]
    assert done == sorted(done)
    assert {answer["total"] for answer in answers[:-1]} == {total}
    study = answers[-1]
    assert len(study["decisions"]) == total
    assert len(study["course"]) == total + 1
    states = game.replay().at(-1)
    scores = engine.scores(states, 0)
    assert study["course"][-1][int(scores.argmax())] >= 500
    assert reviewed(client, token) == [study]  # not made a second time
    page = client.call("GET", "/api/seat/game", token=token).json
    assert page["actions"] == list(game.replay().actions)
    assert page["study"] is None


def test_a_review_shows_every_hand_and_waits_for_the_end(client):
    (token, _) = client.new_game(None, "random")
    client.asked(token)
    for path in ("game", "review"):
        answer = client.call("GET", f"/api/seat/{path}", token=token)
        assert answer.status == 409
        assert "when the game is over" in answer.json["error"]
    assert client.call("POST", "/api/seat/branch", {"step": 1, "seat": 0}, token).status == 409


def branch(client, token, step, seat):
    return client.call("POST", "/api/seat/branch", {"step": step, "seat": seat}, token)


def asked_with_a_choice(states, seat):
    return engine.seat_to_act(states, 0) == seat and states[0].num_legal > 1


def test_a_game_goes_on_from_a_step(client):
    (token,), game = over(client)
    choices = [step for step, states in enumerate(game.replay().states()) if asked_with_a_choice(states, 0)]
    step = choices[len(choices) // 2]
    answer = branch(client, token, step, 0)
    assert answer.status == 201
    later = answer.json["token"]
    assert later.partition(".")[0] != token.partition(".")[0]
    view = client.view(later)
    new = client.game(later)
    assert view["question"]["number"] == new.number_for(0)
    assert new.number == step  # and nothing has been played beyond it
    assert new.replay().actions == game.replay().actions[:step]
    assert new.replay().seed == game.replay().seed
    assert view["players"] == client.view(token)["players"]
    assert view["hints"] == [0]
    play(client, [later, None], random.Random(1))
    assert client.view(later)["scene"]["over"]
    assert client.game(token).number == game.number  # the game that it came from is as it was


def test_a_branch_may_be_played_from_another_clan(client):
    """Agents then play for all other people: the strongest level on offer, here there is none but random moves."""
    (one, two), _ = over(client, people=2)
    later = branch(client, two, 3, 2).json["token"]
    players = client.view(later)["players"]
    assert [each["agent"] for each in players] == ["random", "random", None]
    assert client.view(later)["seat"] == 2
    assert client.call("GET", "/api/seat", token=f"{later.partition('.')[0]}.{one.partition('.')[2]}").status == 401


def test_a_branch_is_a_game_of_the_visitor(client, monkeypatch):
    (token,), game = over(client)
    monkeypatch.setattr("bloodrage_env.serve.tables.MAX_GAMES_OF_VISITOR", 1)
    for step, seat in [(-1, 0), (game.number, 0), (0, 2), (0, -1)]:
        assert branch(client, token, step, seat).status == 422
    assert branch(client, token, 0, 0).status == 201
    assert branch(client, token, 0, 0).status == 429


def test_a_branch_survives_a_restart(client):
    (token,), _ = over(client)
    later = branch(client, token, 5, 0).json["token"]
    view = client.asked(later)
    with Client(client.folder) as again:
        assert again.view(later)["scene"] == view["scene"]


def test_a_server_that_stops_ends_its_reviews(client):
    (token,), _ = over(client)
    assert "done" in client.call("GET", "/api/seat/review", token=token).json
    client.loop.run_until_complete(client.tables.close())
    assert client.table(token)._review.cancelled()


# ---- the talk with language models

TALK = [
    {
        "step": 3, "seat": 1, "action": 0, "tries": 1, "refused": [], "prompt_tokens": 9, "answer_tokens": 3,
        "cost": 0.0, "seconds": 1.5, "random": False,
        "messages": [{"role": "user", "content": "very secret"}, {"role": "assistant", "content": "Answer: 0"}],
    }
]  # fmt: skip


def with_talk(client, token):
    """The same game with a transcript beside it."""
    client.tables.storage.save_talk(token.partition(".")[0], TALK)
    return client.call("GET", "/api/seat/talk", token=token)


def test_the_talk_with_language_models_is_sent_after_the_game(client):
    tokens, _ = over(client, people=2)
    assert client.call("GET", "/api/seat/talk", token=tokens[0]).json["lines"] == []
    for token in tokens:
        assert with_talk(client, token).json == {"lines": TALK, "seats": ["Wolf", "Bear", "Serpent"]}
    assert client.call("GET", "/api/seat/talk", token="nobody").status == 401


def test_nobody_reads_the_talk_while_the_game_goes_on(client):
    """A transcript contains what its seat knows; the file is written during the game too."""
    link, tokens = client.new_table("one", "two")
    (alone, _) = client.new_game(None, "random")
    watched = client.call("POST", "/api/games", {"seats": [{"agent": "random"}] * 2, "options": {}}).json["watch"]
    client.table(watched)._driver.cancel()
    for token in (link, *tokens, alone, watched):
        answer = with_talk(client, token)
        assert answer.status == 409
        assert b"secret" not in answer.body
        for path in ("", "/replay", "/game", "/review"):
            assert b"very secret" not in client.call("GET", f"/api/seat{path}", token=token).body


def test_a_game_that_goes_on_from_a_step_has_no_talk_of_the_one_before(client):
    (token,), _ = over(client)
    with_talk(client, token)
    later = branch(client, token, 5, 0).json["token"]
    assert client.call("GET", "/api/seat/talk", token=later).status == 409
    play(client, [later, None], random.Random(1))
    assert client.call("GET", "/api/seat/talk", token=later).json["lines"] == []


def test_a_damaged_talk_is_one_line(client):
    (token,), _ = over(client)
    path = client.folder / f"{token.partition('.')[0]}.talk.jsonl"
    path.write_text("{\n", encoding="utf-8")
    answer = client.call("GET", "/api/seat/talk", token=token)
    assert answer.status == 500
    assert "can't show the talk with language models" in answer.json["error"]
    (said,) = client.said
    assert "line 1 is not JSON" in said
    assert client.call("GET", "/api/seat/game", token=token).status == 200
