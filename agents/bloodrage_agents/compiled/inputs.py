"""What a network is told of an open decision: the observation, and what the rules of thumb of `balanced` make of it.

A network that is told what a pillage would bring, who will be strongest where, and a score for each legal action need
not learn to add up strengths: it learns where the rules of thumb are wrong. Nothing is read that the seat to act may
not know.
"""

from math import sqrt
from typing import Final

import numpy as np

from bloodrage_env.core.compiled import Floats, Ints, entry, rule
from bloodrage_env.core.sparse import append_set
from bloodrage_env.core.tables import length, sections, starts
from bloodrage_env.engine import NUM_ACTIONS, NUM_PROVINCES, STATE, State, States, check_open
from bloodrage_env.game import GAME
from bloodrage_env.observation import OBSERVATION_SIZE, SECTIONS, write_observation

from .heuristics import score_with
from .odds import contested, win_chance
from .plan import PLAN, Plans
from .weights import STYLES, TABLE

check_which: Final = GAME.batch.checks.check_which
STYLE: Final = STYLES.index("balanced")
FAR: Final = 15.0  # glory: an action that is worse than the best one by more counts as worse by so much
LEAST: Final = 0.02  # the number of such an action: 0 is one that is not legal
GLORY, STR = np.float32(1 / 10), np.float32(1 / 10)  # what glory and STR are multiplied with
MOST: Final = 4.0  # no input is greater, and none is negative
NUM_FORMS: Final = 3  # numbers that the network's action head makes of a score, see `forms`

# After the sections of the observation. `scores` comes last, so that the legal actions are the end of a sparse row.
TACTICS: Final = (
    ("worth", (NUM_PROVINCES,), "what a later pillage of each province is worth to the seat"),
    ("token_worth", (NUM_PROVINCES,), "... and its token"),
    ("control", (NUM_PROVINCES,), "chance of the most STR there when quests are checked"),
    ("contested", (NUM_PROVINCES,), "chance that a pillage there becomes a battle"),
    ("win_chance", (NUM_PROVINCES,), "chance to win that with the best card in hand"),
    ("threat", (NUM_PROVINCES,), "own STR next door"),
    ("scores", (NUM_ACTIONS,), "1 for the best action, LEAST for one that is worse by FAR, 0 for one not legal"),
)
INPUTS: Final = sections(*((each.name, each.shape, each.meaning) for each in SECTIONS), *TACTICS)
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
def write_inputs(s: State, scratch: States, plans: Plans, inputs: Floats) -> None:
    """Fill `inputs`, float32[NUM_INPUTS], for the seat to act. `scratch` and `plans` are arrays of one record each,
    whose content does not matter but for the weights of the plan: those of STYLE.
    """
    seat = int(s.seat)
    write_observation(s, seat, inputs[:OBSERVATION_SIZE])
    scores = inputs[AT_SCORES:]
    score_with(s, scratch, plans, scores)
    best = np.float32(-1e9)
    for action in range(NUM_ACTIONS):
        if s.mask[action] == 1:
            best = max(best, scores[action])
    for action in range(NUM_ACTIONS):
        worse = min(np.float32(FAR), best - scores[action]) * np.float32((1.0 - LEAST) / FAR)
        scores[action] = s.mask[action] * (np.float32(1.0) - worse)
    plan = plans[0]
    for province in range(NUM_PROVINCES):
        own = float(plan.force[seat, province] + plan.best_card)
        inputs[AT_WORTH + province] = np.float32(min(MOST, plan.worth[province] * GLORY))
        inputs[AT_TOKEN_WORTH + province] = np.float32(min(MOST, max(0.0, plan.token[province] * GLORY)))
        inputs[AT_CONTROL + province] = np.float32(plan.control[province])
        inputs[AT_CONTESTED + province] = np.float32(contested(s, plan, province))
        inputs[AT_WIN_CHANCE + province] = np.float32(win_chance(s, plan, province, own, True))
        inputs[AT_THREAT + province] = np.float32(min(MOST, plan.threat[seat, province] * STR))


@rule
def forms(score: float, out: Floats) -> None:
    """What the action head makes of a score, float32[NUM_FORMS]: linear, the root, and whether it is the best."""
    worse = (1.0 - score) * (FAR / (1.0 - LEAST))
    out[0] = np.float32(-worse * 0.25)
    out[1] = np.float32(-sqrt(max(0.0, worse)) * 0.5)
    out[2] = np.float32(1.0) if worse < 1e-3 else np.float32(0.0)


@entry
def gather_inputs(states: States, which: Ints, offsets: Ints, index: Ints, values: Floats) -> int:
    """The inputs that are not zero of the open decisions of these games, one after the other.

    Row i has the inputs `index[offsets[i] : offsets[i + 1]]` and their `values`; its legal actions are the last ones.
    Returns how many there are; ValueError if `index` has no room for them.
    """
    check_which(states, which)
    if len(offsets) != len(which) + 1:
        raise ValueError("offsets must have a number for each of which, and one more")
    if len(values) != len(index):
        raise ValueError("values must be as many as index")
    for game in which:
        check_open(states[game])
    scratch = np.zeros(1, STATE)
    plans = np.zeros(1, PLAN)
    plans[0].weights[:] = TABLE[STYLE]
    inputs = np.zeros(NUM_INPUTS, dtype=np.float32)
    at = 0
    offsets[0] = 0
    for i in range(len(which)):
        write_inputs(states[which[i]], scratch, plans, inputs)
        at = append_set(inputs, index, values, at)
        offsets[i + 1] = at
    return at
