"""The network of `agents/network.py` for one decision inside compiled code, where a batch would have to be waited for.

`weights` is float32, the arrays of `network.shapes` one after the other; `width` is that of its layers.
"""

from math import exp

from bloodrage_env.engine.actions import NUM_ACTIONS
from bloodrage_env.engine.chance import unit
from bloodrage_env.engine.compiled import Floats, Ints, State, rule
from bloodrage_env.observation import OBSERVATION_SIZE, write_observation


@rule
def add_scaled(out: Floats, factor: float, row: Floats) -> None:
    """Add `factor * row` to `out`."""
    scale = out.dtype.type(factor)
    for i in range(len(out)):
        out[i] += scale * row[i]


@rule
def add_product(out: Floats, inputs: Floats, matrix: Floats) -> None:
    """Add to `out` the product of `inputs` and a matrix with a row for each of them, most of which may be zero."""
    width = len(out)
    for i in range(len(inputs)):
        if inputs[i] != 0.0:
            add_scaled(out, inputs[i], matrix[i * width : (i + 1) * width])


@rule
def evaluate(s: State, seat: int, weights: Floats, width: int, memory: Floats, logits: Floats) -> float:
    """Fill `logits`, float32[NUM_ACTIONS], and return the value for `seat`, which is asked.

    `memory` is float32[OBSERVATION_SIZE + 2 * width], whose content doesn't matter.
    """
    layers = (len(weights) - (OBSERVATION_SIZE + NUM_ACTIONS + 2) * width - NUM_ACTIONS - 1) // ((width + 1) * width)
    observation = memory[:OBSERVATION_SIZE]
    hidden = memory[OBSERVATION_SIZE : OBSERVATION_SIZE + width]
    more = memory[OBSERVATION_SIZE + width :]
    write_observation(s, seat, observation)
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
    at = biases + layers * width
    bias = at + width * NUM_ACTIONS
    logits[:] = weights[bias : bias + NUM_ACTIONS]
    add_product(logits, hidden, weights[at:bias])
    at = bias + NUM_ACTIONS
    value = float(weights[at + width])
    for i in range(width):
        value += weights[at + i] * hidden[i]
    return value


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
