"""Which sets of cards a game is played with, and how many of each card its decks hold (rules 1.7, 2.4, 6.4.1)."""

from typing import Final

from .card_ids import NUM_CARDS
from .cards import COPIES
from .compiled import State, rule
from .ids import MAX_SEATS, NUM_SETS, CardSet

PLAYABLE: Final = 1 << CardSet.P5  # the field `sets` with all that can be played


@rule
def check_sets(sets: int, num_players: int) -> None:
    """`sets` are such that can be played, and with this number of players (rules 6.4.1.1)."""
    if sets < 0 or sets & ~PLAYABLE != 0:
        raise ValueError("sets must be bits of the card sets that can be played: p5")
    if num_players == MAX_SEATS and sets & (1 << CardSet.P5) == 0:
        raise ValueError("num_players can be 5 only with the card set p5")


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
