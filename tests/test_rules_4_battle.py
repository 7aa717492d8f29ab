"""Rules 4.3 to 4.6: cards, totals, late cards, who loses what; and the rulebook's example of a battle."""

import pytest
from fights import FJORD, dead, field, fight, show

from bloodrage_env.games.bloodrage.engine.card_ids import Card
from bloodrage_env.games.bloodrage.engine.ids import NONE, Decision, Stat

# ---- the example of the rulebook


def test_the_battle_of_andlang():
    """rules 4.1 to 4.7: the rulebook's example (red wolves 0, blue ravens 1, yellow serpents 2), step by step."""
    g = field({0: {"ship": 1}}, "andlang")
    g.put(0, "warrior", "yggdrasil", 2)
    g.put(1, "warrior", "gimle")
    g.put(1, "warrior", "yggdrasil")
    g.put(2, "leader", "horgr")
    g.pillaged("horgr")
    g.token("andlang", "axes")
    g.hand(0, "Tyr's Crush", "Jotunheim")
    g.hand(1, "Loki's Domain", "Tyr's Rage")
    g.pillage(0, "andlang")  # no red figure in Andlang, but the ship supports it
    g.choose(1, "warrior", "gimle")
    assert g.asked() == (0, Decision.CALL)  # Horgr is not adjacent: yellow can't join
    g.choose(0, "warrior", "yggdrasil")
    assert g.asked() == (1, Decision.CALL)
    g.choose(1, "warrior", "yggdrasil")
    assert g.asked()[1] == Decision.BATTLE_CARD  # no village left for the second red warrior
    assert g.figures(0, "warrior", "yggdrasil") == 1
    show(g, {0: "Tyr's Crush", 1: "Loki's Domain"})  # 2 + 1 + 4 against 1 + 1 + 0
    assert g.figures(1, "warrior", "valhalla") == 2
    assert g.hand_of(1) == sorted([Card.LOKIS_DOMAIN, Card.TYRS_RAGE])
    assert g.is_pillaged("andlang")
    assert g.stat_of(0, "axes") == 4
    assert g.glory_of(0) == 4
    assert g.discards() == [Card.TYRS_CRUSH]
    assert g.hand_of(0) == [Card.JOTUNHEIM_1]
    assert g.figures(0, "warrior", "andlang") == 1
    assert g.figures(0, "ship", FJORD["andlang"]) == 1
    assert g.figures(2, "leader", "horgr") == 1
    assert g.glory_of(1) == g.glory_of(2) == 0
    assert g.asked() == (1, Decision.ACTION)


# ---- 4.3 cards


def test_every_clan_in_province_or_fjord_fights():
    """rules 4.3: every clan with a figure in the province or in the supporting fjord, no other."""
    g = field({0: {"warrior": 1}, 1: {"warrior": 1}, 2: {"ship": 1}}, players=4)
    g.put(3, "leader", "horgr")
    for seat in range(4):
        g.hand(seat, "Tyr's Bash", "Tyr's Smash")
    g.pillage(0, "gimle")
    asked = set()
    while g.asked()[1] == Decision.BATTLE_CARD:
        asked.add(g.asked()[0])
        g.card(g.asked()[0], "Tyr's Bash")
    assert asked == {0, 1, 2}
    assert g.glory_of(2) == 3  # 2 + 2 against 1 + 2
    assert dead(g, 0) == dead(g, 1) == 1
    assert len(g.hand_of(3)) == 2


def test_clans_in_the_other_province_of_the_fjord_do_not_fight():
    """rules 4.3: the pillaged province and its fjord."""
    g = field({0: {"warrior": 1}, 1: {"warrior": 1}})
    g.put(2, "leader", "myrkulor")
    g.hand(2, "Tyr's Bash")
    g.pillage(0, "gimle")
    g.no(2)
    assert g.figures(2, "leader", "myrkulor") == 1
    assert g.hand_of(2) == [Card.TYRS_BASH]


def test_a_ship_fights_in_both_provinces_one_after_the_other():
    """rules 4.3: its STR counts in each battle."""
    g = field({0: {"ship": 1}, 1: {"warrior": 1}})
    g.put(2, "warrior", "myrkulor")
    g.pillage(0, "gimle")
    g.no(2)
    assert g.figures(1, "warrior", "valhalla") == 1
    assert g.asked() == (1, Decision.ACTION)
    g.pass_(1)
    g.pass_(2)
    g.pillage(0, "myrkulor")
    assert g.figures(2, "warrior", "valhalla") == 1
    assert g.glory_of(0) == 6
    assert g.is_pillaged("gimle")
    assert g.is_pillaged("myrkulor")


def test_a_card_must_be_chosen_of_any_kind():
    """rules 4.3: each must choose one card of the hand, of any kind."""
    g = field({0: {"warrior": 1}, 1: {"warrior": 1}})
    cards = ["Tyr's Bash", "Heimdall's Eye", "Manheim", "Glorious Death", "Troll", "Lord of Axes", "Loki's Wrath"]
    g.hand(0, *cards)
    g.pillage(0, "gimle")
    assert g.asked() == (0, Decision.BATTLE_CARD)
    assert len(g.legal_actions()) == len(cards)
    assert all(g.can_card(card) for card in cards)
    assert not g.can_no()


def test_empty_hand_plays_no_card():
    """rules 4.3: none only with an empty hand."""
    g = field({0: {"warrior": 1}, 1: {"warrior": 2}})
    g.hand(0, "Tyr's Bash")
    g.pillage(0, "gimle")
    assert g.asked() == (1, Decision.ACTION)
    assert g.discards() == [Card.TYRS_BASH]
    assert dead(g, 1) == 2  # 3 against 2


def test_no_card_is_shown_before_all_have_chosen():
    """rules 4.3: face down, at the same time; all are revealed together."""
    g = field({0: {"warrior": 1}, 1: {"warrior": 1}, 2: {"warrior": 1}})
    for seat in range(3):
        g.hand(seat, "Tyr's Bash", "Tyr's Smash")
    g.pillage(0, "gimle")
    asked = []
    while g.asked()[1] == Decision.BATTLE_CARD:
        assert list(g.state.main[:3]) == [NONE] * 3
        assert g.discards() == []
        asked.append(g.asked()[0])
        g.card(g.asked()[0], "Tyr's Bash")
    assert sorted(asked) == [0, 1, 2]


@pytest.mark.parametrize("card", ["Tyr's Wrath", "Soldier of Hel", "Lord of Spears", "Manheim", "Fire Dragons"])
def test_upgrade_or_quest_adds_nothing(card):
    """rules 4.3: an upgrade or a quest adds nothing."""
    g = field({0: {"warrior": 1}, 1: {"warrior": 2}})
    fight(g, {0: card})
    assert dead(g, 0) == 1  # 1 against 2
    assert dead(g, 1) == 0
    assert g.hand_of(0) == [g._card(card)]


def test_strength_is_figures_plus_card():
    """rules 4.3: leader 3, warrior 1, ship 2, monster its printed STR, and the card's +STR."""
    g = field({0: {"leader": 1, "warrior": 1, "ship": 1, "Fire Giant": 1}, 1: {"leader": 1, "Troll": 1}})
    fight(g, {1: "Tyr's Smite"})  # 3 + 1 + 2 + 4 = 10 against 3 + 2 + 5 = 10
    assert dead(g, 0) == 4
    assert dead(g, 1) == 2


def test_strength_is_figures_plus_card_and_one_more_wins():
    """rules 4.3: one more in the same battle decides it."""
    g = field({0: {"leader": 1, "warrior": 1, "ship": 1, "Fire Giant": 1}, 1: {"leader": 1, "Troll": 1}})
    fight(g, {1: "Tyr's Rage"})
    assert dead(g, 0) == 4
    assert dead(g, 1) == 0
    assert g.glory_of(1) == 3


# ---- 4.4 a clan without figures


def test_clan_without_figures_stays_and_may_win_as_defender():
    """rules 4.4: it stays in the battle with its card's STR; it may win."""
    g = field({0: {"warrior": 3}, 1: {"warrior": 1}})
    fight(g, {0: "Odin's Smite", 1: "Tyr's Smite"})  # 3 + 1 against 0 + 5
    assert dead(g, 0) == 3
    assert g.glory_of(1) == 3
    assert not g.is_pillaged("gimle")
    assert g.figures_in(1, "gimle") == 0


def test_pillager_without_figures_may_win_and_then_pillages():
    """rules 4.4: as the pillager it then pillages."""
    g = field({0: {"warrior": 1}, 1: {"warrior": 1}})
    fight(g, {0: "Tyr's Smite", 1: "Odin's Smite"})  # 0 + 5 against 1 + 1
    assert dead(g, 0) == dead(g, 1) == 1
    assert g.is_pillaged("gimle")
    assert g.step_of(0, "rage") == 2
    assert g.glory_of(0) == 3


# ---- 4.5 late cards


def late_field(players=3):
    g = field({seat: {"warrior": 1} for seat in range(players)}, players=players, age=2)
    for seat in range(players):
        g.hand(seat, "Tyr's Bash", "Heimdall's Eye")
    return g


def test_late_cards_are_asked_from_the_pillager_clockwise():
    """rules 4.5: after the reveal, the pillager first, then clockwise; until all decline in a row."""
    g = late_field(4)
    g.pass_(0)
    fight(g, dict.fromkeys(range(4), "Tyr's Bash"), pillager=1, add=False)
    asked = []
    while g.asked()[1] == Decision.LATE_CARD:
        asked.append(g.asked()[0])
        g.no(g.asked()[0])
    assert asked == [1, 2, 3, 0]


def test_late_card_round_and_round_until_all_decline_the_last_one_too():
    """rules 4.5: who declined may add one later; the last to add one must decline as well."""
    g = late_field()
    g.hand(1, "Heimdall's Gaze")
    fight(g, dict.fromkeys(range(3), "Tyr's Bash"), add=False)
    g.no(0)
    g.card(1, "Heimdall's Eye")
    g.no(2)
    assert g.asked() == (0, Decision.LATE_CARD)
    g.card(0, "Heimdall's Eye")
    assert g.asked() == (1, Decision.LATE_CARD)
    g.no(1)
    g.no(2)
    # the pillager's only disc is played, so it declines: all have done so since
    assert g.asked() == (1, Decision.ACTION)
    assert [dead(g, s) for s in range(3)] == [1, 1, 1]  # 5, 5 and 3


def test_the_last_to_add_a_card_is_asked_again():
    """rules 4.5: the last to add one too."""
    g = late_field()
    g.hand(0, "Heimdall's Gaze")
    fight(g, dict.fromkeys(range(3), "Tyr's Bash"), add=False)
    g.card(0, "Heimdall's Eye")
    g.no(1)
    g.no(2)
    assert g.asked() == (0, Decision.LATE_CARD)
    g.card(0, "Heimdall's Gaze")
    assert g.asked() == (1, Decision.LATE_CARD)
    g.card(1, "Heimdall's Eye")
    g.no(2)
    assert g.asked() == (1, Decision.ACTION)
    assert g.discards() == sorted([Card.TYRS_BASH, Card.HEIMDALLS_EYE, Card.HEIMDALLS_GAZE])
    assert g.hand_of(1) == sorted([Card.TYRS_BASH, Card.HEIMDALLS_EYE])


def test_one_late_card_a_turn():
    """rules 4.5: each may add one, then the next clan is asked."""
    g = late_field()
    g.hand(0, "Heimdall's Gaze")
    fight(g, dict.fromkeys(range(3), "Tyr's Bash"), add=False)
    g.card(0, "Heimdall's Gaze")
    assert g.asked() == (1, Decision.LATE_CARD)


def test_only_white_discs_are_offered_as_late_cards():
    """rules 4.5: white disc cards, nothing else."""
    g = field({0: {"warrior": 1}, 1: {"warrior": 1}}, age=2)
    g.hand(0, "Tyr's Bash", "Tyr's Rage", "Heimdall's Eye", "Heimdall's Watch", "Heimdall's Sight", "Manheim", "Troll")
    g.hand(1, "Tyr's Rage", "Loki's Backstab", "Heimdall's Sight")
    fight(g, {0: "Tyr's Bash", 1: "Tyr's Rage"}, add=False)
    assert g.asked() == (0, Decision.LATE_CARD)
    assert len(g.legal_actions()) == 2
    assert g.can_no()
    assert g.can_card("Heimdall's Eye")


def test_clans_outside_the_battle_add_no_late_card():
    """rules 4.5: each clan in the battle."""
    g = field({0: {"warrior": 1}, 1: {"warrior": 1}}, age=2)
    g.hand(2, "Heimdall's Eye", "Heimdall's Gaze")
    fight(g, {0: "Tyr's Bash", 1: "Tyr's Rage"})
    assert g.asked() == (1, Decision.ACTION)
    assert len(g.hand_of(2)) == 2


def test_late_card_without_a_first_card():
    """rules 4.5: a clan with a hand of one disc shows it at the reveal, and has none left."""
    g = field({0: {"warrior": 1}, 1: {"warrior": 1}}, age=2)
    g.hand(0, "Heimdall's Eye")
    g.pillage(0, "gimle")
    assert g.asked() == (1, Decision.ACTION)
    assert g.discards() == [Card.HEIMDALLS_EYE]


# ---- 4.6 resolution


def test_greatest_total_wins_and_everybody_else_loses():
    """rules 4.6: two losers who are equal don't make a tie."""
    g = field({0: {"warrior": 1}, 1: {"warrior": 1}, 2: {"warrior": 2}})
    g.pillage(0, "gimle")
    assert [dead(g, s) for s in range(3)] == [1, 1, 0]
    assert g.glory_of(2) == 3


@pytest.mark.parametrize("pillager", [0, 1, 2])
def test_tie_for_the_greatest_total_is_lost_by_all(pillager):
    """rules 4.6: in a tie everyone in the battle loses, the weaker clans too."""
    g = field({0: {"leader": 1}, 1: {"warrior": 1, "ship": 1}, 2: {"warrior": 1}}, seat=pillager)
    g.pillage(pillager, "gimle")
    assert [dead(g, s) for s in range(3)] == [1, 2, 1]
    assert not g.is_pillaged("gimle")
    assert [g.glory_of(s) for s in range(3)] == [0, 0, 0]
    assert [g.step_of(s, stat) for s in range(3) for stat in Stat] == [1] * 9


def test_tie_everyone_takes_cards_back():
    """rules 4.6: nobody won, so every card goes back to its hand."""
    g = field({0: {"warrior": 1}, 1: {"warrior": 1}, 2: {"warrior": 1}})
    fight(g, {0: "Tyr's Smash", 1: "Tyr's Smash", 2: "Thor's Hammer"})
    assert [g.hand_of(s) for s in range(3)] == [[Card.TYRS_SMASH], [Card.TYRS_SMASH], [Card.THORS_HAMMER]]
    assert g.discards() == []


def test_winner_discards_all_cards_losers_take_theirs_back():
    """rules 4.6: every card played, late ones too."""
    g = late_field()
    fight(g, dict.fromkeys(range(3), "Tyr's Bash"), add=False)
    g.card(0, "Heimdall's Eye")
    g.card(1, "Heimdall's Eye")
    g.no(2)  # 0 and 1 have no more discs
    assert [dead(g, s) for s in range(3)] == [1, 1, 1]
    assert g.discards() == []
    g = late_field()
    fight(g, dict.fromkeys(range(3), "Tyr's Bash"), add=False)
    g.no(0)
    g.card(1, "Heimdall's Eye")
    g.no(2)
    g.no(0)
    assert dead(g, 1) == 0
    assert g.hand_of(1) == []
    assert g.discards() == sorted([Card.TYRS_BASH, Card.HEIMDALLS_EYE])
    assert g.hand_of(0) == g.hand_of(2) == sorted([Card.TYRS_BASH, Card.HEIMDALLS_EYE])


def test_loser_takes_back_late_cards():
    """rules 4.6: losers take theirs back, late ones too."""
    g = field({0: {"warrior": 1}, 1: {"warrior": 4}}, age=2)
    g.hand(0, "Heimdall's Eye", "Heimdall's Eye")
    fight(g, {0: "Tyr's Bash", 1: "Tyr's Rage"})
    g.card(0, "Heimdall's Eye")
    g.card(0, "Heimdall's Eye")
    assert g.hand_of(0) == sorted([Card.TYRS_BASH, Card.HEIMDALLS_EYE, Card.HEIMDALLS_EYE])
    assert g.discards() == [Card.TYRS_RAGE]


def test_losers_figures_in_province_and_fjord_are_destroyed():
    """rules 4.6: of every kind, in the province and in the supporting fjord, nowhere else."""
    g = field({0: {"leader": 1}, 1: {"leader": 1, "warrior": 2, "ship": 1, "Troll": 1}})
    g.put(0, "warrior", "elvagar")
    g.put(0, "ship", "fjord_utgard_andlang")
    g.put(1, "warrior", "utgard")
    g.hand(0, "Tyr's Rage")
    g.pillage(0, "gimle")  # 3 + 6 against 3 + 2 + 2 + 2: a tie
    assert dead(g, 0) == 1
    assert g.figures(0, "warrior", "elvagar") == 1
    assert g.figures(0, "ship", "fjord_utgard_andlang") == 1
    assert [g.figures(1, k, "valhalla") for k in ("leader", "warrior", "ship", "monster_1")] == [1, 2, 1, 1]
    assert g.figures(1, "warrior", "utgard") == 1
    assert g.figures_in(1, "gimle") == 0


def test_winners_figures_stay():
    """rules 4.6: only losers' figures are destroyed."""
    g = field({0: {"leader": 1, "warrior": 1, "ship": 1}, 1: {"warrior": 1}})
    g.pillage(0, "gimle")
    assert dead(g, 0) == 0
    assert g.figures_in(0, "gimle") == 2
    assert g.figures(0, "ship", FJORD["gimle"]) == 1


def test_a_lost_ship_is_gone_for_both_provinces():
    """rules 4.6: the ship in the fjord is destroyed, the owner's figures in the other province stay."""
    g = field({0: {"leader": 1}, 1: {"ship": 1}})
    g.put(1, "warrior", "myrkulor", 2)
    g.pillage(0, "gimle")
    g.no(1)
    assert g.figures(1, "ship", "valhalla") == 1
    assert g.figures(1, "warrior", "myrkulor") == 2
    assert dead(g, 1) == 1


def test_villages_of_the_dead_are_free_again():
    """rules 4.6 with 1.4: destroyed figures go from the board to Valhalla."""
    g = field({0: {"warrior": 1}, 1: {"warrior": 2}}, "andlang")
    g.go()
    assert not g.can_invade("leader", "andlang")
    g.pillage(0, "andlang")
    assert int(g.state.occupied[5]) == 2
    assert g.asked() == (1, Decision.ACTION)
    assert g.can_invade("leader", "andlang")
