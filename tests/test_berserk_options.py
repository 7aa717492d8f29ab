"""The options of Berserk (rules 9.7), its decks and squads."""

import numpy as np
import pytest
from berserk_position import new_game, options

from bloodrage_env.berserk import engine
from bloodrage_env.berserk.engine import (
    NONE,
    Card,
    Setup,
)
from bloodrage_env.berserk.engine.ids import Direction
from bloodrage_env.berserk.options import Options

FORWARD, BACK, LEFT, RIGHT = Direction


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
    ):  # fmt: skip
        wrong = [value if i == place else number for i, number in enumerate(numbers)]
        if name == "squad_0" and value == 0:
            wrong[10] = 0
        with pytest.raises(ValueError, match=f"^{name}"):
            engine.reset(states, 0, 1, *wrong)


def test_decks_and_squads_that_come_with_the_game():
    """rules 9.7: 30 cards; squads that can be paid for exactly, in the 3 x 3 centre"""
    assert {int(deck.sum()) for deck in engine.DECKS.values()} == {30}
    for squad in engine.SQUADS.values():
        cards = squad[squad != NONE]
        elites = int(engine.COST[cards][engine.ELITE[cards] == 1].sum())
        assert (elites, int(engine.COST[cards].sum())) == (24, 46)
        assert {cell // 5 for cell in np.flatnonzero(squad != NONE)} == {0, 1, 2}
        assert {cell % 5 for cell in np.flatnonzero(squad != NONE)} <= {1, 2, 3}
