"""What the entry points refuse: numbers and arrays by which compiled code would read or write beyond a game.

Compiled code checks no index, and takes a negative one from the end. So every entry calls these first, before anything
is changed. Types are refused before that, by `compiled.py`. All raise ValueError with a message that begins with the
name of the argument.
"""

from .actions import NUM_ACTIONS
from .card_ids import NUM_BASE_CARDS
from .compiled import Floats, Mask, State, States, rule
from .ids import NUM_BOARD, NUM_KINDS, NUM_PROVINCES


@rule
def check_game(states: States, index: int) -> None:
    """`index` is the index of a game."""
    if index < 0 or index >= len(states):
        raise ValueError("index must be that of a game: 0 to len(states) - 1")


@rule
def check_open(s: State) -> None:
    """The game that `index` names asks a seat."""
    if s.over != 0 or s.seat < 0 or s.seat >= s.num_players:
        raise ValueError("index must be that of a game with an open question")


@rule
def check_seat(s: State, seat: int) -> None:
    """`seat` plays in this game."""
    if seat < 0 or seat >= s.num_players:
        raise ValueError("seat must be one of the game: 0 to num_players - 1")


@rule
def check_seed(seed: int) -> None:
    """`seed` is no negative number."""
    if seed < 0:
        raise ValueError("seed must be 0 to 2**63 - 1")


@rule
def check_count(max_decisions: int) -> None:
    """`max_decisions` is no negative number."""
    if max_decisions < 0:
        raise ValueError("max_decisions must be 0 or more")


@rule
def check_kind(kind: int) -> None:
    """`kind` is a figure kind."""
    if kind < 0 or kind >= NUM_KINDS:
        raise ValueError("kind must be a figure kind: 0 to NUM_KINDS - 1")


@rule
def check_card(card: int) -> None:
    """`card` is a card of the base game."""
    if card < 0 or card >= NUM_BASE_CARDS:
        raise ValueError("card must be a card of the base game: 0 to NUM_BASE_CARDS - 1")


@rule
def check_province(province: int) -> None:
    """`province` is a province."""
    if province < 0 or province >= NUM_PROVINCES:
        raise ValueError("province must be one of the nine: 0 to NUM_PROVINCES - 1")


@rule
def check_place(place: int) -> None:
    """`place` is on the board."""
    if place < 0 or place >= NUM_BOARD:
        raise ValueError("place must be one of the board: 0 to NUM_BOARD - 1")


@rule
def check_observation(observation: Floats, size: int) -> None:
    """`observation` has room for the numbers of an observation, and no more."""
    if len(observation) != size:
        raise ValueError("observation must have OBSERVATION_SIZE numbers")


@rule
def check_mask(mask: Mask) -> None:
    """`mask` has a number for each action."""
    if len(mask) != NUM_ACTIONS:
        raise ValueError("mask must have NUM_ACTIONS numbers")
