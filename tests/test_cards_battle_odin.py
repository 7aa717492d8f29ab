"""Every battle card of Loki, Odin and Thor, clause by clause (see test_cards_battle.py)."""

import pytest
from fights import dead, field, fight, raise_stats

from bloodrage_env.games.bloodrage.engine.card_ids import Card
from bloodrage_env.games.bloodrage.engine.ids import CardSet, Decision, Source, Stat

HERE = "angerboda"
FJORD = "fjord_elvagar_angerboda"


def arena(figures, age=3, seat=2):
    return field(figures, HERE, players=4, age=age, seat=seat)


def battle(g, cards, pillager=2):
    fight(g, cards, HERE, pillager=pillager)


# ---- Loki


@pytest.mark.parametrize("winner", [2, 3])
def test_lokis_trickery_takes_a_rage(winner):
    """rules 6.2.6: Loki's Trickery: defeat: 1 Rage moves from the winner to the card player."""
    g = arena({winner: {"leader": 1}, 5 - winner: {"warrior": 1}, 0: {"warrior": 1}})
    battle(g, {5 - winner: "Loki's Trickery"})
    assert g.rage_of(winner) == 5
    assert g.rage_of(5 - winner) == 7
    assert g.rage_of(0) == 6
    assert g.hand_of(5 - winner) == [Card.LOKIS_TRICKERY]


def test_lokis_trickery_takes_no_more_than_there_is():
    """rules 6.2.6: Loki's Trickery: at most what the winner has."""
    g = arena({2: {"warrior": 1}, 3: {"leader": 1}})
    g.rage(3, 0)
    battle(g, {2: "Loki's Trickery"})
    assert (g.rage_of(2), g.rage_of(3)) == (6, 0)


def test_lokis_trickery_is_nothing_in_victory():
    """rules 6.2.6: Loki's Trickery: defeat bonus."""
    g = arena({2: {"leader": 1}, 3: {"warrior": 1}})
    battle(g, {2: "Loki's Trickery"})
    assert (g.rage_of(2), g.rage_of(3)) == (6, 6)
    assert g.discards() == [Card.LOKIS_TRICKERY]


@pytest.mark.parametrize("winner", [2, 3])
def test_lokis_backstab_takes_two_glory(winner):
    """rules 6.2.6: Loki's Backstab: defeat: 2 Glory move from the winner to the card player."""
    g = arena({winner: {"leader": 1}, 5 - winner: {"warrior": 1}, 0: {"warrior": 1}})
    for seat in range(4):
        g.glory(seat, 10)
    battle(g, {5 - winner: "Loki's Backstab"})
    assert g.glory_of(winner) == 10 - 2 + 3
    assert g.glory_of(5 - winner) == 12
    assert g.glory_of(0) == g.glory_of(1) == 10
    assert g.hand_of(5 - winner) == [Card.LOKIS_BACKSTAB]


@pytest.mark.parametrize("had", [0, 1])
def test_lokis_backstab_takes_no_more_than_there_is(had):
    """rules 6.2.6: Loki's Backstab: at most what the winner has."""
    g = arena({2: {"warrior": 1}, 3: {"leader": 1}})
    g.glory(3, had)
    battle(g, {2: "Loki's Backstab"})
    assert (g.glory_of(2), g.glory_of(3)) == (had, 3)


def test_lokis_backstab_is_nothing_in_victory():
    """rules 6.2.6: Loki's Backstab: defeat bonus."""
    g = arena({2: {"leader": 1}, 3: {"warrior": 1}})
    g.glory(3, 10)
    battle(g, {2: "Loki's Backstab"})
    assert (g.glory_of(2), g.glory_of(3)) == (3, 10)


def test_lokis_poison_takes_the_winners_cards_into_the_hand():
    """rules 6.2.7: Loki's Poison: all the winner's cards on the table, late ones included, not discarded."""
    g = arena({2: {"leader": 1}, 3: {"warrior": 1}, 0: {"warrior": 1}})
    g.hand(2, "Heimdall's Gaze")
    battle(g, {2: "Tyr's Bash", 3: "Loki's Poison", 0: "Tyr's Smash"})
    g.card(2, "Heimdall's Gaze")
    assert g.hand_of(3) == sorted([Card.TYRS_BASH, Card.HEIMDALLS_GAZE, Card.LOKIS_POISON])
    assert g.hand_of(2) == []
    assert g.hand_of(0) == [Card.TYRS_SMASH]
    assert g.discards() == []


def test_lokis_poison_takes_a_defenders_cards():
    """rules 6.2.7: Loki's Poison: the winner's, whoever it is."""
    g = arena({2: {"warrior": 1}, 3: {"leader": 1}})
    battle(g, {2: "Loki's Poison", 3: "Thor's Primacy"})
    assert g.hand_of(2) == [Card.LOKIS_POISON]  # without its text
    g = arena({2: {"warrior": 1}, 3: {"leader": 1}})
    battle(g, {2: "Loki's Poison", 3: "Thor's Ascension"})
    assert g.hand_of(2) == sorted([Card.LOKIS_POISON, Card.THORS_ASCENSION])
    assert g.glory_of(3) == 6


@pytest.mark.parametrize(("pillager", "winner", "first", "second"), [(2, 2, 4, 0), (2, 2, 3, 1), (2, 3, 2, 0)])
def test_the_first_of_two_poisons_takes_all(pillager, winner, first, second):
    """rules 6.2.7, 6.1.2: the first from the pillager clockwise; the second takes nothing."""
    figures = {winner: {"leader": 1}, first: {"warrior": 1}, second: {"warrior": 1}}
    g = field(figures, HERE, players=5, age=3, seat=pillager, sets=1 << CardSet.P5)
    battle(g, {winner: "Tyr's Bash", first: "Loki's Poison", second: "Loki's Poison"}, pillager)
    assert g.hand_of(first) == sorted([Card.TYRS_BASH, Card.LOKIS_POISON])
    assert g.hand_of(second) == [Card.LOKIS_POISON]
    assert g.hand_of(winner) == g.discards() == []


def test_lokis_poison_is_nothing_in_victory():
    """rules 6.2.7: Loki's Poison: defeat bonus."""
    g = arena({2: {"leader": 1}, 3: {"warrior": 1}})
    battle(g, {2: "Loki's Poison", 3: "Tyr's Bash"})  # 3 against 3: a tie
    assert g.hand_of(2) == [Card.LOKIS_POISON]
    assert g.hand_of(3) == [Card.TYRS_BASH]
    g = arena({2: {"leader": 1, "warrior": 1}, 3: {"warrior": 1}})
    battle(g, {2: "Loki's Poison", 3: "Tyr's Bash"})
    assert g.hand_of(3) == [Card.TYRS_BASH]
    assert g.discards() == [Card.LOKIS_POISON]


# ---- Odin


def test_odins_smite_takes_a_warrior_of_each_opposing_clan():
    """rules 6.2.4: Odin's Smite: each opposing clan loses one of its Warriors in the contested province."""
    g = arena({2: {"warrior": 1}, 3: {"warrior": 2}, 0: {"warrior": 2}})
    g.put(3, "warrior", "elvagar")
    g.hand(2, "Heimdall's Eye")
    g.hand(2, "Odin's Smite")
    g.pillage(2, HERE)
    g.decline_calls()
    g.card(2, "Odin's Smite")
    assert g.asked() == (2, Decision.LATE_CARD)
    assert [g.figures(s, "warrior", HERE) for s in (2, 3, 0)] == [1, 1, 1]
    assert g.figures(3, "warrior", "elvagar") == 1


def test_odins_smite_takes_no_other_figure():
    """rules 6.2.4: Odin's Smite: a Warrior, if any."""
    g = arena({2: {"leader": 1}, 3: {"leader": 1, "ship": 1, "Dwarf Chieftain": 1}})
    g.hand(2, "Heimdall's Eye")
    battle(g, {2: "Odin's Smite"})
    assert g.asked() == (2, Decision.LATE_CARD)
    assert dead(g, 3) == 0


def test_odins_smite_acts_before_the_comparison():
    """rules 6.2.4: Odin's Smite: ahead of the STR comparison."""
    g = arena({2: {"warrior": 1}, 3: {"warrior": 2}})
    battle(g, {2: "Odin's Smite"})  # 1 + 1 against 1
    assert (dead(g, 2), dead(g, 3)) == (0, 2)
    assert g.glory_of(2) == 3


def test_odins_tide_leaves_every_participant_one_figure_of_its_choice():
    """rules 6.2.4: Odin's Tide: all participants, the card player too, keep a single figure of their choice."""
    g = arena({2: {"leader": 1, "warrior": 1}, 3: {"warrior": 1, "ship": 1}, 0: {"warrior": 2}})
    g.put(0, "ship", FJORD)
    g.hand(2, "Heimdall's Eye")
    battle(g, {2: "Odin's Tide"})
    g.choose(2, "leader", HERE)
    assert g.asked() == (3, Decision.KEEP_FIGURE)
    g.choose(3, "ship", FJORD)
    assert g.asked() == (0, Decision.KEEP_FIGURE)
    g.choose(0, "warrior", HERE)
    assert g.asked() == (2, Decision.LATE_CARD)
    assert [dead(g, s) for s in range(4)] == [2, 0, 1, 1]
    assert g.figures(0, "warrior", HERE) == 1
    assert g.figures(0, "ship", "valhalla") == 1


def test_odins_tide_acts_before_the_comparison():
    """rules 6.2.4: Odin's Tide: ahead of the STR comparison."""
    g = arena({2: {"warrior": 1}, 3: {"warrior": 4}})
    battle(g, {2: "Odin's Tide"})  # 1 + 1 against 1
    assert (dead(g, 2), dead(g, 3)) == (0, 4)


def test_odins_tide_spares_the_clans_figures_elsewhere():
    """rules 6.2.4: Odin's Tide: province and supporting fjord together."""
    g = arena({2: {"warrior": 1}, 3: {"warrior": 2}})
    g.put(2, "leader", "gimle")
    g.put(2, "ship", "fjord_gimle_myrkulor")
    battle(g, {2: "Odin's Tide"})
    assert dead(g, 2) == 0


@pytest.mark.parametrize("wins", [True, False])
def test_odins_judgement_pays_for_every_figure_of_any_clan(wins):
    """rules 6.2.10: Odin's Judgement: +2 Glory for every figure of any clan, own ones too, win or lose."""
    g = arena({2: {"warrior": 2}, 3: {"warrior": 1, "ship": 1}, 0: {"warrior": 1}})
    battle(g, {2: "Odin's Judgement", 3: "Thor's Hammer" if not wins else "Manheim", 0: "Loki's Poison"})
    # 2 + 2 against 3 + 1 (a tie) or 3 + 0, and 1
    assert g.from_source(2, Source.BATTLE_CARDS) == (6 if wins else 10)
    assert g.glory_of(2) == (6 + 3 if wins else 10)


def test_odins_judgement_counts_from_the_reveal_on():
    """rules 6.2.10: Odin's Judgement: figures destroyed by the Tide and the Smite count."""
    g = arena({2: {"leader": 1}, 3: {"warrior": 2}, 0: {"warrior": 1}})
    battle(g, {2: "Odin's Judgement", 3: "Odin's Tide", 0: "Odin's Smite"})
    # the Tide takes one of 3, the Smite its last; 3 + 2 against 1 against 1 + 1
    assert g.glory_of(2) == 3 + 2 * 3


def test_odins_judgement_does_not_count_saved_or_escaped():
    """rules 6.2.10: Odin's Judgement: not saved, not escaped."""
    g = arena({2: {"leader": 1, "warrior": 1}, 3: {"Volur Witch": 1, "warrior": 1}})
    g.upgrade(3, "Frigga's Protection")
    battle(g, {2: "Odin's Judgement"})
    g.count(3, 1)
    g.yes(3)
    assert g.glory_of(2) == 3
    assert g.figures(3, "warrior", HERE) == 1
    assert g.figures(3, "monster_1", "yggdrasil") == 1


# ---- Thor


@pytest.mark.parametrize("winner", [2, 3])
def test_thors_hammer_pays_three_glory(winner):
    """rules 6.1.1: Thor's Hammer: victory: 3 Glory, pillager or not."""
    g = arena({winner: {"leader": 1}, 5 - winner: {"warrior": 1}})
    battle(g, {winner: "Thor's Hammer"})
    assert g.glory_of(winner) == 6
    assert g.from_source(winner, Source.BATTLE_CARDS) == 3
    assert g.from_source(winner, Source.BATTLE) == 3


@pytest.mark.parametrize("title", ["Thor's Hammer", "Thor's Oath", "Thor's Ascension"])
@pytest.mark.parametrize("tie", [True, False])
def test_thors_victory_bonus_is_nothing_in_defeat_or_tie(title, tie):
    """rules 6.2.6: Thor's Hammer, Thor's Oath, Thor's Ascension: victory bonus."""
    g = arena({2: {"warrior": 2}, 3: {"leader": 1} if tie else {"leader": 1, "warrior": 1}})
    battle(g, {2: title})
    assert g.asked() == (3, Decision.ACTION)
    assert g.glory_of(2) == 0
    assert g.rage_of(2) == 6
    assert [g.step_of(2, s) for s in Stat] == [1, 1, 1]
    assert g.hand_of(2) == [g._card(title)]


@pytest.mark.parametrize("winner", [2, 3])
@pytest.mark.parametrize("stat", ["rage", "axes", "horns"])
def test_thors_oath_raises_a_stat_of_choice(winner, stat):
    """rules 6.1.1: Thor's Oath: victory: one step in a clan stat of choice, pillager or not."""
    g = arena({winner: {"leader": 1}, 5 - winner: {"warrior": 1}})
    g.token(HERE, "glory")
    battle(g, {winner: "Thor's Oath"})
    assert g.asked() == (winner, Decision.STAT)
    raise_stats(g, stat)
    assert g.step_of(winner, stat) == 2
    assert sum(g.step_of(winner, s) for s in Stat) == 4
    assert g.rage_of(winner) == 6
    assert g.from_source(winner, Source.BATTLE) == (4 if stat == "axes" else 3)


def test_thors_oath_offers_only_stats_that_can_be_raised():
    """rules 6.3.20: Thor's Oath: a stat on its last step is not offered; with none the raise is lost."""
    g = arena({2: {"leader": 1}, 3: {"warrior": 1}})
    g.stat(2, "axes", 6)
    g.token(HERE, "glory")
    battle(g, {2: "Thor's Oath"})
    assert [g.can_raise_stat(s) for s in ("rage", "axes", "horns")] == [True, False, True]
    g = arena({2: {"leader": 1}, 3: {"warrior": 1}})
    for stat in Stat:
        g.stat(2, stat, 6)
    battle(g, {2: "Thor's Oath"})
    assert g.asked() == (3, Decision.ACTION)


@pytest.mark.parametrize("winner", [2, 3])
def test_thors_ascension_pays_three_rage_and_three_glory(winner):
    """rules 6.2.9: Thor's Ascension: victory: 3 Rage and 3 Glory, pillager or not."""
    g = arena({winner: {"leader": 1}, 5 - winner: {"warrior": 1}})
    battle(g, {winner: "Thor's Ascension"})
    assert g.rage_of(winner) == 9
    assert g.glory_of(winner) == 6
    assert g.from_source(winner, Source.BATTLE_CARDS) == 3


def test_thors_ascension_is_spendable_now():
    """rules 6.2.9: Thor's Ascension: spendable now."""
    g = arena({2: {"warrior": 1}, 3: {"leader": 1}})
    g.rage(3, 0)
    battle(g, {3: "Thor's Ascension"})
    assert g.asked() == (3, Decision.ACTION)
    g.invade(3, "warrior", "gimle")
    assert g.rage_of(3) == 2


@pytest.mark.parametrize(
    "title",
    ["Thor's Hammer", "Thor's Ascension", "Thor's Oath", "Odin's Judgement", "Odin's Tide", "Odin's Smite"],
)
def test_thors_primacy_takes_texts_and_leaves_strength(title):
    """rules 6.2.1: Thor's Primacy: opponents' revealed cards lose their text; their +STR remains."""
    strength = 2 if title == "Odin's Judgement" else 1
    g = arena({2: {"warrior": 2}, 3: {"leader": 1, "warrior": 2}})
    battle(g, {2: "Thor's Primacy", 3: title})  # 2 + 3 against 5 + 1 or 2
    assert g.asked() == (3, Decision.ACTION)
    assert (dead(g, 2), dead(g, 3)) == (2, 0)
    assert g.glory_of(3) == 3
    assert g.rage_of(3) == 6
    g = arena({2: {"warrior": 2}, 3: {"leader": 1, "warrior": 2 - strength}})
    battle(g, {2: "Thor's Primacy", 3: title})  # 2 + 3 against 5: a tie
    assert (dead(g, 2), dead(g, 3)) == (2, 3 - strength)
    assert g.glory_of(3) == 0


def test_thors_primacy_acts_before_the_texts():
    """rules 6.1.3: Thor's Primacy: before it acts, in a battle that another clan started."""
    g = arena({2: {"warrior": 2}, 3: {"leader": 1}})
    battle(g, {2: "Odin's Tide", 3: "Thor's Primacy"})
    assert g.asked() == (3, Decision.ACTION)
    assert (dead(g, 2), dead(g, 3)) == (2, 0)


def test_thors_primacy_leaves_late_cards():
    """rules 6.2.1: Thor's Primacy: cards added later are not touched."""
    g = arena({2: {"leader": 1}, 3: {"leader": 1}})
    g.hand(3, "Heimdall's Eye")
    battle(g, {2: "Thor's Primacy", 3: "Tyr's Bash"})
    g.card(3, "Heimdall's Eye")  # 3 + 3 against 3 + 2 + 2
    assert (dead(g, 2), dead(g, 3)) == (1, 0)
