"""The styles. Cards are bought and placed by rules of thumb; all other actions are tried in a few redeals.

After the tried action, a fixed rule answers the questions that belong to it, up to the next free choice of a turn. Then
the position is evaluated.
"""

import numpy as np

from bloodrage_env.core.compile.decorators import Ints, entry, rule, shared_rule
from bloodrage_env.core.compile.local_arrays import local_zeros
from bloodrage_env.core.compile.memory_copies import copy_record
from bloodrage_env.core.engine.chance import NUM_WORDS, seed_words, unit

from ....mcts.deals import draw_seed
from ....mcts.nodes import Doubles
from ....styles import STREAM, choose_many_for
from ..mode import (
    CARD,
    CELL,
    COLUMNS,
    COMPILER,
    COST,
    DONE,
    LIFE,
    NO,
    NONE,
    NUM_ACTIONS,
    NUM_CARDS,
    NUM_CELLS,
    NUM_SLOTS,
    NUM_TEAMS,
    STATE,
    WIDTH,
    YES,
    Decision,
    Phase,
    State,
    States,
    check_game,
    chosen,
    is_hidden,
    may_buy,
    next_to_place,
    owner,
    redeal_game,
    step,
)
from .evaluate import evaluate
from .weights import BUY, IS_RANGED, NUM_STYLES, WEIGHTS, WORTH, Weight

SAMPLES = 12  # redeals in which every action is tried
MOST_ANSWERS = 12  # of the questions that belong to an action
BUY_NOISE, PLACE_NOISE, TIE_NOISE = 0.3, 0.5, 1e-6
FRONT_ROW = 2  # of the own half, in the own view
CENTRE = 2


# ---- rules of thumb


@rule
def choose_card(s: State, style: int, words: Ints) -> int:
    """Return the next card of a squad that is planned as a whole, DONE at its end.

    Cards are bought in rising order of ids. The plan takes the cards with the best worth for their price, with some
    randomness, as long as it can pay them.
    """
    values = local_zeros(NUM_CARDS, np.float64)
    for card in range(NUM_CARDS):
        values[card] = BUY[style, card] / COST[card] + BUY_NOISE * unit(words)
    plans = local_zeros(1, STATE)
    copy_record(plans, 0, s)
    first = first_of_plan(plans, values)
    return CARD + first if first < NUM_CARDS else DONE


@rule
def first_of_plan(plans: States, values: Doubles) -> int:
    """Fill the squad of the buying seat in `plans[0]`. Return the lowest new card, NUM_CARDS without one."""
    s = plans[0]
    seat = int(s.seat)
    first = NUM_CARDS
    while True:
        best = -1
        for card in range(NUM_CARDS):
            if s.mask[CARD + card] == 1 and (best < 0 or values[card] > values[best]):
                if may_buy(s, seat, card):
                    best = card
        if best < 0:
            return first
        s.squad[seat, best] += 1
        first = min(first, best)


@rule
def cell_worth(style: int, card: int, cell: int) -> float:
    """Return the worth of a cell of the own half for a card that is placed: strikers in front, others behind."""
    forward = cell // COLUMNS - FRONT_ROW
    if IS_RANGED[card] == 1:
        value = -WEIGHTS[style, Weight.BACK] * forward
    else:
        value = WEIGHTS[style, Weight.FRONT] * forward
    return float(value + WEIGHTS[style, Weight.CENTRE] * abs(cell % WIDTH - CENTRE))


@rule
def choose_cell(s: State, style: int, words: Ints) -> int:
    """Return the cell for the card that is placed next."""
    card = next_to_place(s, int(s.seat))
    best = -1
    most = 0.0
    for cell in range(NUM_CELLS // NUM_TEAMS):
        if s.mask[CELL + cell] == 1:
            value = cell_worth(style, card, cell) + PLACE_NOISE * unit(words)
            if best < 0 or value > most:
                best = CELL + cell
                most = value
    return best


@rule
def by_thumb(s: State, style: int, words: Ints) -> int:
    """Return the answer to a question before the battle, -1 for another question."""
    if s.decision == Decision.BUY:
        return choose_card(s, style, words)
    if s.decision == Decision.PLACE:
        return choose_cell(s, style, words)
    if s.decision == Decision.SEAT:
        return NO  # Second, who wins more often between equal players
    if s.decision == Decision.KEEP or s.decision == Decision.HIDE:
        return YES
    return -1


# ---- trying


@rule
def is_partners(s: State, slot: int) -> bool:
    """Return whether a card belongs to the partner of the seat to act."""
    return owner(slot) != s.seat and owner(slot) % NUM_TEAMS == int(s.seat) % NUM_TEAMS


@rule
def weakest_target(s: State) -> int:
    """Return the choice of the enemy card with the least life left for its worth, -1 without one."""
    best = -1
    most = 0.0
    for action in range(CELL, NUM_ACTIONS):
        if s.mask[action] == 1:
            slot = chosen(s, int(s.seat), action)
            if slot != NONE and s.card[slot] != NONE and not is_partners(s, slot):
                card = int(s.card[slot])
                value = WORTH[card] / (1.0 + int(LIFE[card]) - int(s.wounds[slot]))
                if best < 0 or value > most:
                    best = action
                    most = value
    return best


@rule
def follow_up(s: State) -> int:
    """Return the answer to a question of an action: the weakest target, no defender, dice unchanged."""
    if s.decision == Decision.TARGET:
        target = weakest_target(s)
        if target >= 0:
            return target
    if s.mask[DONE] == 1:
        return DONE
    if s.decision == Decision.REROLL or s.decision == Decision.AGAIN:
        return NO
    for action in range(NUM_ACTIONS):
        if s.mask[action] == 1:
            return action
    return DONE


@rule
def settle(s: State) -> None:
    """Answer the questions that belong to the tried action, for both seats."""
    answers = 0
    while s.over == 0 and s.decision != Decision.MAIN and answers < MOST_ANSWERS:
        step(s, follow_up(s))
        answers += 1


@rule
def rolls_nothing(before: State, after: State) -> bool:
    """Return whether no die was rolled in between."""
    for i in range(NUM_WORDS):
        if before.chance[i] != after.chance[i]:
            return False
    return True


@rule
def knows_all(s: State, seat: int) -> bool:
    """Return whether the hidden information of a battle is limited to unplayable cards and future dice."""
    if s.phase != Phase.BATTLE:
        return False
    for slot in range(NUM_SLOTS):
        if is_hidden(s, slot, seat):
            return False
    return True


@shared_rule
def try_actions(states: States, style: int, words: Ints, totals: Doubles) -> None:
    """Fill `totals`, float64[NUM_ACTIONS], for the legal actions with the evaluations after each of them.

    The values are for the seat to act in `states[0]`, summed over SAMPLES redeals that all actions share. An action
    without chance is tried in the first redeal only.
    """
    seat = int(states[0].seat)
    scratch, worlds = local_zeros(1, STATE), local_zeros(1, STATE)
    settled = local_zeros(NUM_ACTIONS, np.int8)
    all_known = knows_all(states[0], seat)
    totals[:] = 0.0
    for sample in range(SAMPLES):
        copy_record(worlds, 0, states[0])
        redeal_game(worlds[0], seat, draw_seed(words))
        for action in range(NUM_ACTIONS):
            if states[0].mask[action] == 1 and settled[action] == 0:
                copy_record(scratch, 0, worlds[0])
                step(scratch[0], action)
                settle(scratch[0])
                value = evaluate(scratch[0], seat, style)
                if sample == 0 and all_known and rolls_nothing(worlds[0], scratch[0]):
                    settled[action] = 1
                    value *= SAMPLES
                totals[action] += value


@rule
def best_tried(states: States, style: int, words: Ints) -> int:
    """Return the legal action with the best mean evaluation over the redeals, for the seat to act in `states[0]`."""
    totals = local_zeros(NUM_ACTIONS, np.float64)
    try_actions(states, style, words, totals)
    best = -1
    most = 0.0
    for action in range(NUM_ACTIONS):
        if states[0].mask[action] == 1:
            value = totals[action] + TIE_NOISE * unit(words)
            if best < 0 or value > most:
                best = action
                most = value
    return best


@rule
def pick(s: State, style: int, words: Ints) -> int:
    """Return the action of a style for the seat to act."""
    if s.num_legal == 1:
        return best_legal(s)
    choice = by_thumb(s, style, words)
    if choice >= 0:
        return choice
    states = local_zeros(1, STATE)
    copy_record(states, 0, s)
    return best_tried(states, style, words)


@rule
def best_legal(s: State) -> int:
    """Return the first legal action."""
    for action in range(NUM_ACTIONS):
        if s.mask[action] == 1:
            return action
    return DONE


@rule
def check_open(s: State) -> None:
    """Raise ValueError for a game without an open question."""
    if s.over == 1 or s.num_legal == 0:
        raise ValueError("index must be of a game with an open question")


@entry
def choose(states: States, index: int, style: int, seed: int) -> int:
    """Return the action of a style for the seat to act in game `index`. All random numbers follow from the seed.

    The game can be a hidden view.
    """
    check_game(states, index)
    check_open(states[index])
    if style < 0 or style >= NUM_STYLES:
        raise ValueError("style must be an index of STYLES")
    if seed < 0:
        raise ValueError("seed must be 0 to 2**63 - 1")
    words = local_zeros(NUM_WORDS, np.int64)
    seed_words(words, seed, STREAM)
    return pick(states[index], style, words)


choose_many = choose_many_for(COMPILER, pick, NUM_STYLES)
