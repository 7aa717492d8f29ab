"""What the entry points refuse: numbers and arrays by which compiled code would read or write beyond a game.

Compiled code checks no index, and takes a negative one from the end. So every entry calls these first, before anything
is changed. Types are refused before that, by `core/compile/decorators.py`. All raise ValueError with a message that
begins with the name of the argument.
"""

from ....core.compile.decorators import Ints, rule
from ....core.engine.checks import check_count, check_seed, checks_for
from .actions import NUM_ACTIONS
from .ids import MAX_SEATS, MIN_SEATS, NUM_OPTIONS, PLAYABLE, CardSet, Option
from .state import COMPILER, State

__all__ = ["check_action", "check_count", "check_game", "check_open", "check_options", "check_seat", "check_seed"]

check_game, check_seat = checks_for(COMPILER)


@rule
def check_open(s: State) -> None:
    """The game that `index` names asks a seat."""
    if s.over != 0 or s.seat < 0 or s.seat >= s.num_players:
        raise ValueError("index must be that of a game with an open question")


@rule
def check_options(options: Ints) -> None:
    """`options` has a number for each option, none out of its range."""
    if len(options) != NUM_OPTIONS:
        raise ValueError("options must have NUM_OPTIONS numbers")
    num_players = options[Option.NUM_PLAYERS]
    if num_players < MIN_SEATS or num_players > MAX_SEATS:
        raise ValueError("num_players must be 2, 3, 4 or 5 (in options: column NUM_PLAYERS)")
    for option in (Option.FIRST_GAME, Option.SKIP_FORCED):
        if options[option] != 0 and options[option] != 1:
            raise ValueError("options must be 0 or 1 but for num_players and sets")
    sets = options[Option.SETS]
    if sets < 0 or sets & ~PLAYABLE != 0:
        raise ValueError("sets must be bits of the card sets that can be played (in options: column SETS)")
    if num_players == MAX_SEATS and sets & (1 << CardSet.P5) == 0:
        raise ValueError("num_players can be 5 only with the card set p5 (in options: columns NUM_PLAYERS, SETS)")


@rule
def check_action(action: int) -> None:
    """`action` is an action id, legal or not."""
    if action < 0 or action >= NUM_ACTIONS:
        raise ValueError("action must be an action id: 0 to NUM_ACTIONS - 1")
