"""Inputs of networks without their zeros. About 150 of some 3,000 inputs are set, and the first layer skips the rest.

A batch is a compressed sparse row matrix: row i has the columns `index[offsets[i] : offsets[i + 1]]` and the numbers
`values[...]` of the same slice.
"""

import numpy as np

from bloodrage_env.core.compile.apart import apart
from bloodrage_env.core.compile.borrowed import borrowed
from bloodrage_env.core.compile.decorators import Bytes2, Floats, Floats2, Ints, entry, rule
from bloodrage_env.core.engine.sparse import find_in_bytes, find_in_floats


@rule
def check_rows(rows: Ints, height: int) -> None:
    """Raise ValueError unless `rows` are indices of rows."""
    for row in rows:
        if row < 0 or row >= height:
            raise ValueError("rows must be numbers of rows that are there")


@rule
def check_batch(offsets: Ints, index: Ints, values: Floats) -> None:
    """Raise ValueError unless the three arrays are a sparse batch. The message names the array."""
    if len(values) != len(index):
        raise ValueError("values must be as many as index")
    if len(offsets) == 0 or offsets[0] < 0 or offsets[len(offsets) - 1] > len(index):
        raise ValueError("offsets must begin at 0 or later and end within index")
    for i in range(len(offsets) - 1):
        if offsets[i] > offsets[i + 1]:
            raise ValueError("offsets must not fall")


@entry
def count_rows(offsets: Ints, rows: Ints, taken: Ints) -> int:
    """Fill `taken`, int64[len(rows) + 1], with the offsets of these rows of a sparse batch. Return their length."""
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
    """Copy these rows of a sparse batch; the number of elements is that of `count_rows`."""
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
    gradient, weights = borrowed(gradient), borrowed(weights)
    for i in range(len(gradient)):
        row = gradient[i]
        for k in range(offsets[i], offsets[i + 1]):
            value = values[k]
            into = weights[index[k]]
            for j in range(len(row)):
                into[j] += value * row[j]


@entry
def sparse_rows(
    counts: Bytes2, more: Floats2, scales: Floats, rows: Ints, offsets: Ints, index: Ints, values: Floats
) -> int:
    """Make a sparse batch of some rows of inputs in bytes: `counts` times `scales`, followed by `more`.

    Fills `offsets`, int64[len(rows) + 1], and `index` and `values` of the same length. Return the number of elements.
    Raise ValueError if the arrays are too short. Elements of `index` beyond the result can change.
    """
    if not apart((counts, more, scales, rows, offsets, index, values)):
        raise ValueError("counts, more, scales, rows, offsets, index and values must not share memory")
    if len(more) != len(counts):
        raise ValueError("more must be as many as counts")
    check_rows(rows, len(counts))
    if len(scales) != counts.shape[1]:
        raise ValueError("scales must have a number for each column of counts")
    if len(offsets) != len(rows) + 1:
        raise ValueError("offsets must have a number for each of rows, and one more")
    if len(values) != len(index):
        raise ValueError("values must be as many as index")
    counts, more, index = borrowed(counts), borrowed(more), borrowed(index)
    at = 0
    offsets[0] = 0
    for i in range(len(rows)):
        seen, others = counts[rows[i]], more[rows[i]]
        first = at
        at = find_in_bytes(seen, index, len(index), at)
        for k in range(first, at):
            values[k] = np.float32(seen[index[k]]) * scales[index[k]]
        first = at
        at = find_in_floats(others, index, len(index), at)
        for k in range(first, at):
            values[k] = others[index[k]]
            index[k] += len(scales)
        offsets[i + 1] = at
    return at
