"""The engine of Berserk: all that others may use of it. What is not named here is the engine's own.

Both Python and compiled code may call the entries, which take a structured array of games and the index of one. Rules,
whose first argument is the record of one game, are for compiled code alone. A game is one record of `STATE`; the rules
it follows are in `docs/berserk/rules.md`.
"""

from ...core.flow import GAME_OVER, ILLEGAL, RESUMED, STOPPED
from .actions import ACT, BLOCKS, CARD, CELL, DONE, MOVE, NO, NUM_ACTIONS, NUMBER, YES
from .api import (
    PLAY,
    apply,
    clone,
    go_on,
    is_openly_forced,
    is_over,
    legal_mask,
    pick,
    play_random,
    refresh,
    reset,
    scores,
    seat_to_act,
    step,
)
from .board import COLUMN_OF, DISTANCE, HOME_ORDER, NEAR, OFF_BOARD, ROW_OF, STEP, UNLIMITED
from .card_ids import CARD_CAPACITY, NUM_CARDS, Card
from .cards import ABILITIES, CLASSES, COST, EFFECTS, ELEMENT, ELITE, LIFE, MOVEMENT, TEXT, TITLE, UNIQUE, Effect, Part
from .checks import CHECKS, check_game, check_seat
from .dealing.hide import hide
from .dealing.redeal import redeal
from .decks import DECKS, SQUADS, deck_words, squad_words
from .flow import FLOW, RULES
from .formation import ANY_RANK, partners
from .hooks import (
    TRAINED,
    armour,
    attack_experience,
    attack_range,
    defence_experience,
    is_directed,
    must_strike,
    protected,
    reach,
    regeneration,
)
from .ids import (
    COLUMNS,
    DEAL,
    HOME_CELLS,
    MAX_COPIES,
    MAX_DECK,
    MAX_TOKENS,
    MAX_TURNS,
    MIN_DECK,
    NONE,
    NUM_ACTS,
    NUM_CELLS,
    NUM_DECISIONS,
    NUM_DIRECTIONS,
    NUM_ELEMENTS,
    NUM_OPTIONS,
    NUM_PHASES,
    NUM_SEATS,
    NUM_SLOTS,
    ROWS,
    SQUAD,
    Act,
    Attack,
    Combat,
    Decision,
    Dice,
    Direction,
    Element,
    Force,
    Option,
    Phase,
    Routine,
    Setup,
)
from .information import SECRET, answered_in_secret, is_hidden, squad_is_seen
from .invariants import Invariant, broken_invariant, check_state, play_checked
from .queries import is_open, lives, owner, seen, side, turn_seat, works
from .rules.fight import FORCE_OF
from .rules.landing import attack_strength, strike_strength
from .rules.on_strike import pushed_to
from .rules.placement import next_to_place
from .rules.purchase import cost_of, gold_of, may_buy, silver_of
from .rules.strike import Step as StrikeStep
from .rules.targets import can_act, targets
from .signature import RULES_VERSION, behaviour_signature
from .stack import get
from .state import COMPILER, MAX_DECISIONS, STATE, Frame, State, States

__all__ = [  # noqa: RUF022  # in the order of a reader
    # A game: the record, new ones, what is asked and answered.
    "STATE",
    "State",
    "States",
    "MAX_DECISIONS",
    "reset",
    "apply",
    "legal_mask",
    "seat_to_act",
    "is_over",
    "is_openly_forced",
    "scores",
    "clone",
    "play_random",
    "refresh",
    "go_on",
    "GAME_OVER",
    "ILLEGAL",
    "RESUMED",
    "STOPPED",
    # What one seat may know.
    "hide",
    "redeal",
    "SECRET",
    "answered_in_secret",
    "is_hidden",
    "squad_is_seen",
    # Action ids.
    "BLOCKS",
    "NUM_ACTIONS",
    "DONE",
    "YES",
    "NO",
    "CARD",
    "MOVE",
    "ACT",
    "CELL",
    "NUMBER",
    # Names that are numbers.
    "Act",
    "Attack",
    "Combat",
    "Decision",
    "Direction",
    "Element",
    "Dice",
    "Force",
    "Option",
    "Phase",
    "Routine",
    "Setup",
    "NONE",
    "NUM_ACTS",
    "NUM_CELLS",
    "NUM_DECISIONS",
    "NUM_DIRECTIONS",
    "NUM_ELEMENTS",
    "NUM_OPTIONS",
    "NUM_PHASES",
    "NUM_SEATS",
    "NUM_SLOTS",
    "SQUAD",
    "HOME_CELLS",
    "COLUMNS",
    "ROWS",
    "DEAL",
    "MAX_COPIES",
    "MAX_DECK",
    "MAX_TOKENS",
    "MAX_TURNS",
    "MIN_DECK",
    # The board.
    "COLUMN_OF",
    "DISTANCE",
    "HOME_ORDER",
    "NEAR",
    "OFF_BOARD",
    "ROW_OF",
    "STEP",
    "UNLIMITED",
    "is_open",
    "lives",
    "owner",
    "seen",
    "side",
    "turn_seat",
    "works",
    # Cards, decks and squads.
    "Card",
    "CARD_CAPACITY",
    "NUM_CARDS",
    "ABILITIES",
    "CLASSES",
    "COST",
    "EFFECTS",
    "ELEMENT",
    "ELITE",
    "LIFE",
    "MOVEMENT",
    "TEXT",
    "TITLE",
    "UNIQUE",
    "Effect",
    "Part",
    "DECKS",
    "SQUADS",
    "deck_words",
    "squad_words",
    # What the rules say about a position: the same functions as masks and answers ask.
    "TRAINED",
    "armour",
    "attack_experience",
    "attack_range",
    "defence_experience",
    "is_directed",
    "must_strike",
    "protected",
    "reach",
    "regeneration",
    "ANY_RANK",
    "partners",
    "can_act",
    "targets",
    "attack_strength",
    "strike_strength",
    "cost_of",
    "gold_of",
    "may_buy",
    "silver_of",
    "next_to_place",
    "pushed_to",
    "FORCE_OF",
    # The stack of routines: an answer piece by piece.
    "Frame",
    "StrikeStep",
    "get",
    # For compiled players: to play inside compiled code, and to check the arguments of entries.
    "step",
    "pick",
    "check_game",
    "check_seat",
    # For the core and for tests: what makes a `Game` of the engine, compiles it and checks it.
    "COMPILER",
    "FLOW",
    "RULES",
    "PLAY",
    "CHECKS",
    "Invariant",
    "broken_invariant",
    "check_state",
    "play_checked",
    "RULES_VERSION",
    "behaviour_signature",
]
