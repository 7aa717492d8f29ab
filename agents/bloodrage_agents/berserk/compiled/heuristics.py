"""The styles: cards are bought and placed by rules of thumb; all else is tried, in a few redeals each.

After the action that is tried, the questions that belong to it are answered by a fixed rule, up to the next free choice
of a turn; then the position is evaluated.
"""

import numpy as np

from bloodrage_env.berserk.engine import (
    CARD,
    CELL,
    COLUMNS,
    COST,
    DONE,
    HOME_CELLS,
    LIFE,
    NO,
    NONE,
    NUM_ACTIONS,
    NUM_CARDS,
    STATE,
    YES,
    Decision,
    State,
    States,
    check_game,
    may_buy,
    next_to_place,
    redeal,
    seen,
    step,
)
from bloodrage_env.core.chance import new_words, next_word, seed_words, unit
from bloodrage_env.core.compiled import Ints, entry, rule

from .evaluate import evaluate
from .weights import BUY, IS_RANGED, NUM_STYLES, WEIGHTS, WORTH, Doubles, Weight

SAMPLES = 12  # redeals in which every action is tried
MOST_ANSWERS = 12  # of the questions that belong to an action
STREAM = 1  # of the generator
BUY_NOISE, PLACE_NOISE, TIE_NOISE = 0.3, 0.5, 1e-6
FRONT_ROW = 2  # of the own half, in the own view
CENTRE = 2


@rule
def draw_seed(words: Ints) -> int:
    """A seed of 62 bits."""
    return (next_word(words) << 30) | (next_word(words) >> 2)


# ---- rules of thumb


@rule
def choose_card(s: State, style: int, words: Ints) -> int:
    """The next card of a squad that is planned whole, since cards are bought in rising order of ids; DONE at its end.

    The plan takes what the style thinks most of for its price, with some chance, as long as it can be paid.
    """
    values = np.zeros(NUM_CARDS)
    for card in range(NUM_CARDS):
        values[card] = BUY[style, card] / COST[card] + BUY_NOISE * unit(words)
    plans = np.zeros(1, STATE)
    plans[0] = s
    first = first_of_plan(plans, values)
    return CARD + first if first < NUM_CARDS else DONE


@rule
def first_of_plan(plans: States, values: Doubles) -> int:
    """Fill the squad of the seat that buys in `plans[0]`; the lowest card bought for it, NUM_CARDS if there is none."""
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
def choose_cell(s: State, style: int, words: Ints) -> int:
    """The cell for the card that is placed next: strikers in front, others behind them."""
    card = next_to_place(s, int(s.seat))
    best = -1
    most = 0.0
    for cell in range(HOME_CELLS):
        if s.mask[CELL + cell] == 1:
            forward = cell // COLUMNS - FRONT_ROW
            if IS_RANGED[card] == 1:
                value = -WEIGHTS[style, Weight.BACK] * forward
            else:
                value = WEIGHTS[style, Weight.FRONT] * forward
            value += WEIGHTS[style, Weight.CENTRE] * abs(cell % COLUMNS - CENTRE) + PLACE_NOISE * unit(words)
            if best < 0 or value > most:
                best = CELL + cell
                most = value
    return best


@rule
def by_thumb(s: State, style: int, words: Ints) -> int:
    """The answer to a question before the battle, -1 for another one."""
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
def weakest_target(s: State) -> int:
    """The cell of the enemy card that has least life left for its worth; -1 if there is none to choose."""
    best = -1
    most = 0.0
    for cell in range(CELL, CELL + len(s.at)):
        if s.mask[cell] == 1:
            slot = int(s.at[seen(s, int(s.seat), cell - CELL)])
            if slot != NONE and s.card[slot] != NONE:
                card = int(s.card[slot])
                value = WORTH[card] / (1.0 + int(LIFE[card]) - int(s.wounds[slot]))
                if best < 0 or value > most:
                    best = cell
                    most = value
    return best


@rule
def follow_up(s: State) -> int:
    """The answer to a question that belongs to an action: the weakest target, no defender, dice as they lie."""
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
    """Answer what belongs to the action that was tried, by either seat."""
    answers = 0
    while s.over == 0 and s.decision != Decision.MAIN and answers < MOST_ANSWERS:
        step(s, follow_up(s))
        answers += 1


@rule
def best_tried(states: States, style: int, words: Ints) -> int:
    """The legal action after which the seat to act in `states[0]` is best off, on average over the redeals."""
    seat = int(states[0].seat)
    totals = np.zeros(NUM_ACTIONS)
    scratch = np.zeros(1, STATE)
    for _ in range(SAMPLES):
        world = redeal(states, 0, seat, draw_seed(words))
        for action in range(NUM_ACTIONS):
            if states[0].mask[action] == 1:
                scratch[0] = world[0]
                step(scratch[0], action)
                settle(scratch[0])
                totals[action] += evaluate(scratch[0], seat, style)
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
    """The action of a style for the seat to act."""
    if s.num_legal == 1:
        return best_legal(s)
    choice = by_thumb(s, style, words)
    if choice >= 0:
        return choice
    states = np.zeros(1, STATE)
    states[0] = s
    return best_tried(states, style, words)


@rule
def best_legal(s: State) -> int:
    """The first legal action."""
    for action in range(NUM_ACTIONS):
        if s.mask[action] == 1:
            return action
    return DONE


@entry
def choose(states: States, index: int, style: int, seed: int) -> int:
    """The action of a style for the seat to act in game `index`, which may be a hidden view; chance is of the seed."""
    check_game(states, index)
    if states[index].over == 1 or states[index].num_legal == 0:
        raise ValueError("index must be of a game with an open question")
    if style < 0 or style >= NUM_STYLES:
        raise ValueError("style must be an index of STYLES")
    if seed < 0:
        raise ValueError("seed must be 0 to 2**63 - 1")
    words = new_words()
    seed_words(words, seed, STREAM)
    return pick(states[index], style, words)
