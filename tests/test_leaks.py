"""Nothing leaks: two games that have given a seat the same past look the same to it (rules 2.6, 7.7, 7.8).

The games are made and compared by `leak_hunt.py`; questions of one battle, draft and discard are looked at here.
"""

import sys

import leak_hunt
import numpy as np
import pytest
from leak_hunt import hunt
from random_play import differing, even_action, games_in_the_middle
from scenario import Scenario
from seen import seen

from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine import actions as act
from bloodrage_env.games.bloodrage.engine.ids import NONE, Decision, Phase
from bloodrage_env.games.bloodrage.notation import events
from bloodrage_env.games.bloodrage.observation import observe

SECRET = (Decision.DRAFT, Decision.BATTLE_CARD, Decision.LATE_CARD, Decision.KEEP_CARD)
EVERY_MIXTURE = range(32)  # of players and options (`random_play.options_of`)


def test_games_with_the_same_past_look_the_same():
    tally = hunt(5000)
    assert tally.leaks == []
    assert tally.other_hands > 0.8 * tally.comparisons
    assert tally.by_question[list(SECRET)].all()  # with and without forced questions, one's own and of another


@pytest.mark.slow
def test_games_with_the_same_past_look_the_same_for_long():
    assert hunt(60_000, seed=1).leaks == []


def test_the_hunt_finds_what_a_question_left_out_would_tell(monkeypatch):
    """As if only clans with a choice were asked, and everybody could see it."""

    def leaky(states, index, seat, out):
        observe(states, index, seat, out)
        out[0] += states[index].num_legal == 1

    monkeypatch.setattr(leak_hunt, "observe", leaky)
    assert len(hunt(3000).leaks) > 10


def test_the_hunt_finds_events_that_tell_what_another_seat_chose(monkeypatch):
    monkeypatch.setattr(sys.modules[events.__module__], "_may_see", lambda *_: True)
    assert any("events" in leak for leak in hunt(3000).leaks)


def late_cards(hand, skip_forced):
    """Who is asked for late cards in a battle of three, of whom seat 1 has `hand` left."""
    g = Scenario(players=3, age=3, skip_forced=skip_forced)
    for seat in range(3):
        g.put(seat, "warrior", "yggdrasil")
        g.hand(seat, "Tyr's Rage")
    g.hand(1, *hand)
    g.go()
    for action in (act.PROVINCE + 8, *[act.NO] * 9):
        if g.state.decision in (Decision.ACTION, Decision.CALL):
            engine.apply(g.states, 0, action)
    while g.state.decision == Decision.BATTLE_CARD:
        engine.apply(g.states, 0, int(g.state.mask.argmax()))
    asked = []
    while g.state.decision == Decision.LATE_CARD:
        asked.append(int(g.state.seat))
        engine.apply(g.states, 0, act.NO)
    return asked


@pytest.mark.parametrize("skip_forced", [True, False])
def test_late_cards_are_asked_of_every_clan_with_a_card(skip_forced):
    """rules 4.5, 7.8: whether or not it is a late card; a clan with an empty hand has none."""
    assert late_cards(["Heimdall's Eye", "Tyr's Crush"], skip_forced) == [1]
    assert late_cards(["Tyr's Rage", "Tyr's Crush"], skip_forced) == [1]
    assert late_cards([], skip_forced) == []


def one_answer(decision, hand):
    """A question with one legal answer, to seat 0 with this hand."""
    g = Scenario(players=2, age=3)
    g.hand(0, *hand)
    g.state.decision = decision
    g.state.rage[0] = 0  # nothing to pay with
    g.state.figures[0] = 0
    g.go()
    assert g.state.num_legal == 1
    return engine.is_openly_forced(g.states, 0)


def test_what_everybody_can_see_is_not_asked():
    """rules 7.7: what a hand holds decides about actions, battle cards and late cards; its size may settle it."""
    assert one_answer(Decision.ACTION, [])
    assert not one_answer(Decision.ACTION, ["Tyr's Rage"])
    assert one_answer(Decision.BATTLE_CARD, ["Tyr's Rage"])
    assert not one_answer(Decision.BATTLE_CARD, ["Tyr's Rage", "Tyr's Rage"])
    assert not one_answer(Decision.LATE_CARD, ["Tyr's Rage"])


def test_questions_left_out_are_openly_forced():
    """Beside a game that asks everything: the same answers, and what is left out depends on what lies open."""
    left_out = set()
    asked = set()
    for seed in EVERY_MIXTURE:
        states = engine.new_game(seed, 2 + seed % 3, seed % 4 == 3, skip_forced=False)
        short = engine.new_game(seed, 2 + seed % 3, seed % 4 == 3)
        rng = np.random.default_rng(seed)
        while not engine.is_over(states, 0):
            s = states[0]
            action = even_action(states, rng)
            if s.decisions == short[0].decisions:
                assert not engine.is_openly_forced(states, 0)
                asked |= {int(s.decision)} if s.num_legal == 1 else set()
                engine.apply(short, 0, action)
            else:
                assert engine.is_openly_forced(states, 0)
                left_out.add(int(s.decision))
            engine.apply(states, 0, action)
        assert set(differing(states, short)) <= {"skip_forced"}
    assert left_out.isdisjoint({Decision.DRAFT, Decision.LATE_CARD, Decision.KEEP_CARD})
    assert {Decision.BATTLE_CARD, Decision.MARCH, Decision.SLOT} <= left_out
    assert {Decision.DRAFT, Decision.LATE_CARD} <= asked


def test_nothing_says_how_far_the_others_have_come():
    """7.1, 7.8: to a seat that waits, one question of a round is like the next; it sees that something is chosen."""
    pairs = set()
    before = None
    for seed, states, _ in games_in_the_middle(EVERY_MIXTURE, 1.0):
        s = states[0]
        after = engine.clone(states, 0)
        secret = engine.is_secret(states, 0)
        if before is not None and before[0] == seed and secret and s.decision == before[1][0].decision:
            old = before[1]
            public = ("draft_round", "hand_size", "discards", "figures", "late_count")
            same_round = all(np.array_equal(old[0][name], s[name]) for name in public)
            for viewer in set(range(int(s.num_players))) - {int(s.seat), int(old[0].seat)}:
                if same_round and (old[0].pending[viewer] == s.pending[viewer]).all():
                    views = [engine.hide(each, 0, viewer) for each in (old, after)]
                    assert set(differing(*views)) == set(), Decision(int(s.decision)).name
                    assert (views[1][0].decision, views[1][0].seat) == (Decision.NONE, NONE)
                    assert seen(states, viewer)["decision"].argmax() == Decision.NONE
                    pairs.add(int(s.decision))
        before = (seed, after) if secret else None
    assert pairs == set(SECRET)


def test_a_redeal_while_others_choose_is_a_game_to_play_on():
    """They begin anew: another clan than the viewer is asked, and the viewer's own choice stays."""
    seen = set()
    for _, states, rng in games_in_the_middle(EVERY_MIXTURE, 0.2):
        s = states[0]
        for viewer in range(int(s.num_players)):
            if engine.is_secret(states, 0) and s.seat != viewer:
                r = engine.redeal(engine.hide(states, 0, viewer), 0, viewer, int(rng.integers(1 << 62)))
                assert (r[0].decision, r[0].num_legal >= 1) == (s.decision, True)
                assert r[0].seat not in (viewer, NONE)
                assert (r[0].pending[viewer] == s.pending[viewer]).all()
                assert (np.delete(r[0].pending, viewer, axis=0) == NONE).all()
                engine.play_random(r, 0, 1, 30)
                assert r[0].phase != Phase.GODS_GIFTS or s.phase == Phase.GODS_GIFTS or r[0].age > s.age
                seen.add(int(s.decision))
    assert seen == set(SECRET)
