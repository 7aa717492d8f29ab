"""Rules 4.1 and 4.2: the call to battle, the pillage without a battle."""

import pytest
from fights import FJORD, field, offered, raise_stats

from bloodrage_env.games.bloodrage.engine.card_ids import Card
from bloodrage_env.games.bloodrage.engine.ids import Decision, Figure, Place, Stat

# The ring of rules 1.1, clockwise.
RING = ["elvagar", "angerboda", "muspelheim", "horgr", "utgard", "andlang", "gimle", "myrkulor"]


def neighbours(province):
    at = RING.index(province)
    return {Place[p.upper()] for p in (RING[at - 1], RING[(at + 1) % 8], "yggdrasil")}


# ---- 4.1 the call


def test_call_begins_left_of_the_pillager_and_goes_clockwise_round_to_the_pillager():
    """rules 4.1: from the player to the pillager's left, clockwise, the pillager included."""
    g = field({2: {"warrior": 1}}, players=4, seat=2)
    for seat in range(4):
        g.put(seat, "warrior", "yggdrasil")
    g.pillage(2, "gimle")
    asked = []
    while g.asked()[1] == Decision.CALL:
        asked.append(g.asked()[0])
        g.no(g.asked()[0])
    assert asked == [3, 0, 1, 2]
    assert g.is_pillaged("gimle")


@pytest.mark.parametrize("province", RING)
def test_call_reaches_adjacent_provinces_only(province):
    """rules 4.1: from an adjacent province: the two neighbours in the ring and Yggdrasil."""
    g = field({0: {"warrior": 1}}, province)
    for other in [*RING, "yggdrasil"]:
        if other != province:
            g.put(1, "warrior", other)
    g.pillage(0, province)
    assert g.asked() == (1, Decision.CALL)
    assert offered(g, Figure.WARRIOR) == neighbours(province)
    assert g.can_no()


def test_call_to_yggdrasil_reaches_all_outer_provinces():
    """rules 4.1: Yggdrasil is adjacent to every outer province."""
    g = field({0: {"warrior": 1}}, "yggdrasil")
    for other in RING:
        g.put(1, "warrior", other)
    g.pillage(0, "yggdrasil")
    assert g.asked() == (1, Decision.CALL)
    assert offered(g, Figure.WARRIOR) == {Place(p) for p in range(8)}


@pytest.mark.parametrize("state", ["full rage", "no rage", "passed"])
def test_joining_costs_nothing_and_needs_no_rage(state):
    """rules 4.1: at no cost, also with 0 Rage or after passing."""
    g = field({0: {"warrior": 1}})
    g.put(1, "warrior", "yggdrasil", 2)
    if state == "no rage":
        g.rage(1, 0)
    if state == "passed":
        g.passed(1)
    before = g.rage_of(1)
    g.pillage(0, "gimle")
    g.choose(1, "warrior", "yggdrasil")
    g.choose(1, "warrior", "yggdrasil")
    assert g.rage_of(1) == before
    assert g.figures(1, "warrior", "gimle") == 2  # and they beat the pillager's one
    assert g.figures(1, "warrior", "yggdrasil") == 0
    assert g.figures(0, "warrior", "valhalla") == 1
    assert not g.is_pillaged("gimle")


def test_ships_are_never_called():
    """rules 4.1: an own figure, not a ship (a clan with ships alone is not asked)."""
    g = field({0: {"warrior": 1}})
    g.put(1, "ship", FJORD["andlang"])
    g.upgrade(2, "Sea Serpent")
    g.put(2, "monster_1", FJORD["andlang"])
    g.pillage(0, "gimle")
    assert g.asked() == (1, Decision.ACTION)
    assert g.is_pillaged("gimle")
    assert g.figures(1, "ship", FJORD["andlang"]) == 1


def test_a_serpent_is_not_offered_beside_a_warrior():
    """rules 4.1 with 6.3.13: ship and serpent stay where they are."""
    g = field({0: {"warrior": 1}})
    g.put(1, "ship", FJORD["andlang"])
    g.upgrade(1, "Sea Serpent")
    g.put(1, "monster_1", FJORD["andlang"])
    g.put(1, "warrior", "andlang")
    g.pillage(0, "gimle")
    assert offered(g, Figure.WARRIOR) == {Place.ANDLANG}
    assert not offered(g, Figure.SHIP)
    assert not offered(g, Figure.MONSTER_1)
    assert len(g.legal_actions()) == 2


def test_leaders_and_monsters_may_join():
    """rules 4.1: any own figure that is not a ship."""
    g = field({0: {"warrior": 1}})
    g.upgrade(1, "Troll", "Valkyrie")
    g.put(1, "leader", "andlang")
    g.put(1, "monster_1", "myrkulor")
    g.put(1, "monster_2", "yggdrasil")
    g.pillage(0, "gimle")
    assert offered(g, Figure.LEADER) == {Place.ANDLANG}
    assert offered(g, Figure.MONSTER_1) == {Place.MYRKULOR}
    assert offered(g, Figure.MONSTER_2) == {Place.YGGDRASIL}
    g.choose(1, "monster_1", "myrkulor")
    g.choose(1, "leader", "andlang")
    g.choose(1, "monster_2", "yggdrasil")
    assert g.figures_in(1, "gimle") == 3


def test_figures_in_reserve_valhalla_or_the_province_itself_cannot_be_called():
    """rules 4.1: from an adjacent province, nowhere else."""
    g = field({0: {"warrior": 1}, 1: {"warrior": 1}})
    g.put(1, "warrior", "valhalla", 2)
    g.put(1, "warrior", "horgr")
    g.pillage(0, "gimle")
    assert g.asked() == (1, Decision.ACTION)  # nobody was asked; a tie with no cards
    assert g.figures(1, "warrior", "horgr") == 1


def test_one_figure_a_turn_and_the_call_goes_round():
    """rules 4.1: each may move one figure; it goes round and round."""
    g = field({0: {"warrior": 1}})
    g.put(1, "warrior", "yggdrasil", 2)
    g.put(2, "warrior", "yggdrasil", 2)
    g.pillage(0, "gimle")
    g.choose(1, "warrior", "yggdrasil")
    assert g.figures(1, "warrior", "gimle") == 1
    assert g.asked() == (2, Decision.CALL)
    g.choose(2, "warrior", "yggdrasil")
    assert g.asked() == (1, Decision.CALL)  # the pillager has nobody to call
    g.choose(1, "warrior", "yggdrasil")
    assert g.asked() == (2, Decision.CALL)


def test_pillager_may_join_too():
    """rules 4.1: the pillager included, after all the others."""
    g = field({0: {"ship": 1}})
    g.put(0, "warrior", "yggdrasil")
    g.put(1, "warrior", "yggdrasil")
    g.pillage(0, "gimle")
    g.no(1)
    assert g.asked() == (0, Decision.CALL)
    g.choose(0, "warrior", "yggdrasil")
    assert g.figures(0, "warrior", "gimle") == 1
    assert g.asked() == (1, Decision.CALL)


def test_who_declined_may_join_when_the_turn_comes_round_again():
    """rules 4.1: a player who declined may join later."""
    g = field({0: {"warrior": 3}})
    g.put(1, "warrior", "yggdrasil")
    g.put(2, "warrior", "yggdrasil")
    g.pillage(0, "gimle")
    g.no(1)
    g.choose(2, "warrior", "yggdrasil")
    assert g.asked() == (1, Decision.CALL)
    g.choose(1, "warrior", "yggdrasil")
    assert g.figures(0, "warrior", "gimle") == 3  # 3 against 1 and 1
    assert g.figures(1, "warrior", "valhalla") == 1
    assert g.figures(2, "warrior", "valhalla") == 1


def test_the_last_mover_is_asked_again_and_ends_the_call_by_declining():
    """rules 4.1: it ends when everybody in a row, the last mover too, has declined since the last move."""
    g = field({0: {"warrior": 2}})
    g.put(1, "warrior", "yggdrasil", 2)
    g.put(2, "warrior", "yggdrasil")
    g.pillage(0, "gimle")
    g.choose(1, "warrior", "yggdrasil")
    g.no(2)
    assert g.asked() == (1, Decision.CALL)
    g.no(1)
    assert g.asked() == (1, Decision.ACTION)  # seat 2 is not asked a second time
    assert g.figures(1, "warrior", "valhalla") == 1
    assert g.figures(1, "warrior", "yggdrasil") == 1


def test_every_move_opens_a_new_round():
    """rules 4.1: after each move all must decline anew."""
    g = field({0: {"warrior": 2}})
    g.put(1, "warrior", "yggdrasil", 2)
    g.put(2, "warrior", "yggdrasil")
    g.pillage(0, "gimle")
    g.choose(1, "warrior", "yggdrasil")
    g.no(2)
    g.choose(1, "warrior", "yggdrasil")
    assert g.asked() == (2, Decision.CALL)
    g.no(2)
    assert g.asked() == (1, Decision.ACTION)
    assert g.figures(1, "warrior", "valhalla") == 2  # 2 against 2: all are lost


def test_call_ends_as_soon_as_every_village_is_full():
    """rules 4.1: it ends as soon as every village is full."""
    g = field({0: {"warrior": 1}}, "andlang")
    g.put(1, "warrior", "yggdrasil", 2)
    g.put(2, "warrior", "yggdrasil", 2)
    g.put(0, "warrior", "yggdrasil")
    g.pillage(0, "andlang")
    g.choose(1, "warrior", "yggdrasil")
    g.choose(2, "warrior", "yggdrasil")
    assert g.asked() == (1, Decision.ACTION)  # 1 against 1 against 1, nobody else could come
    assert [g.figures(s, "warrior", "valhalla") for s in range(3)] == [1, 1, 1]
    assert [g.figures(s, "warrior", "yggdrasil") for s in range(3)] == [1, 1, 1]


def test_no_call_into_a_full_province():
    """rules 4.1: into an empty village; ships in the fjord fill none, other figures do."""
    g = field({0: {"leader": 1, "ship": 1}, 1: {"warrior": 1, "Troll": 1}}, "andlang")
    g.put(2, "warrior", "yggdrasil")
    g.pillage(0, "andlang")
    assert g.asked() == (1, Decision.ACTION)
    assert g.figures(2, "warrior", "yggdrasil") == 1
    assert g.is_pillaged("andlang")  # 5 against 3


def test_ships_do_not_fill_villages():
    """rules 4.1: the fjord's ships leave the villages empty."""
    g = field({0: {"leader": 1, "ship": 1}, 1: {"warrior": 1, "ship": 1}}, "andlang")
    g.put(2, "warrior", "yggdrasil")
    g.pillage(0, "andlang")
    assert g.asked() == (2, Decision.CALL)


def test_joining_is_no_invade():
    """rules 4.1: nothing is set off: no Troll, no Succor, no Thor's Domain."""
    g = field({0: {"warrior": 3}})
    g.upgrade(1, "Troll", "Frigga's Succor", "Thor's Domain")
    g.put(1, "monster_1", "yggdrasil")
    g.pillage(0, "gimle")
    g.choose(1, "monster_1", "yggdrasil")
    assert g.asked() == (1, Decision.ACTION)
    assert g.figures(0, "warrior", "gimle") == 3  # 3 against the Troll's 2
    assert g.figures(1, "monster_1", "valhalla") == 1
    assert g.figures(1, "warrior", "reserve") == 8
    assert g.is_pillaged("gimle")


def test_horns_do_not_bind_joining():
    """rules 4.1: Horns don't matter."""
    g = field({0: {"warrior": 1}})
    g.put(1, "warrior", "yggdrasil", 6)  # more than the 4 of step 1
    g.pillage(0, "gimle")
    for _ in range(4):
        g.choose(1, "warrior", "yggdrasil")
    assert g.figures(1, "warrior", "gimle") == 4


# ---- 4.2 nobody else


def test_pillage_without_opponent_takes_the_token_alone():
    """rules 4.2: no cards, no battle, no battle glory; the province is pillaged."""
    g = field({0: {"warrior": 1}})
    g.hand(0, "Tyr's Rage", "Thor's Hammer")
    g.pillage(0, "gimle")
    assert g.asked() == (1, Decision.ACTION)
    assert g.is_pillaged("gimle")
    assert g.glory_of(0) == 0
    assert g.step_of(0, "rage") == 2
    assert g.hand_of(0) == [Card.THORS_HAMMER, Card.TYRS_RAGE]
    assert g.discards() == []
    assert g.rage_of(0) == 6


def test_unopposed_pillage_by_a_ship_alone():
    """rules 4.2 with 3.2.9: a ship in the fjord is enough."""
    g = field({0: {"ship": 1}})
    g.pillage(0, "gimle")
    assert g.is_pillaged("gimle")
    assert not g.is_pillaged("myrkulor")
    assert g.step_of(0, "rage") == 2


def test_unopposed_pillage_still_pays_step_13():
    """rules 4.2: Frost Giant and leader upgrade work without a battle; Axes pay nothing."""
    g = field({0: {"leader": 1, "Frost Giant": 1}}, age=3)
    g.upgrade(0, "Lord of Axes")
    g.pillage(0, "gimle")
    assert g.step_of(0, "rage") == 3
    raise_stats(g, "horns")
    assert [g.step_of(0, s) for s in Stat] == [3, 1, 2]
    assert g.glory_of(0) == 0


def test_enemy_ship_in_the_fjord_makes_a_battle():
    """rules 4.2: nobody else there or in the fjord."""
    g = field({0: {"warrior": 1}, 1: {"ship": 1}})
    g.pillage(0, "gimle")
    assert g.figures(0, "warrior", "valhalla") == 1  # 1 against the ship's 2
    assert not g.is_pillaged("gimle")
    assert g.glory_of(1) == 3


def test_enemies_in_the_fjords_other_province_are_not_there():
    """rules 4.2: the other province of the fjord is another place."""
    g = field({0: {"ship": 1}})
    g.put(1, "leader", "myrkulor")
    g.pillage(0, "gimle")
    g.no(1)  # Myrkulor is adjacent, so its leader is called
    assert g.is_pillaged("gimle")
    assert g.glory_of(0) == 0
    assert g.figures(1, "leader", "myrkulor") == 1


def test_enemy_who_answers_the_call_makes_a_battle():
    """rules 4.2: after the call."""
    g = field({0: {"warrior": 1}})
    g.put(1, "leader", "myrkulor")
    g.pillage(0, "gimle")
    g.choose(1, "leader", "myrkulor")
    assert g.glory_of(1) == 3
    assert not g.is_pillaged("gimle")
