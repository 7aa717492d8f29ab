"""The guided games: their moves, their texts, and what the server sends of them."""

import json
import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("starlette")

from bloodrage_env import games
from bloodrage_env.core.shown.lesson import LEARNER
from bloodrage_env.core.shown.table_page import WATCHER
from bloodrage_env.games.berserk.engine import ACT, CELL, LIFE, NUM_ACTS, NUMBER, SQUAD, Phase
from bloodrage_env.games.berserk.notation.cards import describe
from bloodrage_env.games.berserk_laar import engine as laar
from bloodrage_env.games.bloodrage.engine import Decision, Source
from bloodrage_env.games.bloodrage.notation import CLANS
from bloodrage_env.games.bloodrage.table_page.story import entries
from tests.serve_client import Client

TAUGHT = (("bloodrage", 0), ("bloodrage", 1), ("berserk", 0), ("berserk_team", 0), ("berserk_laar", 0))
LONGEST = 420  # letters of a page: it is read beside the board


@pytest.fixture(params=TAUGHT, ids=lambda lesson: "{}-{}".format(*lesson))
def taught(request):
    """A game by its name, and the number of one of its lessons."""
    return request.param


def lesson_of(name, number=0):
    return games.table_page(name).lessons()[number]


@cache
def states_of(name, number=0):
    """The states of the lesson, one before each move and the last."""
    lesson = lesson_of(name, number)
    replay = games.replays(name)(lesson.seed, lesson.options, tuple(action for _, action in lesson.moves))
    return [states.copy() for states in replay.states()]


def test_its_moves_are_legal_and_of_the_seats_that_are_asked(taught):
    lesson, play = lesson_of(*taught), games.game(taught[0]).play
    for states, (seat, action) in zip(states_of(*taught), lesson.moves, strict=False):
        assert play.seat_to_act(states, 0) == seat
        assert states[0].mask[action]


def test_every_step_is_before_a_choice_of_the_person_or_at_the_end(taught):
    lesson, states = lesson_of(*taught), states_of(*taught)
    for number in lesson.steps:
        assert number == len(lesson.moves) or (lesson.moves[number][0] == LEARNER and states[number][0].num_legal > 1)
    assert len(lesson.moves) in lesson.steps
    asked = [
        number
        for number, (seat, _) in enumerate(lesson.moves)
        if number >= lesson.begin
        if seat == LEARNER and states[number][0].num_legal > 1 and lesson.moves[number - 1][0] != LEARNER
    ]
    assert set(asked) <= lesson.steps.keys()


def test_the_texts_are_short_and_in_whole_sentences(taught):
    lesson = lesson_of(*taught)
    pages = [page for pages in lesson.steps.values() for page in pages] + list(lesson.scenes.values())
    for page in pages:
        assert 0 < len(page["title"]) <= 48
        assert 0 < len(page["text"]) <= LONGEST, page["text"]
        assert page["text"].endswith((".", "?", "!"))
        assert all(0 < len(words) <= LONGEST / 4 for _, words in page["icons"])


def test_a_lesson_can_be_finished_in_few_answers(taught):
    lesson, states = lesson_of(*taught), states_of(*taught)
    own = [
        number
        for number, (seat, _) in enumerate(lesson.moves)
        if number >= lesson.begin and seat == LEARNER and states[number][0].num_legal > 1
    ]
    purchases = 20 if taught == ("berserk", 0) else 0  # cards that are bought by one click
    assert len(own) - purchases < 40


@pytest.mark.parametrize("name", ["bloodrage", "berserk"])
def test_the_first_one_shows_every_phase(name):
    phases = {int(states[0].phase) for states in states_of(name)}
    if name == "bloodrage":
        assert phases >= {0, 1, 2}  # the others ask nobody: they are looked at over the board
        assert {"Quest", "Ragnarok", "Valhalla"} <= lesson_of(name).scenes.keys()
        assert any(states[0].battle for states in states_of(name))
    else:
        assert len(phases) >= 4


def begun(client, number=0):
    return client.call("POST", "/api/lesson", {"number": number}).json["token"]


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


def test_who_does_what_it_asks_reads_every_step(tmp_path, taught):
    name, which = taught
    with Client(tmp_path, game=name) as client:
        views = follow(client, begun(client, which))
    steps = lesson_of(*taught).steps
    read = {view["lesson"]["number"] for view in views if view["lesson"]["pages"]}
    assert read == steps.keys()
    last = views[-1]["lesson"]
    assert (last["place"], last["step"], last["actions"]) == (which, len(steps), [])


def test_it_goes_on_after_a_restart_and_ends_with_another_answer(tmp_path, taught):
    name, which = taught
    with Client(tmp_path, game=name) as client:
        token = begun(client, which)
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


@pytest.mark.parametrize("name", ["bloodrage", "berserk"])
def test_other_games_have_none(tmp_path, name):
    with Client(tmp_path, game=name) as client:
        token, _ = client.new_game(None, "random")
        assert client.view(token)["lesson"] is None


def test_a_lesson_that_does_not_exist_is_refused_in_a_line(tmp_path):
    with Client(tmp_path) as client:
        for number, said in ((2, "there is no lesson 3 of this game: there are 2"), (-1, "there is no lesson 0")):
            answer = client.call("POST", "/api/lesson", {"number": number})
            assert (answer.status, said in answer.json["error"]) == (404, True)
        assert client.call("POST", "/api/lesson", {}).status == 422
        assert client.call("POST", "/api/lesson", {"number": "0"}).status == 422


@pytest.mark.parametrize("name", ["bloodrage", "berserk"])
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


def of_wolf(states):
    """Glory of both clans, and of Wolf the steps of the stats, counted from 1."""
    s = states[0]
    return s.glory[:2].tolist(), [int(step) + 1 for step in s.stat_step[LEARNER]]


def test_the_numbers_of_the_last_ages_are_those_of_the_game():
    """Glory, stats, strengths and points of the last scoring, each taken from the states of the game."""
    lesson, states = lesson_of("bloodrage", 1), states_of("bloodrage", 1)
    text = {number: " ".join(page["text"] for page in pages) for number, pages in lesson.steps.items()}
    glory, steps = of_wolf(states[lesson.begin])
    assert glory == [12, 12]
    assert steps[0] == 5
    assert "Both have 12 glory" in text[70]
    assert "Rage 12, Axes 4 and Horns 4" in text[70]
    assert of_wolf(states[74])[1][0] == 6
    assert "on its last step now" in text[74]
    assert int(states[85][0].rage[LEARNER]) == 10
    assert "unspent Rage is lost: you had 10" in text[89]
    (own, bear), _ = of_wolf(states[91])
    assert f"You have {own} glory, Bear has {bear}" in text[91]
    left = [place for place in range(9) if not states[103][0].destroyed[place]]
    assert len(left) == 4
    assert "Five provinces are destroyed" in text[103]
    assert int(states[135][0].rage[1]) == 11
    assert "Bear loses 11 Rage" in text[135]
    assert states[137][0].glory[LEARNER] - states[135][0].glory[LEARNER] == 18
    assert "18 glory" in text[137]
    end = states[139][0]
    before = [int(end.glory[seat] - end.glory_from[seat][Source.END_BONUS]) for seat in range(2)]
    assert f"you had {before[0]} glory and Bear {before[1]}" in text[139]
    assert [int(end.glory_from[seat][Source.END_BONUS]) for seat in range(2)] == [30, 50]
    assert [[int(step) + 1 for step in end.stat_step[seat]] for seat in range(2)] == [[6, 5, 2], [6, 4, 6]]
    assert f"{end.glory[0]} to {end.glory[1]}" in text[139]
    fought = [
        part
        for number in range(lesson.begin, 139)
        for part in entries(states[number], lesson.moves[number][1], [WATCHER]).get(WATCHER, {}).get("battle", ())
        if part["step"] == "totals"
    ]
    sums = [sorted((total for _, _, total in part["sides"]), reverse=True) for part in fought]
    for number, (more, less) in zip((85, 119, 133), sums, strict=True):
        assert f"{more} to {less}" in text[number]


def test_the_last_ages_show_upgrades_quests_ragnarok_and_the_last_scoring():
    lesson, states = lesson_of("bloodrage", 1), states_of("bloodrage", 1)
    begin, end = states[lesson.begin][0], states[-1][0]
    gained = end.glory_from[LEARNER] - begin.glory_from[LEARNER]
    for source in (Source.BATTLE, Source.QUEST, Source.RAGNAROK, Source.UPGRADES, Source.END_BONUS):
        assert gained[source] > 0
    assert {int(each[0].age) for each in states[lesson.begin :]} == {1, 2}
    assert {"Quest", "Ragnarok", "Valhalla"} <= lesson.scenes.keys()
    assert end.over


def icon_of(words):
    """The icon of the board for an ability or a keyword, by the table of the scripts."""
    script = (Path(games.table_page("berserk").static).parents[1] / "render/static/face.js").read_text(encoding="utf-8")
    rows = re.findall(
        r'\["([a-z ]+)", "(\w+)"\]', script[script.index("const BEGINS") : script.index("export const iconOf")]
    )
    return next((name for begin, name in rows if words.startswith(begin)), "star")


def test_the_first_battle_explains_each_icon_where_it_is_met():
    """A card is met when it moves, acts or is aimed at: by then its keywords and abilities have been explained."""
    lesson, states, met = lesson_of("berserk"), states_of("berserk"), set()
    explained = set()
    for number, (seat, action) in enumerate(lesson.moves):
        s = states[number][0]
        explained |= {(name, words) for page in lesson.steps.get(number, ()) for name, words in page["icons"]}
        if s.phase != Phase.BATTLE or seat != LEARNER:
            continue
        if ACT <= action < CELL:
            met.add(int(s.card[(action - ACT) // NUM_ACTS]))
        elif CELL <= action < NUMBER:
            met.add(int(s.card[s.at[action - CELL]]))
        for card in met:
            face = describe(card)
            for words in [*map(str, face.keywords), *face.taps]:
                assert any(name == icon_of(words) and words in text for name, text in explained), (number, words)
    assert len(met) >= 9
    assert {name for name, _ in explained} >= {"boot", "sword", "star", "drop", "skull"}


def test_what_the_modes_say_is_so():
    """Of the team: the life that is named, and who asks whom. Of Laar: the life of the demon after each turn."""
    lesson, states = lesson_of("berserk_team"), states_of("berserk_team")
    s = states[90][0]
    assert (int(s.target) // SQUAD, int(s.actor) // SQUAD) == (2, 1)
    assert states[43][0].wounds[45] == LIFE[states[43][0].card[45]] - 1  # Basaarg Gnome of Player D
    assert states[45][0].died[45]
    assert lesson.options.setup == "fixed"
    lesson, states = lesson_of("berserk_laar"), states_of("berserk_laar")
    demon = int(np.flatnonzero(states[15][0].card == laar.DEMON)[0])
    left = {number: int(laar.LIFE[laar.DEMON] - states[number][0].wounds[demon]) for number in (15, 34, 43, 47, 49)}
    assert left == {15: 53, 34: 28, 43: 11, 47: 7, 49: 2}
    text = {number: " ".join(page["text"] for page in pages) for number, pages in lesson.steps.items()}
    assert "it has 28 left" in text[34]
    assert "11 life left" in text[43]
    assert "7 life left" in text[47]
    assert "2 life left" in text[49]
    assert "57 of 87 life" in text[15]
    assert (laar.BEGINS[0][2], laar.LIFE[laar.DEMON], laar.BEGINS[0][1]) == (57, 87, 61)
    assert states[-1][0].over
    assert games.game("berserk_laar").play.scores(states[-1], 0)[LEARNER] == 1
