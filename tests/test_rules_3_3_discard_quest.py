"""Rules 3.3 and 3.4: the Discard and the Quest phase."""

import pytest
from ages import draft
from scenario import Scenario

from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine.card_ids import Card
from bloodrage_env.games.bloodrage.engine.ids import Decision, Phase, Source


def cards(g: Scenario) -> set[str]:
    return {card.name for card in Card if g.can_card(card)}


def test_one_card_at_most_is_kept():
    """rules 3.3: each clan with cards names the one it keeps, or none; the rest is gone."""
    g = Scenario(players=3)
    g.hand(0, "Troll", "Tyr's Bash", "Manheim")
    g.hand(2, "Valkyrie")
    g.end_action_phase()
    assert int(g.state.phase) == Phase.DISCARD
    assert g.asked() == (0, Decision.KEEP_CARD)
    assert cards(g) == {"TROLL", "TYRS_BASH", "MANHEIM_1"}
    assert g.can_no()
    g.card(0, "Manheim")
    assert g.asked() == (2, Decision.KEEP_CARD)
    assert g.can_no()
    g.no(2)
    assert int(g.state.age) == 1
    draft(g)
    assert Card.MANHEIM_1 in g.hand_of(0)
    assert [int(g.state.hand_size[seat]) for seat in range(3)] == [7, 6, 6]
    assert Card.TROLL not in g.hand_of(0)
    assert Card.VALKYRIE not in g.hand_of(2)


@pytest.mark.parametrize("age", [1, 2])
@pytest.mark.parametrize("card", ["Frigga's Grace", "Heimdall's Sight", "Tyr's Wrath", "Manheim"])
def test_any_card_may_be_kept_in_the_first_two_ages(card, age):
    """rules 3.3: battle cards, upgrades and quests: one copy of it."""
    g = Scenario(players=2, age=age)
    g.hand(1, card, card, "Troll")
    g.end_action_phase()
    assert g.asked() == (1, Decision.KEEP_CARD)
    g.card(1, card)
    kept = g.hand_of(1)
    draft(g)
    assert len(kept) == 1
    assert kept[0] in g.hand_of(1)
    assert len(g.hand_of(1)) == 7
    assert int(g.state.age) == age


def test_discards_lie_face_down():
    """rules 3.3: the open pile doesn't show them."""
    g = Scenario(players=2)
    g.hand(0, "Troll", "Tyr's Bash")
    g.hand(1, "Valkyrie", "Tyr's Bash")
    g.end_action_phase()
    g.card(0, "Troll")
    g.no(1)
    assert g.discards() == []


def test_everyone_discards_at_the_same_time():
    """rules 3.3: no hand has changed before the last clan has chosen."""
    g = Scenario(players=2)
    g.hand(0, "Troll", "Tyr's Bash")
    g.hand(1, "Valkyrie", "Tyr's Bash")
    g.end_action_phase()
    g.no(0)
    assert [int(n) for n in g.state.hand_size[:2]] == [2, 2]
    g.no(1)
    assert [int(n) for n in g.state.hand_size[:2]] == [0, 0]


def test_in_the_third_age_all_cards_are_discarded():
    """rules 3.3: nobody is asked; the game runs to its end."""
    g = Scenario(players=2, age=3)
    g.hand(0, "Troll", "Tyr's Bash")
    g.hand(1, "Valkyrie")
    g.end_action_phase()
    assert g.asked() == (engine.GAME_OVER, Decision.NONE)
    assert [int(n) for n in g.state.hand_size[:2]] == [0, 0]


def test_a_kept_card_is_kept_for_one_age_only():
    """rules 3.3: what was kept in Age 1 and played in Age 2 doesn't come back in Age 3."""
    g = Scenario(players=2)
    g.hand(0, "Troll")
    g.end_action_phase()
    g.card(0, "Troll")
    draft(g)
    g.state.hand[:] = 0
    g.go()
    g.end_action_phase()
    draft(g)
    assert int(g.state.age) == 2
    assert [int(n) for n in g.state.hand_size[:2]] == [6, 6]
    assert Card.TROLL not in g.hand_of(0)


def test_committed_quests_are_not_in_the_hand():
    """rules 3.3: they don't stand in the way of keeping a card, and are revealed in 3.4."""
    g = Scenario(players=2)
    g.quest(0, "Yggdrasil")
    g.put(0, "warrior", "yggdrasil")
    g.hand(0, "Troll")
    g.end_action_phase()
    assert cards(g) == {"TROLL"}
    g.card(0, "Troll")
    assert g.asked() == (0, Decision.STAT)
    g.raise_stat(0, "axes")
    assert g.from_source(0, Source.QUEST) == 6
    draft(g)
    assert Card.TROLL in g.hand_of(0)


def manheim_example(blue_warriors: int) -> Scenario:
    """Yellow is seat 0, Red 1, Blue 2: Elvagar 3 against 3, Angerboda 2 against Blue's warriors."""
    g = Scenario(players=3)
    g.put(1, "warrior", "elvagar", 3)
    g.put(0, "warrior", "elvagar")
    g.put(0, "ship", "fjord_elvagar_angerboda")
    g.put(2, "warrior", "angerboda", blue_warriors)
    g.quest(0, "Manheim")
    g.end_action_phase()
    return g


def test_quest_example_manheim():
    """rules 3.4: a tie in Elvagar; 2 against 1 in Angerboda is most: 5 glory, and Horns are chosen."""
    g = manheim_example(1)
    assert g.asked() == (0, Decision.STAT)
    assert all(g.can_raise_stat(stat) for stat in ("rage", "axes", "horns"))
    g.raise_stat(0, "horns")
    assert g.from_source(0, Source.QUEST) == 5
    assert g.glory_of(0) == 5
    assert g.steps_of(0) == [1, 1, 2]


def test_quest_example_with_two_ties():
    """rules 3.4: 3 against 3 and 2 against 2: a tie is not the most, the quest fails."""
    g = manheim_example(2)
    assert g.asked()[1] == Decision.DRAFT
    assert g.glory_of(0) == 0
    assert g.steps_of(0) == [1, 1, 1]


def test_a_quest_that_fails_costs_nothing():
    """rules 3.4: it is discarded, that is all."""
    g = Scenario(players=2)
    g.glory(0, 4)
    g.quest(0, "Jotunheim")
    g.end_action_phase()
    assert g.glory_of(0) == 4
    assert int(g.state.quest_count[0]) == 0


@pytest.mark.parametrize(("mine", "theirs", "met"), [(1, 0, True), (2, 1, True), (2, 2, False), (1, 2, False)])
def test_most_is_strictly_more_than_every_other_clan(mine, theirs, met):
    """rules 3.4: warriors against warriors in Yggdrasil."""
    g = Scenario(players=3)
    g.put(0, "warrior", "yggdrasil", mine)
    g.put(2, "warrior", "yggdrasil", theirs)
    g.quest(0, "Yggdrasil")
    g.end_action_phase()
    assert (g.asked() == (0, Decision.STAT)) == met


def test_the_others_are_not_added_up():
    """rules 3.4: 2 against 1, 1 and 1 is the most."""
    g = Scenario(players=4)
    g.put(0, "warrior", "yggdrasil", 2)
    for seat in (1, 2, 3):
        g.put(seat, "warrior", "yggdrasil")
    g.quest(0, "Yggdrasil")
    g.end_action_phase()
    assert g.asked() == (0, Decision.STAT)


def test_nobody_there_is_never_the_most():
    """rules 3.4: STR 0 in a whole empty region meets no quest."""
    g = Scenario(players=2)
    g.quest(0, "Manheim", "Jotunheim", "Alfheim", "Yggdrasil")
    g.end_action_phase()
    assert g.asked()[1] == Decision.DRAFT
    assert g.glory_of(0) == 0


def test_the_doomed_province_still_counts():
    """rules 3.4: quests come before Ragnarok."""
    g = Scenario(players=2)
    g.doomed("gimle")
    g.put(0, "warrior", "gimle")
    g.quest(0, "Alfheim")
    g.end_action_phase()
    g.raise_stat(0, "axes")
    assert g.from_source(0, Source.QUEST) == 5
    assert g.from_source(0, Source.RAGNAROK) == 2


def test_one_province_meets_several_quests_and_like_quests_pay_twice():
    """rules 3.4: two Jotunheim of Age 2 and a kept one of Age 1, all met in Horgr: 7 + 7 + 5, three steps."""
    g = Scenario(players=2, age=2)
    g.put(0, "warrior", "horgr")
    g.quest(0, "Jotunheim", "Jotunheim", Card.JOTUNHEIM_1)
    g.end_action_phase()
    for stat in ("rage", "rage", "horns"):
        g.raise_stat(0, stat)
    assert g.from_source(0, Source.QUEST) == 19
    assert g.steps_of(0) == [3, 1, 2]


@pytest.mark.parametrize("dead", [3, 4, 5])
def test_glorious_death(dead):
    """rules 3.4: four or more own figures in Valhalla, of any kind."""
    g = Scenario(players=2)
    g.put(0, "leader", "valhalla")
    g.put(0, "ship", "valhalla")
    g.put(0, "warrior", "valhalla", dead - 2)
    g.put(1, "warrior", "valhalla", 4)
    g.quest(0, "Glorious Death")
    g.end_action_phase()
    assert (g.asked() == (0, Decision.STAT)) == (dead >= 4)
    if dead >= 4:
        g.raise_stat(0, "rage")
    assert g.glory_of(0) == (6 if dead >= 4 else 0)


def test_glorious_death_is_checked_before_ragnarok():
    """rules 3.4: figures that Ragnarok is about to destroy don't count yet."""
    g = Scenario(players=2)
    g.doomed("gimle")
    g.put(0, "warrior", "valhalla", 3)
    g.put(0, "warrior", "gimle", 2)
    g.quest(0, "Glorious Death")
    g.end_action_phase()
    assert g.asked()[1] == Decision.DRAFT
    assert g.glory_of(0) == 4
    assert g.from_source(0, Source.RAGNAROK) == 4


def test_all_quests_are_discarded():
    """rules 3.4: met or not, in the open; none is left for the next Age."""
    g = Scenario(players=2)
    g.put(0, "warrior", "yggdrasil")
    g.quest(0, "Yggdrasil", "Manheim")
    g.quest(1, "Alfheim")
    g.end_action_phase()
    g.raise_stat(0, "axes")
    assert [int(n) for n in g.state.quest_count[:2]] == [0, 0]
    assert g.discards() == [Card.ALFHEIM_1, Card.MANHEIM_1, Card.YGGDRASIL_1]


def test_several_clans_choose_from_the_first_player_clockwise():
    """rules 3.4, rules 6.1.2: seats 2, 0, 1 with first player 2."""
    g = Scenario(players=3, seat=2)
    for seat, province in ((0, "elvagar"), (1, "utgard"), (2, "gimle")):
        g.put(seat, "leader", province)
    for seat, quest in ((0, "Manheim"), (1, "Jotunheim"), (2, "Alfheim")):
        g.quest(seat, quest)
    g.end_action_phase()
    for seat in (2, 0, 1):
        assert g.asked() == (seat, Decision.STAT)
        g.raise_stat(seat, "horns")
    assert [g.from_source(seat, Source.QUEST) for seat in range(3)] == [5, 5, 5]


def test_a_stat_on_its_last_step_cannot_be_chosen():
    """rules 3.4, rules 6.3.20: two are left, then one, which is raised without a question, then none."""
    g = Scenario(players=2)
    g.put(0, "warrior", "yggdrasil")
    g.stat(0, "rage", 6)
    g.stat(0, "axes", 5)
    g.stat(0, "horns", 5)
    g.quest(0, *["Yggdrasil"] * 3)
    g.end_action_phase()
    assert g.asked() == (0, Decision.STAT)
    assert not g.can_raise_stat("rage")
    g.raise_stat(0, "axes")
    assert g.asked()[1] == Decision.DRAFT
    assert g.steps_of(0) == [6, 6, 6]
    assert g.from_source(0, Source.QUEST) == 18


def test_strength_of_upgrades_counts_for_quests():
    """rules 3.4: a warrior of STR 2 beats one of STR 1."""
    g = Scenario(players=2)
    g.upgrade(0, "Experts in Arms")
    g.put(0, "warrior", "gimle")
    g.put(1, "warrior", "gimle")
    g.quest(0, "Alfheim")
    g.end_action_phase()
    assert g.asked() == (0, Decision.STAT)


def test_the_ship_supports_two_provinces_for_quests():
    """rules 3.4, rules 1.3: alone in the fjord it has the most in Utgard and in Andlang."""
    g = Scenario(players=2)
    g.put(0, "ship", "fjord_utgard_andlang")
    g.quest(0, "Alfheim", "Jotunheim")
    g.end_action_phase()
    g.raise_stat(0, "axes")
    g.raise_stat(0, "axes")
    assert g.from_source(0, Source.QUEST) == 10
