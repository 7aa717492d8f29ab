"""The runs of `bloodrage bench`: what is played, how long, and beside what."""

import numpy as np

from bloodrage_env.commands import measures


def test_bench_measures_games_in_all_phases(monkeypatch):
    """Games that are reset together stay in step; before long use and after it a batch has games of all phases."""
    monkeypatch.setattr(measures, "BATCH", 64)
    effort = measures.Effort(1, 2, 2)
    pool = measures.Pool(measures.Subject("bloodrage"), effort, "bytes")
    begun = pool.games.states["decisions"].copy()
    assert len(np.unique(begun)) > 40
    assert len(np.unique(pool.games.states["phase"])) >= 3
    first, seeds = pool.games.states.tobytes(), pool.games.seeds.copy()
    assert pool.run() == 64 * effort.batch_steps
    after = pool.games.states.tobytes()
    assert after != first
    pool.restore()
    assert pool.games.states.tobytes() == first
    assert (pool.games.seeds == seeds).all()
    pool.run()
    assert pool.games.states.tobytes() == after


def test_the_yardstick_runs_before_each_run_and_long_enough(monkeypatch):
    """Each run lasts SHORTEST seconds or more, however short one repetition is; ratios are of neighbours."""
    now, calls = 0.0, []

    def runs(name, seconds, units):
        def run():
            nonlocal now
            now += seconds
            calls.append(name)
            return units

        return run

    monkeypatch.setattr(measures, "SHORTEST", 1 / 16)
    monkeypatch.setattr(measures.rate_of, "__defaults__", (lambda: now, measures.nothing))
    effort = measures.Effort(2, 1, 1, runs("spades", 1 / 64, 10))
    rates = measures.rates_of(effort, runs("ours", 1 / 32, 100))
    assert calls == 2 * (4 * ["spades"] + 2 * ["ours"])
    assert rates.rate == 3200
    assert rates.ratios == [5, 5]
    figure = measures.Rates([30.0, 20.0, 90.0], [10.0, 10.0, 20.0]).figure("ours", times=60)
    assert (figure.value, figure.ratio, figure.spread) == (1800, 3, (2, 4.5))
