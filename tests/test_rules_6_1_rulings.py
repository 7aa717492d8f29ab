"""Rules 6.1.3 to 6.1.8: official rulings on the order in a battle, what is optional, Yggdrasil."""

import pytest
from fights import FJORD, dead, field, fight, offered, raise_stats

from bloodrage_env.games.bloodrage.engine.card_ids import Card
from bloodrage_env.games.bloodrage.engine.ids import Decision, Figure, Stat

# ---- 6.1.3


@pytest.mark.parametrize("primacy", [1, 2])
@pytest.mark.parametrize("other", ["Heimdall's Watch", "Odin's Smite", "Odin's Tide", "Thor's Hammer"])
def test_primacy_acts_first_wherever_its_player_sits(primacy, other):
    """rules 6.1.3: Primacy, then Watch, then the rest, although the pillager comes first in its kind."""
    g = field({0: {"warrior": 3}, 1: {"warrior": 1}, 2: {"warrior": 1}}, age=3)
    g.hand(3 - primacy, "Tyr's Bash")
    fight(g, {0: other, primacy: "Thor's Primacy"})
    # 3 + 0 or 1 against 1 + 3 and 1 + 2, nobody lost a figure before
    if other == "Heimdall's Watch":
        assert g.glory_of(0) == 0
        assert [dead(g, s) for s in (0, primacy)] == [3, 0]
        assert g.discards() == [Card.THORS_PRIMACY]
    else:
        assert [dead(g, s) for s in range(3)] == [3, 1, 1]
        assert g.discards() == []
    assert g.glory_of(0) == 0


def test_of_two_primacies_the_first_from_the_pillager_acts():
    """rules 6.1.3: the first in that order acts, the other is a card without text: its +STR counts."""
    g = field({s: {"warrior": 1} for s in range(3)}, age=3, seat=1)
    g.hand(1, "Heimdall's Gaze")
    fight(g, {0: "Thor's Primacy", 1: "Thor's Hammer", 2: "Thor's Primacy"}, pillager=1)
    assert g.asked() == (1, Decision.LATE_CARD)
    g.card(1, "Heimdall's Gaze")
    assert g.glory_of(1) == 3  # 1 + 1 + 3 against 4 and 4: won, and the Hammer paid nothing
    assert [dead(g, s) for s in range(3)] == [1, 0, 1]


def test_two_primacies_tie_with_their_strength():
    """rules 6.1.3: +3 each."""
    g = field({0: {"warrior": 1}, 1: {"warrior": 1}}, age=3)
    fight(g, {0: "Thor's Primacy", 1: "Thor's Primacy"})
    assert dead(g, 0) == dead(g, 1) == 1
    assert g.hand_of(0) == g.hand_of(1) == [Card.THORS_PRIMACY]


@pytest.mark.parametrize("pillager", [0, 1, 2])
def test_of_two_watches_the_first_from_the_pillager_acts(pillager):
    """rules 6.1.3: the other lies among the discarded and pays nothing."""
    g = field({s: {"warrior": 1} for s in range(3)}, age=3, seat=pillager)
    fight(g, {0: "Heimdall's Watch", 1: "Heimdall's Watch", 2: "Tyr's Rage"}, pillager=pillager)
    first = 1 if pillager == 1 else 0
    assert g.glory_of(first) == 6
    assert g.glory_of(1 - first) == 0
    assert g.discards() == sorted([Card.HEIMDALLS_WATCH, Card.HEIMDALLS_WATCH, Card.TYRS_RAGE])
    assert [dead(g, s) for s in range(3)] == [1, 1, 1]  # no cards left, a tie


def test_watch_acts_before_smite_and_tide_of_the_pillager():
    """rules 6.1.3: Watch before the rest, also when the rest is the pillager's."""
    g = field({0: {"warrior": 1}, 1: {"warrior": 2}}, age=2)
    fight(g, {0: "Odin's Smite", 1: "Heimdall's Watch"})
    assert dead(g, 1) == 0
    assert g.glory_of(1) == 1 + 3


# ---- 6.1.4


def test_poison_beats_prowess():
    """rules 6.1.4: the winner buys nothing back; the poisoner has the cards."""
    g = field({0: {"warrior": 2}, 1: {"warrior": 1}}, age=3)
    g.upgrade(0, "Tyr's Prowess")
    fight(g, {0: "Tyr's Rage", 1: "Loki's Poison"})
    assert g.asked() == (1, Decision.ACTION)
    assert g.hand_of(1) == sorted([Card.TYRS_RAGE, Card.LOKIS_POISON])
    assert g.hand_of(0) == []
    assert g.discards() == []
    assert g.rage_of(0) == 6


def test_trickery_takes_its_rage_before_prowess():
    """rules 6.1.4: with 1 Rage nothing is left for Prowess."""
    g = field({0: {"warrior": 2}, 1: {"warrior": 1}})
    g.upgrade(0, "Tyr's Prowess")
    g.rage(0, 1)
    fight(g, {0: "Tyr's Rage", 1: "Loki's Trickery"})
    assert g.asked() == (1, Decision.ACTION)
    assert g.rage_of(0) == 0
    assert g.rage_of(1) == 7
    assert g.discards() == [Card.TYRS_RAGE]


def test_trickery_leaves_prowess_the_rest():
    """rules 6.1.4: with 2 Rage one card can still be bought."""
    g = field({0: {"warrior": 2}, 1: {"warrior": 1}})
    g.upgrade(0, "Tyr's Prowess")
    g.rage(0, 2)
    fight(g, {0: "Tyr's Rage", 1: "Loki's Trickery"})
    assert g.asked() == (0, Decision.BUY_BACK)
    g.card(0, "Tyr's Rage")
    assert g.rage_of(0) == 0


def test_rage_of_trickery_can_pay_for_protection():
    """rules 6.1.4: it can then pay for Protection in step 12."""
    g = field({0: {"warrior": 2}, 1: {"warrior": 1}})
    g.upgrade(1, "Frigga's Protection")
    g.rage(1, 0)
    fight(g, {0: "Tyr's Rage", 1: "Loki's Trickery"})
    assert g.asked() == (1, Decision.SAVE)
    g.count(1, 1)
    assert g.rage_of(1) == 0
    assert g.rage_of(0) == 5
    assert g.figures(1, "warrior", "gimle") == 1


# ---- 6.1.5


def test_clan_whose_last_figure_dies_to_smite_stays():
    """rules 6.1.5: it stays in the battle: late cards, victory, pillage."""
    g = field({0: {"warrior": 1}, 1: {"warrior": 1}}, age=2)
    g.hand(0, "Heimdall's Eye")
    fight(g, {0: "Tyr's Bash", 1: "Odin's Smite"})
    assert dead(g, 0) == 1
    assert g.asked() == (0, Decision.LATE_CARD)
    g.card(0, "Heimdall's Eye")  # 0 + 2 + 2 against 1 + 1
    assert g.is_pillaged("gimle")
    assert g.glory_of(0) == 3
    assert g.figures_in(1, "gimle") == 0


def test_clan_that_loses_its_last_figure_to_tide_and_smite_stays():
    """rules 6.1.5: so does one that lost it otherwise before step 9."""
    g = field({0: {"leader": 1, "warrior": 1}, 1: {"warrior": 1}, 2: {"warrior": 1}}, age=2)
    fight(g, {0: "Odin's Tide", 1: "Odin's Smite", 2: "Tyr's Crush"})
    g.choose(0, "warrior", "gimle")  # keeps the warrior, which the Smite then kills
    # 0 + 1 against 1 + 1 against 0 + 4
    assert [dead(g, s) for s in range(3)] == [2, 1, 1]
    assert g.glory_of(2) == 3


def test_clan_whose_witch_left_in_the_tide_stays():
    """rules 6.1.5 with 6.3.10: the escaped Witch is out of the battle, her clan is in it."""
    g = field({0: {"leader": 1}, 1: {"Volur Witch": 1, "warrior": 1}, 2: {"warrior": 1}}, age=3)
    fight(g, {0: "Odin's Tide", 1: "Tyr's Rage", 2: "Odin's Smite"})
    g.choose(1, "warrior", "gimle")
    g.yes(1)
    assert g.figures(1, "monster_1", "yggdrasil") == 1
    # the Smite took the warrior: 3 + 1 against 0 + 6 against 1 + 1
    assert g.glory_of(1) == 3
    assert [dead(g, s) for s in range(3)] == [1, 1, 1]


# ---- 6.1.6


def test_clan_without_rage_that_gains_rage_acts_again():
    """rules 6.1.6: it acts again on its later turns."""
    g = field({0: {"warrior": 1}, 1: {"warrior": 2}}, age=3)
    g.rage(1, 0)
    fight(g, {1: "Thor's Ascension"})
    assert g.asked() == (1, Decision.ACTION)
    assert g.rage_of(1) == 3
    assert g.can_invade("warrior", "elvagar")


def test_clan_that_passed_does_not_act_again():
    """rules 6.1.6: one that passed does not (3.2.3)."""
    g = field({0: {"warrior": 1}, 1: {"warrior": 2}}, age=3)
    g.passed(1)
    fight(g, {1: "Thor's Ascension"})
    assert g.rage_of(1) == 3
    assert g.asked() == (2, Decision.ACTION)


# ---- 6.1.7


def test_joining_is_optional():
    """rules 6.1.7: up to the owner: joining."""
    g = field({0: {"warrior": 1}})
    g.put(1, "warrior", "yggdrasil")
    g.pillage(0, "gimle")
    assert g.can_no()
    g.no(1)
    assert g.is_pillaged("gimle")


def test_late_cards_are_optional():
    """rules 6.1.7: up to the owner: late cards."""
    g = field({0: {"warrior": 1}, 1: {"warrior": 1}}, age=2)
    g.hand(0, "Heimdall's Eye")
    fight(g, {0: "Tyr's Bash", 1: "Tyr's Smash"})
    g.no(0)
    assert g.hand_of(0) == sorted([Card.TYRS_BASH, Card.HEIMDALLS_EYE])
    assert dead(g, 0) == 1


@pytest.mark.parametrize(("upgrade", "worth"), [("Tyr's Domain", 3), ("Tyr's Wrath", 5)])
def test_counting_a_quest_is_optional(upgrade, worth):
    """rules 6.1.7: up to the owner: counting a quest as a battle card."""
    g = field({0: {"warrior": 1}, 1: {"warrior": 1}})
    g.upgrade(0, upgrade)
    fight(g, {0: "Manheim"})
    assert g.asked() == (0, Decision.COUNT_QUEST)
    assert g.can_count(0)
    assert g.can_count(worth)
    g.count(0, 0)
    assert dead(g, 0) == 1


@pytest.mark.parametrize(
    ("card", "kind", "place"),
    [
        ("Lord of Hammers", "leader", "gimle"),
        ("Brothers in Arms", "warrior", "gimle"),
        ("Loki's Dragons", "ship", "fjord_gimle_myrkulor"),
        ("Troll", "monster_1", "gimle"),
    ],
)
def test_free_invades_are_optional(card, kind, place):
    """rules 6.1.7: up to the owner: free Invades."""
    g = field({})
    g.hand(0, card)
    g.play(0, card)
    assert g.asked() == (0, Decision.FREE_INVADE)
    assert g.can_invade(kind, place)
    g.no(0)
    assert g.figures_in(0, place) == 0
    assert g.asked() == (1, Decision.ACTION)


def test_succor_is_optional():
    """rules 6.1.7: up to the owner: Succor."""
    g = field({})
    g.upgrade(0, "Frigga's Succor")
    g.invade(0, "leader", "gimle")
    assert g.asked() == (0, Decision.SUCCOR)
    g.no(0)
    assert g.figures(0, "warrior", "gimle") == 0


def test_thors_domain_is_optional():
    """rules 6.1.7: up to the owner: Thor's Domain."""
    g = field({}, age=2)
    g.upgrade(0, "Thor's Domain")
    g.invade(0, "leader", "gimle")
    assert g.asked() == (0, Decision.FREE_PILLAGE)
    g.no(0)
    assert not g.is_pillaged("gimle")
    assert g.rage_of(0) == 6


def test_blessing_is_optional():
    """rules 6.1.7: up to the owner: Blessing."""
    g = field({0: {"warrior": 2}, 1: {"warrior": 1}})
    g.upgrade(1, "Loki's Blessing")
    g.pillage(0, "gimle")
    assert g.asked() == (1, Decision.BLESSING)
    g.no(1)
    assert g.figures_in(1, "gimle") == 0


def test_protection_is_optional():
    """rules 6.1.7: up to the owner: Protection, for none, some or all of a kind."""
    g = field({0: {"leader": 1}, 1: {"warrior": 2}})
    g.upgrade(1, "Frigga's Protection")
    g.pillage(0, "gimle")
    assert g.asked() == (1, Decision.SAVE)
    assert [g.can_count(n) for n in range(4)] == [True, True, True, False]
    g.count(1, 1)
    assert g.figures(1, "warrior", "gimle") == 1
    assert dead(g, 1) == 1
    assert g.rage_of(1) == 5


def test_escape_of_the_witch_is_optional():
    """rules 6.1.7: up to the owner: the Witch's escape."""
    g = field({0: {"leader": 1, "warrior": 1}, 1: {"Volur Witch": 1}}, age=3)
    g.pillage(0, "gimle")
    assert g.asked() == (1, Decision.SAVE)
    assert g.can_yes()
    g.count(1, 0)
    assert g.figures(1, "monster_1", "valhalla") == 1


def test_what_prowess_buys_back_is_optional():
    """rules 6.1.7: up to the owner: what Prowess buys back."""
    g = field({0: {"warrior": 2}, 1: {"warrior": 1}}, age=2)
    g.upgrade(0, "Tyr's Prowess")
    fight(g, {0: "Tyr's Rage"})
    assert g.asked() == (0, Decision.BUY_BACK)
    g.no(0)
    assert g.discards() == [Card.TYRS_RAGE]
    assert g.rage_of(0) == 6


def test_move_of_the_lord_of_hammers_is_optional():
    """rules 6.1.7: up to the owner: the Lord of Hammers' move."""
    g = field({0: {"leader": 1}})
    g.upgrade(0, "Lord of Hammers")
    g.pillage(0, "gimle")
    assert g.asked() == (0, Decision.LEADER_MOVE)
    g.no(0)
    assert g.figures(0, "leader", "gimle") == 1


def test_all_other_texts_happen_without_a_question():
    """rules 6.1.7: all other texts happen: Smite, Judgement, Valkyrie."""
    g = field({0: {"warrior": 4, "ship": 1}, 1: {"Valkyrie": 1}}, age=3)
    g.upgrade(1, "Thor's Glory")
    g.glory(0, 5)
    fight(g, {0: "Odin's Judgement", 1: "Odin's Smite"})
    # 3 + 2 + 2 against 2 + 1; one warrior and the Valkyrie are destroyed
    assert g.asked() == (1, Decision.ACTION)
    assert g.glory_of(0) == 5 + 3 + 4
    assert g.glory_of(1) == 2


# ---- 6.1.8


def test_yggdrasil_has_no_fjord():
    """rules 6.1.8: no fjord: ships have no part in its battle."""
    g = field({0: {"warrior": 1}}, "yggdrasil")
    g.put(1, "ship", FJORD["gimle"])
    g.put(2, "ship", FJORD["utgard"])
    g.pillage(0, "yggdrasil")
    assert g.is_pillaged("yggdrasil")
    assert g.glory_of(0) == 0


def test_ships_do_not_pillage_yggdrasil():
    """rules 6.1.8: no fjord."""
    g = field({0: {"ship": 1}})
    g.go()
    assert not g.can_pillage("yggdrasil")


def test_call_to_yggdrasil_ends_only_when_all_decline():
    """rules 6.1.8: no village, so everybody may come."""
    g = field({0: {"warrior": 1}}, "yggdrasil", players=4)
    for place in ("elvagar", "angerboda", "muspelheim", "horgr"):
        g.put(1, "warrior", place, 2)
        g.put(2, "warrior", place, 1)
    g.pillage(0, "yggdrasil")
    joined = 0
    while g.asked()[1] == Decision.CALL:
        seat = g.asked()[0]
        g.choose(seat, "warrior", next(iter(offered(g, Figure.WARRIOR))))
        joined += 1
    assert joined == 12
    assert g.glory_of(1) == 3
    assert g.figures(1, "warrior", "yggdrasil") == 8


def test_blessing_does_not_reach_yggdrasil():
    """rules 6.1.8: neither Succor nor Blessing reaches it."""
    g = field({0: {"warrior": 2}, 1: {"warrior": 1}}, "yggdrasil")
    g.upgrade(1, "Loki's Blessing")
    g.pillage(0, "yggdrasil")
    assert dead(g, 1) == 1
    assert g.asked() == (1, Decision.ACTION)


def test_succor_does_not_reach_yggdrasil():
    """rules 6.1.8: neither Succor nor Blessing reaches it."""
    g = field({}, age=2)
    g.upgrade(0, "Dark Elf", "Frigga's Succor")
    g.invade(0, "monster_1", "yggdrasil")
    assert g.asked() == (1, Decision.ACTION)
    assert g.figures(0, "monster_1", "yggdrasil") == 1


def test_witch_dies_in_yggdrasil():
    """rules 6.1.8: the Witch dies there, without a question."""
    g = field({0: {"leader": 1, "warrior": 1}, 1: {"Volur Witch": 1}}, "yggdrasil", age=3)
    g.pillage(0, "yggdrasil")
    assert g.figures(1, "monster_1", "valhalla") == 1
    assert g.asked() == (1, Decision.ACTION)


def test_frost_giant_takes_yggdrasils_reward_twice():
    """rules 6.1.8: with the Frost Giant its token raises each stat two steps."""
    g = field({0: {"Frost Giant": 1}, 1: {"warrior": 1}}, "yggdrasil", age=3)
    g.pillage(0, "yggdrasil")
    assert [g.step_of(0, s) for s in Stat] == [3, 3, 3]
    assert g.glory_of(0) == 5


def test_protection_works_in_yggdrasil():
    """rules 6.1.8: the province is like the others otherwise; the Witch can be paid for (6.3.10)."""
    g = field({0: {"leader": 1, "warrior": 1}, 1: {"Volur Witch": 1}}, "yggdrasil", age=3)
    g.upgrade(1, "Frigga's Protection")
    g.pillage(0, "yggdrasil")
    assert g.asked() == (1, Decision.SAVE)
    assert not g.can_yes()
    g.count(1, 1)
    assert g.figures(1, "monster_1", "yggdrasil") == 1


def test_grace_in_yggdrasil_may_raise_any_stat_again():
    """rules 6.1.8 with 6.2.8: any stat if the token was Yggdrasil's."""
    g = field({0: {"warrior": 2}, 1: {"warrior": 1}}, "yggdrasil")
    fight(g, {0: "Frigga's Grace"}, "yggdrasil")
    assert all(g.can_raise_stat(s) for s in Stat)
    raise_stats(g, "horns")
    assert [g.step_of(0, s) for s in Stat] == [2, 2, 3]
