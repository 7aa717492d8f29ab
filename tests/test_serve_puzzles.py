"""Puzzles at a table: those that come with a game, and costly decisions of a review."""

import asyncio
import dataclasses
import time
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("starlette")

from serve_client import Client

from bloodrage_agents.base import View
from bloodrage_env import games
from bloodrage_env.core.shown.puzzles import Position, load
from bloodrage_env.core.shown.table_page import WATCHER, Habit
from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.table_page.story import entries
from bloodrage_env.serve import studies
from bloodrage_env.serve.plain import page_of
from bloodrage_env.study import Judged
from tests.random_play import keen_action
from tests.test_serve_study import over

SIZE = 200 * 1024  # bytes of a file of puzzles
AGENTS = {"balanced": True, "loki": False}


@pytest.fixture(autouse=True)
def short_searches(monkeypatch):
    monkeypatch.setattr(studies, "REVIEW_SIMULATIONS", 8)


def position(seed=3, wanted=lambda s: s.age == 0 and s.decision == engine.Decision.ACTION and s.num_legal > 3):
    """A question of a random game as a puzzle, whose best answer is the second one."""
    recorder = games.recorder(games.options_from("bloodrage", num_players=3, skip_forced=False), seed)
    rng = np.random.default_rng(seed)
    while not wanted(recorder.states[0]):
        recorder.apply(keen_action(recorder.states, rng))
    best = int(np.flatnonzero(recorder.states[0].mask)[1])
    replay = recorder.replay()
    return Position(replay.seed, replay.options, replay.actions, "Wolf takes an action", best, AGENTS)


def with_puzzles(client, *positions):
    client.tables.page = dataclasses.replace(client.tables.page, puzzles=lambda: positions)
    return positions


def solve(client, number=0):
    answer = client.call("POST", "/api/puzzles", {"number": number})
    assert answer.status == 201
    return answer.json["token"]


def at(client, token, way):
    return client.call("POST", "/api/seat/puzzle", {"way": way}, token)


def answered(client, token, action):
    view = client.view(token)
    assert client.answer(token, view["question"]["number"], action).status == 200
    return client.view(token)


def worse(client, token, best):
    return next(each["action"] for each in client.view(token)["question"]["choices"] if each["action"] != best)


def test_puzzles_are_listed_with_how_many_agents_solve_them(client):
    with_puzzles(client, position())
    listed = client.call("GET", "/api/puzzles").json
    assert listed == {"puzzles": [{"about": "Wolf takes an action", "solved": 1, "of": 2}], "today": 0}
    assert b"best" not in client.call("GET", "/api/puzzles").body
    assert client.call("GET", "/puzzles").status == 200


def test_the_best_answer_solves_a_puzzle_and_agents_wait(client):
    (each,) = with_puzzles(client, position())
    token = solve(client)
    puzzle = client.view(token)["puzzle"]
    assert puzzle == {
        "title": "Puzzle 1", "number": 0, "answered": False, "shown": False, "grade": None, "agents": {},
    }  # fmt: skip
    view = answered(client, token, each.best)
    assert view["puzzle"]["answered"]
    assert view["puzzle"]["agents"] == {}
    puzzle = at(client, token, "grade").json["puzzle"]
    assert puzzle["grade"]["solved"]
    assert puzzle["grade"]["is_best"]
    assert puzzle["grade"]["line"][0][1] == puzzle["grade"]["best"]
    assert puzzle["agents"] == AGENTS
    assert client.game(token).seat_to_act != 0 or client.game(token).held is not None
    number = client.game(token).number
    assert client.table(token)._driver.done()  # the agents have been asked for nothing
    assert client.game(token).number == number


def test_another_answer_is_graded_taken_back_and_the_line_is_played_out(client, monkeypatch):
    (each,) = with_puzzles(client, position())

    def priced(analyst, judged, view, best, seed):
        assert best == each.best
        return dataclasses.replace(judged, cost=0.12, better=best)

    monkeypatch.setattr(studies, "priced", priced)
    token = solve(client)
    answered(client, token, worse(client, token, each.best))
    grade = at(client, token, "grade").json["puzzle"]["grade"]
    assert (grade["solved"], grade["cost"], grade["price"]) == (False, 120, None)
    view = at(client, token, "again").json
    assert not view["puzzle"]["answered"]
    assert view["question"] is not None
    assert client.game(token).number == len(each.actions)
    answered(client, token, worse(client, token, each.best))
    view = at(client, token, "show").json
    assert view["puzzle"]["shown"]
    played = client.game(token).replay().actions
    assert played[len(each.actions)] == each.best
    assert at(client, token, "leave").json["puzzle"] is None
    client.asked(token)  # the agents go on
    assert client.game(token).number > len(played) or client.game(token).over


@pytest.mark.parametrize("decision", [engine.Decision.DRAFT, engine.Decision.BATTLE_CARD, engine.Decision.KEEP_CARD])
def test_a_choice_in_secret_is_graded_and_taken_back(client, decision):
    """Others would choose at the same time; at a puzzle nobody waits for them."""
    (each,) = with_puzzles(client, position(5, lambda s: s.decision == decision and s.num_legal > 2))
    token = solve(client)
    assert answered(client, token, each.best)["puzzle"]["answered"]
    assert at(client, token, "grade").json["puzzle"]["grade"]["solved"]
    view = at(client, token, "again").json
    assert not view["puzzle"]["answered"]
    assert view["question"] is not None
    assert answered(client, token, worse(client, token, each.best))["puzzle"]["answered"]


def test_what_can_not_be_done_at_a_puzzle_is_said_in_a_line(client):
    with_puzzles(client, position())
    for body, status, said in [
        ({"number": 1}, 404, "there is no puzzle 2 of this game: there are 1"),
        ({"number": -1}, 404, "there is no puzzle 0"),
        ({"number": "0"}, 422, "not of the right type"),
        ({}, 422, "the body must be an object with the entries number"),
    ]:
        answer = client.call("POST", "/api/puzzles", body)
        assert (answer.status, said in answer.json["error"]) == (status, True), answer.json
    token, (plain, _) = solve(client), client.new_game(None, "random")
    for key, way, status, said in [
        (token, "grade", 409, "the puzzle has no answer yet: choose one"),
        (token, "show", 409, "the puzzle has no answer yet"),
        (token, "cheat", 422, "at a puzzle you can grade, again, show, leave: choose one of them"),
        (plain, "grade", 409, "there is no puzzle at this table"),
        ("nobody", "grade", 401, "this link belongs to no game here"),
    ]:
        answer = at(client, key, way)
        assert (answer.status, said in answer.json["error"]) == (status, True), answer.json
    answered(client, token, client.view(token)["question"]["choices"][0]["action"])
    assert "not graded yet" in at(client, token, "show").json["error"]
    assert client.said == []


@pytest.mark.parametrize("decision", [engine.Decision.ACTION, engine.Decision.DRAFT, engine.Decision.BATTLE_CARD])
def test_the_page_of_a_puzzle_shows_no_hidden_card(client, decision):
    """Twins: the same question with all that the seat does not know dealt otherwise is sent byte by byte the same."""
    wanted = position(5, lambda s: s.decision == decision and s.num_legal > 2)
    with_puzzles(client, wanted)
    token = solve(client)
    game, others = client.game(token), 0
    seat = game.seat_to_act
    table, true = client.table(token), game.states.copy()
    for seed in range(8):
        game.states[:] = engine.redeal(true, 0, seat, seed)
        others += game.states.tobytes() != true.tobytes()
        game.version += 1
        table._views.clear()
        dealt = client.call("GET", "/api/seat", token=token).body
        game.states[:] = true
        game.version += 1
        table._views.clear()
        assert client.call("GET", "/api/seat", token=token).body == dealt
    assert others > 3
    answer = int(np.flatnonzero(true[0].mask)[0])
    views = [View.of(states, 0, seat, "bloodrage") for states in (true, engine.redeal(true, 0, seat, 9))]
    one, other = (client.tables.studies._grade(each, game.puzzle, answer) for each in views)
    assert one == other


def test_a_costly_decision_of_a_review_is_a_puzzle(client):
    (token,), game = over(client)
    replay = game.replay()
    step = next(step for step, states in enumerate(replay.states()) if states[0].seat == 0 and states[0].num_legal > 2)
    states = replay.at(step)
    better = next(each for each in np.flatnonzero(states[0].mask).tolist() if each != replay.actions[step])
    url = "/api/seat/try"
    assert "knows no better answer" in client.call("POST", url, {"step": step}, token).json["error"]
    client.table(token).decisions = [Judged(number, 0, 0, ()) for number in range(step)] + [
        Judged(step, 0, replay.actions[step], (), cost=0.2, better=better)
    ]
    for wrong in (step + 1, -1):
        assert client.call("POST", url, {"step": wrong}, token).status == 409
    later = client.call("POST", url, {"step": step}, token)
    assert later.status == 201
    view = client.view(later.json["token"])
    assert view["puzzle"]["title"] == f"Step {step} of your game"
    assert view["puzzle"]["number"] is None
    assert view["hints"] == []
    assert client.game(later.json["token"]).number == step
    answered(client, later.json["token"], better)
    assert at(client, later.json["token"], "grade").json["puzzle"]["grade"]["is_best"]


def test_a_game_that_goes_on_has_no_decisions_to_try(client):
    (token, _) = client.new_game(None, "random")
    assert client.call("POST", "/api/seat/try", {"step": 0}, token).status == 409


def test_a_restart_makes_a_game_of_a_puzzle(client):
    """What is stored is the game; it is played on."""
    with_puzzles(client, position())
    token = solve(client)
    with Client(client.folder) as later:
        assert later.view(token)["puzzle"] is None
        assert later.view(token)["question"] is not None


def test_patterns_over_finished_games(client):
    """Battles joined and begun, with those that were lost; unknown links and games that go on are left out."""
    (token,), game = over(client)
    (running, _) = client.new_game(None, "random")
    found = client.call("POST", "/api/habits", {"tokens": ["x.y", running, token]}).json["habits"]
    totals = []
    for states, action in zip(game.replay().states(), game.replay().actions, strict=False):
        parts = entries(states, action, [WATCHER]).get(WATCHER, {}).get("battle", ())
        totals += [(int(states[0].pillager), part) for part in parts if part["step"] == "totals"]
    fought = [(pillager, each["winner"]) for pillager, each in totals if 0 in [side for side, _, _ in each["sides"]]]
    begun = [winner for pillager, winner in fought if pillager == 0]
    lost = sum(winner != 0 for winner in begun)
    assert found[0]["text"] == f"You lost {lost} of {len(begun)} battles that you began by a pillage"
    assert [place for place, _ in found[0]["games"]] == [2]
    assert len(found[0]["games"][0][1]) == lost > 0
    for wrong in ([1], ["x" * 200]):
        assert client.call("POST", "/api/habits", {"tokens": wrong}).status == 422


def test_patterns_are_computed_once_and_no_agent_waits_for_them(client, monkeypatch):
    """However often they are asked for: the whole game is played again. With another end it is another game."""
    (token,), game = over(client)
    found, last = [], game.replay().actions[-1]

    def habits(_steps, seat):
        time.sleep(0.05)  # meanwhile the others ask
        found.append(seat)
        return [Habit("# lost", 3, True)]

    page = dataclasses.replace(client.tables.page, habits=habits)
    monkeypatch.setattr(client.tables, "page", page)
    monkeypatch.setattr(client.tables, "thinkers", None)

    async def ask():
        return await asyncio.gather(*(client.tables.habits([token, token]) for _ in range(3)))

    for times in (1, 2):
        for _ in range(2):
            assert client.loop.run_until_complete(ask()) == [[{"text": "1 of 1 lost", "games": [(0, [3])]}]] * 3
            assert found == [0] * times
        client.game(token).rewind(len(game.replay()) - 1)
        client.game(token).play(last)


@pytest.mark.parametrize("name", ["bloodrage", "berserk"])
def test_the_puzzles_that_come_with_a_game(name):
    """Each is a question of a game that plays, its answer is legal, and some agents solve it, but not all."""
    found = page_of(name).puzzles()
    assert len(found) >= 10
    for each in found:
        states = games.replays(name)(each.seed, each.options, each.actions).at(-1)
        assert states[0].mask[each.best]
        assert states[0].num_legal > 2
        assert 0 < sum(each.agents.values()) < len(each.agents)
    assert len({(each.seed, len(each.actions)) for each in found}) == len(found)
    path = Path(page_of(name).static).parent / "puzzles.json"
    assert path.stat().st_size < SIZE
    assert load(path, games.game(name).options) == found


@pytest.mark.parametrize("name", ["bloodrage", "berserk"])
def test_the_sentence_of_a_puzzle_follows_from_what_its_seat_knows(name):
    """It is listed for everybody: twins have the same sentence, and so has the game without all that is hidden."""
    presentation, game = games.presentation(name), games.game(name)
    for number, each in enumerate(page_of(name).puzzles()):
        states = games.replays(name)(each.seed, each.options, each.actions).at(-1)
        seat = int(states[0].seat)
        for other in (game.hide(states, 0, seat), game.redeal(states, 0, seat, number)):
            assert presentation.decision_text(other, 0) == each.about


@pytest.mark.parametrize("number", [0, 5, 10])
def test_the_sentences_at_a_puzzle_of_berserk_show_nothing_hidden(tmp_path, number):
    """Twins: the view and the sentences of the grade, with all that the seat does not know dealt otherwise."""
    with Client(tmp_path, game="berserk") as client:
        token = solve(client, number)
        game, table = client.game(token), client.table(token)
        true, seat = game.states.copy(), game.seat_to_act
        for seed in range(4):
            sent = []
            for states in (true, games.game("berserk").redeal(true, 0, seat, seed)):
                game.states[:] = states
                game.version = 100
                table._views.clear()
                sent.append(client.call("GET", "/api/seat", token=token).body)
            assert sent[0] == sent[1]
        game.states[:] = true
        answer = int(np.flatnonzero(true[0].mask)[0])
        twin = games.game("berserk").redeal(true, 0, seat, 9)
        assert twin.tobytes() != true.tobytes()
        views = [View.of(states, 0, seat, "berserk") for states in (true, twin)]
        one, other = (client.tables.studies._grade(each, game.puzzle, answer) for each in views)
        assert one == other
