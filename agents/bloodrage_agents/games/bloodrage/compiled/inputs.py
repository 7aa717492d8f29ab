"""What a network is told of an open decision: the observation, and what the rules of thumb of `balanced` make of it.

A network that is told what a pillage would bring, who will be strongest where, and a score for each legal action need
not learn to add up strengths: it learns where the rules of thumb are wrong. Nothing is read that the seat to act may
not know.
"""

from typing import Final

import numpy as np

from bloodrage_env.core.compiled import Floats, rule
from bloodrage_env.core.tables import action_names, length, section, sections, starts
from bloodrage_env.games.bloodrage.engine import BLOCKS, NUM_PROVINCES, STATE, State, States
from bloodrage_env.games.bloodrage.observation import OBSERVATION_SIZE, PROVINCES, SECTIONS, write_floats

from ....forward import MOST
from ....scores import LEAST, WORST, compare
from .heuristics import score_with
from .odds import contested, win_chance
from .plan import PLAN, Plans
from .weights import STYLES, TABLE

STYLE: Final = STYLES.index("balanced")
GLORY, STR = np.float32(1 / 10), np.float32(1 / 10)  # what glory and STR are multiplied with

# After the sections of the observation. `scores` comes last, so that the legal actions are the end of a sparse row.
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
INPUTS: Final = sections(*SECTIONS, *(section(*row) for row in TACTICS))
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
def write_inputs(s: State, inputs: Floats) -> None:
    """Fill `inputs`, float32[NUM_INPUTS], for the seat to act."""
    plans = np.zeros(1, PLAN)
    plans[0].weights[:] = TABLE[STYLE]
    write_by(s, np.zeros(1, STATE), plans, inputs)


@rule
def write_by(s: State, scratch: States, plans: Plans, inputs: Floats) -> None:
    """Do so by `plans[0]`, whose weights are those of STYLE; `scratch[0]` takes a copy of the game."""
    seat = int(s.seat)
    write_floats(s, seat, inputs[:OBSERVATION_SIZE])
    scores = inputs[AT_SCORES:]
    score_with(s, scratch, plans, scores)
    compare(s.mask[:], scores)
    plan = plans[0]
    for province in range(NUM_PROVINCES):
        own = float(plan.force[seat, province] + plan.best_card)
        inputs[AT_WORTH + province] = np.float32(min(MOST, plan.worth[province] * GLORY))
        inputs[AT_TOKEN_WORTH + province] = np.float32(min(MOST, max(0.0, plan.token[province] * GLORY)))
        inputs[AT_CONTROL + province] = np.float32(plan.control[province])
        inputs[AT_CONTESTED + province] = np.float32(contested(s, plan, province))
        inputs[AT_WIN_CHANCE + province] = np.float32(win_chance(s, plan, province, own, True))
        inputs[AT_THREAT + province] = np.float32(min(MOST, plan.threat[seat, province] * STR))
