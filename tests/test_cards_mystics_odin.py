"""Every clause of Odin's Chosen (rules 6.4.4.9 and 6.4.4.10)."""

import pytest
from clans import ACTS
from fights import offered
from mystics import FRIGGA, MYSTICS, ODIN, alone, game, mystics, where
from scenario import Scenario

from bloodrage_env.games.bloodrage.engine import actions as act
from bloodrage_env.games.bloodrage.engine.ids import CardSet, Decision, Figure, Place, Source

VICTIM = Decision.VICTIM


def chosen(players: int = 2, **options: int) -> Scenario:
    """Seat 0 acts alone, with Odin's Chosen and a Mystic in the reserve."""
    g = mystics(alone(players, **options), 0, "reserve")
    g.upgrade(0, ODIN)
    return g


# ---- where (rules 6.4.4.9)


@pytest.mark.parametrize("kind", ["warrior", "mystic"])
def test_it_takes_the_village_of_a_warrior_or_mystic(kind):
    """rules 6.4.4.9: an enemy one, which is destroyed."""
    g = chosen()
    mystics(g, 1, "horgr")
    g.put(1, "leader", "horgr")
    g.put(1, "warrior", "horgr", 2)
    g.invade(0, "mystic", "horgr")
    assert g.asked() == (0, VICTIM)
    g.choose(0, kind, "horgr")
    assert where(g, 0) == {"horgr": 1}
    assert g.figures(1, kind, "valhalla") == 1


def test_no_other_figure_is_a_victim():
    """rules 6.4.4.9: a leader or a monster stays, and the Mystic Troll is a monster; own figures are not enemies."""
    g = chosen(sets=MYSTICS | 1 << CardSet.KS)
    g.upgrade(1, "Mystic Troll")
    g.put(1, "leader", "utgard")
    g.put(1, "monster_1", "utgard")
    g.put(0, "warrior", "utgard")
    assert Place.UTGARD not in offered(g, Figure.MYSTIC)


def test_it_may_take_a_village_while_others_are_empty():
    """rules 6.4.4.9: or an empty one; it is asked."""
    for no in (False, True):
        g = chosen()
        g.put(1, "warrior", "gimle")
        g.invade(0, "mystic", "gimle")
        assert g.asked() == (0, VICTIM)
        assert set(g.legal_actions()) == {act.NO, act.figure_at(Figure.WARRIOR, Place.GIMLE)}
        g.no(0) if no else g.choose(0, "warrior", "gimle")
        assert where(g, 0) == {"gimle": 1}
        assert g.figures(1, "warrior", "gimle") == no


def test_it_works_with_friggas_domain():
    """rules 6.4.4.9: on every Invade; the question is open where no village is empty too."""
    g = mystics(alone(), 0, "valhalla")
    g.upgrade(0, ODIN, "Frigga's Domain")
    g.put(1, "warrior", "utgard", 3)
    g.raise_dead(0)
    g.choose(0, "mystic", "utgard")
    assert (where(g, 0), g.rage_of(0)) == ({"utgard": 1}, 5)
    assert g.figures(1, "warrior", "valhalla") == 1


def test_it_works_neither_on_march_nor_on_a_call():
    """rules 6.4.4.9."""
    g = mystics(alone(), 0, "andlang")
    g.upgrade(0, ODIN)
    g.put(1, "warrior", "utgard", 3)
    assert not g.can_march("andlang", "utgard")
    g.march(0, "andlang", "gimle", mystic=1)
    assert g.asked() == ACTS
    g = mystics(game(), 1, "andlang")
    g.upgrade(1, ODIN)
    g.put(0, "warrior", "utgard", 2)
    g.pillage(0, "utgard")
    g.choose(1, "mystic", "andlang")
    assert g.asked()[1] == Decision.ACTION  # the battle is over: 2 and 2
    assert g.figures(0, "warrior", "valhalla") == 2


def test_yggdrasil_and_fjords_are_closed_to_it():
    """rules 6.4.4.9."""
    g = chosen()
    g.put(1, "warrior", "yggdrasil")
    g.put(1, "ship", "fjord_gimle_myrkulor")
    assert offered(g, Figure.MYSTIC) == {Place(p) for p in range(8)}


def test_room_under_horns_is_needed_first():
    """rules 6.4.4.9."""
    g = chosen()
    g.put(0, "warrior", "gimle", 4)
    g.put(1, "warrior", "utgard", 3)
    assert offered(g, Figure.MYSTIC) == set()


def test_others_than_mystics_take_no_village():
    """rules 6.4.4.9: warriors and leaders need an empty one; so do the Mystics of a clan without the card."""
    g = chosen()
    g.put(1, "warrior", "utgard", 3)
    assert Place.UTGARD not in offered(g, Figure.WARRIOR) | offered(g, Figure.LEADER)
    g = mystics(alone(), 0, "reserve")
    g.upgrade(0, FRIGGA)
    g.upgrade(1, ODIN)
    g.put(1, "warrior", "utgard", 3)
    assert Place.UTGARD not in offered(g, Figure.MYSTIC)


# ---- order (rules 6.4.4.10)


def test_a_victim_is_named_by_clan_and_kind():
    """rules 6.4.4.10: clan by clan to the left; NO where another clan's figure is left or a village is empty."""
    g = mystics(chosen(3), 1, "horgr")
    g.put(1, "warrior", "horgr")
    g.put(2, "warrior", "horgr", 2)
    figures = {act.figure_at(kind, Place.HORGR) for kind in (Figure.WARRIOR, Figure.MYSTIC)}
    g.invade(0, "mystic", "horgr")
    assert g.asked() == (0, VICTIM)
    assert set(g.legal_actions()) == figures | {act.NO}
    g.skip_forced = False
    g.state.skip_forced = 0
    g.no(0)
    assert g.asked() == (0, VICTIM)
    assert g.legal_actions() == [act.figure_at(Figure.WARRIOR, Place.HORGR)]
    g.choose(0, "warrior", "horgr")
    assert g.figures(2, "warrior", "valhalla") == 1
    assert where(g, 0) == where(g, 1) == {"horgr": 1}


def test_nothing_is_asked_without_a_possible_victim():
    """rules 6.4.4.10."""
    g = chosen()
    g.put(1, "leader", "gimle")
    g.invade(0, "mystic", "gimle")
    assert g.asked() == ACTS
    assert where(g, 0) == {"gimle": 1}


def test_then_comes_what_an_invade_sets_off():
    """rules 6.4.4.10: Succor, then Thor's Domain."""
    g = chosen()
    g.upgrade(0, "Frigga's Succor", "Thor's Domain")
    g.put(1, "warrior", "gimle", 2)
    g.invade(0, "mystic", "gimle")
    g.choose(0, "warrior", "gimle")
    assert g.asked() == (0, Decision.SUCCOR)
    g.no(0)
    assert g.asked() == (0, Decision.FREE_PILLAGE)


def test_protection_may_keep_the_victim():
    """rules 6.4.4.10: the Mystic takes an empty village if there is one; no second victim is named."""
    g = chosen(seat=0)
    g.upgrade(1, "Frigga's Protection")
    g.rage(1, 1)
    g.put(1, "warrior", "gimle", 2)
    g.invade(0, "mystic", "gimle")
    g.choose(0, "warrior", "gimle")
    assert g.asked() == (1, Decision.SAVE)
    g.count(1, 1)
    assert g.asked() == ACTS
    assert where(g, 0) == {"gimle": 1}
    assert g.figures(1, "warrior", "gimle") == 2


@pytest.mark.parametrize("origin", ["reserve", "valhalla"])
def test_a_saved_victim_in_a_full_province_turns_the_mystic_away(origin):
    """rules 6.4.4.10: it stays where it came from, there was no Invade; the action and what was paid are spent."""
    g = mystics(alone(), 0, origin)
    g.upgrade(0, ODIN, "Frigga's Domain", "Thor's Domain")
    g.upgrade(1, "Frigga's Protection")
    g.rage(1, 1)
    g.put(1, "warrior", "utgard", 3)
    if origin == "reserve":
        g.invade(0, "mystic", "utgard")
    else:
        g.raise_dead(0)
        g.choose(0, "mystic", "utgard")
    g.count(1, 1)
    assert g.asked() == ACTS
    assert where(g, 0) == {origin: 1}
    assert g.rage_of(0) == 6 - (origin == "valhalla")
    assert g.figures(1, "warrior", "utgard") == 3


def test_a_victim_that_withdraws_leaves_its_village():
    """rules 6.4.4.10: Frigga's Chosen may answer; with nowhere to go the victim dies."""
    g = mystics(chosen(), 1, "utgard")
    g.upgrade(1, FRIGGA)
    g.put(1, "leader", "utgard")
    g.put(0, "warrior", "utgard")
    g.invade(0, "mystic", "utgard")
    assert g.asked() == (1, Decision.WITHDRAW)
    g.province(1, "horgr")
    assert (where(g, 0), where(g, 1)) == ({"utgard": 1}, {"horgr": 1})


def test_it_is_no_battle():
    """rules 6.4.4.10: Valkyrie and Thor's Glory do not pay."""
    g = chosen()
    g.upgrade(0, "Valkyrie", "Thor's Glory")
    g.put(0, "monster_1", "utgard")
    g.put(1, "warrior", "utgard", 2)
    g.invade(0, "mystic", "utgard")
    assert g.glory_of(0) == 0
    assert g.from_source(0, Source.UPGRADES) == 0
    assert g.figures(1, "warrior", "valhalla") == 1
