"""The inputs of a network for an open decision: the observation, the ledger (`ledger.py`), and evaluations by the rules
of thumb of `balanced`.

With the value of each pillage, the strongest clan of each province and a score for each legal action, a network does
not have to learn to add up strengths: it learns where the rules of thumb are wrong. Only information of the seat to act
is read.
"""

from typing import Final

import numpy as np

from bloodrage_env.core.compile.decorators import Floats, rule
from bloodrage_env.core.compile.local_arrays import local_zeros
from bloodrage_env.core.engine.tables import action_names, length, section, sections, starts
from bloodrage_env.games.bloodrage.engine import BLOCKS, NUM_PROVINCES, STATE, State, States
from bloodrage_env.games.bloodrage.observation import PROVINCES, SECTIONS

from ....forward import MOST
from ....scores import LEAST, WORST, compare
from .heuristics import score_with, set_weights
from .ledger import LEDGER
from .odds import contested, win_chance
from .plan import PLAN, Plans
from .weights import STYLES

STYLE: Final = STYLES.index("balanced")
GLORY, STR = np.float32(1 / 10), np.float32(1 / 10)  # what glory and STR are multiplied with

# After the observation and the ledger. `scores` comes last, so that the legal actions are the end of a sparse row.
TACTICS: Final = (
    ("worth", (PROVINCES,), "what a later pillage of each province is worth to the seat"),
    ("token_worth", (PROVINCES,), "... and its token"),
    ("control", (PROVINCES,), "chance of the most STR there when quests are checked"),
    ("contested", (PROVINCES,), "chance that a pillage there becomes a battle"),
    ("win_chance", (PROVINCES,), "chance to win that with the best card in hand"),
    ("threat", (PROVINCES,), "own STR next door"),
    (
        "scores",
        (action_names(BLOCKS),),
        f"1 for the best action, {LEAST} for one worse by {WORST:g} glory, 0 for one not legal",
    ),
)
INPUTS: Final = sections(*SECTIONS, *LEDGER, *(section(*row) for row in TACTICS))
NUM_INPUTS: Final = length(INPUTS)
_START = starts(INPUTS)
AT_WORTH = _START["worth"]
AT_TOKEN_WORTH = _START["token_worth"]
AT_CONTROL = _START["control"]
AT_CONTESTED = _START["contested"]
AT_WIN_CHANCE = _START["win_chance"]
AT_THREAT = _START["threat"]
AT_SCORES = _START["scores"]


@rule
def write_more(s: State, more: Floats) -> None:
    """Fill `more`, float32[NUM_INPUTS - AT_WORTH], with the inputs after the ledger, for the seat to act."""
    plans = local_zeros(1, PLAN)
    set_weights(plans[0], STYLE)
    write_by(s, local_zeros(1, STATE), plans, more)


@rule
def write_by(s: State, scratch: States, plans: Plans, more: Floats) -> None:
    """Do so with `plans[0]`, whose weights are those of STYLE. `scratch[0]` is a work copy of the game."""
    seat = int(s.seat)
    scores = more[AT_SCORES - AT_WORTH :]
    score_with(s, scratch, plans, scores)
    compare(s.mask[:], scores)
    plan = plans[0]
    for province in range(NUM_PROVINCES):
        at = province - AT_WORTH
        own = float(plan.force[seat, province] + plan.best_card)
        more[AT_WORTH + at] = np.float32(min(MOST, plan.worth[province] * GLORY))
        more[AT_TOKEN_WORTH + at] = np.float32(min(MOST, max(0.0, plan.token[province] * GLORY)))
        more[AT_CONTROL + at] = np.float32(plan.control[province])
        more[AT_CONTESTED + at] = np.float32(contested(s, plan, province))
        more[AT_WIN_CHANCE + at] = np.float32(win_chance(s, plan, province, own, True))
        more[AT_THREAT + at] = np.float32(min(MOST, plan.threat[seat, province] * STR))
