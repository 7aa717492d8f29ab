"""Rules 4.7 and 4.8: what a pillage and a won battle pay."""

import pytest
from fights import FJORD, field, fight, raise_stats

from bloodrage_env.games.bloodrage.engine.ids import Decision, Source, Stat, Token

# ---- 4.7 the reward


def test_pillager_who_wins_gets_token_and_glory():
    """rules 4.7: the province is pillaged, the reward gained, glory equal to Axes."""
    g = field({0: {"warrior": 2}, 1: {"warrior": 1}})
    g.pillage(0, "gimle")
    assert g.is_pillaged("gimle")
    assert g.step_of(0, "rage") == 2
    assert g.glory_of(0) == 3
    assert g.from_source(0, Source.BATTLE) == 3
    assert g.glory_of(1) == 0


def test_defender_who_wins_gets_glory_but_no_token():
    """rules 4.7: the winner, whoever it is, gains glory equal to Axes; no pillage."""
    g = field({0: {"warrior": 1}, 1: {"warrior": 2}})
    g.stat(1, "axes", 3)
    g.pillage(0, "gimle")
    assert not g.is_pillaged("gimle")
    assert g.glory_of(1) == 5
    assert [g.step_of(1, s) for s in Stat] == [1, 3, 1]
    assert [g.step_of(0, s) for s in Stat] == [1, 1, 1]


@pytest.mark.parametrize(("step", "glory"), [(1, 3), (2, 4), (3, 5), (4, 6), (5, 8), (6, 8)])
def test_battle_glory_is_the_axes_value(step, glory):
    """rules 4.7: glory equal to the Axes value."""
    g = field({0: {"warrior": 2}, 1: {"warrior": 1}})
    g.stat(0, "axes", step)
    g.pillage(0, "gimle")
    assert g.glory_of(0) == glory


def test_province_may_be_tried_again_after_a_failed_pillage():
    """rules 4.7: otherwise it may be tried again, by anyone, the same Age."""
    g = field({0: {"warrior": 1}, 1: {"warrior": 2}})
    g.put(0, "warrior", "elvagar")
    g.pillage(0, "gimle")
    assert g.asked() == (1, Decision.ACTION)
    assert g.can_pillage("gimle")
    g.pillage(1, "gimle")
    assert g.is_pillaged("gimle")
    assert g.step_of(1, "rage") == 2


def test_first_pillager_may_try_again():
    """rules 4.7: by anyone, the one who failed too."""
    g = field({0: {"warrior": 1}, 1: {"warrior": 1}})
    g.rage(1, 0)
    g.rage(2, 0)
    g.pillage(0, "gimle")  # a tie
    assert g.asked() == (0, Decision.ACTION)
    g.invade(0, "leader", "gimle")
    g.pillage(0, "gimle")
    assert g.is_pillaged("gimle")


def test_pillaged_province_cannot_be_pillaged_again():
    """rules 4.7 with 3.2.9: the token is face down until the Age's end."""
    g = field({0: {"warrior": 1}})
    g.put(1, "ship", FJORD["gimle"])
    g.pillaged("gimle")
    g.go()
    assert not g.can_pillage("gimle")
    g.pass_(0)
    assert not g.can_pillage("gimle")
    assert g.can_pillage("myrkulor")


def test_axes_token_counts_for_this_battle():
    """rules 4.7: every Axes step won in this battle before counts: the token."""
    g = field({0: {"warrior": 2}, 1: {"warrior": 1}})
    g.token("gimle", "axes")
    g.pillage(0, "gimle")
    assert g.step_of(0, "axes") == 2
    assert g.glory_of(0) == 4


def test_axes_step_of_the_oath_counts_for_this_battle():
    """rules 4.7: Thor's Oath, also of a winner who is not the pillager."""
    g = field({0: {"warrior": 1}, 1: {"warrior": 2}}, age=2)
    fight(g, {1: "Thor's Oath"})
    raise_stats(g, "axes")
    assert g.glory_of(1) == 4


def test_axes_step_of_the_grace_counts_for_this_battle():
    """rules 4.7: Frigga's Grace."""
    g = field({0: {"warrior": 1}, 1: {"warrior": 1}})
    fight(g, {0: "Frigga's Grace"})
    raise_stats(g, "axes")
    assert g.glory_of(0) == 4


@pytest.mark.parametrize(("lord", "asked", "glory"), [("Lord of Axes", True, 4), ("Lord of Spears", False, 4)])
def test_axes_step_of_the_leader_upgrade_counts_for_this_battle(lord, asked, glory):
    """rules 4.7: the leader upgrade."""
    g = field({0: {"leader": 1}, 1: {"warrior": 1}}, age=3)
    g.upgrade(0, lord)
    g.pillage(0, "gimle")
    if asked:
        raise_stats(g, "axes")
    assert g.glory_of(0) == glory


def test_all_axes_steps_of_one_battle_add_up():
    """rules 4.7: token of Yggdrasil, Grace and leader upgrade together: three steps, 6 glory."""
    g = field({0: {"leader": 1}, 1: {"warrior": 1}}, "yggdrasil", age=3)
    g.upgrade(0, "Lord of Spears")
    fight(g, {0: "Frigga's Grace"}, "yggdrasil")
    raise_stats(g, "axes")
    assert g.step_of(0, "axes") == 4
    assert g.glory_of(0) == 6


# ---- 4.8 rewards


@pytest.mark.parametrize(
    ("token", "steps", "glory"),
    [
        (Token.RAGE, [2, 1, 1], 0),
        (Token.AXES, [1, 2, 1], 0),
        (Token.HORNS, [1, 1, 2], 0),
        (Token.GLORY, [1, 1, 1], 5),
    ],
)
def test_reward_of_an_outer_token(token, steps, glory):
    """rules 4.8: Rage, Axes, Horns: one step; 5 glory."""
    g = field({0: {"warrior": 1}})
    g.token("gimle", token)
    g.pillage(0, "gimle")
    assert [g.step_of(0, s) for s in Stat] == steps
    assert g.glory_of(0) == glory
    assert g.from_source(0, Source.PILLAGE) == glory


def test_reward_of_yggdrasil():
    """rules 4.8: one step on all three."""
    g = field({0: {"warrior": 1}}, "yggdrasil")
    g.pillage(0, "yggdrasil")
    assert [g.step_of(0, s) for s in Stat] == [2, 2, 2]
    assert g.glory_of(0) == 0
    assert g.is_pillaged("yggdrasil")


def test_yggdrasil_raises_axes_before_battle_glory():
    """rules 4.8: Axes count at once."""
    g = field({0: {"warrior": 2}, 1: {"warrior": 1}}, "yggdrasil")
    g.pillage(0, "yggdrasil")
    assert g.glory_of(0) == 4


@pytest.mark.parametrize("token", ["rage", "axes", "horns"])
def test_stat_on_its_last_step_gains_nothing(token):
    """rules 4.8: a stat on its last step gains nothing more."""
    g = field({0: {"warrior": 1}})
    g.token("gimle", token)
    g.stat(0, token, 6)
    g.pillage(0, "gimle")
    assert g.step_of(0, token) == 6
    assert sum(g.step_of(0, s) for s in Stat) == 8
    assert g.is_pillaged("gimle")
    assert g.glory_of(0) == 0


def test_yggdrasil_raises_the_stats_that_can_be_raised():
    """rules 4.8: the last step stays, the others rise."""
    g = field({0: {"warrior": 1}}, "yggdrasil")
    g.stat(0, "axes", 6)
    g.pillage(0, "yggdrasil")
    assert [g.step_of(0, s) for s in Stat] == [2, 6, 2]


def test_raised_rage_gives_no_rage_in_this_age():
    """rules 4.8: Rage from the next Age on."""
    g = field({0: {"warrior": 1}})
    g.rage(0, 2)
    g.pillage(0, "gimle")
    assert g.stat_of(0, "rage") == 7
    assert g.rage_of(0) == 2


def test_raised_horns_count_at_once():
    """rules 4.8: Horns count at once."""
    g = field({0: {"warrior": 4}})
    g.token("gimle", "horns")
    g.rage(1, 0)
    g.rage(2, 0)
    g.go()
    assert not g.can_invade("warrior", "elvagar")
    g.pillage(0, "gimle")
    assert g.stat_of(0, "horns") == 5
    assert g.can_invade("warrior", "elvagar")
    g.invade(0, "warrior", "elvagar")
    assert not g.can_invade("warrior", "elvagar")
