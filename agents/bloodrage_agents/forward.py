"""The network of `network.py`, compiled: for one decision of a tree search, and for open decisions of many games.

It uses one thread and evaluates one decision at a time. It skips zero inputs and illegal actions, which a matrix
product cannot skip. `weights` is `Network.vector`; `width` is that of its layers. The first number of `weights` is 1 if
the network reads the ledger of the game, 0 if not; its inputs are then zero.
"""

from collections.abc import Callable
from math import exp
from typing import NamedTuple

import numpy as np

from bloodrage_env.core.compile.apart import apart
from bloodrage_env.core.compile.borrowed import borrowed
from bloodrage_env.core.compile.decorators import (
    Bytes,
    Bytes2,
    Compiler,
    Floats,
    Floats2,
    Ints,
    Mask,
    Record,
    Records,
    rule,
)
from bloodrage_env.core.compile.local_arrays import local_zeros
from bloodrage_env.core.engine.batch import Sizes
from bloodrage_env.core.engine.chance import unit
from bloodrage_env.core.engine.forms import Labels
from bloodrage_env.core.engine.sparse import append_set
from bloodrage_env.core.engine.tables import Section, length
from bloodrage_env.core.engine.writer import Writer

from .scores import NUM_FORMS, forms

MAX_WIDTH = 2**20  # far more than any network's, and its square is a number of 64 bits
MOST = 4.0  # no input is greater, and none is negative
HEAD = 1  # numbers of `weights` before the weights
LANES = 8  # products of a dot product that are added one after the other, in the end


@rule
def add_rows(out: Floats, index: Ints, factors: Floats, k: int, matrix: Floats) -> None:
    """Add to `out` four rows of a matrix times their factors, in one pass over `out`."""
    width = len(out)
    row_a, row_b = matrix[index[k] * width :][:width], matrix[index[k + 1] * width :][:width]
    row_c, row_d = matrix[index[k + 2] * width :][:width], matrix[index[k + 3] * width :][:width]
    one, two, three, four = factors[k], factors[k + 1], factors[k + 2], factors[k + 3]
    for i in range(width):
        out[i] += one * row_a[i] + two * row_b[i] + three * row_c[i] + four * row_d[i]


@rule
def add_product(out: Floats, inputs: Floats, matrix: Floats, index: Ints, factors: Floats) -> None:
    """Add to `out` the product of `inputs`, most of which can be zero, and a matrix with a row for each input.

    `index` and `factors` are work arrays with the length of `inputs`.
    """
    width = len(out)
    count = append_set(inputs, index, factors, 0)
    whole = count // 4 * 4
    for k in range(0, whole, 4):
        add_rows(out, index, factors, k, matrix)
    for k in range(whole, count):
        row = matrix[index[k] * width :][:width]
        for i in range(width):
            out[i] += factors[k] * row[i]


@rule
def dot(left: Floats, right: Floats, sums: Floats) -> float:
    """Return the product of two rows. `sums` is a work array, float32[len(left)].

    The upper half of the products is repeatedly added to the lower half, several at a time. A single sum would wait for
    each addition.
    """
    count = len(left)
    for i in range(count):
        sums[i] = left[i] * right[i]
    while count > LANES:
        half = (count + 1) // 2
        for i in range(count - half):
            sums[i] += sums[half + i]
        count = half
    total = 0.0
    for i in range(count):
        total += sums[i]
    return total


class Net(NamedTuple):
    """A network in a search: its weights, and work arrays. `width` is 0 without a network."""

    weights: Floats
    width: int
    ledger: int  # 1 if it reads the ledger, else 0
    memory: Floats  # float32[num_inputs + 2 * width + max(num_inputs, width)]
    indices: Ints  # int64[max(num_inputs, width)]: memory, too
    rewards: Floats  # float32[max_seats]: what each seat is expected to be paid, by seat, after `evaluate`


class Inputs(NamedTuple):
    """The inputs of a network for an open decision of a game."""

    sections: tuple[Section, ...]  # the observation, the ledger, what a game adds, and last the scores of the actions
    observation: Writer
    write_more: Callable[[Record, Floats], None]  # fills, for the seat to act, what comes after the ledger
    num_ledger: int = 0
    write_ledger: Callable[[Record, Floats], None] | None = None  # fills the ledger, for the seat to act


class Forward(NamedTuple):
    """The network of a game: its sizes, and the functions that evaluate it.

    `gather_inputs` and the functions that write rows take `ledger`, which is 0 to leave the inputs of the ledger zero.
    """

    sections: tuple[Section, ...]
    action_names: Labels
    sizes: Sizes
    num_inputs: int
    num_ledger: int  # inputs of the ledger, which follows the observation; 0 without one
    ledger: int  # the argument for the learner that has this object
    at_scores: int  # where the scores of the actions begin
    check_weights: Callable[[Floats, int], None]
    new_net: Callable[[Floats, int], Net]
    evaluate: Callable[[Record, Net, Floats], None]
    draw: Callable[[Record, Floats, Ints], int]
    gather_inputs: Callable[[Records, Ints, int, Ints, Ints, Floats], int]
    write_rows: Callable[[Records, Ints, int, Mask, Ints, Bytes2, Floats2], None]
    write_row: Callable[[Record, int, int, Ints, Bytes, Floats], None]  # a rule, for code of a GPU
    evaluate_games: Callable[[Records, Ints, Floats, int, Floats2, Floats2], None]

    @property
    def of_ledger(self) -> slice:
        """The inputs of the ledger."""
        return slice(self.sizes.observation, self.sizes.observation + self.num_ledger)

    def reading(self, ledger: bool) -> "Forward":
        """Return the same network for a learner that reads the ledger, if the game has one, or not."""
        return self._replace(ledger=int(ledger and self.num_ledger > 0))


class Reader(NamedTuple):
    """The functions that read weights and write outputs. They do not call rules of a game."""

    check_weights: Callable[[Floats, int], None]
    answer: Callable[[Floats, int, Floats, Ints, Floats, Floats], None]


def reader_for(compiler: Compiler, num_inputs: int, sizes: Sizes) -> Reader:
    """Make the functions for networks of one game."""
    num_actions, max_seats = sizes.actions, sizes.seats
    heads = num_actions + NUM_FORMS + max_seats  # outputs of the last layer: logits, gains, values
    at_scores = num_inputs - num_actions

    @compiler.rule
    def check_weights(weights: Floats, width: int) -> None:
        """Raise ValueError unless `weights` are those of a network of this width."""
        if width < 1 or width > MAX_WIDTH:
            raise ValueError("width must be that of the layers of a network, or 0")
        layers = len(weights) - HEAD - (num_inputs + heads + 1) * width - heads
        if layers < 0 or layers % ((width + 1) * width) != 0:
            raise ValueError("weights must be as many as a network of this width has")

    @compiler.rule
    def answer(weights: Floats, width: int, memory: Floats, indices: Ints, logits: Floats, values: Floats) -> None:
        """Fill `logits`, float32[num_actions], for the legal actions, and `values`, float32[max_seats].

        The values are those of the seat to act and of the seats clockwise from it. `memory` and `indices` are as in
        `Net`. `memory` begins with the inputs; those before the scores are overwritten.
        """
        weights, memory, indices = borrowed(weights[HEAD:]), borrowed(memory), borrowed(indices)
        layers = (len(weights) - (num_inputs + heads + 1) * width - heads) // ((width + 1) * width)
        inputs = memory[:num_inputs]
        hidden = memory[num_inputs : num_inputs + width]
        more = memory[num_inputs + width : num_inputs + 2 * width]
        factors = memory[num_inputs + 2 * width :]
        at = num_inputs * width
        hidden[:] = weights[at : at + width]
        add_product(hidden, inputs, weights[:at], indices, factors)
        at += width
        biases = at + layers * width * width
        for i in range(width):
            hidden[i] = max(hidden[i], hidden.dtype.type(0.0))
        for layer in range(layers):
            more[:] = weights[biases + layer * width : biases + (layer + 1) * width]
            matrix = weights[at + layer * width * width : at + (layer + 1) * width * width]
            add_product(more, hidden, matrix, indices, factors)
            for i in range(width):
                hidden[i] += max(more[i], more.dtype.type(0.0))
        gains = inputs[:NUM_FORMS]  # the memory of the inputs, which have been used
        shape = inputs[NUM_FORMS : 2 * NUM_FORMS]
        actions = biases + layers * width
        action_biases = actions + width * num_actions
        at = action_biases + num_actions
        bias = at + width * NUM_FORMS
        for form in range(NUM_FORMS):
            gains[form] = weights[bias + form] + dot(hidden, weights[at + form * width : at + (form + 1) * width], more)
        for action in range(num_actions):
            score = inputs[at_scores + action]
            if score != 0.0:
                forms(score, shape)
                row = weights[actions + action * width : actions + (action + 1) * width]
                logit = weights[action_biases + action] + dot(hidden, row, more)
                for form in range(NUM_FORMS):
                    logit += gains[form] * shape[form]
                logits[action] = logit
        at = bias + NUM_FORMS
        bias = at + width * max_seats
        for seat in range(max_seats):
            values[seat] = weights[bias + seat] + dot(
                hidden, weights[at + seat * width : at + (seat + 1) * width], more
            )

    return Reader(check_weights, answer)


def forward_for(
    compiler: Compiler,
    inputs_of_game: Inputs,
    sizes: Sizes,
    check_which: Callable[[Records, Ints], None],
    check_open: Callable[[Record], None],
) -> Forward:
    """Make the functions for the networks of one game."""
    table, writer = inputs_of_game.sections, inputs_of_game.observation
    write_floats = writer.write_floats
    write_further = further_for(compiler, inputs_of_game)
    num_inputs, num_actions, max_seats, num_observed = length(table), sizes.actions, sizes.seats, sizes.observation
    check_weights, answer = reader_for(compiler, num_inputs, sizes)

    @compiler.rule
    def write_inputs(s: Record, ledger: int, inputs: Floats) -> None:
        """Fill `inputs`, float32[num_inputs], for the seat to act."""
        write_floats(s, int(s.seat), inputs[:num_observed])
        write_further(s, ledger, inputs[num_observed:])

    @compiler.rule
    def new_net(weights: Floats, width: int) -> Net:
        """Return a network with new work arrays."""
        indices = np.zeros(max(num_inputs, width), dtype=np.int64)
        memory = np.zeros(num_inputs + 2 * width + len(indices), dtype=np.float32)
        ledger = int(weights[0]) if width > 0 else 0
        return Net(weights, width, ledger, memory, indices, np.zeros(max_seats, dtype=np.float32))

    @compiler.shared_rule
    def evaluate(s: Record, net: Net, logits: Floats) -> None:
        """Evaluate the open decision: fills `logits`, float32[num_actions], for legal actions, and `net.rewards`.

        The rewards are those that the network expects from the view of the seat to act.
        """
        memory = net.memory
        write_inputs(s, net.ledger, memory[:num_inputs])
        turned = memory[2 * NUM_FORMS : 2 * NUM_FORMS + max_seats]
        answer(net.weights, net.width, memory, net.indices, logits, turned)
        n = int(s.num_players)
        net.rewards[:] = 0.0
        for seat in range(n):
            net.rewards[(s.seat + seat) % n] = turned[seat]

    @compiler.rule
    def draw(s: Record, logits: Floats, words: Ints) -> int:
        """Return a legal action, drawn by the probabilities of the logits."""
        top = -1e9
        for action in range(num_actions):
            if s.mask[action] == 1:
                top = max(top, logits[action])
        choice = -1
        total = 0.0
        for action in range(num_actions):
            if s.mask[action] == 1:
                weight = exp(logits[action] - top)
                total += weight
                if unit(words) * total < weight:
                    choice = action
        return choice

    @compiler.entry
    def evaluate_games(
        states: Records, which: Ints, weights: Floats, width: int, logits: Floats2, values: Floats2
    ) -> None:
        """Evaluate the open decisions of these games: fills a row of `logits` and of `values` for each.

        `logits` is float32[N, num_actions], filled for legal actions. `values` is float32[N, max_seats], from the seat
        to act clockwise.
        """
        if not apart((states, which, weights, logits, values)):
            raise ValueError("states, which, weights, logits and values must not share memory")
        check_which(states, which)
        check_weights(weights, width)
        for game in which:
            check_open(states[game])
        if logits.shape != (len(which), num_actions):
            raise ValueError("logits must have the shape (len(which), NUM_ACTIONS)")
        if values.shape != (len(which), max_seats):
            raise ValueError("values must have the shape (len(which), MAX_SEATS)")
        net = new_net(weights, width)
        logits, values = borrowed(logits), borrowed(values)
        for row in range(len(which)):
            write_inputs(states[which[row]], net.ledger, net.memory[:num_inputs])
            answer(weights, width, net.memory, net.indices, logits[row], values[row])

    gather_inputs = gather_for(compiler, write_inputs, num_inputs, check_which, check_open)
    write_rows, write_row = rows_for(compiler, inputs_of_game, sizes, check_which, check_open)
    last = table[-1]  # the scores, whose labels are the names of the actions
    return Forward(
        table, last.labels[0], sizes, num_inputs, inputs_of_game.num_ledger, 0, last.start, check_weights,
        new_net, evaluate, draw, gather_inputs,
        write_rows, write_row, evaluate_games,
    )  # fmt: skip


def further_for(compiler: Compiler, inputs_of_game: Inputs) -> Callable[[Record, int, Floats], None]:
    """Make the rule that writes the inputs after the observation."""
    num_ledger, write_more = inputs_of_game.num_ledger, inputs_of_game.write_more

    @compiler.rule
    def write_nothing(s: Record, out: Floats) -> None:
        """Write no ledger."""

    write_ledger = inputs_of_game.write_ledger or write_nothing

    @compiler.rule
    def write_further(s: Record, ledger: int, out: Floats) -> None:
        """Fill `out`, float32[num_inputs - OBSERVATION_SIZE], for the seat to act."""
        out[:num_ledger] = 0.0
        if ledger != 0:
            write_ledger(s, out[:num_ledger])
        write_more(s, out[num_ledger:])

    return write_further


def gather_for(
    compiler: Compiler,
    write_inputs: Callable[[Record, int, Floats], None],
    num_inputs: int,
    check_which: Callable[[Records, Ints], None],
    check_open: Callable[[Record], None],
) -> Callable[[Records, Ints, int, Ints, Ints, Floats], int]:
    """Make the entry that returns the inputs of many games to a learner."""

    @compiler.entry
    def gather_inputs(states: Records, which: Ints, ledger: int, offsets: Ints, index: Ints, values: Floats) -> int:
        """Write the nonzero inputs of the open decisions of these games, one after the other.

        Row i has the inputs `index[offsets[i] : offsets[i + 1]]` and their `values`; its legal actions are the last
        ones. Return the number of elements. Raise ValueError if `index` is too short.
        """
        if not apart((states, which, offsets, index, values)):
            raise ValueError("states, which, offsets, index and values must not share memory")
        check_which(states, which)
        if len(offsets) != len(which) + 1:
            raise ValueError("offsets must have a number for each of which, and one more")
        if len(values) != len(index):
            raise ValueError("values must be as many as index")
        for game in which:
            check_open(states[game])
        inputs = np.zeros(num_inputs, dtype=np.float32)
        at = 0
        offsets[0] = 0
        for i in range(len(which)):
            write_inputs(states[which[i]], ledger, inputs)
            at = append_set(inputs, index, values, at)
            offsets[i + 1] = at
        return at

    return gather_inputs


def rows_for(
    compiler: Compiler,
    inputs_of_game: Inputs,
    sizes: Sizes,
    check_which: Callable[[Records, Ints], None],
    check_open: Callable[[Record], None],
) -> tuple[Callable[[Records, Ints, int, Mask, Ints, Bytes2, Floats2], None], Callable[..., None]]:
    """Make the entry that writes the inputs of many games as bytes, and the rule for one game."""
    write_bytes, write_further = inputs_of_game.observation.write_bytes, further_for(compiler, inputs_of_game)
    num_inputs, num_observed = length(inputs_of_game.sections), sizes.observation
    num_more = num_inputs - num_observed

    @compiler.rule
    def check_order(order: Ints) -> None:
        """Raise ValueError unless `order` permutes the inputs of the observation and the other inputs separately."""
        if len(order) != num_inputs:
            raise ValueError("order must have a number for each input")
        for i in range(num_inputs):
            if order[i] < 0 or order[i] >= num_inputs or (order[i] < num_observed) != (i < num_observed):
                raise ValueError("order must keep numbers of the observation within it")

    @compiler.rule
    def write_row(s: Record, ledger: int, moved: int, order: Ints, counts: Bytes, more: Floats) -> None:
        """Write the inputs of an open decision, as `write_rows`. With `moved`, they are in `order`."""
        write_bytes(s, int(s.seat), counts)
        write_further(s, ledger, more)
        if moved != 0:
            seen, thought = local_zeros(num_observed, np.uint8), local_zeros(num_more, np.float32)
            for i in range(num_observed):
                seen[i] = counts[i]
            for i in range(num_more):
                thought[i] = more[i]
            for i in range(num_observed):
                counts[order[i]] = seen[i]
            for i in range(num_more):
                more[order[num_observed + i] - num_observed] = thought[i]

    @compiler.entry
    def write_rows(
        states: Records, which: Ints, ledger: int, moved: Mask, order: Ints, counts: Bytes2, more: Floats2
    ) -> None:
        """Write the inputs of the open decisions of these games.

        Fills a row of `counts`, uint8[N, OBSERVATION_SIZE], with the observation as bytes, and one of `more`,
        float32[N, num_inputs - OBSERVATION_SIZE], with the other inputs. In rows of `moved`, int8[N], input i is at
        position `order[i]`.
        """
        if not apart((states, which, moved, order, counts, more)):
            raise ValueError("states, which, moved, order, counts and more must not share memory")
        check_which(states, which)
        check_order(order)
        if len(moved) != len(which):
            raise ValueError("moved must be as many as which")
        if counts.shape != (len(which), num_observed):
            raise ValueError("counts must have the shape (len(which), OBSERVATION_SIZE)")
        if more.shape != (len(which), num_more):
            raise ValueError("more must have the shape (len(which), num_inputs - OBSERVATION_SIZE)")
        for game in which:
            check_open(states[game])
        counts, more = borrowed(counts), borrowed(more)
        for row in range(len(which)):
            write_row(states[which[row]], ledger, int(moved[row]), order, counts[row], more[row])

    return write_rows, write_row
