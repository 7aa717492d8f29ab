"""Ratings: known strengths come back, intervals hold what they promise, forfeits and ties count as they should."""

from dataclasses import asdict, replace
from itertools import combinations

import numpy as np
import pytest

from bloodrage_env.games.bloodrage.options import Options
from bloodrage_training.tournament import ratings
from bloodrage_training.tournament.estimates import Interval
from bloodrage_training.tournament.model import ELO, fit, posterior, spread_of
from bloodrage_training.tournament.plan import total_units, unit
from bloodrage_training.tournament.ratings import (
    FEW,
    Tally,
    connected,
    places_and_wins,
    rate,
)
from bloodrage_training.tournament.records import Plan, StoredGame
from bloodrage_training.tournament.table import table, warnings

STRENGTHS = {"random": 0.0, "b": 100.0, "c": 220.0, "d": 50.0}


def game(deal, line_up, glory, forfeit_seat=None, number=0):
    """A stored game of which only the result matters."""
    count = len(line_up)
    reason = None if forfeit_seat is None else "left"
    options = Options(count)
    return StoredGame(
        f"{number:032x}", deal, 0, 1, tuple(line_up), options, (), tuple(glory), forfeit_seat, reason,
        (0.0,) * count, (1,) * count,
    )  # fmt: skip


def simulated(strengths, deals, rng, seats=4, tie_below=0.0):
    """Rankings by Plackett and Luce: strength plus Gumbel noise. Two that are closer than `tie_below` are level."""
    names = tuple(strengths)
    plan = Plan(names, names, "round-robin", Options(seats), int(rng.integers(2**60)), deals=deals)
    for number in range(total_units(plan)):
        for each in unit(plan, number).games:
            play = np.array([strengths[name] / ELO for name in each.line_up]) + rng.gumbel(size=seats)
            glory = np.round(play / tie_below).astype(int) if tie_below else play.argsort().argsort()
            yield game(each.deal, each.line_up, glory.tolist())


def test_known_strengths_come_back():
    rng = np.random.default_rng(1)
    ratings = rate(tuple(STRENGTHS), simulated(STRENGTHS, 600, rng, tie_below=0.05), anchor="random")
    assert ratings.elo == pytest.approx(list(STRENGTHS.values()), abs=20)
    assert ratings.elo[0] == 0
    assert ratings.field.all()
    assert ratings.from_field.value.mean() == pytest.approx(0)
    assert (ratings.ahead.high - ratings.ahead.low)[1:, 0] == pytest.approx(30, abs=12)
    assert ratings.ahead.value[3, 1] == pytest.approx(ratings.elo[3] - ratings.elo[1])
    assert ratings.ahead.value[1, 3] == pytest.approx(ratings.elo[1] - ratings.elo[3])


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
    assert rate(names, games, "random").elo == pytest.approx([0, 150, -120], abs=20)


# One agent loses (nearly) everything: the differences between the others are known all the same.
WITH_A_LOSER = {"random": -1500.0, "b": 0.0, "c": 120.0, "d": -80.0}


def test_intervals_hold_the_truth_as_often_as_they_say():
    """Of differences from the field and from one agent, and of win rates, over some hundred tournaments."""
    truth = np.array(list(WITH_A_LOSER.values()))
    # P(the first of a Plackett-Luce ranking is c)
    share = np.exp(WITH_A_LOSER["c"] / ELO) / sum(np.exp(elo / ELO) for elo in WITH_A_LOSER.values())
    rng = np.random.default_rng(3)
    from_field, ahead, shares = [], [], []
    for _ in range(120):
        ratings = rate(tuple(WITH_A_LOSER), simulated(WITH_A_LOSER, 25, rng))
        assert ratings.field.tolist() == [False, True, True, True]
        for found, true, held in (
            (ratings.from_field, truth - truth[1:].mean(), from_field),
            (Interval(*(ends[:, 2] for ends in (ratings.ahead.value, ratings.ahead.low, ratings.ahead.high))),
             truth - truth[2], ahead),
        ):  # fmt: skip
            held += ((found.low <= true) & (true <= found.high))[[1, 3]].tolist()
        shares.append(ratings.win_share.low[2] <= share <= ratings.win_share.high[2])
    for held in (from_field, ahead, shares):
        assert 0.90 <= np.mean(held) <= 0.99


def test_who_loses_everything_does_not_blur_the_others():
    """The differences between the others are as well known as without it, whoever is the anchor."""
    with_it = rate(tuple(WITH_A_LOSER), simulated(WITH_A_LOSER, 60, np.random.default_rng(8)))
    assert with_it.anchor != "random"
    others = {name: elo for name, elo in WITH_A_LOSER.items() if name != "random"} | {"e": 40.0}
    without = rate(tuple(others), simulated(others, 60, np.random.default_rng(8)))
    widths = [(ratings.from_field.high - ratings.from_field.low) for ratings in (with_it, without)]
    assert max(widths[0][1:]) < 1.5 * max(widths[1])
    assert with_it.leader_width() == pytest.approx(widths[0][2])
    assert np.isnan(widths[0][0])
    anchored = rate(tuple(WITH_A_LOSER), simulated(WITH_A_LOSER, 60, np.random.default_rng(8)), anchor="random")
    assert anchored.anchor == "random"
    assert anchored.elo[0] == 0
    for name in ("value", "low", "high"):
        assert getattr(anchored.from_field, name) == pytest.approx(getattr(with_it.from_field, name), nan_ok=True)
    assert anchored.elo - anchored.elo[1] == pytest.approx(with_it.elo - with_it.elo[1])
    assert [with_it.elo_bound(n) for n in range(4)] == ["<", "", "", ""]
    assert [anchored.elo_bound(n) for n in range(4)] == ["", ">", ">", ">"]
    assert with_it.field_bound(0) == anchored.field_bound(0) == "<"


def held_by(strength, rows):
    """`connected` of agents in this order of strength; the names of the field."""
    found = connected(np.array(strength, float), np.array(rows, float))
    return [int(agent) for agent in found]


def test_the_field_is_who_won_and_lost_often_enough():
    assert held_by([3, 2], [[0, 50], [FEW, 0]]) == [0, 1]
    assert held_by([3, 2], [[0, 50], [FEW - 1, 0]]) == []
    # 1 wins against 2 alone, which loses to all: it is as far from 0 and 3 as the prior says.
    assert held_by([9, 4, 0, 8], [[0, 50, 50, 30], [0, 0, 50, 0], [0, 0, 0, 0], [20, 50, 50, 0]]) == [0, 3]
    # Two pairs, each even: whichever has more games, and the stronger where these are equal.
    pairs = np.array([[0, 50, 90, 90], [50, 0, 90, 90], [0, 0, 0, 50], [0, 0, 50, 0]])
    assert held_by([4, 3, 2, 1], pairs) == [0, 1]
    pairs[2, 3] += 1
    assert held_by([4, 3, 2, 1], pairs) == [2, 3]
    # In the middle, but with a handful of comparisons
    assert held_by([3, 2, 1], [[0, 2, 50], [2, 0, 2], [50, 2, 0]]) == [0, 2]
    assert held_by([3, 2, 1], np.zeros((3, 3))) == []


def test_the_anchor_is_the_best_connected_agent():
    """b has won 20 and lost 20, a has won 28 and lost 12, c has won 12 and lost 28; random has lost to all."""
    results = [("b", "c")] * 14 + [("c", "b")] * 6 + [("a", "b")] * 14 + [("b", "a")] * 6
    results += [("a", "c")] * 14 + [("c", "a")] * 6 + [("a", "random"), ("b", "random"), ("c", "random")] * 20
    games = [game(deal % 7, pair, (5, 1)) for deal, pair in enumerate(results)]
    ratings = rate(("random", "a", "b", "c"), games)
    assert ratings.anchor == "b"
    assert ratings.elo[2] == 0
    with pytest.raises(ValueError, match="not in"):
        rate(("random", "a", "b", "c"), games, "nobody")


def test_warnings_say_what_is_only_a_bound():
    games = [game(deal, ("a", "b"), (5, 9 * (deal % 3 == 0))) for deal in range(40)]
    games += [game(deal, ("a", "c"), (0, 5)) for deal in range(30)] + [game(31, ("a", "c"), (5, 0))]
    games += [game(deal, ("b", "d"), (5, 0)) for deal in range(30)]
    games += [game(deal, ("a", "e"), (deal, 2)) for deal in range(4)]
    ratings = rate(tuple("abcde"), games)
    assert sorted(warnings(ratings)) == [
        "c: won all but 1 of 31 comparisons, so that its rating is a bound that the prior sets",
        "d: lost all 30 comparisons, so that its rating is a bound that the prior sets",
        "e: its 4 comparisons are too few for a rating",
    ]
    shown = table(ratings, "glory")
    assert all(warning in shown for warning in warnings(ratings))
    assert "the field, from whose mean the differences are: a, b\n" in shown
    assert [ratings.field_bound(n) for n in range(5)] == ["", "", ">", "<", "~"]
    assert np.isfinite(ratings.from_field.high[:2]).all()
    assert np.isnan(ratings.from_field.high[2:]).all()


def test_intervals_are_over_deals_not_games():
    """The same games four times over tell no more than once."""
    rng = np.random.default_rng(4)
    games = list(simulated(STRENGTHS, 30, rng))
    once, often = rate(tuple(STRENGTHS), games), rate(tuple(STRENGTHS), games * 4)
    assert often.games == 4 * once.games
    width = once.from_field.high - once.from_field.low
    assert often.from_field.high - often.from_field.low == pytest.approx(width, rel=0.1)
    assert often.win_share.low == pytest.approx(once.win_share.low)


def test_fit_is_the_top_of_the_posterior():
    """No step from the result leads up."""
    rng = np.random.default_rng(5)
    wins, ties = rng.integers(0, 9, (3, 4, 4)).astype(float), rng.integers(0, 3, (3, 4, 4)).astype(float)
    for matrix in (wins, ties):
        matrix[:, range(4), range(4)] = 0
    ties += ties.transpose(0, 2, 1)
    theta = np.array([fit(*each)[:-1] for each in zip(wins, ties, strict=True)])
    assert theta.sum(1) == pytest.approx(0, abs=1e-9)
    log_ties = np.linspace(-5, 2, 2001)
    for row in range(3):

        def best(theta_row, row=row):
            points = np.column_stack([np.tile(theta_row, (len(log_ties), 1)), log_ties])
            sets = [np.broadcast_to(each[row], (len(log_ties), 4, 4)) for each in (wins, ties)]
            return posterior(points, *sets).max()

        top = best(theta[row])
        for step in rng.normal(0, 0.1, (20, 4)):
            assert best(theta[row] + step) < top


def test_the_spread_is_that_of_the_scores_of_deals():
    """The sandwich: what deals add to the gradient, about its mean, between inverses of the curvature; by differences
    of the posterior.
    """
    rng = np.random.default_rng(9)
    wins, ties = rng.integers(0, 4, (5, 3, 3)).astype(float), rng.integers(0, 2, (5, 3, 3)).astype(float)
    for matrix in (wins, ties):
        matrix[:, range(3), range(3)] = 0
    wins[:, 0, 1:], wins[:, 1:, 0], ties[:, 0] = 3, 0, 0  # who wins everything is where the prior has it
    ties[:, :, 0] = 0
    ties += ties.transpose(0, 2, 1)
    top, steps = fit(wins.sum(0), ties.sum(0)), 1e-4 * np.eye(4)

    def value(x, won, level):
        return posterior(x[None], won, level)[0]

    def slope(x, won, level):
        return np.array([value(x + each, won, level) - value(x - each, won, level) for each in steps]) / 2e-4

    nothing = np.zeros((3, 3))
    scores = np.array([slope(top, *deal) - slope(top, nothing, nothing) for deal in zip(wins, ties, strict=True)])
    sums = wins.sum(0), ties.sum(0)
    curvature = -np.array([slope(top + each, *sums) - slope(top - each, *sums) for each in steps]) / 2e-4
    moves = np.linalg.solve(curvature, (scores - scores.mean(0)).T)[:-1]
    spread, deals = spread_of(top, [(wins[:2], ties[:2]), (wins[2:], ties[2:])])
    assert deals == len(wins)
    assert spread == pytest.approx(moves @ moves.T * 5 / 4, rel=1e-3, abs=1e-6)


def test_who_wins_everything_has_a_finite_rating_that_is_marked():
    games = [game(deal, ("random", "b"), (0, 5)) for deal in range(50)]
    ratings = rate(("random", "b"), games, "random")
    assert not ratings.field.any()
    assert (ratings.not_lost.tolist(), ratings.not_won.tolist(), ratings.compared.tolist()) == (
        [0, 50],
        [50, 0],
        [50, 50],
    )
    assert 500 < ratings.elo[1] < 3000
    assert np.isnan(ratings.from_field.value).all()
    assert ratings.leader_width() == float("inf")
    more = rate(("random", "b"), [*games, *(game(deal, ("random", "b"), (0, 5)) for deal in range(50, 500))], "random")
    assert more.elo[1] > ratings.elo[1] + 100  # the prior is weak: more victories are worth more
    assert ratings.win_share.value.tolist() == [0, 1]
    assert f">{ratings.elo[1]:.0f}" in table(ratings, "glory")
    assert "no two agents have 10 comparisons against the order of strength" in table(ratings, "glory")
    known = rate(("random", "b"), [*games, *(game(deal, ("random", "b"), (5, 0)) for deal in range(50, 60))])
    assert not any(sign in table(known, "glory") for sign in (">", "<", "bound"))


def test_who_wins_everything_may_still_lose_one_day():
    """Wilson's interval for n of n games, however few the deals: down to n / (n + 1.96 squared)."""
    games = [game(deal % 5, ("a", "b"), (2, 1)) for deal in range(20)]
    ratings = rate(("a", "b"), games)
    share = ratings.win_share
    assert share.value.tolist() == [1, 0]
    assert (share.low[0], share.high[0]) == (pytest.approx(20 / (20 + 1.96**2), abs=1e-4), 1)
    assert (share.low[1], share.high[1]) == (0, pytest.approx(1.96**2 / (20 + 1.96**2), abs=1e-4))
    assert ratings.pair_share.at((1, 0)) == share.at(1)
    assert "0.0 % (0.0 to 16.1)" in table(ratings, "glory")


def test_no_victory_in_six_hundred_games_is_half_a_percent_at_most():
    """Six agents and 15 deals, as the demo plays them. A victory more moves the interval a little, not by leaps."""
    strengths = WITH_A_LOSER | {"e": 30.0, "f": -60.0}
    games = list(simulated(strengths, 15, np.random.default_rng(11)))
    none = rate(tuple(strengths), games).win_share.at(0)
    assert (none.value, none.low, none.high) == (0, 0, pytest.approx(1.96**2 / (600 + 1.96**2), abs=1e-5))
    assert f"{100 * none.high:.1f}" == "0.6"
    number = next(number for number, each in enumerate(games) if "random" in each.line_up)
    lucky = games[number]
    glory = tuple(9 if name == "random" else points for name, points in zip(lucky.line_up, lucky.scores, strict=True))
    games[number] = game(lucky.deal, lucky.line_up, glory)
    one = rate(tuple(strengths), games).win_share.at(0)
    assert one.value == pytest.approx(1 / 600)
    assert none.high < one.high < 2 * none.high


def test_seats_of_one_game_are_one_game():
    """Two seats of an agent that never wins are no two witnesses."""
    games = [game(deal % 4, ("a", "a", "b", "b"), (0, 0, 7, 5)) for deal in range(12)]
    ratings = rate(("a", "b"), games)
    assert ratings.win_share.high[0] == pytest.approx(1.96**2 / (12 + 1.96**2), abs=1e-4)
    assert ratings.pair_share.high[0, 1] == ratings.win_share.high[0]


def test_no_figure_is_shown_with_a_plus_or_minus():
    for games in (
        [game(deal, ("a", "b"), (2, 1)) for deal in range(20)],
        simulated(STRENGTHS, 20, np.random.default_rng(9)),
    ):
        games = list(games)
        names = tuple(dict.fromkeys(name for each in games for name in each.line_up))
        shown = table(rate(names, games), "glory")
        assert "±" not in shown
        assert "nan" not in shown


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
    assert np.isnan(ratings.mean_score.value).all()


def test_places_and_victories_are_shared():
    assert places_and_wins(game(0, "abcd", (7, 9, 9, 1))) == ([3.0, 1.5, 1.5, 4.0], [0, 0.5, 0.5, 0])
    assert places_and_wins(game(0, "abc", (4, 4, 4))) == ([2.0] * 3, [1 / 3] * 3)


def test_figures_by_seat():
    games = [game(0, ("a", "b"), (10, 4)), game(0, ("b", "a"), (6, 2)), game(1, ("a", "b"), (8, 9))]
    ratings = rate(("a", "b"), games)
    assert ratings.win_share_by_seat.value[0, :2].tolist() == [0.5, 0]
    assert ratings.mean_score_by_seat.value[1, :2].tolist() == [6, 6.5]
    assert np.isnan(ratings.mean_place_by_seat.value[:, 2:]).all()
    assert ratings.seats_taken.tolist() == [3, 3]
    assert ratings.mean_score.value.tolist() == [pytest.approx(20 / 3), pytest.approx(19 / 3)]


def test_two_seats_of_one_agent_are_not_compared():
    ratings = rate(
        ("a", "b"), [game(0, ("a", "a", "b", "b"), (9, 1, 5, 5)), game(1, ("a", "b", "a", "b"), (9, 1, 5, 1))]
    )
    assert ratings.pair_share.value[0, 1] == pytest.approx(6 / 8)
    assert np.isnan(ratings.pair_share.value[0, 0])


def test_a_tie_is_half_a_win_of_either():
    ratings = rate(("a", "b"), [game(0, ("a", "b"), (3, 3)), game(1, ("b", "a"), (3, 1)), game(2, ("a", "b"), (0, 0))])
    assert ratings.pair_share.value[0, 1] == pytest.approx(1 / 3)
    assert ratings.pair_share.value[1, 0] == pytest.approx(2 / 3)


def test_who_is_better():
    rng = np.random.default_rng(6)
    ratings = rate(tuple(STRENGTHS), simulated(STRENGTHS, 60, rng))
    assert ratings.better + ratings.better.T == pytest.approx(1)
    assert ratings.better[2, 0] > 0.99
    assert ratings.leaders == [2]
    assert ratings.leader_width() == ratings.from_field.high[2] - ratings.from_field.low[2]
    assert ratings.from_leader(0) == ratings.ahead.at((0, 2))
    assert ratings.from_leader(0).high < 0


def test_the_width_of_leaders_that_are_level_is_that_of_the_widest():
    games = [game(deal, pair, (1, 0)) for deal in range(40) for pair in (("a", "b"), ("b", "a"))]
    ratings = rate(("a", "b"), games)
    assert ratings.leaders == [0, 1]
    ends = Interval(ratings.from_field.value, np.array([-5.0, -9.0]), np.array([5.0, 9.0]))
    assert replace(ratings, from_field=ends).leader_width() == 18


def test_one_deal_has_no_interval():
    ratings = rate(("a", "b"), [game(0, ("a", "b"), (1, 2))])
    assert np.isnan(ratings.from_field.low).all()
    assert np.isnan(ratings.win_share.high).all()
    assert ratings.leader_width() == float("inf")
    assert rate(("a", "b"), []).games == 0


def two_groups(deals=40):
    """Games of a and b, and in other deals of c, d and e. Nobody meets an agent of the other group."""
    rng = np.random.default_rng(8)
    first = list(simulated({"a": 0.0, "b": 60.0}, deals, rng, seats=2))
    second = simulated({"c": 0.0, "d": -80.0, "e": 40.0}, deals, rng)
    return first, [replace(each, deal=each.deal + deals) for each in second]


def test_groups_that_never_met_are_rated_apart():
    """As if the games of the other group were not there."""
    first, second = two_groups()
    found, names = rate("abcde", first + second), list("abcde")
    assert [[names[agent] for agent in group] for group in found.groups] == [["e", "c", "d"], ["b", "a"]]
    for games, own in ((first, "ab"), (second, "cde")):
        alone, at = rate(own, games), [names.index(name) for name in own]
        block = np.ix_(at, at)
        for one, other in (
            (found.elo[at], alone.elo),
            (found.field[at], alone.field),
            (found.better[block], alone.better),
            *((getattr(found.from_field, end)[at], getattr(alone.from_field, end)) for end in ("value", "low", "high")),
            *((getattr(found.ahead, end)[block], getattr(alone.ahead, end)) for end in ("value", "low", "high")),
        ):
            np.testing.assert_array_equal(one, other)
        assert [found.from_leader(agent).value for agent in at] == [alone.from_leader(n).value for n in range(len(own))]
        assert {names[agent] for agent in found.leaders} >= {own[agent] for agent in alone.leaders}
        assert alone.anchor in found.anchors
    across = np.ix_([0, 1], [2, 3, 4])
    assert np.isnan(found.better[across]).all()
    assert np.isnan(found.ahead.value[across]).all()
    assert rate("abcde", first + second, "a").elo[0] == 0


def test_groups_that_are_rated_apart_are_told():
    first, second = two_groups()
    shown = table(rate("abcde", first + second), "glory")
    assert "no games connect these groups, so that each is rated apart: e, c, d; b, a" in shown
    assert "b have 0 Elo" in shown or "a have 0 Elo" in shown
    assert shown.count("leader") == 3  # two, and the head of the column
    assert "nan" not in shown
    assert "connect" not in table(rate("ab", first), "glory")


def test_one_game_connects_groups():
    first, second = two_groups()
    between = replace(first[0], deal=99, line_up=("a", "c"))
    found = rate("abcde", [*first, *second, between])
    assert len(found.groups) == 1
    assert not np.isnan(found.better).any()


def test_who_has_met_nobody_is_compared_with_nobody():
    first, _ = two_groups()
    found = rate("abc", first)
    assert np.isnan(found.better[2, :2]).all()
    assert found.elo_bound(2) in ("", "~")
    assert "c: none of its games was played to the end" in "\n".join(warnings(found))


def test_deals_are_summed_a_few_at_a_time_with_the_same_result(monkeypatch):
    """Games of a deal come in any order, have two to four seats, forfeits and ties, and two groups never meet."""
    rng = np.random.default_rng(5)
    played = []
    for _ in range(300):
        group = rng.choice(["abcd", "xyz"])
        seats = int(rng.integers(2, 1 + len(group)))
        glory = tuple(int(each) for each in rng.integers(0, 4, seats))
        forfeit = int(rng.integers(seats)) if rng.random() < 0.1 else None
        line_up = tuple(str(each) for each in rng.choice(list(group), seats))
        played.append(game(int(rng.integers(60)), line_up, glory, forfeit_seat=forfeit))
    found = []
    for together in (1, 7, 1024):
        monkeypatch.setattr(ratings, "_TOGETHER", together)
        found.append(rate(tuple("abcdxyz"), played))
    assert found[0].deals == len({each.deal for each in played})
    for other in found[1:]:
        np.testing.assert_equal(asdict(other), asdict(found[0]))
