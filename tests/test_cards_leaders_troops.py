"""Every clause of the leader, warrior and ship upgrades; each test names its card in the id or the docstring."""

import pytest
from clans import ACTS, ALL_OUTER, alone, assert_strength, rival
from fights import FJORD as FJORD_OF
from fights import dead, fight
from scenario import Scenario

from bloodrage_env.games.bloodrage.engine.ids import Decision

FJORD = FJORD_OF["gimle"]
FJORDS = tuple(dict.fromkeys(FJORD_OF.values()))
NEXT = (1, Decision.ACTION)

LEADERS = ["Lord of Hammers", "Lord of Axes", "Lord of Spears"]
WARRIORS = [("Brothers in Arms", 1, 1), ("Experts in Arms", 2, 2), ("Masters in Arms", 2, 2)]  # price, Invade
SHIPS = [("Loki's Dragons", 4), ("Fire Dragons", 8), ("Eternal Dragons", 12)]


# ---- all leader upgrades
@pytest.mark.parametrize("title", LEADERS)
def test_leader_upgrade_costs_three_and_brings_the_leader(title):
    """rules 3.2.7: 3 Rage; the leader in the reserve may invade at once, for free; nobody else."""
    g = alone()
    g.hand(0, title)
    g.rage(0, 2)
    assert not g.can_play(title)
    g.rage(0, 4)
    g.play(0, title)
    assert g.rage_of(0) == 1
    assert g.asked() == (0, Decision.FREE_INVADE)
    assert not g.can_invade("warrior", "gimle")
    assert not g.can_invade("leader", "yggdrasil")
    g.choose(0, "leader", "gimle")
    assert (g.rage_of(0), g.figures(0, "leader", "gimle")) == (1, 1)
    assert g.asked() == ACTS
    assert g.hand_of(0) == []


@pytest.mark.parametrize("title", LEADERS)
def test_leader_upgrade_with_the_leader_away(title):
    """rules 3.2.7: on the board or in Valhalla he doesn't invade; the card works all the same."""
    for place in ("gimle", "valhalla"):
        g = alone()
        g.put(0, "leader", place)
        g.hand(0, title)
        g.play(0, title)
        assert g.asked() == ACTS
        assert g.has_upgrade(0, title)


@pytest.mark.parametrize("title", LEADERS)
def test_leader_upgrade_keeps_strength_and_free_invade(title):
    """rules 1.4: STR 3, Invades for no Rage under any upgrade."""
    g = alone()
    g.upgrade(0, title)
    g.rage(0, 1)
    g.invade(0, "leader", "gimle")
    assert g.rage_of(0) == 1

    def leader(g):
        g.upgrade(0, title)
        g.put(0, "leader", "gimle")

    g = Scenario(2)
    leader(g)
    rival(g, 1, "gimle", 3)
    g.pillage(0, "gimle")
    assert not g.is_pillaged("gimle")  # a tie
    assert (g.glory_of(1), dead(g, 0)) == (0, 1)
    g = Scenario(2)
    leader(g)
    rival(g, 1, "gimle", 2)
    g.pillage(0, "gimle")
    assert g.is_pillaged("gimle")


@pytest.mark.parametrize("title", LEADERS)
def test_leader_upgrade_replaces_another_one(title):
    """rules 3.2.7: the one slot; the old card is discarded and stops working."""
    old = LEADERS[LEADERS.index(title) - 1]
    g = Scenario(2)
    g.put(0, "leader", "gimle")
    g.upgrade(0, old)
    g.hand(0, title)
    g.play(0, title)
    assert g.has_upgrade(0, title)
    assert not g.has_upgrade(0, old)
    assert [card.name for card in g.discards()] == [old.upper().replace(" ", "_")]
    g.pass_(1)
    g.pillage(0, "gimle")
    asked = {"Lord of Hammers": Decision.LEADER_MOVE, "Lord of Axes": Decision.STAT}
    assert g.asked() == (0, asked.get(title, Decision.ACTION))
    assert g.steps_of(0) == ([3, 2, 2] if title == "Lord of Spears" else [2, 1, 1])


# ---- Lord of Hammers
def test_lord_of_hammers_steps_into_a_neighbouring_province():
    """Lord of Hammers: after a successful pillage he may step into an adjacent province; here three."""
    g = Scenario(2)
    g.upgrade(0, "Lord of Hammers")
    g.put(0, "leader", "elvagar")
    g.pillage(0, "elvagar")
    targets = [p for p in (*ALL_OUTER, "yggdrasil") if g.can_province(p)]
    assert targets == ["angerboda", "myrkulor", "yggdrasil"]
    assert g.can_no()
    g.province(0, "angerboda")
    assert (g.figures(0, "leader", "elvagar"), g.figures(0, "leader", "angerboda")) == (0, 1)
    assert g.asked() == NEXT
    assert g.rage_of(0) == 6


def test_lord_of_hammers_may_stay():
    """Lord of Hammers: up to the owner."""
    g = Scenario(2)
    g.upgrade(0, "Lord of Hammers")
    g.put(0, "leader", "elvagar")
    g.pillage(0, "elvagar")
    g.no(0)
    assert g.figures(0, "leader", "elvagar") == 1
    assert g.asked() == NEXT


def test_lord_of_hammers_needs_room_or_goes_to_yggdrasil():
    """Lord of Hammers: a free village is required, a destroyed province is none, Yggdrasil is always free."""
    g = Scenario(2)
    g.upgrade(0, "Lord of Hammers")
    g.put(0, "leader", "gimle")
    g.put(0, "warrior", "myrkulor", 3)
    g.put(1, "warrior", "yggdrasil", 8)
    g.destroyed("andlang")
    g.pillage(0, "gimle")
    g.decline_calls()
    assert [p for p in (*ALL_OUTER, "yggdrasil") if g.can_province(p)] == ["yggdrasil"]


def test_lord_of_hammers_from_yggdrasil():
    """Lord of Hammers: from the middle every outer province is next to him."""
    g = Scenario(2)
    g.upgrade(0, "Lord of Hammers")
    g.put(0, "leader", "yggdrasil")
    g.pillage(0, "yggdrasil")
    assert [p for p in (*ALL_OUTER, "yggdrasil") if g.can_province(p)] == list(ALL_OUTER)
    g.province(0, "horgr")
    assert g.figures(0, "leader", "horgr") == 1


def test_lord_of_hammers_works_at_a_pillage_of_thors_domain():
    """Lord of Hammers: any successful pillage of its owner's, here right after his own Invade."""
    g = Scenario(2)
    g.upgrade(0, "Lord of Hammers", "Thor's Domain")
    g.invade(0, "leader", "gimle")
    g.yes(0)
    assert g.asked() == (0, Decision.LEADER_MOVE)
    g.province(0, "andlang")
    assert g.asked() == NEXT


# ---- Lord of Axes, Lord of Spears
@pytest.mark.parametrize("stat", ["rage", "axes", "horns"])
def test_lord_of_axes_raises_any_stat(stat):
    """Lord of Axes: one more step in any clan stat, the token's too."""
    g = Scenario(2)
    g.upgrade(0, "Lord of Axes")
    g.token("gimle", "axes")
    g.put(0, "leader", "gimle")
    g.pillage(0, "gimle")
    g.raise_stat(0, stat)
    steps = {"rage": [2, 2, 1], "axes": [1, 3, 1], "horns": [1, 2, 2]}
    assert g.steps_of(0) == steps[stat]
    assert g.asked() == NEXT


def test_lord_of_axes_raises_after_grace():
    """Lord of Axes: token, Frigga's Grace, leader upgrade; both may be Axes and count for the battle glory."""
    g = Scenario(2)
    g.upgrade(0, "Lord of Axes")
    g.put(0, "leader", "gimle")
    g.put(1, "warrior", "gimle")
    fight(g, {0: "Frigga's Grace"})
    assert not g.can_raise_stat("rage")  # Grace: not the token's
    g.raise_stat(0, "axes")
    assert g.can_raise_stat("rage")  # Lord of Axes: any
    g.raise_stat(0, "axes")
    assert g.steps_of(0) == [2, 3, 1]
    assert g.glory_of(0) == 5


def test_lord_of_spears_raises_all_three():
    """Lord of Spears: one extra step in all three stats, Axes in time for the battle glory."""
    g = Scenario(2)
    g.upgrade(0, "Lord of Spears")
    g.put(0, "leader", "gimle")
    g.put(1, "warrior", "gimle")
    g.pillage(0, "gimle")
    assert g.steps_of(0) == [3, 2, 2]
    assert g.glory_of(0) == 4


def test_lord_of_spears_beside_stats_that_are_full():
    """Lord of Spears: a stat on its last step gains nothing, the others do."""
    g = Scenario(2)
    g.upgrade(0, "Lord of Spears")
    g.stat(0, "axes", 6)
    g.stat(0, "rage", 5)
    g.put(0, "leader", "yggdrasil")
    g.pillage(0, "yggdrasil")
    assert g.steps_of(0) == [6, 6, 3]


# ---- warriors
@pytest.mark.parametrize(("title", "price", "invade"), WARRIORS)
def test_warrior_upgrade_price_and_free_invade(title, price, invade):
    """rules 3.2.7: the printed price; one warrior of the reserve may invade for free, then at the printed STR."""
    g = alone()
    g.hand(0, title)
    if price > 1:
        g.rage(0, price - 1)
        assert not g.can_play(title)
    g.rage(0, 6)
    g.play(0, title)
    assert g.rage_of(0) == 6 - price
    assert g.asked() == (0, Decision.FREE_INVADE)
    assert not g.can_invade("leader", "gimle")
    g.choose(0, "warrior", "gimle")
    assert g.asked() == ACTS
    g.invade(0, "warrior", "gimle")
    assert g.rage_of(0) == 6 - price - invade
    assert g.figures(0, "warrior", "gimle") == 2


@pytest.mark.parametrize(("title", "price", "invade"), WARRIORS)
def test_warrior_upgrade_free_invade_declined_or_impossible(title, price, invade):
    """rules 6.1.7: up to the owner; without a warrior in the reserve there is no question."""
    g = alone()
    g.hand(0, title)
    g.play(0, title)
    g.no(0)
    assert g.figures(0, "warrior", "reserve") == 8
    g = alone()
    g.put(0, "warrior", "valhalla", 8)
    g.hand(0, title)
    g.play(0, title)
    assert g.asked() == ACTS


STRENGTHS = [
    *(("Brothers in Arms", n, strength) for n, strength in enumerate((1, 3, 4, 6), 1)),
    *(("Experts in Arms", n, 2 * n) for n in range(1, 5)),
    *(("Masters in Arms", n, strength) for n, strength in enumerate((2, 6, 8, 12), 1)),
]


@pytest.mark.parametrize(("title", "warriors", "strength"), STRENGTHS)
def test_warrior_upgrade_strength(title, warriors, strength):
    """rules 6.3.15: Experts 2 each, Brothers 3 a pair and 1, Masters 6 a pair and 2."""

    def band(g):
        g.upgrade(0, title)
        g.put(0, "warrior", "gimle", warriors)

    assert_strength(band, strength)


@pytest.mark.parametrize(("title", "two"), [("Brothers in Arms", 3), ("Experts in Arms", 4), ("Masters in Arms", 6)])
def test_warrior_upgrade_strength_in_yggdrasil_beside_a_leader(title, two):
    """rules 6.3.15: two warriors and a leader, whose STR is his own."""

    def band(g):
        g.upgrade(0, title)
        g.put(0, "warrior", "yggdrasil", 2)
        g.put(0, "leader", "yggdrasil")

    assert_strength(band, two + 3, "yggdrasil")


def test_warrior_upgrades_replace_each_other():
    """Brothers in Arms, then Masters in Arms in the one slot: the older is discarded."""
    g = Scenario(2)
    g.upgrade(0, "Brothers in Arms")
    g.hand(0, "Masters in Arms")
    g.put(0, "warrior", "gimle", 2)
    g.play(0, "Masters in Arms")
    g.no(0)
    assert not g.has_upgrade(0, "Brothers in Arms")
    assert [card.name for card in g.discards()] == ["BROTHERS_IN_ARMS"]
    rival(g, 1, "gimle", 5)  # a pair of Masters is 6
    g.pass_(1)
    g.pillage(0, "gimle")
    assert g.is_pillaged("gimle")


def test_warriors_without_an_upgrade():
    """rules 1.4: STR 1 each, for comparison with Experts in Arms."""

    def band(g):
        g.put(0, "warrior", "gimle", 3)

    assert_strength(band, 3)


# ---- ships
@pytest.mark.parametrize(("title", "glory"), SHIPS)
def test_ship_upgrade_costs_two_and_brings_the_ship(title, glory):
    """rules 3.2.7: 2 Rage; the ship in the reserve may invade any fjord for free."""
    g = alone()
    g.hand(0, title)
    g.rage(0, 1)
    assert not g.can_play(title)
    g.rage(0, 3)
    g.play(0, title)
    assert g.asked() == (0, Decision.FREE_INVADE)
    assert all(g.can_invade("ship", fjord) for fjord in FJORDS)
    assert not any(g.can_invade("ship", p) for p in ALL_OUTER)
    assert not g.can_invade("warrior", "gimle")
    g.choose(0, "ship", FJORD)
    assert (g.rage_of(0), g.figures(0, "ship", FJORD)) == (1, 1)
    assert g.asked() == ACTS


@pytest.mark.parametrize(("title", "glory"), SHIPS)
def test_ship_upgrade_keeps_strength_and_price(title, glory):
    """rules 1.4: STR 2, so 2 Rage to invade, only into fjords, in the battles of both provinces."""
    g = alone()
    g.upgrade(0, title)
    g.invade(0, "ship", FJORD)
    assert g.rage_of(0) == 4

    def ship(g):
        g.upgrade(0, title)
        g.put(0, "ship", FJORD)

    for province in ("gimle", "myrkulor"):
        for enemies, won in ((1, True), (2, False)):
            g = Scenario(2)
            ship(g)
            g.put(1, "warrior", province, enemies)
            g.pillage(0, province)
            assert g.is_pillaged(province) == won
            assert g.glory_of(0) == (3 if won else glory)


@pytest.mark.parametrize(("title", "glory"), SHIPS)
@pytest.mark.parametrize("cause", ["battle", "tie", "tide", "fire giant", "sacrifice"])
def test_ship_upgrade_pays_for_a_destroyed_ship(title, glory, cause):
    """rules 6.3.12: whatever the cause, to the owner."""
    g = Scenario(2, seat=1)
    g.upgrade(0, title)
    g.put(0, "ship", FJORD)
    if cause == "sacrifice":
        g.upgrade(0, "Frigga's Sacrifice")
        g.put(0, "warrior", "horgr")
        g.pass_(1)
        g.sacrifice(0)
        g.raise_stat(0, "axes")
    elif cause == "fire giant":
        g.upgrade(1, "Fire Giant")
        g.invade(1, "monster_1", "gimle")
    elif cause == "tide":
        g.put(0, "leader", "gimle")
        g.put(1, "leader", "gimle")
        g.hand(1, "Odin's Tide")
        g.pillage(1, "gimle")
        g.choose(0, "leader", "gimle")
    else:
        g.put(1, "warrior", "gimle", 2 if cause == "tie" else 3)
        g.pillage(1, "gimle")
    assert g.glory_of(0) == glory
    assert g.figures(0, "ship", "valhalla") == 1


@pytest.mark.parametrize(("title", "glory"), SHIPS)
def test_ship_upgrade_pays_in_ragnarok_for_ship_and_serpent(title, glory):
    """rules 6.3.12: each own ship, the Sea Serpent too, beside the 3 glory of the second Age."""
    g = alone(age=2)
    g.upgrade(0, title, "Sea Serpent")
    g.doomed("gimle")
    g.put(0, "ship", FJORD)
    g.put(0, "monster_1", FJORD)
    g.put(0, "warrior", "gimle")
    g.end_action_phase()
    assert g.glory_of(0) == 2 * glory + 3 * 3


@pytest.mark.parametrize(("title", "glory"), SHIPS)
def test_ship_upgrade_pays_neither_for_others_nor_for_the_saved(title, glory):
    """rules 6.3.12: not for an enemy ship, not for one that Frigga's Protection keeps."""
    g = Scenario(2, seat=1)
    g.upgrade(0, title, "Frigga's Protection")
    g.put(0, "ship", FJORD)
    g.put(1, "leader", "gimle")
    g.pillage(1, "gimle")
    g.count(0, 1)
    assert g.glory_of(0) == 0
    assert g.figures(0, "ship", FJORD) == 1
    g = Scenario(2)
    g.upgrade(0, title)
    g.put(0, "leader", "gimle")
    g.put(1, "ship", FJORD)
    g.pillage(0, "gimle")
    assert (g.glory_of(0), g.glory_of(1)) == (3, 0)


def test_a_replaced_ship_upgrade_pays_no_more():
    """Loki's Dragons under Eternal Dragons: the new card's 12 alone; the old one is discarded."""
    g = Scenario(2)
    g.upgrade(0, "Loki's Dragons")
    g.put(0, "ship", FJORD)
    g.put(1, "leader", "gimle")
    g.hand(0, "Eternal Dragons")
    g.play(0, "Eternal Dragons")
    assert [card.name for card in g.discards()] == ["LOKIS_DRAGONS"]
    g.pillage(1, "gimle")
    assert g.glory_of(0) == 12
