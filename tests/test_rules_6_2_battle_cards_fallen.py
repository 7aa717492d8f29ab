"""Rules 6.2.10: what Odin's Judgement, Valkyrie and Thor's Glory count."""

import pytest
from fights import dead, field, fight

from bloodrage_env.games.bloodrage.engine.ids import Source

# ---- 6.2.10


def test_judgement_counts_all_figures_of_every_kind():
    """rules 6.2.10: all, own ones too, whoever destroyed them, from the reveal on."""
    g = field({0: {"leader": 1, "warrior": 2}, 1: {"leader": 1, "ship": 1, "Troll": 1}}, age=3)
    fight(g, {0: "Odin's Judgement", 1: "Odin's Smite"})
    # the Smite takes one; 3 + 1 + 2 against 3 + 2 + 2 + 1
    assert dead(g, 0) == 3
    assert g.glory_of(0) == 6
    g = field({0: {"leader": 1, "warrior": 4}, 1: {"ship": 1}}, age=3)
    fight(g, {0: "Odin's Judgement", 1: "Odin's Smite"})  # 3 + 3 + 2 against 2 + 1
    assert g.glory_of(0) == 3 + 2 * 2
    assert g.from_source(0, Source.BATTLE_CARDS) == 4


def test_judgement_does_not_count_the_saved():
    """rules 6.2.10: not those saved."""
    g = field({0: {"leader": 1}, 1: {"warrior": 3}}, age=3)
    g.upgrade(1, "Frigga's Protection")
    fight(g, {0: "Odin's Judgement"})
    g.count(1, 2)
    assert g.glory_of(0) == 3 + 2


def test_judgement_does_not_count_the_escaped():
    """rules 6.2.10: not those escaped."""
    g = field({0: {"leader": 1}, 1: {"Volur Witch": 1, "warrior": 1}}, age=3)
    fight(g, {0: "Odin's Judgement"})
    g.yes(1)
    assert g.glory_of(0) == 3 + 2


def test_judgement_does_not_count_the_dead_of_before():
    """rules 6.2.10: from the reveal to step 12: not what a Troll killed on the way to a battle."""
    g = field({1: {"warrior": 2, "leader": 1}}, age=3)
    g.upgrade(0, "Troll", "Thor's Domain", "Thor's Glory")
    g.hand(0, "Odin's Judgement")
    g.invade(0, "monster_1", "gimle")
    assert dead(g, 1) == 2
    g.yes(0)
    # 2 + 2 against 3
    assert dead(g, 1) == 3
    assert g.glory_of(0) == 3 + 2


def test_valkyrie_counts_enemy_figures_only():
    """rules 6.2.10: enemy figures, of every other clan, whoever destroyed them."""
    g = field({0: {"Valkyrie": 1, "warrior": 1}, 1: {"warrior": 1}, 2: {"warrior": 1, "ship": 1}}, age=2)
    fight(g, {1: "Odin's Smite", 2: "Tyr's Smash"})
    # the Smite takes one of 0 and one of 2: 2 against 1 + 1 against 2 + 3
    assert [dead(g, s) for s in range(3)] == [2, 1, 1]
    assert g.glory_of(0) == 4


def test_valkyrie_pays_even_when_she_dies():
    """rules 6.2.10: she pays even when she dies, also when the Tide takes her."""
    g = field({0: {"Valkyrie": 1, "leader": 1}, 1: {"warrior": 2}}, age=2)
    fight(g, {0: "Odin's Tide", 1: "Tyr's Rage"})
    g.choose(0, "leader", "gimle")  # the Valkyrie and one warrior are gone; 3 + 1 against 1 + 6
    assert g.figures(0, "monster_1", "valhalla") == 1
    assert g.glory_of(0) == 2


def test_valkyrie_who_answered_the_call_is_there():
    """rules 6.2.10: she is there when the cards are first chosen."""
    g = field({0: {"warrior": 1}, 1: {"warrior": 1}}, age=2)
    g.upgrade(1, "Valkyrie")
    g.put(1, "monster_1", "yggdrasil")
    g.pillage(0, "gimle")
    g.choose(1, "monster_1", "yggdrasil")
    assert g.glory_of(1) == 3 + 2


def test_valkyrie_elsewhere_pays_nothing():
    """rules 6.2.10: she is there."""
    g = field({0: {"warrior": 2}, 1: {"warrior": 1}}, age=2)
    g.upgrade(0, "Valkyrie")
    g.put(0, "monster_1", "horgr")
    g.pillage(0, "gimle")
    assert g.glory_of(0) == 3


def test_valkyrie_does_not_count_the_saved():
    """rules 6.2.10: not those saved or escaped."""
    g = field({0: {"Valkyrie": 1, "leader": 1}, 1: {"Volur Witch": 1, "warrior": 1}}, age=3)
    g.upgrade(1, "Frigga's Protection")
    g.pillage(0, "gimle")
    g.count(1, 1)  # the warrior is paid for
    g.yes(1)  # the Witch leaves
    assert g.glory_of(0) == 3


@pytest.mark.parametrize(("enemies", "glory"), [(1, 0), (2, 2), (3, 2), (4, 2)])
def test_thors_glory_is_flat(enemies, glory):
    """rules 6.2.10: a flat 2 when two or more enemy figures were destroyed."""
    g = field({0: {"leader": 1, "ship": 1}, 1: {"warrior": enemies}})
    g.upgrade(0, "Thor's Glory")
    g.pillage(0, "gimle")
    assert g.glory_of(0) == 3 + glory


def test_thors_glory_counts_enemies_of_all_clans_and_kinds():
    """rules 6.2.10: figures of every kind: a ship and a warrior of two clans."""
    g = field({0: {"leader": 1}, 1: {"warrior": 1}, 2: {"ship": 1}})
    g.upgrade(0, "Thor's Glory")
    g.pillage(0, "gimle")
    assert g.glory_of(0) == 5


def test_thors_glory_does_not_count_own_figures():
    """rules 6.2.10: enemy figures."""
    g = field({0: {"warrior": 3}, 1: {"leader": 1}})
    g.upgrade(0, "Thor's Glory")
    g.pillage(0, "gimle")  # a tie: three own, one enemy
    assert g.glory_of(0) == 0


def test_thors_glory_pays_a_loser():
    """rules 6.2.10: whoever destroyed them: the third clan's victory."""
    g = field({0: {"warrior": 1}, 1: {"warrior": 2}, 2: {"leader": 1}})
    g.upgrade(0, "Thor's Glory")
    g.pillage(0, "gimle")
    assert g.glory_of(0) == 2
    assert g.glory_of(2) == 3


def test_thors_glory_of_a_clan_outside_pays_nothing():
    """rules 6.2.10: of the battles that its owner fights."""
    g = field({0: {"leader": 1}, 1: {"warrior": 2}})
    g.upgrade(2, "Thor's Glory")
    g.pillage(0, "gimle")
    assert g.glory_of(2) == 0
