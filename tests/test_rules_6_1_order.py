"""Rules 6.1: the order inside a battle, step by step (continued in test_rules_6_1_rulings.py)."""

import pytest
from fights import dead, field, fight, raise_stats

from bloodrage_env.games.bloodrage.engine.card_ids import Card
from bloodrage_env.games.bloodrage.engine.ids import Decision, Figure, Source, Stat


def fight_over(g):
    """The battle is finished: the next turn."""
    return g.asked()[1] == Decision.ACTION


# ---- 6.1.1, step 1 to 4


def test_step_1_challenge_is_paid_before_the_call():
    """rules 6.1.1: 1 declare (pay), 2 call to battle."""
    g = field({0: {"warrior": 1}})
    g.upgrade(0, "Tyr's Challenge")
    g.put(1, "warrior", "yggdrasil")
    g.pillaged("gimle")
    g.pillage(0, "gimle")
    assert g.asked() == (1, Decision.CALL)
    assert g.rage_of(0) == 4


def test_step_1_thors_domain_is_paid_before_the_call():
    """rules 6.1.1: 1 declare (pay), 2 call to battle."""
    g = field({}, age=2)
    g.upgrade(0, "Thor's Domain")
    g.put(1, "warrior", "yggdrasil")
    g.invade(0, "leader", "gimle")
    assert g.asked() == (0, Decision.FREE_PILLAGE)
    g.yes(0)
    assert g.asked() == (1, Decision.CALL)
    assert g.rage_of(0) == 4


def test_step_2_call_comes_before_cards():
    """rules 6.1.1: 2 call to battle, 4 everybody commits a card."""
    g = field({0: {"warrior": 1}, 1: {"warrior": 1}})
    g.put(2, "leader", "yggdrasil")
    for seat in range(3):
        g.hand(seat, "Tyr's Bash", "Tyr's Smash")
    g.pillage(0, "gimle")
    assert g.asked() == (2, Decision.CALL)
    g.choose(2, "leader", "yggdrasil")
    assert g.asked()[1] == Decision.BATTLE_CARD


def test_step_3_nobody_else_pays_the_reward_and_is_done():
    """rules 6.1.1: 3 nobody else there: step 13, done; no battle glory of step 14."""
    g = field({0: {"leader": 1}})
    g.upgrade(0, "Lord of Axes", "Thor's Glory")
    g.hand(0, "Frigga's Grace", "Tyr's Bash")
    g.pillage(0, "gimle")
    raise_stats(g, "axes")
    assert g.glory_of(0) == 0
    assert len(g.hand_of(0)) == 2
    assert fight_over(g)


# ---- 6.1.1, steps 5 to 9


def test_step_5_primacy_comes_before_watch():
    """rules 6.1.1: 5 Thor's Primacy, 6 Heimdall's Watch: the Watch does nothing."""
    g = field({0: {"warrior": 1}, 1: {"warrior": 1}, 2: {"warrior": 1}}, age=3)
    g.hand(2, "Tyr's Rage")
    fight(g, {0: "Heimdall's Watch", 1: "Tyr's Bash", 2: "Thor's Primacy"})
    assert g.glory_of(0) == 0
    assert g.hand_of(0) == [Card.HEIMDALLS_WATCH]
    assert g.discards() == [Card.THORS_PRIMACY]
    assert g.glory_of(2) == 3


def test_step_6_watch_comes_before_smite_and_tide():
    """rules 6.1.1: 6 Watch, 7 Smite and Tide: they are discarded without effect, back to step 4."""
    g = field({0: {"warrior": 2}, 1: {"warrior": 1}, 2: {"warrior": 1}}, age=2)
    fight(g, {0: "Odin's Tide", 1: "Odin's Smite", 2: "Heimdall's Watch"})
    assert g.glory_of(2) == 2
    assert [dead(g, s) for s in range(3)] == [0, 1, 1]  # 2 against 1 against 1 with no cards
    assert g.discards() == sorted([Card.ODINS_TIDE, Card.ODINS_SMITE, Card.HEIMDALLS_WATCH])


def test_step_6_watch_goes_back_to_the_choice_of_cards():
    """rules 6.1.1: 6 Heimdall's Watch (back to 4)."""
    g = field({0: {"warrior": 1}, 1: {"warrior": 1}}, age=2)
    g.hand(0, "Tyr's Bash", "Tyr's Smash")
    fight(g, {0: "Heimdall's Watch", 1: "Tyr's Rage"})
    assert g.asked() == (0, Decision.BATTLE_CARD)
    assert not g.can_card("Heimdall's Watch")
    assert g.glory_of(0) == 6


def test_step_7_quests_of_all_clans_are_counted_before_smite_and_tide():
    """rules 6.1.1: 7 quests counted as battle cards, all of them first, then Smite and Tide."""
    g = field({0: {"warrior": 1, "leader": 1}, 1: {"warrior": 1}, 2: {"warrior": 1, "ship": 1}}, age=3)
    g.upgrade(2, "Tyr's Domain")
    fight(g, {0: "Odin's Tide", 1: "Odin's Smite", 2: "Manheim"})
    assert g.asked() == (2, Decision.COUNT_QUEST)
    assert sum(dead(g, s) for s in range(3)) == 0
    g.count(2, 3)
    assert g.asked() == (0, Decision.KEEP_FIGURE)


def test_step_7_smite_and_tide_act_before_late_cards():
    """rules 6.1.1: 7 Smite and Tide, 8 late cards."""
    g = field({0: {"warrior": 2}, 1: {"warrior": 1}}, age=2)
    g.hand(0, "Heimdall's Eye")
    g.hand(1, "Heimdall's Eye")
    fight(g, {0: "Odin's Tide", 1: "Odin's Smite"})
    assert g.asked() == (0, Decision.LATE_CARD)
    assert dead(g, 0) == 2  # one by the tide, then the one left by the Smite
    assert dead(g, 1) == 0


def test_step_8_quests_are_counted_before_late_cards():
    """rules 6.1.1: 7 quests, 8 late cards."""
    g = field({0: {"warrior": 1}, 1: {"warrior": 1}}, age=2)
    g.upgrade(1, "Tyr's Domain")
    g.hand(0, "Heimdall's Eye")
    fight(g, {0: "Tyr's Bash", 1: "Manheim"})
    assert g.asked() == (1, Decision.COUNT_QUEST)
    g.count(1, 0)
    assert g.asked() == (0, Decision.LATE_CARD)


def test_step_9_totals_are_compared_after_late_cards():
    """rules 6.1.1: 8 late cards, 9 compare."""
    g = field({0: {"warrior": 1}, 1: {"warrior": 2}}, age=2)
    g.hand(0, "Heimdall's Eye")
    fight(g, {0: "Tyr's Bash", 1: "Tyr's Smash"})
    g.card(0, "Heimdall's Eye")  # 1 + 2 + 2 against 2 + 3
    assert dead(g, 0) == 1
    assert dead(g, 1) == 2


# ---- 6.1.1, step 10


def test_step_10_backstab_cannot_take_what_the_winner_gains_later():
    """rules 6.1.1: 10 Backstab comes before the token (13) and the battle glory (14)."""
    g = field({0: {"warrior": 2}, 1: {"warrior": 1}}, age=2)
    g.token("gimle", "glory")
    fight(g, {1: "Loki's Backstab"})
    assert g.glory_of(0) == 8
    assert g.glory_of(1) == 0


@pytest.mark.parametrize(("pillager", "stolen"), [(0, 2), (1, 0)])
def test_step_10_hammer_and_backstab_follow_the_order_of_clans(pillager, stolen):
    """rules 6.1.1, 6.1.2: within step 10 from the pillager clockwise: winner 0 has the Hammer, loser 1 Backstab."""
    g = field({0: {"warrior": 2}, 1: {"warrior": 1}}, age=2, seat=pillager)
    fight(g, {0: "Thor's Hammer", 1: "Loki's Backstab"}, pillager=pillager)
    assert g.glory_of(1) == stolen
    assert g.glory_of(0) == 3 - stolen + 3


@pytest.mark.parametrize(("pillager", "stolen"), [(0, 1), (1, 0)])
def test_step_10_ascension_and_trickery_follow_the_order_of_clans(pillager, stolen):
    """rules 6.1.1, 6.1.2: winner 0 with hardly any Rage has Ascension, loser 1 has Trickery."""
    g = field({0: {"warrior": 2}, 1: {"warrior": 1}}, age=3, seat=pillager)
    rage = 1 if pillager == 0 else 0
    g.rage(0, rage)
    fight(g, {0: "Thor's Ascension", 1: "Loki's Trickery"}, pillager=pillager)
    assert g.rage_of(0) == rage + 3 - stolen
    assert g.rage_of(1) == 6 + stolen


def test_step_10_oath_is_asked_before_figures_are_destroyed():
    """rules 6.1.1: 10 Oath, 12 the losers' figures are destroyed."""
    g = field({0: {"warrior": 2}, 1: {"warrior": 1}}, age=2)
    fight(g, {0: "Thor's Oath"})
    assert g.asked() == (0, Decision.STAT)
    assert dead(g, 1) == 0
    assert not g.is_pillaged("gimle")
    raise_stats(g, "rage")
    assert dead(g, 1) == 1
    assert g.step_of(0, "rage") == 3


def test_step_10_comes_before_prowess():
    """rules 6.1.1: 10 Oath, 11 cards."""
    g = field({0: {"warrior": 2}, 1: {"warrior": 1}}, age=2)
    g.upgrade(0, "Tyr's Prowess")
    fight(g, {0: "Thor's Oath"})
    assert g.asked() == (0, Decision.STAT)
    raise_stats(g, "rage")
    assert g.asked() == (0, Decision.BUY_BACK)


def test_rage_of_ascension_pays_for_prowess():
    """rules 6.1.1: 10 Ascension, 11 Prowess: a winner without Rage can buy back."""
    g = field({0: {"warrior": 1}, 1: {"warrior": 2}}, age=3)
    g.rage(1, 0)
    g.upgrade(1, "Tyr's Prowess")
    fight(g, {1: "Thor's Ascension"})
    assert g.asked() == (1, Decision.BUY_BACK)
    g.card(1, "Thor's Ascension")
    assert g.rage_of(1) == 2
    assert g.hand_of(1) == [Card.THORS_ASCENSION]


# ---- 6.1.1, steps 11 and 12


def test_step_11_cards_move_before_figures_are_destroyed():
    """rules 6.1.1: 11 cards: losers take theirs back, the rest is discarded; 12 destroyed."""
    g = field({0: {"warrior": 2}, 1: {"warrior": 1}})
    g.upgrade(1, "Frigga's Protection")
    fight(g, {0: "Tyr's Bash", 1: "Tyr's Smash"})  # a tie of 4
    assert g.asked() == (1, Decision.SAVE)
    assert g.hand_of(0) == [Card.TYRS_BASH]
    assert g.hand_of(1) == [Card.TYRS_SMASH]
    g = field({0: {"warrior": 2}, 1: {"warrior": 1}})
    g.upgrade(1, "Frigga's Protection")
    fight(g, {0: "Tyr's Smash", 1: "Tyr's Bash"})
    assert g.asked() == (1, Decision.SAVE)
    assert g.discards() == [Card.TYRS_SMASH]
    assert g.hand_of(1) == [Card.TYRS_BASH]


def test_step_11_prowess_comes_before_protection():
    """rules 6.1.1: 11 Prowess, 12 the losers' figures."""
    g = field({0: {"warrior": 2}, 1: {"warrior": 1}})
    g.upgrade(0, "Tyr's Prowess")
    g.upgrade(1, "Frigga's Protection")
    fight(g, {0: "Tyr's Smash", 1: "Tyr's Bash"})
    assert g.asked() == (0, Decision.BUY_BACK)
    g.no(0)
    assert g.asked() == (1, Decision.SAVE)


def test_step_12_figures_are_destroyed_before_the_reward():
    """rules 6.1.1: 12 destroyed (or saved), 13 reward of the token, Grace."""
    g = field({0: {"warrior": 2}, 1: {"warrior": 1}})
    g.upgrade(1, "Frigga's Protection")
    fight(g, {0: "Frigga's Grace"})
    assert g.asked() == (1, Decision.SAVE)
    assert g.step_of(0, "rage") == 1
    assert not g.is_pillaged("gimle")
    g.count(1, 0)
    assert g.asked() == (0, Decision.STAT)
    assert dead(g, 1) == 1
    assert g.step_of(0, "rage") == 2


# ---- 6.1.1, steps 13 to 16


def test_step_13_token_then_grace_then_leader_upgrade():
    """rules 6.1.1: 13 reward of the token, Frigga's Grace, the leader upgrade, in this order."""
    g = field({0: {"leader": 1}, 1: {"warrior": 1}}, age=2)
    g.upgrade(0, "Lord of Axes")
    fight(g, {0: "Frigga's Grace"})
    assert g.asked() == (0, Decision.STAT)
    assert g.step_of(0, "rage") == 2  # the token's
    assert not g.can_raise_stat("rage")  # so this is the Grace
    g.raise_stat(0, "axes")
    assert g.asked() == (0, Decision.STAT)
    assert g.can_raise_stat("rage")
    assert g.glory_of(0) == 0
    g.raise_stat(0, "rage")
    assert [g.step_of(0, s) for s in Stat] == [3, 2, 1]
    assert g.glory_of(0) == 4


def test_step_13_frost_giant_doubles_the_token_before_grace():
    """rules 6.1.1: reward of the token (twice with the Frost Giant), then Grace."""
    g = field({0: {"Frost Giant": 1}, 1: {"warrior": 1}}, age=3)
    fight(g, {0: "Frigga's Grace"})
    assert g.asked() == (0, Decision.STAT)
    assert g.step_of(0, "rage") == 3
    g.raise_stat(0, "horns")
    assert [g.step_of(0, s) for s in Stat] == [3, 1, 2]


def test_step_13_lord_of_hammers_moves_before_battle_glory():
    """rules 6.1.1: 13 the leader upgrade, 14 battle glory."""
    g = field({0: {"leader": 1}, 1: {"warrior": 1}})
    g.upgrade(0, "Lord of Hammers")
    g.pillage(0, "gimle")
    assert g.asked() == (0, Decision.LEADER_MOVE)
    assert g.glory_of(0) == 0
    assert dead(g, 1) == 1
    assert g.step_of(0, "rage") == 2
    g.no(0)
    assert g.glory_of(0) == 3


def test_step_13_comes_before_the_texts_of_step_15():
    """rules 6.1.1: 13 the leader upgrade, 15 Judgement, Valkyrie, Thor's Glory."""
    g = field({0: {"leader": 1, "Valkyrie": 1}, 1: {"warrior": 2}}, age=3)
    g.upgrade(0, "Lord of Hammers", "Thor's Glory")
    fight(g, {0: "Odin's Judgement"})
    assert g.asked() == (0, Decision.LEADER_MOVE)
    assert g.glory_of(0) == 0
    g.province(0, "yggdrasil")
    assert g.glory_of(0) == 3 + 4 + 4 + 2


def test_step_15_is_paid_before_blessing():
    """rules 6.1.1: 14 battle glory, 15 Judgement, Valkyrie, Thor's Glory, 16 Loki's Blessing."""
    g = field({0: {"leader": 1, "Valkyrie": 1}, 1: {"warrior": 2}}, age=3)
    g.upgrade(0, "Thor's Glory")
    g.upgrade(1, "Loki's Blessing")
    fight(g, {0: "Odin's Judgement"})
    assert g.asked() == (1, Decision.BLESSING)
    assert g.is_pillaged("gimle")
    assert g.from_source(0, Source.BATTLE) == 3
    assert g.glory_of(0) == 3 + 4 + 4 + 2
    g.yes(1)
    assert g.figures(1, "warrior", "gimle") == 1
    assert g.glory_of(0) == 3 + 4 + 4 + 2


def test_step_16_blessing_comes_after_the_leader_move():
    """rules 6.1.1: 13 the leader upgrade, 16 Blessing."""
    g = field({0: {"leader": 1}, 1: {"warrior": 1}})
    g.upgrade(0, "Lord of Hammers")
    g.upgrade(1, "Loki's Blessing")
    g.pillage(0, "gimle")
    g.province(0, "andlang")
    assert g.asked() == (1, Decision.BLESSING)
    g.no(1)
    assert fight_over(g)


# ---- 6.1.2


def test_smite_and_tide_act_clan_by_clan_pillager_first():
    """rules 6.1.2: within step 7 from the pillager clockwise, whichever of the two it is."""
    g = field({0: {"warrior": 2}, 1: {"warrior": 2}}, age=2)
    fight(g, {0: "Odin's Tide", 1: "Odin's Smite"})  # the tide leaves one each; the Smite kills 0's last
    assert dead(g, 0) == 2
    assert dead(g, 1) == 1
    assert g.glory_of(1) == 3  # 0 + 1 against 1 + 1
    g = field({0: {"warrior": 2}, 1: {"warrior": 2}}, age=2)
    fight(g, {0: "Odin's Smite", 1: "Odin's Tide"})  # the Smite takes one of 1's, the tide one of 0's
    assert dead(g, 0) == dead(g, 1) == 2  # 1 + 1 against 1 + 1: a tie


def test_destroying_goes_clan_by_clan_from_the_pillager():
    """rules 6.1.2: each clan wholly before the next."""
    g = field({0: {"leader": 1, "warrior": 1}, 1: {"leader": 1, "warrior": 1}}, seat=1)
    g.upgrade(0, "Frigga's Protection")
    g.upgrade(1, "Frigga's Protection")
    g.pillage(1, "gimle")  # a tie of 4
    asked = []
    while g.asked()[1] == Decision.SAVE:
        asked.append((g.asked()[0], Figure(int(g.state.about_kind))))
        g.count(g.asked()[0], 0)
    leader, warrior = Figure.LEADER, Figure.WARRIOR
    assert asked == [(1, leader), (1, warrior), (0, leader), (0, warrior)]


def test_blessings_go_from_the_pillager_clockwise():
    """rules 6.1.2: inside step 16 too."""
    g = field({s: {"warrior": 1} for s in range(3)}, seat=2)
    for seat in range(3):
        g.upgrade(seat, "Loki's Blessing")
    g.pillage(2, "gimle")  # all lose
    asked = []
    while g.asked()[1] == Decision.BLESSING:
        asked.append(g.asked()[0])
        g.no(g.asked()[0])
    assert asked == [2, 0, 1]


def test_outside_a_battle_from_the_clan_whose_action_it_is():
    """rules 6.1.2: outside a battle from the clan whose action it is, clockwise: Fire Giant."""
    g = field({0: {"warrior": 1}, 2: {"warrior": 1}}, age=2, players=4)
    g.put(3, "warrior", "gimle")
    for seat in (0, 2, 3):
        g.upgrade(seat, "Frigga's Protection")
    g.upgrade(1, "Fire Giant")
    g.pass_(0)
    g.invade(1, "monster_1", "gimle")
    assert g.asked() == (2, Decision.SAVE)
    g.count(2, 0)
    assert g.asked() == (3, Decision.SAVE)
    g.count(3, 1)
    assert g.figures(0, "warrior", "valhalla") == 1  # it passed: no Rage to save it
    assert g.figures(3, "warrior", "gimle") == 1


def test_quests_are_rewarded_from_the_first_player():
    """rules 6.1.2: in 3.4 from the first player, clockwise."""
    g = field({0: {"warrior": 1}}, "gimle", seat=1)
    g.put(1, "warrior", "horgr")
    g.put(2, "warrior", "elvagar")
    g.quest(0, "Alfheim")
    g.quest(1, "Jotunheim")
    g.quest(2, "Manheim")
    g.end_action_phase()
    asked = []
    while g.asked()[1] == Decision.STAT:
        asked.append(g.asked()[0])
        g.raise_stat(g.asked()[0], "rage")
    assert asked == [1, 2, 0]


def test_ragnarok_escapes_are_asked_from_the_first_player():
    """rules 6.1.2: in 3.5 from the first player, clockwise."""
    g = field({s: {"Volur Witch": 1} for s in range(3)}, seat=2)
    g.doomed("gimle")
    g.end_action_phase()
    asked = []
    while g.asked()[1] == Decision.SAVE:
        asked.append(g.asked()[0])
        g.yes(g.asked()[0])
    assert asked == [2, 0, 1]
