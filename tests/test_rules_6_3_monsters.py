"""rules 6.3.11 to 6.3.14: Troll and Fire Giant, Dragons, Sea Serpent, Dark Elf."""

import pytest
from clans import ACTS, ALL_OUTER, alone, assert_strength
from fights import dead
from scenario import Scenario

from bloodrage_env.games.bloodrage.engine.ids import Decision

FJORD = "fjord_gimle_myrkulor"
NEXT = (1, Decision.ACTION)


# ---- 6.3.11 Troll and Fire Giant
def _crowd(monster):
    """Seat 1 and seat 2 around Gimle; seat 0's monster is in the reserve."""
    g = Scenario(3)
    g.upgrade(0, monster)
    g.upgrade(1, "Sea Serpent", "Dwarf Chieftain")
    g.put(0, "warrior", "gimle")
    g.put(0, "ship", FJORD)
    g.put(1, "warrior", "gimle")
    g.put(1, "monster_2", "gimle")
    g.put(1, "monster_1", FJORD)
    g.put(1, "ship", FJORD)
    g.put(1, "warrior", "myrkulor")
    g.put(2, "leader", "gimle")
    g.put(2, "ship", FJORD)
    return g


def test_troll_kills_enemy_warriors_of_the_province():
    """rules 6.3.11: warriors only, of every enemy clan, in the province only; own ones stay."""
    g = _crowd("Troll")
    g.put(2, "warrior", "andlang")
    g.invade(0, "monster_1", "gimle")
    assert g.figures(1, "warrior", "valhalla") == 1
    assert dead(g, 1) == 1
    assert dead(g, 2) == 0
    assert (g.figures(0, "warrior", "gimle"), g.figures(1, "warrior", "myrkulor")) == (1, 1)
    assert g.figures(2, "warrior", "andlang") == 1
    assert g.asked() == NEXT


def test_fire_giant_kills_enemies_that_are_no_monsters_with_the_fjord():
    """rules 6.3.11: leader, warrior and the ships; neither the Dwarf nor the Sea Serpent, nor own figures."""
    g = _crowd("Fire Giant")
    g.invade(0, "monster_1", "gimle")
    assert (g.figures(1, "warrior", "valhalla"), g.figures(1, "ship", "valhalla")) == (1, 1)
    assert (g.figures(1, "monster_2", "gimle"), g.figures(1, "monster_1", FJORD)) == (1, 1)
    assert (g.figures(2, "leader", "valhalla"), g.figures(2, "ship", "valhalla")) == (1, 1)
    assert (g.figures(0, "warrior", "gimle"), g.figures(0, "ship", FJORD)) == (1, 1)
    assert g.figures(1, "warrior", "myrkulor") == 1
    assert g.asked() == NEXT


@pytest.mark.parametrize("monster", ["Troll", "Fire Giant"])
def test_no_killing_on_a_march(monster):
    """rules 6.3.11: never on March."""
    g = alone()
    g.upgrade(0, monster)
    g.put(0, "monster_1", "horgr")
    g.put(1, "warrior", "gimle", 2)
    g.march(0, "horgr", "gimle", monster_1=1)
    assert dead(g, 1) == 0


@pytest.mark.parametrize("monster", ["Troll", "Fire Giant"])
def test_no_killing_on_a_call_to_battle(monster):
    """rules 6.3.11: never on the call; the Troll's side loses the battle here with 4 against 6."""
    g = Scenario(2, seat=1)
    g.upgrade(0, monster)
    g.put(0, "monster_1", "andlang")
    g.put(1, "warrior", "gimle", 2)
    g.hand(1, "Tyr's Crush")
    g.pillage(1, "gimle")
    g.choose(0, "monster_1", "andlang")
    assert g.figures(1, "warrior", "gimle") == 2
    assert g.is_pillaged("gimle")
    assert dead(g, 0) == 1


def test_arrival_is_no_battle():
    """rules 6.3.11: no glory for Valkyrie and Thor's Glory, though a pillage follows at once."""
    g = Scenario(2)
    g.upgrade(0, "Fire Giant", "Valkyrie", "Thor's Glory", "Thor's Domain")
    g.rage(0, 9)
    g.put(0, "monster_2", "gimle")
    g.put(1, "warrior", "gimle", 3)
    g.invade(0, "monster_1", "gimle")
    assert dead(g, 1) == 3
    assert g.glory_of(0) == 0
    g.yes(0)
    assert g.is_pillaged("gimle")
    assert g.glory_of(0) == 0


def test_arrival_kills_are_not_counted_in_the_battle_that_follows():
    """rules 6.3.11: of the ensuing battle only the one figure that dies in it counts."""
    g = Scenario(2)
    g.upgrade(0, "Troll", "Valkyrie", "Thor's Glory", "Thor's Domain")
    g.put(0, "monster_2", "gimle")
    g.put(1, "warrior", "gimle", 2)
    g.put(1, "leader", "gimle")
    g.invade(0, "monster_1", "gimle")
    g.yes(0)  # 4 against 3
    assert dead(g, 1) == 3
    assert g.glory_of(0) == 3 + 2


def test_arrival_in_the_last_village():
    """rules 6.3.11: Utgard: one enemy warrior and one leader, the giant takes the third village first."""
    g = alone()
    g.upgrade(0, "Fire Giant")
    g.put(1, "warrior", "utgard")
    g.put(1, "leader", "utgard")
    g.invade(0, "monster_1", "utgard")
    assert (g.figures_in(0, "utgard"), g.figures_in(1, "utgard")) == (1, 0)


# ---- 6.3.12 Dragons
DRAGONS = "Loki's Dragons"


def _owner_of_dragons(seat=0):
    g = Scenario(2, seat=seat)
    g.upgrade(0, DRAGONS)
    g.put(0, "ship", FJORD)
    return g


def test_dragons_pay_in_a_lost_battle():
    """rules 6.3.12: battle."""
    g = _owner_of_dragons()
    g.put(1, "leader", "gimle")
    g.pillage(0, "gimle")
    assert g.glory_of(0) == 4


def test_dragons_pay_in_tide():
    """rules 6.3.12: Tide takes the ship, the battle the leader: four glory in all."""
    g = _owner_of_dragons()
    g.put(0, "leader", "gimle")
    g.put(1, "leader", "gimle")
    g.hand(1, "Odin's Tide")
    g.pillage(0, "gimle")
    g.choose(0, "leader", "gimle")
    assert (g.glory_of(0), g.glory_of(1)) == (4, 3)
    assert dead(g, 0) == 2


def test_dragons_pay_for_the_fire_giant():
    """rules 6.3.12: Fire Giant, of an enemy."""
    g = _owner_of_dragons(seat=1)
    g.upgrade(1, "Fire Giant")
    g.invade(1, "monster_1", "myrkulor")
    assert g.glory_of(0) == 4
    assert g.glory_of(1) == 0


def test_dragons_pay_in_sacrifice():
    """rules 6.3.12: Sacrifice."""
    g = _owner_of_dragons()
    g.upgrade(0, "Frigga's Sacrifice")
    g.put(0, "warrior", "gimle")
    g.sacrifice(0)
    g.raise_stat(0, "rage")
    assert g.glory_of(0) == 4


@pytest.mark.parametrize(("age", "glory"), [(1, 2 + 4), (2, 3 + 4), (3, 4 + 4)])
def test_dragons_pay_in_ragnarok(age, glory):
    """rules 6.3.12: Ragnarok, beside the glory of the figure."""
    g = alone(age=age)
    g.upgrade(0, DRAGONS)
    g.doomed("gimle")
    g.put(0, "ship", FJORD)
    g.end_action_phase()
    assert g.glory_of(0) == glory


def test_dragons_pay_their_owner_only_and_for_own_ships_only():
    """rules 6.3.12: each own ship."""
    g = Scenario(2)
    g.upgrade(0, DRAGONS)
    g.put(0, "leader", "gimle")
    g.put(1, "ship", FJORD)
    g.pillage(0, "gimle")
    assert g.figures(1, "ship", "valhalla") == 1
    assert (g.glory_of(0), g.glory_of(1)) == (3, 0)


# ---- 6.3.13 the Sea Serpent
def test_sea_serpent_invades_fjords_for_three_rage():
    """rules 6.3.13: fjords only, its own STR 3 is the price."""
    g = Scenario(2)
    g.upgrade(0, "Sea Serpent")
    assert not any(g.can_invade("monster_1", p) for p in (*ALL_OUTER, "yggdrasil"))
    g.invade(0, "monster_1", FJORD)
    assert g.rage_of(0) == 3
    g = Scenario(2)
    g.upgrade(0, "Sea Serpent")
    g.rage(0, 2)
    assert not g.can_invade("monster_1", FJORD)
    assert g.can_invade("ship", FJORD)  # the ship costs 2


def test_sea_serpent_never_moves():
    """rules 6.3.13: no March, no call to battle."""
    g = Scenario(2, seat=1)
    g.upgrade(0, "Sea Serpent")
    g.put(0, "monster_1", FJORD)
    g.put(1, "warrior", "andlang")
    g.put(1, "warrior", "elvagar")
    g.pillage(1, "andlang")  # beside Gimle: nobody is asked to join
    assert g.asked() == ACTS
    g.pass_(0)
    g.march(1, "elvagar", "horgr", warrior=1)
    assert g.figures(0, "monster_1", FJORD) == 1


@pytest.mark.parametrize("province", ["gimle", "myrkulor"])
def test_sea_serpent_fights_in_both_provinces_with_three(province):
    """rules 6.3.13: a ship in all ways, STR 3."""

    def serpent(g):
        g.upgrade(0, "Sea Serpent")
        g.put(0, "monster_1", FJORD)

    assert_strength(serpent, 3, province)


def test_sea_serpent_uses_the_free_invade_of_a_ship_upgrade():
    """rules 6.3.13: instead of the ship; only one of them."""
    g = alone()
    g.upgrade(0, "Sea Serpent")
    g.hand(0, DRAGONS)
    g.play(0, DRAGONS)
    assert g.asked() == (0, Decision.FREE_INVADE)
    assert g.can_invade("ship", FJORD)
    g.choose(0, "monster_1", FJORD)
    assert g.rage_of(0) == 4
    assert g.asked() == ACTS
    assert g.figures(0, "ship", "reserve") == 1


def test_sea_serpent_uses_the_free_invade_with_the_ship_on_the_board():
    """rules 6.3.13: the ship has sailed, the Serpent is in the reserve."""
    g = alone()
    g.upgrade(0, "Sea Serpent")
    g.put(0, "ship", FJORD)
    g.hand(0, DRAGONS)
    g.play(0, DRAGONS)
    g.choose(0, "monster_1", FJORD)
    assert g.figures(0, "monster_1", FJORD) == 1


def test_sea_serpent_pays_the_dragons():
    """rules 6.3.13: ship and Serpent lost in one battle: twice four."""
    g = _owner_of_dragons()
    g.upgrade(0, "Sea Serpent")
    g.put(0, "monster_1", FJORD)
    g.put(1, "leader", "gimle")
    g.put(1, "warrior", "gimle", 3)
    g.pillage(0, "gimle")
    assert g.glory_of(0) == 8
    assert g.glory_of(1) == 3


def test_sea_serpent_dies_in_ragnarok_of_either_province():
    """rules 6.3.13: in the supporting fjord of the doomed province, with Dragons."""
    g = alone()
    g.upgrade(0, DRAGONS, "Sea Serpent")
    g.doomed("myrkulor")
    g.put(0, "monster_1", FJORD)
    g.end_action_phase()
    assert g.glory_of(0) == 2 + 4
    assert g.figures(0, "monster_1", "reserve") == 1


def test_a_replaced_sea_serpent_pays_nothing():
    """rules 6.3.13: its card replaced, the figure leaves the game and is not destroyed (3.2.7)."""
    g = alone()
    g.upgrade(0, DRAGONS, "Sea Serpent", "Troll")
    g.put(0, "monster_1", FJORD)
    g.hand(0, "Dwarf Chieftain")
    g.play(0, "Dwarf Chieftain")
    g.slot(0, 0)
    g.no(0)
    assert g.glory_of(0) == 0
    assert g.figures(0, "monster_1", FJORD) == 0


def test_sea_serpent_is_chosen_in_tide():
    """rules 6.3.13: a ship in the supporting fjord is in the battle: it may be the one that stays."""
    g = Scenario(2, seat=1)
    g.upgrade(0, "Sea Serpent", DRAGONS)
    g.put(0, "monster_1", FJORD)
    g.put(0, "warrior", "gimle")
    g.put(1, "warrior", "gimle")
    g.hand(1, "Odin's Tide")
    g.pillage(1, "gimle")
    assert g.asked() == (0, Decision.KEEP_FIGURE)
    g.choose(0, "monster_1", FJORD)  # 3 against 2
    assert g.glory_of(0) == 3
    assert g.figures(0, "monster_1", FJORD) == 1
    assert g.figures(0, "warrior", "valhalla") == 1


# ---- 6.3.14 the Dark Elf
def test_dark_elf_invades_yggdrasil_for_one_rage():
    """rules 6.3.14: for its printed 1 Rage; nobody else may."""
    g = alone()
    g.upgrade(0, "Dark Elf", "Troll")
    assert not any(g.can_invade(kind, "yggdrasil") for kind in ("leader", "warrior", "ship", "monster_2"))
    g.invade(0, "monster_1", "yggdrasil")
    assert g.rage_of(0) == 5
    assert g.figures(0, "monster_1", "yggdrasil") == 1


@pytest.mark.parametrize(("province", "strength"), [("yggdrasil", 3), ("gimle", 1)])
def test_dark_elf_strength(province, strength):
    """rules 6.3.14: STR 3 while in Yggdrasil, otherwise 1."""

    def elf(g):
        g.upgrade(0, "Dark Elf")
        g.put(0, "monster_1", province)

    assert_strength(elf, strength, province)


def test_dark_elf_in_yggdrasil_brings_no_succor_but_thors_domain():
    """rules 6.3.14: Succor sends no warrior into Yggdrasil; Thor's Domain works there (6.3.4)."""
    g = alone()
    g.upgrade(0, "Dark Elf", "Frigga's Succor", "Thor's Domain")
    g.invade(0, "monster_1", "yggdrasil")
    assert g.asked() == (0, Decision.FREE_PILLAGE)
    g.yes(0)
    assert g.is_pillaged("yggdrasil")
    assert g.steps_of(0) == [2, 2, 2]
    assert g.rage_of(0) == 3


def test_dark_elf_invades_yggdrasil_at_once_when_played():
    """rules 6.3.14: its free Invade may go there."""
    g = alone()
    g.hand(0, "Dark Elf")
    g.play(0, "Dark Elf")
    g.choose(0, "monster_1", "yggdrasil")
    assert g.rage_of(0) == 5


def test_dark_elf_raised_from_valhalla_into_yggdrasil():
    """rules 6.3.14: Frigga's Domain is an Invade too."""
    g = alone()
    g.upgrade(0, "Dark Elf", "Frigga's Domain")
    g.put(0, "monster_1", "valhalla")
    g.raise_dead(0)
    g.choose(0, "monster_1", "yggdrasil")
    assert g.rage_of(0) == 5


def test_dark_elf_needs_horns_for_yggdrasil():
    """rules 6.3.14: an Invade like any other, without limit of villages."""
    g = alone()
    g.upgrade(0, "Dark Elf")
    g.put(0, "warrior", "gimle", 4)
    assert not g.can_invade("monster_1", "yggdrasil")
    g.stat(0, "horns", 2)
    assert g.can_invade("monster_1", "yggdrasil")


def test_dark_elf_counts_three_for_the_yggdrasil_quest():
    """rules 6.3.14: STR 3 there in quests too: more than two warriors."""
    g = alone()
    g.upgrade(0, "Dark Elf")
    g.put(0, "monster_1", "yggdrasil")
    g.put(1, "warrior", "yggdrasil", 2)
    g.quest(0, "Yggdrasil")
    g.end_action_phase()
    assert g.asked() == (0, Decision.STAT)
    assert g.glory_of(0) == 6
