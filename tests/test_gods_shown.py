"""The gods in words and pictures: boards, scenes, the log of the play page, the list of cards."""

import json

import pytest
from gods import stage
from scenario import Scenario

from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine import actions as act
from bloodrage_env.games.bloodrage.engine.card_ids import Card
from bloodrage_env.games.bloodrage.engine.cards import GOD_TEXT
from bloodrage_env.games.bloodrage.engine.ids import NUM_GODS, NUM_PROVINCES, Decision, God, Place
from bloodrage_env.games.bloodrage.notation import action_text, decision_text, events, opening_events
from bloodrage_env.games.bloodrage.notation.words import GOD_LABELS, GODS
from bloodrage_env.games.bloodrage.render.ansi import board_text
from bloodrage_env.games.bloodrage.render.replay_page import texts
from bloodrage_env.games.bloodrage.render.scene import scene
from bloodrage_env.games.bloodrage.render.svg import board_svg
from bloodrage_env.games.bloodrage.table_page.story import entries as entries_of
from bloodrage_env.games.bloodrage.terminal.result import reveals

TWO = ("Tyr's Bash", "Tyr's Crush")


def heimdall() -> Scenario:
    """Wolf has called Bear to a battle in Heimdall's province, and Bear plays first."""
    g = stage("heimdall", {0: {"warrior": 1}, 1: {"leader": 1}})
    g.hand(0, *TWO)
    g.hand(1, *TWO)
    g.pillage(0, "gimle")
    g.decline_calls()
    return g


def test_a_scene_has_the_god_of_each_province():
    g = stage("tyr", {0: {"warrior": 1}})
    places = scene(g.states, 0, 1)["places"]
    assert [place.get("god") for place in places[:NUM_PROVINCES]] == [
        God.TYR if province == Place.GIMLE else None for province in range(NUM_PROVINCES)
    ]
    json.dumps(places)


@pytest.mark.parametrize("god", God)
def test_the_picture_says_who_stands_there_and_what_it_does(god):
    g = stage(god.name, {})
    drawn = board_svg(g.states, 0)
    assert f'<g id="god-{int(Place.GIMLE)}"><title>{GODS[god]} in Gimle ({GOD_LABELS[god]}): ' in drawn
    assert drawn.count('<g id="god-') == 1


def test_the_pages_have_the_texts():
    assert texts()["gods"] == [[GODS[god], GOD_LABELS[god], GOD_TEXT[god]] for god in range(NUM_GODS)]


def test_the_board_as_text_names_the_god():
    g = stage("loki", {0: {"warrior": 1}})
    assert sum("Loki: losers gain Axes" in line for line in board_text(g.states, 0).splitlines()) == 1
    assert max(map(len, board_text(g.states, 0).splitlines())) <= 98


def test_the_move_in_words():
    """rules 6.4.5.5"""
    g = stage("odin", {0: {"warrior": 1}})
    g.go()
    assert action_text(g.states, 0, act.PROVINCE + Place.GIMLE) == "pillage Gimle, where Odin stands, for Rage"
    g.pillage(0, "gimle")
    assert decision_text(g.states, 0) == "Wolf moves Odin from Gimle to another province"
    assert action_text(g.states, 0, act.PROVINCE + Place.UTGARD) == "Odin goes to Utgard"


def test_opening_and_later_ages_say_where_the_gods_stand():
    """rules 6.4.1.6: before the draft."""
    states = engine.new_game(3, 3, sets=1 << 4)
    line = next(event.text for event in opening_events(states) if event.text.startswith("gods: "))
    names = [GODS[god] for god in states[0].gods]
    assert [part.split(" in ")[0] for part in line.removeprefix("gods: ").split(", ")] == names
    assert not any("gods:" in event.text for event in opening_events(engine.new_game(3, 3)))
    g = stage("tyr", {})
    g.state.god_tokens[1, :3] = Place.UTGARD, Place.ELVAGAR, Place.GIMLE
    for seat in (1, 2):
        g.passed(seat)
    lines = []
    while g.state.age == 0:
        before = engine.clone(g.states, 0)
        action = int(engine.legal_mask(g.states, 0).argmax())
        lines += [event.text for event in events(before, action)]
        engine.apply(g.states, 0, action)
    first, second = (GODS[god] for god in g.state.gods)
    assert f"gods: {first} in Utgard, {second} in Elvagar" in lines


# ---- an open step 4 (rules 6.4.5.11)


def test_the_log_shows_each_card_when_it_is_played():
    g = heimdall()
    steps = []
    for seat, card in ((1, Card.TYRS_CRUSH), (0, Card.TYRS_BASH)):
        assert g.asked() == (seat, Decision.BATTLE_CARD)
        entries = entries_of(g.states, act.CARD + card, range(3))
        assert entries[0]["battle"] == entries[1]["battle"] == entries[2]["battle"]
        steps += entries[2]["battle"]
        engine.apply(g.states, 0, act.CARD + card)
    assert steps[0] == {"step": "play", "seat": 1, "card": Card.TYRS_CRUSH}
    assert steps[1] == {"step": "play", "seat": 0, "card": Card.TYRS_BASH}
    assert steps[2] == {"step": "reveal", "cards": [[0, Card.TYRS_BASH], [1, Card.TYRS_CRUSH]], "again": False}


def test_the_log_says_that_cards_are_played_face_up():
    g = stage("heimdall", {0: {"warrior": 1}, 1: {"leader": 1}})
    g.hand(0, *TWO)
    g.hand(1, *TWO)
    g.go()
    step = entries_of(g.states, act.PROVINCE + Place.GIMLE, [2])[2]["battle"][0]
    assert (step["step"], step["open"]) == ("begin", True)
    g = stage("tyr", {0: {"warrior": 1}, 1: {"leader": 1}})
    g.hand(0, *TWO)
    g.hand(1, *TWO)
    g.go()
    assert entries_of(g.states, act.PROVINCE + Place.GIMLE, [2])[2]["battle"][0]["open"] is False


def test_a_card_that_all_have_seen_is_not_taken_back():
    g = heimdall()
    assert reveals(g.states, act.CARD + Card.TYRS_CRUSH, 1)
