"""Every clause of the Kickstarter monsters (rules 6.4.3): what all four share, and Mountain Giant."""

import pytest
from clans import ACTS
from fights import dead, fight
from ks_monsters import alone, game, with_monster

from bloodrage_env.games.bloodrage.engine import actions as act
from bloodrage_env.games.bloodrage.engine.cards import PRICE, STRENGTH
from bloodrage_env.games.bloodrage.engine.ids import Decision, Figure, Place

MONSTERS = ["Mountain Giant", "Fenrir", "Wolfman", "Mystic Troll"]


# ---- all four


@pytest.mark.parametrize(("title", "strength"), list(zip(MONSTERS, (3, 2, 3, 2), strict=True)))
def test_the_price_is_the_strength(title, strength):
    """rules 6.4.3.1: less a Charm."""
    g = alone(age=3)
    card = g._card(title)
    assert (PRICE[card], STRENGTH[card]) == (strength, strength)
    g.upgrade(0, "Frigga's Charm")
    g.hand(0, title)
    g.play(0, title)
    assert g.asked() == (0, Decision.SLOT) or g.asked() == (0, Decision.FREE_INVADE)
    assert g.rage_of(0) == 6 - strength + 1


@pytest.mark.parametrize("title", MONSTERS)
def test_the_free_invade(title):
    """rules 6.4.3.1: as of every monster upgrade, 3.2.7."""
    g = alone(age=3)
    g.hand(0, title)
    g.play(0, title)
    assert g.asked() == (0, Decision.FREE_INVADE)
    assert not g.can_invade("monster_1", "yggdrasil")
    rage = g.rage_of(0)
    g.choose(0, "monster_1", "gimle")
    assert (g.figures(0, "monster_1", "gimle"), g.rage_of(0)) == (1, rage)


@pytest.mark.parametrize("title", MONSTERS)
def test_they_are_spared_as_monsters(title):
    """rules 6.4.3.1: by the Fire Giant, by Smite and by the Troll."""
    for killer in ("Fire Giant", "Troll"):
        g = with_monster(title, "gimle", owner=1)
        g.upgrade(0, killer)
        g.invade(0, "monster_1", "gimle")
        assert g.figures(1, "monster_1", "gimle") == 1
    g = with_monster(title, "gimle", owner=1, g=game())
    g.put(0, "warrior", "gimle")
    fight(g, {0: "Odin's Smite", 1: "Tyr's Rage"})
    assert (g.figures(1, "monster_1", "gimle"), dead(g, 1)) == (1, 0)


# ---- Mountain Giant


def test_mountain_giant_invades_for_no_rage():
    """rules 6.4.3.2: Mountain Giant is a leader: an action all the same."""
    g = with_monster("Mountain Giant")
    g.rage(0, 1)
    g.invade(0, "monster_1", "gimle")
    assert g.rage_of(0) == 1
    assert g.asked() == ACTS


def test_mountain_giant_costs_one_rage_out_of_valhalla():
    """rules 6.4.3.2, rules 6.3.7: 1 Rage in all."""
    g = with_monster("Mountain Giant", "valhalla")
    g.upgrade(0, "Frigga's Domain")
    g.raise_dead(0)
    g.choose(0, "monster_1", "gimle")
    assert g.rage_of(0) == 5


@pytest.mark.parametrize("leader", [False, True])
def test_a_leader_upgrade_works_once_with_mountain_giant(leader):
    """rules 6.4.3.2: Mountain Giant alone, or beside the leader: one step a pillage on each stat."""
    g = with_monster("Mountain Giant", "gimle")
    g.upgrade(0, "Lord of Spears")
    if leader:
        g.put(0, "leader", "gimle")
    g.pillage(0, "gimle")
    assert g.steps_of(0) == [3, 2, 2]


def test_a_leader_upgrade_needs_mountain_giant_in_the_province():
    """rules 6.4.3.2: Mountain Giant elsewhere does nothing."""
    g = with_monster("Mountain Giant", "utgard")
    g.upgrade(0, "Lord of Spears")
    g.put(0, "warrior", "gimle")
    g.pillage(0, "gimle")
    assert g.steps_of(0) == [2, 1, 1]


def test_mountain_giant_needs_no_leader_upgrade():
    """rules 6.4.3.2: Mountain Giant without one changes nothing in a pillage."""
    g = with_monster("Mountain Giant", "gimle")
    g.pillage(0, "gimle")
    assert g.steps_of(0) == [2, 1, 1]
    assert g.asked() == ACTS


def test_lord_of_hammers_moves_mountain_giant():
    """rules 6.4.3.2: Mountain Giant is alone there: asked where to, or not at all."""
    g = with_monster("Mountain Giant", "elvagar")
    g.upgrade(0, "Lord of Hammers")
    g.pillage(0, "elvagar")
    assert g.asked() == (0, Decision.LEADER_MOVE)
    assert {p for p in Place if p < 9 and g.can_province(p)} == {Place.ANGERBODA, Place.MYRKULOR, Place.YGGDRASIL}
    g.province(0, "yggdrasil")
    assert g.figures(0, "monster_1", "yggdrasil") == 1
    assert g.asked() == ACTS


@pytest.mark.parametrize(("kind", "other"), [("leader", "monster_1"), ("monster_1", "leader")])
def test_lord_of_hammers_moves_one_of_two(kind, other):
    """rules 6.4.3.2: with the leader and Mountain Giant there the owner names which, before the target."""
    g = with_monster("Mountain Giant", "elvagar")
    g.upgrade(0, "Lord of Hammers")
    g.put(0, "leader", "elvagar")
    g.pillage(0, "elvagar")
    assert g.asked() == (0, Decision.LEADER_MOVE)
    figures = {act.figure_at(each, Place.ELVAGAR) for each in (Figure.LEADER, Figure.MONSTER_1)}
    assert set(g.legal_actions()) == {act.NO, *figures}
    g.choose(0, kind, "elvagar")
    assert g.asked() == (0, Decision.LEADER_MOVE)
    g.province(0, "angerboda")
    assert (g.figures(0, kind, "angerboda"), g.figures(0, other, "elvagar")) == (1, 1)
    assert g.asked() == ACTS


def test_lord_of_hammers_may_leave_both():
    """rules 6.4.3.2, rules 6.1.7: the move is up to the owner, also with Mountain Giant and leader."""
    g = with_monster("Mountain Giant", "elvagar")
    g.upgrade(0, "Lord of Hammers")
    g.put(0, "leader", "elvagar")
    g.pillage(0, "elvagar")
    g.no(0)
    assert g.asked() == ACTS
    assert g.figures_in(0, "elvagar") == 2


@pytest.mark.parametrize("kind", ["leader", "monster_1"])
def test_the_free_invade_after_a_leader_upgrade(kind):
    """rules 6.4.3.2: by the leader or by Mountain Giant, if in the reserve."""
    g = with_monster("Mountain Giant")
    g.hand(0, "Lord of Axes")
    g.play(0, "Lord of Axes")
    assert g.asked() == (0, Decision.FREE_INVADE)
    assert not g.can_invade("warrior", "gimle")
    g.choose(0, kind, "gimle")
    assert g.figures(0, kind, "gimle") == 1
    assert g.asked() == ACTS


def test_mountain_giant_keeps_its_strength_and_slot():
    """rules 6.4.3.2: STR 3 in a monster slot, whatever the leader upgrade; Fire Giant spares it as a monster."""
    g = with_monster("Mountain Giant", "gimle", g=game())
    g.put(1, "leader", "gimle")
    g.pillage(0, "gimle")
    g.decline_calls()
    assert not g.is_pillaged("gimle")  # 3 against 3
