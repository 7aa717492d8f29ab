"""Every clause of the god Heimdall (rules 6.4.5.11), and who sees what of an open step 4."""

import numpy as np
import pytest
from fights import dead, show
from gods import stage
from scenario import Scenario
from seen import seen

from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine import actions as act
from bloodrage_env.games.bloodrage.engine.card_ids import Card
from bloodrage_env.games.bloodrage.engine.ids import NONE, Decision, Source
from bloodrage_env.games.bloodrage.notation import action_text, decision_text, event_lines, events
from bloodrage_env.games.bloodrage.render.scene import scene

ALL = {0: {"warrior": 1}, 1: {"warrior": 1}, 2: {"leader": 1}}


def called(seat: int = 0, **hands: list[str]) -> Scenario:
    """The battle of Heimdall's province, before the first card."""
    g = stage("heimdall", ALL, seat=seat, age=3)
    for name, cards in hands.items():
        g.hand(int(name[-1]), *cards)
    g.pillage(seat, "gimle")
    g.decline_calls()
    return g


TWO = ["Tyr's Bash", "Tyr's Crush"]
LATE = "Heimdall's Eye"  # the battle stops for it


@pytest.mark.parametrize(("pillager", "order"), [(0, [1, 2, 0]), (1, [2, 0, 1]), (2, [0, 1, 2])])
def test_cards_are_played_one_after_the_other(pillager, order):
    """rules 6.4.5.11: clockwise from the pillager's left, the pillager last."""
    g = called(seat=pillager, hand_0=TWO, hand_1=TWO, hand_2=TWO)
    asked = []
    while g.asked()[1] == Decision.BATTLE_CARD:
        asked.append(g.asked()[0])
        g.card(asked[-1], "Tyr's Bash")
    assert asked == order


def test_a_card_is_out_of_the_hand_at_once():
    """rules 6.4.5.11: on the table, seen by all before the next clan chooses, not taken back."""
    g = called(hand_0=TWO, hand_1=TWO, hand_2=TWO)
    g.card(1, "Tyr's Crush")
    assert g.hand_of(1) == [Card.TYRS_BASH]
    assert g.state.main.tolist()[:3] == [NONE, Card.TYRS_CRUSH, NONE]
    assert (g.state.pending == NONE).all()
    for seat in range(3):
        table = seen(g.states, seat)["table"]
        assert table[(1 - seat) % 3, Card.TYRS_CRUSH] > 0
    assert g.asked() == (2, Decision.BATTLE_CARD)


def test_who_has_no_card_is_passed_over():
    """rules 6.4.5.11: none with an empty hand only."""
    g = called(hand_0=TWO, hand_2=TWO)
    assert g.asked() == (2, Decision.BATTLE_CARD)
    assert not g.can_no()


def test_texts_wait_until_all_have_played():
    """rules 6.4.5.11: Smite kills after the last card."""
    g = called(hand_0=[*TWO, LATE], hand_1=["Odin's Smite", "Tyr's Bash"], hand_2=TWO)
    g.card(1, "Odin's Smite")
    assert (g.state.text == NONE).all()
    g.card(2, "Tyr's Bash")
    assert dead(g, 0) == 0
    g.card(0, "Tyr's Bash")
    assert g.state.text[1] == Card.ODINS_SMITE
    assert dead(g, 0) == 1


def test_later_steps_go_from_the_pillager():
    """rules 6.4.5.11: of two Primacies the pillager's acts, though it was played last (rules 6.1.3)."""
    g = called(hand_0=["Thor's Primacy", LATE], hand_1=["Thor's Primacy", "Tyr's Bash"], hand_2=TWO)
    g.card(1, "Thor's Primacy")
    g.card(2, "Tyr's Bash")
    g.card(0, "Thor's Primacy")
    assert g.state.text[0] == Card.THORS_PRIMACY
    assert g.state.text[1] == NONE


def test_late_cards_begin_with_the_pillager():
    """rules 6.4.5.11, 4.5"""
    g = called(hand_0=[*TWO, LATE], hand_1=[*TWO, LATE], hand_2=TWO)
    show(g, {1: "Tyr's Bash", 2: "Tyr's Bash", 0: "Tyr's Bash"})
    assert g.asked() == (0, Decision.LATE_CARD)


def test_after_a_watch_openly_again():
    """rules 6.4.5.11: step 4 in the same way, from the pillager's left."""
    g = called(hand_0=[*TWO, "Tyr's Rage"], hand_1=["Heimdall's Watch", *TWO], hand_2=[*TWO, "Tyr's Rage"])
    show(g, {1: "Heimdall's Watch", 2: "Tyr's Bash", 0: "Tyr's Bash"})
    glory = g.from_source(1, Source.BATTLE_CARDS)
    assert glory >= 4
    assert g.asked() == (1, Decision.BATTLE_CARD)
    g.card(1, "Tyr's Crush")
    assert g.state.main[1] == Card.TYRS_CRUSH
    assert g.asked() == (2, Decision.BATTLE_CARD)


def test_the_valkyrie_is_there_before_the_first_card():
    """rules 6.4.5.11: "when the cards are first chosen" (6.2.10) is the moment before the first card."""
    g = stage("heimdall", {0: {"leader": 1, "Valkyrie": 1}, 1: {"warrior": 1}})
    g.hand(0, "Tyr's Bash")
    g.hand(1, *TWO)
    g.pillage(0, "gimle")
    g.decline_calls()
    assert g.asked() == (1, Decision.BATTLE_CARD)
    assert g.state.attended[0, 0] == 1


def test_winner_and_losers_are_as_usual():
    """rules 6.4.5.11: cards, deaths and glory of 4.6 and 4.7."""
    g = called(hand_0=["Tyr's Rage", "Tyr's Bash"], hand_1=TWO, hand_2=TWO)
    show(g, {1: "Tyr's Bash", 2: "Tyr's Bash", 0: "Tyr's Rage"})
    assert g.is_pillaged("gimle")
    assert [dead(g, seat) for seat in range(3)] == [0, 1, 1]
    assert Card.TYRS_BASH in g.hand_of(1)
    assert g.from_source(0, Source.BATTLE) == 3


# ---- who sees what


def test_the_question_is_open_to_all():
    """rules 6.4.5.11: all see who chooses; hand and mask stay the clan's own."""
    g = called(hand_0=TWO, hand_1=TWO, hand_2=TWO)
    assert not engine.is_secret(g.states, 0)
    for seat in range(3):
        parts = seen(g.states, seat)
        assert parts["decision"].argmax() == Decision.BATTLE_CARD
        assert parts["actor"].argmax() == (1 - seat) % 3
        view = engine.hide(g.states, 0, seat)[0]
        assert (view.decision, view.seat) == (Decision.BATTLE_CARD, 1)
        assert bool(view.mask.any()) == (seat == 1)
        assert scene(g.states, 0, seat)["question"]["text"] == decision_text(g.states, 0)
    assert "face up" in decision_text(g.states, 0)


def test_a_redeal_leaves_the_table():
    """rules 6.4.5.11: the next clan is asked of another hand; what lies on the table stays."""
    states = played_to_the_open_step()
    s = states[0]
    for viewer in set(range(int(s.num_players))) - {int(s.seat)}:
        hands = set()
        for number in range(20):
            r = engine.redeal(engine.hide(states, 0, viewer), 0, viewer, number)[0]
            assert (r.decision, r.seat) == (s.decision, s.seat)
            assert (r.main == s.main).all()
            assert r.num_legal == (r.hand[s.seat] > 0).sum()
            hands.add(tuple(r.hand[s.seat].tolist()))
        assert len(hands) > 1


def played_to_the_open_step():
    """A game in an open step 4, with a card on the table."""
    for seed in range(1000):
        states = engine.new_game(seed, 3, sets=1 << 4)
        rng = np.random.default_rng(seed)
        while not engine.is_over(states, 0):
            s = states[0]
            if s.decision == Decision.BATTLE_CARD and (s.main != NONE).any() and s.known[s.seat].sum() == 0:
                return states
            legal = s.mask.nonzero()[0]
            pillages = legal[(legal >= act.PROVINCE) & (legal < act.CARD)]
            engine.apply(
                states, 0, int(rng.choice(pillages if len(pillages) and s.decision == Decision.ACTION else legal))
            )
    raise AssertionError("no open step 4 in a thousand games")


def test_the_words_tell_the_card():
    """rules 6.4.5.11: to every seat, at once."""
    g = called(hand_0=TWO, hand_1=TWO, hand_2=TWO)
    action = act.CARD + Card.TYRS_CRUSH
    assert action_text(g.states, 0, action) == "play Tyr's Crush (+4)"
    before = engine.clone(g.states, 0)
    g.card(1, "Tyr's Crush")
    for seat in (0, 1, 2, None):
        assert event_lines(before, g.states, action, seat)[0] == "Bear: play Tyr's Crush (+4)"


def test_the_words_tell_a_watch_and_a_primacy():
    """What becomes of open cards is told when all lie there."""
    g = called(hand_0=[*TWO, "Tyr's Rage"], hand_1=["Heimdall's Watch", *TWO], hand_2=[*TWO, "Tyr's Rage"])
    show(g, {1: "Heimdall's Watch", 2: "Tyr's Bash"})
    before = engine.clone(g.states, 0)
    g.card(0, "Tyr's Bash")
    found = [event.text for event in events(before, act.CARD + Card.TYRS_BASH, 2)]
    assert "all revealed cards are discarded, the clans choose again" in found
    assert not any("revealed:" in line for line in found)
    g = called(hand_0=["Thor's Primacy", *TWO], hand_1=["Odin's Smite", *TWO], hand_2=TWO)
    show(g, {1: "Odin's Smite", 2: "Tyr's Bash"})
    before = engine.clone(g.states, 0)
    g.card(0, "Thor's Primacy")
    found = [event.text for event in events(before, act.CARD + Card.THORS_PRIMACY, 2)]
    assert "the text of Bear's Odin's Smite is cancelled" in found
