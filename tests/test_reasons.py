"""What a hint says of a move by the rules: token, quest, stat, doomed province, who can answer, what at worst."""

import dataclasses
import json

import numpy as np
import pytest
from berserk_position import Position
from random_play import games_in_the_middle
from scenario import Scenario

pytest.importorskip("starlette")

from bloodrage_env import games
from bloodrage_env.games.berserk import engine as berserk
from bloodrage_env.games.berserk.engine import ACT, CELL
from bloodrage_env.games.berserk.engine import Card as Creature
from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine import MARCH_ID, PASS, PROVINCE, STAT, Card, Decision, Place, Stat, Token
from bloodrage_env.games.bloodrage.engine.actions import figure_at
from bloodrage_env.serve import studies
from bloodrage_env.serve.plain import page_of


def said(states, action, seat=0, name="bloodrage"):
    known = games.game(name).hide(states, 0, seat)
    return " ".join(page_of(name).reasons(known, seat, int(action)))


def utgard():
    """Wolf and two of Bear's warriors in Utgard, a Raven next to it."""
    g = Scenario(players=3)
    g.put(0, "warrior", "Utgard", 2)
    g.put(1, "warrior", "Utgard", 1)
    g.put(2, "leader", "Horgr", 1)
    g.hand(1, Card.TYRS_BASH)
    g.state.token[Place.UTGARD] = Token.GLORY
    g.states["ragnarok"][0] = (Place.UTGARD, Place.GIMLE, Place.MYRKULOR)
    return g


def test_a_pillage_names_the_token_and_who_can_answer():
    """rules 4.1: who has figures there, and who can join from next door, with the strongest card that it may hold."""
    text = said(utgard().states, PROVINCE + Place.UTGARD)
    assert "the token of Utgard: 5 glory" in text
    assert "Utgard is doomed" in text
    assert "Bear has STR 1 there; Serpent can join from Horgr, where it has STR 3" in text
    assert "You have STR 2 and your card." in text
    assert "If you leave it, Bear can pillage it." in text


def test_nobody_can_answer_in_an_empty_province():
    g = Scenario(players=2)
    g.put(0, "warrior", "Utgard", 1)
    assert "Nobody can answer" in said(g.states, PROVINCE + Place.UTGARD)


def test_the_worst_card_is_one_that_may_be_in_the_hand():
    """A clan without cards in hand adds none."""
    g = utgard()
    g.state.hand_size[1] = 1
    before = said(g.states, PROVINCE + Place.UTGARD)
    g.state.hand_size[1] = 0
    after = said(g.states, PROVINCE + Place.UTGARD)
    worst = [int(text.split("one of them has ")[1].split(",")[0]) for text in (before, after)]
    assert worst[0] > worst[1] == 3  # Serpent's leader, Bear's warrior alone has less


def test_an_invade_names_token_doom_and_quests():
    g = utgard()
    g.hand(0, Card.JOTUNHEIM_1)
    text = said(g.states, figure_at(engine.Figure.WARRIOR, Place.UTGARD))
    assert "Utgard's token, 5 glory, is not taken yet." in text
    assert "each figure lost with it brings 2 glory" in text
    assert "counts for your quest Jotunheim" in text
    assert "Bear has STR 1 there, you have 2." in text
    assert "Utgard, which the figures leave, is doomed." in said(g.states, MARCH_ID[Place.UTGARD, Place.HORGR])


def test_quests_stats_cards_and_a_pass():
    g = Scenario(players=2)
    g.hand(0, Card.JOTUNHEIM_1, Card.TROLL)
    g.state.rage[0] = 3
    assert "you do not meet it yet" in said(g.states, engine.CARD + Card.JOTUNHEIM_1)
    g.put(0, "warrior", "Utgard", 1)
    assert "It brings 5 glory and a step on a stat. As the board is, you meet it." in said(
        g.states, engine.CARD + Card.JOTUNHEIM_1
    )
    assert "all enemy warriors there are destroyed" in said(g.states, engine.CARD + Card.TROLL)
    assert said(g.states, PASS) == "Your 3 Rage is lost. Bear can still act."
    g.state.decision = Decision.STAT
    assert said(g.states, STAT + Stat.AXES) == "A battle won brings 4 glory instead of 3."


def test_all_answers_of_a_game_have_sentences_that_fit():
    """No answer of a random game fails, and a sentence has a subject and ends."""
    spoken = 0
    for _, states, _ in games_in_the_middle(range(20), 0.03):
        if engine.is_over(states, 0):
            continue
        seat = engine.seat_to_act(states, 0)
        for action in np.flatnonzero(states[0].mask).tolist():
            text = said(states, action, seat)
            spoken += bool(text)
            assert not text or text[-1] in ".)", text
            assert "  " not in text
            assert "0.0" not in text
    assert spoken > 200


def test_reasons_are_those_of_the_information_set():
    """Two games that look the same to a seat have the same sentences."""
    compared = 0
    for seed, states, _ in games_in_the_middle(range(30), 0.03):
        if engine.is_over(states, 0):
            continue
        seat = engine.seat_to_act(states, 0)
        other = engine.redeal(states, 0, seat, seed)
        for action in np.flatnonzero(states[0].mask).tolist():
            assert said(states, action, seat) == said(other, action, seat)
            compared += 1
    assert compared > 200


# ---- Berserk


def test_a_strike_names_the_life_at_stake_and_who_is_next_to_it():
    g = Position()
    g.put(0, "orc", 12)
    g.put(1, "nomad", 17, wounds=1)
    g.go()
    strike = next(each for each in range(ACT, CELL) if g.legal(each))
    life = berserk.LIFE[Creature.NOMAD]
    text = said(g.states, strike, name="berserk")
    assert f"Nomad (B1) has {life - 1} of {life} life; a strong strike takes" in text
    assert "Next to it once it is closed: Nomad (B1)" in text
    g.answer(strike)
    assert f"has {life - 1} of {life} life. No open card is next to both" in said(g.states, g.seen(17), name="berserk")


@pytest.mark.parametrize("name", ["berserk", "berserk_team"])
def test_reasons_of_berserk_are_those_of_the_information_set(name):
    """With cards left face down, and all dice to come dealt otherwise, the sentences are the same."""
    compared, secret = 0, 0
    play, redeal = games.game(name).play, games.game(name).redeal
    for seed in range(6):
        recorder = games.recorder(games.options_from(name, skip_forced=False), seed)
        rng, asked = np.random.default_rng(seed), 0
        while asked < 12 and not play.is_over(recorder.states, 0):
            states, s = recorder.states, recorder.states[0]
            legal = np.flatnonzero(s.mask).tolist()
            if s.phase == berserk.Phase.BATTLE:
                asked += 1
                other = redeal(states, 0, int(s.seat), seed + asked)
                secret += states.tobytes() != other.tobytes() and bool(s.face_down.any())
                for action in legal:
                    assert said(states, action, int(s.seat), name) == said(other, action, int(s.seat), name)
                    compared += 1
            recorder.apply(int(rng.choice(legal)))
    assert compared > 300
    assert secret > 4


# ---- the answer


class Lost:
    """An analyst whose every move wins 1 % of the games."""

    def __init__(self, value):
        self.value, self.analyst = value, games.study("bloodrage").analyst("network")

    def analyse(self, view, seed, simulations):
        found = self.analyst.analyse(view, seed, simulations)
        tried = tuple(dataclasses.replace(one, value=self.value) for one in found.tried)
        return dataclasses.replace(found, tried=tried)

    def outlook(self, *arguments, to_the_end):
        assert to_the_end
        return self.analyst.outlook(*arguments, to_the_end=to_the_end)


@pytest.mark.parametrize(("value", "ahead"), [(0.3, False), (0.01, True)])
def test_one_estimator_a_panel(value, ahead, monkeypatch):
    """Win probabilities of the search; in a lost position place and glory at the end of games that are played on."""
    monkeypatch.setattr(studies, "HINT_SIMULATIONS", 20)
    monkeypatch.setattr(studies, "HINT_DEALS", 2)
    states = games.game("bloodrage").new_game(1, games.options_from("bloodrage", num_players=2))
    found = studies.Studies("bloodrage")
    found._analyst = Lost(value)
    view = studies.View.of(states, 0, int(states[0].seat), "bloodrage")
    data = json.loads(found._hint(view, 1))
    assert bool(data["ahead"]) == ahead
    assert "edge" not in data
    assert data["reasons"] == page_of("bloodrage").reasons(view.record, view.seat, data["best"])
    for _, glory, place in data["ahead"]:
        assert glory > 0
        assert 100 <= place <= 200
