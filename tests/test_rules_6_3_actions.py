"""rules 6.3.6 to 6.3.8: Tyr's Challenge, Frigga's Domain, Frigga's Sacrifice."""

import pytest
from clans import ACTS, ALL_OUTER, alone
from fights import dead
from scenario import Scenario

from bloodrage_env.games.bloodrage.engine.ids import Decision


# ---- 6.3.6 Tyr's Challenge
def test_challenge_pillages_again_for_two_rage():
    """rules 6.3.6: an action, 2 Rage; the token pays again, and it may be done once more."""
    g = alone()
    g.upgrade(0, "Tyr's Challenge")
    g.put(0, "warrior", "gimle")
    g.token("gimle", "horns")
    g.pillage(0, "gimle")
    assert (g.rage_of(0), g.steps_of(0)) == (6, [1, 1, 2])  # the first one is the free Pillage
    g.pillage(0, "gimle")
    assert (g.rage_of(0), g.steps_of(0)) == (4, [1, 1, 3])
    g.pillage(0, "gimle")
    assert (g.rage_of(0), g.steps_of(0)) == (2, [1, 1, 4])
    assert g.is_pillaged("gimle")


def test_challenge_needs_two_rage_the_upgrade_and_a_figure():
    """rules 6.3.6: none of them may be missing."""
    g = alone()
    g.put(0, "warrior", "gimle")
    g.pillaged("gimle", "horgr")
    assert not g.can_pillage("gimle")
    g.upgrade(0, "Tyr's Challenge")
    g.go()
    assert g.can_pillage("gimle")
    assert not g.can_pillage("horgr")
    g.rage(0, 1)
    assert not g.can_pillage("gimle")


def test_challenge_from_the_fjord_but_not_of_a_destroyed_province():
    """rules 6.3.6: it is the Pillage of 3.2.9: a ship will do, a destroyed province can't be pillaged."""
    g = alone()
    g.upgrade(0, "Tyr's Challenge")
    g.put(0, "ship", "fjord_gimle_myrkulor")
    g.pillaged("gimle", "myrkulor")
    g.destroyed("myrkulor")
    assert not g.can_pillage("myrkulor")
    g.pillage(0, "gimle")
    assert g.steps_of(0) == [2, 1, 1]
    assert g.rage_of(0) == 4


def test_challenge_lost_costs_its_rage():
    """rules 6.3.6: paid before it is done; the pillage failed, the token stays taken."""
    g = Scenario(2)
    g.upgrade(0, "Tyr's Challenge")
    g.put(0, "warrior", "gimle")
    g.put(1, "leader", "gimle")
    g.pillaged("gimle")
    g.pillage(0, "gimle")
    assert g.rage_of(0) == 4
    assert g.glory_of(1) == 3
    assert g.is_pillaged("gimle")
    assert g.steps_of(0) == [1, 1, 1]
    assert g.asked() == (1, Decision.ACTION)


def test_challenge_won_pays_all_of_step_13_and_the_battle():
    """rules 6.3.6: token twice by the Frost Giant, Frigga's Grace, the leader upgrade, then Axes."""
    g = Scenario(2)
    g.upgrade(0, "Tyr's Challenge", "Frost Giant", "Lord of Spears")
    g.put(0, "monster_1", "gimle")
    g.put(0, "leader", "gimle")
    g.put(1, "warrior", "gimle")
    g.pillaged("gimle")
    g.hand(0, "Frigga's Grace")
    g.pillage(0, "gimle")
    assert g.asked() == (0, Decision.STAT)
    g.raise_stat(0, "horns")
    assert g.steps_of(0) == [1 + 2 + 1, 1 + 1, 1 + 1 + 1]
    assert g.glory_of(0) == 4
    assert g.rage_of(0) == 4


def test_challenge_in_yggdrasil():
    """rules 6.3.6: Yggdrasil is a province too."""
    g = alone()
    g.upgrade(0, "Tyr's Challenge")
    g.put(0, "warrior", "yggdrasil")
    g.pillaged("yggdrasil")
    g.pillage(0, "yggdrasil")
    assert g.steps_of(0) == [2, 2, 2]
    assert g.rage_of(0) == 4


def test_challenge_calls_to_battle():
    """rules 6.3.6: a Pillage with everything of 4."""
    g = Scenario(2)
    g.upgrade(0, "Tyr's Challenge")
    g.put(0, "warrior", "gimle")
    g.put(1, "leader", "andlang")
    g.pillaged("gimle")
    g.pillage(0, "gimle")
    assert g.asked() == (1, Decision.CALL)
    g.choose(1, "leader", "andlang")
    assert g.glory_of(1) == 3


def test_challenge_is_of_no_use_elsewhere():
    """rules 6.3.6: where the token lies the Pillage is free; all tokens taken end the phase (3.2.4)."""
    g = Scenario(2)
    g.upgrade(0, "Tyr's Challenge")
    g.put(0, "warrior", "utgard")
    g.pillaged("yggdrasil", *(p for p in ALL_OUTER if p != "utgard"))
    g.pillage(0, "utgard")
    assert g.asked()[1] == Decision.DRAFT
    assert g.state.age == 1


# ---- 6.3.7 Frigga's Domain
RAISED = [
    ("leader", "gimle"),
    ("warrior", "gimle"),
    ("ship", "fjord_gimle_myrkulor"),
    ("monster_1", "gimle"),
    ("monster_2", "fjord_gimle_myrkulor"),
]


@pytest.mark.parametrize(("kind", "place"), RAISED)
def test_friggas_domain_raises_any_figure_for_one_rage(kind, place):
    """rules 6.3.7: leader (else 0), warrior of 2, ship of 2, Frost Giant of 4, Sea Serpent of 3: 1 Rage in all."""
    g = alone()
    g.upgrade(0, "Frigga's Domain", "Experts in Arms", "Frost Giant", "Sea Serpent")
    g.put(0, kind, "valhalla")
    g.raise_dead(0)
    assert g.asked() == (0, Decision.RAISE_DEAD)
    g.choose(0, kind, place)
    assert g.rage_of(0) == 5
    assert (g.figures(0, kind, place), g.figures(0, kind, "valhalla")) == (1, 0)
    assert g.asked() == ACTS


def test_friggas_domain_for_the_last_rage():
    """rules 6.3.7: it is an action, so there must be Rage: 1 is enough."""
    g = Scenario(2)
    g.upgrade(0, "Frigga's Domain")
    g.put(0, "warrior", "valhalla")
    g.rage(0, 1)
    g.raise_dead(0)
    g.choose(0, "warrior", "gimle")
    assert g.rage_of(0) == 0
    assert g.asked() == (1, Decision.ACTION)


def test_friggas_domain_offers_only_what_lies_in_valhalla():
    """rules 6.3.7: not the reserve; ships to fjords, others to provinces, not into Yggdrasil."""
    g = alone()
    g.upgrade(0, "Frigga's Domain")
    assert not g.can_raise_dead()
    g.put(0, "ship", "valhalla")
    g.put(0, "leader", "valhalla")
    g.raise_dead(0)
    assert not g.can_invade("warrior", "gimle")
    assert not g.can_invade("ship", "gimle")
    assert not g.can_invade("leader", "yggdrasil")
    assert not g.can_invade("leader", "fjord_gimle_myrkulor")
    assert g.can_invade("leader", "gimle")
    assert g.can_invade("ship", "fjord_gimle_myrkulor")


def test_friggas_domain_needs_the_upgrade():
    """rules 6.3.7: without it nothing comes out of Valhalla, nor by an ordinary Invade."""
    g = alone()
    g.put(0, "leader", "valhalla")
    assert not g.can_raise_dead()
    assert not g.can_invade("leader", "gimle")


def test_friggas_domain_sets_off_troll_succor_and_thors_domain():
    """rules 6.3.7: an Invade in every way."""
    g = alone()
    g.upgrade(0, "Frigga's Domain", "Frigga's Succor", "Thor's Domain", "Troll")
    g.put(0, "monster_1", "valhalla")
    g.put(1, "warrior", "gimle", 2)
    g.raise_dead(0)
    g.choose(0, "monster_1", "gimle")
    assert dead(g, 1) == 2
    g.yes(0)  # Succor
    g.yes(0)  # Thor's Domain
    assert g.is_pillaged("gimle")
    assert g.figures(0, "warrior", "gimle") == 1
    assert g.rage_of(0) == 6 - 1 - 2


def test_a_raised_figure_is_no_longer_in_valhalla():
    """rules 6.3.7: Glorious Death counts three, Loki's Domain pays for three."""
    g = alone()
    g.upgrade(0, "Frigga's Domain", "Loki's Domain")
    g.quest(0, "Glorious Death")
    g.put(0, "warrior", "valhalla", 4)
    g.raise_dead(0)
    g.choose(0, "warrior", "gimle")
    g.end_action_phase()
    assert g.asked()[1] == Decision.DRAFT
    assert g.glory_of(0) == 3
    assert g.figures(0, "warrior", "gimle") == 1
    assert g.figures(0, "warrior", "reserve") == 7


# ---- 6.3.8 Frigga's Sacrifice
def test_sacrifice_of_two_figures_for_a_step():
    """rules 6.3.8: 0 Rage; both figures are destroyed, then the stat step."""
    g = alone()
    g.upgrade(0, "Frigga's Sacrifice")
    g.put(0, "warrior", "gimle", 2)
    g.put(0, "leader", "horgr")
    g.sacrifice(0)
    assert g.asked() == (0, Decision.SACRIFICE)
    g.choose(0, "leader", "horgr")
    assert g.asked() == (0, Decision.STAT)  # the second one could only be a warrior
    g.raise_stat(0, "axes")
    assert g.steps_of(0) == [1, 2, 1]
    assert g.rage_of(0) == 6
    assert (g.figures(0, "leader", "valhalla"), g.figures(0, "warrior", "valhalla")) == (1, 1)
    assert g.figures(0, "warrior", "gimle") == 1
    assert g.asked() == ACTS


def test_sacrifice_of_two_like_figures_of_one_place():
    """rules 6.3.8: the same kind and place twice."""
    g = alone()
    g.upgrade(0, "Frigga's Sacrifice")
    g.put(0, "warrior", "gimle", 2)
    g.put(0, "warrior", "myrkulor")
    g.sacrifice(0)
    assert g.can_choose("warrior", "myrkulor")  # the first could only be one of Gimle: the lower id
    g.choose(0, "warrior", "gimle")
    g.raise_stat(0, "rage")
    assert g.figures_in(0, "gimle") == 0
    assert g.figures_in(0, "myrkulor") == 1
    assert (g.step_of(0, "rage"), g.rage_of(0)) == (2, 6)  # the new Rage is of the next Age


def test_sacrifice_of_the_only_two_figures_needs_no_choice():
    """rules 6.3.8: with exactly two figures on the board only the stat is left to choose."""
    g = alone()
    g.upgrade(0, "Frigga's Sacrifice")
    g.put(0, "warrior", "gimle")
    g.put(0, "ship", "fjord_utgard_andlang")
    g.sacrifice(0)
    assert g.asked() == (0, Decision.STAT)
    assert dead(g, 0) == 2


def test_sacrifice_needs_two_figures_on_the_board():
    """rules 6.3.8: reserve and Valhalla don't count, nor do others' figures."""
    g = alone()
    g.upgrade(0, "Frigga's Sacrifice")
    g.put(0, "warrior", "gimle")
    g.put(0, "warrior", "valhalla", 2)
    g.put(1, "warrior", "gimle", 2)
    assert not g.can_sacrifice()
    g.put(0, "ship", "fjord_utgard_andlang")
    assert g.can_sacrifice()


def test_sacrifice_needs_the_upgrade_and_some_rage():
    """rules 6.3.8: an action like any other: not with 0 Rage, where the clan is skipped."""
    g = Scenario(2)
    g.put(0, "warrior", "gimle", 2)
    assert not g.can_sacrifice()
    g.upgrade(0, "Frigga's Sacrifice")
    g.rage(0, 1)
    assert g.can_sacrifice()
    g.march(0, "gimle", "horgr", warrior=2)
    assert g.asked() == (1, Decision.ACTION)
    g.pass_(1)
    assert g.asked()[1] == Decision.DRAFT


def test_sacrificed_ships_pay_their_dragons():
    """rules 6.3.8: the ship and the Sea Serpent: 12 glory each."""
    g = alone()
    g.upgrade(0, "Frigga's Sacrifice", "Eternal Dragons", "Sea Serpent")
    g.put(0, "ship", "fjord_utgard_andlang")
    g.put(0, "monster_1", "fjord_gimle_myrkulor")
    g.sacrifice(0)
    g.raise_stat(0, "horns")
    assert g.glory_of(0) == 24


def test_nothing_saves_the_sacrificed():
    """rules 6.3.8: neither Frigga's Protection nor the Witch's escape."""
    g = alone()
    g.upgrade(0, "Frigga's Sacrifice", "Frigga's Protection", "Volur Witch")
    g.put(0, "monster_1", "gimle")
    g.put(0, "warrior", "gimle")
    g.sacrifice(0)
    assert g.asked() == (0, Decision.STAT)
    assert dead(g, 0) == 2
    assert g.rage_of(0) == 6


def test_sacrifice_when_no_stat_can_be_raised():
    """rules 6.3.8: it may be done all the same."""
    g = alone()
    g.upgrade(0, "Frigga's Sacrifice", "Fire Dragons")
    for stat in ("rage", "axes", "horns"):
        g.stat(0, stat, 6)
    g.put(0, "warrior", "gimle")
    g.put(0, "ship", "fjord_utgard_andlang")
    g.sacrifice(0)
    assert g.asked() == ACTS
    assert g.steps_of(0) == [6, 6, 6]
    assert g.glory_of(0) == 8
    assert dead(g, 0) == 2
