"""rules 6.3.18 to 6.3.20: release and doubled glory, the Charm and prices, raises that are never declined."""

import pytest
from clans import ACTS, alone
from fights import fight
from scenario import Scenario

from bloodrage_env.games.bloodrage.engine.actions import NO
from bloodrage_env.games.bloodrage.engine.ids import Decision

NEXT = (1, Decision.ACTION)
RELEASE = [("Loki's Domain", 1), ("Loki's Eminence", 2), ("Loki's Wrath", 3)]


# ---- 6.3.18 release, Throne, Inspiration
@pytest.mark.parametrize("age", [1, 2, 3])
@pytest.mark.parametrize(("title", "each"), RELEASE)
def test_release_pays_for_each_returned_figure(title, each, age):
    """rules 6.3.18: in 3.6 of every Age, figures of every kind."""
    g = alone(age=age)
    g.upgrade(0, title, "Troll")
    g.put(0, "leader", "valhalla")
    g.put(0, "ship", "valhalla")
    g.put(0, "monster_1", "valhalla")
    g.put(0, "warrior", "valhalla", 2)
    g.put(0, "warrior", "gimle", 2)
    g.put(1, "warrior", "valhalla", 3)
    g.end_action_phase()
    assert g.glory_of(0) == 5 * each
    assert g.figures(0, "warrior", "reserve") == 6


def test_release_upgrades_add_up():
    """rules 6.3.18: all three in one clan: 6 a figure."""
    g = alone()
    g.upgrade(0, *(title for title, _ in RELEASE))
    g.put(0, "warrior", "valhalla", 2)
    g.end_action_phase()
    assert g.glory_of(0) == 12


def test_release_pays_for_those_who_fell_in_ragnarok():
    """rules 6.3.18: they lie in Valhalla when 3.6 comes: 2 of Ragnarok and 1 of the release, twice."""
    g = alone()
    g.upgrade(0, "Loki's Domain")
    g.doomed("gimle")
    g.put(0, "warrior", "gimle", 2)
    g.end_action_phase()
    assert g.glory_of(0) == 2 * (2 + 1)


def test_release_pays_for_nothing_else():
    """rules 6.3.18: not for a figure raised by Frigga's Domain, not for a replaced monster."""
    g = alone()
    g.upgrade(0, "Loki's Wrath", "Frigga's Domain", "Troll", "Valkyrie")
    g.put(0, "warrior", "valhalla")
    g.put(0, "monster_1", "valhalla")
    g.hand(0, "Dwarf Chieftain")
    g.raise_dead(0)
    g.choose(0, "warrior", "gimle")
    g.play(0, "Dwarf Chieftain")
    g.slot(0, 0)
    g.no(0)
    g.end_action_phase()
    assert g.glory_of(0) == 0


def test_throne_doubles_quest_glory_and_not_the_step():
    """rules 6.3.18: each of two quests."""
    g = alone()
    g.upgrade(0, "Odin's Throne")
    g.put(0, "warrior", "gimle")
    g.put(0, "warrior", "valhalla", 4)
    g.quest(0, "Alfheim", "Glorious Death")
    g.end_action_phase()
    g.raise_stat(0, "axes")
    g.raise_stat(0, "axes")
    assert g.asked()[1] == Decision.DRAFT
    assert g.glory_of(0) == 2 * 5 + 2 * 6
    assert g.steps_of(0) == [1, 3, 1]


@pytest.mark.parametrize(("age", "glory"), [(1, 4), (2, 6), (3, 8)])
def test_inspiration_doubles_ragnarok_glory_and_not_the_dragons(age, glory):
    """rules 6.3.18: ship and leader: twice the doubled glory, once the Dragons' four."""
    g = alone(age=age)
    g.upgrade(0, "Odin's Inspiration", "Loki's Dragons")
    g.doomed("gimle")
    g.put(0, "leader", "gimle")
    g.put(0, "ship", "fjord_gimle_myrkulor")
    g.put(1, "leader", "gimle")
    g.end_action_phase()
    assert g.glory_of(0) == 2 * glory + 4
    assert g.glory_of(1) == glory // 2


# ---- 6.3.19 the Charm, and figures that cost nothing
PRICES = [
    ("Fire Giant", 4, 3),
    ("Volur Witch", 3, 2),
    ("Fire Dragons", 2, 1),
    ("Brothers in Arms", 1, 0),
    ("Lord of Axes", 3, 2),
    ("Thor's Conquest", 3, 2),
    ("Tyr's Challenge", 0, 0),
    ("Dwarf Chieftain", 0, 0),
    ("Soldier of Hel", 0, 0),
]


@pytest.mark.parametrize(("title", "price", "charmed"), PRICES)
def test_charm_lowers_upgrades_to_no_less_than_nothing(title, price, charmed):
    """rules 6.3.19: 1 Rage less, at least 0, whether it can be paid included."""
    for upgrades, cost in (((), price), (("Frigga's Charm",), charmed)):
        g = Scenario(2)
        g.upgrade(0, *upgrades)
        g.hand(0, title)
        g.rage(0, max(cost - 1, 1))
        assert g.can_play(title) == (cost < 2)
        g.rage(0, cost + 1)
        g.play(0, title)
        if g.asked()[1] == Decision.SLOT:
            g.slot(0, 1)
        assert g.has_upgrade(0, title)
        assert g.rage_of(0) == 1


def test_charm_lowers_neither_invades_nor_other_actions():
    """rules 6.3.19: upgrades only."""
    g = alone()
    g.upgrade(0, "Frigga's Charm", "Frigga's Domain", "Tyr's Challenge")
    g.put(0, "warrior", "valhalla")
    g.invade(0, "warrior", "gimle")
    assert g.rage_of(0) == 5
    g.raise_dead(0)
    g.choose(0, "warrior", "gimle")
    assert g.rage_of(0) == 4
    g.march(0, "gimle", "andlang", warrior=2)
    assert g.rage_of(0) == 3
    g.pillaged("andlang")
    g.pillage(0, "andlang")
    assert g.rage_of(0) == 1


def test_a_replaced_charm_still_lowers_the_price():
    """rules 6.3.19: the card that replaces the Charm is 1 Rage cheaper (3.2.7), the next one is not."""
    g = Scenario(2)
    g.rage(1, 0)
    g.upgrade(0, "Frigga's Charm", "Loki's Domain", "Tyr's Domain")
    g.hand(0, "Thor's Conquest", "Loki's Wrath")
    g.rage(0, 2)
    assert g.can_play("Thor's Conquest")
    g.rage(0, 5)
    g.play(0, "Thor's Conquest")
    g.slot(0, 0)
    assert not g.has_upgrade(0, "Frigga's Charm")
    assert g.rage_of(0) == 3
    g.play(0, "Loki's Wrath")
    g.slot(0, 1)
    assert g.has_upgrade(0, "Loki's Wrath")
    assert g.rage_of(0) == 0


def test_the_charm_does_not_lower_its_own_price_below_nothing():
    """rules 6.3.19: it costs 0."""
    g = alone()
    g.hand(0, "Frigga's Charm")
    g.play(0, "Frigga's Charm")
    assert g.rage_of(0) == 6


@pytest.mark.parametrize("title", ["Dwarf Chieftain", "Soldier of Hel"])
def test_dwarf_and_soldier_cost_nothing_to_play_and_to_invade_with(title):
    """rules 6.3.19: 0 for both, though an action still needs Rage."""
    g = alone()
    g.rage(0, 1)
    g.hand(0, title)
    g.play(0, title)
    g.no(0)
    assert g.rage_of(0) == 1
    g.invade(0, "monster_1", "gimle")
    assert g.rage_of(0) == 1
    assert g.figures(0, "monster_1", "gimle") == 1


# ---- 6.3.20 raising a stat
def _axes_lord(**steps):
    g = Scenario(2)
    g.upgrade(0, "Lord of Axes")
    g.put(0, "leader", "gimle")
    g.token("gimle", "glory")
    for stat, step in steps.items():
        g.stat(0, stat, step)
    g.pillage(0, "gimle")
    return g


def test_a_raise_is_never_declined():
    """rules 6.3.20: three stats to choose from and no NO."""
    g = _axes_lord()
    assert g.asked() == (0, Decision.STAT)
    assert not g.legal(NO)
    assert all(g.can_raise_stat(stat) for stat in ("rage", "axes", "horns"))


def test_only_a_stat_that_can_be_raised_is_chosen():
    """rules 6.3.20: Axes stand on the last step; step 5 of Horns can still be raised."""
    g = _axes_lord(axes=6, horns=5)
    assert [g.can_raise_stat(stat) for stat in ("rage", "axes", "horns")] == [True, False, True]
    g.raise_stat(0, "horns")
    assert g.steps_of(0) == [1, 6, 6]


def test_the_only_stat_that_can_be_raised_needs_no_choice():
    """rules 6.3.20: the player chooses one that can still be raised: the single one."""
    g = _axes_lord(rage=6, axes=6)
    assert g.steps_of(0) == [6, 6, 2]
    assert g.asked() == NEXT


def test_a_raise_is_lost_when_none_can_be_raised():
    """rules 6.3.20: all three on the last step."""
    g = _axes_lord(rage=6, axes=6, horns=6)
    assert g.steps_of(0) == [6, 6, 6]
    assert g.asked() == NEXT
    assert g.glory_of(0) == 5


def test_grace_is_lost_when_only_the_tokens_stat_could_rise():
    """rules 6.3.20: among the stats allowed: Grace may not take the token's."""
    g = Scenario(2)
    g.stat(0, "axes", 6)
    g.stat(0, "horns", 6)
    g.put(0, "leader", "gimle")
    g.put(1, "warrior", "gimle")
    fight(g, {0: "Frigga's Grace"})
    assert g.steps_of(0) == [2, 6, 6]
    assert g.asked() == NEXT


def test_quest_step_is_not_declined():
    """rules 6.3.20: 002 says "may"; the raise is made."""
    g = alone()
    g.put(0, "warrior", "gimle")
    g.quest(0, "Alfheim")
    g.end_action_phase()
    assert g.asked() == (0, Decision.STAT)
    assert not g.legal(NO)


def test_acts_goes_on_after_a_lost_raise():
    """rules 6.3.20: an action whose raise is lost is an action all the same."""
    g = alone()
    g.upgrade(0, "Lord of Spears")
    for stat in ("rage", "axes", "horns"):
        g.stat(0, stat, 6)
    g.put(0, "leader", "gimle")
    g.pillage(0, "gimle")
    assert g.asked() == ACTS
    assert g.is_pillaged("gimle")
