"""rules 6.3.15 to 6.3.17: pairs in arms, leader upgrades, the Frost Giant."""

import pytest
from clans import ACTS, alone, assert_strength, rival
from fights import dead, fight
from scenario import Scenario

from bloodrage_env.games.bloodrage.engine.ids import Decision

NEXT = (1, Decision.ACTION)


# ---- 6.3.15 Brothers and Masters in Arms
PAIRS = [
    ("Brothers in Arms", 1, 1),
    ("Brothers in Arms", 2, 3),
    ("Brothers in Arms", 3, 4),
    ("Brothers in Arms", 4, 6),
    ("Masters in Arms", 1, 2),
    ("Masters in Arms", 2, 6),
    ("Masters in Arms", 3, 8),
    ("Masters in Arms", 4, 12),
]


@pytest.mark.parametrize(("title", "warriors", "strength"), PAIRS)
def test_pairs_within_the_province(title, warriors, strength):
    """rules 6.3.15: counted two by two, an odd warrior has the printed STR."""

    def band(g):
        g.upgrade(0, title)
        g.put(0, "warrior", "gimle", warriors)

    assert_strength(band, strength)


def test_pairs_do_not_reach_over_a_border():
    """rules 6.3.15: within one province; one warrior each in Gimle, Myrkulor and Yggdrasil."""

    def band(g):
        g.upgrade(0, "Brothers in Arms")
        for province in ("gimle", "myrkulor", "yggdrasil"):
            g.put(0, "warrior", province)

    g = Scenario(2)
    band(g)
    rival(g, 1, "gimle", 1)
    g.pillage(0, "gimle")
    while g.asked() == (0, Decision.CALL):
        g.no(0)
    assert dead(g, 0) == 1
    assert not g.is_pillaged("gimle")


@pytest.mark.parametrize(("title", "price"), [("Brothers in Arms", 1), ("Masters in Arms", 2)])
def test_pairs_invade_one_by_one(title, price):
    """rules 6.3.15: the price to Invade stays the printed STR."""
    g = alone()
    g.upgrade(0, title)
    for n in (1, 2):
        g.invade(0, "warrior", "gimle")
        assert g.rage_of(0) == 6 - n * price


def test_pairs_are_counted_after_smite():
    """rules 6.3.15: at step 9: Smite leaves one Brother of two, STR 1 against 2."""
    g = Scenario(2, seat=1)
    g.upgrade(0, "Brothers in Arms")
    g.put(0, "warrior", "gimle", 2)
    g.put(1, "warrior", "gimle")
    g.hand(1, "Odin's Smite")
    g.pillage(1, "gimle")
    assert g.is_pillaged("gimle")
    assert dead(g, 0) == 2


@pytest.mark.parametrize(
    ("title", "warriors", "enemies", "met"),
    [
        ("Brothers in Arms", 2, 2, True),
        ("Brothers in Arms", 2, 3, False),
        ("Masters in Arms", 2, 3, True),
        ("Masters in Arms", 1, 2, False),
        ("Masters in Arms", 1, 1, True),
    ],
)
def test_pairs_in_quests(title, warriors, enemies, met):
    """rules 6.3.15: in quests as in battle, in Angerboda of Manheim."""
    g = alone()
    g.upgrade(0, title)
    g.put(0, "warrior", "angerboda", warriors)
    g.put(1, "warrior", "angerboda", enemies)
    g.quest(0, "Manheim")
    g.end_action_phase()
    assert (g.asked()[1] == Decision.STAT) == met
    assert g.glory_of(0) == 5 * met


def test_pairs_of_two_provinces_in_quests():
    """rules 6.3.15: one Brother in each of two provinces are not a pair: one against one is not a majority."""
    g = alone()
    g.upgrade(0, "Brothers in Arms")
    for province in ("elvagar", "angerboda"):
        g.put(0, "warrior", province)
        g.put(1, "warrior", province)
    g.quest(0, "Manheim")
    g.end_action_phase()
    assert g.glory_of(0) == 0


# ---- 6.3.16 leader upgrades
LORDS = [("Lord of Axes", Decision.STAT, [2, 1, 1]), ("Lord of Hammers", Decision.LEADER_MOVE, [2, 1, 1])]


@pytest.mark.parametrize(("title", "decision", "steps"), LORDS)
def test_leader_upgrade_on_an_unopposed_pillage(title, decision, steps):
    """rules 6.3.16: unopposed counts; the token comes first."""
    g = Scenario(2)
    g.upgrade(0, title)
    g.put(0, "leader", "gimle")
    g.pillage(0, "gimle")
    assert g.asked() == (0, decision)
    assert g.steps_of(0) == steps


@pytest.mark.parametrize("title", ["Lord of Hammers", "Lord of Axes", "Lord of Spears"])
def test_leader_upgrade_needs_the_leader_there(title):
    """rules 6.3.16: a pillage without him, next to him, pays nothing more."""
    g = Scenario(2)
    g.upgrade(0, title)
    g.put(0, "leader", "myrkulor")
    g.put(0, "warrior", "gimle")
    g.pillage(0, "gimle")
    g.decline_calls()
    assert g.steps_of(0) == [2, 1, 1]
    assert g.asked() == NEXT


@pytest.mark.parametrize("title", ["Lord of Hammers", "Lord of Axes", "Lord of Spears"])
def test_leader_upgrade_needs_its_own_clans_successful_pillage(title):
    """rules 6.3.16: neither a lost pillage nor a battle won against the pillager."""
    g = Scenario(2)
    g.upgrade(0, title)
    g.put(0, "leader", "gimle")
    g.put(1, "warrior", "gimle", 4)
    g.pillage(0, "gimle")
    assert g.asked() == NEXT
    g = Scenario(2, seat=1)
    g.upgrade(0, title)
    g.put(0, "leader", "gimle")
    g.put(1, "warrior", "gimle")
    g.pillage(1, "gimle")
    assert g.asked() == ACTS
    assert g.glory_of(0) == 3
    assert g.steps_of(0) == [1, 1, 1]


def test_leader_killed_by_tide_lifts_nothing():
    """rules 6.3.16: he must be in the province at step 13."""
    g = Scenario(2)
    g.upgrade(0, "Lord of Spears", "Fire Giant")
    g.put(0, "leader", "gimle")
    g.put(0, "monster_1", "gimle")
    g.put(1, "warrior", "gimle")
    g.hand(0, "Odin's Tide")
    g.pillage(0, "gimle")
    g.choose(0, "monster_1", "gimle")
    assert g.is_pillaged("gimle")
    assert g.steps_of(0) == [2, 1, 1]


def test_a_leader_who_answers_the_call_lifts():
    """rules 6.3.16: in the province at step 13 is enough."""
    g = Scenario(2)
    g.upgrade(0, "Lord of Spears")
    g.put(0, "leader", "myrkulor")
    g.put(0, "warrior", "gimle")
    g.pillage(0, "gimle")
    assert g.asked() == (0, Decision.CALL)
    g.choose(0, "leader", "myrkulor")
    assert g.steps_of(0) == [3, 2, 2]


def _hammers_in_utgard():
    """A full Utgard won against a ship, whose clan has the Blessing."""
    g = Scenario(2)
    g.upgrade(0, "Lord of Hammers")
    g.upgrade(1, "Loki's Blessing")
    g.put(0, "leader", "utgard")
    g.put(0, "warrior", "utgard", 2)
    g.put(1, "ship", "fjord_utgard_andlang")
    g.pillage(0, "utgard")
    assert g.asked() == (0, Decision.LEADER_MOVE)
    return g


def test_lord_of_hammers_moves_before_the_blessing():
    """rules 6.3.16: before steps 14 to 16: his village is free for the loser's warrior, or it isn't."""
    g = _hammers_in_utgard()
    assert g.glory_of(0) == 0  # step 14 comes later
    g.province(0, "horgr")
    assert g.glory_of(0) == 3
    assert g.asked() == (1, Decision.BLESSING)
    g.yes(1)
    assert (g.figures(1, "warrior", "utgard"), g.figures(0, "leader", "horgr")) == (1, 1)
    g = _hammers_in_utgard()
    g.no(0)
    assert g.asked() == NEXT


def test_lord_of_hammers_moves_to_adjacent_provinces_with_room():
    """rules 6.3.16: adjacent, standing, an empty village; Yggdrasil always."""
    g = Scenario(2)
    g.upgrade(0, "Lord of Hammers")
    g.put(0, "leader", "gimle")
    g.put(1, "warrior", "myrkulor", 3)
    g.pillage(0, "gimle")
    g.decline_calls()
    assert g.asked() == (0, Decision.LEADER_MOVE)
    targets = [p for p in ("andlang", "myrkulor", "utgard", "gimle", "yggdrasil") if g.can_province(p)]
    assert targets == ["andlang", "yggdrasil"]


def test_lord_of_hammers_move_is_neither_invade_nor_march():
    """rules 6.3.16: no Succor, no Thor's Domain, no Rage, no Horns, and only once."""
    g = Scenario(2)
    g.upgrade(0, "Lord of Hammers", "Frigga's Succor", "Thor's Domain")
    g.put(0, "leader", "gimle")
    g.put(0, "warrior", "horgr", 3)
    g.pillage(0, "gimle")
    g.province(0, "andlang")
    assert g.asked() == NEXT
    assert g.figures(0, "leader", "andlang") == 1
    assert g.rage_of(0) == 6


def test_lord_of_hammers_leaves_valkyrie_and_thors_glory_as_they_are():
    """rules 6.3.16: steps 14 and 15 look at the battle, not at where he stands now."""
    g = Scenario(2)
    g.upgrade(0, "Lord of Hammers", "Valkyrie", "Thor's Glory")
    g.put(0, "leader", "gimle")
    g.put(0, "monster_1", "gimle")
    g.put(1, "warrior", "gimle", 2)
    g.pillage(0, "gimle")
    g.province(0, "yggdrasil")
    assert g.glory_of(0) == 3 + 2 * 2 + 2


def test_leader_upgrade_steps_count_for_the_battle_glory():
    """rules 6.3.16: step 13 comes before step 14: Axes 4."""
    g = Scenario(2)
    g.upgrade(0, "Lord of Axes")
    g.put(0, "leader", "gimle")
    g.put(1, "warrior", "gimle")
    g.pillage(0, "gimle")
    g.raise_stat(0, "axes")
    assert g.glory_of(0) == 4


# ---- 6.3.17 the Frost Giant
TOKENS = [
    ("gimle", "rage", [3, 1, 1], 0),
    ("gimle", "axes", [1, 3, 1], 0),
    ("gimle", "horns", [1, 1, 3], 0),
    ("gimle", "glory", [1, 1, 1], 10),
    ("yggdrasil", "all_stats", [3, 3, 3], 0),
]


@pytest.mark.parametrize(("place", "token", "steps", "glory"), TOKENS)
def test_frost_giant_takes_the_reward_twice(place, token, steps, glory):
    """rules 6.3.17: every token; Yggdrasil's raises each stat two steps (6.1.8); unopposed counts."""
    g = alone()
    g.upgrade(0, "Frost Giant")
    g.token(place, token)
    g.put(0, "monster_1", place)
    g.pillage(0, place)
    assert g.steps_of(0) == steps
    assert g.glory_of(0) == glory


def test_frost_giant_doubles_nothing_else():
    """rules 6.3.17: not Grace, not the leader upgrade, not the battle glory."""
    g = Scenario(2)
    g.upgrade(0, "Frost Giant", "Lord of Axes")
    g.put(0, "monster_1", "gimle")
    g.put(0, "leader", "gimle")
    g.put(1, "warrior", "gimle")
    fight(g, {0: "Frigga's Grace"})
    g.raise_stat(0, "horns")  # Grace
    g.raise_stat(0, "horns")  # Lord of Axes
    assert g.steps_of(0) == [3, 1, 3]
    assert g.glory_of(0) == 3
    assert g.asked() == NEXT


def test_frost_giant_must_be_in_the_province():
    """rules 6.3.17: in the province at step 13; a lost battle or another's pillage pays nothing."""
    g = alone()
    g.upgrade(0, "Frost Giant")
    g.put(0, "monster_1", "myrkulor")
    g.put(0, "warrior", "gimle")
    g.put(0, "warrior", "horgr")
    g.pillage(0, "horgr")
    assert g.steps_of(0) == [2, 1, 1]


def test_frost_giant_that_wins_against_the_pillager_takes_nothing():
    """rules 6.3.17: the reward is the pillager's."""
    g = Scenario(2, seat=1)
    g.upgrade(0, "Frost Giant")
    g.put(0, "monster_1", "gimle")
    g.put(1, "warrior", "gimle")
    g.pillage(1, "gimle")
    assert g.steps_of(0) == [1, 1, 1]
    assert g.glory_of(0) == 3


def test_frost_giant_killed_by_tide_doubles_nothing():
    """rules 6.3.17: the owner keeps the leader, the giant is gone at step 13."""
    g = Scenario(2)
    g.upgrade(0, "Frost Giant")
    g.put(0, "monster_1", "gimle")
    g.put(0, "leader", "gimle")
    g.put(1, "warrior", "gimle")
    g.hand(0, "Odin's Tide")
    g.pillage(0, "gimle")
    g.choose(0, "leader", "gimle")
    assert g.is_pillaged("gimle")
    assert g.steps_of(0) == [2, 1, 1]
