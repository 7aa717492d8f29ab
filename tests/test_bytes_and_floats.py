"""Observations in bytes times their scales are those in floats, in both games, with all sets and numbers of seats."""

import numpy as np
import pytest

from bloodrage_env.vector import VectorGames

P5 = "p5"
CASES = [
    *(("bloodrage", {"sets": sets}) for sets in ((), (P5,), ("ks",), ("mystics",), ("gods",))),
    ("bloodrage", {"sets": (P5, "ks", "mystics", "gods")}),
    *(("berserk", {"combat": combat}) for combat in ("book", "difference")),
]


def seats(game, options):
    """Games of each number of seats side by side."""
    if game == "berserk":
        return [2] * 4
    return [2, 3, 4, 5 if P5 in options["sets"] else 4]


def compare(game, options, rounds, steps):
    """Play `steps` decisions in `rounds` games of each number of seats; returns how many decisions were compared."""
    batches = [
        VectorGames(4 * rounds, seats(game, options) * rounds, game=game, seed=11, observations=form, **options)
        for form in ("bytes", "dense", "sparse")
    ]
    counts, floats, sparse = batches
    rng = np.random.default_rng(3)
    for each in batches:
        each.reset()
    for _ in range(steps):
        numbers = counts.observations * counts.game.scales
        assert numbers.dtype == np.float32
        assert np.array_equal(numbers, floats.observations)
        _, _, starts, columns, elements = sparse.views
        rows = np.zeros_like(counts.observations)
        for row, a, b in zip(rows, starts, starts[1:], strict=False):
            row[columns[a:b]] = elements[a:b]
        assert np.array_equal(rows, counts.observations)
        masks = counts.masks
        actions = (masks * rng.random(masks.shape)).argmax(axis=1)
        for each in batches:
            each.step(actions)
    return 4 * rounds * steps


@pytest.mark.parametrize(("game", "options"), CASES)
def test_bytes_times_scales_are_the_floats(game, options):
    assert compare(game, options, 2, 100) == 800


@pytest.mark.slow
@pytest.mark.parametrize(("game", "options"), CASES)
def test_bytes_times_scales_are_the_floats_in_a_hundred_thousand_decisions(game, options):
    """100,000 decisions of each game."""
    kinds = sum(name == game for name, _ in CASES)
    assert compare(game, options, 50, -(-100_000 // (200 * kinds))) * kinds >= 100_000
