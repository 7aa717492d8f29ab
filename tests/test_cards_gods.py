"""Every clause of the gods Odin, Thor, Tyr, Frigga and Loki (rules 6.4.5.7 to 6.4.5.10, 6.4.5.12 to 6.4.5.14)."""

import pytest
from fights import dead, fight, show
from gods import GODS, battle, stage
from scenario import Scenario

from bloodrage_env.games.bloodrage.engine.card_ids import Card
from bloodrage_env.games.bloodrage.engine.ids import Decision, Place, Source

FJORD = "fjord_gimle_myrkulor"


def gods_glory(g: Scenario) -> list[int]:
    """What gods have paid to each clan."""
    return [g.from_source(seat, Source.GODS) for seat in range(g.players)]


def axes_glory(g: Scenario) -> list[int]:
    """The battle glory of each clan."""
    return [g.from_source(seat, Source.BATTLE) for seat in range(g.players)]


# ---- Odin


def test_odin_pays_the_token_twice():
    """rules 6.4.5.8: the reward of the token once more, in an unopposed pillage too."""
    g = stage("odin", {0: {"warrior": 1}})
    g.pillage(0, "gimle")
    assert g.steps_of(0) == [3, 1, 1]


def test_odin_pays_after_a_battle():
    """rules 6.4.5.8"""
    g = battle("odin", {0: {"leader": 1}, 1: {"warrior": 1}}, {0: "Tyr's Bash", 1: "Tyr's Bash"})
    assert g.steps_of(0) == [3, 1, 1]


def test_odin_pays_nothing_to_a_defender():
    """rules 6.4.5.8: only a successful pillage takes the token."""
    g = battle("odin", {0: {"warrior": 1}, 1: {"leader": 1}}, {0: "Tyr's Bash", 1: "Tyr's Bash"})
    assert g.steps_of(1) == [1, 1, 1]
    assert not g.is_pillaged("gimle")


@pytest.mark.parametrize(("token", "glory"), [("glory", 10), ("axes", 0)])
def test_odin_repeats_every_kind_of_token(token, glory):
    """rules 6.4.5.8: five glory twice."""
    g = stage("odin", {0: {"warrior": 1}})
    g.token("gimle", token)
    g.pillage(0, "gimle")
    assert g.from_source(0, Source.PILLAGE) == glory
    assert g.step_of(0, "axes") == (1 if glory else 3)


def test_odin_with_the_frost_giant():
    """rules 6.4.5.8: three times in all."""
    g = stage("odin", {0: {"Frost Giant": 1}})
    g.pillage(0, "gimle")
    assert g.step_of(0, "rage") == 4


def test_odin_in_yggdrasil():
    """rules 6.4.5.8: each stat goes up two steps, three with the Frost Giant."""
    for figures, steps in (({"warrior": 1}, 3), ({"Frost Giant": 1}, 4)):
        g = stage("odin", {0: figures}, "yggdrasil")
        g.pillage(0, "yggdrasil")
        assert g.steps_of(0) == [steps] * 3


def test_odin_counts_with_tyrs_challenge():
    """rules 6.4.5.8: where the token is taken already, it pays twice again."""
    g = stage("odin", {0: {"warrior": 1}})
    g.upgrade(0, "Tyr's Challenge")
    g.pillaged("gimle")
    g.pillage(0, "gimle")
    assert g.steps_of(0) == [3, 1, 1]


def test_odin_repeats_nothing_but_the_token():
    """rules 6.4.5.8: neither Frigga's Grace nor a leader upgrade."""
    g = battle(
        "odin", {0: {"leader": 1}, 1: {"warrior": 1}}, {0: "Frigga's Grace", 1: "Loki's Trickery"},
        upgrades={0: "Lord of Axes"}, age=2,
    )  # fmt: skip
    raised = 0
    while g.asked() == (0, Decision.STAT):
        g.raise_stat(0, "horns")
        raised += 1
    assert raised == 2
    assert g.step_of(0, "rage") == 3


def test_odin_works_in_his_province_alone():
    """rules 6.4.5.7"""
    g = stage("odin", {0: {"warrior": 1}})
    g.put(0, "warrior", "utgard")
    g.pillage(0, "utgard")
    assert g.steps_of(0) == [2, 1, 1]


# ---- Thor


def test_thor_pays_the_winner_for_enemies():
    """rules 6.4.5.9: 2 glory for each enemy figure destroyed, beside the battle glory."""
    g = battle("thor", {0: {"leader": 1}, 1: {"warrior": 2, "ship": 1}}, {0: "Tyr's Rage", 1: "Tyr's Bash"})
    assert gods_glory(g) == [6, 0, 0]
    assert axes_glory(g) == [3, 0, 0]


def test_thor_pays_a_defender_who_wins():
    """rules 6.4.5.9: pillager or not."""
    g = battle("thor", {0: {"warrior": 1}, 1: {"leader": 1}}, {0: "Tyr's Bash", 1: "Tyr's Bash"})
    assert gods_glory(g) == [0, 2, 0]


def test_thor_counts_from_the_reveal_on_whoever_destroyed():
    """rules 6.4.5.9: a loser's Smite takes a warrior of a third clan; its own losses pay nothing."""
    g = battle(
        "thor", {0: {"leader": 1, "warrior": 1}, 1: {"warrior": 1}, 2: {"warrior": 1}},
        {0: "Tyr's Rage", 1: "Odin's Smite", 2: "Tyr's Bash"}, age=3,
    )  # fmt: skip
    assert [dead(g, seat) for seat in range(3)] == [1, 1, 1]
    assert gods_glory(g) == [4, 0, 0]


def test_thor_pays_nobody_in_a_tie():
    """rules 6.4.5.9: nobody wins, nobody gains."""
    g = battle("thor", {0: {"warrior": 1}, 1: {"warrior": 1}}, {0: "Tyr's Bash", 1: "Tyr's Bash"})
    assert [dead(g, seat) for seat in (0, 1)] == [1, 1]
    assert gods_glory(g) == [0, 0, 0]


def test_thor_pays_nothing_for_what_was_saved():
    """rules 6.4.5.9: a figure saved by Protection was not destroyed."""
    g = stage("thor", {0: {"leader": 1}, 1: {"warrior": 2}})
    g.upgrade(1, "Frigga's Protection")
    fight(g, {0: "Tyr's Rage", 1: "Tyr's Bash"})
    g.count(1, 1)
    assert gods_glory(g) == [2, 0, 0]


def test_thor_pays_nothing_for_an_escape():
    """rules 6.4.5.9: the Witch who leaves was not destroyed."""
    g = stage("thor", {0: {"leader": 1}, 1: {"Volur Witch": 1, "warrior": 1}})
    fight(g, {0: "Tyr's Rage", 1: "Tyr's Bash"})
    g.yes(1)
    assert gods_glory(g) == [2, 0, 0]


def test_thor_adds_to_valkyrie_judgement_and_thors_glory():
    """rules 6.4.5.9: two enemies pay 4 of Thor's, 2 of Thor's Glory, and what the Valkyrie and Judgement pay."""
    figures = {0: {"leader": 1, "Valkyrie": 1}, 1: {"warrior": 2}}
    paid = []
    for god in ("thor", "odin"):
        g = stage(god, figures)
        g.upgrade(0, "Thor's Glory")
        fight(g, {0: "Odin's Judgement", 1: "Tyr's Bash"})
        paid.append((g.from_source(0, Source.UPGRADES), g.from_source(0, Source.BATTLE_CARDS), gods_glory(g)[0]))
    assert paid[0][:2] == paid[1][:2]
    assert all(paid[0][:2])
    assert (paid[0][2], paid[1][2]) == (4, 0)


# ---- Tyr


def test_tyr_lets_only_cards_count():
    """rules 6.4.5.10: leader, ship and monster are worth nothing: 3 of a card beat 2."""
    g = battle(
        "tyr",
        {0: {"warrior": 1}, 1: {"leader": 1, "ship": 1, "Sea Serpent": 1}},
        {0: "Tyr's Smash", 1: "Tyr's Bash"},
        age=2,
    )
    assert g.is_pillaged("gimle")
    assert dead(g, 1) == 3


def test_tyr_makes_a_clan_without_a_card_worth_nothing():
    """rules 6.4.5.10: 0 against 0 is a tie."""
    g = stage("tyr", {0: {"leader": 1}, 1: {"warrior": 1}})
    g.pillage(0, "gimle")
    assert not g.is_pillaged("gimle")
    assert [dead(g, seat) for seat in (0, 1)] == [1, 1]


def test_tyr_counts_a_quest_that_tyrs_domain_counts():
    """rules 6.4.5.10: a counted quest is a card: 3 beat 2."""
    g = stage("tyr", {0: {"warrior": 1}, 1: {"leader": 1}})
    g.upgrade(0, "Tyr's Domain")
    fight(g, {0: "Alfheim", 1: "Tyr's Bash"})
    g.count(0, 3)
    assert g.is_pillaged("gimle")


def test_tyr_leaves_the_wolfman_nothing_to_do():
    """rules 6.4.5.10: the Wolfman's own STR is nothing as well."""
    g = battle("tyr", {0: {"Wolfman": 1}, 1: {"warrior": 1}}, {0: "Tyr's Bash", 1: "Tyr's Bash"}, age=2)
    assert not g.is_pillaged("gimle")


def test_tyr_reaches_ships_of_the_fjord_in_his_province_alone():
    """rules 6.4.5.7, 6.4.5.10: a ship counts in the battle for the other province of its fjord."""
    for place, wins in (("gimle", False), ("myrkulor", True)):
        g = Scenario(2, sets=GODS)
        g.god("tyr", "gimle")
        g.put(0, "ship", FJORD)
        g.put(1, "warrior", place)
        fight(g, {0: "Tyr's Bash", 1: "Tyr's Bash"}, place)
        assert g.is_pillaged(place) == wins


def test_tyr_leaves_prices_and_quests_alone():
    """rules 6.4.5.10: to invade costs the STR, and a quest is met by it."""
    g = Scenario(2, sets=GODS)
    g.god("tyr", "gimle")
    g.quest(0, "Alfheim")
    g.put(0, "warrior", "andlang", 2)
    g.invade(0, "warrior", "gimle")
    assert g.rage_of(0) == 5
    g.pass_(1)
    g.end_action_phase()
    assert g.asked() == (0, Decision.STAT)


# ---- Frigga


def test_frigga_keeps_the_losers():
    """rules 6.4.5.12: who wins, the token, the cards and battle glory are as usual; nobody dies."""
    g = battle("frigga", {0: {"leader": 1}, 1: {"warrior": 2, "ship": 1}}, {0: "Tyr's Rage", 1: "Tyr's Bash"})
    assert g.is_pillaged("gimle")
    assert axes_glory(g) == [3, 0, 0]
    assert (dead(g, 1), g.figures(1, "warrior", "gimle"), g.figures(1, "ship", FJORD)) == (0, 2, 1)
    assert Card.TYRS_RAGE in g.discards()
    assert Card.TYRS_BASH in g.hand_of(1)


def test_frigga_keeps_all_in_a_tie():
    """rules 6.4.5.12"""
    g = battle("frigga", {0: {"warrior": 1}, 1: {"warrior": 1}}, {0: "Tyr's Bash", 1: "Tyr's Bash"})
    assert not g.is_pillaged("gimle")
    assert [dead(g, seat) for seat in (0, 1)] == [0, 0]


def test_frigga_leaves_smite_its_strength():
    """rules 6.4.5.12: its text does nothing, its +STR stays."""
    g = battle("frigga", {0: {"warrior": 1}, 1: {"warrior": 1}}, {0: "Odin's Smite", 1: "Loki's Trickery"}, age=3)
    assert dead(g, 1) == 0
    assert g.is_pillaged("gimle")


def test_frigga_stops_the_tide():
    """rules 6.4.5.12: nobody names a figure to keep."""
    g = stage("frigga", {0: {"warrior": 2}, 1: {"warrior": 3}})
    fight(g, {0: "Odin's Tide", 1: "Tyr's Bash"})
    assert g.asked()[1] != Decision.KEEP_FIGURE
    assert [dead(g, seat) for seat in (0, 1)] == [0, 0]


def test_frigga_leaves_nothing_to_pay_for():
    """rules 6.4.5.12: no Dragons, Judgement, Valkyrie, Thor's Glory; nothing to save."""
    g = stage("frigga", {0: {"leader": 1, "Valkyrie": 1}, 1: {"warrior": 2, "ship": 1}})
    g.upgrade(0, "Thor's Glory")
    g.upgrade(1, "Fire Dragons", "Frigga's Protection")
    fight(g, {0: "Odin's Judgement", 1: "Tyr's Bash"})
    assert g.asked()[1] != Decision.SAVE
    assert g.is_pillaged("gimle")
    paid = [g.from_source(seat, source) for seat in (0, 1) for source in (Source.UPGRADES, Source.BATTLE_CARDS)]
    assert paid == [0] * 4


def test_frigga_keeps_the_witch_where_she_is():
    """rules 6.4.5.12: nobody needs to leave."""
    g = stage("frigga", {0: {"leader": 1}, 1: {"Volur Witch": 1}})
    fight(g, {0: "Tyr's Rage", 1: "Tyr's Bash"})
    assert g.asked()[1] == Decision.GOD_MOVE
    assert g.figures(1, "monster_1", "gimle") == 1


def test_blessing_needs_a_village_at_friggas():
    """rules 6.4.5.12: in a full province the losers' figures leave no room for Loki's Blessing."""
    for warriors, asked in ((4, Decision.GOD_MOVE), (3, Decision.BLESSING)):
        g = stage("frigga", {0: {"leader": 1}, 1: {"warrior": warriors}})
        g.upgrade(1, "Loki's Blessing")
        fight(g, {0: "Tyr's Rage", 1: "Loki's Trickery"})
        assert g.is_pillaged("gimle")
        assert g.asked()[1] == asked


def test_frigga_shields_in_battles_alone():
    """rules 6.4.5.13: the Troll kills in her province."""
    g = stage("frigga", {1: {"warrior": 2}})
    g.upgrade(0, "Troll")
    g.invade(0, "monster_1", "gimle")
    assert dead(g, 1) == 2


def test_sacrifice_kills_at_friggas():
    """rules 6.4.5.13"""
    g = stage("frigga", {0: {"warrior": 2}})
    g.upgrade(0, "Frigga's Sacrifice")
    g.sacrifice(0)
    assert dead(g, 0) == 2


def test_ragnarok_kills_at_friggas():
    """rules 6.4.5.13: and she is off the board then (rules 6.4.5.4)."""
    g = stage("frigga", {0: {"warrior": 2}}, age=3)
    g.doomed("gimle")
    g.end_action_phase()
    while g.asked()[1] != Decision.NONE:
        g.answer(g.asked()[0], g.legal_actions()[0])
    assert g.from_source(0, Source.RAGNAROK) == 8
    assert (g.state.god_in == -1).all()


# ---- Loki


def test_loki_pays_the_losers():
    """rules 6.4.5.14: each its own Axes, the winner none; the token is the pillager's as usual."""
    g = stage("loki", {0: {"leader": 1}, 1: {"warrior": 1}, 2: {"warrior": 1}})
    g.stat(2, "axes", 4)
    fight(g, {0: "Tyr's Rage", 1: "Tyr's Bash", 2: "Tyr's Bash"})
    assert gods_glory(g) == [0, 3, 6]
    assert axes_glory(g) == [0, 0, 0]
    assert g.steps_of(0) == [2, 1, 1]


def test_loki_pays_all_in_a_tie():
    """rules 6.4.5.14: all have lost."""
    g = battle("loki", {0: {"warrior": 1}, 1: {"warrior": 1}}, {0: "Tyr's Bash", 1: "Tyr's Bash"})
    assert gods_glory(g) == [3, 3, 0]


def test_loki_pays_a_clan_that_lost_all_its_figures():
    """rules 6.4.5.14: its last figure died to Smite, and it stays in the battle."""
    g = battle("loki", {0: {"leader": 1}, 1: {"warrior": 1}}, {0: "Odin's Smite", 1: "Tyr's Bash"}, age=3)
    assert gods_glory(g) == [0, 3, 0]


def test_loki_pays_a_pillager_who_loses():
    """rules 6.4.5.14"""
    g = battle("loki", {0: {"warrior": 1}, 1: {"leader": 1}}, {0: "Tyr's Bash", 1: "Tyr's Bash"})
    assert gods_glory(g) == [3, 0, 0]
    assert axes_glory(g) == [0, 0, 0]


def test_loki_pays_the_axes_of_that_moment():
    """rules 6.4.5.14: the value at step 14, with what was raised in this battle: the winner's is of no use."""
    g = stage("loki", {0: {"leader": 1}, 1: {"warrior": 1}})
    g.token("gimle", "axes")
    fight(g, {0: "Tyr's Rage", 1: "Tyr's Bash"})
    assert g.step_of(0, "axes") == 2
    assert gods_glory(g) == [0, 3, 0]


def test_loki_leaves_texts_alone():
    """rules 6.4.5.14: what speaks of winning or losing works as usual."""
    g = battle("loki", {0: {"leader": 1}, 1: {"warrior": 1}}, {0: "Thor's Hammer", 1: "Loki's Trickery"})
    with_loki = g.from_source(0, Source.BATTLE_CARDS), g.rage_of(0), g.rage_of(1)
    g = battle("odin", {0: {"leader": 1}, 1: {"warrior": 1}}, {0: "Thor's Hammer", 1: "Loki's Trickery"})
    assert with_loki == (g.from_source(0, Source.BATTLE_CARDS), g.rage_of(0), g.rage_of(1))
    assert with_loki[0] > 0


def test_loki_pays_nothing_without_a_battle():
    """rules 6.4.5.14: an unopposed pillage is none."""
    g = stage("loki", {0: {"warrior": 1}})
    g.pillage(0, "gimle")
    assert gods_glory(g) == [0, 0, 0]


def test_a_god_next_door_does_nothing():
    """rules 6.4.5.7: a battle over the other province of the fjord, fought with a ship, is as usual."""
    for god in ("thor", "frigga", "loki", "odin"):
        g = Scenario(2, sets=GODS)
        g.god(god, "gimle")
        g.put(0, "ship", FJORD)
        g.put(0, "warrior", "myrkulor")
        g.put(1, "warrior", "myrkulor")
        fight(g, {0: "Tyr's Bash", 1: "Tyr's Bash"}, "myrkulor")
        assert (dead(g, 1), axes_glory(g), gods_glory(g), g.steps_of(0)) == (1, [3, 0], [0, 0], [2, 1, 1])


def test_a_god_works_for_a_ship_in_the_fjord():
    """rules 6.4.5.7: a clan that fights with its ship alone gains by Loki, and keeps the ship by Frigga."""
    for god, lost, glory in (("loki", 1, 3), ("frigga", 0, 0)):
        g = battle(god, {0: {"leader": 1}, 1: {"ship": 1}}, {0: "Tyr's Rage", 1: "Tyr's Bash"}, players=2)
        assert (dead(g, 1), gods_glory(g)[1]) == (lost, glory)


def test_the_late_cards_and_the_hand_are_as_usual():
    """rules 6.4.5.12: with Frigga a loser may add late cards and takes them back."""
    g = stage("frigga", {0: {"leader": 1}, 1: {"warrior": 1}})
    g.hand(0, "Tyr's Rage")
    g.hand(1, "Tyr's Bash", "Heimdall's Eye")
    g.pillage(0, "gimle")
    g.decline_calls()
    show(g, {0: "Tyr's Rage", 1: "Tyr's Bash"})
    g.card(1, "Heimdall's Eye")
    assert sorted(g.hand_of(1)) == sorted([Card.TYRS_BASH, Card.HEIMDALLS_EYE])
    assert g.figures(1, "warrior", Place.GIMLE) == 1
