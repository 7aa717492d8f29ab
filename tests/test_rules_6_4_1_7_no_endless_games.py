"""rules 6.4.1.7: after a battle over its own pillage a clan must come anew before it may choose the province again."""

import pytest
from fights import dead, fight
from mystics import FJORD, FRIGGA, MYSTICS, game, mystics
from scenario import Scenario
from seen import seen

from bloodrage_env.games.bloodrage.engine.ids import Decision


def tied(players: int = 2, sets: int = MYSTICS, **options: int) -> Scenario:
    """Seat 0 has pillaged Gimle: a tie, in which Protection has kept all its figures; it acts again."""
    g = game(players, sets, **options)
    g.upgrade(0, "Frigga's Protection", "Tyr's Challenge")
    g.put(0, "leader", "gimle")
    g.put(1, "warrior", "gimle", 3)
    for seat in range(1, players):
        g.rage(seat, 0)
    fight(g, {})
    g.count(0, 1)
    assert dead(g, 1) == 3
    assert g.asked() == (0, Decision.ACTION)
    return g


def test_the_province_is_barred_after_a_tie():
    """rules 6.4.1.7: not others, and not without the sets."""
    g = tied()
    g.put(0, "warrior", "utgard")
    assert not g.can_pillage("gimle")
    assert g.can_pillage("utgard")
    assert tied(sets=0).can_pillage("gimle")


def test_it_is_barred_after_a_battle_that_was_won():
    """rules 6.4.1.7: Tyr's Challenge is no way round it; after a pillage without a battle it is."""
    g = game()
    g.upgrade(0, "Tyr's Challenge")
    g.put(0, "leader", "gimle")
    g.put(1, "warrior", "gimle")
    g.put(0, "warrior", "utgard")
    g.rage(1, 0)
    fight(g, {})
    assert g.is_pillaged("gimle")
    assert not g.can_pillage("gimle")
    g.pillage(0, "utgard")
    assert g.can_pillage("utgard")


def test_it_is_barred_after_a_battle_that_was_lost():
    """rules 6.4.1.7: where a figure was saved."""
    g = game()
    g.upgrade(0, "Frigga's Protection")
    g.put(0, "leader", "gimle")
    g.put(1, "leader", "gimle")
    g.put(1, "warrior", "gimle")
    g.rage(1, 0)
    fight(g, {})
    g.count(0, 1)
    assert not g.can_pillage("gimle")


def test_it_is_barred_for_the_pillager_alone():
    """rules 6.4.1.7: of its own pillage; the other clans of the battle are free."""
    g = tied()
    g.put(1, "warrior", "gimle")
    g.rage(1, 6)
    g.pass_(0)
    assert g.can_pillage("gimle")


def test_a_pillage_by_thors_domain_bars_it_too():
    """rules 6.4.1.7: however the pillage had been started; but Thor's Domain may start one anywhere."""
    g = game()
    g.upgrade(0, "Thor's Domain", "Frigga's Protection")
    g.put(1, "warrior", "gimle", 1)
    g.rage(1, 0)
    g.invade(0, "warrior", "gimle")
    g.yes(0)
    g.count(0, 1)
    assert not g.can_pillage("gimle")
    g.rage(0, 6)
    g.invade(0, "warrior", "gimle")
    assert g.asked() == (0, Decision.FREE_PILLAGE)


@pytest.mark.parametrize(
    ("kind", "place"), [("warrior", "gimle"), ("ship", FJORD), ("mystic", "gimle")], ids=["warrior", "ship", "Mystic"]
)
def test_an_invade_opens_it(kind, place):
    """rules 6.4.1.7: into it or into its supporting fjord."""
    g = mystics(tied(), 0, "reserve")
    g.invade(0, "warrior", "utgard")
    assert not g.can_pillage("gimle")
    g.invade(0, kind, place)
    assert g.can_pillage("gimle")


def test_a_march_opens_it():
    """rules 6.4.1.7: into it; a March out of it does not."""
    g = tied()
    g.put(0, "warrior", "andlang")
    g.put(0, "warrior", "gimle")
    g.march(0, "gimle", "utgard", warrior=1)
    assert not g.can_pillage("gimle")
    g.march(0, "andlang", "gimle", warrior=1)
    assert g.can_pillage("gimle")


def test_a_blessing_after_step_9_opens_it():
    """rules 6.4.1.7: since step 9 of that battle; it is an Invade (rules 6.3.5)."""
    g = game()
    g.upgrade(0, "Loki's Blessing")
    g.put(0, "warrior", "gimle")
    g.put(1, "warrior", "gimle")
    g.rage(1, 0)
    fight(g, {})
    g.yes(0)
    assert g.can_pillage("gimle")


def test_joining_a_call_does_not_open_it():
    """rules 6.4.1.7."""
    g = tied(3)
    g.put(0, "warrior", "andlang")
    g.put(2, "warrior", "gimle")
    g.rage(2, 6)
    g.pass_(0)
    g.pillage(2, "gimle")
    g.choose(0, "warrior", "andlang")
    g.decline_calls()
    assert g.figures(0, "warrior", "gimle") == 1
    g.rage(0, 6)
    g.state.passed[0] = 0
    g.pass_(2)
    assert not g.can_pillage("gimle")


def test_a_withdrawal_does_not_open_it():
    """rules 6.4.1.7: nor does Lord of Hammers."""
    g = mystics(tied(3), 0, "andlang")
    g.upgrade(0, FRIGGA)
    g.put(2, "leader", "andlang")
    g.put(2, "warrior", "andlang")
    g.rage(2, 6)
    g.invade(0, "warrior", "elvagar")
    g.rage(0, 0)
    g.pillage(2, "andlang")
    g.decline_calls()
    g.province(0, "gimle")
    g.rage(0, 6)
    g.pass_(2)
    assert g.figures(0, "mystic", "gimle") == 1
    assert not g.can_pillage("gimle")


def test_lord_of_hammers_does_not_open_it():
    """rules 6.4.1.7."""
    g = tied()
    g.upgrade(0, "Lord of Hammers")
    g.march(0, "gimle", "andlang", leader=1)
    g.pillage(0, "andlang")
    g.province(0, "gimle")
    assert g.figures(0, "leader", "gimle") == 1
    assert not g.can_pillage("gimle")


def test_it_is_open_in_the_next_age():
    """rules 6.4.1.7: in this Age only."""
    g = tied()
    assert g.state.barred.any()
    g.end_action_phase()
    while int(g.state.age) == 0:
        g.answer(g.asked()[0], g.legal_actions()[0])
    assert not g.state.barred.any()


def test_all_see_what_is_barred():
    """rules 6.4.1.7: open to all."""
    g = tied(3)
    for me in range(3):
        barred = seen(g.states, me)["barred"]
        assert barred.sum() == 1
        assert barred[-me % 3, 6] == 1
