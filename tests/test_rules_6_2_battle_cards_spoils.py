"""Rules 6.2.6 to 6.2.9: what the end of a battle takes and pays."""

import pytest
from fights import dead, field, fight, raise_stats

from bloodrage_env.games.bloodrage.engine.card_ids import Card
from bloodrage_env.games.bloodrage.engine.ids import Decision, Stat

# ---- 6.2.6


@pytest.mark.parametrize(("had", "taken"), [(0, 0), (1, 1), (2, 2), (9, 2)])
def test_backstab_takes_at_most_what_the_winner_has(had, taken):
    """rules 6.2.6: at most the glory that the winner has at that moment."""
    g = field({0: {"warrior": 2}, 1: {"warrior": 1}}, age=2)
    g.glory(0, had)
    fight(g, {1: "Loki's Backstab"})
    assert g.glory_of(0) == had - taken + 3
    assert g.glory_of(1) == taken


@pytest.mark.parametrize(("had", "taken"), [(0, 0), (1, 1), (6, 1)])
def test_trickery_takes_at_most_what_the_winner_has(had, taken):
    """rules 6.2.6: at most the Rage."""
    g = field({0: {"warrior": 1}, 1: {"warrior": 2}})
    g.rage(1, had)
    fight(g, {0: "Loki's Trickery"})
    assert g.rage_of(1) == had - taken
    assert g.rage_of(0) == 6 + taken


def test_two_backstabs_share_what_there_is():
    """rules 6.2.6: at that moment: the second finds what the first has left."""
    g = field({0: {"warrior": 2}, 1: {"warrior": 1}, 2: {"warrior": 1}}, age=2)
    g.glory(0, 3)
    fight(g, {1: "Loki's Backstab", 2: "Loki's Backstab"})
    assert [g.glory_of(s) for s in range(3)] == [3, 2, 1]


def test_two_trickeries_take_two():
    """rules 6.2.6: each takes one."""
    g = field({0: {"warrior": 2}, 1: {"warrior": 1}, 2: {"warrior": 1}})
    fight(g, {1: "Loki's Trickery", 2: "Loki's Trickery"})
    assert [g.rage_of(s) for s in range(3)] == [4, 7, 7]


@pytest.mark.parametrize("card", ["Loki's Backstab", "Loki's Trickery", "Loki's Poison"])
def test_tie_has_no_winner_to_take_from(card):
    """rules 6.2.6: with no winner, lost cards that speak of "the winner" do nothing."""
    g = field({0: {"warrior": 3}, 1: {"warrior": 1, "ship": 1}}, age=3)
    g.glory(0, 5)
    fight(g, {0: "Manheim", 1: card})  # 3 against 3
    assert dead(g, 0) == 3
    assert dead(g, 1) == 2
    assert g.glory_of(0) == 5
    assert g.glory_of(1) == 0
    assert g.rage_of(0) == g.rage_of(1) == 6
    assert g.hand_of(0) == [Card.MANHEIM_3]
    assert g.hand_of(1) == [g._card(card)]


@pytest.mark.parametrize("card", ["Thor's Hammer", "Thor's Oath", "Thor's Ascension", "Frigga's Grace"])
def test_tie_pays_no_victory_text(card):
    """rules 6.2.6: in a tie nothing is won."""
    strength = 2 if card == "Frigga's Grace" else 1
    g = field({0: {"warrior": 3 - strength}, 1: {"leader": 1}}, age=3)
    fight(g, {0: card})
    assert g.asked() == (1, Decision.ACTION)
    assert dead(g, 0) == 3 - strength
    assert g.glory_of(0) == 0
    assert g.rage_of(0) == 6
    assert [g.step_of(0, s) for s in Stat] == [1, 1, 1]
    assert g.hand_of(0) == [g._card(card)]


@pytest.mark.parametrize("card", ["Thor's Hammer", "Thor's Oath", "Thor's Ascension", "Frigga's Grace"])
def test_loser_gets_no_victory_text(card):
    """rules 6.2.6: the texts of victory are the winner's."""
    g = field({0: {"warrior": 1}, 1: {"leader": 1, "warrior": 1}}, age=3)
    fight(g, {0: card})
    assert g.asked() == (1, Decision.ACTION)
    assert g.glory_of(0) == 0
    assert g.rage_of(0) == 6
    assert [g.step_of(0, s) for s in Stat] == [1, 1, 1]


@pytest.mark.parametrize("card", ["Loki's Backstab", "Loki's Trickery", "Loki's Poison"])
def test_winner_takes_nothing_with_a_text_of_defeat(card):
    """rules 6.2.6: the texts of defeat are the losers'."""
    g = field({0: {"leader": 1}, 1: {"warrior": 1}}, age=3)
    g.glory(1, 5)
    fight(g, {0: card, 1: "Thor's Hammer"})
    assert g.glory_of(0) == 3
    assert g.glory_of(1) == 5
    assert g.rage_of(0) == g.rage_of(1) == 6
    assert g.discards() == [g._card(card)]
    assert g.hand_of(1) == [Card.THORS_HAMMER]


def test_judgement_valkyrie_glory_and_blessing_work_in_a_tie():
    """rules 6.2.6: they still work."""
    g = field({0: {"warrior": 2}, 1: {"Valkyrie": 1}, 2: {"warrior": 1}}, age=3)
    g.upgrade(0, "Loki's Blessing")
    g.upgrade(1, "Thor's Glory")
    fight(g, {0: "Odin's Judgement", 1: "Tyr's Bash"})  # 4, 4 and 1: four figures are destroyed
    assert g.asked() == (0, Decision.BLESSING)
    assert [dead(g, s) for s in range(3)] == [2, 1, 1]
    assert g.glory_of(0) == 8
    assert g.glory_of(1) == 6 + 2
    g.yes(0)
    assert g.figures(0, "warrior", "gimle") == 1
    assert not g.is_pillaged("gimle")


# ---- 6.2.7


def test_poison_takes_first_and_late_cards():
    """rules 6.2.7: every card that the winner has on the table, late cards too."""
    g = field({0: {"warrior": 1}, 1: {"warrior": 1}}, age=3)
    g.hand(0, "Heimdall's Eye", "Heimdall's Gaze")
    fight(g, {0: "Tyr's Bash", 1: "Loki's Poison"})
    g.card(0, "Heimdall's Gaze")
    g.no(0)
    assert g.hand_of(1) == sorted([Card.TYRS_BASH, Card.HEIMDALLS_GAZE, Card.LOKIS_POISON])
    assert g.hand_of(0) == [Card.HEIMDALLS_EYE]
    assert g.discards() == []


@pytest.mark.parametrize("card", ["Jotunheim", "Frost Giant", "Loki's Wrath"])
def test_poison_takes_quests_and_upgrades(card):
    """rules 6.2.7: quests and upgrades too."""
    g = field({0: {"warrior": 2}, 1: {"warrior": 1}}, age=3)
    fight(g, {0: card, 1: "Loki's Poison"})
    assert g.hand_of(1) == sorted([g._card(card), Card.LOKIS_POISON])
    assert g.discards() == []


def test_poison_leaves_the_other_losers_cards():
    """rules 6.2.7: the winner's cards, not another loser's."""
    g = field({0: {"leader": 1}, 1: {"warrior": 1}, 2: {"warrior": 1}}, age=3)
    fight(g, {0: "Thor's Hammer", 1: "Loki's Poison", 2: "Tyr's Bash"})
    assert g.hand_of(1) == sorted([Card.THORS_HAMMER, Card.LOKIS_POISON])
    assert g.hand_of(2) == [Card.TYRS_BASH]


def test_poison_leaves_what_the_watch_discarded():
    """rules 6.2.7 with 6.2.2: what is on the table."""
    g = field({0: {"warrior": 2}, 1: {"warrior": 1}}, age=3)
    g.hand(0, "Tyr's Bash")
    g.hand(1, "Loki's Poison")
    fight(g, {0: "Tyr's Rage", 1: "Heimdall's Watch"})
    assert g.hand_of(1) == sorted([Card.TYRS_BASH, Card.LOKIS_POISON])
    assert g.discards() == sorted([Card.TYRS_RAGE, Card.HEIMDALLS_WATCH])


def test_poisoned_hammer_still_pays():
    """rules 6.2.7: step 10 was before step 11; the winner keeps what its card paid."""
    g = field({0: {"warrior": 2}, 1: {"warrior": 1}}, age=3)
    fight(g, {0: "Thor's Hammer", 1: "Loki's Poison"})
    assert g.glory_of(0) == 6


def test_prowess_buys_back_any_number_for_one_rage_each():
    """rules 6.2.7: any number of those cards, 1 Rage each; the rest is discarded."""
    g = field({0: {"warrior": 2}, 1: {"warrior": 1}}, age=3)
    g.upgrade(0, "Tyr's Prowess")
    g.hand(0, "Heimdall's Eye", "Heimdall's Gaze")
    fight(g, {0: "Tyr's Bash"})
    g.card(0, "Heimdall's Eye")
    g.card(0, "Heimdall's Gaze")
    assert g.asked() == (0, Decision.BUY_BACK)
    assert g.hand_of(0) == []
    g.card(0, "Heimdall's Eye")
    assert g.asked() == (0, Decision.BUY_BACK)
    g.card(0, "Tyr's Bash")
    assert g.asked() == (1, Decision.ACTION)
    assert g.discards() == [Card.HEIMDALLS_GAZE]
    assert g.hand_of(0) == sorted([Card.HEIMDALLS_EYE, Card.TYRS_BASH])
    assert g.rage_of(0) == 4


def test_prowess_can_buy_everything():
    """rules 6.2.7: all of them, while the Rage lasts."""
    g = field({0: {"warrior": 2}, 1: {"warrior": 1}}, age=3)
    g.upgrade(0, "Tyr's Prowess")
    g.hand(0, "Heimdall's Eye", "Heimdall's Gaze")
    fight(g, {0: "Tyr's Bash"})
    g.card(0, "Heimdall's Eye")
    g.card(0, "Heimdall's Gaze")
    for card in (Card.HEIMDALLS_EYE, Card.HEIMDALLS_GAZE, Card.TYRS_BASH):
        g.card(0, card)
    assert g.rage_of(0) == 3
    assert g.discards() == []
    assert len(g.hand_of(0)) == 3
    assert g.asked() == (1, Decision.ACTION)


def test_prowess_is_bound_by_rage():
    """rules 6.2.7: 1 Rage each."""
    g = field({0: {"warrior": 2}, 1: {"warrior": 1}}, age=3)
    g.upgrade(0, "Tyr's Prowess")
    g.hand(0, "Heimdall's Gaze")
    g.rage(0, 1)
    fight(g, {0: "Tyr's Bash"})
    g.card(0, "Heimdall's Gaze")
    assert g.can_card("Tyr's Bash")
    g.card(0, "Heimdall's Gaze")
    assert g.rage_of(0) == 0
    assert g.discards() == [Card.TYRS_BASH]
    assert g.asked() == (1, Decision.ACTION)


def test_prowess_without_rage_is_not_asked():
    """rules 6.2.7: 1 Rage each: a winner without Rage buys nothing."""
    g = field({0: {"warrior": 1}, 1: {"warrior": 2}}, age=3)
    g.upgrade(1, "Tyr's Prowess")
    g.rage(1, 0)
    fight(g, {1: "Tyr's Bash"})
    assert g.asked() == (2, Decision.ACTION)
    assert g.discards() == [Card.TYRS_BASH]


@pytest.mark.parametrize("card", ["Jotunheim", "Frost Giant"])
def test_prowess_buys_back_quests_and_upgrades(card):
    """rules 6.2.7: any of those cards."""
    g = field({0: {"warrior": 2}, 1: {"warrior": 1}}, age=3)
    g.upgrade(0, "Tyr's Prowess")
    fight(g, {0: card})
    g.card(0, card)
    assert g.hand_of(0) == [g._card(card)]


@pytest.mark.parametrize("card", ["Tyr's Bash", "Alfheim", "Manheim", "Yggdrasil", "Frost Giant", "Tyr's Wrath"])
def test_prowess_declined_is_over(card):
    """rules 6.2.7, 6.1.7: what is not bought back is discarded, whatever the card; it is asked once."""
    g = field({0: {"warrior": 2}, 1: {"warrior": 1}}, age=3)
    g.upgrade(0, "Tyr's Prowess")
    fight(g, {0: card})
    assert g.asked() == (0, Decision.BUY_BACK)
    g.no(0)
    assert g.asked() == (1, Decision.ACTION)
    assert g.discards() == [g._card(card)]
    assert g.hand_of(0) == []


def test_prowess_stops_after_a_quest_is_left():
    """rules 6.2.7: a late card bought back, the counted quest left."""
    g = field({0: {"warrior": 2}, 1: {"warrior": 1}}, age=3)
    g.upgrade(0, "Tyr's Prowess", "Tyr's Domain")
    g.hand(0, "Heimdall's Gaze")
    fight(g, {0: "Manheim"})
    g.count(0, 3)
    g.card(0, "Heimdall's Gaze")
    g.card(0, "Heimdall's Gaze")
    g.no(0)
    assert g.asked() == (1, Decision.ACTION)
    assert g.discards() == [Card.MANHEIM_3]
    assert g.rage_of(0) == 5


def test_prowess_of_a_loser_is_no_use():
    """rules 6.2.7: if the winner has it."""
    g = field({0: {"warrior": 1}, 1: {"warrior": 2}}, age=3)
    g.upgrade(0, "Tyr's Prowess")
    fight(g, {0: "Odin's Judgement", 1: "Tyr's Crush"})
    assert g.asked() == (1, Decision.ACTION)
    assert g.rage_of(0) == 6
    assert g.discards() == [Card.TYRS_CRUSH]


# ---- 6.2.8


@pytest.mark.parametrize(
    ("token", "choices"),
    [
        ("rage", {"axes", "horns"}),
        ("axes", {"rage", "horns"}),
        ("horns", {"rage", "axes"}),
        ("glory", {"rage", "axes", "horns"}),
    ],
)
def test_grace_raises_another_stat_than_the_tokens(token, choices):
    """rules 6.2.8: a stat other than the token's; any stat if the token was 5 glory."""
    for choice in sorted(choices):
        g = field({0: {"warrior": 2}, 1: {"warrior": 1}})
        g.token("gimle", token)
        fight(g, {0: "Frigga's Grace"})
        assert {s for s in ("rage", "axes", "horns") if g.can_raise_stat(s)} == choices
        raise_stats(g, choice)
        assert g.step_of(0, choice) == 2
        assert sum(g.step_of(0, s) for s in Stat) == (4 if token == "glory" else 5)


def test_grace_pays_only_the_pillager():
    """rules 6.2.8: a defender who wins raises nothing."""
    g = field({0: {"warrior": 1}, 1: {"warrior": 2}})
    fight(g, {1: "Frigga's Grace"})
    assert g.asked() == (1, Decision.ACTION)
    assert [g.step_of(1, s) for s in Stat] == [1, 1, 1]


def test_grace_pays_once_with_the_frost_giant():
    """rules 6.2.8: once."""
    g = field({0: {"Frost Giant": 1}, 1: {"warrior": 1}}, age=3)
    fight(g, {0: "Frigga's Grace"})
    raise_stats(g, "axes")
    assert g.asked() == (1, Decision.ACTION)
    assert [g.step_of(0, s) for s in Stat] == [3, 2, 1]


def test_grace_pays_when_the_tokens_raise_was_lost():
    """rules 6.2.8: whether or not the token's own raise was lost; the token's stat is out all the same."""
    g = field({0: {"warrior": 2}, 1: {"warrior": 1}})
    g.stat(0, "rage", 6)
    fight(g, {0: "Frigga's Grace"})
    raise_stats(g, "horns")
    assert [g.step_of(0, s) for s in Stat] == [6, 1, 2]


def test_grace_does_not_fall_back_on_the_tokens_stat():
    """rules 6.2.8 with 6.3.20: among the stats allowed; if none can be raised, the raise is lost."""
    g = field({0: {"warrior": 2}, 1: {"warrior": 1}})
    g.stat(0, "axes", 6)
    g.stat(0, "horns", 6)
    fight(g, {0: "Frigga's Grace"})
    assert g.asked() == (1, Decision.ACTION)
    assert [g.step_of(0, s) for s in Stat] == [2, 6, 6]


def test_grace_works_in_tyrs_challenge():
    """rules 6.2.8 with 6.3.6: a successful pillage of a pillaged province pays it too."""
    g = field({0: {"warrior": 2}, 1: {"warrior": 1}}, age=2)
    g.upgrade(0, "Tyr's Challenge")
    g.pillaged("gimle")
    fight(g, {0: "Frigga's Grace"})
    raise_stats(g, "axes")
    assert [g.step_of(0, s) for s in Stat] == [2, 2, 1]


# ---- 6.2.9


def test_rage_of_ascension_may_exceed_the_stat_and_is_spent_now():
    """rules 6.2.9: no upper limit; it can be spent in this Age."""
    g = field({0: {"warrior": 2}, 1: {"warrior": 1}}, age=3)
    g.rage(1, 0)
    g.rage(2, 0)
    g.rage(0, 12)
    fight(g, {0: "Thor's Ascension"})
    assert g.rage_of(0) == 15
    assert g.glory_of(0) == 6
    assert g.asked() == (0, Decision.ACTION)
    g.invade(0, "warrior", "elvagar")
    assert g.rage_of(0) == 14
