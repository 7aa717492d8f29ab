"""Observations without their zeros: of 1,912 numbers about 120 are set, so the first layer of a network skips the rest.

A batch is held as a compressed sparse row matrix: row i has the columns `index[offsets[i] : offsets[i + 1]]` and the
numbers `values[...]` of the same slice.
"""

from bloodrage_env.engine.compiled import Floats, Floats2, Ints, entry


@entry
def count_set(observations: Floats2, rows: Ints, offsets: Ints) -> int:
    """Fill `offsets`, int64[len(rows) + 1], with where each of these rows would begin; returns the length of all."""
    total = 0
    offsets[0] = 0
    for i in range(len(rows)):
        row = observations[rows[i]]
        for column in range(len(row)):
            if row[column] != 0.0:
                total += 1
        offsets[i + 1] = total
    return total


@entry
def gather_set(observations: Floats2, rows: Ints, index: Ints, values: Floats) -> None:
    """Write columns and numbers of these rows, as many as `count_set` returned."""
    at = 0
    for i in range(len(rows)):
        row = observations[rows[i]]
        for column in range(len(row)):
            if row[column] != 0.0:
                index[at] = column
                values[at] = row[column]
                at += 1


@entry
def count_rows(offsets: Ints, rows: Ints, taken: Ints) -> int:
    """Fill `taken`, int64[len(rows) + 1], with the offsets of these rows of a sparse batch; returns their length."""
    taken[0] = 0
    for i in range(len(rows)):
        taken[i + 1] = taken[i] + offsets[rows[i] + 1] - offsets[rows[i]]
    return int(taken[len(rows)])


@entry
def take_rows(offsets: Ints, index: Ints, values: Floats, rows: Ints, new_index: Ints, new_values: Floats) -> None:
    """Copy these rows of a sparse batch, as many numbers as `count_rows` returned."""
    at = 0
    for i in range(len(rows)):
        for k in range(offsets[rows[i]], offsets[rows[i] + 1]):
            new_index[at] = index[k]
            new_values[at] = values[k]
            at += 1


@entry
def add_outer(offsets: Ints, index: Ints, values: Floats, gradient: Floats2, weights: Floats2) -> None:
    """Add to `weights` the transposed sparse batch times `gradient`: the gradient of the first layer's weights."""
    for i in range(len(gradient)):
        row = gradient[i]
        for k in range(offsets[i], offsets[i + 1]):
            value = values[k]
            into = weights[index[k]]
            for j in range(len(row)):
                into[j] += value * row[j]
