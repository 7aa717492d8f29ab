"""The budget of a search: how many simulations are granted at a time, and how many are left."""

import pytest

from bloodrage_agents.budget import MOST, Budget
from bloodrage_env.errors import UserError


def granted(budget: Budget, **more: float) -> list[int]:
    meter, found = budget.start(), list[int]()
    while (size := meter.chunk(**more)) > 0:  # type: ignore[arg-type]
        found.append(size)
    return found


@pytest.mark.parametrize("simulations", [1, MOST - 1, MOST, MOST + 1, 3 * MOST, 5 * MOST + 7])
def test_all_simulations_are_granted_and_no_more_than_python_can_wait_for(simulations: int) -> None:
    found = granted(Budget(simulations=simulations))
    assert sum(found) == simulations
    assert max(found) == min(simulations, MOST)


@pytest.mark.parametrize(("unit", "sizes"), [(10, [10]), (30, [3]), (101, []), (MOST + 1, [])])
def test_chunks_are_of_whole_units(unit: int, sizes: list[int]) -> None:
    """In a hundred simulations."""
    assert granted(Budget(simulations=100), unit=unit) == sizes


def test_a_part_of_a_budget_leaves_the_rest() -> None:
    meter = Budget(simulations=100).start()
    assert meter.left() == 100
    assert meter.chunk(until=0.25) == 25
    assert meter.chunk(until=0.25) == 0
    assert meter.left() == 75
    assert meter.chunk() == 75
    assert (meter.left(), meter.chunk()) == (0, 0)


def test_a_part_of_a_time_leaves_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    """A simulation takes 1 ms here. Half of 1,000 ms is about 500 simulations."""
    now = [0.0]
    monkeypatch.setattr("bloodrage_agents.budget.perf_counter", lambda: now[0])
    meter, found = Budget(ms=1000).start(), list[int]()
    for until in (0.5, 1.0):
        found.append(0)
        while size := meter.chunk(until=until):
            found[-1] += size
            now[0] += size / 1000
    assert found == pytest.approx([500, 500], abs=30)


def test_a_time_is_estimated_by_the_simulations_that_have_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """A simulation takes 1 ms here. What comes before the first one, such as another network, takes no time of it."""
    now = [0.0]
    monkeypatch.setattr("bloodrage_agents.budget.perf_counter", lambda: now[0])
    meter, done, estimates = Budget(ms=1000).start(), 0, list[int]()
    now[0] += 0.3
    while size := meter.chunk():
        done += size
        estimates.append(done + meter.left())
        now[0] += size / 1000
    assert done == pytest.approx(1000, abs=1)
    assert estimates[1:] == pytest.approx([1000] * (len(estimates) - 1), abs=1)


@pytest.mark.parametrize("given", [{}, {"simulations": 1, "ms": 1}, {"simulations": 0}, {"ms": 0}, {"ms": -1}])
def test_a_budget_is_one_of_two_numbers(given: dict[str, int]) -> None:
    with pytest.raises(UserError):
        Budget(**given)
