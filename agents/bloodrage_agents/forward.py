"""The network of `network.py`, compiled: for one decision of a tree search, and for open decisions of many games.

It uses one thread and evaluates one decision at a time. It skips zero inputs and illegal actions, which a matrix
product cannot skip. `weights` is `Network.vector`; `width` is that of its layers. The first number of `weights` is
LEDGER if the network reads the ledger of the game, else its inputs are zero; plus CHANGES if it reads what each action
changes.
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
    Mask2,
    Record,
    Records,
    rule,
)
from bloodrage_env.core.engine.batch import Sizes
from bloodrage_env.core.engine.chance import unit
from bloodrage_env.core.engine.forms import Labels
from bloodrage_env.core.engine.row_sums import add_rows, dot
from bloodrage_env.core.engine.sparse import append_set
from bloodrage_env.core.engine.tables import Section, length

from .network_inputs import NO_CHANGES, Changes, Inputs, changes_for, further_for, gather_for, rows_for
from .scores import NUM_FORMS, forms

MAX_WIDTH = 2**20  # far more than any network's, and its square is a number of 64 bits
MOST = 4.0  # no input of the first layer is greater, and none is negative; changes are from -MOST to MOST
HEAD = 1  # numbers of `weights` before the weights
LEDGER, CHANGES = 1, 2  # what the first one is the sum of
AT_WORTH = 16  # in the memory of used inputs: what a change of each kind adds to a logit, after forms and values


@rule
def add_product(out: Floats, inputs: Floats, matrix: Floats, index: Ints, factors: Floats) -> None:
    """Add to `out` the product of `inputs`, most of which can be zero, and a matrix with a row for each input.

    `index` and `factors` are work arrays with the length of `inputs`.
    """
    add_rows(out, index, factors, append_set(inputs, index, factors, 0), matrix)


class Net(NamedTuple):
    """A network in a search: its weights, and work arrays. `width` is 0 without a network."""

    weights: Floats
    width: int
    reads: int  # the first of the weights
    memory: Floats  # float32[num_inputs + 2 * width + max(num_inputs, width)]
    indices: Ints  # int64[max(num_inputs, width)]: memory, too
    changes: Mask  # int8[num_actions * num_changes], or empty: memory, too
    rewards: Floats  # float32[max_seats]: what each seat is expected to be paid, by seat, after `evaluate`


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
    all_changes: Changes  # that a network can read
    changes: Changes  # those that the learner reads
    at_scores: int  # where the scores of the actions begin
    check_weights: Callable[[Floats, int], None]
    new_net: Callable[[Floats, int], Net]
    evaluate: Callable[[Record, Net, Floats], None]
    draw: Callable[[Record, Floats, Ints], int]
    gather_inputs: Callable[[Records, Ints, int, Ints, Ints, Floats], int]
    write_rows: Callable[[Records, Ints, int, Mask, Ints, Bytes2, Floats2], None]
    write_row: Callable[[Record, int, int, Ints, Bytes, Floats], None]  # a rule, for code of a GPU
    write_changes: Callable[[Records, Ints, Mask2], None]
    write_changes_of: Callable[[Record, Mask], None]  # a rule, for code of a GPU
    evaluate_games: Callable[[Records, Ints, Floats, int, Floats2, Floats2], None]

    @property
    def of_ledger(self) -> slice:
        """The inputs of the ledger."""
        return slice(self.sizes.observation, self.sizes.observation + self.num_ledger)

    def reading(self, ledger: bool, changes: bool = False) -> "Forward":
        """Return the same network for a learner that reads the ledger and the changes, if the game has them, or not."""
        read = self.all_changes if changes else NO_CHANGES
        return self._replace(ledger=int(ledger and self.num_ledger > 0), changes=read)

    def same_inputs(self, other: "Forward") -> bool:
        """Return whether two networks of a game read the same inputs."""
        return (self.ledger, self.changes.names) == (other.ledger, other.changes.names)


class Reader(NamedTuple):
    """The functions that read weights and write outputs. They do not call rules of a game."""

    check_weights: Callable[[Floats, int], None]
    answer: Callable[[Floats, int, Floats, Ints, Mask, Floats, Floats], None]


def reader_for(compiler: Compiler, num_inputs: int, sizes: Sizes, units: tuple[int, ...]) -> Reader:
    """Make the functions for networks of one game, whose changes have these units."""
    num_actions, max_seats = sizes.actions, sizes.seats
    heads = num_actions + NUM_FORMS + max_seats  # outputs of the last layer: logits, gains, values
    at_scores, num_changes = num_inputs - num_actions, len(units)
    scales = np.array([1 / unit for unit in units], np.float32)

    @compiler.rule
    def size_of_changes(weights: Floats, width: int) -> int:
        """Return the number of weights of changes, which come last."""
        return num_changes * (width + 1) if int(weights[0]) & CHANGES != 0 else 0

    @compiler.rule
    def check_weights(weights: Floats, width: int) -> None:
        """Raise ValueError unless `weights` are those of a network of this width."""
        if width < 1 or width > MAX_WIDTH:
            raise ValueError("width must be that of the layers of a network, or 0")
        if len(weights) < HEAD or not 0.0 <= weights[0] <= LEDGER + CHANGES:
            raise ValueError("weights must begin with what the network reads")
        layers = len(weights) - HEAD - (num_inputs + heads + 1) * width - heads - size_of_changes(weights, width)
        if layers < 0 or layers % ((width + 1) * width) != 0:
            raise ValueError("weights must be as many as a network of this width has")

    @compiler.rule
    def answer(
        weights: Floats, width: int, memory: Floats, indices: Ints, changes: Mask, logits: Floats, values: Floats
    ) -> None:
        """Fill `logits`, float32[num_actions], for the legal actions, and `values`, float32[max_seats].

        The values are those of the seat to act and of the seats clockwise from it. `memory`, `indices` and `changes`
        are as in `Net`. `memory` begins with the inputs; those before the scores are overwritten.
        """
        at_changes = len(weights) - size_of_changes(weights, width)
        of_changes = borrowed(weights[at_changes:])
        weights, memory, indices = borrowed(weights[HEAD:at_changes]), borrowed(memory), borrowed(indices)
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
            gains[form] = weights[bias + form] + dot(hidden, weights[at + form * width : at + (form + 1) * width])
        worth = inputs[AT_WORTH : AT_WORTH + (num_changes if len(of_changes) > 0 else 0)]
        for i in range(len(worth)):
            its = dot(hidden, of_changes[i * width : (i + 1) * width])
            worth[i] = (of_changes[num_changes * width + i] + its) * scales[i]
        for action in range(num_actions):
            score = inputs[at_scores + action]
            if score != 0.0:
                forms(score, shape)
                row = weights[actions + action * width : actions + (action + 1) * width]
                logit = weights[action_biases + action] + dot(hidden, row)
                for form in range(NUM_FORMS):
                    logit += gains[form] * shape[form]
                for i in range(len(worth)):
                    logit += worth[i] * changes[action * num_changes + i]
                logits[action] = logit
        at = bias + NUM_FORMS
        bias = at + width * max_seats
        for seat in range(max_seats):
            values[seat] = weights[bias + seat] + dot(hidden, weights[at + seat * width : at + (seat + 1) * width])

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
    changed = inputs_of_game.changes
    num_changed = num_actions * len(changed.names)
    check_weights, answer = reader_for(compiler, num_inputs, sizes, changed.units)
    write_changes, write_all_changes = changes_for(compiler, changed, num_actions, check_which, check_open)

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
        reads = int(weights[0]) if width > 0 else 0
        changes = np.zeros(num_changed if reads & CHANGES != 0 else 0, dtype=np.int8)
        return Net(weights, width, reads, memory, indices, changes, np.zeros(max_seats, dtype=np.float32))

    @compiler.rule
    def write_all(s: Record, net: Net) -> None:
        """Fill the memory of a network for the seat to act."""
        write_inputs(s, net.reads & LEDGER, net.memory[:num_inputs])
        if net.reads & CHANGES != 0:
            write_changes(s, net.changes)

    @compiler.shared_rule
    def evaluate(s: Record, net: Net, logits: Floats) -> None:
        """Evaluate the open decision: fills `logits`, float32[num_actions], for legal actions, and `net.rewards`.

        The rewards are those that the network expects from the view of the seat to act.
        """
        memory = net.memory
        write_all(s, net)
        turned = memory[2 * NUM_FORMS : 2 * NUM_FORMS + max_seats]
        answer(net.weights, net.width, memory, net.indices, net.changes, logits, turned)
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
            write_all(states[which[row]], net)
            answer(weights, width, net.memory, net.indices, net.changes, logits[row], values[row])

    gather_inputs = gather_for(compiler, write_inputs, num_inputs, check_which, check_open)
    write_rows, write_row = rows_for(compiler, inputs_of_game, sizes, check_which, check_open)
    last = table[-1]  # the scores, whose labels are the names of the actions
    return Forward(
        table, last.labels[0], sizes, num_inputs, inputs_of_game.num_ledger, 0, changed, NO_CHANGES, last.start,
        check_weights, new_net, evaluate, draw, gather_inputs,
        write_rows, write_row, write_all_changes, write_changes, evaluate_games,
    )  # fmt: skip
