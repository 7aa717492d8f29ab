"""What the entry points refuse: options that are none. Compiled code checks no index (`core/engine/checks.py`)."""

from ....core.compile.decorators import Ints, rule
from ....core.engine.checks import checks_for
from .decks import is_deck, is_squad
from .ids import LAAR, LEAST_PLAYERS, MAX_TURNS, NUM_OPTIONS, NUM_SEATS, WORDS, Combat, Option, Placing, Setup
from .state import COMPILER


def _words(option: str) -> str:
    """The names of the arguments of `reset` for an option of each seat, two words of bits each."""
    return ", ".join(f"{option}_{seat}, {option}_{seat}_more" for seat in range(NUM_SEATS))


DECKS_WRONG = (
    f"the decks ({_words('deck')}) must have 30 to 50 cards of the table, at most three of a name (in options: column "
    "DECKS)"
)
SQUADS_WRONG = (
    f"the squads ({_words('squad')}) must have 1 to 15 cards of the table in cells of the own part of the board (in "
    "options: column SQUADS)"
)
PLAYERS_WRONG = f"num_players must be {'1 or ' * LAAR}{NUM_SEATS} (in options: column NUM_PLAYERS)"

CHECKS = checks_for(COMPILER)
check_game, check_seat = CHECKS


@rule
def check_options(options: Ints) -> None:
    """`options` has a number for each option, decks and squads in words, none out of its range."""
    if len(options) != NUM_OPTIONS:
        raise ValueError("options must have NUM_OPTIONS numbers")
    if options[Option.NUM_PLAYERS] < LEAST_PLAYERS or options[Option.NUM_PLAYERS] > NUM_SEATS:
        raise ValueError(PLAYERS_WRONG)
    if options[Option.SKIP_FORCED] != 0 and options[Option.SKIP_FORCED] != 1:
        raise ValueError("skip_forced must be 0 or 1 (in options: column SKIP_FORCED)")
    if options[Option.COMBAT] < 0 or options[Option.COMBAT] > Combat.DIFFERENCE:
        raise ValueError("combat must be 0 (book) or 1 (difference) (in options: column COMBAT)")
    if LAAR and options[Option.SETUP] != Setup.FULL:
        raise ValueError("setup must be 0 (full) (in options: column SETUP)")
    if options[Option.SETUP] < 0 or options[Option.SETUP] > Setup.FIXED:
        raise ValueError("setup must be 0 (full) or 1 (fixed) (in options: column SETUP)")
    if options[Option.MAX_TURNS] < 1 or options[Option.MAX_TURNS] > MAX_TURNS:
        raise ValueError("max_turns must be 1 to 200 (in options: column MAX_TURNS)")
    if options[Option.PLACING] < 0 or options[Option.PLACING] > Placing.AT_ONCE:
        raise ValueError("placing must be 0 (in_turn) or 1 (at_once) (in options: column PLACING)")
    for seat in range(NUM_SEATS):
        if not is_deck(options, Option.DECKS + seat * WORDS):
            raise ValueError(DECKS_WRONG)
        if not is_squad(options, Option.SQUADS + seat * WORDS):
            raise ValueError(SQUADS_WRONG)
