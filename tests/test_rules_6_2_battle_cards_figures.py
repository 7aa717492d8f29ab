"""Rules 6.2.4 and 6.2.5: Odin's Smite, Odin's Tide; quests counted as battle cards."""

import pytest
from fights import FJORD, dead, field, fight, offered

from bloodrage_env.games.bloodrage.engine.card_ids import Card
from bloodrage_env.games.bloodrage.engine.ids import Decision, Figure, Place

# ---- 6.2.4 Smite


def test_smite_takes_one_warrior_of_each_other_clan():
    """rules 6.2.4: one warrior of each other clan in the province, not its player's."""
    g = field({0: {"warrior": 1}, 1: {"warrior": 2}, 2: {"warrior": 2}}, age=2)
    g.hand(0, "Heimdall's Eye")
    fight(g, {0: "Odin's Smite"})
    assert g.asked() == (0, Decision.LATE_CARD)
    assert [dead(g, s) for s in range(3)] == [0, 1, 1]
    assert [g.figures(s, "warrior", "gimle") for s in range(3)] == [1, 1, 1]


def test_smite_takes_warriors_only():
    """rules 6.2.4: no leader, ship or monster."""
    g = field({0: {"warrior": 1}, 1: {"leader": 1, "ship": 1, "Troll": 1}}, age=2)
    g.put(2, "ship", FJORD["gimle"])
    g.hand(0, "Heimdall's Eye")
    fight(g, {0: "Odin's Smite"})
    assert dead(g, 1) == dead(g, 2) == 0


def test_smite_spares_warriors_elsewhere_and_clans_outside():
    """rules 6.2.4: in the province."""
    g = field({0: {"warrior": 1}, 1: {"leader": 1}}, age=2)
    g.put(1, "warrior", "myrkulor")
    g.put(2, "warrior", "andlang")
    g.hand(0, "Heimdall's Eye")
    fight(g, {0: "Odin's Smite"})
    assert g.asked() == (0, Decision.LATE_CARD)
    assert dead(g, 1) == dead(g, 2) == 0


def test_smite_changes_the_totals():
    """rules 6.2.4: it acts before the comparison."""
    g = field({0: {"warrior": 2}, 1: {"warrior": 3}})
    fight(g, {0: "Odin's Smite"})  # 2 + 1 against 2
    assert (dead(g, 0), dead(g, 1)) == (0, 3)


def test_two_smites_take_two():
    """rules 6.2.4: two Smites take two of the third clan, one of each other."""
    g = field({0: {"warrior": 1}, 1: {"warrior": 1}, 2: {"warrior": 3}}, age=2)
    g.hand(2, "Heimdall's Eye")
    fight(g, {0: "Odin's Smite", 1: "Odin's Smite", 2: "Tyr's Bash"})
    assert g.asked() == (2, Decision.LATE_CARD)
    assert [dead(g, s) for s in range(3)] == [1, 1, 2]
    assert g.figures(2, "warrior", "gimle") == 1


def test_warrior_saved_from_smite_stays_with_its_strength():
    """rules 6.2.4: a figure saved by Protection stays in the battle with its STR."""
    g = field({0: {"warrior": 1}, 1: {"warrior": 2}})
    g.upgrade(1, "Frigga's Protection")
    fight(g, {0: "Odin's Smite"})
    assert g.asked() == (1, Decision.SAVE)
    assert int(g.state.about_kind) == Figure.WARRIOR
    assert [g.can_count(n) for n in range(3)] == [True, True, False]
    g.count(1, 1)
    assert g.rage_of(1) == 5
    # 1 + 1 against 2: a tie; now each warrior is asked again
    assert g.asked() == (1, Decision.SAVE)
    assert dead(g, 0) == 1
    g.count(1, 2)
    assert g.rage_of(1) == 3
    assert g.figures(1, "warrior", "gimle") == 2


def test_smite_without_rage_for_protection_is_not_asked():
    """rules 6.2.4 with 6.3.9: 1 Rage a figure."""
    g = field({0: {"warrior": 2}, 1: {"warrior": 2}})
    g.upgrade(1, "Frigga's Protection")
    g.rage(1, 0)
    fight(g, {0: "Odin's Smite"})
    assert dead(g, 1) == 2


# ---- 6.2.4 Tide


def test_tide_leaves_each_clan_the_figure_that_it_names():
    """rules 6.2.4: every clan in the battle, its player's too, names the one figure that it keeps."""
    g = field({0: {"leader": 1, "warrior": 1}, 1: {"warrior": 2, "ship": 1}, 2: {"Troll": 1, "ship": 1}}, age=2)
    for seat in range(3):
        g.hand(seat, "Heimdall's Eye")
    fight(g, {0: "Tyr's Bash", 1: "Odin's Tide", 2: "Tyr's Bash"})
    assert g.asked() == (0, Decision.KEEP_FIGURE)
    assert offered(g, Figure.LEADER) == offered(g, Figure.WARRIOR) == {Place.GIMLE}
    g.choose(0, "warrior", "gimle")
    assert g.asked() == (1, Decision.KEEP_FIGURE)
    assert offered(g, Figure.SHIP) == {Place.FJORD_GIMLE_MYRKULOR}
    g.choose(1, "ship", FJORD["gimle"])
    assert g.asked() == (2, Decision.KEEP_FIGURE)
    g.choose(2, "monster_1", "gimle")
    assert [dead(g, s) for s in range(3)] == [1, 2, 1]
    assert g.figures(0, "warrior", "gimle") == 1
    assert g.figures(1, "ship", FJORD["gimle"]) == 1
    assert g.figures(2, "monster_1", "gimle") == 1


def test_tide_takes_nothing_from_a_clan_with_one_figure():
    """rules 6.2.4: a clan with one figure or none loses nothing."""
    g = field({0: {"warrior": 1}, 1: {"leader": 1}, 2: {"ship": 1}}, age=2)
    fight(g, {0: "Odin's Tide"})  # 1 + 1 against 3 against 2
    assert [dead(g, s) for s in range(3)] == [1, 0, 1]


def test_tide_takes_nothing_from_a_clan_without_figures():
    """rules 6.2.4: or none."""
    g = field({0: {"warrior": 2}, 1: {"warrior": 1}}, age=2)
    fight(g, {0: "Odin's Smite", 1: "Odin's Tide"})  # 1 + 1 against 0 + 1
    assert (dead(g, 0), dead(g, 1)) == (1, 1)
    assert g.glory_of(0) == 3


def test_tide_spares_figures_outside_the_battle():
    """rules 6.2.4: province and supporting fjord together, nothing else."""
    g = field({0: {"leader": 1}, 1: {"warrior": 2}}, age=2)
    g.put(0, "warrior", "horgr", 2)
    g.put(2, "warrior", "horgr", 2)
    fight(g, {0: "Odin's Tide"})
    assert dead(g, 0) == dead(g, 2) == 0
    assert dead(g, 1) == 2


def test_a_second_tide_adds_nothing():
    """rules 6.2.4: a second Tide adds nothing: nobody is asked twice."""
    g = field({0: {"leader": 1, "warrior": 1}, 1: {"leader": 1, "warrior": 1}}, age=2)
    fight(g, {0: "Odin's Tide", 1: "Odin's Tide"})
    g.choose(0, "leader", "gimle")
    g.choose(1, "leader", "gimle")
    assert g.asked() == (1, Decision.ACTION)
    assert dead(g, 0) == dead(g, 1) == 2  # 3 + 1 each


def test_a_second_tide_spares_what_was_saved_from_the_first():
    """rules 6.2.4: a figure saved by Protection stays with its STR; a second Tide adds nothing."""
    g = field({0: {"leader": 1}, 1: {"leader": 1, "warrior": 2}}, age=2)
    g.upgrade(1, "Frigga's Protection")
    fight(g, {0: "Odin's Tide", 1: "Odin's Tide"})
    g.choose(1, "leader", "gimle")
    assert g.asked() == (1, Decision.SAVE)
    g.count(1, 2)
    assert g.rage_of(1) == 4
    assert g.asked() == (1, Decision.ACTION)
    assert dead(g, 0) == 1  # 3 + 1 against 3 + 2 + 1
    assert dead(g, 1) == 0


def test_tide_saves_are_asked_by_kind():
    """rules 6.2.4: Protection works kind by kind for all that the Tide would take."""
    g = field({0: {"leader": 1}, 1: {"leader": 1, "warrior": 2, "ship": 1}}, age=2)
    g.upgrade(1, "Frigga's Protection")
    fight(g, {0: "Odin's Tide"})
    g.choose(1, "leader", "gimle")
    assert int(g.state.about_kind) == Figure.WARRIOR
    g.count(1, 1)
    assert int(g.state.about_kind) == Figure.SHIP
    g.count(1, 1)
    assert dead(g, 1) == 1
    assert g.rage_of(1) == 4
    assert dead(g, 0) == 1  # 3 + 1 against 3 + 1 + 2


def test_escaped_witch_is_out_of_the_battle():
    """rules 6.2.4: an escaped Witch is out of it: her STR no longer counts, she is not destroyed."""
    g = field({0: {"leader": 1}, 1: {"Volur Witch": 1, "warrior": 1}}, age=3)
    fight(g, {0: "Odin's Tide", 1: "Odin's Judgement"})
    g.choose(1, "warrior", "gimle")
    assert g.asked() == (1, Decision.SAVE)
    g.yes(1)
    assert g.figures(1, "monster_1", "yggdrasil") == 1
    # 3 + 1 against 1 + 2: lost; the Judgement counts the warrior alone
    assert dead(g, 1) == 1
    assert g.glory_of(1) == 2


def test_witch_saved_in_the_tide_fights_on():
    """rules 6.2.4: saved by Protection she stays with her 3 STR."""
    g = field({0: {"leader": 1}, 1: {"Volur Witch": 1, "warrior": 1}}, age=3)
    g.upgrade(1, "Frigga's Protection")
    fight(g, {0: "Odin's Tide", 1: "Odin's Judgement"})
    g.choose(1, "warrior", "gimle")
    g.count(1, 1)
    assert g.glory_of(1) == 3 + 2  # 3 + 1 against 3 + 1 + 2
    assert dead(g, 0) == 1


# ---- 6.2.5 quests as battle cards


@pytest.mark.parametrize(
    ("upgrades", "worth"),
    [
        (["Tyr's Domain"], {0, 3}),
        (["Tyr's Wrath"], {0, 5}),
        (["Tyr's Domain", "Tyr's Wrath"], {0, 3, 5}),
    ],
)
def test_owner_counts_the_quest_or_leaves_it(upgrades, worth):
    """rules 6.2.5: counts it or leaves it at 0; with both it is 0, 3 or 5, never the sum."""
    for value in sorted(worth):
        g = field({0: {"warrior": 1}, 1: {"warrior": 4}})
        g.upgrade(0, *upgrades)
        fight(g, {0: "Manheim"})
        assert g.asked() == (0, Decision.COUNT_QUEST)
        assert {n for n in range(9) if g.can_count(n)} == worth
        g.count(0, value)  # 1 + value against 4
        lost = {0: (1, 0), 3: (1, 4), 5: (0, 4)}[value]
        assert (dead(g, 0), dead(g, 1)) == lost


def test_only_own_quests_are_counted():
    """rules 6.2.5: own quests only."""
    g = field({0: {"warrior": 1}, 1: {"warrior": 2}})
    g.upgrade(0, "Tyr's Domain")
    fight(g, {0: "Tyr's Bash", 1: "Manheim"})
    assert g.asked() == (1, Decision.ACTION)
    assert (dead(g, 0), dead(g, 1)) == (0, 2)


@pytest.mark.parametrize("card", ["Troll", "Loki's Domain", "Tyr's Bash"])
def test_only_quests_are_counted(card):
    """rules 6.2.5: no upgrade, no battle card."""
    g = field({0: {"warrior": 1}, 1: {"warrior": 3}})
    g.upgrade(0, "Tyr's Domain", "Tyr's Wrath")
    fight(g, {0: card})
    assert g.asked() == (1, Decision.ACTION)
    assert dead(g, 0) == 1


@pytest.mark.parametrize("quest", ["Alfheim", "Glorious Death", "Jotunheim", "Manheim", "Yggdrasil"])
def test_every_quest_can_be_counted(quest):
    """rules 6.2.5: whatever the quest."""
    g = field({0: {"warrior": 1}, 1: {"warrior": 3}}, age=2)
    g.upgrade(0, "Tyr's Domain")
    fight(g, {0: quest})
    g.count(0, 3)
    assert dead(g, 1) == 3
    assert g.discards() == [g._card(quest)]


def test_committed_quests_are_not_counted():
    """rules 6.2.5: quests revealed in the battle, not those committed to."""
    g = field({0: {"warrior": 1}, 1: {"warrior": 1}})
    g.upgrade(0, "Tyr's Domain")
    g.quest(0, "Manheim")
    g.pillage(0, "gimle")
    assert g.asked() == (1, Decision.ACTION)
    assert dead(g, 0) == dead(g, 1) == 1


def test_lost_quest_goes_back_into_the_hand():
    """rules 6.2.5 with 4.6: left at 0 to lose on purpose, it is taken back."""
    g = field({0: {"warrior": 1}, 1: {"warrior": 1}})
    g.upgrade(0, "Tyr's Domain")
    fight(g, {0: "Manheim", 1: "Tyr's Bash"})
    g.count(0, 0)
    assert g.hand_of(0) == [Card.MANHEIM_1]
    assert g.discards() == [Card.TYRS_BASH]


def test_both_clans_count_their_quests_pillager_first():
    """rules 6.2.5: in step 7, openly, from the pillager clockwise."""
    g = field({0: {"warrior": 1}, 1: {"warrior": 1}}, seat=1)
    g.upgrade(0, "Tyr's Domain")
    g.upgrade(1, "Tyr's Wrath")
    fight(g, {0: "Manheim", 1: "Jotunheim"}, pillager=1)
    assert g.asked() == (1, Decision.COUNT_QUEST)
    g.count(1, 5)
    assert g.asked() == (0, Decision.COUNT_QUEST)
    g.count(0, 3)
    assert dead(g, 0) == 1
    assert g.is_pillaged("gimle")
