"""The engine of Berserk: all that others may use of it. What is not named here is the engine's own.

Both Python and compiled code may call the entries, which take a structured array of games and the index of one. Rules,
whose first argument is the record of one game, are for compiled code alone. A game is one record of `STATE`; the rules
it follows are in `docs/berserk/rules.md`.
"""

from ....core.engine.flow import GAME_OVER, ILLEGAL, RESUMED, STOPPED
from .actions import ACT, BLOCKS, CARD, CELL, DONE, FLYER, MOVE, NO, NUM_ACTIONS, NUMBER, YES
from .api import (
    PLAY,
    apply,
    clone,
    go_on,
    is_openly_forced,
    is_over,
    legal_mask,
    play_random,
    refresh,
    reset,
    scores,
    seat_to_act,
    step,
)
from .board import AIR, COLUMN_OF, DISTANCE, OFF_BOARD, ROW_OF, STEP, UNLIMITED
from .card_ids import ANGEL, CARD_CAPACITY, DEMON, NUM_CARDS, Card
from .cards import (
    ABILITIES,
    CLASSES,
    COST,
    EFFECTS,
    ELEMENT,
    ELITE,
    FLYERS,
    LIFE,
    MOVEMENT,
    TEXT,
    TITLE,
    UNIQUE,
    Effect,
    Part,
)
from .checks import CHECKS, check_game, check_seat
from .dealing.hide import hide
from .dealing.redeal import redeal, redeal_game
from .decks import DECKS, SQUADS, deck_words, squad_words
from .flow import FLOW
from .formation import ANY_RANK, partners
from .hooks import (
    TRAINED,
    armour,
    attack_experience,
    attack_range,
    defence_experience,
    must_strike,
)
from .ids import (
    COLUMNS,
    DEAL,
    HOME_CELLS,
    LAAR,
    LEAST_PLAYERS,
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
    NUM_OPTIONS,
    NUM_SEATS,
    NUM_SLOTS,
    NUM_TEAMS,
    ROWS,
    SQUAD,
    WIDTH,
    Act,
    Attack,
    Combat,
    Decision,
    Dice,
    Direction,
    Element,
    Force,
    Phase,
    Placing,
    Routine,
    Setup,
)
from .information import SECRET, answered_in_secret, is_hidden, squad_is_seen
from .invariants import Invariant, check_state, play_checked
from .keywords import ATTACK_WORDS, CARD_WORDS
from .laar import BEGINS
from .queries import PLACE_OF, SEAT_AT, is_open, opponent, owner, relative, relative_seat, seen
from .rules.fight import BY_DIFFERENCE, FORCE_OF, LOW
from .rules.on_strike import pushed_to
from .rules.placement import next_to_place
from .rules.purchase import GOLD, SILVER, cost_of, gold_of, may_buy, silver_of
from .rules.start import Step as StartStep
from .rules.strike import Step as StrikeStep
from .rules.targets import can_act, chosen, flyer_targets, targets
from .signature import RULES_VERSION, behaviour_signature
from .stack import get
from .state import COMPILER, GROUPS, MARK_FIELDS, MAX_DECISIONS, STATE, Frame, State, States
