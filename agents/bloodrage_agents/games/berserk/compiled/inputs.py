"""The inputs of a network for an open decision: the observation, the ledger (`ledger.py`), and scores by the rules of
thumb of `hold`.

With an evaluation of the position after each legal action, a network does not have to learn to fight: it learns where
the rules of thumb are wrong. Only information of the seat to act is read.
"""

from typing import Final

import numpy as np

from bloodrage_env.core.compile.decorators import Floats, rule
from bloodrage_env.core.compile.local_arrays import local_zeros
from bloodrage_env.core.compile.memory_copies import copy_record
from bloodrage_env.core.engine.chance import NUM_WORDS, seed_words
from bloodrage_env.core.engine.tables import action_names, section, sections

from ....scores import LEAST, WORST, compare
from ..mode import (
    BLOCKS,
    CARD,
    CELL,
    COST,
    DONE,
    NUM_ACTIONS,
    NUM_CARDS,
    NUM_CELLS,
    NUM_TEAMS,
    SECTIONS,
    STATE,
    Decision,
    Phase,
    State,
    States,
    next_to_place,
)
from .heuristics import SAMPLES, by_thumb, cell_worth, first_of_plan, try_actions
from .ledger import LEDGER
from .weights import BUY, STYLES

STYLE: Final = STYLES.index("hold")
# Of the redeals in which actions are tried, the same in each decision: with it each face of the first white die and of
# the first black one comes up twice in them, misses of the black one with each kind of strike in its share.
SEED: Final = 1330565
STREAM: Final = 2  # of the generator
PER_CRYSTAL: Final = 4.0  # of the units in which actions are compared; a bit less than four crystals are WORST
MISSED: Final = 0.7  # crystals that a planned card is worth more than another one

# After the sections of the observation and of the ledger; the legal actions are the end of a sparse row.
INPUTS: Final = sections(
    *SECTIONS,
    *LEDGER,
    section(
        "scores",
        (action_names(BLOCKS),),
        f"1 for the best action, {LEAST} for one worse by {WORST / PER_CRYSTAL:g} crystals, 0 for one not legal",
    ),
)


@rule
def score_purchase(s: State, style: int, scores: Floats) -> None:
    """Score purchases by the squad that the style would buy. Passing over or postponing one of its cards counts."""
    plans = local_zeros(1, STATE)
    copy_record(plans, 0, s)
    score_by_plan(s, style, plans, scores)


@rule
def score_by_plan(s: State, style: int, plans: States, scores: Floats) -> None:
    """Do so with the squad of a copy of the game, `plans[0]`, which is filled."""
    values = local_zeros(NUM_CARDS, np.float64)
    for card in range(NUM_CARDS):
        values[card] = BUY[style, card] / COST[card]
    first_of_plan(plans, values)
    seat = int(s.seat)
    missed = 0.0
    for card in range(NUM_CARDS):
        planned = int(plans[0].squad[seat, card]) - int(s.squad[seat, card])
        scores[CARD + card] = -missed if planned > 0 else -missed - MISSED
        missed += MISSED * planned
    scores[DONE] = -missed


@rule
def score_actions(s: State, style: int, scores: Floats) -> None:
    """Fill `scores`, float32[NUM_ACTIONS], for the legal actions, in crystals."""
    scores[:] = 0.0
    words = local_zeros(NUM_WORDS, np.int64)
    seed_words(words, SEED, STREAM)
    if s.num_legal == 1:
        return
    if s.decision == Decision.BUY:
        score_purchase(s, style, scores)
    elif s.decision == Decision.PLACE:
        card = next_to_place(s, int(s.seat))
        for cell in range(NUM_CELLS // NUM_TEAMS):
            scores[CELL + cell] = cell_worth(style, card, cell)
    elif s.phase != Phase.BATTLE:
        scores[by_thumb(s, style, words)] = MISSED
    else:
        states = local_zeros(1, STATE)
        copy_record(states, 0, s)
        totals = local_zeros(NUM_ACTIONS, np.float64)
        try_actions(states, style, words, totals)
        for action in range(NUM_ACTIONS):
            scores[action] = totals[action] / SAMPLES


@rule
def write_more(s: State, more: Floats) -> None:
    """Fill `more`, float32[NUM_ACTIONS], with the inputs after the ledger, for the seat to act."""
    score_actions(s, STYLE, more)
    for action in range(NUM_ACTIONS):
        more[action] *= PER_CRYSTAL
    compare(s.mask[:], more)
