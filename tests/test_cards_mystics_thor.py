"""Every clause of Thor's Chosen (rules 6.4.4.11)."""

import pytest
from fights import fight
from mystics import FRIGGA, THOR, game, mystics, where
from scenario import Scenario

from bloodrage_env.games.bloodrage.engine.ids import Decision, Source


def glory(g: Scenario, seat: int) -> int:
    return g.from_source(seat, Source.UPGRADES)


def chosen(*places: str, owner: int = 0, players: int = 2) -> Scenario:
    g = mystics(game(players), owner, *places)
    g.upgrade(owner, THOR)
    return g


@pytest.mark.parametrize("number", [0, 1, 2])
def test_three_glory_for_each_mystic_of_the_winner(number):
    """rules 6.4.4.11: own Mystics in the battle."""
    g = chosen(*["gimle"] * number)
    g.put(0, "leader", "gimle")
    g.put(1, "warrior", "gimle")
    fight(g, {})
    assert glory(g, 0) == 3 * number


def test_the_winner_need_not_be_the_pillager():
    """rules 6.4.4.11."""
    g = chosen("gimle", owner=1)
    g.put(0, "warrior", "gimle")
    fight(g, {})
    assert glory(g, 1) == 3


def test_mystics_elsewhere_pay_nothing():
    """rules 6.4.4.11: only those in it; one that joins by the call is."""
    g = chosen("utgard", "andlang", owner=1)
    g.put(0, "warrior", "gimle")
    g.pillage(0, "gimle")
    g.choose(1, "mystic", "andlang")
    g.decline_calls()
    assert glory(g, 1) == 3


def test_other_clans_mystics_pay_nothing():
    """rules 6.4.4.11: only own ones, and only to the winner."""
    g = chosen("gimle", "gimle", owner=1)
    g.upgrade(0, THOR)
    g.put(0, "leader", "gimle")
    fight(g, {0: "Tyr's Rage"})
    assert (glory(g, 0), glory(g, 1)) == (0, 0)


def test_mystics_of_a_clan_without_the_card_pay_nothing():
    """rules 6.4.4.11: it is the card's power."""
    g = mystics(game(), 0, "gimle", "gimle")
    g.upgrade(0, FRIGGA)
    g.put(1, "warrior", "gimle")
    fight(g, {})
    assert glory(g, 0) == 0


def test_two_copies_pay_once():
    """rules 6.4.4.3: an exception to rules 3.2.7."""
    g = chosen("gimle", "gimle")
    g.upgrade(0, THOR)
    g.put(1, "warrior", "gimle")
    fight(g, {})
    assert glory(g, 0) == 6


def test_a_mystic_lost_in_step_7_counts():
    """rules 6.4.4.11: it was there when the cards were first chosen."""
    g = chosen("gimle", "gimle")
    g.put(1, "warrior", "gimle")
    fight(g, {0: "Odin's Tide"})
    assert where(g, 0) == {"gimle": 1, "valhalla": 1}
    assert glory(g, 0) == 6


def test_a_mystic_withdrawn_in_step_7_counts():
    """rules 6.4.4.11."""
    g = chosen("gimle", "gimle")
    g.upgrade(0, FRIGGA)
    g.put(1, "warrior", "gimle")
    fight(g, {0: "Odin's Tide"})
    assert g.asked() == (0, Decision.WITHDRAW)
    g.province(0, "andlang")
    assert glory(g, 0) == 6


def test_a_tie_pays_nothing():
    """rules 6.4.4.11."""
    g = chosen("gimle")
    g.put(1, "warrior", "gimle", 2)
    fight(g, {})
    assert glory(g, 0) == 0


def test_an_unopposed_pillage_pays_nothing():
    """rules 6.4.4.11."""
    g = chosen("gimle")
    fight(g, {})
    assert g.is_pillaged("gimle")
    assert glory(g, 0) == 0


def test_primacy_does_not_cancel_it():
    """rules 6.4.4.11: it is an upgrade's text."""
    g = chosen("gimle")
    g.put(0, "leader", "gimle")
    g.put(1, "warrior", "gimle")
    fight(g, {0: "Tyr's Rage", 1: "Thor's Primacy"})
    assert glory(g, 0) == 3
