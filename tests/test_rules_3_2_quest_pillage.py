"""Rules 3.2.8 and 3.2.9: committing to a quest, and what may be pillaged."""

import pytest
from ages import FJORDS, PROVINCES
from scenario import Scenario

from bloodrage_env.games.bloodrage.engine.card_ids import Card
from bloodrage_env.games.bloodrage.engine.ids import Decision


def test_committing_to_a_quest_is_free():
    """rules 3.2.8: the card leaves the hand, no Rage is paid, the turn is over."""
    g = Scenario(players=2)
    g.hand(0, "Manheim", "Tyr's Bash")
    g.play(0, "Manheim")
    assert g.rage_of(0) == 6
    assert g.hand_of(0) == [Card.TYRS_BASH]
    assert int(g.state.hand_size[0]) == 1
    assert g.quests_of(0) == [Card.MANHEIM_1]
    assert g.discards() == []
    assert g.asked() == (1, Decision.ACTION)


def test_any_number_of_quests_also_two_of_one_kind():
    """rules 3.2.8: six quests in one Age, two of them alike."""
    cards = ("Manheim", "Manheim", "Jotunheim", "Alfheim", "Yggdrasil", "Glorious Death")
    g = Scenario(players=2)
    g.passed(1)
    g.hand(0, *cards)
    for card in cards:
        g.play(0, card)
    assert int(g.state.quest_count[0]) == 6
    assert g.hand_of(0) == []
    assert g.rage_of(0) == 6


def test_a_quest_that_cannot_be_met_may_be_committed():
    """rules 3.2.8: both provinces of Alfheim are destroyed."""
    g = Scenario(players=2)
    g.destroyed("andlang", "gimle")
    g.hand(0, "Alfheim")
    g.play(0, "Alfheim")
    assert int(g.state.quest_count[0]) == 1


def test_a_quest_of_an_earlier_age_may_be_committed():
    """rules 3.2.8: the kept Manheim of Age 1 in Age 2."""
    g = Scenario(players=2, age=2)
    g.hand(0, Card.MANHEIM_1)
    g.play(0, Card.MANHEIM_1)
    assert g.quests_of(0) == [Card.MANHEIM_1]


def test_a_committed_quest_is_no_card_of_the_hand():
    """rules 3.2.8: it can't be played in a battle; the clan has no card then."""
    g = Scenario(players=2)
    g.put(0, "leader", "gimle")
    g.put(1, "warrior", "gimle")
    g.hand(0, "Manheim")
    g.play(0, "Manheim")
    g.pass_(1)
    g.pillage(0, "gimle")
    assert g.is_pillaged("gimle")
    assert g.quests_of(0) == [Card.MANHEIM_1]
    assert g.discards() == []


@pytest.mark.parametrize("province", PROVINCES)
def test_only_a_province_with_an_own_figure_can_be_pillaged(province):
    """rules 3.2.9: neither the neighbours nor those of other clans."""
    g = Scenario(players=2)
    g.put(0, "warrior", province)
    for other in PROVINCES:
        if other != province:
            g.put(1, "warrior", other)
            break
    assert [p for p in PROVINCES if g.can_pillage(p)] == [province]


@pytest.mark.parametrize(("fjord", "supported"), FJORDS.items())
def test_a_ship_alone_will_do(fjord, supported):
    """rules 3.2.9: it pillages either province of its fjord, one action each."""
    g = Scenario(players=2)
    g.passed(1)
    g.put(0, "ship", fjord)
    for province in supported:
        g.pillage(0, province)
        assert g.is_pillaged(province)
    assert not any(g.can_pillage(p) for p in PROVINCES)


def test_a_pillage_is_free():
    """rules 3.2.9: with 1 Rage left it is still 1 afterwards."""
    g = Scenario(players=2)
    g.rage(0, 1)
    g.put(0, "warrior", "gimle")
    g.pillage(0, "gimle")
    assert g.rage_of(0) == 1
    assert g.is_pillaged("gimle")


def test_a_province_is_pillaged_once_an_age():
    """rules 3.2.9: by whomever."""
    g = Scenario(players=2)
    g.put(0, "warrior", "yggdrasil")
    g.put(1, "warrior", "gimle")
    g.pillaged("yggdrasil", "gimle")
    assert not any(g.can_pillage(p) for p in PROVINCES)
    g.pass_(0)
    assert g.asked() == (1, Decision.ACTION)
    assert not any(g.can_pillage(p) for p in PROVINCES)


def test_a_pillage_that_failed_may_be_tried_again():
    """rules 3.2.9, rules 4.7: the province isn't pillaged; the other clan may, and so may the first."""
    g = Scenario(players=2)
    g.put(0, "warrior", "utgard")
    g.put(1, "leader", "utgard")
    g.pillage(0, "utgard")
    assert not g.is_pillaged("utgard")
    assert g.asked() == (1, Decision.ACTION)
    assert g.can_pillage("utgard")
    g.pass_(1)
    g.invade(0, "warrior", "utgard")
    assert g.can_pillage("utgard")
    g.pillage(0, "utgard")
    assert g.figures(0, "warrior", "valhalla") == 2


def test_nobody_can_pillage_without_a_figure():
    """rules 3.2.9: an empty board, and figures in Valhalla, pillage nothing."""
    g = Scenario(players=2)
    g.put(0, "warrior", "valhalla", 3)
    assert not any(g.can_pillage(p) for p in PROVINCES)
