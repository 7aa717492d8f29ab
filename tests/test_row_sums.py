"""Sums of rows and products of two rows have the same bits in compiled code and in plain Python, at every width."""

import numpy as np
import pytest

from bloodrage_env.core.compile.decorators import Floats, Ints, entry
from bloodrage_env.core.engine import row_sums
from bloodrage_env.core.engine.row_sums import add_rows, dot

WIDTHS = (1, 7, 8, 15, 16, 17, 32, 63, 64, 65, 127, 128, 129, 150, 256, 300)
ROWS = 50


@entry
def add_all(out: Floats, index: Ints, factors: Floats, count: int, matrix: Floats) -> None:
    """`add_rows`, which compiled code alone may call."""
    add_rows(out, index, factors, count, matrix)


@entry
def multiply(left: Floats, right: Floats) -> float:
    """`dot`, which compiled code alone may call."""
    return dot(left, right)


def numbers(rng, *shape):
    """Numbers of different sizes, so that another order of additions changes bits."""
    return (rng.normal(size=shape) * 10.0 ** rng.integers(-3, 4, shape)).astype(np.float32)


@pytest.mark.parametrize("width", WIDTHS)
def test_rows_are_added_in_one_order(width):
    rng = np.random.default_rng(width)
    for count in (*range(10), 40):
        matrix, factors, index = numbers(rng, ROWS * width), numbers(rng, ROWS), rng.integers(0, ROWS, ROWS)
        before = numbers(rng, width)
        compiled, plain = before.copy(), before.copy()
        add_all(compiled, index, factors, count, matrix)
        row_sums._plain_add_rows(plain, index, factors, count, matrix)
        assert compiled.tobytes() == plain.tobytes()
        rows = matrix.reshape(ROWS, width)[index[:count]].astype(np.float64)
        exact = before + factors[:count] @ rows
        scale = np.abs(before) + np.abs(factors[:count]) @ np.abs(rows) + 1.0
        assert (np.abs(compiled - exact) < 1e-5 * scale).all()


@pytest.mark.parametrize("width", WIDTHS)
def test_products_are_added_in_one_order(width):
    rng = np.random.default_rng(width)
    for _ in range(20):
        left, right = numbers(rng, width), numbers(rng, width)
        found = multiply(left, right)
        assert found == row_sums._plain_dot(left, right)
        scale = np.abs(left).astype(np.float64) @ np.abs(right) + 1.0
        assert abs(found - left.astype(np.float64) @ right) < 1e-5 * scale
