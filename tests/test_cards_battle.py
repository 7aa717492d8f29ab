"""Every battle card, clause by clause (the ids name the cards); continued in test_cards_battle_odin.py.

Clan 2 of four pillages Angerboda (five villages, with its fjord), unless a test says otherwise.
"""

import pytest
from fights import dead, field, fight, raise_stats, show

from bloodrage_env.games.bloodrage.engine.card_ids import Card
from bloodrage_env.games.bloodrage.engine.ids import Decision, Source, Stat

HERE = "angerboda"
STRENGTH = {
    "Frigga's Grace": 2,
    "Heimdall's Eye": 2,
    "Heimdall's Gaze": 3,
    "Loki's Trickery": 0,
    "Loki's Backstab": 0,
    "Loki's Poison": 0,
    "Odin's Smite": 1,
    "Odin's Tide": 1,
    "Odin's Judgement": 2,
    "Thor's Hammer": 1,
    "Thor's Oath": 1,
    "Thor's Ascension": 1,
    "Thor's Primacy": 3,
    "Tyr's Bash": 2,
    "Tyr's Smash": 3,
    "Tyr's Smite": 5,
    "Tyr's Crush": 4,
    "Tyr's Rage": 6,
}
PLAIN = {"Tyr's Bash": 2, "Tyr's Smash": 3, "Tyr's Crush": 4, "Tyr's Smite": 5, "Tyr's Rage": 6}


def arena(figures, age=3, seat=2):
    return field(figures, HERE, players=4, age=age, seat=seat)


def battle(g, cards, pillager=2):
    fight(g, cards, HERE, pillager=pillager)


def steps(g, seat):
    return [g.step_of(seat, s) for s in Stat]


@pytest.mark.parametrize("title", STRENGTH)
@pytest.mark.parametrize("other", [None, *PLAIN])
def test_printed_strength(title, other):
    """rules 4.3: a battle card adds its +STR; leader against leader."""
    g = arena({2: {"leader": 1}, 3: {"leader": 1}})
    battle(g, {2: title} | ({3: other} if other else {}))
    while g.asked()[1] == Decision.STAT:
        g.raise_stat(2, "horns")
    mine, theirs = STRENGTH[title], PLAIN.get(other, 0)
    assert g.figures(2, "leader", HERE) == (mine > theirs)
    assert g.figures(3, "leader", HERE) == (mine < theirs)


@pytest.mark.parametrize("title", PLAIN)
def test_tyrs_cards_have_no_text(title):
    """rules 4.6, 4.7: a won battle pays Axes and the token, nothing else; the card is discarded."""
    g = arena({2: {"leader": 1}, 3: {"warrior": 1}})
    g.glory(3, 5)
    battle(g, {2: title})
    assert g.asked() == (3, Decision.ACTION)
    assert [g.glory_of(s) for s in range(4)] == [0, 0, 3, 5]
    assert [g.rage_of(s) for s in range(4)] == [6, 6, 6, 6]
    assert steps(g, 2) == [2, 1, 1]
    assert g.discards() == [g._card(title)]
    g = arena({2: {"warrior": 1}, 3: {"leader": 1, "Fire Giant": 1}})
    battle(g, {2: title})
    assert [g.glory_of(s) for s in range(4)] == [0, 0, 0, 3 * (title != "Tyr's Rage")]
    assert g.hand_of(2) == [g._card(title)]


# ---- Frigga's Grace


@pytest.mark.parametrize("choice", ["axes", "horns"])
def test_friggas_grace_raises_another_stat_for_the_pillager(choice):
    """rules 6.2.8: Frigga's Grace: you are the pillager and the pillage succeeds: another clan stat."""
    g = arena({2: {"leader": 1}, 3: {"warrior": 1}})
    battle(g, {2: "Frigga's Grace"})
    assert g.asked() == (2, Decision.STAT)
    assert not g.can_raise_stat("rage")
    raise_stats(g, choice)
    assert g.step_of(2, choice) == 2
    assert g.step_of(2, "rage") == 2
    assert g.asked() == (3, Decision.ACTION)


@pytest.mark.parametrize("choice", ["rage", "axes", "horns"])
def test_friggas_grace_raises_any_stat_with_the_glory_token(choice):
    """rules 6.2.8: Frigga's Grace: any stat if the token was Glory."""
    g = arena({2: {"leader": 1}, 3: {"warrior": 1}})
    g.token(HERE, "glory")
    battle(g, {2: "Frigga's Grace"})
    raise_stats(g, choice)
    assert g.step_of(2, choice) == 2
    assert sum(steps(g, 2)) == 4


@pytest.mark.parametrize("choice", ["rage", "axes", "horns"])
def test_friggas_grace_raises_any_stat_in_yggdrasil(choice):
    """rules 6.2.8: Frigga's Grace: any stat if the token was all stats."""
    g = field({2: {"leader": 1}, 3: {"warrior": 1}}, "yggdrasil", players=4, seat=2)
    fight(g, {2: "Frigga's Grace"}, "yggdrasil", pillager=2)
    raise_stats(g, choice)
    assert g.step_of(2, choice) == 3
    assert sum(steps(g, 2)) == 7


def test_friggas_grace_is_nothing_for_a_defender():
    """rules 6.2.8: Frigga's Grace: if you are the pillager."""
    g = arena({2: {"warrior": 1}, 3: {"leader": 1}})
    battle(g, {3: "Frigga's Grace"})
    assert g.asked() == (3, Decision.ACTION)
    assert steps(g, 3) == [1, 1, 1]
    assert g.glory_of(3) == 3


def test_friggas_grace_is_nothing_when_the_pillage_fails():
    """rules 6.2.8: Frigga's Grace: and the pillage succeeds."""
    g = arena({2: {"warrior": 1}, 3: {"leader": 1}})
    battle(g, {2: "Frigga's Grace"})  # a tie
    assert g.asked() == (3, Decision.ACTION)
    assert steps(g, 2) == [1, 1, 1]
    assert g.hand_of(2) == [Card.FRIGGAS_GRACE]


# ---- Heimdall's Sight


def test_heimdalls_sight_equals_the_highest_single_strength():
    """rules 6.2.3: Heimdall's Sight: the highest single +STR among the opponents' cards."""
    g = arena({2: {"warrior": 2}, 3: {"warrior": 1}, 0: {"warrior": 1}, 1: {"warrior": 1}})
    battle(g, {2: "Heimdall's Sight", 3: "Tyr's Bash", 0: "Tyr's Crush", 1: "Thor's Hammer"})
    assert [dead(g, s) for s in range(4)] == [1, 1, 0, 1]  # 2 + 4 against 3, 5 and 2


def test_heimdalls_sight_sees_late_cards():
    """rules 6.2.3: Heimdall's Sight: late ones included, at the comparison."""
    g = arena({2: {"warrior": 3}, 3: {"warrior": 1}})
    g.hand(3, "Heimdall's Gaze")
    battle(g, {2: "Heimdall's Sight", 3: "Loki's Poison"})
    g.card(3, "Heimdall's Gaze")
    assert dead(g, 2) == 0  # 3 + 3 against 1 + 3
    assert dead(g, 3) == 1


def test_heimdalls_sight_takes_other_sights_as_nothing():
    """rules 6.2.3: Heimdall's Sight: other Sights 0."""
    g = arena({2: {"warrior": 1}, 3: {"leader": 1}})
    battle(g, {2: "Heimdall's Sight", 3: "Heimdall's Sight"})
    assert dead(g, 2) == 1
    assert dead(g, 3) == 0


# ---- Heimdall's Eye and Gaze

DISCS = [("Heimdall's Eye", 2), ("Heimdall's Gaze", 3)]


@pytest.mark.parametrize(("title", "strength"), DISCS)
def test_white_disc_is_added_after_the_reveal(title, strength):
    """rules 4.5: Heimdall's Eye, Heimdall's Gaze: added from hand after all cards are revealed, with +STR."""
    for theirs, lost in ((strength - 1, (0, 1)), (strength, (1, 1))):
        g = arena({2: {"warrior": 1}, 3: {"leader": 1}})
        g.hand(2, title)
        opponent = {1: "Thor's Hammer", 2: "Odin's Judgement", 3: "Tyr's Smash"}[theirs]
        battle(g, {2: "Tyr's Bash", 3: opponent})  # 1 + 2 against 3 + theirs
        assert g.asked() == (2, Decision.LATE_CARD)
        assert g.can_no()
        g.card(2, title)
        assert (dead(g, 2), dead(g, 3)) == lost


@pytest.mark.parametrize("title", ["Heimdall's Eye", "Heimdall's Gaze"])
def test_white_disc_is_added_before_a_winner_is_determined(title):
    """rules 4.5: Heimdall's Eye, Heimdall's Gaze: nothing has been won or lost when it is asked."""
    g = arena({2: {"leader": 1}, 3: {"warrior": 1}})
    g.hand(3, title)
    battle(g, {2: "Thor's Hammer", 3: "Loki's Trickery"})
    assert g.asked() == (3, Decision.LATE_CARD)
    assert g.glory_of(2) == 0
    assert g.rage_of(2) == 6
    assert dead(g, 3) == 0


@pytest.mark.parametrize(("title", "strength"), DISCS)
def test_white_disc_may_be_the_normal_card(title, strength):
    """rules 4.5: Heimdall's Eye, Heimdall's Gaze: may also be played as the normal face-down card."""
    g = arena({2: {"warrior": 1}, 3: {"warrior": strength}})
    g.hand(2, "Tyr's Bash")
    battle(g, {2: title})
    assert dead(g, 2) == 0
    assert dead(g, 3) == strength
    assert g.hand_of(2) == [Card.TYRS_BASH]
    assert g.discards() == [g._card(title)]


def test_two_white_discs_add_up():
    """rules 4.5: Heimdall's Eye and Heimdall's Gaze in one battle."""
    g = arena({2: {"warrior": 1}, 3: {"warrior": 4}})
    g.hand(2, "Heimdall's Eye", "Heimdall's Gaze")
    battle(g, {2: "Loki's Trickery", 3: "Thor's Hammer"})
    g.card(2, "Heimdall's Gaze")
    g.card(2, "Heimdall's Eye")
    assert dead(g, 2) == 0  # 1 + 3 + 2 against 4 + 1
    assert g.glory_of(2) == 3


@pytest.mark.parametrize("title", [t for t in STRENGTH if t not in ("Heimdall's Eye", "Heimdall's Gaze")])
def test_no_other_battle_card_is_late(title):
    """rules 4.5: white disc only."""
    g = arena({2: {"warrior": 1}, 3: {"warrior": 1}})
    g.hand(2, title, "Tyr's Crush", "Tyr's Crush")
    battle(g, {2: "Tyr's Crush"})
    assert g.asked() == (3, Decision.ACTION)
    assert dead(g, 3) == 1


# ---- Heimdall's Watch


def test_heimdalls_watch_discards_all_and_pays_their_strength():
    """rules 6.2.2: Heimdall's Watch: every shown card is discarded; Glory equal to their combined +STR."""
    g = arena({s: {"warrior": 1} for s in range(4)})
    battle(g, {0: "Tyr's Rage", 1: "Odin's Judgement", 2: "Tyr's Smite", 3: "Heimdall's Watch"})
    assert g.glory_of(3) == 13
    assert g.from_source(3, Source.BATTLE_CARDS) == 13
    assert [g.hand_of(s) for s in range(4)] == [[], [], [], []]
    assert len(g.discards()) == 4


@pytest.mark.parametrize("card", ["Heimdall's Sight", "Yggdrasil"])
def test_heimdalls_watch_takes_sight_and_quest_as_nothing(card):
    """rules 6.2.2: Heimdall's Watch: a Sight and a quest count 0."""
    g = arena({2: {"warrior": 1}, 3: {"warrior": 1}})
    battle(g, {2: "Heimdall's Watch", 3: card})
    assert g.glory_of(2) == 0
    assert g.discards() == sorted([Card.HEIMDALLS_WATCH, g._card(card)])


def test_heimdalls_watch_has_a_fresh_round_played():
    """rules 6.2.2: Heimdall's Watch: a fresh round of cards is played."""
    g = arena({2: {"warrior": 1}, 3: {"warrior": 1}})
    g.hand(2, "Tyr's Rage")
    g.hand(3, "Tyr's Smash", "Tyr's Bash")
    battle(g, {2: "Heimdall's Watch", 3: "Tyr's Crush"})
    assert g.glory_of(2) == 4
    assert g.asked() == (3, Decision.BATTLE_CARD)
    show(g, {3: "Tyr's Bash"})
    assert g.glory_of(2) == 4 + 3
    assert g.hand_of(3) == sorted([Card.TYRS_BASH, Card.TYRS_SMASH])
    assert g.discards() == sorted([Card.HEIMDALLS_WATCH, Card.TYRS_CRUSH, Card.TYRS_RAGE])
