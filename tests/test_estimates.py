"""Shares with intervals over deals, and what a report shows of an agent that loses everything."""

import csv
import math
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from page_reader import Page

from bloodrage_env.games.bloodrage.options import Options
from bloodrage_training.games.bloodrage.report.counts import Details
from bloodrage_training.report.charts import WIDTH, Outside, dots
from bloodrage_training.report.summary import Results, Summary
from bloodrage_training.report.tables import write_csv
from bloodrage_training.report.write import report
from bloodrage_training.tournament.estimates import Estimate, Quotients, Shares, below, mean_share, quantile, wilson
from bloodrage_training.tournament.plan import total_units, unit
from bloodrage_training.tournament.ratings import rate
from bloodrage_training.tournament.records import Plan, StoredGame


def test_share_of_independent_takes_is_wilsons() -> None:
    """One take a deal: the spread of the deals is that of a coin, up to the deals' own degree of freedom."""
    shares = Shares(1)
    for n in range(400):
        shares.add(np.array([0]), np.array([float(n % 4 == 0)]))
        shares.end_deal()
    found, known = shares.share(0), wilson(0.25, 399, quantile(399))
    assert found.value == 0.25
    assert found.low == pytest.approx(known.low, abs=1e-9)
    assert found.high == pytest.approx(known.high, abs=1e-9)
    assert (known.low, known.high) == (pytest.approx(0.2099, abs=5e-4), pytest.approx(0.2949, abs=5e-4))


def test_takes_of_a_deal_that_agree_count_once() -> None:
    once, often = Shares(1), Shares(1)
    for n in range(50):
        win = float(n % 2)
        once.add(np.array([0]), np.array([win]))
        often.add(np.zeros(4, np.int64), np.full(4, win))
        once.end_deal()
        often.end_deal()
    assert often.share(0) == once.share(0)
    assert often.takes[0] == 200


@pytest.mark.parametrize("winners", [1, 2, 3, 4, 5])
def test_each_of_several_winners_has_an_equal_part_of_the_win(winners: int) -> None:
    assert mean_share([[1 / winners]] * 3).value == pytest.approx(1 / winners)


def test_spread_of_deals_of_different_sizes() -> None:
    """The variance of a ratio of sums: squares of what each deal has beyond its expectation."""
    deals = [(1, 1), (4, 1), (2, 2), (8, 3), (3, 0)]
    shares = Shares(1)
    for takes, wins in deals:
        shares.add(np.zeros(takes, np.int64), np.array([1.0] * wins + [0.0] * (takes - wins)))
        shares.end_deal()
    share = 7 / 18
    variance = 5 / 4 * sum((wins - share * takes) ** 2 for takes, wins in deals) / 18**2
    expected = wilson(share, share * (1 - share) / variance, quantile(4))
    assert (shares.share(0).low, shares.share(0).high) == pytest.approx((expected.low, expected.high))


def test_interval_covers_the_truth() -> None:
    """Deals differ in strength: an interval that took the games for independent would miss far more often than 5 %."""
    rng = np.random.default_rng(5)
    missed = 0
    for _ in range(400):
        shares = Shares(1)
        for chance in rng.beta(2, 6, 30):
            shares.add(np.zeros(8, np.int64), (rng.random(8) < chance).astype(float))
            shares.end_deal()
        found = shares.share(0)
        missed += not found.low <= 0.25 <= found.high
    assert 0.02 * 400 < missed < 0.09 * 400


def test_shares_without_spread() -> None:
    shares = Shares(3)
    shares.add(np.array([0, 0, 1]), np.array([1.0, 0.0, 1.0]))
    shares.end_deal()
    assert shares.share(0).value == 0.5
    assert math.isnan(shares.share(0).low)
    shares.add(np.array([0, 0, 1]), np.array([0.0, 1.0, 1.0]))
    shares.end_deal()
    found, known = shares.share(0), wilson(0.5, 4, quantile(1))  # as if one of the four had gone otherwise
    assert (found.low, found.high) == pytest.approx((known.low, known.high))
    assert shares.share(1).high == 1
    assert shares.share(1).low == pytest.approx(wilson(1, 2).low)  # each of two games counts once
    assert not shares.share(2).known


def test_a_share_of_one_deal_has_no_interval() -> None:
    """However many deals there are without a take of it."""
    shares = Shares(2)
    for things in ([0, 1], [0], [0]):
        shares.add(np.array(things), np.ones(len(things)))
        shares.end_deal()
    assert shares.share(0).bounded
    assert shares.share(1).known
    assert not shares.share(1).bounded


def test_a_mean_of_one_deal_has_no_interval() -> None:
    """Where rounding leaves a spread of nearly nothing as well."""
    sums = Quotients()
    sums.add(np.arange(1.0, 200)[None] / 7, np.full((1, 199), 3.0))
    found = sums.ratio()
    assert np.isfinite(found.value).all()
    assert np.isnan(found.low).all()
    assert np.isnan(found.high).all()


@pytest.mark.parametrize(
    ("value", "freedom", "known", "off"),
    [(1.0, 1, 0.75, 0.01), (2.0150, 5, 0.95, 0.001), (-2.0150, 5, 0.05, 0.001), (1.6973, 30, 0.95, 0.0001)],
)
def test_parts_of_students_distribution(value: float, freedom: int, known: float, off: float) -> None:
    assert float(below(np.array(value), freedom)) == pytest.approx(known, abs=off)


@pytest.mark.parametrize(("freedom", "known"), [(1, 12.7062), (2, 4.3027), (3, 3.1824), (5, 2.5706), (30, 2.0423)])
def test_quantiles_of_student(freedom: int, known: float) -> None:
    assert quantile(freedom) == pytest.approx(known, rel=0.01)


# ---- an agent outside the field


def test_agents_outside_the_field_stand_at_the_edge_and_do_not_make_the_scale() -> None:
    rows = [("b", Estimate(40.0, 20.0, 60.0)), ("c", Estimate(-40.0, -60.0, -20.0))]
    axis = "Elo"
    alone = ElementTree.fromstring(dots(rows, "x", axis, reference=0))
    outside = [("best", Outside("+900 or more", True)), ("<worst>", Outside("−1200 or less", False))]
    both = ElementTree.fromstring(dots([*rows, *outside], "x", axis, reference=0))
    assert [dot.get("cx") for dot in both.findall("circle")] == [dot.get("cx") for dot in alone.findall("circle")]
    assert len(both.findall("circle")) == 2
    assert len(both.findall("polygon")) == 2
    texts = {text.text: float(text.get("x", "")) for text in both.findall("text")}
    assert texts["+900 or more"] > WIDTH / 2 > texts["−1200 or less"]
    assert "<worst>" in texts
    assert not alone.findall("polygon")


def test_a_loser_is_an_offset_on_the_page_and_in_the_tables(tmp_path: Path) -> None:
    """The others' differences have intervals; the loser's has none, a warning, and no part in the scale."""
    plan = Plan(("loser", "b", "c", "d"), ("0" * 64,) * 4, "round-robin", Options(), deals=12)
    rng = np.random.default_rng(3)
    games = []
    for number in range(total_units(plan)):
        for game in unit(plan, number).games:
            glory = tuple(
                0 if name == "loser" else int(n) for name, n in zip(game.line_up, rng.permutation(4) + 1, strict=True)
            )
            games.append(
                StoredGame(
                    game.id, game.deal, game.seating, game.seed, game.line_up, game.options, (), glory, None, None,
                    (1.0,) * 4, (10,) * 4,
                )
            )  # fmt: skip
    summary = Summary(plan.agents, 4, Details(4, 4))  # its games need no playing again here
    summary.games = len(games)
    results = Results(plan, "2026-01-31T12:00:00Z", (), (), rate(plan.agents, games), summary)
    shown = Page(report(results))
    shown.check_alone()
    row = shown.table("Agents")["loser"]
    assert row["from the field"].startswith("<−")
    assert " to " not in row["from the field"]
    assert row["from the leader"] == "–"
    assert row["win rate"] == "0.0 % | 0.0 to 7.4 %"  # none of 48 games
    leader = plan.agents[results.ratings.leaders[0]]
    assert shown.table("Agents")[leader]["from the leader"] == "leader"
    assert " to " in shown.table("Agents")[leader]["from the field"]
    assert "loser: lost all 144 comparisons, so that its rating is a bound" in shown.text
    chart = shown.charts()[0]
    (arrow,) = chart.findall("polygon")
    assert float(arrow.get("points", "").split(",")[0]) < WIDTH / 2
    assert len(chart.findall("circle")) == 3
    write_csv(results, games, tmp_path)
    rows = {row["agent"]: row for row in csv.DictReader((tmp_path / "agents.csv").open(encoding="utf-8"))}
    assert [rows[name]["in_field"] for name in plan.agents] == ["0", "1", "1", "1"]
    assert rows["loser"]["from_field_low"] == rows["loser"]["from_leader_high"] == ""
    assert float(rows[leader]["from_field_low"]) < float(rows[leader]["from_field"])
    assert float(rows["loser"]["win_rate_high"]) == pytest.approx(wilson(0, 48).high)
