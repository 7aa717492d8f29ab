"""Every clause of the monsters; each test names its card in the id or the docstring."""

import pytest
from clans import ACTS, ALL_OUTER, alone, assert_strength
from fights import FJORD as FJORD_OF
from fights import dead
from scenario import Scenario

from bloodrage_env.games.bloodrage.engine.ids import Decision

FJORD = FJORD_OF["gimle"]
NEXT = (1, Decision.ACTION)

# title, price as an upgrade, price to invade, STR, where it stands
MONSTERS = [
    ("Dwarf Chieftain", 0, 0, 2, "gimle"),
    ("Troll", 2, 2, 2, "gimle"),
    ("Sea Serpent", 3, 3, 3, FJORD),
    ("Dark Elf", 1, 1, 1, "gimle"),
    ("Valkyrie", 2, 2, 2, "gimle"),
    ("Fire Giant", 4, 4, 4, "gimle"),
    ("Frost Giant", 4, 4, 4, "gimle"),
    ("Soldier of Hel", 0, 0, 3, "gimle"),
    ("Volur Witch", 3, 3, 3, "gimle"),
]
TITLES = [title for title, *_ in MONSTERS]


# ---- all monsters
@pytest.mark.parametrize(("title", "price", "invade", "strength", "place"), MONSTERS)
def test_monster_price_and_free_invade(title, price, invade, strength, place):
    """rules 3.2.7: played for its price, the figure comes to the reserve and may invade at once for free."""
    g = alone()
    g.hand(0, title)
    if price > 1:
        g.rage(0, price - 1)
        assert not g.can_play(title)
    g.rage(0, price + 1)
    g.play(0, title)
    assert g.has_upgrade(0, title)
    assert g.figures(0, "monster_1", "reserve") == 1
    assert g.asked() == (0, Decision.FREE_INVADE)
    assert not g.can_invade("warrior", "gimle")
    g.choose(0, "monster_1", place)
    assert g.rage_of(0) == 1
    assert g.figures(0, "monster_1", place) == 1
    assert g.asked() == ACTS


@pytest.mark.parametrize(("title", "price", "invade", "strength", "place"), MONSTERS)
def test_monster_price_to_invade(title, price, invade, strength, place):
    """rules 3.2.5: its STR (Dwarf and Soldier: nothing), also after the free Invade was declined."""
    g = alone()
    g.hand(0, title)
    g.rage(0, price + invade + 1)
    g.play(0, title)
    g.no(0)
    assert g.figures(0, "monster_1", "reserve") == 1
    if invade > 1:
        g.rage(0, invade - 1)
        assert not g.can_invade("monster_1", place)
        g.rage(0, invade + 1)
    g.invade(0, "monster_1", place)
    assert g.rage_of(0) == 1


@pytest.mark.parametrize(("title", "price", "invade", "strength", "place"), MONSTERS)
def test_monster_strength(title, price, invade, strength, place):
    """rules 1.4: the printed STR in battle."""

    def monster(g):
        g.upgrade(0, title)
        g.put(0, "monster_1", place)

    if title == "Volur Witch":
        _assert_witch_strength()
    else:
        assert_strength(monster, strength)


def _assert_witch_strength():
    for enemies, pillaged in ((2, True), (3, False)):
        g = Scenario(2)
        g.upgrade(0, "Volur Witch")
        g.put(0, "monster_1", "gimle")
        g.put(1, "warrior", "gimle", enemies)
        g.pillage(0, "gimle")
        assert g.is_pillaged("gimle") == pillaged
        assert g.glory_of(1) == 0


@pytest.mark.parametrize("title", TITLES)
def test_monster_takes_one_of_two_slots(title):
    """rules 3.2.7: the second monster has the second slot, and both figures are in play."""
    other = "Troll" if title != "Troll" else "Valkyrie"
    g = alone()
    g.upgrade(0, other)
    g.hand(0, title)
    g.play(0, title)
    assert g.asked() == (0, Decision.SLOT)
    assert [g.can_slot(n) for n in range(3)] == [True, True, False]
    g.slot(0, 1)
    g.no(0)
    assert g.has_upgrade(0, title)
    assert g.has_upgrade(0, other)
    assert (g.figures(0, "monster_1", "reserve"), g.figures(0, "monster_2", "reserve")) == (1, 1)


@pytest.mark.parametrize("title", TITLES)
@pytest.mark.parametrize("where", ["reserve", "board", "valhalla"])
def test_replaced_monster_leaves_the_game(title, where):
    """rules 3.2.7: from wherever it is; only the new monster's figure is left."""
    new = "Dwarf Chieftain" if title != "Dwarf Chieftain" else "Soldier of Hel"
    board = FJORD if title == "Sea Serpent" else "gimle"
    g = alone()
    g.upgrade(0, title)
    if where != "reserve":
        g.put(0, "monster_1", board if where == "board" else "valhalla")
    g.hand(0, new)
    g.play(0, new)
    g.slot(0, 0)
    assert not g.has_upgrade(0, title)
    assert [card.name for card in g.discards()] == [title.upper().replace(" ", "_")]
    assert g.figures(0, "monster_1", board) == 0
    assert g.figures(0, "monster_1", "valhalla") == 0
    assert g.figures(0, "monster_1", "reserve") == 1
    g.choose(0, "monster_1", "utgard")
    assert g.glory_of(0) == 0


@pytest.mark.parametrize("title", [title for title in TITLES if title != "Sea Serpent"])
def test_replaced_monster_frees_village_and_horn(title):
    """rules 3.2.7: both free at once, so that the new one may invade the full Utgard as the fourth figure."""
    new = "Dwarf Chieftain" if title != "Dwarf Chieftain" else "Soldier of Hel"
    g = alone()
    g.upgrade(0, title)
    g.put(0, "monster_1", "utgard")
    g.put(0, "warrior", "utgard", 2)
    g.put(0, "leader", "gimle")
    g.hand(0, new)
    g.play(0, new)
    g.slot(0, 0)
    g.choose(0, "monster_1", "utgard")
    assert g.figures(0, "monster_1", "utgard") == 1


def test_replaced_monster_is_no_longer_in_valhalla():
    """rules 3.2.7: a Troll that left the game from Valhalla counts neither for Glorious Death nor the release."""
    g = alone()
    g.upgrade(0, "Troll", "Loki's Domain")
    g.put(0, "monster_1", "valhalla")
    g.put(0, "warrior", "valhalla", 3)
    g.quest(0, "Glorious Death")
    g.hand(0, "Valkyrie")
    g.play(0, "Valkyrie")
    g.slot(0, 0)
    g.no(0)
    g.end_action_phase()
    assert g.asked()[1] == Decision.DRAFT
    assert g.glory_of(0) == 3


@pytest.mark.parametrize("title", [title for title in TITLES if title != "Sea Serpent"])
def test_monster_marches_and_joins(title):
    """rules 3.2.6 and 4.1: a monster that is not a ship marches and answers the call to battle."""
    g = Scenario(2)
    g.upgrade(0, title)
    g.put(0, "monster_1", "horgr")
    g.march(0, "horgr", "andlang", monster_1=1)
    g.put(1, "leader", "gimle")
    g.pillage(1, "gimle")
    assert g.asked() == (0, Decision.CALL)
    assert g.can_choose("monster_1", "andlang")


# ---- Troll, Fire Giant
def test_troll_kills_on_each_invade():
    """Troll: on every Invade of his; the warriors of all enemies in the province he enters, nobody else."""
    g = Scenario(3)
    g.upgrade(0, "Troll")
    g.put(1, "warrior", "gimle", 2)
    g.put(2, "warrior", "gimle")
    g.put(2, "leader", "gimle")
    g.put(0, "warrior", "myrkulor")
    g.put(1, "warrior", "myrkulor")
    g.invade(0, "monster_1", "gimle")
    assert (dead(g, 0), dead(g, 1), dead(g, 2)) == (0, 2, 1)
    assert g.figures(1, "warrior", "myrkulor") == 1
    assert g.figures(2, "leader", "gimle") == 1
    assert g.glory_of(0) == 0


def test_troll_does_not_reach_ships():
    """Troll: warriors; ships in the supporting fjord stay."""
    g = Scenario(2)
    g.upgrade(0, "Troll")
    g.put(1, "ship", FJORD)
    g.invade(0, "monster_1", "gimle")
    assert dead(g, 1) == 0


def test_fire_giant_kills_all_but_monsters():
    """Fire Giant: enemy leader, warriors and ships of the fjord; monsters (Sea Serpent, Troll) are spared."""
    g = Scenario(2)
    g.upgrade(0, "Fire Giant")
    g.upgrade(1, "Sea Serpent", "Troll")
    g.put(1, "leader", "gimle")
    g.put(1, "warrior", "gimle")
    g.put(1, "ship", FJORD)
    g.put(1, "monster_1", FJORD)
    g.put(1, "monster_2", "gimle")
    g.invade(0, "monster_1", "gimle")
    assert dead(g, 1) == 3
    assert (g.figures(1, "monster_1", FJORD), g.figures(1, "monster_2", "gimle")) == (1, 1)


def test_fire_giant_free_invade_kills_too():
    """Fire Giant: arrival by any Invade; when the card is played, and from Valhalla by Frigga's Domain."""
    g = alone()
    g.hand(0, "Fire Giant")
    g.put(1, "leader", "gimle")
    g.put(1, "ship", FJORD)
    g.play(0, "Fire Giant")
    g.choose(0, "monster_1", "myrkulor")
    assert (g.figures(1, "ship", "valhalla"), g.figures(1, "leader", "gimle")) == (1, 1)
    g = alone()
    g.upgrade(0, "Fire Giant", "Frigga's Domain")
    g.put(0, "monster_1", "valhalla")
    g.put(1, "leader", "gimle")
    g.raise_dead(0)
    g.choose(0, "monster_1", "gimle")
    assert g.figures(1, "leader", "valhalla") == 1
    assert g.rage_of(0) == 5


def test_fire_giant_spares_ships_of_other_fjords():
    """Fire Giant: of its supporting fjord, not of the neighbour's."""
    g = Scenario(2)
    g.upgrade(0, "Fire Giant")
    g.put(1, "ship", "fjord_utgard_andlang")
    g.invade(0, "monster_1", "gimle")
    assert dead(g, 1) == 0


# ---- Valkyrie
def _valkyrie(**figures):
    """Seat 0 with a Valkyrie in Gimle; `enemies` warriors of seat 1, `third` of seat 2, `own` of seat 0."""
    g = Scenario(3)
    g.upgrade(0, "Valkyrie")
    g.put(0, "monster_1", "gimle")
    for seat, name in enumerate(("own", "enemies", "third")):
        g.put(seat, "warrior", "gimle", figures.get(name, 0))
    return g


def test_valkyrie_pays_for_each_enemy_figure():
    """Valkyrie: 2 glory each, of all enemies; nothing for own figures."""
    g = _valkyrie(own=1, enemies=1, third=1)
    g.put(1, "ship", FJORD)
    g.hand(0, "Tyr's Bash")
    g.pillage(0, "gimle")  # 5 against 3 and 1
    assert g.glory_of(0) == 3 + 2 * 3


def test_valkyrie_pays_when_she_dies():
    """Valkyrie: also in a tie, where she and two enemies die."""
    g = _valkyrie(enemies=2)
    g.pillage(0, "gimle")
    assert g.figures(0, "monster_1", "valhalla") == 1
    assert g.glory_of(0) == 4


def test_valkyrie_pays_a_loser():
    """Valkyrie: seat 1 wins; seat 2's warrior was destroyed too."""
    g = _valkyrie(enemies=3, third=1)
    g.pillage(0, "gimle")
    assert g.glory_of(0) == 2
    assert g.glory_of(1) == 3


def test_valkyrie_counts_cards_destruction():
    """Valkyrie: from the reveal on: a warrior by Odin's Smite, one by the lost battle."""
    g = _valkyrie(enemies=2)
    g.hand(0, "Odin's Smite")
    g.pillage(0, "gimle")
    assert g.glory_of(0) == 3 + 4


def test_valkyrie_taken_by_tide_pays():
    """Valkyrie: she is there when the cards are first chosen; the owner keeps the leader instead."""
    g = _valkyrie(enemies=2)
    g.put(0, "leader", "gimle")
    g.hand(0, "Odin's Tide")
    g.pillage(0, "gimle")
    g.choose(0, "leader", "gimle")
    assert g.figures(0, "monster_1", "valhalla") == 1
    assert g.glory_of(0) == 3 + 4  # one warrior by Tide, one by the battle


def test_valkyrie_must_be_in_the_battle():
    """Valkyrie: from a neighbouring province she sees nothing; called to battle she does."""
    for joins, glory in ((False, 3), (True, 3 + 2)):
        g = Scenario(2)
        g.upgrade(0, "Valkyrie")
        g.put(0, "monster_1", "andlang")
        g.put(0, "leader", "gimle")
        g.put(1, "warrior", "gimle")
        g.pillage(0, "gimle")
        assert g.asked() == (0, Decision.CALL)
        if joins:
            g.choose(0, "monster_1", "andlang")
        else:
            g.no(0)
        assert g.glory_of(0) == glory


def test_valkyrie_pays_only_her_owner():
    """Valkyrie: not the enemy, whose win destroys her."""
    g = _valkyrie(enemies=3)
    g.pillage(0, "gimle")
    assert (g.glory_of(0), g.glory_of(1)) == (0, 3)


def test_valkyrie_under_a_pillage_without_battle():
    """Valkyrie: an unopposed pillage is not a battle."""
    g = _valkyrie()
    g.pillage(0, "gimle")
    assert g.is_pillaged("gimle")
    assert g.glory_of(0) == 0


# ---- the others
def test_dwarf_chieftain_invades_for_nothing_each_time():
    """Dwarf Chieftain: also when it comes back from Valhalla to the reserve: no Rage but some must be left."""
    g = alone()
    g.upgrade(0, "Dwarf Chieftain")
    g.rage(0, 1)
    assert g.can_invade("monster_1", "gimle")
    assert g.can_invade("warrior", "gimle")
    assert not g.can_invade("ship", FJORD)
    g.invade(0, "monster_1", "gimle")
    assert g.rage_of(0) == 1


def test_dark_elf_is_weak_outside_yggdrasil():
    """Dark Elf: STR 3 in Yggdrasil and 1 elsewhere, whatever way it came."""

    def elf(g):
        g.upgrade(0, "Dark Elf")
        g.put(0, "monster_1", "yggdrasil")

    assert_strength(elf, 3, "yggdrasil")
    g = alone()
    elf(g)
    g.march(0, "yggdrasil", "gimle", monster_1=1)
    g.put(1, "warrior", "gimle")
    g.pillage(0, "gimle")
    assert not g.is_pillaged("gimle")
    assert dead(g, 0) == 1


def test_sea_serpent_supports_both_provinces():
    """Sea Serpent: alone in the fjord it lets its clan pillage both provinces, and no other."""
    g = alone()
    g.upgrade(0, "Sea Serpent")
    g.put(0, "monster_1", FJORD)
    assert [p for p in (*ALL_OUTER, "yggdrasil") if g.can_pillage(p)] == ["gimle", "myrkulor"]
    g.pillage(0, "gimle")
    g.pillage(0, "myrkulor")
    assert g.steps_of(0) == [3, 1, 1]


def test_sea_serpent_counts_for_quests_of_both_provinces():
    """Sea Serpent: STR 3 for Gimle against two warriors, 3 for Myrkulor alone."""
    g = alone()
    g.upgrade(0, "Sea Serpent")
    g.doomed("horgr")
    g.put(0, "monster_1", FJORD)
    g.put(1, "warrior", "gimle", 2)
    g.quest(0, "Alfheim", "Manheim")
    g.end_action_phase()
    g.raise_stat(0, "axes")
    g.raise_stat(0, "horns")
    assert g.glory_of(0) == 10


def test_frost_giant_doubles_the_token():
    """Frost Giant: two steps of the token's stat; beside Lord of Spears three of it, one of the others."""
    g = Scenario(2)
    g.upgrade(0, "Frost Giant", "Lord of Spears")
    g.token("gimle", "axes")
    g.put(0, "monster_1", "gimle")
    g.put(0, "leader", "gimle")
    g.put(1, "warrior", "gimle")
    g.pillage(0, "gimle")
    assert g.steps_of(0) == [2, 4, 2]
    assert g.glory_of(0) == 6


def test_frost_giant_with_a_track_almost_full():
    """Frost Giant: the second step over the end of the track is lost."""
    g = alone()
    g.upgrade(0, "Frost Giant")
    g.stat(0, "rage", 5)
    g.put(0, "monster_1", "gimle")
    g.pillage(0, "gimle")
    assert g.steps_of(0) == [6, 1, 1]


def test_soldier_of_hel_is_free_and_strong():
    """Soldier of Hel: no Rage to play, none to invade, STR 3."""
    g = alone(age=3)
    g.rage(0, 1)
    g.hand(0, "Soldier of Hel")
    g.play(0, "Soldier of Hel")
    g.choose(0, "monster_1", "gimle")
    g.put(1, "warrior", "gimle", 2)
    g.pillage(0, "gimle")
    assert g.rage_of(0) == 1
    assert g.glory_of(0) == 3


def test_volur_witch_relocates():
    """Volur Witch: optional, to Yggdrasil, from a lost battle and from Ragnarok; no Rage, no glory."""
    g = Scenario(2, seat=1)
    g.upgrade(0, "Volur Witch")
    g.put(0, "monster_1", "gimle")
    g.put(1, "leader", "gimle")
    g.put(1, "warrior", "gimle")
    g.pillage(1, "gimle")
    assert g.asked() == (0, Decision.SAVE)
    g.yes(0)
    assert g.figures(0, "monster_1", "yggdrasil") == 1
    assert (g.rage_of(0), g.glory_of(0)) == (6, 0)
    assert g.asked() == ACTS
    g.march(0, "yggdrasil", "horgr", monster_1=1)
    g.doomed("horgr")
    g.pass_(1)
    g.end_action_phase()
    assert g.asked() == (0, Decision.SAVE)
    g.yes(0)
    assert g.figures(0, "monster_1", "yggdrasil") == 1
    assert g.glory_of(0) == 0
