"""Every clause of Wolfman (rules 6.4.3.5) and of Mystic Troll (rules 6.4.3.6)."""

from fights import dead, fight
from ks_monsters import FJORD, game, with_monster
from scenario import Scenario

from bloodrage_env.games.bloodrage.engine.ids import Decision

# ---- Wolfman


def wolfman(place: str = "gimle", **figures: int) -> Scenario:
    """The Wolfman of the first clan fights figures of the second one in Gimle, which it pillages."""
    g = with_monster("Wolfman", "gimle", g=game())
    for kind, number in figures.items():
        g.put(1, kind, FJORD if kind == "ship" else place, number)
    return g


def test_wolfman_makes_others_worth_nothing():
    """rules 6.4.3.5: Wolfman's 3 against warriors, leader and ship, who count 0, also his own."""
    g = wolfman(warrior=2, leader=1, ship=1)
    g.put(0, "warrior", "gimle")
    g.pillage(0, "gimle")
    g.decline_calls()
    assert g.is_pillaged("gimle")
    assert dead(g, 1) == 4
    g = wolfman(warrior=1)
    g.put(0, "warrior", "gimle", 2)
    fight(g, {0: "Tyr's Bash", 1: "Tyr's Smite"})
    assert not g.is_pillaged("gimle")  # 3 + 2 against 0 + 5: a tie


def test_wolfman_spares_pairs_of_no_kind():
    """rules 6.4.3.5: Brothers in Arms in pairs count 0 as well beside Wolfman."""
    g = wolfman(warrior=4)
    g.upgrade(1, "Brothers in Arms")
    g.pillage(0, "gimle")
    g.decline_calls()
    assert g.is_pillaged("gimle")


def test_wolfman_leaves_monsters_their_strength():
    """rules 6.4.3.5: Sea Serpent and Mountain Giant count against Wolfman: 6 beats 3."""
    g = wolfman()
    g.upgrade(1, "Sea Serpent", "Mountain Giant")
    g.put(1, "monster_1", FJORD)
    g.put(1, "monster_2", "gimle")
    g.pillage(0, "gimle")
    g.decline_calls()
    assert not g.is_pillaged("gimle")
    assert dead(g, 0) == 1


def test_wolfman_and_the_dark_elf_in_yggdrasil():
    """rules 6.4.3.5: the Dark Elf counts 3 in Yggdrasil: a tie with Wolfman."""
    g = with_monster("Wolfman", "yggdrasil", g=game())
    g.upgrade(1, "Dark Elf")
    g.put(1, "monster_1", "yggdrasil")
    g.put(0, "leader", "yggdrasil")
    g.pillage(0, "yggdrasil")
    g.decline_calls()
    assert not g.is_pillaged("yggdrasil")
    assert (dead(g, 0), dead(g, 1)) == (2, 1)


def test_wolfman_has_to_be_in_the_province():
    """rules 6.4.3.5: Wolfman next door does nothing."""
    g = with_monster("Wolfman", "utgard", g=game())
    g.put(0, "warrior", "gimle")
    g.put(1, "warrior", "gimle", 2)
    g.pillage(0, "gimle")
    g.decline_calls()
    assert not g.is_pillaged("gimle")
    assert dead(g, 0) == 1


def test_wolfman_gone_before_the_comparison():
    """rules 6.4.3.5: Wolfman lost to a Tide does nothing: 3 of the leader and 0 beat 1 and 1."""
    g = wolfman(warrior=1)
    g.put(0, "leader", "gimle")
    fight(g, {0: "Loki's Backstab", 1: "Odin's Tide"})
    g.choose(0, "leader", "gimle")
    assert g.is_pillaged("gimle")
    assert g.figures(0, "monster_1", "valhalla") == 1


def test_wolfman_saved_by_protection():
    """rules 6.4.3.5: Wolfman who stays works: 3 of his and a leader's 0 against 2 warriors."""
    g = wolfman(warrior=2, leader=1)
    g.upgrade(0, "Frigga's Protection")
    g.put(0, "leader", "gimle")
    fight(g, {0: "Loki's Backstab", 1: "Odin's Tide"})
    while g.asked()[1] in (Decision.KEEP_FIGURE, Decision.SAVE):
        seat, decision = g.asked()
        if decision == Decision.KEEP_FIGURE:
            g.choose(seat, "leader", "gimle")
        else:
            g.count(seat, 1)
    assert g.is_pillaged("gimle")  # 3 + 0 against 0 + 1


def test_wolfman_has_no_effect_on_quests_and_prices():
    """rules 6.4.3.5: the strongest in Gimle by 3.4 are two warriors and a leader, not Wolfman; a warrior costs 1."""
    g = wolfman(warrior=2, leader=1)
    g.quest(1, "Alfheim")
    g.end_action_phase()
    assert g.asked() == (1, Decision.STAT)
    g = with_monster("Wolfman", "gimle")
    g.invade(0, "warrior", "gimle")
    assert g.rage_of(0) == 5


# ---- Mystic Troll


def test_mystic_troll_pays_for_its_clan():
    """rules 6.4.3.6: Invades into Mystic Troll's province cost no Rage, elsewhere the usual."""
    g = with_monster("Mystic Troll", "gimle")
    g.upgrade(0, "Experts in Arms")
    g.rage(0, 1)
    assert g.can_invade("warrior", "gimle")
    assert not g.can_invade("warrior", "utgard")
    g.invade(0, "warrior", "gimle")
    assert g.rage_of(0) == 1


def test_mystic_troll_pays_for_nobody_else():
    """rules 6.4.3.6: only figures of Mystic Troll's owner."""
    g = with_monster("Mystic Troll", "gimle", owner=1)
    g.invade(0, "warrior", "gimle")
    assert g.rage_of(0) == 5


def test_an_invade_beside_mystic_troll_is_an_action():
    """rules 6.4.3.6: more than 0 Rage, a village and room under Horns; Mystic Troll's Invade sets off 6.3.2."""
    g = with_monster("Mystic Troll", "gimle")
    g.put(0, "warrior", "utgard", 3)
    assert not g.can_invade("warrior", "gimle")  # Horns 4
    g = with_monster("Mystic Troll", "utgard")
    g.put(1, "warrior", "utgard", 2)
    assert not g.can_invade("warrior", "utgard")  # three villages
    g = with_monster("Mystic Troll", "gimle")
    g.upgrade(0, "Frigga's Succor")
    g.invade(0, "leader", "gimle")
    assert g.asked() == (0, Decision.SUCCOR)


def test_mystic_troll_pays_its_own_way():
    """rules 6.4.3.6: not for Mystic Troll before it is there, nor for a ship into the supporting fjord."""
    g = with_monster("Mystic Troll")
    g.invade(0, "monster_1", "gimle")
    assert g.rage_of(0) == 4
    g.invade(0, "ship", FJORD)
    assert g.rage_of(0) == 2


def test_mystic_troll_and_other_prices():
    """rules 6.4.3.6: the 1 Rage of Frigga's Domain and the 2 of Thor's Domain are paid beside Mystic Troll."""
    g = with_monster("Mystic Troll", "gimle")
    g.upgrade(0, "Frigga's Domain", "Thor's Domain")
    g.put(0, "warrior", "valhalla")
    g.raise_dead(0)
    g.choose(0, "warrior", "gimle")
    assert g.rage_of(0) == 5
    assert g.asked() == (0, Decision.FREE_PILLAGE)
    g.yes(0)
    assert g.rage_of(0) == 3


def test_mystic_troll_in_yggdrasil():
    """rules 6.4.3.6: Mystic Troll helps the Dark Elf alone there; nobody else may Invade it."""
    g = with_monster("Mystic Troll", "yggdrasil")
    g.upgrade(0, "Dark Elf")
    assert not g.can_invade("warrior", "yggdrasil")
    g.invade(0, "monster_2", "yggdrasil")
    assert g.rage_of(0) == 6


def test_mystic_troll_is_not_the_troll():
    """rules 6.4.3.6, rules 6.4.1.4: Mystic Troll's Invade kills nobody."""
    g = with_monster("Mystic Troll")
    g.put(1, "warrior", "gimle")
    g.invade(0, "monster_1", "gimle")
    assert g.figures(1, "warrior", "gimle") == 1
