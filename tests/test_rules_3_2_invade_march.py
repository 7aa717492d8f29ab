"""Rules 3.2.5 and 3.2.6: Invade and March, with the rulebooks' examples."""

import pytest
from ages import FJORDS, PROVINCES, RING, VILLAGES
from scenario import Scenario

from bloodrage_env.games.bloodrage.engine import actions as act
from bloodrage_env.games.bloodrage.engine.ids import Decision


def counts_on_offer(g: Scenario) -> list[int]:
    assert g.asked()[1] == Decision.MARCH
    return [a - act.COUNT for a in g.legal_actions()]


def test_an_invade_pays_the_strength_of_the_figure():
    """rules 3.2.5: leader nothing, warrior 1, ship 2, a monster its STR."""
    g = Scenario(players=2)
    g.passed(1)
    g.rage(0, 9)
    g.stat(0, "horns", 6)
    g.upgrade(0, "Fire Giant")
    for kind, place, left in (
        ("leader", "gimle", 9),
        ("warrior", "gimle", 8),
        ("ship", "fjord_utgard_andlang", 6),
        ("monster_1", "utgard", 2),
    ):
        g.invade(0, kind, place)
        assert g.rage_of(0) == left
        assert g.figures(0, kind, place) == 1


@pytest.mark.parametrize("kind", ["leader", "warrior", "ship", "monster_1", "monster_2"])
def test_an_invade_goes_where_it_says(kind):
    """rules 3.2.5: every kind into every place it may enter."""
    for place in FJORDS if kind == "ship" else RING:
        g = Scenario(players=2)
        g.upgrade(0, "Troll", "Valkyrie")
        g.invade(0, kind, place)
        assert g.figures(0, kind, place) == 1
        assert g.figures(0, kind, "reserve") == (7 if kind == "warrior" else 0)
        assert int(g.state.on_board[0]) == 1


def test_a_stronger_warrior_costs_more():
    """rules 3.2.5: the rulebooks' example: upgraded warriors of STR 2 invade Utgard for 2 Rage."""
    g = Scenario()
    g.upgrade(0, "Experts in Arms")
    g.invade(0, "warrior", "utgard")
    assert g.rage_of(0) == 4


def test_a_leader_invades_for_nothing_but_not_without_rage():
    """rules 3.2.5, rules 3.2.2: with 1 Rage he comes and the 1 is still there."""
    g = Scenario()
    g.rage(0, 1)
    g.invade(0, "leader", "utgard")
    assert g.rage_of(0) == 1


def test_an_invade_goes_to_any_outer_province_not_into_yggdrasil():
    """rules 3.2.5: nothing has to be adjacent."""
    g = Scenario()
    g.upgrade(0, "Troll")
    g.put(0, "warrior", "gimle")
    for kind in ("leader", "warrior", "monster_1"):
        assert {p for p in PROVINCES if g.can_invade(kind, p)} == set(RING)


def test_only_figures_of_the_reserve_invade():
    """rules 3.2.5: not those on the board, nor those in Valhalla; a clan without a monster has none."""
    g = Scenario()
    g.put(0, "leader", "gimle")
    g.put(0, "ship", "valhalla")
    assert not any(g.can_invade("leader", p) for p in PROVINCES)
    assert not any(g.can_invade("ship", p) for p in FJORDS)
    assert not any(g.can_invade("monster_1", p) for p in PROVINCES)
    assert all(g.can_invade("warrior", p) for p in RING)
    g.put(0, "warrior", "valhalla", 8)
    assert not any(g.can_invade("warrior", p) for p in PROVINCES)


def test_a_full_province_takes_no_invade():
    """rules 3.2.5: three figures of three clans fill Andlang; ships in the fjord take no village."""
    g = Scenario(players=4)
    g.put(1, "ship", "fjord_utgard_andlang")
    g.put(2, "ship", "fjord_utgard_andlang")
    g.put(1, "leader", "andlang")
    g.put(2, "warrior", "andlang")
    assert g.can_invade("warrior", "andlang")
    g.put(3, "warrior", "andlang")
    assert not g.can_invade("warrior", "andlang")
    assert g.can_invade("ship", "fjord_utgard_andlang")


def test_horns_limit_the_figures_on_the_board():
    """rules 3.2.5: ship and monster count too: with 4 Horns and 4 figures nobody invades."""
    g = Scenario()
    g.upgrade(0, "Troll")
    g.put(0, "ship", "fjord_gimle_myrkulor")
    g.put(0, "monster_1", "gimle")
    g.put(0, "warrior", "yggdrasil")
    assert g.can_invade("leader", "utgard")
    g.put(0, "warrior", "gimle")
    assert not any(g.can_invade(kind, p) for kind in ("leader", "warrior") for p in RING)


def test_the_ship_needs_a_horn_too():
    """rules 3.2.5: four warriors leave no room for a ship."""
    g = Scenario()
    g.put(0, "warrior", "gimle", 3)
    assert g.can_invade("ship", "fjord_gimle_myrkulor")
    g.put(0, "warrior", "gimle")
    assert not any(g.can_invade("ship", fjord) for fjord in FJORDS)


def test_valhalla_is_not_the_board():
    """rules 3.2.5: three figures on the board and five in Valhalla: one more may come."""
    g = Scenario()
    g.put(0, "warrior", "gimle", 3)
    g.put(0, "warrior", "valhalla", 4)
    g.put(0, "ship", "valhalla")
    g.invade(0, "leader", "utgard")
    assert g.figures(0, "leader", "utgard") == 1


def test_horns_of_one_clan_do_not_bind_another():
    """rules 3.2.5: each clan counts its own figures."""
    g = Scenario(players=2)
    g.put(1, "warrior", "gimle", 4)
    assert g.can_invade("leader", "gimle")
    g.pass_(0)
    assert g.asked() == (1, Decision.ACTION)
    assert not any(g.can_invade("leader", p) for p in RING)


def test_horns_bind_nothing_but_invades():
    """rules 3.2.5: six figures with 4 Horns march and are called to battle."""
    g = Scenario(players=2)
    g.put(0, "warrior", "gimle", 5)
    g.put(0, "leader", "horgr")
    g.march(0, "gimle", "yggdrasil", warrior=5)
    assert g.figures(0, "warrior", "yggdrasil") == 5
    g.pass_(1)
    g.pillage(0, "horgr")
    assert g.asked() == (0, Decision.CALL)
    g.choose(0, "warrior", "yggdrasil")
    assert g.figures(0, "warrior", "horgr") == 1


def test_a_march_costs_one_rage_however_many_go():
    """rules 3.2.6: six figures, 1 Rage."""
    g = Scenario()
    g.put(0, "warrior", "gimle", 4)
    g.put(0, "leader", "gimle")
    g.march(0, "gimle", "angerboda", leader=1, warrior=4)
    assert g.rage_of(0) == 5
    assert g.figures_in(0, "gimle") == 0
    assert g.figures(0, "leader", "angerboda") == 1
    assert g.figures(0, "warrior", "angerboda") == 4
    assert g.asked() == (1, Decision.ACTION)


def test_march_example_two_of_three_reach_the_two_free_villages():
    """rules 3.2.6: example 1: Blue moves 2 of 3 figures from Gimle to Elvagar, which isn't adjacent."""
    g = Scenario(players=4)
    g.put(0, "warrior", "gimle", 3)
    g.put(1, "warrior", "elvagar", 2)
    g.answer(0, act.MARCH_ID[6, 0])
    assert counts_on_offer(g) == [1, 2]
    g.count(0, 2)
    assert g.figures(0, "warrior", "elvagar") == 2
    assert g.figures(0, "warrior", "gimle") == 1
    assert g.rage_of(0) == 5


def test_march_example_any_number_goes_to_yggdrasil():
    """rules 3.2.6: example 2: Yellow may move all figures from Angerboda to Yggdrasil."""
    g = Scenario(players=4)
    g.put(1, "warrior", "yggdrasil", 8)
    g.put(0, "warrior", "angerboda", 4)
    g.put(0, "leader", "angerboda")
    g.march(0, "angerboda", "yggdrasil", leader=1, warrior=4)
    assert g.figures_in(0, "yggdrasil") == 5


def test_march_examples_one_province_to_one_province():
    """rules 3.2.6: examples 3 and 4: a march names one province to leave and one to reach."""
    g = Scenario(players=4)
    g.put(0, "warrior", "utgard", 2)
    g.put(0, "warrior", "gimle")
    g.march(0, "utgard", "horgr", warrior=1)
    assert g.asked() == (1, Decision.ACTION)
    assert g.figures(0, "warrior", "utgard") == 1
    assert g.figures(0, "warrior", "gimle") == 1


def test_march_example_ships_stay():
    """rules 3.2.6: example 5: the ship beside the warrior can't go; Sea Serpents neither."""
    g = Scenario()
    g.upgrade(0, "Sea Serpent")
    g.put(0, "ship", "fjord_utgard_andlang")
    g.put(0, "monster_1", "fjord_utgard_andlang")
    assert not any(g.can_march(a, b) for a in PROVINCES for b in PROVINCES if a != b)
    g.put(0, "warrior", "utgard")
    g.march(0, "utgard", "horgr", warrior=1)
    assert g.figures(0, "ship", "fjord_utgard_andlang") == 1
    assert g.figures(0, "monster_1", "fjord_utgard_andlang") == 1


def test_a_march_reaches_every_other_province_with_room():
    """rules 3.2.6: adjacent or not, Yggdrasil included; not a full one, not a destroyed one."""
    g = Scenario(players=2)
    g.put(0, "warrior", "gimle", 2)
    g.put(1, "warrior", "utgard", 3)
    g.destroyed("horgr")
    reached = {p for p in PROVINCES if p != "gimle" and g.can_march("gimle", p)}
    assert reached == set(PROVINCES) - {"gimle", "utgard", "horgr"}
    assert not any(g.can_march(a, b) for a in PROVINCES for b in PROVINCES if a not in (b, "gimle"))


@pytest.mark.parametrize("origin", PROVINCES)
def test_a_march_goes_where_it_says(origin):
    """rules 3.2.6: all 72 pairs of provinces."""
    for target in PROVINCES:
        if target != origin:
            g = Scenario(players=2)
            g.put(0, "warrior", origin)
            g.march(0, origin, target, warrior=1)
            assert g.figures(0, "warrior", target) == 1
            assert g.figures(0, "warrior", origin) == 0
            assert g.rage_of(0) == 5


@pytest.mark.parametrize(("province", "villages"), VILLAGES.items())
def test_a_march_fills_the_last_village(province, villages):
    """rules 3.2.6, rules 1.2: one of two warriors finds room, and then nobody does."""
    g = Scenario(players=2)
    g.put(1, "warrior", province, villages - 1)
    g.put(0, "warrior", "yggdrasil", 2)
    g.march(0, "yggdrasil", province, warrior=1)
    assert g.figures(0, "warrior", province) == 1
    g.pass_(1)
    assert not g.can_march("yggdrasil", province)


def test_a_march_knows_nothing_of_the_last_one():
    """rules 3.2.6: after the leader and two warriors it is one warrior elsewhere."""
    g = Scenario(players=2)
    g.passed(1)
    g.put(0, "leader", "gimle")
    g.put(0, "warrior", "gimle", 2)
    g.put(0, "warrior", "utgard", 2)
    g.march(0, "gimle", "yggdrasil", leader=1, warrior=2)
    g.march(0, "utgard", "elvagar", warrior=1)
    assert g.figures(0, "leader", "yggdrasil") == 1
    assert g.figures(0, "warrior", "yggdrasil") == 2
    assert g.figures(0, "warrior", "utgard") == 1
    assert g.figures_in(0, "elvagar") == 1


def test_only_own_figures_march():
    """rules 3.2.6: those of another clan don't."""
    g = Scenario(players=2)
    g.put(1, "warrior", "gimle", 2)
    assert not any(g.can_march("gimle", p) for p in PROVINCES if p != "gimle")


@pytest.mark.parametrize(("leader", "warriors"), [(0, [1, 2]), (1, [0, 1])])
def test_a_march_moves_at_least_one_and_no_more_than_there_is_room(leader, warriors):
    """rules 3.2.6: a leader and two warriors before two free villages: who goes is chosen freely."""
    g = Scenario(players=2)
    g.put(0, "leader", "gimle")
    g.put(0, "warrior", "gimle", 2)
    g.put(1, "warrior", "elvagar", 2)
    g.answer(0, act.MARCH_ID[6, 0])
    assert counts_on_offer(g) == [0, 1]
    g.count(0, leader)
    assert counts_on_offer(g) == warriors
    g.count(0, warriors[-1])
    assert g.figures_in(0, "elvagar") == leader + warriors[-1]


def test_a_march_chooses_among_the_monsters():
    """rules 3.2.6: the second monster goes, the first and the leader stay."""
    g = Scenario(players=2)
    g.upgrade(0, "Troll", "Valkyrie")
    for kind in ("leader", "monster_1", "monster_2"):
        g.put(0, kind, "gimle")
    g.march(0, "gimle", "yggdrasil", monster_2=1)
    assert g.figures(0, "monster_2", "yggdrasil") == 1
    assert g.figures(0, "monster_1", "gimle") == 1
    assert g.figures(0, "leader", "gimle") == 1


def test_a_single_figure_marches_without_a_question():
    """rules 3.2.6: nothing is left to choose."""
    g = Scenario(players=2)
    g.put(0, "leader", "gimle")
    g.answer(0, act.MARCH_ID[6, 8])
    assert g.asked() == (1, Decision.ACTION)
    assert g.figures(0, "leader", "yggdrasil") == 1


def test_the_last_kind_must_go_when_nobody_else_does():
    """rules 3.2.6: the leader stays, so that the single warrior goes without a further question."""
    g = Scenario(players=2)
    g.put(0, "leader", "gimle")
    g.put(0, "warrior", "gimle")
    g.answer(0, act.MARCH_ID[6, 8])
    g.count(0, 0)
    assert g.asked() == (1, Decision.ACTION)
    assert g.figures(0, "warrior", "yggdrasil") == 1
    assert g.figures(0, "leader", "gimle") == 1


def test_villages_left_by_a_march_are_free_at_once():
    """rules 3.2.6: three leave full Utgard; the next clan invades there."""
    g = Scenario(players=2)
    g.put(0, "warrior", "utgard", 3)
    g.march(0, "utgard", "horgr", warrior=3)
    g.invade(1, "leader", "utgard")
    assert g.figures(1, "leader", "utgard") == 1


def test_forced_answers_can_be_asked():
    """rules 3.2.6: with `skip_forced` off the single figure is counted all the same."""
    g = Scenario(players=2, skip_forced=False)
    g.put(0, "leader", "gimle")
    g.answer(0, act.MARCH_ID[6, 8])
    assert g.asked() == (0, Decision.MARCH)
    assert counts_on_offer(g) == [1]
    g.count(0, 1)
    assert g.figures(0, "leader", "yggdrasil") == 1
