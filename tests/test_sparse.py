"""Rows without their zeros: what is found, and where, at every width, compiled and as plain Python."""

import os
import subprocess
import sys

import numpy as np
import pytest

from bloodrage_env.core.compile.decorators import Bytes, Floats, Ints, Shorts, entry
from bloodrage_env.core.engine.sparse import append_counts, append_one_by_one, append_set

WIDTHS = (1, 16, 63, 64, 65, 100, 127, 128, 129, 200)


@entry
def append_all(row: Floats, index: Ints, values: Floats) -> int:
    """`append_set`, which compiled code alone may call."""
    return append_set(row, index, values, 0)


@entry
def append_all_counts(row: Bytes, columns: Shorts, counts: Bytes, at: int) -> int:
    """`append_counts`, with instructions that this processor may have."""
    return append_counts(row, columns, counts, at)


@entry
def append_each_count(row: Bytes, columns: Shorts, counts: Bytes, at: int) -> int:
    """What other processors do."""
    return append_one_by_one(row, columns, counts, at)


@pytest.mark.parametrize("append", [append_all_counts, append_each_count])
@pytest.mark.parametrize("width", WIDTHS)
def test_counts_are_found_behind_others(width, append):
    """With room for all only, and with more; what is before them does not change."""
    rng = np.random.default_rng(width)
    rows = [*(255 * np.eye(width)), np.zeros(width), np.ones(width)]
    for share in (0.05, 0.5):
        rows += list(rng.integers(1, 256, (20, width)) * (rng.random((20, width)) < share))
    for row in np.array(rows).astype(np.uint8):
        for room in (np.count_nonzero(row), width + 100):
            columns, counts = np.full(3 + room, 7, np.uint16), np.full(3 + room, 7, np.uint8)
            end = append(row, columns, counts, 3)
            assert columns[:3].tolist() == counts[:3].tolist() == [7, 7, 7]
            assert columns[3:end].tolist() == np.flatnonzero(row).tolist()
            assert counts[3:end].tolist() == row[row != 0].tolist()
        if row.any():
            with pytest.raises(ValueError, match="columns and counts must have room for all"):
                append(row, columns[: end - 1].copy(), counts, 3)


def found(row):
    """Columns and values of a row that are not zero, by the compiled code."""
    count = np.count_nonzero(row)
    index, values = np.zeros(count, np.int64), np.zeros(count, np.float32)
    assert append_all(row, index, values) == count
    return index, values


@pytest.mark.parametrize("width", WIDTHS)
def test_every_column_is_found_alone_and_among_others(width):
    rng = np.random.default_rng(width)
    rows = [*np.eye(width, dtype=np.float32), np.zeros(width, np.float32), np.ones(width, np.float32)]
    for share in (0.05, 0.5):
        rows += list(rng.normal(size=(20, width)).astype(np.float32) * (rng.random((20, width)) < share))
    for row in rows:
        index, values = found(row)
        np.testing.assert_array_equal(index, np.flatnonzero(row))
        np.testing.assert_array_equal(values, row[row != 0])


def test_a_negative_zero_is_a_zero_and_what_is_no_number_is_not():
    row = np.zeros(40, np.float32)
    row[[3, 20]], row[[5, 21]], row[39] = -0.0, np.nan, np.inf
    index, values = found(row)
    assert index.tolist() == [5, 21, 39]
    np.testing.assert_array_equal(values, [np.nan, np.nan, np.inf])


def test_there_must_be_room_for_all():
    with pytest.raises(ValueError, match="room for all"):
        append_all(np.ones(33, np.float32), np.zeros(32, np.int64), np.zeros(32, np.float32))


@pytest.mark.skipif("NUMBA_DISABLE_JIT" in os.environ, reason="this is such a run")
def test_plain_python_finds_the_same():
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", __file__]
    done = subprocess.run(
        command, env=os.environ | {"NUMBA_DISABLE_JIT": "1"}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-2000:]
