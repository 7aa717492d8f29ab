"""Mystics as figures, and what their three cards share (rules 6.4.4.1 to 6.4.4.6)."""

import pytest
from clans import ACTS
from fights import dead, fight
from mystics import CHOSEN, FJORD, FRIGGA, MYSTICS, ODIN, THOR, alone, game, mystics, where

from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine.cards import COPIES, PRICE, SET, STRENGTH, TYPE
from bloodrage_env.games.bloodrage.engine.ids import NUM_OUTER, CardSet, CardType, Decision, Figure, Place, Source

TITLES = list(CHOSEN.values())


# ---- the supply (rules 6.4.4.1)


def test_mystics_begin_in_the_supply():
    """rules 6.4.4.1: two a clan, neither in the reserve nor on the board nor in Valhalla."""
    states = engine.new_game(0, 4, sets=MYSTICS)
    for seat in range(4):
        assert states[0].figures[seat, Figure.MYSTIC].sum() == 0


def test_a_mystic_invades_for_no_rage():
    """rules 6.4.4.1: an action all the same, STR 2."""
    g = mystics(alone(), 0, "reserve")
    g.rage(0, 1)
    g.invade(0, "mystic", "gimle")
    assert (g.rage_of(0), where(g, 0)) == (1, {"gimle": 1})
    assert g.asked() == ACTS


def test_a_mystic_invades_only_with_rage_left():
    """rules 6.4.4.1: no Rage, no action."""
    g = mystics(game(), 0, "reserve")
    g.rage(0, 0)
    g.rage(1, 1)
    g.state.seat = 1
    g.pass_(1)
    assert int(g.state.age) == 1  # the Action phase is over: seat 0 was not asked


def test_a_mystic_out_of_valhalla():
    """rules 6.4.4.1, rules 6.3.7: 1 Rage in all."""
    g = mystics(alone(), 0, "valhalla")
    g.upgrade(0, "Frigga's Domain")
    g.raise_dead(0)
    g.choose(0, "mystic", "gimle")
    assert (g.rage_of(0), where(g, 0)) == (5, {"gimle": 1})


# ---- the cards (rules 6.4.4.2)


@pytest.mark.parametrize(("age", "title"), CHOSEN.items())
def test_the_cards(age, title):
    """rules 6.4.4.2: clan upgrades of STR 0 and price 0, one in the deck of their Age, two from four players on."""
    card = alone()._card(title)
    assert (SET[card], TYPE[card], STRENGTH[card], PRICE[card]) == (CardSet.MYSTICS, CardType.CLAN, 0, 0)
    for players, copies in ((2, 1), (3, 1), (4, 2), (5, 2)):
        decks = COPIES[CardSet.MYSTICS, players, :, card].tolist()
        assert decks == [copies * (each == age - 1) for each in range(3)]


@pytest.mark.parametrize("title", TITLES)
def test_a_card_brings_one_mystic(title):
    """rules 6.4.4.2: to the reserve, for no Rage; no free Invade goes with it."""
    g = alone()
    g.hand(0, title)
    g.play(0, title)
    assert g.asked() == (0, Decision.ACTION)
    assert (where(g, 0), g.rage_of(0)) == ({"reserve": 1}, 6)
    assert g.has_upgrade(0, title)


def test_two_mystics_are_the_most():
    """rules 6.4.4.2: with none left in the supply none comes."""
    g = alone()
    g.hand(0, *TITLES)
    for slot, title in enumerate(TITLES):
        g.play(0, title)
        if slot > 0:
            g.slot(0, slot)
    assert where(g, 0) == {"reserve": 2}


@pytest.mark.parametrize("place", ["gimle", "valhalla", "reserve"])
def test_mystics_elsewhere_are_not_in_the_supply(place):
    """rules 6.4.4.2: wherever the clan's Mystics are, a third one does not come."""
    g = mystics(alone(), 0, place, place)
    g.hand(0, THOR)
    g.play(0, THOR)
    assert where(g, 0) == {place: 2}


# ---- whose power it is (rules 6.4.4.3, 6.4.4.4)


def test_all_mystics_have_the_power():
    """rules 6.4.4.3: whichever card brought them."""
    g = mystics(alone(), 0, "reserve", "reserve")
    g.upgrade(0, THOR, ODIN)
    g.put(1, "warrior", "gimle", 5)
    g.invade(0, "mystic", "gimle")  # whom they destroy is not asked
    g.invade(0, "mystic", "gimle")
    assert where(g, 0) == {"gimle": 2}
    assert g.figures(1, "warrior", "gimle") == 3


def test_a_replaced_card_takes_its_power_along():
    """rules 6.4.4.4: the Mystics remain, with STR 2 and the free Invade."""
    g = mystics(game(), 0, "gimle", "reserve")
    g.passed(1)
    g.upgrade(0, ODIN, "Frigga's Succor", "Thor's Conquest")
    g.hand(0, "Loki's Eminence")
    g.put(1, "warrior", "horgr", 4)
    assert g.can_invade("mystic", "horgr")
    g.play(0, "Loki's Eminence")
    g.slot(0, 0)
    rage = g.rage_of(0)
    assert not g.can_invade("mystic", "horgr")
    g.invade(0, "mystic", "utgard")
    g.no(0)  # Succor
    assert (where(g, 0), g.rage_of(0)) == ({"gimle": 1, "utgard": 1}, rage)


def test_a_second_copy_keeps_the_power():
    """rules 6.4.4.4: unless a second copy lies there."""
    g = mystics(alone(), 0, "reserve")
    g.upgrade(0, ODIN, ODIN, "Thor's Conquest")
    g.hand(0, "Loki's Eminence")
    g.put(1, "warrior", "horgr", 4)
    g.play(0, "Loki's Eminence")
    g.slot(0, 0)
    assert g.can_invade("mystic", "horgr")


# ---- a figure like others (rules 6.4.4.5)


def test_a_mystic_takes_a_village_and_counts_for_horns():
    """rules 6.4.4.5: an empty village, and room under Horns; neither a fjord nor Yggdrasil."""
    g = mystics(alone(), 0, "reserve")
    g.put(1, "warrior", "andlang", 3)
    assert {p for p in range(13) if g.can_invade("mystic", Place(p))} == set(range(NUM_OUTER)) - {Place.ANDLANG}
    g.put(0, "warrior", "gimle", 3)
    assert g.can_invade("mystic", "elvagar")
    g.put(0, "warrior", "utgard", 1)  # Horns are 4
    assert not g.can_invade("mystic", "elvagar")


def test_a_mystic_marches():
    """rules 6.4.4.5: also into Yggdrasil."""
    g = mystics(alone(), 0, "gimle", "gimle")
    g.march(0, "gimle", "yggdrasil", mystic=2)
    assert where(g, 0) == {"yggdrasil": 2}


def test_a_mystic_joins_a_battle():
    """rules 6.4.4.5: a call to battle, also in Yggdrasil, and STR 2 there."""
    g = mystics(game(), 1, "gimle")
    g.put(0, "warrior", "yggdrasil", 1)
    g.pillage(0, "yggdrasil")
    g.choose(1, "mystic", "gimle")
    g.decline_calls()
    assert dead(g, 0) == 1
    assert where(g, 1) == {"yggdrasil": 1}


@pytest.mark.parametrize(("rivals", "met"), [(1, True), (2, False)])
def test_mystics_in_quests(rivals, met):
    """rules 6.4.4.5: STR 2."""
    g = mystics(game(), 0, "utgard")
    g.put(1, "warrior", "utgard", rivals)
    g.quest(0, "Jotunheim")
    g.end_action_phase()
    assert (g.from_source(0, Source.QUEST) > 0) == met


def test_a_mystic_in_valhalla():
    """rules 6.4.4.5: it counts for Glorious Death there, and comes back to the reserve, by Loki's Domain for glory."""
    g = mystics(game(), 0, "gimle", "gimle")
    g.put(0, "warrior", "valhalla", 2)
    g.put(1, "warrior", "gimle", 5 - 2)
    g.put(1, "leader", "valhalla")
    g.put(1, "ship", FJORD)
    g.upgrade(0, "Loki's Domain")
    g.quest(0, "Glorious Death")
    g.pillage(0, "gimle")
    assert where(g, 0) == {"valhalla": 2}
    g.end_action_phase()
    assert g.asked() == (0, Decision.STAT)
    g.raise_stat(0, "axes")
    assert where(g, 0) == {"reserve": 2}
    assert g.from_source(0, Source.RELEASE) == 4  # 1 each


def test_a_mystic_dies_gloriously():
    """rules 6.4.4.5: Ragnarok glory."""
    g = mystics(game(), 0, "gimle")
    g.doomed("gimle")
    g.end_action_phase()
    assert g.from_source(0, Source.RAGNAROK) == 2
    assert where(g, 0) == {"reserve": 1}


def test_conquest_counts_mystics():
    """rules 6.4.4.5: figures on the board at the end."""
    g = mystics(game(age=3), 0, "gimle", "utgard")
    g.upgrade(0, "Thor's Conquest")
    g.end_action_phase()
    assert engine.is_over(g.states, 0)
    assert g.from_source(0, Source.UPGRADES) == 2 * 3


def test_mystics_are_sacrificed():
    """rules 6.4.4.5: as two own figures."""
    g = mystics(alone(), 0, "gimle", "utgard")
    g.upgrade(0, "Frigga's Sacrifice")
    g.sacrifice(0)  # which two is not asked
    assert where(g, 0) == {"valhalla": 2}


def test_protection_saves_mystics():
    """rules 6.4.4.5: for 1 Rage each; both are asked about together."""
    g = mystics(game(), 1, "gimle", "gimle")
    g.upgrade(1, "Frigga's Protection")
    g.put(0, "leader", "gimle")
    fight(g, {0: "Tyr's Rage"})
    assert g.asked() == (1, Decision.SAVE)
    assert [n for n in range(9) if g.can_count(n)] == [0, 1, 2]
    g.count(1, 1)
    assert (where(g, 1), g.rage_of(1)) == ({"gimle": 1, "valhalla": 1}, 5)


def test_mystics_pay_those_who_count_the_fallen():
    """rules 6.4.4.5: Judgement, Valkyrie and Thor's Glory."""
    g = mystics(game(), 1, "gimle", "gimle")
    g.upgrade(0, "Valkyrie", "Thor's Glory")
    g.put(0, "monster_1", "gimle")
    g.put(0, "leader", "gimle")
    fight(g, {0: "Odin's Judgement"})
    assert g.from_source(0, Source.BATTLE_CARDS) == 2 * 2
    assert g.from_source(0, Source.UPGRADES) == 2 * 2 + 2


def test_its_invade_sets_off_succor_and_thors_domain():
    """rules 6.4.4.5, rules 6.3.2."""
    g = mystics(alone(), 0, "reserve")
    g.upgrade(0, "Frigga's Succor", "Thor's Domain")
    g.invade(0, "mystic", "gimle")
    assert g.asked() == (0, Decision.SUCCOR)
    g.yes(0)
    assert g.asked() == (0, Decision.FREE_PILLAGE)
    g.yes(0)
    assert g.is_pillaged("gimle")
    assert g.figures_in(0, "gimle") == 2


# ---- it is not a warrior, leader or monster (rules 6.4.4.6)


def test_smite_and_troll_pass_mystics_by():
    """rules 6.4.4.6: they name warriors."""
    g = mystics(game(), 1, "gimle", "gimle")
    g.put(0, "warrior", "gimle")
    fight(g, {0: "Odin's Smite"})
    assert where(g, 1) == {"gimle": 2}
    g = mystics(alone(), 1, "gimle")
    g.upgrade(0, "Troll")
    g.invade(0, "monster_1", "gimle")
    assert where(g, 1) == {"gimle": 1}


@pytest.mark.parametrize("title", ["Brothers in Arms", "Experts in Arms", "Masters in Arms"])
def test_arms_leave_mystics_alone(title):
    """rules 6.4.4.6: neither raised nor paired: two of them are 4, and one beside a warrior pairs nothing."""
    g = mystics(game(), 0, "gimle", "gimle")
    g.upgrade(0, title)
    g.put(1, "warrior", "gimle", 1)
    g.put(1, "leader", "gimle")
    g.pillage(0, "gimle")
    g.decline_calls()
    assert (dead(g, 0), dead(g, 1)) == (2, 2)  # 4 against 4


def test_nothing_brings_a_mystic_in_a_warriors_place():
    """rules 6.4.4.6: not Succor, Blessing nor the free Invade of a warrior upgrade."""
    g = mystics(alone(), 0, "reserve", "reserve")
    g.put(0, "warrior", "valhalla", 8)
    g.upgrade(0, "Frigga's Succor", "Loki's Blessing")
    g.hand(0, "Brothers in Arms")
    g.play(0, "Brothers in Arms")
    assert g.asked() == ACTS
    g.invade(0, "mystic", "gimle")
    assert g.asked() == ACTS
    g.put(1, "leader", "gimle")
    g.pillage(0, "gimle")
    assert where(g, 0) == {"reserve": 1, "valhalla": 1}
    assert g.asked() == ACTS


def test_the_fire_giant_reaches_mystics():
    """rules 6.4.4.6: they are not monsters."""
    g = mystics(alone(age=3), 1, "gimle")
    g.upgrade(0, "Fire Giant")
    g.invade(0, "monster_1", "gimle")
    assert where(g, 1) == {"valhalla": 1}


def test_the_wolfman_reaches_mystics():
    """rules 6.4.4.6, rules 6.4.3.5: they count nothing beside him."""
    g = mystics(game(sets=MYSTICS | 1 << CardSet.KS), 1, "gimle", "gimle")
    g.upgrade(0, "Wolfman")
    g.put(0, "monster_1", "gimle")
    g.pillage(0, "gimle")
    assert (dead(g, 0), dead(g, 1)) == (0, 2)


def test_the_tide_may_leave_a_mystic():
    """rules 6.4.4.6: like any figure it may be the one kept."""
    g = mystics(game(), 0, "gimle")
    g.put(0, "leader", "gimle")
    g.put(1, "warrior", "gimle")
    fight(g, {0: "Odin's Tide"})
    assert g.asked() == (0, Decision.KEEP_FIGURE)
    g.choose(0, "mystic", "gimle")
    assert where(g, 0) == {"gimle": 1}
    assert g.figures(0, "leader", "valhalla") == 1


def test_the_mystic_troll_is_no_mystic():
    """rules 6.4.1.4: no card of the set speaks of it."""
    g = game(sets=MYSTICS | 1 << CardSet.KS)
    g.upgrade(1, "Mystic Troll", FRIGGA)
    g.put(1, "monster_1", "gimle")
    g.put(0, "leader", "gimle")
    fight(g, {0: "Tyr's Rage"})
    assert g.figures(1, "monster_1", "valhalla") == 1
