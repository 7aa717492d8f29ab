"""What the page works out for a seat: how its quests stand, and what a card in battle comes to."""

import random
import re

import pytest

pytest.importorskip("starlette")

from scenario import Scenario

from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine import Card, CardType, Decision, Effect, Phase, Place
from bloodrage_env.games.bloodrage.notation import CLANS
from bloodrage_env.games.bloodrage.table_page.teaching import outlooks, quest_marks
from tests.random_play import games_in_the_middle

EARLY = {Card(card) for card in engine.EFFECTS[Effect.EARLY].nonzero()[0]}


def marks(game, seat=0):
    return quest_marks(engine.hide(game.states, 0, seat), seat)


def test_quests_are_met_open_or_impossible():
    """rules 3.4: by the board; a region without a standing province can't be won."""
    g = Scenario(players=2)
    g.hand(0, Card.MANHEIM_1, Card.ALFHEIM_1, Card.TYRS_BASH)
    g.quest(0, Card.JOTUNHEIM_1)
    g.put(0, "warrior", "Elvagar", 2)
    g.put(1, "warrior", "Elvagar", 1)
    assert marks(g) == {
        "committed": {Card.JOTUNHEIM_1: "open"},
        "hand": {Card.MANHEIM_1: "met", Card.ALFHEIM_1: "open"},
    }
    g.put(1, "warrior", "Elvagar", 1)
    g.destroyed("Andlang", "Gimle")
    assert marks(g)["hand"] == {Card.MANHEIM_1: "open", Card.ALFHEIM_1: "impossible"}


def test_a_committed_quest_is_impossible_when_the_board_changes_no_more():
    """rules 3.3, 3.4: the Discard phase changes no figures; what the hand keeps may be met in the next Age."""
    g = Scenario(players=2)
    g.hand(0, Card.JOTUNHEIM_1)
    g.quest(0, Card.JOTUNHEIM_1, Card.GLORIOUS_DEATH_1)
    for phase, mark in [(Phase.ACTION, "open"), (Phase.DISCARD, "impossible"), (Phase.QUEST, "impossible")]:
        g.state.phase = phase
        assert marks(g) == {
            "committed": {Card.JOTUNHEIM_1: mark, Card.GLORIOUS_DEATH_1: mark},
            "hand": {Card.JOTUNHEIM_1: "open"},
        }


def battle(players=2, own=(Card.TYRS_SMITE,), others=(Card.TYRS_BASH,), upgrades=()):
    """Seat 0 pillages Yggdrasil with three warriors; each other clan has one there; seat 0 is asked for its card."""
    g = Scenario(players=players, skip_forced=False)
    g.hand(0, *own)
    g.upgrade(0, *upgrades)
    g.put(0, "warrior", "Yggdrasil", 3)
    for seat in range(1, players):
        g.hand(seat, *others)
        g.put(seat, "warrior", "Yggdrasil", 1 if seat == 1 else 2)
    g.go()
    g.pillage(0, "Yggdrasil")
    while g.asked()[1] == Decision.CALL:
        g.no(g.asked()[0])
    assert g.asked() == (0, Decision.BATTLE_CARD)
    return g


def said(game, card):
    return outlooks(engine.hide(game.states, 0, 0), 0)[engine.CARD + card]


def test_what_others_have_to_add():
    """rules 4.6: the greatest total wins, and in a tie nobody does: 3 + 5 against 1 and against 2."""
    assert said(battle(), Card.TYRS_SMITE) == "You win unless Bear adds 7 or more"
    assert said(battle(3), Card.TYRS_SMITE) == "You win unless Bear adds 7 or more, or Serpent adds 6 or more"


def test_who_has_no_card_adds_nothing():
    assert said(battle(others=()), Card.TYRS_SMITE) == "You win, whatever they add"


def test_what_is_not_enough():
    """rules 4.6: 3 + 0 against 6."""
    g = battle(own=(Card.LOKIS_TRICKERY,))
    g.state.figures[1, 1, Place.YGGDRASIL] = 6
    assert said(g, Card.LOKIS_TRICKERY) == "Not enough as it stands: 4 more would win"


def test_a_quest_counts_what_an_upgrade_lets_it():
    """rules 6.2.5: nothing without one, 3 with Tyr's Domain."""
    assert said(battle(own=(Card.ALFHEIM_1,)), Card.ALFHEIM_1) == "You win unless Bear adds 2 or more"
    g = battle(own=(Card.ALFHEIM_1,), upgrades=(Card.TYRS_DOMAIN,))
    assert said(g, Card.ALFHEIM_1) == "You win unless Bear adds 5 or more"


def test_sight_is_as_strong_as_what_others_add():
    """rules 6.2.3"""
    g = battle(own=(Card.HEIMDALLS_SIGHT,))
    assert said(g, Card.HEIMDALLS_SIGHT) == "You win, whatever they add"


def test_a_text_that_comes_before_totals_is_named():
    """rules 6.1.1: Watch works in step 6, Smite and Tide in step 7."""
    assert {Card.ODINS_SMITE, Card.ODINS_TIDE, Card.HEIMDALLS_WATCH} == EARLY
    g = battle(own=(Card.ODINS_SMITE,))
    assert said(g, Card.ODINS_SMITE) == "You win unless Bear adds 3 or more; its text comes first and may change that"


def test_late_cards():
    """rules 4.5: what has been played counts, 3 + 2 against 1 + 5; to add nothing has an outlook too."""
    g = battle(own=(Card.TYRS_BASH, Card.HEIMDALLS_EYE), others=(Card.TYRS_SMITE, Card.TYRS_RAGE))
    g.card(0, Card.TYRS_BASH)
    g.card(1, Card.TYRS_SMITE)
    assert g.asked() == (0, Decision.LATE_CARD)
    known = engine.hide(g.states, 0, 0)
    assert outlooks(known, 0) == {
        engine.NO: "Not enough as it stands: 2 more would win",
        engine.CARD + Card.HEIMDALLS_EYE: "You win unless Bear adds 1 or more",
    }


def test_nothing_is_said_of_other_questions():
    g = Scenario(players=2)
    assert outlooks(engine.hide(g.states, 0, 0), 0) == {}


PLAIN = {0: Card.LOKIS_TRICKERY, 2: Card.TYRS_BASH, 3: Card.TYRS_SMASH, 4: Card.TYRS_CRUSH, 5: Card.TYRS_SMITE}


def winner_of(states, mine, theirs):
    """Who wins if two clans choose these cards and add none; None if something else is asked on the way."""
    s = states[0]
    for action in (mine, engine.CARD + theirs):
        if s.decision != Decision.BATTLE_CARD or not s.mask[action]:
            return None
        before = engine.clone(states, 0)
        engine.apply(states, 0, action)
    while True:
        for piece in engine.pieces(before, 0, action):
            if piece.compares:
                return int(piece.before[0].winner)
        if s.decision != Decision.LATE_CARD or s.over:
            return None
        before, action = engine.clone(states, 0), engine.NO
        engine.apply(states, 0, action)


def test_the_rules_agree_in_random_games():
    """rules 4.6: a clan with the card of the outlook wins exactly if the other adds less, in battles of two."""
    rng, looked_at = random.Random(3), 0
    for _, states, _ in games_in_the_middle(range(40), 0.3):
        s = states[0]
        if s.over or s.decision != Decision.BATTLE_CARD or s.in_battle.sum() != 2 or s.pending[:, 0].max() >= 0:
            continue
        seat = int(s.seat)
        (other,) = (each for each in range(s.num_players) if s.in_battle[each] and each != seat)
        if engine.is_secret(states, 0) is False or s.hand_size[other] == 0:
            continue
        for action, text in outlooks(engine.hide(states, 0, seat), seat).items():
            card = action - engine.CARD
            plain = card not in (*EARLY, Card.HEIMDALLS_SIGHT) and engine.TYPE[card] == CardType.BATTLE
            worth, theirs = rng.choice(sorted(PLAIN.items()))
            if not plain:
                continue
            given = engine.clone(states, 0)
            old = int(given[0].hand[other].nonzero()[0][0])
            given[0].hand[other, old] -= 1
            given[0].hand[other, theirs] += 1
            winner = winner_of(given, action, theirs)
            if winner is None:
                continue
            looked_at += 1
            needed = re.fullmatch(rf"You win unless {CLANS[other]} adds (\d+) or more", text)
            wins = bool(needed) and worth < int(needed[1])
            assert (winner == seat) == wins, (text, worth)
    assert looked_at > 30
