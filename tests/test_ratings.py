"""Ratings: known strengths come back, intervals hold what they promise, forfeits and ties count as they should."""

from itertools import combinations

import numpy as np
import pytest

from agents.base import GameOptions
from training.plan import total_units, unit
from training.ratings import ELO, Tally, fit, places_and_wins, rate
from training.records import Plan, StoredGame
from training.table import table

STRENGTHS = {"random": 0.0, "b": 100.0, "c": 220.0, "d": 50.0}


def game(deal, line_up, glory, forfeit_seat=None, number=0):
    """A stored game of which only the result matters."""
    count = len(line_up)
    reason = None if forfeit_seat is None else "left"
    options = GameOptions(count)
    return StoredGame(
        f"{number:032x}", deal, 0, 1, tuple(line_up), options, (), tuple(glory), forfeit_seat, reason,
        (0.0,) * count, (1,) * count,
    )  # fmt: skip


def simulated(strengths, deals, rng, seats=4, tie_below=0.0):
    """Rankings by Plackett and Luce: strength plus Gumbel noise. Two that are closer than `tie_below` are level."""
    names = tuple(strengths)
    plan = Plan(names, names, "round-robin", GameOptions(seats), int(rng.integers(2**60)), deals=deals)
    for number in range(total_units(plan)):
        for each in unit(plan, number).games:
            play = np.array([strengths[name] / ELO for name in each.line_up]) + rng.gumbel(size=seats)
            glory = np.round(play / tie_below).astype(int) if tie_below else play.argsort().argsort()
            yield game(each.deal, each.line_up, glory.tolist())


def test_known_strengths_come_back():
    rng = np.random.default_rng(1)
    ratings = rate(tuple(STRENGTHS), simulated(STRENGTHS, 600, rng, tie_below=0.05))
    assert ratings.elo == pytest.approx(list(STRENGTHS.values()), abs=20)
    assert ratings.elo[0] == ratings.low[0] == ratings.high[0] == 0
    assert (ratings.high - ratings.low)[1:] == pytest.approx(30, abs=12)


def test_with_two_seats_and_many_ties_strengths_come_back():
    """Davidson's own law, drawn from directly."""
    rng = np.random.default_rng(2)
    names, theta, nu = ("random", "b", "c"), np.array([0, 150, -120]) / ELO, 0.6
    games = []
    for deal in range(1500):
        for one, two in combinations(range(3), 2):
            weights = np.exp([theta[one], (theta[one] + theta[two]) / 2 + np.log(nu), theta[two]])
            outcome = rng.choice(3, p=weights / weights.sum())
            games.append(game(deal, (names[one], names[two]), (2 - outcome, outcome)))
    assert rate(names, games).elo == pytest.approx([0, 150, -120], abs=20)


def test_intervals_hold_the_truth_as_often_as_they_say():
    rng = np.random.default_rng(3)
    held = []
    for _ in range(80):
        ratings = rate(tuple(STRENGTHS), simulated(STRENGTHS, 40, rng))
        truth = np.array(list(STRENGTHS.values()))
        held += ((ratings.low <= truth) & (truth <= ratings.high))[1:].tolist()
        held += [ratings.win_share.low[0] <= WIN_SHARE_OF_RANDOM <= ratings.win_share.high[0]]
    assert 0.91 <= np.mean(held) <= 0.99


# P(the first of a Plackett-Luce ranking is random) for STRENGTHS.
WIN_SHARE_OF_RANDOM = 1 / sum(np.exp(elo / ELO) for elo in STRENGTHS.values())


def test_intervals_are_over_deals_not_games():
    """The same games four times over tell no more than once."""
    rng = np.random.default_rng(4)
    games = list(simulated(STRENGTHS, 30, rng))
    once, often = rate(tuple(STRENGTHS), games), rate(tuple(STRENGTHS), games * 4)
    assert often.games == 4 * once.games
    width = (once.high - once.low)[1:]
    assert (often.high - often.low)[1:] == pytest.approx(width, rel=0.1)
    assert often.win_share.low == pytest.approx(once.win_share.low)


def test_fit_is_the_top_of_the_posterior():
    """Rows are fitted each for itself, and no step from the result leads up."""
    from training.ratings import _posterior

    rng = np.random.default_rng(5)
    wins, ties = rng.integers(0, 9, (3, 4, 4)).astype(float), rng.integers(0, 3, (3, 4, 4)).astype(float)
    for matrix in (wins, ties):
        matrix[:, range(4), range(4)] = 0
    ties += ties.transpose(0, 2, 1)
    theta = fit(wins, ties)
    assert theta.sum(1) == pytest.approx(0, abs=1e-9)
    log_ties = np.linspace(-5, 2, 2001)
    for row in range(3):

        def best(theta_row, row=row):
            points = np.column_stack([np.tile(theta_row, (len(log_ties), 1)), log_ties])
            sets = [np.broadcast_to(each[row], (len(log_ties), 4, 4)) for each in (wins, ties)]
            return _posterior(points, *sets).max()

        top = best(theta[row])
        for step in rng.normal(0, 0.1, (20, 4)):
            assert best(theta[row] + step) < top
        assert fit(wins[[row]], ties[[row]])[0] == pytest.approx(theta[row], abs=1e-6)


def test_who_wins_everything_has_a_finite_rating_that_is_marked():
    games = [game(deal, ("random", "b"), (0, 5)) for deal in range(50)]
    ratings = rate(("random", "b"), games)
    assert ratings.unbeaten.tolist() == [False, True]
    assert ratings.beaten.tolist() == [True, False]
    assert 500 < ratings.elo[1] < 3000
    more = rate(("random", "b"), [*games, *(game(deal, ("random", "b"), (0, 5)) for deal in range(50, 500))])
    assert more.elo[1] > ratings.elo[1] + 100  # the prior is weak: more victories are worth more
    assert ratings.win_share.value.tolist() == [0, 1]
    assert f">{ratings.elo[1]:.0f}" in table(ratings)
    assert "random is such an agent" in table(ratings)
    known = rate(("random", "b"), [*games, game(50, ("random", "b"), (5, 0))])
    assert not any(sign in table(known) for sign in (">", "<", "such an agent"))


def test_who_wins_everything_may_still_lose_one_day():
    """Wilson's interval for n of n deals: down to n / (n + 1.96 squared)."""
    games = [game(deal, ("a", "b"), (2, 1)) for deal in range(20)]
    share = rate(("a", "b"), games).win_share
    assert share.value.tolist() == [1, 0]
    assert (share.low[0], share.high[0]) == (pytest.approx(20 / (20 + 1.96**2), abs=1e-4), 1)
    assert (share.low[1], share.high[1]) == (0, pytest.approx(1.96**2 / (20 + 1.96**2), abs=1e-4))


def test_a_forfeit_is_a_last_place_and_says_nothing_of_the_others():
    lost = game(0, ("random", "b", "c", "d"), (9, 40, 3, 0), forfeit_seat=1)
    assert places_and_wins(lost) == ([2.0, 4.0, 2.0, 2.0], [1 / 3, 0, 1 / 3, 1 / 3])
    tally = Tally(("random", "b", "c", "d"))
    tally.add(lost)
    ratings = tally.rate()
    share = ratings.pair_share.value
    assert share[0, 1] == share[2, 1] == share[3, 1] == 1
    assert np.isnan(share[0, 2])
    assert ratings.elo[[2, 3]] == pytest.approx([0, 0], abs=1e-6)
    assert ratings.elo[1] < 0
    assert ratings.forfeits.tolist() == [0, 1, 0, 0]
    assert np.isnan(ratings.mean_glory.value).all()


def test_places_and_victories_are_shared():
    assert places_and_wins(game(0, "abcd", (7, 9, 9, 1))) == ([3.0, 1.5, 1.5, 4.0], [0, 0.5, 0.5, 0])
    assert places_and_wins(game(0, "abc", (4, 4, 4))) == ([2.0] * 3, [1 / 3] * 3)


def test_figures_by_seat():
    games = [game(0, ("a", "b"), (10, 4)), game(0, ("b", "a"), (6, 2)), game(1, ("a", "b"), (8, 9))]
    ratings = rate(("a", "b"), games)
    assert ratings.anchor == "a"  # the first, where random does not play
    assert ratings.win_share_by_seat.value[0, :2].tolist() == [0.5, 0]
    assert ratings.mean_glory_by_seat.value[1, :2].tolist() == [6, 6.5]
    assert np.isnan(ratings.mean_place_by_seat.value[:, 2:]).all()
    assert ratings.seats_taken.tolist() == [3, 3]
    assert ratings.mean_glory.value.tolist() == [pytest.approx(20 / 3), pytest.approx(19 / 3)]


def test_two_seats_of_one_agent_are_not_compared():
    ratings = rate(
        ("a", "b"), [game(0, ("a", "a", "b", "b"), (9, 1, 5, 5)), game(1, ("a", "b", "a", "b"), (9, 1, 5, 1))]
    )
    assert ratings.pair_share.value[0, 1] == pytest.approx(6 / 8)
    assert np.isnan(ratings.pair_share.value[0, 0])


def test_who_is_better():
    rng = np.random.default_rng(6)
    ratings = rate(tuple(STRENGTHS), simulated(STRENGTHS, 60, rng))
    assert ratings.better + ratings.better.T == pytest.approx(1)
    assert ratings.better[2, 0] > 0.99
    assert ratings.leader() == 2
    assert ratings.leader_width() == ratings.high[2] - ratings.low[2]


def test_one_deal_has_no_interval():
    ratings = rate(("a", "b"), [game(0, ("a", "b"), (1, 2))])
    assert np.isnan(ratings.low).all()
    assert np.isnan(ratings.win_share.high).all()
    assert ratings.leader_width() == float("inf")
    assert rate(("a", "b"), []).games == 0
