"""Scenes: all that is to be seen, and nothing that the viewer may not see."""

import json

import numpy as np
import pytest

from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine.actions import CARD, FIGURE_AT, MARCH, NO
from bloodrage_env.games.bloodrage.engine.ids import NONE, NUM_BOARD, NUM_KINDS, CardSet, Decision, Figure, Phase, Place
from bloodrage_env.games.bloodrage.notation.words import copies
from bloodrage_env.games.bloodrage.render.changes import applied, difference
from bloodrage_env.games.bloodrage.render.geometry import SPOTS
from bloodrage_env.games.bloodrage.render.scene import SECRET_TEXT, VERSION, answers, scene
from tests.random_play import games_in_the_middle


def test_a_scene_is_plain_data() -> None:
    for _, states, _ in games_in_the_middle(range(6), 0.1):
        for drawn in (scene(states, 0), scene(states, 0, 0), scene(states, 0, all_hands=True)):
            assert json.loads(json.dumps(drawn)) == drawn
            assert drawn["version"] == VERSION


@pytest.mark.slow
def test_nothing_hidden_is_in_a_scene() -> None:
    looked = 0
    for seed, states, rng in games_in_the_middle(range(24), 0.04):
        openly = scene(states, 0)
        for seat in range(states[0].num_players):
            seen = scene(states, 0, seat)
            other = engine.redeal(states, 0, seat, int(rng.integers(2**40)))
            assert scene(other, 0, seat) == seen, seed
            assert scene(engine.hide(states, 0, seat), 0, seat) == seen, seed
            assert scene(other, 0) == openly, seed
            looked += scene(other, 0, all_hands=True) != scene(states, 0, all_hands=True)
    assert looked > 100  # the redeals were not all the same game


def test_hands_are_shown_to_their_owner_only() -> None:
    for _, states, _ in games_in_the_middle(range(4), 0.1):
        seats = range(int(states[0].num_players))
        for viewer in (None, *seats):
            private = [clan["private"] for clan in scene(states, 0, viewer)["clans"]]
            assert [seat for seat in seats if private[seat] is not None] == [seat for seat in seats if seat == viewer]
        for seat, clan in enumerate(scene(states, 0, all_hands=True)["clans"]):
            assert len(clan["private"]["hand"]) == clan["hand"]
            assert clan["private"]["hand"] == copies(states[0].hand[seat])


def test_a_secret_question_names_nobody_else() -> None:
    states = engine.new_game(1, 3)
    assert states[0].decision == Decision.DRAFT
    asked = int(states[0].seat)
    own = scene(states, 0, asked)
    assert own["question"]["seat"] == asked
    assert len(own["clans"][asked]["private"]["pack"]) == 8
    for viewer in (None, (asked + 1) % 3):
        question = scene(states, 0, viewer)["question"]
        assert question == {
            "seat": None,
            "decision": None,
            "place": None,
            "card": None,
            "kind": None,
            "text": SECRET_TEXT,
            "secret": True,
        }


def test_every_figure_is_in_the_scene() -> None:
    for _, states, _ in games_in_the_middle(range(6), 0.1):
        drawn = scene(states, 0)
        counts = np.zeros((engine.MAX_SEATS, NUM_KINDS, len(Place)), dtype=int)
        for place, entry in enumerate(drawn["places"]):
            assert len(entry["figures"]) <= SPOTS[place].room
            for seat, kind, count in entry["figures"]:
                counts[seat, kind, place] += count
        for seat, clan in enumerate(drawn["clans"]):
            counts[seat, :, Place.RESERVE] = clan["reserve"]
            counts[seat, :, Place.VALHALLA] = clan["valhalla"]
        assert (counts == states[0].figures[:, :NUM_KINDS]).all()


def test_a_crowd_is_counted() -> None:
    states = engine.new_game(1, 5, sets=1 << CardSet.P5)
    states[0].figures[:, Figure.WARRIOR, Place.YGGDRASIL] = 6
    assert scene(states, 0)["places"][Place.YGGDRASIL]["figures"] == [[seat, 1, 6] for seat in range(5)]
    states[0].figures[:, Figure.WARRIOR, Place.YGGDRASIL] = 1
    assert scene(states, 0)["places"][Place.YGGDRASIL]["figures"] == [[seat, 1, 1] for seat in range(5)]


def test_the_supply_of_mystics_and_barred_provinces_are_open() -> None:
    """rules 6.4.1.6, rules 6.4.1.7: for whoever looks."""
    states = engine.new_game(1, 2, sets=1 << CardSet.MYSTICS)
    states[0].figures[1, Figure.MYSTIC, Place.VALHALLA] = 1
    states[0].barred[0, Place.GIMLE] = 1
    for viewer in (None, 0, 1):
        clans = scene(states, 0, viewer)["clans"]
        assert [clan["supply"] for clan in clans] == [2, 1]
        assert [clan["barred"] for clan in clans] == [[Place.GIMLE], []]
    assert [clan["supply"] for clan in scene(engine.new_game(1, 2), 0)["clans"]] == [None, None]


def test_provinces_are_marked() -> None:
    states = engine.new_game(3, 4)
    s = states[0]
    first, later = int(s.ragnarok[0]), int(s.ragnarok[2])
    s.pillaged[later] = 1
    drawn = scene(states, 0)["places"]
    assert [place for place in range(9) if drawn[place]["destroyed"]] == np.flatnonzero(s.destroyed).tolist()
    assert drawn[first]["doom"] == 0
    assert drawn[later]["doom"] == 2
    assert drawn[later]["pillaged"]
    s.destroyed[first] = 1
    assert scene(states, 0)["places"][first]["doom"] is None


def test_a_fjord_is_destroyed_with_both_its_provinces() -> None:
    """rules 2.3"""
    states = engine.new_game(3, 4)
    states[0].destroyed[:] = 0
    states[0].destroyed[Place.UTGARD] = 1
    assert not scene(states, 0)["places"][Place.FJORD_UTGARD_ANDLANG]["destroyed"]
    states[0].destroyed[Place.ANDLANG] = 1
    drawn = scene(states, 0)["places"]
    fjords = range(9, NUM_BOARD)
    assert [place for place in fjords if drawn[place]["destroyed"]] == [Place.FJORD_UTGARD_ANDLANG]


def test_a_battle_shows_who_fights() -> None:
    for _, states, _ in games_in_the_middle(range(8), 1.0):
        s = states[0]
        battle = scene(states, 0)["battle"]
        assert (battle is None) == (s.battle == 0)
        if battle:
            assert [side["seat"] for side in battle["sides"]] == np.flatnonzero(s.in_battle).tolist()
            for side in battle["sides"]:
                shown = [int(s.main[side["seat"]])] if s.main[side["seat"]] != NONE else []
                assert side["cards"][: len(shown)] == shown


def test_the_end_has_an_outcome_and_no_question() -> None:
    states = engine.new_game(3, 2)
    engine.play_random(states, 0, 1, engine.MAX_DECISIONS)
    drawn = scene(states, 0)
    assert drawn["over"]
    assert drawn["question"] is None
    assert "glory" in drawn["outcome"]
    assert answers(states, 0) == []


def test_answers_are_the_legal_actions() -> None:
    for _, states, _ in games_in_the_middle(range(6), 0.2):
        found = answers(states, 0)
        assert [answer["action"] for answer in found] == np.flatnonzero(states[0].mask).tolist()
        for answer in found:
            action = answer["action"]
            touched = {key for key in ("card", "kind", "place", "origin") if answer[key] is not None}
            if action >= MARCH:
                assert touched == {"place", "origin"}
            elif action >= FIGURE_AT:
                assert engine.actions.figure_at(answer["kind"], answer["place"]) == action
            elif action >= CARD:
                assert answer["card"] == action - CARD
            elif action == NO:
                assert not touched


def test_moves_are_handed_on() -> None:
    assert scene(engine.new_game(1, 2), 0, moves=("one", "two"))["moves"] == ["one", "two"]


def test_a_seat_that_is_not_there_is_refused() -> None:
    with pytest.raises(ValueError, match="seat 2 is not in a game of 2 players"):
        scene(engine.new_game(1, 2), 0, 2)


def test_passed_is_shown_in_the_action_phase_only() -> None:
    states = engine.new_game(1, 2)
    states[0].passed[1] = 1
    assert not scene(states, 0)["clans"][1]["passed"]
    states[0].phase = Phase.ACTION
    assert scene(states, 0)["clans"][1]["passed"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (1, 1),
        (1, 2),
        (1, True),
        ([1, 2], [1, 3]),
        ([1, 2], [1, 2, 3]),
        ([{"a": 1}, {"a": 2}], [{"a": 1}, {"a": [3]}]),
        ({"a": 1, "b": {"c": []}}, {"a": 1, "b": {"c": [[]]}}),
        ({"a": 1}, {"b": 1}),
        ({"a": None}, {"a": {}}),
        ([], {}),
    ],
)
def test_changes_lead_from_one_value_to_the_other(old: object, new: object) -> None:
    change = json.loads(json.dumps(difference(old, new)))
    assert repr(applied(old, change)) == repr(new)
    assert difference(new, new) == {}
