"""rules 6.3.1 and 6.3.2: free Invades, and what an Invade sets off, in which order."""

import pytest
from clans import ACTS, ALL_OUTER, alone
from fights import dead
from scenario import Scenario

from bloodrage_env.games.bloodrage.engine.ids import Decision


# ---- 6.3.1 an Invade for free is an Invade
@pytest.mark.parametrize(("on_board", "asked"), [(3, Decision.FREE_INVADE), (4, Decision.ACTION)])
def test_free_invade_of_an_upgrade_needs_room_under_horns(on_board, asked):
    """rules 6.3.1: four Horns, so that a fifth figure can't invade; the upgrade is played all the same."""
    g = alone()
    g.put(0, "warrior", "gimle", on_board)
    g.hand(0, "Experts in Arms")
    g.play(0, "Experts in Arms")
    assert g.has_upgrade(0, "Experts in Arms")
    assert g.asked() == (0, asked)


def test_free_invade_needs_an_empty_village():
    """rules 6.3.1: one province stands and is full."""
    g = alone()
    g.destroyed(*(p for p in ALL_OUTER if p != "utgard"))
    g.put(1, "warrior", "utgard", 3)
    g.hand(0, "Experts in Arms")
    g.play(0, "Experts in Arms")
    assert g.asked() == ACTS


def test_free_invade_goes_to_outer_provinces_that_stand():
    """rules 6.3.1: not into Yggdrasil, not into a destroyed province."""
    g = alone()
    g.destroyed("andlang")
    g.hand(0, "Experts in Arms")
    g.play(0, "Experts in Arms")
    assert [p for p in ALL_OUTER if g.can_invade("warrior", p)] == [p for p in ALL_OUTER if p != "andlang"]
    assert not g.can_invade("warrior", "yggdrasil")
    assert not g.can_invade("leader", "gimle")  # a figure of the upgrade's kind only


def test_free_invade_sets_off_succor_and_thors_domain():
    """rules 6.3.1: all of 6.3.2 follows a free Invade."""
    g = alone()
    g.upgrade(0, "Frigga's Succor", "Thor's Domain")
    g.hand(0, "Experts in Arms")
    g.play(0, "Experts in Arms")
    g.choose(0, "warrior", "gimle")
    assert g.asked() == (0, Decision.SUCCOR)
    g.yes(0)
    assert g.asked() == (0, Decision.FREE_PILLAGE)
    g.yes(0)
    assert g.is_pillaged("gimle")
    assert g.figures(0, "warrior", "gimle") == 2
    assert g.rage_of(0) == 6 - 2 - 2


def test_free_invade_of_a_troll_kills():
    """rules 6.3.1: the Troll's free Invade sets off its text."""
    g = alone()
    g.put(1, "warrior", "gimle", 2)
    g.hand(0, "Troll")
    g.play(0, "Troll")
    g.choose(0, "monster_1", "gimle")
    assert g.figures(1, "warrior", "valhalla") == 2
    assert g.asked() == ACTS


@pytest.mark.parametrize(("on_board", "asked"), [(2, Decision.SUCCOR), (3, Decision.ACTION)])
def test_succor_needs_room_under_horns(on_board, asked):
    """rules 6.3.1: the follower is an Invade and counts against the four Horns."""
    g = alone()
    g.upgrade(0, "Frigga's Succor")
    g.put(0, "warrior", "gimle", on_board)
    g.invade(0, "warrior", "horgr")
    assert g.asked() == (0, asked)


@pytest.mark.parametrize(("taken", "asked"), [(1, Decision.SUCCOR), (2, Decision.ACTION)])
def test_succor_needs_an_empty_village(taken, asked):
    """rules 6.3.1: Utgard has three villages."""
    g = alone()
    g.upgrade(0, "Frigga's Succor")
    g.put(1, "warrior", "utgard", taken)
    g.invade(0, "warrior", "utgard")
    assert g.asked() == (0, asked)


def _lost_at_gimle_with_protection(elsewhere):
    g = Scenario(2)
    g.upgrade(0, "Loki's Blessing", "Frigga's Protection")
    g.put(0, "warrior", "gimle")
    g.put(0, "warrior", "horgr", elsewhere)
    g.put(1, "leader", "gimle")
    g.pillage(0, "gimle")
    g.decline_calls()
    assert g.asked() == (0, Decision.SAVE)
    g.count(0, 1)
    return g


def test_blessing_needs_room_under_horns():
    """rules 6.3.1: the saved loser still fills the fourth Horn, so no warrior may come."""
    assert _lost_at_gimle_with_protection(elsewhere=2).asked() == (0, Decision.BLESSING)
    assert _lost_at_gimle_with_protection(elsewhere=3).asked() == (1, Decision.ACTION)


@pytest.mark.parametrize(("winners", "asked"), [(2, (0, Decision.BLESSING)), (3, (1, Decision.ACTION))])
def test_blessing_needs_an_empty_village(winners, asked):
    """rules 6.3.1: a ship lost; the winners fill Utgard or leave a village."""
    g = Scenario(2)
    g.upgrade(0, "Loki's Blessing")
    g.put(0, "ship", "fjord_utgard_andlang")
    g.put(1, "leader", "utgard")
    g.put(1, "warrior", "utgard", winners - 1)
    g.pillage(0, "utgard")
    assert g.asked() == asked


def test_friggas_domain_needs_horns_and_a_village():
    """rules 6.3.1: Frigga's Domain is an Invade in every way."""
    g = alone()
    g.upgrade(0, "Frigga's Domain")
    g.put(0, "leader", "valhalla")
    g.put(0, "warrior", "gimle", 4)
    assert not g.can_raise_dead()
    g = alone()
    g.upgrade(0, "Frigga's Domain")
    g.put(0, "leader", "valhalla")
    g.put(1, "warrior", "utgard", 3)
    g.destroyed(*(p for p in ALL_OUTER if p not in ("utgard", "andlang")))
    g.put(0, "warrior", "andlang", 3)
    assert not g.can_raise_dead()


# ---- 6.3.2 the order of what an Invade sets off
@pytest.mark.parametrize("monster", ["Troll", "Fire Giant"])
def test_an_invade_first_needs_its_village(monster):
    """rules 6.3.2: three warriors that would die fill Utgard."""
    g = alone()
    g.rage(0, 9)
    g.upgrade(0, monster)
    g.put(1, "warrior", "utgard", 3)
    assert not g.can_invade("monster_1", "utgard")
    assert g.can_invade("monster_1", "andlang")


def test_the_troll_makes_room_for_succor():
    """rules 6.3.2: Troll, then Succor: the dead warriors' villages are free."""
    g = alone()
    g.upgrade(0, "Troll", "Frigga's Succor")
    g.put(1, "warrior", "utgard", 2)
    g.invade(0, "monster_1", "utgard")
    assert g.asked() == (0, Decision.SUCCOR)
    g.yes(0)
    assert g.figures(0, "warrior", "utgard") == 1


def test_giant_then_succor_then_thors_domain():
    """rules 6.3.2: Fire Giant (the victims' saves included), Succor, Thor's Domain."""
    g = Scenario(3)
    g.upgrade(0, "Fire Giant", "Frigga's Succor", "Thor's Domain")
    g.rage(0, 8)
    g.upgrade(1, "Frigga's Protection")
    g.put(1, "leader", "utgard")
    g.put(1, "warrior", "utgard")
    g.invade(0, "monster_1", "utgard")
    assert g.asked() == (1, Decision.SAVE)
    g.count(1, 0)  # the leader
    assert g.asked() == (1, Decision.SAVE)
    g.count(1, 1)  # the warrior
    assert g.asked() == (0, Decision.SUCCOR)
    g.yes(0)
    assert g.asked() == (0, Decision.FREE_PILLAGE)
    g.yes(0)
    assert g.asked() == (1, Decision.SAVE)  # STR 5 against 1
    g.count(1, 0)
    assert g.is_pillaged("utgard")
    assert (g.rage_of(0), g.rage_of(1)) == (8 - 4 - 2, 5)
    assert g.glory_of(0) == 3
    assert g.asked() == (1, Decision.ACTION)


def test_thors_domain_is_asked_once_for_figure_and_follower():
    """rules 6.3.2: one question, after Succor; declined, the turn is over."""
    g = Scenario(2)
    g.upgrade(0, "Frigga's Succor", "Thor's Domain")
    g.invade(0, "warrior", "gimle")
    g.yes(0)
    assert g.asked() == (0, Decision.FREE_PILLAGE)
    g.no(0)
    assert g.asked() == (1, Decision.ACTION)
    assert g.rage_of(0) == 5
    assert not g.is_pillaged("gimle")


def test_declined_succor_leaves_thors_domain():
    """rules 6.3.2: each is up to the owner."""
    g = Scenario(2)
    g.upgrade(0, "Frigga's Succor", "Thor's Domain")
    g.invade(0, "warrior", "gimle")
    g.no(0)
    g.yes(0)
    assert g.is_pillaged("gimle")
    assert g.figures(0, "warrior", "gimle") == 1


def test_a_pillage_inside_a_pillage_is_played_to_its_end():
    """rules 6.3.2: each loss is blessed with a warrior that starts the next pillage, eight times."""
    g = Scenario(2, seat=1)
    g.upgrade(1, "Loki's Blessing", "Thor's Domain")
    g.rage(1, 16)
    g.put(1, "leader", "gimle")
    g.put(0, "leader", "gimle")
    g.put(0, "warrior", "gimle")
    g.pillage(1, "gimle")
    for lost in range(1, 9):
        assert g.asked() == (1, Decision.BLESSING)
        assert dead(g, 1) == lost
        assert g.glory_of(0) == 3 * lost
        g.yes(1)
        assert g.asked() == (1, Decision.FREE_PILLAGE)
        g.yes(1)
    assert g.rage_of(1) == 0
    assert dead(g, 1) == 9
    assert g.glory_of(0) == 27
    assert g.asked() == ACTS
    assert not g.is_pillaged("gimle")
