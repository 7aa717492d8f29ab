"""Rules 5: the end of the game."""

import pytest
from scenario import Scenario

from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine.ids import Decision, Source


def scores(g: Scenario) -> list[int]:
    return [int(n) for n in engine.scores(g.states, 0)]


def test_the_game_ends_after_the_third_age():
    """rules 5: not after the second one."""
    g = Scenario(players=2, age=2)
    g.end_action_phase()
    assert not engine.is_over(g.states, 0)
    assert g.asked()[1] == Decision.DRAFT
    g = Scenario(players=2, age=3)
    g.end_action_phase()
    assert engine.is_over(g.states, 0)
    assert engine.seat_to_act(g.states, 0) == engine.GAME_OVER
    assert not engine.legal_mask(g.states, 0).any()


@pytest.mark.parametrize("stat", ["rage", "axes", "horns"])
@pytest.mark.parametrize(("step", "bonus"), list(enumerate([0, 0, 0, 10, 10, 20], start=1)))
def test_stats_pay_at_the_end(step, bonus, stat):
    """rules 5, rules 1.5: step 4 or 5 is worth 10, step 6 is worth 20."""
    g = Scenario(players=3, age=3)
    g.glory(1, 5)
    g.stat(1, stat, step)
    g.end_action_phase()
    assert g.from_source(1, Source.END_BONUS) == bonus
    assert scores(g) == [0, 5 + bonus, 0]


def test_end_example_rage_and_axes():
    """rules 5: the rulebooks' example: Rage +10 and Axes +20 make +30."""
    g = Scenario(players=4, age=3)
    g.stat(2, "rage", 4)
    g.stat(2, "axes", 6)
    g.stat(2, "horns", 3)
    g.glory(2, 41)
    g.end_action_phase()
    assert g.glory_of(2) == 71
    assert scores(g) == [0, 0, 71, 0]


@pytest.mark.parametrize("age", [1, 2])
def test_stats_pay_nothing_before_the_end(age):
    """rules 5: only after the third Age."""
    g = Scenario(players=2, age=age)
    g.stat(0, "rage", 6)
    g.upgrade(0, "Thor's Conquest")
    g.put(0, "warrior", "gimle")
    g.end_action_phase()
    assert g.glory_of(0) == 0


def test_a_step_gained_by_a_quest_of_the_last_age_counts():
    """rules 5: Horns rise from step 3 to 4 in 3.4: 11 for the quest, 10 for the stat."""
    g = Scenario(players=2, age=3)
    g.stat(0, "horns", 3)
    g.put(0, "warrior", "yggdrasil")
    g.quest(0, "Yggdrasil")
    g.end_action_phase()
    g.raise_stat(0, "horns")
    assert scores(g) == [21, 0]


def test_thors_conquest_counts_figures_in_provinces_and_fjords():
    """rules 5: 3 each for a warrior, the leader, a ship and a monster; not those that Ragnarok took."""
    g = Scenario(players=2, age=3)
    g.doomed("utgard")
    g.upgrade(0, "Thor's Conquest", "Troll")
    g.put(0, "warrior", "gimle")
    g.put(0, "leader", "yggdrasil")
    g.put(0, "ship", "fjord_gimle_myrkulor")
    g.put(0, "monster_1", "elvagar")
    g.put(0, "warrior", "utgard")
    g.put(0, "warrior", "valhalla", 2)
    g.put(1, "warrior", "gimle", 2)
    g.end_action_phase()
    assert g.from_source(0, Source.RAGNAROK) == 4
    assert scores(g) == [4 + 4 * 3, 0]


def test_valhalla_is_released_before_the_end():
    """rules 5, rules 3.6: Loki's Wrath still pays for its figures in the third Age."""
    g = Scenario(players=2, age=3)
    g.upgrade(0, "Loki's Wrath")
    g.put(0, "warrior", "valhalla", 2)
    g.end_action_phase()
    assert scores(g) == [6, 0]
    assert g.figures(0, "warrior", "reserve") == 8


def test_the_most_glory_wins_and_equal_glory_shares_the_victory():
    """rules 5: the scores are the glory, without a tie-breaker."""
    g = Scenario(players=3, age=3)
    g.glory(0, 20)
    g.glory(1, 30)
    g.glory(2, 30)
    g.rage(1, 2)
    g.hand(2, "Tyr's Bash")
    g.put(1, "warrior", "gimle", 2)
    g.end_action_phase()
    assert scores(g) == [20, 30, 30]
