"""Every clause of Loki's and Odin's clan upgrades; each test names its card in the id or the docstring."""

import pytest
from clans import ACTS, alone
from fights import dead
from scenario import Scenario

from bloodrage_env.games.bloodrage.engine.ids import Decision

FJORD = "fjord_gimle_myrkulor"
NEXT = (1, Decision.ACTION)

PRICES = [
    ("Loki's Domain", 1),
    ("Loki's Eminence", 2),
    ("Loki's Wrath", 3),
    ("Loki's Blessing", 1),
    ("Odin's Inspiration", 2),
    ("Odin's Throne", 2),
]
RELEASE = [("Loki's Domain", 1), ("Loki's Eminence", 2), ("Loki's Wrath", 3)]


@pytest.mark.parametrize(("title", "price"), PRICES)
def test_price(title, price):
    """rules 3.2.7: the printed price."""
    g = alone()
    g.hand(0, title)
    if price > 1:
        g.rage(0, price - 1)
        assert not g.can_play(title)
    g.rage(0, price + 1)
    g.play(0, title)
    assert g.has_upgrade(0, title)
    assert g.rage_of(0) == 1
    assert g.asked() == ACTS


@pytest.mark.parametrize(("title", "price"), PRICES)
def test_slot_of_three(title, price):
    """rules 3.2.7: three slots for clan upgrades, an occupied one may be taken though one is empty."""
    g = alone()
    g.upgrade(0, "Tyr's Domain", "Tyr's Challenge")
    g.hand(0, title)
    g.play(0, title)
    g.slot(0, 0)
    assert g.has_upgrade(0, title)
    assert not g.has_upgrade(0, "Tyr's Domain")
    assert g.has_upgrade(0, "Tyr's Challenge")
    assert [card.name for card in g.discards()] == ["TYRS_DOMAIN"]


# ---- Loki's release cards
@pytest.mark.parametrize(("title", "each"), RELEASE)
def test_release_glory_for_own_figures(title, each):
    """rules 6.3.18: for each own figure that returns to the reserve, of every kind; not for others'."""
    g = alone(players=3)
    g.upgrade(0, title, "Valkyrie")
    for kind in ("leader", "ship", "monster_1"):
        g.put(0, kind, "valhalla")
    g.put(0, "warrior", "valhalla", 8)
    g.put(1, "warrior", "valhalla", 8)
    g.end_action_phase()
    assert [g.glory_of(seat) for seat in range(3)] == [11 * each, 0, 0]
    assert dead(g, 0) == 0


@pytest.mark.parametrize(("title", "each"), RELEASE)
def test_release_glory_after_a_lost_battle_of_the_age(title, each):
    """rules 6.3.18: figures lost in battle this Age return in 3.6; nothing is paid before that."""
    g = Scenario(2)
    g.upgrade(0, title)
    g.put(0, "warrior", "gimle", 2)
    g.put(1, "leader", "gimle")
    g.pillage(0, "gimle")
    assert g.glory_of(0) == 0
    g.end_action_phase()
    assert g.glory_of(0) == 2 * each


@pytest.mark.parametrize(("title", "each"), RELEASE)
def test_release_glory_of_a_replaced_card_is_lost(title, each):
    """rules 3.2.7: the replaced card stops working."""
    g = alone()
    g.upgrade(0, title)
    g.put(0, "warrior", "valhalla", 3)
    g.hand(0, "Tyr's Domain")
    g.play(0, "Tyr's Domain")
    g.slot(0, 0)
    g.end_action_phase()
    assert g.glory_of(0) == 0


@pytest.mark.parametrize(("first", "second"), [(0, 1), (0, 2), (1, 2)])
def test_release_cards_stack_with_their_siblings(first, second):
    """Loki's Domain, Loki's Eminence, Loki's Wrath: any two of them add up."""
    g = alone()
    g.upgrade(0, RELEASE[first][0], RELEASE[second][0])
    g.put(0, "warrior", "valhalla", 4)
    g.end_action_phase()
    assert g.glory_of(0) == 4 * (RELEASE[first][1] + RELEASE[second][1])


# ---- Loki's Blessing
def test_lokis_blessing_sends_a_warrior_after_a_defeat():
    """Loki's Blessing: after losing a battle, one reserve warrior into the same province, without cost."""
    g = Scenario(2, seat=1)
    g.upgrade(0, "Loki's Blessing", "Experts in Arms")
    g.rage(0, 1)
    g.put(0, "warrior", "gimle")
    g.put(1, "leader", "gimle")
    g.pillage(1, "gimle")
    assert g.asked() == (0, Decision.BLESSING)
    g.yes(0)
    assert (g.figures(0, "warrior", "gimle"), dead(g, 0)) == (1, 1)
    assert g.rage_of(0) == 1
    assert g.asked() == ACTS


def test_lokis_blessing_in_a_tie_and_at_no_rage():
    """Loki's Blessing: a tie too; it is not an action, so a clan at 0 Rage is asked."""
    g = Scenario(2, seat=1)
    g.upgrade(0, "Loki's Blessing")
    g.rage(0, 0)
    g.put(0, "leader", "gimle")
    g.put(1, "leader", "gimle")
    g.pillage(1, "gimle")
    assert not g.is_pillaged("gimle")
    g.yes(0)
    assert g.figures(0, "warrior", "gimle") == 1


def test_lokis_blessing_may_be_declined():
    """Loki's Blessing: can send."""
    g = Scenario(2)
    g.upgrade(0, "Loki's Blessing")
    g.put(0, "warrior", "gimle")
    g.put(1, "leader", "gimle")
    g.pillage(0, "gimle")
    g.no(0)
    assert g.figures(0, "warrior", "gimle") == 0
    assert g.asked() == NEXT


def test_lokis_blessing_prepares_the_next_pillage():
    """Loki's Blessing: the warrior stands there on the next turn and may pillage again."""
    g = Scenario(2)
    g.upgrade(0, "Loki's Blessing")
    g.put(0, "leader", "gimle")
    g.put(1, "leader", "gimle")
    g.pillage(0, "gimle")
    g.yes(0)
    g.pass_(1)
    g.pillage(0, "gimle")
    assert g.is_pillaged("gimle")


def test_lokis_blessing_not_in_yggdrasil():
    """Loki's Blessing: an Invade, so not in Yggdrasil."""
    g = Scenario(2)
    g.upgrade(0, "Loki's Blessing")
    g.put(0, "leader", "yggdrasil")
    g.put(1, "leader", "yggdrasil")
    g.pillage(0, "yggdrasil")
    assert g.asked() == NEXT


def test_lokis_blessing_not_without_a_battle():
    """Loki's Blessing: figures lost to a Fire Giant are no lost battle."""
    g = Scenario(2, seat=1)
    g.upgrade(0, "Loki's Blessing")
    g.upgrade(1, "Fire Giant")
    g.put(0, "warrior", "gimle")
    g.invade(1, "monster_1", "gimle")
    assert dead(g, 0) == 1
    assert g.asked() == ACTS


# ---- Odin's Inspiration
@pytest.mark.parametrize(("age", "each"), [(1, 2), (2, 3), (3, 4)])
def test_odins_inspiration_counts_ragnarok_twice(age, each):
    """Odin's Inspiration: Ragnarok death glory twice, for its owner only."""
    g = alone(age=age)
    g.upgrade(0, "Odin's Inspiration")
    g.doomed("gimle")
    g.put(0, "warrior", "gimle", 2)
    g.put(0, "ship", FJORD)
    g.put(1, "warrior", "gimle")
    g.end_action_phase()
    assert (g.glory_of(0), g.glory_of(1)) == (2 * each * 3, each)


def test_odins_inspiration_doubles_nothing_but_ragnarok():
    """Odin's Inspiration: neither the Dragons of a ship that falls, nor the release, nor a quest."""
    g = alone()
    g.upgrade(0, "Odin's Inspiration", "Loki's Domain", "Loki's Dragons")
    g.doomed("gimle")
    g.put(0, "ship", FJORD)
    g.put(0, "warrior", "horgr")
    g.quest(0, "Jotunheim")
    g.end_action_phase()
    g.raise_stat(0, "axes")
    assert g.glory_of(0) == 5 + 2 * 2 + 4 + 1


# ---- Odin's Throne
@pytest.mark.parametrize(("age", "glory"), [(1, 5), (2, 7), (3, 9)])
def test_odins_throne_doubles_quests(age, glory):
    """rules 6.3.18, Odin's Throne: twice the glory shown; one step only; an unmet quest stays nothing."""
    g = alone(age=age)
    g.upgrade(0, "Odin's Throne")
    g.doomed("utgard")
    g.put(0, "warrior", "gimle")
    g.quest(0, "Alfheim", "Manheim")
    g.end_action_phase()
    g.raise_stat(0, "horns")
    assert g.glory_of(0) == 2 * glory
    assert g.steps_of(0) == [1, 1, 2]


def test_odins_throne_doubles_nothing_but_quests():
    """rules 6.3.18, Odin's Throne: not Ragnarok, not the release, not the others' quests."""
    g = alone()
    g.upgrade(0, "Odin's Throne", "Loki's Domain")
    g.doomed("gimle")
    g.put(0, "warrior", "gimle")
    g.put(1, "warrior", "horgr")
    g.quest(1, "Jotunheim")
    g.end_action_phase()
    g.raise_stat(1, "axes")
    assert g.glory_of(0) == 2 + 1
    assert g.glory_of(1) == 5
