"""The guided first game of each game that has one: its moves, its texts, and what the server sends of it."""

import json
import re
from pathlib import Path

import pytest

pytest.importorskip("starlette")

from bloodrage_env import games
from bloodrage_env.core.shown.lesson import LEARNER
from bloodrage_env.games.bloodrage.engine import Decision
from bloodrage_env.games.bloodrage.notation import CLANS
from tests.serve_client import Client

TAUGHT = ("bloodrage", "berserk")
LONGEST = 420  # letters of a page: it is read beside the board


@pytest.fixture(params=TAUGHT)
def name(request):
    return request.param


def lesson_of(name):
    return games.table_page(name).lesson()


def states_of(name):
    """The states of the lesson, one before each move and the last."""
    lesson = lesson_of(name)
    replay = games.replays(name)(lesson.seed, lesson.options, tuple(action for _, action in lesson.moves))
    return [states.copy() for states in replay.states()]


def test_its_moves_are_legal_and_of_the_seats_that_are_asked(name):
    lesson, play = lesson_of(name), games.game(name).play
    for states, (seat, action) in zip(states_of(name), lesson.moves, strict=False):
        assert play.seat_to_act(states, 0) == seat
        assert states[0].mask[action]


def test_every_step_is_before_a_choice_of_the_person_or_at_the_end(name):
    lesson, states = lesson_of(name), states_of(name)
    for number in lesson.steps:
        assert number == len(lesson.moves) or (lesson.moves[number][0] == LEARNER and states[number][0].num_legal > 1)
    assert len(lesson.moves) in lesson.steps
    asked = [
        number
        for number, (seat, _) in enumerate(lesson.moves)
        if seat == LEARNER and states[number][0].num_legal > 1 and lesson.moves[number - 1][0] != LEARNER
    ]
    assert set(asked) <= lesson.steps.keys()


def test_the_texts_are_short_and_in_whole_sentences(name):
    lesson = lesson_of(name)
    pages = [page for pages in lesson.steps.values() for page in pages] + list(lesson.scenes.values())
    for page in pages:
        assert 0 < len(page["title"]) <= 48
        assert 0 < len(page["text"]) <= LONGEST, page["text"]
        assert page["text"].endswith((".", "?", "!"))


def test_it_shows_every_phase(name):
    phases = {int(states[0].phase) for states in states_of(name)}
    if name == "bloodrage":
        assert phases >= {0, 1, 2}  # the others ask nobody: they are looked at over the board
        assert {"Quest", "Ragnarok", "Valhalla"} <= lesson_of(name).scenes.keys()
        assert any(states[0].battle for states in states_of(name))
    else:
        assert len(phases) >= 4


def begun(client):
    return client.call("POST", "/api/lesson", {}).json["token"]


def choose(client, token, view, action):
    assert client.answer(token, view["question"]["number"], action).status == 200


def follow(client, token):
    """Answer as the lesson asks, to its end; returns the views."""
    views = []
    while not views or views[-1]["lesson"]["actions"]:
        views.append(client.asked(token))
        if views[-1]["lesson"]["actions"]:
            choose(client, token, views[-1], views[-1]["lesson"]["actions"][0])
    return views


def test_who_does_what_it_asks_reads_every_step(tmp_path, name):
    with Client(tmp_path, game=name) as client:
        views = follow(client, begun(client))
    steps = lesson_of(name).steps
    read = {view["lesson"]["number"] for view in views if view["lesson"]["pages"]}
    assert read == steps.keys()
    last = views[-1]["lesson"]
    assert (last["step"], last["actions"]) == (len(steps), [])


def test_it_goes_on_after_a_restart_and_ends_with_another_answer(tmp_path, name):
    with Client(tmp_path, game=name) as client:
        token = begun(client)
        before = client.asked(token)
        choose(client, token, before, before["lesson"]["actions"][0])
    with Client(tmp_path, game=name) as client:
        view = client.asked(token)
        assert view["lesson"]["step"] >= before["lesson"]["step"]
        others = [
            each["action"] for each in view["question"]["choices"] if each["action"] != view["lesson"]["actions"][0]
        ]
        choose(client, token, view, others[0])
        assert client.view(token)["lesson"] is None


def test_other_games_have_none(tmp_path, name):
    with Client(tmp_path, game=name) as client:
        token, _ = client.new_game(None, "random")
        assert client.view(token)["lesson"] is None


@pytest.mark.parametrize("mode", ["berserk_team", "berserk_laar"])
def test_a_game_without_one_refuses(tmp_path, mode):
    with Client(tmp_path, game=mode) as client:
        assert client.call("POST", "/api/lesson", {}).status == 404
        assert client.call("GET", "/learn").status == 404


def test_terms_and_pictures_are_there(name):
    folder = Path(games.table_page(name).static)
    terms = json.loads((folder / "terms.json").read_text(encoding="utf-8"))
    assert all(text.endswith(".") for text in terms.values())
    script = (folder / "pictures.js").read_text(encoding="utf-8")
    primer = json.loads((folder / "primer.json").read_text(encoding="utf-8"))
    wanted = {section["picture"] for section in primer if "picture" in section}
    assert wanted <= set(re.findall(r'name === "(\w+)"', script))


def test_a_turn_that_ends_in_a_call_says_so():
    """The text said that the others go on, while they are asked whether they join a battle."""
    states, lesson = states_of("bloodrage"), lesson_of("bloodrage")
    calls = [
        number
        for number, (seat, _) in enumerate(lesson.moves)
        if seat != LEARNER and states[number][0].decision == Decision.CALL and lesson.moves[number - 1][0] == LEARNER
    ]
    assert calls
    assert Decision.CALL.name in lesson.scenes


def test_the_battle_of_others_is_as_its_text_says():
    """One battle of the lesson has no figure of the person in it: 6 to 4 for Bear in Myrkulor."""
    lesson = lesson_of("bloodrage")
    text = next(page["text"] for title, page in lesson.scenes.items() if title == "Battle of others")
    assert list(lesson.scenes).index("Battle of others") < list(lesson.scenes).index("Battle")
    fought = {
        tuple(CLANS[seat] for seat in range(3) if states[0].in_battle[seat])
        for states in states_of("bloodrage")
        if states[0].battle and not states[0].in_battle[LEARNER] and states[0].in_battle.any()
    }
    assert fought == {("Bear", "Serpent")}
    assert "Bear won 6 to 4 in Myrkulor" in text
