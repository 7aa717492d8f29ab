"""The options of Berserk (rules 9.7), its decks and squads."""

import importlib

import numpy as np
import pytest
from berserk_position import new_game, options

from bloodrage_env import games
from bloodrage_env.games.berserk import engine
from bloodrage_env.games.berserk.engine import (
    NONE,
    NUM_CARDS,
    Card,
    Setup,
)
from bloodrage_env.games.berserk.engine.ids import Option
from bloodrage_env.games.berserk.options import Options

DECKS, SQUADS = Option.DECKS, Option.SQUADS


def test_options():
    """rules 9.7"""
    default = Options()
    assert (default.combat, default.setup, default.max_turns) == ("book", "full", 200)
    assert (default.decks, default.squads) == (("steppe", "mountain"),) * 2
    states = new_game(setup="fixed", squads=("mountain", ((("NOMAD"), 3),)), decks=("mountain_2", "steppe_2"))
    s = states[0]
    assert s.setup == Setup.FIXED
    assert int(s.squad[0].sum()) == 8
    assert int(s.first) == int(s.roll_off.argmax())
    assert int(s.cell[15]) == (3 if s.first == 1 else 26)
    assert [deck.sum() for deck in s.deck] == [30, 30]
    assert s.deck[0, Card.STORM_MAGE] == 2


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"combat": "dice"}, "combat must be one of book, difference"),
        ({"setup": 1}, "setup must be a name"),
        ({"max_turns": 0}, "max_turns must be 1 to 200"),
        ({"placing": "late"}, "placing must be one of in_turn, at_once"),
        ({"num_players": 3}, "num_players must be 2 to 2"),
        ({"decks": ("steppe",)}, "decks must be two decks"),
        ({"decks": ("steppe", "sea")}, "decks must be of steppe, mountain"),
        ({"decks": ("steppe", {"ORC": 3})}, "decks: a deck has 30 to 50 cards, not 3"),
        ({"decks": ("steppe", {"ORC": 4})}, "decks: ORC must be there 1 to 3 times"),
        ({"decks": ("steppe", {"ORK": 3})}, "decks: there is no card 'ORK'"),
        ({"squads": ("steppe", [("ORC", 15)])}, "squads: a cell of the own half is 0 to 14, not 15"),
        ({"squads": ("steppe", [("ORC", 3), ("ORC", 3)])}, "squads: two cards stand in one cell"),
        ({"squads": ("steppe", [])}, "squads: a squad has a card at least"),
        ({"squads": ("steppe", 7)}, "squads must be names or cards with numbers"),
    ],
)
def test_options_that_are_none(changes, message):
    with pytest.raises((TypeError, ValueError), match=f"^{message}"):
        Options(**changes)


def test_the_engine_refuses_numbers_that_are_no_options():
    numbers = list(options())
    states = np.zeros(1, engine.STATE)
    for place, value, name in (
        (0, 3, "num_players"), (1, 2, "skip_forced"), (2, 2, "combat"), (3, -1, "setup"), (4, 201, "max_turns"),
        (5, 0, "deck_0"), (6, -1, "deck_0"), (9, 0, "squad_0"), (10, 1 << 61, "squad_0"),
        (13, 2, "placing"),
    ):  # fmt: skip
        wrong = [value if i == place else number for i, number in enumerate(numbers)]
        if name == "squad_0" and value == 0:
            wrong[10] = 0
        with pytest.raises(ValueError, match=rf"^(the (deck|squad)s \()?{name}"):
            engine.reset(states, 0, 1, np.array(wrong))


def words(values, bits, a_word):
    """Numbers of so many bits in two words, the lowest first."""
    return [sum(int(v) << bits * i for i, v in enumerate(values[k : k + a_word])) for k in (0, a_word)]


def refused(place, pair):
    """Whether a game refuses these two words in its options."""
    numbers = list(options())
    numbers[place : place + 2] = pair
    try:
        engine.reset(np.zeros(1, engine.STATE), 0, 1, np.array(numbers))
    except ValueError as problem:
        return str(problem).startswith(("the decks", "the squads"))
    return False


def test_words_of_decks():
    """rules 9.7: 30 to 50 cards of the table, at most three of a name; two bits for each card, 31 cards in a word"""
    rng = np.random.default_rng(0)
    for size in (*range(26, 55), 0, 3 * NUM_CARDS):
        copies = np.zeros(62, np.int64)
        names = np.repeat(np.arange(NUM_CARDS), 3)
        np.add.at(copies, rng.permutation(names)[:size], 1)
        assert refused(DECKS, words(copies, 2, 31)) == (not 30 <= size <= 50), size
    fine = words([*engine.DECKS["steppe"], *[0] * 15], 2, 31)
    assert not refused(DECKS, fine)
    for word, bits in ((0, range(62, 64)), (1, range(2 * (NUM_CARDS - 31), 64))):
        for bit in bits:
            wrong = list(fine)
            wrong[word] = int(np.int64(np.uint64(wrong[word] | 1 << bit)))
            assert refused(DECKS, wrong), (word, bit)


def test_words_of_squads():
    """rules 9.7: 1 to 15 cards of the table; six bits for each cell, the card and one, 10 cells in a word"""
    for cell in range(15):
        for field in range(64):
            alone = [0] * 15
            alone[cell] = field
            assert refused(SQUADS, words(alone, 6, 10)) == (not 1 <= field <= NUM_CARDS), (cell, field)
            crowded = [NUM_CARDS] * 15
            crowded[cell] = field
            assert refused(SQUADS, words(crowded, 6, 10)) == (field > NUM_CARDS), (cell, field)
    fine = words([NUM_CARDS] * 15, 6, 10)
    for word, bits in ((0, range(60, 64)), (1, range(30, 64))):
        for bit in bits:
            wrong = list(fine)
            wrong[word] = int(np.int64(np.uint64(wrong[word] | 1 << bit)))
            assert refused(SQUADS, wrong), (word, bit)


def test_decks_and_squads_that_come_with_the_game():
    """rules 9.7: 30 cards; squads that can be paid for exactly, in the 3 x 3 centre"""
    assert {int(deck.sum()) for deck in engine.DECKS.values()} == {30}
    for squad in engine.SQUADS.values():
        cards = squad[squad != NONE]
        elites = int(engine.COST[cards][engine.ELITE[cards] == 1].sum())
        assert (elites, int(engine.COST[cards].sum())) == (24, 46)
        assert {cell // 5 for cell in np.flatnonzero(squad != NONE)} == {0, 1, 2}
        assert {cell % 5 for cell in np.flatnonzero(squad != NONE)} <= {1, 2, 3}


@pytest.mark.parametrize("name", ["berserk", "berserk_team"])
def test_a_squad_that_was_not_placed_in_order_is_no_game(name):
    """rules 2.5: cards come in rising order of their numbers; a record with another one went wrong later.

    The cards that are in play and those that are left are the squad in both records.
    """
    game = games.game(name)
    mode = importlib.import_module(f"bloodrage_env.games.{name}.engine")
    states, rng = game.new_game(5, game.options()), np.random.default_rng(5)
    while states[0].decision != mode.Decision.PLACE or (states[0].card != NONE).sum() < 2:
        game.play.apply(states, 0, int(rng.choice(np.flatnonzero(states[0].mask))))
    game.check_state(states, 0)
    s = states[0]
    (last,) = (slot for slot in np.flatnonzero(s.card != NONE)[-1:])
    later = [card for card in range(NUM_CARDS) if card > s.card[last] and s.squad[int(s.seat), card] > 0]
    s.card[last] = later[-1]
    with pytest.raises(ValueError, match="SQUADS"):
        game.check_state(states, 0)
