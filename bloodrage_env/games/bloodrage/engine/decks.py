"""Which sets of cards a game is played with, and how many of each card its decks hold (rules 1.7, 2.4, 6.4.1)."""

from ....core.compile.decorators import rule
from .card_ids import NUM_CARDS
from .cards import COPIES
from .ids import NUM_SETS, CardSet
from .state import State


@rule
def has_set(s: State, card_set: int) -> bool:
    """Whether a game is played with a set."""
    return card_set == CardSet.BASE or int(s.sets) >> card_set & 1 == 1


@rule
def copies_in_deck(s: State, age: int, card: int) -> int:
    """How many of a card the deck of an Age holds."""
    count = 0
    for card_set in range(NUM_SETS):
        if has_set(s, card_set):
            count += int(COPIES[card_set, s.num_players, age, card])
    return count


@rule
def deck_size(s: State, age: int) -> int:
    """How many cards the deck of an Age holds (rules 6.4.1.3)."""
    size = 0
    for card in range(NUM_CARDS):
        size += copies_in_deck(s, age, card)
    return size
