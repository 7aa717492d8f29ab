"""The network of `network.py`, compiled: in a tree search, and for the open decisions of many games.

One thread, one decision at a time: it skips inputs that are zero and illegal actions, which a matrix product can't.
`weights` is `Network.vector`; `width` is that of its layers.
"""

from math import exp
from typing import NamedTuple

import numpy as np

from bloodrage_env.core.chance import unit
from bloodrage_env.core.compiled import Floats, Floats2, Ints, entry, rule, shared_rule
from bloodrage_env.engine import MAX_SEATS, NONE, NUM_ACTIONS, STATE, State, States, check_open

from .inputs import AT_SCORES, NUM_FORMS, NUM_INPUTS, STYLE, check_which, forms, write_inputs
from .plan import PLAN, Plans
from .weights import TABLE

MAX_WIDTH = 2**20  # far more than any network's, and its square is a number of 64 bits
LANES = 16  # sums of a dot product that go on side by side: one sum would have to wait for itself


@rule
def add_rows(out: Floats, inputs: Floats, matrix: Floats, a: int, b: int, c: int, d: int) -> None:
    """Add to `out` four rows of a matrix times their inputs: at once, so that `out` is read and written but once."""
    width = len(out)
    row_a, row_b = matrix[a * width : (a + 1) * width], matrix[b * width : (b + 1) * width]
    row_c, row_d = matrix[c * width : (c + 1) * width], matrix[d * width : (d + 1) * width]
    one, two, three, four = inputs[a], inputs[b], inputs[c], inputs[d]
    for i in range(width):
        out[i] += one * row_a[i] + two * row_b[i] + three * row_c[i] + four * row_d[i]


@rule
def add_product(out: Floats, inputs: Floats, matrix: Floats) -> None:
    """Add to `out` the product of `inputs` and a matrix with a row for each of them, most of which may be zero."""
    width = len(out)
    a = b = c = NONE  # inputs that are not zero and wait for a fourth one
    for i in range(len(inputs)):
        if inputs[i] != 0.0:
            if a == NONE:
                a = i
            elif b == NONE:
                b = i
            elif c == NONE:
                c = i
            else:
                add_rows(out, inputs, matrix, a, b, c, i)
                a = b = c = NONE
    for left in (a, b, c):
        if left != NONE:
            row = matrix[left * width : (left + 1) * width]
            factor = inputs[left]
            for i in range(width):
                out[i] += factor * row[i]


@rule
def dot(left: Floats, right: Floats, sums: Floats) -> float:
    """The product of two rows; `sums` is float32[LANES], whose content doesn't matter."""
    sums[:] = 0.0
    whole = len(left) // LANES * LANES
    for start in range(0, whole, LANES):
        one, other = left[start : start + LANES], right[start : start + LANES]
        for lane in range(LANES):
            sums[lane] += one[lane] * other[lane]
    total = 0.0
    for lane in range(LANES):
        total += sums[lane]
    for i in range(whole, len(left)):
        total += left[i] * right[i]
    return total


HEADS = NUM_ACTIONS + NUM_FORMS + MAX_SEATS  # outputs of the last layer: logits, gains, values


@rule
def check_weights(weights: Floats, width: int) -> None:
    """`weights` are those of a network of this width: some layers, and what it has beside them."""
    if width < 1 or width > MAX_WIDTH:
        raise ValueError("width must be that of the layers of a network, or 0")
    layers = len(weights) - (NUM_INPUTS + HEADS + 1) * width - HEADS
    if layers < 0 or layers % ((width + 1) * width) != 0:
        raise ValueError("weights must be as many as a network of this width has")


@rule
def answer(weights: Floats, width: int, memory: Floats, logits: Floats, values: Floats) -> None:
    """Fill `logits`, float32[NUM_ACTIONS], for the legal actions, and `values`, float32[MAX_SEATS], of the seat that is
    asked and of those clockwise from it.

    `memory` is float32[memory_size(width)] and begins with the inputs, of which those before the scores are
    overwritten.
    """
    layers = (len(weights) - (NUM_INPUTS + HEADS + 1) * width - HEADS) // ((width + 1) * width)
    inputs = memory[:NUM_INPUTS]
    hidden = memory[NUM_INPUTS : NUM_INPUTS + width]
    more = memory[NUM_INPUTS + width : NUM_INPUTS + 2 * width]
    at = NUM_INPUTS * width
    hidden[:] = weights[at : at + width]
    add_product(hidden, inputs, weights[:at])
    at += width
    biases = at + layers * width * width
    for i in range(width):
        hidden[i] = max(hidden[i], hidden.dtype.type(0.0))
    for layer in range(layers):
        more[:] = weights[biases + layer * width : biases + (layer + 1) * width]
        add_product(more, hidden, weights[at + layer * width * width : at + (layer + 1) * width * width])
        for i in range(width):
            hidden[i] += max(more[i], more.dtype.type(0.0))
    sums = inputs[:LANES]  # which have been heard by now, as what lies after them
    gains = inputs[LANES : LANES + NUM_FORMS]
    shape = inputs[LANES + NUM_FORMS : LANES + 2 * NUM_FORMS]
    actions = biases + layers * width
    action_biases = actions + width * NUM_ACTIONS
    at = action_biases + NUM_ACTIONS
    bias = at + width * NUM_FORMS
    for form in range(NUM_FORMS):
        gains[form] = weights[bias + form] + dot(hidden, weights[at + form * width : at + (form + 1) * width], sums)
    for action in range(NUM_ACTIONS):
        score = inputs[AT_SCORES + action]
        if score != 0.0:
            forms(score, shape)
            row = weights[actions + action * width : actions + (action + 1) * width]
            logit = weights[action_biases + action] + dot(hidden, row, sums)
            for form in range(NUM_FORMS):
                logit += gains[form] * shape[form]
            logits[action] = logit
    at = bias + NUM_FORMS
    bias = at + width * MAX_SEATS
    for seat in range(MAX_SEATS):
        values[seat] = weights[bias + seat] + dot(hidden, weights[at + seat * width : at + (seat + 1) * width], sums)


@rule
def memory_size(width: int) -> int:
    """How many numbers `evaluate` works with."""
    return NUM_INPUTS + 2 * width


class Net(NamedTuple):
    """A network as a search asks it: its weights, and memory for an answer. `width` is 0 for none."""

    weights: Floats
    width: int
    memory: Floats  # float32[memory_size(width)]
    scratch: States  # one record, as for `write_inputs`
    plans: Plans  # one record, with the weights of STYLE
    rewards: Floats  # float32[MAX_SEATS]: what each seat is expected to be paid, by seat, after `evaluate`


@rule
def new_net(weights: Floats, width: int) -> Net:
    """A network with memory of its own."""
    plans = np.zeros(1, PLAN)
    plans[0].weights[:] = TABLE[STYLE]
    memory = np.zeros(memory_size(width), dtype=np.float32)
    return Net(weights, width, memory, np.zeros(1, STATE), plans, np.zeros(MAX_SEATS, dtype=np.float32))


@shared_rule
def evaluate(s: State, net: Net, logits: Floats) -> None:
    """What a network says of the open decision: `logits`, float32[NUM_ACTIONS], of the legal actions, and
    `net.rewards`, as the seat to act sees it.
    """
    memory = net.memory
    write_inputs(s, net.scratch, net.plans, memory[:NUM_INPUTS])
    turned = memory[LANES + 2 * NUM_FORMS : LANES + 2 * NUM_FORMS + MAX_SEATS]
    answer(net.weights, net.width, memory, logits, turned)
    n = int(s.num_players)
    net.rewards[:] = 0.0
    for seat in range(n):
        net.rewards[(s.seat + seat) % n] = turned[seat]


@entry
def evaluate_games(states: States, which: Ints, weights: Floats, width: int, logits: Floats2, values: Floats2) -> None:
    """Of the open decision of each of these games fill a row of `logits`, float32[N, NUM_ACTIONS], where legal, and of
    `values`, float32[N, MAX_SEATS], of the seat that is asked and of those clockwise from it.
    """
    check_which(states, which)
    check_weights(weights, width)
    for game in which:
        check_open(states[game])
    if logits.shape != (len(which), NUM_ACTIONS):
        raise ValueError("logits must have the shape (len(which), NUM_ACTIONS)")
    if values.shape != (len(which), MAX_SEATS):
        raise ValueError("values must have the shape (len(which), MAX_SEATS)")
    net = new_net(weights, width)
    for row in range(len(which)):
        write_inputs(states[which[row]], net.scratch, net.plans, net.memory[:NUM_INPUTS])
        answer(weights, width, net.memory, logits[row], values[row])


@rule
def draw(s: State, logits: Floats, words: Ints) -> int:
    """A legal action, drawn by the chance that the logits give it."""
    top = -1e9
    for action in range(NUM_ACTIONS):
        if s.mask[action] == 1:
            top = max(top, logits[action])
    choice = -1
    total = 0.0
    for action in range(NUM_ACTIONS):
        if s.mask[action] == 1:
            weight = exp(logits[action] - top)
            total += weight
            if unit(words) * total < weight:
                choice = action
    return choice
