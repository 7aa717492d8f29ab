"""Inputs of networks without their zeros: of some 3,000 numbers about 150 are set, and the first layer skips the rest.

A batch is held as a compressed sparse row matrix: row i has the columns `index[offsets[i] : offsets[i + 1]]` and the
numbers `values[...]` of the same slice.
"""

from bloodrage_env.core.apart import apart
from bloodrage_env.core.compiled import Floats, Floats2, Ints, entry, rule


@rule
def check_rows(rows: Ints, height: int) -> None:
    """`rows` are numbers of rows; ValueError otherwise."""
    for row in rows:
        if row < 0 or row >= height:
            raise ValueError("rows must be numbers of rows that are there")


@rule
def check_batch(offsets: Ints, index: Ints, values: Floats) -> None:
    """The three arrays are a sparse batch; ValueError names one that is not."""
    if len(values) != len(index):
        raise ValueError("values must be as many as index")
    if len(offsets) == 0 or offsets[0] < 0 or offsets[len(offsets) - 1] > len(index):
        raise ValueError("offsets must begin at 0 or later and end within index")
    for i in range(len(offsets) - 1):
        if offsets[i] > offsets[i + 1]:
            raise ValueError("offsets must not fall")


@entry
def count_rows(offsets: Ints, rows: Ints, taken: Ints) -> int:
    """Fill `taken`, int64[len(rows) + 1], with the offsets of these rows of a sparse batch; returns their length."""
    if not apart((offsets, rows, taken)):
        raise ValueError("offsets, rows and taken must not share memory")
    check_rows(rows, len(offsets) - 1)
    if len(taken) != len(rows) + 1:
        raise ValueError("taken must have a number for each row, and one more")
    taken[0] = 0
    for i in range(len(rows)):
        taken[i + 1] = taken[i] + offsets[rows[i] + 1] - offsets[rows[i]]
    return int(taken[len(rows)])


@entry
def take_rows(offsets: Ints, index: Ints, values: Floats, rows: Ints, new_index: Ints, new_values: Floats) -> None:
    """Copy these rows of a sparse batch, as many numbers as `count_rows` returned."""
    if not apart((offsets, index, values, rows, new_index, new_values)):
        raise ValueError("offsets, index, values, rows, new_index and new_values must not share memory")
    check_batch(offsets, index, values)
    check_rows(rows, len(offsets) - 1)
    if len(new_values) != len(new_index):
        raise ValueError("new_values must be as many as new_index")
    at = 0
    for i in range(len(rows)):
        if at + offsets[rows[i] + 1] - offsets[rows[i]] > len(new_index):
            raise ValueError("new_index must be as long as count_rows says")
        for k in range(offsets[rows[i]], offsets[rows[i] + 1]):
            new_index[at] = index[k]
            new_values[at] = values[k]
            at += 1


@entry
def add_outer(offsets: Ints, index: Ints, values: Floats, gradient: Floats2, weights: Floats2) -> None:
    """Add to `weights` the transposed sparse batch times `gradient`: the gradient of the first layer's weights."""
    if not apart((offsets, index, values, gradient, weights)):
        raise ValueError("offsets, index, values, gradient and weights must not share memory")
    check_batch(offsets, index, values)
    if len(gradient) != len(offsets) - 1:
        raise ValueError("gradient must have a row for each of offsets but the last")
    if weights.shape[1] != gradient.shape[1]:
        raise ValueError("weights must be as wide as gradient")
    for column in index:
        if column < 0 or column >= len(weights):
            raise ValueError("index must be numbers of rows of weights")
    for i in range(len(gradient)):
        row = gradient[i]
        for k in range(offsets[i], offsets[i + 1]):
            value = values[k]
            into = weights[index[k]]
            for j in range(len(row)):
                into[j] += value * row[j]
