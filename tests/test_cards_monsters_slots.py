"""Each monster in the second slot beside another one: its text is bound to its own figure, not to the slot's number."""

import pytest
from clans import ACTS, ALL_OUTER, alone, assert_strength
from fights import FJORD as FJORD_OF
from fights import dead
from scenario import Scenario

from bloodrage_env.games.bloodrage.engine.ids import Decision, Figure

FJORD = FJORD_OF["gimle"]
NEXT = (1, Decision.ACTION)

SECOND = [
    ("Dwarf Chieftain", 0, 2, "gimle"),
    ("Troll", 2, 2, "gimle"),
    ("Sea Serpent", 3, 3, FJORD),
    ("Dark Elf", 1, 1, "gimle"),
    ("Valkyrie", 2, 2, "gimle"),
    ("Fire Giant", 4, 4, "gimle"),
    ("Frost Giant", 4, 4, "gimle"),
    ("Soldier of Hel", 0, 3, "gimle"),
]


@pytest.mark.parametrize(("title", "invade", "strength", "place"), SECOND)
def test_price_and_strength_of_the_second_monster(title, invade, strength, place):
    """rules 3.2.5 and 1.4: its own STR, whoever lies in the first slot."""
    first = "Volur Witch" if title != "Frost Giant" else "Soldier of Hel"
    g = alone()
    g.upgrade(0, first, title)
    g.rage(0, invade + 1)
    g.invade(0, "monster_2", place)
    assert g.rage_of(0) == 1

    def monster(g):
        g.upgrade(0, first, title)
        g.put(0, "monster_2", place)

    assert_strength(monster, strength)


@pytest.mark.parametrize(("slot", "other"), [(0, 1), (1, 0)])
def test_replacing_one_monster_leaves_the_other(slot, other):
    """rules 3.2.7: Troll or Valkyrie goes, the figure of the other one stays where it is."""
    kinds = ("monster_1", "monster_2")
    g = alone()
    g.upgrade(0, "Troll", "Valkyrie")
    g.put(0, "monster_1", "gimle")
    g.put(0, "monster_2", "gimle")
    g.hand(0, "Soldier of Hel")
    g.play(0, "Soldier of Hel")
    g.slot(0, slot)
    assert g.asked() == (0, Decision.FREE_INVADE)
    assert g.can_choose(kinds[slot], "horgr")
    assert not g.can_choose(kinds[other], "horgr")
    g.choose(0, kinds[slot], "horgr")
    assert (g.figures(0, kinds[slot], "gimle"), g.figures(0, kinds[slot], "horgr")) == (0, 1)
    assert g.figures(0, kinds[other], "gimle") == 1


def test_troll_in_the_second_slot():
    """Troll: his Invade kills; the Frost Giant's of the first slot doesn't."""
    g = alone()
    g.rage(0, 9)
    g.upgrade(0, "Frost Giant", "Troll")
    g.put(1, "warrior", "gimle", 2)
    g.invade(0, "monster_1", "gimle")
    assert dead(g, 1) == 0
    g.invade(0, "monster_2", "gimle")
    assert dead(g, 1) == 2


def test_fire_giant_in_the_second_slot():
    """Fire Giant: his Invade burns; the Troll's of the first slot kills warriors alone."""
    g = alone()
    g.rage(0, 9)
    g.upgrade(0, "Troll", "Fire Giant")
    g.put(1, "leader", "gimle")
    g.put(1, "warrior", "gimle")
    g.invade(0, "monster_1", "gimle")
    assert dead(g, 1) == 1
    g.invade(0, "monster_2", "gimle")
    assert dead(g, 1) == 2


def test_dark_elf_in_the_second_slot():
    """Dark Elf: he alone may invade Yggdrasil, where he alone counts 3."""
    g = alone()
    g.upgrade(0, "Troll", "Dark Elf")
    assert not g.can_invade("monster_1", "yggdrasil")
    g.invade(0, "monster_2", "yggdrasil")
    assert g.rage_of(0) == 5

    def both(g):
        g.upgrade(0, "Troll", "Dark Elf")
        g.put(0, "monster_1", "yggdrasil")
        g.put(0, "monster_2", "yggdrasil")

    assert_strength(both, 2 + 3, "yggdrasil")


def test_valkyrie_in_the_second_slot():
    """Valkyrie: she must be there herself, the Troll is not a substitute."""
    for place, glory in (("gimle", 3 + 2), ("horgr", 3)):
        g = Scenario(2)
        g.upgrade(0, "Troll", "Valkyrie")
        g.put(0, "monster_1", "gimle")
        g.put(0, "monster_2", place)
        g.put(1, "warrior", "gimle")
        g.pillage(0, "gimle")
        assert g.glory_of(0) == glory


def test_frost_giant_in_the_second_slot():
    """Frost Giant: he must be there himself."""
    for place, steps in (("gimle", [3, 1, 1]), ("horgr", [2, 1, 1])):
        g = Scenario(2)
        g.upgrade(0, "Troll", "Frost Giant")
        g.put(0, "monster_1", "gimle")
        g.put(0, "monster_2", place)
        g.pillage(0, "gimle")
        assert g.steps_of(0) == steps


def test_volur_witch_in_the_second_slot():
    """Volur Witch: she escapes, the Troll beside her dies unasked."""
    g = Scenario(2)
    g.upgrade(0, "Troll", "Volur Witch")
    g.put(0, "monster_1", "gimle")
    g.put(0, "monster_2", "gimle")
    g.put(1, "leader", "gimle")
    g.put(1, "warrior", "gimle", 2)
    g.pillage(0, "gimle")
    assert g.asked() == (0, Decision.SAVE)
    assert g.state.about_kind == Figure.MONSTER_2
    g.yes(0)
    assert g.figures(0, "monster_2", "yggdrasil") == 1
    assert g.figures(0, "monster_1", "valhalla") == 1
    assert g.asked() == NEXT


def test_sea_serpent_in_the_second_slot():
    """Sea Serpent: fjords only, the free Invade of a ship upgrade, the Dragons; the Troll is not a ship."""
    g = alone()
    g.upgrade(0, "Troll", "Sea Serpent")
    assert not any(g.can_invade("monster_2", p) for p in ALL_OUTER)
    assert not g.can_invade("monster_1", FJORD)
    g.hand(0, "Loki's Dragons")
    g.play(0, "Loki's Dragons")
    assert not g.can_choose("monster_1", "gimle")
    g.choose(0, "monster_2", FJORD)
    assert g.asked() == ACTS
    g.put(0, "monster_1", "gimle")
    g.put(1, "warrior", "gimle", 4)
    g.hand(1, "Tyr's Bash")
    g.pillage(0, "gimle")  # 5 against 6
    assert g.glory_of(0) == 4
    assert dead(g, 0) == 2


def test_two_monsters_march_apart():
    """rules 3.2.6: the Valkyrie goes, the Frost Giant stays."""
    g = alone()
    g.upgrade(0, "Frost Giant", "Valkyrie")
    g.put(0, "monster_1", "gimle")
    g.put(0, "monster_2", "gimle")
    g.march(0, "gimle", "horgr", monster_2=1)
    assert (g.figures(0, "monster_1", "gimle"), g.figures(0, "monster_2", "horgr")) == (1, 1)


def test_protection_asks_for_each_monster():
    """rules 6.3.9: first monster, then second, as far as the Rage goes."""
    g = Scenario(2)
    g.upgrade(0, "Troll", "Dwarf Chieftain", "Frigga's Protection")
    g.put(0, "monster_1", "gimle")
    g.put(0, "monster_2", "gimle")
    g.put(1, "leader", "gimle")
    g.put(1, "warrior", "gimle", 2)
    g.pillage(0, "gimle")
    assert g.state.about_kind == Figure.MONSTER_1
    g.count(0, 0)
    assert g.state.about_kind == Figure.MONSTER_2
    g.count(0, 1)
    assert (g.figures(0, "monster_1", "valhalla"), g.figures(0, "monster_2", "gimle")) == (1, 1)
    assert g.rage_of(0) == 5
