"""What a strike of an own card gives a card for the battle, or takes from it, by the cards of `berserk_own_cards.csv`;
`test_berserk_own_cards.py` runs these tests in a process that has those cards.
"""

import numpy as np
import pytest
from berserk_position import FIRST, SECOND, Position, struck

from bloodrage_env import games
from bloodrage_env.core.shown.structs import structs_of
from bloodrage_env.games.berserk import engine
from bloodrage_env.games.berserk.engine import MARK_FIELDS, SQUAD, Act, Card
from bloodrage_env.games.berserk.game import GAME
from bloodrage_env.games.berserk.notation import board_text, events
from bloodrage_env.games.berserk.options import Options
from bloodrage_env.games.berserk.table_page import PAGE


def test_a_strike_gives_vulnerability_for_the_battle():
    """rules 12.22: the strike that gives it does not count it yet; spells never do; it ends with the card's life."""
    p, a, b = struck("Adept", "Nomad", 1, 1)
    assert (p.wounds(b), int(p.s.vulnerable[b])) == (1, 1)
    assert "vulnerable for the battle" in board_text(p.states, 0)
    p.end_turn()
    p.strike(b, 12, 1, 1)
    assert int(p.s.vulnerable[a]) == 0
    p.end_turn()
    p.strike(a, 17, 1, 1)
    assert p.wounds(b) == 1 + 1 + 1


def test_vulnerability_is_not_counted_twice():
    """rules 7.10, 12.22: of a card that is vulnerable by its text too."""
    p, a, b = struck("Adept", "Glass Idol", 1, 1)
    assert p.wounds(b) == 1 + 1
    p.end_turn()
    p.end_turn()
    p.strike(a, 17, 1, 1)
    assert p.wounds(b) == 2 * (1 + 1)


def test_a_counter_gives_what_a_strike_gives():
    """rules 4.6, 12.22"""
    p, a, b = struck("Nomad", "Adept", 1, 6)
    assert (p.wounds(b), int(p.s.vulnerable[a]), int(p.s.vulnerable[b])) == (0, 1, 0)


@pytest.mark.parametrize(("striker", "dice"), [("Adept", (1, 5)), ("Sleeper", (1, 5))])
def test_a_miss_marks_nobody(striker, dice):
    """rules 4.9, 12.22"""
    p, _, b = struck(striker, "Nomad", *dice)
    assert [int(p.s[name][b]) for name in MARK_FIELDS] == [0, 0, 0]


def test_a_protected_card_is_not_marked():
    """rules 4.7, 7.14, 12.22: a weak strike does nothing to it."""
    p, _, b = struck("Adept", "Nomad", 1, 1)
    assert int(p.s.vulnerable[b]) == 1
    p, _, b = struck("Adept", "Sanctorum", 1, 1)
    assert (p.wounds(b), int(p.s.vulnerable[b])) == (0, 0)


def test_a_card_that_lost_protection_from_shots_is_wounded_by_them():
    """rules 7.14, 12.22: of shots alone, to the end of the battle."""
    for lost, wounds in ((0, 0), (1, 1)):
        p = Position()
        archer = p.put(FIRST, "Archer", 0)
        b = p.put(SECOND, "Cutthroat", 12, no_shot_protection=lost)
        p.act(archer, Act.ABILITY_1, 12, 1)
        p.no()
        assert p.wounds(b) == wounds
    p, _, b = struck("Sleeper", "Cutthroat", 1, 1)
    assert [int(p.s[name][b]) for name in MARK_FIELDS] == [0, 1, 1]


@pytest.mark.parametrize(("target", "near"), [("Berserk", []), ("Pikeman", [("Pikeman", 18)])])
def test_a_card_that_lost_protection_from_poison_is_poisoned(target, near):
    """rules 7.13, 7.14, 12.22: printed protection, and that of formation, does not come back."""
    for lost in (0, 1):
        p = Position()
        a = p.put(FIRST, "Aracent", 12)
        b = p.put(SECOND, target, 17, closed=1, no_poison_protection=lost)
        for card, cell in near:
            p.put(SECOND, card, cell, closed=1)
        p.strike(a, 17, 1)
        p.no()
        assert int(p.s.poison[b]) == lost


def test_a_dead_card_is_marked_no_more():
    """rules 6.1, 12.22"""
    p = Position()
    a = p.put(FIRST, "Orc", 12)
    b = p.put(SECOND, "Nomad", 17, closed=1, wounds=engine.LIFE[Card.NOMAD] - 1, vulnerable=1, no_poison_protection=1)
    p.put(SECOND, "Orc", 29)
    p.strike(a, 17, 6)
    assert p.is_dead(b)
    assert [int(p.s[name][b]) for name in MARK_FIELDS] == [0, 0, 0]


def test_marks_are_observed_shown_and_told():
    """rules 1.5, 12.22: by both players, in the observation, on the page, in the log."""
    p = Position()
    a = p.put(FIRST, "Sleeper", 12)
    p.put(SECOND, "Cutthroat", 17, closed=1, vulnerable=1)
    p.put(SECOND, "Orc", 29)
    p.act(a, Act.STRIKE)
    p.dice(1)
    action = p.seen(17)
    said = [each.text for each in events(p.states, action, SECOND)]
    assert "Cutthroat (B1): no protection from shots for the battle" in said
    p.answer(action)
    for seat, slot in ((FIRST, SQUAD), (SECOND, 0)):
        vector = np.zeros(GAME.observation_size, np.uint8)
        GAME.observe.observe_bytes(p.states, 0, seat, vector)
        assert GAME.by_section(vector)["marks"][slot].tolist() == [1, 1, 1]
        struct = structs_of(games.spec("berserk")).observation(p.states, seat)
        assert struct["cards"]["B1"]["no_poison_protection"] == 1
        notes = [card["notes"] for card in PAGE.seen(p.states, seat, False, Options())["scene"]["cards"]]
        assert "vulnerable for the battle" in next(each for each in notes if len(each) > 2)
