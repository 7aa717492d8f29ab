"""Rules 6.2.1 to 6.2.3: Thor's Primacy, Heimdall's Watch, Heimdall's Sight."""

import pytest
from fights import dead, field, fight, raise_stats, show

from bloodrage_env.games.bloodrage.engine.card_ids import Card
from bloodrage_env.games.bloodrage.engine.ids import Decision, Stat


def duel(mine, theirs, **options):
    """Clan 0 with Primacy pillages and loses or wins by its figures alone."""
    return field({0: {"warrior": mine}, 1: {"warrior": theirs}}, age=3, **options)


# ---- 6.2.1 Primacy against every text


def test_primacy_cancels_watch():
    """rules 6.2.1: no Watch acts beside it."""
    g = duel(1, 3)
    g.hand(1, "Tyr's Rage")
    fight(g, {0: "Thor's Primacy", 1: "Heimdall's Watch"})  # 4 against 3
    assert g.asked() == (1, Decision.ACTION)
    assert g.glory_of(1) == 0
    assert g.discards() == [Card.THORS_PRIMACY]
    assert g.hand_of(1) == sorted([Card.HEIMDALLS_WATCH, Card.TYRS_RAGE])
    assert dead(g, 1) == 3


def test_primacy_cancels_smite():
    """rules 6.2.1: no Smite acts beside it; its +1 counts."""
    g = duel(1, 4)
    fight(g, {0: "Thor's Primacy", 1: "Odin's Smite"})  # 4 against 5
    assert dead(g, 0) == 1
    assert g.glory_of(1) == 3
    g = duel(1, 3)
    fight(g, {0: "Thor's Primacy", 1: "Odin's Smite"})  # 4 against 4, only if the warrior still stands
    assert (dead(g, 0), dead(g, 1)) == (1, 3)


def test_primacy_cancels_tide():
    """rules 6.2.1: no Tide acts beside it; its +1 counts."""
    g = duel(2, 3)
    fight(g, {0: "Thor's Primacy", 1: "Odin's Tide"})  # 5 against 4
    assert (dead(g, 0), dead(g, 1)) == (0, 3)
    assert g.glory_of(0) == 3


@pytest.mark.parametrize("card", ["Thor's Hammer", "Thor's Oath", "Thor's Ascension"])
def test_primacy_cancels_victory_texts(card):
    """rules 6.2.1: the winner's Hammer, Oath, Ascension pay nothing, their +STR counts."""
    g = duel(1, 4)
    fight(g, {0: "Thor's Primacy", 1: card})  # 4 against 4 + 1
    assert g.asked() == (1, Decision.ACTION)
    assert dead(g, 0) == 1
    assert g.glory_of(1) == 3
    assert g.rage_of(1) == 6
    assert [g.step_of(1, s) for s in Stat] == [1, 1, 1]


@pytest.mark.parametrize("card", ["Loki's Trickery", "Loki's Backstab", "Loki's Poison"])
def test_primacy_cancels_defeat_texts(card):
    """rules 6.2.1: the loser's Trickery, Backstab, Poison take nothing."""
    g = duel(1, 1)
    g.glory(0, 9)
    fight(g, {0: "Thor's Primacy", 1: card})
    assert g.glory_of(0) == 12
    assert g.glory_of(1) == 0
    assert g.rage_of(0) == g.rage_of(1) == 6
    assert g.discards() == [Card.THORS_PRIMACY]
    assert g.hand_of(1) == [g._card(card)]


def test_primacy_cancels_judgement():
    """rules 6.2.1: Judgement pays nothing, its +2 counts."""
    g = duel(1, 2)
    fight(g, {0: "Thor's Primacy", 1: "Odin's Judgement"})  # 4 against 4
    assert (dead(g, 0), dead(g, 1)) == (1, 2)
    assert g.glory_of(1) == 0


def test_primacy_cancels_grace_of_the_pillager():
    """rules 6.2.1: the pillager's Grace raises nothing when another clan has Primacy; its +2 counts."""
    g = duel(3, 1)
    fight(g, {0: "Frigga's Grace", 1: "Thor's Primacy"})  # 5 against 4
    assert g.is_pillaged("gimle")
    assert [g.step_of(0, s) for s in Stat] == [2, 1, 1]
    assert g.asked() == (1, Decision.ACTION)


@pytest.mark.parametrize(("theirs", "lost"), [(3, (0, 3)), (4, (1, 4))])
def test_sight_without_text_adds_nothing(theirs, lost):
    """rules 6.2.1: a Sight without text is +0, not the 3 of Primacy."""
    g = duel(1, theirs)
    fight(g, {0: "Thor's Primacy", 1: "Heimdall's Sight"})  # 4 against 3 or 4
    assert (dead(g, 0), dead(g, 1)) == lost


def test_primacy_cancels_the_texts_of_all_other_clans():
    """rules 6.2.1: of all other clans' revealed cards."""
    g = field({0: {"warrior": 2}, 1: {"warrior": 1}, 2: {"warrior": 1}}, age=3)
    g.glory(0, 6)
    fight(g, {0: "Thor's Primacy", 1: "Loki's Backstab", 2: "Loki's Trickery"})
    assert [g.glory_of(s) for s in range(3)] == [9, 0, 0]
    assert [g.rage_of(s) for s in range(3)] == [6, 6, 6]


@pytest.mark.parametrize("strength_card", ["Tyr's Bash", "Tyr's Smash", "Heimdall's Gaze", "Frigga's Grace"])
def test_primacy_leaves_strength(strength_card):
    """rules 6.2.1: never +STR (a disc revealed as the first card too)."""
    strength = {"Tyr's Bash": 2, "Tyr's Smash": 3, "Heimdall's Gaze": 3, "Frigga's Grace": 2}[strength_card]
    g = duel(1, 4 - strength)
    fight(g, {0: "Thor's Primacy", 1: strength_card})
    assert (dead(g, 0), dead(g, 1)) == (1, 4 - strength)  # a tie of 4


def test_primacy_leaves_upgrades_of_the_losers():
    """rules 6.2.1: never an upgrade: Valkyrie, Thor's Glory, Protection, Blessing."""
    g = field({0: {"warrior": 2}, 1: {"Valkyrie": 1}}, age=3)
    g.upgrade(1, "Thor's Glory", "Loki's Blessing", "Frigga's Protection")
    fight(g, {0: "Thor's Primacy", 1: "Tyr's Smash"})  # 5 against 5
    assert g.asked() == (1, Decision.SAVE)
    g.count(1, 0)
    assert g.glory_of(1) == 4 + 2
    assert g.asked() == (1, Decision.BLESSING)


def test_primacy_leaves_prowess_of_the_winner():
    """rules 6.2.1: never an upgrade."""
    g = duel(1, 2)
    g.upgrade(1, "Tyr's Prowess")
    fight(g, {0: "Thor's Primacy", 1: "Tyr's Smash"})
    assert g.asked() == (1, Decision.BUY_BACK)


def test_primacy_leaves_late_cards():
    """rules 6.2.1: cards added late are not touched by it."""
    g = duel(1, 1)
    g.hand(1, "Heimdall's Gaze")
    fight(g, {0: "Thor's Primacy", 1: "Tyr's Bash"})
    g.card(1, "Heimdall's Gaze")  # 4 against 1 + 2 + 3
    assert dead(g, 0) == 1
    assert dead(g, 1) == 0


@pytest.mark.parametrize(("upgrade", "worth"), [("Tyr's Domain", 3), ("Tyr's Wrath", 5)])
def test_primacy_leaves_counted_quests(upgrade, worth):
    """rules 6.2.1: a quest counted through Tyr's Domain or Tyr's Wrath keeps its value."""
    g = duel(1, 1)
    g.upgrade(1, upgrade)
    fight(g, {0: "Thor's Primacy", 1: "Manheim"})
    assert g.asked() == (1, Decision.COUNT_QUEST)
    g.count(1, worth)  # 4 against 1 + 3 or 1 + 5
    assert (dead(g, 0), dead(g, 1)) == ((1, 1) if worth == 3 else (1, 0))


def test_primacy_does_not_stop_its_owners_late_card():
    """rules 6.2.1: it is the other clans' texts that it cancels; its own +3 counts."""
    g = duel(1, 2)
    g.hand(0, "Heimdall's Gaze")
    fight(g, {0: "Thor's Primacy", 1: "Tyr's Crush"})
    g.card(0, "Heimdall's Gaze")  # 1 + 3 + 3 against 2 + 4
    assert dead(g, 1) == 2


# ---- 6.2.2 Watch


def test_watch_discards_every_card_and_pays_their_sum():
    """rules 6.2.2: every revealed card of every clan, its own too; glory equal to the sum of the printed +STR."""
    g = field({s: {"warrior": 1} for s in range(3)}, age=2)
    fight(g, {0: "Tyr's Rage", 1: "Heimdall's Watch", 2: "Thor's Hammer"})
    assert g.glory_of(1) == 7
    assert g.discards() == sorted([Card.TYRS_RAGE, Card.HEIMDALLS_WATCH, Card.THORS_HAMMER])
    assert [g.hand_of(s) for s in range(3)] == [[], [], []]
    assert [dead(g, s) for s in range(3)] == [1, 1, 1]


@pytest.mark.parametrize("card", ["Heimdall's Sight", "Manheim", "Fire Giant", "Tyr's Wrath"])
def test_watch_counts_sights_quests_and_upgrades_as_nothing(card):
    """rules 6.2.2: a Sight, a quest and an upgrade count 0; they are discarded all the same."""
    g = field({s: {"warrior": 1} for s in range(3)}, age=2)
    g.upgrade(0, "Tyr's Domain")
    fight(g, {0: card, 1: "Heimdall's Watch", 2: "Tyr's Crush"})
    assert g.glory_of(1) == 4
    assert g._card(card) in g.discards()
    assert g.hand_of(0) == []


def test_watch_makes_everyone_choose_anew():
    """rules 6.2.2: everyone in the battle chooses anew."""
    g = field({s: {"warrior": 1} for s in range(3)}, age=2)
    for seat in range(3):
        g.hand(seat, "Tyr's Bash", "Tyr's Smash")
    fight(g, {0: "Heimdall's Watch", 1: "Tyr's Bash", 2: "Tyr's Smash"})
    assert g.asked()[1] == Decision.BATTLE_CARD
    assert g.glory_of(0) == 5
    show(g, {0: "Tyr's Smash", 1: "Tyr's Bash", 2: "Tyr's Smash"})
    assert g.discards() == sorted([Card.HEIMDALLS_WATCH, Card.TYRS_BASH, Card.TYRS_SMASH])
    assert [dead(g, s) for s in range(3)] == [1, 1, 1]  # 4, 3 and 4


def test_watch_lets_clans_without_cards_go_on_without():
    """rules 6.2.2: without a card if the hand is empty."""
    g = field({0: {"warrior": 1}, 1: {"warrior": 2}}, age=2)
    g.hand(0, "Tyr's Bash")
    fight(g, {0: "Heimdall's Watch", 1: "Tyr's Rage"})
    assert dead(g, 1) == 2  # 1 + 2 against 2
    assert g.glory_of(0) == 6 + 3


def test_watch_stops_the_texts_of_the_discarded():
    """rules 6.2.2: their texts do nothing; later steps look at the new cards only."""
    g = field({0: {"warrior": 3}, 1: {"warrior": 1}, 2: {"warrior": 1}}, age=3)
    g.upgrade(0, "Tyr's Prowess")
    fight(g, {0: "Thor's Hammer", 1: "Loki's Poison", 2: "Heimdall's Watch"})
    assert g.glory_of(2) == 1
    assert g.glory_of(0) == 3  # Axes alone
    assert g.hand_of(0) == g.hand_of(1) == []
    assert len(g.discards()) == 3
    assert g.asked() == (1, Decision.ACTION)  # nothing to buy back


@pytest.mark.parametrize("card", ["Odin's Judgement", "Odin's Smite", "Odin's Tide", "Frigga's Grace"])
def test_watch_stops_other_texts_too(card):
    """rules 6.2.2: Judgement, Smite, Tide, Grace among the discarded do nothing."""
    g = field({0: {"warrior": 2}, 1: {"warrior": 1}}, age=3)
    strength = 2 if card in ("Odin's Judgement", "Frigga's Grace") else 1
    fight(g, {0: card, 1: "Heimdall's Watch"})
    assert g.asked() == (1, Decision.ACTION)
    assert g.glory_of(1) == strength
    assert g.glory_of(0) == 3
    assert [g.step_of(0, s) for s in Stat] == [2, 1, 1]
    assert (dead(g, 0), dead(g, 1)) == (0, 1)


def test_new_cards_after_the_watch_work():
    """rules 6.2.2: later steps look at the new cards."""
    g = field({0: {"warrior": 2}, 1: {"warrior": 1}}, age=2)
    g.glory(0, 5)
    g.hand(0, "Thor's Oath")
    g.hand(1, "Loki's Backstab")
    fight(g, {0: "Tyr's Rage", 1: "Heimdall's Watch"})
    raise_stats(g, "horns")
    assert g.glory_of(1) == 6 + 2
    assert g.glory_of(0) == 5 - 2 + 3
    assert g.step_of(0, "horns") == 2


def test_a_second_watch_in_the_new_round_acts_too():
    """rules 6.2.2: the new cards are new: a Watch among them does it again."""
    g = field({0: {"warrior": 1}, 1: {"warrior": 2}}, age=2)
    g.hand(0, "Heimdall's Watch")
    g.hand(1, "Tyr's Crush", "Tyr's Smash")
    fight(g, {0: "Heimdall's Watch", 1: "Tyr's Rage"})
    assert g.glory_of(0) == 6
    show(g, {1: "Tyr's Crush"})
    assert g.glory_of(0) == 10
    assert g.discards() == sorted(
        [Card.HEIMDALLS_WATCH, Card.HEIMDALLS_WATCH, Card.TYRS_CRUSH, Card.TYRS_RAGE, Card.TYRS_SMASH]
    )
    assert g.glory_of(1) == 3  # it had the Smash left and won with 2 + 3


def test_primacy_in_the_new_round_silences_a_new_watch():
    """rules 6.2.2 with 6.2.1: back to step 4 means step 5 again."""
    g = field({0: {"warrior": 1}, 1: {"warrior": 1}}, age=3)
    g.hand(0, "Heimdall's Watch")
    g.hand(1, "Thor's Primacy")
    fight(g, {0: "Heimdall's Watch", 1: "Tyr's Rage"})
    assert g.glory_of(0) == 6
    assert dead(g, 0) == 1
    assert g.hand_of(0) == [Card.HEIMDALLS_WATCH]


def test_watch_is_not_drawn_by_clans_outside():
    """rules 6.2.2: everyone in the battle, nobody else."""
    g = field({0: {"warrior": 1}, 1: {"warrior": 1}}, age=2)
    g.hand(2, "Tyr's Bash", "Tyr's Smash")
    fight(g, {0: "Heimdall's Watch", 1: "Tyr's Rage"})
    assert g.asked() == (1, Decision.ACTION)
    assert len(g.hand_of(2)) == 2


# ---- 6.2.3 Sight


@pytest.mark.parametrize("card", ["Tyr's Bash", "Tyr's Smash", "Tyr's Rage"])
def test_sight_equals_the_opponents_card(card):
    """rules 6.2.3: the highest single +STR among the opponents' cards."""
    g = field({0: {"warrior": 1}, 1: {"warrior": 1}})
    fight(g, {0: "Heimdall's Sight", 1: card})
    assert (dead(g, 0), dead(g, 1)) == (1, 1)
    g = field({0: {"warrior": 2}, 1: {"warrior": 1}})
    fight(g, {0: "Heimdall's Sight", 1: card})
    assert (dead(g, 0), dead(g, 1)) == (0, 1)


def test_sight_takes_the_highest_of_several_not_the_sum():
    """rules 6.2.3: the highest single one."""
    g = field({s: {"warrior": 1} for s in range(3)})
    fight(g, {0: "Heimdall's Sight", 1: "Tyr's Bash", 2: "Tyr's Smash"})
    assert [dead(g, s) for s in range(3)] == [1, 1, 1]  # 1 + 3 against 3 against 4


def test_sight_sees_late_cards():
    """rules 6.2.3: evaluated at comparison, late ones included; single, so not the sum of 2 and 3."""
    g = field({0: {"warrior": 3}, 1: {"warrior": 1}}, age=3)
    g.hand(1, "Heimdall's Gaze")
    fight(g, {0: "Heimdall's Sight", 1: "Tyr's Bash"})
    g.card(1, "Heimdall's Gaze")
    assert (dead(g, 0), dead(g, 1)) == (3, 1)  # 3 + 3 against 1 + 2 + 3


def test_sight_sees_a_late_card_added_by_a_clan_that_showed_a_sight():
    """rules 6.2.3: other Sights 0, but their late cards count."""
    g = field({0: {"warrior": 1}, 1: {"warrior": 1}}, age=2)
    g.hand(1, "Heimdall's Eye")
    fight(g, {0: "Heimdall's Sight", 1: "Heimdall's Sight"})
    g.card(1, "Heimdall's Eye")
    assert (dead(g, 0), dead(g, 1)) == (1, 1)  # 1 + 2 against 1 + 0 + 2


def test_sight_does_not_see_its_owners_late_card():
    """rules 6.2.3: among the opponents' cards."""
    g = field({0: {"warrior": 1}, 1: {"warrior": 4}}, age=3)
    g.hand(0, "Heimdall's Gaze")
    fight(g, {0: "Heimdall's Sight", 1: "Thor's Hammer"})
    g.card(0, "Heimdall's Gaze")  # 1 + 1 + 3 against 4 + 1
    assert (dead(g, 0), dead(g, 1)) == (1, 4)


@pytest.mark.parametrize(("upgrade", "worth"), [("Tyr's Domain", 3), ("Tyr's Wrath", 5)])
def test_sight_sees_a_counted_quest(upgrade, worth):
    """rules 6.2.3: a quest counted as a battle card included."""
    g = field({0: {"warrior": 1}, 1: {"warrior": 1}})
    g.upgrade(1, upgrade)
    fight(g, {0: "Heimdall's Sight", 1: "Manheim"})
    g.count(1, worth)
    assert (dead(g, 0), dead(g, 1)) == (1, 1)


def test_sight_sees_a_quest_left_at_nothing_as_nothing():
    """rules 6.2.3 with 6.2.5: not counted, not seen."""
    g = field({0: {"warrior": 1}, 1: {"warrior": 2}})
    g.upgrade(1, "Tyr's Wrath")
    fight(g, {0: "Heimdall's Sight", 1: "Manheim"})
    g.count(1, 0)
    assert (dead(g, 0), dead(g, 1)) == (1, 0)


@pytest.mark.parametrize("card", ["Manheim", "Fire Giant", "Heimdall's Sight", None])
def test_sight_against_nothing_is_nothing(card):
    """rules 6.2.3: quests, upgrades, other Sights and no card at all are 0."""
    g = field({0: {"warrior": 1}, 1: {"warrior": 2}})
    fight(g, {0: "Heimdall's Sight"} | ({1: card} if card else {}))
    assert (dead(g, 0), dead(g, 1)) == (1, 0)


def test_two_sights_see_the_same_third_card():
    """rules 6.2.3: other Sights 0, the third clan's card counts for both."""
    g = field({0: {"warrior": 2}, 1: {"warrior": 2}, 2: {"warrior": 1}})
    fight(g, {0: "Heimdall's Sight", 1: "Heimdall's Sight", 2: "Tyr's Crush"})
    assert [dead(g, s) for s in range(3)] == [2, 2, 1]  # 6, 6 and 5


def test_sight_sees_a_silenced_cards_strength():
    """rules 6.2.3 with 6.2.1: Primacy of a third clan takes the Sight's text, so it adds 0."""
    g = field({0: {"warrior": 3}, 1: {"warrior": 1}, 2: {"warrior": 1}}, age=3)
    fight(g, {0: "Heimdall's Sight", 1: "Tyr's Rage", 2: "Thor's Primacy"})
    assert [dead(g, s) for s in range(3)] == [3, 0, 1]  # 3 + 0 against 7 and 4
