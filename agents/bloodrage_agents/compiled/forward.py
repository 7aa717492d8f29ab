"""The network of `network.py`, compiled: in a tree search, and for rows of observations.

One thread, one decision at a time: it skips inputs that are zero and illegal actions, which a matrix product can't.
`weights` is `Network.vector`; `width` is that of its layers.
"""

from math import exp

import numpy as np

from bloodrage_env.core.chance import unit
from bloodrage_env.core.compiled import Floats, Floats2, Ints, Mask, Mask2, entry, rule
from bloodrage_env.engine import NONE, NUM_ACTIONS, State
from bloodrage_env.observation import OBSERVATION_SIZE, write_observation

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


@rule
def check_weights(weights: Floats, width: int) -> None:
    """`weights` are those of a network of this width: some layers, and what it has beside them."""
    if width < 1 or width > MAX_WIDTH:
        raise ValueError("width must be that of the layers of a network, or 0")
    layers = len(weights) - (OBSERVATION_SIZE + NUM_ACTIONS + 2) * width - NUM_ACTIONS - 1
    if layers < 0 or layers % ((width + 1) * width) != 0:
        raise ValueError("weights must be as many as a network of this width has")


@rule
def answer(mask: Mask, weights: Floats, width: int, memory: Floats, logits: Floats) -> float:
    """Fill `logits`, float32[NUM_ACTIONS], for the legal actions, and return the value for the seat that is asked.

    `memory` is float32[OBSERVATION_SIZE + 2 * width] and begins with the observation, which is overwritten.
    """
    layers = (len(weights) - (OBSERVATION_SIZE + NUM_ACTIONS + 2) * width - NUM_ACTIONS - 1) // ((width + 1) * width)
    observation = memory[:OBSERVATION_SIZE]
    hidden = memory[OBSERVATION_SIZE : OBSERVATION_SIZE + width]
    more = memory[OBSERVATION_SIZE + width :]
    at = OBSERVATION_SIZE * width
    hidden[:] = weights[at : at + width]
    add_product(hidden, observation, weights[:at])
    at += width
    biases = at + layers * width * width
    for i in range(width):
        hidden[i] = max(hidden[i], hidden.dtype.type(0.0))
    for layer in range(layers):
        more[:] = weights[biases + layer * width : biases + (layer + 1) * width]
        add_product(more, hidden, weights[at + layer * width * width : at + (layer + 1) * width * width])
        for i in range(width):
            hidden[i] += max(more[i], more.dtype.type(0.0))
    sums = observation[:LANES]  # which has been heard by now
    at = biases + layers * width
    bias = at + width * NUM_ACTIONS
    for action in range(NUM_ACTIONS):
        if mask[action] == 1:
            logits[action] = weights[bias + action]
            logits[action] += dot(hidden, weights[at + action * width : at + (action + 1) * width], sums)
    at = bias + NUM_ACTIONS
    return float(weights[at + width]) + dot(hidden, weights[at : at + width], sums)


@rule
def evaluate(s: State, seat: int, weights: Floats, width: int, memory: Floats, logits: Floats) -> float:
    """Fill `logits` and return the value for `seat`, as `answer` does; what `memory` holds before doesn't matter."""
    write_observation(s, seat, memory[:OBSERVATION_SIZE])
    return answer(s.mask[:], weights, width, memory, logits)


@entry
def evaluate_rows(
    observations: Floats2, masks: Mask2, weights: Floats, width: int, logits: Floats2, values: Floats
) -> None:
    """Fill a row of `logits`, float32[N, NUM_ACTIONS], where legal, and of `values`, float32[N], for each observation.

    `observations` is float32[N, OBSERVATION_SIZE], `masks` int8[N, NUM_ACTIONS].
    """
    check_weights(weights, width)
    if observations.shape[1] != OBSERVATION_SIZE:
        raise ValueError("observations must have rows of OBSERVATION_SIZE numbers")
    if masks.shape != (len(observations), NUM_ACTIONS):
        raise ValueError("masks must have the shape (len(observations), NUM_ACTIONS)")
    if logits.shape != masks.shape:
        raise ValueError("logits must have the shape of masks")
    if len(values) != len(observations):
        raise ValueError("values must be as many as observations")
    memory = np.empty(OBSERVATION_SIZE + 2 * width, dtype=np.float32)
    for row in range(len(observations)):
        memory[:OBSERVATION_SIZE] = observations[row]
        values[row] = answer(masks[row], weights, width, memory, logits[row])


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
