"""Every clause of Frigga's clan upgrades; each test names its card in the docstring."""

import pytest
from clans import ACTS, ALL_OUTER, alone
from fights import dead
from scenario import Scenario

from bloodrage_env.games.bloodrage.engine.ids import Decision

FJORD = "fjord_gimle_myrkulor"
NEXT = (1, Decision.ACTION)

PRICES = [
    ("Frigga's Charm", 0),
    ("Frigga's Succor", 2),
    ("Frigga's Protection", 0),
    ("Frigga's Domain", 0),
    ("Frigga's Sacrifice", 1),
]


@pytest.mark.parametrize(("title", "price"), PRICES)
def test_frigga_upgrade_price(title, price):
    """rules 3.2.7: the printed price; a clan upgrade brings no free Invade."""
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
def test_frigga_upgrade_takes_one_of_three_slots(title, price):
    """rules 3.2.7: the first empty slot or an occupied one; with three full ones, one of the three."""
    g = alone()
    g.upgrade(0, "Loki's Domain", "Tyr's Domain")
    g.hand(0, title)
    g.play(0, title)
    assert [g.can_slot(n) for n in range(3)] == [True, True, True]
    g.slot(0, 2)
    assert all(g.has_upgrade(0, card) for card in ("Loki's Domain", "Tyr's Domain", title))
    g = alone()
    g.upgrade(0, "Loki's Domain", "Tyr's Domain", "Tyr's Challenge")
    g.hand(0, title)
    g.play(0, title)
    g.slot(0, 1)
    assert not g.has_upgrade(0, "Tyr's Domain")
    assert [card.name for card in g.discards()] == ["TYRS_DOMAIN"]


# ---- Frigga's Charm
def test_charm_discounts_each_upgrade_by_one():
    """Frigga's Charm: a leader for 2, a ship for 1, a monster for 3, a warrior for 0."""
    g = alone()
    g.upgrade(0, "Frigga's Charm")
    g.rage(0, 7)
    for title, left in (("Lord of Axes", 5), ("Fire Dragons", 4), ("Frost Giant", 1), ("Brothers in Arms", 1)):
        g.hand(0, title)
        g.play(0, title)
        g.no(0)
        assert g.rage_of(0) == left


def test_charm_makes_an_upgrade_affordable():
    """Frigga's Charm: whether a card can be paid is asked with the discount; minimum 0 for a free one."""
    g = alone()
    g.hand(0, "Volur Witch", "Dwarf Chieftain")
    g.rage(0, 2)
    assert not g.can_play("Volur Witch")
    g.upgrade(0, "Frigga's Charm")
    assert g.can_play("Volur Witch")
    g.play(0, "Dwarf Chieftain")
    assert g.rage_of(0) == 2


def test_charm_works_for_its_owner_only():
    """Frigga's Charm: each upgrade its owner plays."""
    g = Scenario(2)
    g.upgrade(1, "Frigga's Charm")
    g.hand(0, "Lord of Axes")
    g.play(0, "Lord of Axes")
    assert g.rage_of(0) == 3


def test_charm_replaced_still_discounts_the_card_on_it():
    """Frigga's Charm: under the card that replaces it, for the last time; not under another slot's."""
    for slot in (0, 1):
        g = alone()
        g.upgrade(0, "Frigga's Charm", "Loki's Domain", "Tyr's Domain")
        g.hand(0, "Odin's Throne")
        g.play(0, "Odin's Throne")
        g.slot(0, slot)
        assert g.rage_of(0) == 5
        assert g.has_upgrade(0, "Frigga's Charm") == (slot == 1)
        g.hand(0, "Lord of Spears")
        g.play(0, "Lord of Spears")
        assert g.rage_of(0) == (5 - 3 if slot == 0 else 5 - 2)


# ---- Frigga's Succor
@pytest.mark.parametrize("kind", ["leader", "warrior", "monster_1"])
def test_succor_lets_a_warrior_follow(kind):
    """Frigga's Succor: a reserve warrior follows each Invade into the same province, without cost."""
    g = alone()
    g.upgrade(0, "Frigga's Succor", "Valkyrie", "Experts in Arms")
    cost = {"leader": 0, "warrior": 2, "monster_1": 2}[kind]
    g.invade(0, kind, "gimle")
    assert g.asked() == (0, Decision.SUCCOR)
    g.yes(0)
    assert g.figures_in(0, "gimle") == 2
    assert g.figures(0, "warrior", "gimle") == (2 if kind == "warrior" else 1)
    assert g.rage_of(0) == 6 - cost
    assert g.asked() == ACTS


def test_succor_may_be_declined():
    """Frigga's Succor: may follow."""
    g = Scenario(2)
    g.upgrade(0, "Frigga's Succor")
    g.invade(0, "leader", "gimle")
    g.no(0)
    assert g.figures_in(0, "gimle") == 1
    assert g.asked() == NEXT


def test_succor_not_for_others_invades():
    """Frigga's Succor: each time its owner invades."""
    g = Scenario(2)
    g.upgrade(1, "Frigga's Succor")
    g.invade(0, "leader", "gimle")
    assert g.asked() == NEXT


def test_succor_not_for_ships_nor_in_yggdrasil():
    """Frigga's Succor: an outer province: not a fjord, not Yggdrasil."""
    g = alone()
    g.upgrade(0, "Frigga's Succor", "Dark Elf")
    g.invade(0, "ship", FJORD)
    assert g.asked() == ACTS
    g.invade(0, "monster_1", "yggdrasil")
    assert g.asked() == ACTS


# ---- Frigga's Protection
@pytest.mark.parametrize("kind", ["leader", "warrior", "ship", "monster_1"])
def test_protection_saves_any_kind(kind):
    """Frigga's Protection: 1 Rage keeps any own figure where it is when its battle is lost."""
    g = Scenario(2, seat=1)
    g.upgrade(0, "Frigga's Protection", "Dwarf Chieftain")
    place = FJORD if kind == "ship" else "gimle"
    g.put(0, kind, place)
    g.put(1, "leader", "gimle")
    g.put(1, "warrior", "gimle")
    g.pillage(1, "gimle")
    assert g.asked() == (0, Decision.SAVE)
    g.count(0, 1)
    assert g.figures(0, kind, place) == 1
    assert g.rage_of(0) == 5
    assert g.is_pillaged("gimle")


def test_protection_is_the_owners():
    """Frigga's Protection: own figures; the winner's Protection saves no loser."""
    g = Scenario(2)
    g.upgrade(0, "Frigga's Protection")
    g.put(0, "leader", "gimle")
    g.put(1, "warrior", "gimle")
    g.pillage(0, "gimle")
    assert dead(g, 1) == 1
    assert g.asked() == NEXT


def test_protection_of_a_saved_figure_is_no_victory():
    """Frigga's Protection: the saved figures of the loser stay beside the winner's; he pillages all the same."""
    g = Scenario(2)
    g.upgrade(1, "Frigga's Protection")
    g.put(0, "leader", "gimle")
    g.put(1, "warrior", "gimle", 2)
    g.pillage(0, "gimle")
    g.count(1, 2)
    assert g.is_pillaged("gimle")
    assert g.glory_of(0) == 3
    assert (g.figures_in(0, "gimle"), g.figures_in(1, "gimle")) == (1, 2)


def test_protection_not_against_own_sacrifice_nor_ragnarok():
    """Frigga's Protection: neither of these two asks."""
    g = alone()
    g.upgrade(0, "Frigga's Protection", "Frigga's Sacrifice")
    g.doomed("horgr")
    g.put(0, "warrior", "gimle")
    g.put(0, "leader", "gimle")
    g.put(0, "ship", "fjord_muspelheim_horgr")
    g.sacrifice(0)
    g.choose(0, "leader", "gimle")
    g.choose(0, "warrior", "gimle")
    g.raise_stat(0, "rage")
    assert dead(g, 0) == 2
    g.end_action_phase()
    assert g.asked()[1] == Decision.DRAFT
    assert g.glory_of(0) == 2


# ---- Frigga's Domain
def test_friggas_domain_invades_from_valhalla():
    """Frigga's Domain: an action, 1 Rage in all, for a Fire Giant that would cost 4 and burns what it meets."""
    g = Scenario(2)
    g.upgrade(0, "Frigga's Domain", "Fire Giant")
    g.put(0, "monster_1", "valhalla")
    g.put(1, "leader", "gimle")
    g.raise_dead(0)
    g.choose(0, "monster_1", "gimle")
    assert g.rage_of(0) == 5
    assert dead(g, 1) == 1
    assert g.asked() == NEXT


def test_friggas_domain_may_be_used_again():
    """Frigga's Domain: each is an action of its own."""
    g = alone()
    g.upgrade(0, "Frigga's Domain")
    g.put(0, "warrior", "valhalla", 3)
    for n in (1, 2, 3):
        g.raise_dead(0)
        g.choose(0, "warrior", "gimle")
        assert (g.figures(0, "warrior", "gimle"), g.rage_of(0)) == (n, 6 - n)
    assert not g.can_raise_dead()


def test_friggas_domain_places():
    """Frigga's Domain: wherever an Invade may go: standing outer provinces with a village."""
    g = alone()
    g.upgrade(0, "Frigga's Domain")
    g.put(0, "warrior", "valhalla")
    g.put(1, "warrior", "utgard", 3)
    g.destroyed("gimle", "myrkulor")
    g.put(0, "ship", "valhalla")
    g.raise_dead(0)
    places = [p for p in (*ALL_OUTER, "yggdrasil") if g.can_choose("warrior", p)]
    assert places == ["elvagar", "angerboda", "muspelheim", "horgr", "andlang"]
    assert not g.can_choose("ship", FJORD)
    assert g.can_choose("ship", "fjord_utgard_andlang")


# ---- Frigga's Sacrifice
@pytest.mark.parametrize(("stat", "steps"), [("rage", [2, 1, 1]), ("axes", [1, 2, 1]), ("horns", [1, 1, 2])])
def test_friggas_sacrifice_gives_a_step_of_choice(stat, steps):
    """Frigga's Sacrifice: two own board figures of any kind go to Valhalla for one step in any clan stat."""
    g = Scenario(2)
    g.upgrade(0, "Frigga's Sacrifice", "Troll")
    g.put(0, "monster_1", "gimle")
    g.put(0, "ship", FJORD)
    g.sacrifice(0)
    g.raise_stat(0, stat)
    assert g.steps_of(0) == steps
    assert (g.figures(0, "monster_1", "valhalla"), g.figures(0, "ship", "valhalla")) == (1, 1)
    assert g.rage_of(0) == 6
    assert g.asked() == NEXT


def test_friggas_sacrifice_counts_for_glorious_death():
    """Frigga's Sacrifice: they lie in Valhalla like any destroyed figure, four after two of them."""
    g = alone(age=3)
    g.upgrade(0, "Frigga's Sacrifice")
    g.quest(0, "Glorious Death")
    g.put(0, "warrior", "gimle", 4)
    g.sacrifice(0)  # warriors of one place: nothing to choose
    g.raise_stat(0, "axes")
    g.sacrifice(0)
    g.raise_stat(0, "axes")
    assert dead(g, 0) == 4
    g.end_action_phase()
    g.raise_stat(0, "horns")
    assert g.glory_of(0) == 11
    assert g.steps_of(0) == [1, 3, 2]


def test_friggas_sacrifice_frees_horns():
    """Frigga's Sacrifice: with the board full, two may invade again."""
    g = alone()
    g.upgrade(0, "Frigga's Sacrifice")
    g.put(0, "warrior", "utgard", 3)
    g.put(0, "warrior", "gimle")
    assert not g.can_invade("leader", "gimle")
    g.sacrifice(0)
    g.choose(0, "warrior", "utgard")  # the second one; the first could not be the one of Gimle
    g.raise_stat(0, "axes")
    assert g.can_invade("leader", "utgard")
    g.invade(0, "leader", "utgard")
    assert g.can_invade("warrior", "utgard")
    g.invade(0, "warrior", "utgard")
    assert not g.can_invade("warrior", "gimle")
