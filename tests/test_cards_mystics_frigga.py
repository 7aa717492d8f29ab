"""Every clause of Frigga's Chosen (rules 6.4.4.7 and 6.4.4.8)."""

from clans import ACTS
from fights import dead, fight
from mystics import FRIGGA, MYSTICS, ODIN, alone, game, mystics, where
from scenario import Scenario

from bloodrage_env.games.bloodrage.engine import actions as act
from bloodrage_env.games.bloodrage.engine.ids import CardSet, Decision, Place, Source

WITHDRAW = Decision.WITHDRAW


def asked_to_withdraw(g: Scenario, owner: int, *targets: Place) -> None:
    """The owner is asked where one Mystic goes: there or nowhere."""
    assert g.asked() == (owner, WITHDRAW)
    assert set(g.legal_actions()) == {act.NO, *(act.PROVINCE + target for target in targets)}


def chosen(*places: str, owner: int = 1, **options: int) -> Scenario:
    """A clan with Frigga's Chosen and Mystics in these places."""
    g = mystics(game(**options), owner, *places)
    g.upgrade(owner, FRIGGA)
    return g


def lost(g: Scenario, place: str = "gimle") -> Scenario:
    """Seat 0 pillages with its leader and a strong card, and wins."""
    g.put(0, "leader", place)
    fight(g, {0: "Tyr's Rage"}, place)
    return g


# ---- where to (rules 6.4.4.7)


def test_it_withdraws_to_an_adjacent_province():
    """rules 6.4.4.7: to a neighbour or Yggdrasil, instead of being destroyed in a lost battle."""
    g = lost(chosen("gimle"))
    asked_to_withdraw(g, 1, Place.ANDLANG, Place.MYRKULOR, Place.YGGDRASIL)
    g.province(1, "andlang")
    assert where(g, 1) == {"andlang": 1}
    assert g.asked()[1] == Decision.ACTION


def test_a_full_province_and_a_destroyed_one_take_no_mystic():
    """rules 6.4.4.7: it must stand and have an empty village; Yggdrasil always has room."""
    g = chosen("gimle")
    g.put(1, "warrior", "andlang", 3)
    g.destroyed("myrkulor")
    g.put(0, "warrior", "yggdrasil", 8)
    asked_to_withdraw(lost(g), 1, Place.YGGDRASIL)


def test_it_withdraws_out_of_yggdrasil():
    """rules 6.4.4.7: to any outer province with room."""
    g = chosen("yggdrasil")
    g.put(1, "warrior", "utgard", 3)
    asked_to_withdraw(lost(g, "yggdrasil"), 1, *(Place(p) for p in range(8) if p != Place.UTGARD))


def test_with_nowhere_to_go_it_dies_unasked():
    """rules 6.4.4.7: only a province with room."""
    g = chosen("yggdrasil")
    g.destroyed(*range(7))
    g.put(0, "warrior", "myrkulor", 3)
    lost(g, "yggdrasil")
    assert where(g, 1) == {"valhalla": 1}


def test_it_may_die_all_the_same():
    """rules 6.4.4.7: it may withdraw."""
    g = lost(chosen("gimle"))
    g.no(1)
    assert where(g, 1) == {"valhalla": 1}


def test_only_mystics_of_the_clan_with_the_card_withdraw():
    """rules 6.4.4.7: no other figure, and no other clan's Mystics."""
    g = chosen("gimle")
    g.put(1, "warrior", "gimle")
    lost(g)
    assert g.figures(1, "warrior", "valhalla") == 1
    assert g.asked() == (1, WITHDRAW)
    g = mystics(game(), 1, "gimle")
    g.upgrade(0, FRIGGA)
    g.upgrade(1, ODIN)
    lost(g)
    assert where(g, 1) == {"valhalla": 1}


# ---- when (rules 6.4.4.7)


def test_it_withdraws_from_the_tide():
    """rules 6.4.4.7: in step 7."""
    g = chosen("gimle")
    g.put(1, "leader", "gimle")
    g.put(0, "warrior", "gimle")
    fight(g, {0: "Odin's Tide"})
    g.choose(1, "leader", "gimle")
    asked_to_withdraw(g, 1, Place.ANDLANG, Place.MYRKULOR, Place.YGGDRASIL)
    g.province(1, "yggdrasil")
    assert g.figures(0, "warrior", "valhalla") == 1  # 2 against 3: it went on


def test_it_withdraws_from_the_fire_giant():
    """rules 6.4.4.7."""
    g = mystics(alone(age=3), 1, "gimle")
    g.upgrade(1, FRIGGA)
    g.upgrade(0, "Fire Giant")
    g.invade(0, "monster_1", "gimle")
    g.province(1, "andlang")
    assert where(g, 1) == {"andlang": 1}
    assert g.asked() == ACTS


def test_it_withdraws_from_odins_chosen():
    """rules 6.4.4.7: and its village is free."""
    g = mystics(mystics(alone(), 1, "gimle"), 0, "reserve")
    g.upgrade(1, FRIGGA)
    g.upgrade(0, ODIN)
    g.put(1, "warrior", "gimle", 4)
    g.invade(0, "mystic", "gimle")
    g.choose(0, "mystic", "gimle")
    g.province(1, "andlang")
    assert (where(g, 0), where(g, 1)) == ({"gimle": 1}, {"andlang": 1})


def test_it_withdraws_from_ragnarok_for_no_glory():
    """rules 6.4.4.7: an addition to rules 3.5."""
    g = chosen("gimle", "gimle")
    g.doomed("gimle")
    g.end_action_phase()
    asked_to_withdraw(g, 1, Place.ANDLANG, Place.MYRKULOR, Place.YGGDRASIL)
    g.province(1, "myrkulor")
    g.no(1)
    assert where(g, 1) == {"myrkulor": 1, "reserve": 1}
    assert g.from_source(1, Source.RAGNAROK) == 2


def test_a_province_spared_by_fenrir_is_open():
    """rules 6.4.4.7: the doomed one stands."""
    g = chosen("gimle", sets=MYSTICS | 1 << CardSet.KS)
    g.upgrade(0, "Fenrir")
    g.put(0, "monster_1", "gimle")
    g.doomed("andlang")
    g.end_action_phase()
    g.province(1, "andlang")
    assert where(g, 1) == {"andlang": 1}
    assert g.is_destroyed("gimle")


def test_it_does_not_withdraw_from_its_owners_sacrifice():
    """rules 6.4.4.7."""
    g = mystics(alone(), 0, "gimle", "utgard")
    g.upgrade(0, FRIGGA, "Frigga's Sacrifice")
    g.sacrifice(0)
    assert g.asked() == (0, Decision.STAT)
    assert where(g, 0) == {"valhalla": 2}


# ---- in which order (rules 6.4.4.8)


def test_each_mystic_sees_what_villages_are_left():
    """rules 6.4.4.8: the owner decides for one after the other."""
    g = chosen("gimle", "gimle")
    g.put(1, "warrior", "andlang", 2)
    lost(g)
    g.province(1, "andlang")
    asked_to_withdraw(g, 1, Place.MYRKULOR, Place.YGGDRASIL)
    g.province(1, "yggdrasil")
    assert where(g, 1) == {"andlang": 1, "yggdrasil": 1}


def test_clans_decide_from_the_pillager_clockwise():
    """rules 6.4.4.8, rules 6.1.2: the second one sees where the first one went."""
    g = mystics(mystics(game(3), 1, "gimle"), 2, "gimle")
    g.upgrade(1, FRIGGA)
    g.upgrade(2, FRIGGA)
    g.put(0, "warrior", "andlang", 2)
    g.put(0, "leader", "gimle")
    g.hand(0, "Tyr's Rage")
    g.pillage(0, "gimle")
    g.decline_calls()
    asked_to_withdraw(g, 1, Place.ANDLANG, Place.MYRKULOR, Place.YGGDRASIL)
    g.province(1, "andlang")
    asked_to_withdraw(g, 2, Place.MYRKULOR, Place.YGGDRASIL)


def test_protection_may_be_paid_instead():
    """rules 6.4.4.8: for one, while the other withdraws."""
    g = chosen("gimle", "gimle")
    g.upgrade(1, "Frigga's Protection")
    lost(g)
    assert g.asked() == (1, Decision.SAVE)
    g.count(1, 1)
    assert g.asked() == (1, WITHDRAW)
    g.province(1, "andlang")
    assert (where(g, 1), g.rage_of(1)) == ({"gimle": 1, "andlang": 1}, 5)


def test_protection_is_asked_about_once():
    """rules 6.4.4.8, rules 7.3: how many are saved comes first, then each of the others withdraws or not."""
    g = chosen("gimle", "gimle")
    g.upgrade(1, "Frigga's Protection")
    lost(g)
    g.count(1, 0)
    for _ in range(2):
        assert g.asked() == (1, WITHDRAW)
        g.province(1, "andlang")
    assert g.asked()[1] == Decision.ACTION
    assert where(g, 1) == {"andlang": 2}


def test_all_saved_by_protection_leave_nothing_to_ask():
    """rules 6.4.4.8."""
    g = chosen("gimle", "gimle")
    g.upgrade(1, "Frigga's Protection")
    lost(g)
    g.count(1, 2)
    assert g.asked()[1] == Decision.ACTION
    assert where(g, 1) == {"gimle": 2}


def test_protection_is_no_use_in_ragnarok():
    """rules 6.4.4.8, rules 6.3.9: there only the withdrawal is asked about."""
    g = chosen("gimle")
    g.upgrade(1, "Frigga's Protection")
    g.doomed("gimle")
    g.end_action_phase()
    assert g.asked() == (1, WITHDRAW)


def test_witch_and_mystics_in_ragnarok():
    """rules 6.4.4.8: clan by clan from the first player, first the Witch, then the Mystics; others fall."""
    g = mystics(mystics(game(), 0, "gimle"), 1, "gimle")
    g.upgrade(0, FRIGGA, "Volur Witch")
    g.upgrade(1, FRIGGA)
    g.put(0, "monster_1", "gimle")
    g.put(0, "leader", "gimle")
    g.doomed("gimle")
    g.end_action_phase()
    assert g.asked() == (0, Decision.SAVE)
    g.yes(0)
    assert g.asked() == (0, WITHDRAW)
    g.province(0, "andlang")
    assert g.from_source(0, Source.RAGNAROK) == 2  # the leader
    assert g.asked() == (1, WITHDRAW)


def test_a_withdrawn_mystic_was_not_destroyed():
    """rules 6.4.4.8: no glory to anyone, not in Valhalla, and out of the battle; Horns do not matter."""
    g = chosen("gimle", "gimle")
    g.upgrade(0, "Thor's Glory")
    g.put(0, "leader", "gimle")
    g.put(1, "warrior", "utgard", 2)  # Horns are 4
    fight(g, {0: "Odin's Judgement"})
    g.province(1, "andlang")
    g.province(1, "andlang")
    assert g.from_source(0, Source.BATTLE_CARDS) == 0
    assert g.from_source(0, Source.UPGRADES) == 0
    assert dead(g, 1) == 0


def test_a_mystic_withdrawn_in_step_7_fights_no_more():
    """rules 6.4.4.8: like the Witch, rules 6.2.4: its STR is gone from the totals."""
    g = chosen("gimle", "gimle")
    g.put(0, "leader", "gimle")
    fight(g, {0: "Odin's Tide", 1: "Tyr's Bash"})
    g.province(1, "andlang")  # 2 and a card of 2 against 3 and 1: a tie; with it there were more
    assert g.figures(0, "leader", "valhalla") == 1


def test_nothing_is_set_off_by_a_withdrawal():
    """rules 6.4.4.8: neither an Invade nor a March."""
    g = chosen("gimle")
    g.upgrade(1, "Frigga's Succor", "Thor's Domain")
    lost(g)
    g.province(1, "andlang")
    assert g.asked()[1] == Decision.ACTION
    assert g.figures_in(1, "andlang") == 1


def test_a_pair_of_questions_ends_with_no():
    """rules 6.4.4.8: who withdraws no further one lets the others die."""
    g = lost(chosen("gimle", "gimle"))
    g.no(1)
    assert where(g, 1) == {"valhalla": 2}
