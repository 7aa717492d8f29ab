"""Masked arrays and numbers beyond 64 bits are refused by one clear error at every door."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from bloodrage_env import VectorGames, bloodrage_v0
from bloodrage_env.core.engine.numbers import whole_numbers
from bloodrage_env.gym import OneSeat, OneSeatVector

MASKED = np.ma.masked_array(1, True)
MANY = np.ma.masked_array([1, 2], [True, False])

DOORS: dict[str, Callable[[Any], object]] = {
    "num_games": VectorGames,
    "VectorGames seed": lambda value: VectorGames(2, seed=value),
    "threads": lambda value: VectorGames(2, threads=value),
    "VectorGames num_players": lambda value: VectorGames(2, num_players=value),
    "VectorGames.reset": lambda value: VectorGames(2).reset(value),
    "env num_players": lambda value: bloodrage_v0.env(num_players=value),
    "env.reset": lambda value: bloodrage_v0.env().reset(seed=value),
    "OneSeat num_players": OneSeat,
    "OneSeat seat": lambda value: OneSeat(seat=value),
    "OneSeat.reset": lambda value: OneSeat().reset(seed=value),
    "num_envs": OneSeatVector,
    "OneSeatVector.reset": lambda value: OneSeatVector(2).reset(seed=value),
}
ANY_SIZE = {"OneSeat.reset", "OneSeatVector.reset"}  # Gymnasium's seeds


@pytest.mark.parametrize("value", [MASKED, MANY, np.ma.masked], ids=["masked", "many", "constant"])
@pytest.mark.parametrize("door", DOORS)
def test_masked_arrays_are_refused(door: str, value: object) -> None:
    with pytest.raises(TypeError, match=r"must be (a )?whole number.*masked array") as found:
        DOORS[door](value)
    assert len(str(found.value).splitlines()) == 1


@pytest.mark.parametrize("value", [2**63, np.uint64(2**63), 2**64, 2**70, -(2**63) - 1])
@pytest.mark.parametrize("door", DOORS)
def test_numbers_beyond_64_bits_are_refused(door: str, value: int) -> None:
    if door in ANY_SIZE and value > 0:
        DOORS[door](value)
        return
    with pytest.raises(ValueError, match=r"(must be|give) (below|within|0|1|2|None)") as found:
        DOORS[door](value)
    assert len(str(found.value).splitlines()) == 1


@pytest.mark.parametrize("values", [[2**70, 1], np.array([2**63, 0], np.uint64), [-(2**63) - 1, 0]])
def test_rows_of_numbers_beyond_64_bits_are_refused(values: Any) -> None:
    with pytest.raises(ValueError, match=r"actions must be (below 2\*\*63|within 64 bits), not"):
        whole_numbers("actions", values)
