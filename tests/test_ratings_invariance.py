"""Ratings say nothing that the games don't: no name, no order of agents, games or deals, and no seat counts.

Every number of `Ratings`, the table of the terminal, and the tables of the report are compared.
"""

from dataclasses import fields, replace

import numpy as np
import pytest
from test_ratings import game, simulated

from bloodrage_env.games.bloodrage.options import Options
from bloodrage_training.report.summary import Results, summarise
from bloodrage_training.report.tables import agent_rows, pair_rows
from bloodrage_training.report.write import report
from bloodrage_training.tournament.estimates import Interval
from bloodrage_training.tournament.ratings import rate
from bloodrage_training.tournament.records import Plan
from bloodrage_training.tournament.table import table

NAMES = ("a", "b", "c", "d")


def uneven(deals=30, seed=4):
    """Games of four agents that differ, with ties, shared victories and forfeits."""
    rng = np.random.default_rng(seed)
    strengths = {"a": 0.0, "b": 70.0, "c": 150.0, "d": 40.0}
    games = [replace(each, id=f"{n:032x}") for n, each in enumerate(simulated(strengths, deals, rng, tie_below=0.4))]
    return [
        replace(each, forfeit_seat=n % 4, forfeit_reason="left") if n % 9 == 0 else each for n, each in enumerate(games)
    ]


def level(deals=30):
    """Games of a, b and c: whatever a and b do to each other and to c, the other one does as often, in other deals."""
    rng = np.random.default_rng(5)
    games = []
    for deal in range(0, 2 * deals, 2):
        points = rng.integers(0, 4, 3).tolist()
        games += [game(deal, ("a", "b", "c"), points), game(deal + 1, ("b", "a", "c"), points)]
    return [replace(each, id=f"{n:032x}") for n, each in enumerate(games)]


def renamed(games, names):
    return [replace(each, line_up=tuple(names[name] for name in each.line_up)) for each in games]


class ResultsOfAnyGame(Results):
    """Without the part of the game, for which the games would be played again."""

    report = None


def results(names, games):
    """What a report is made of."""
    count = games[0].options.num_players
    plan = Plan(tuple(names), tuple(names), "round-robin", Options(count), secret="0" * 64)
    summary = summarise(games, names, count, "berserk")
    return ResultsOfAnyGame(plan, "2026-01-31T12:00:00Z", (), (), rate(names, games), summary)


def facts(names, games):
    """Everything that is computed, by name; agents in the order of `NAMES` or of the names that took their place."""
    ratings = rate(names, games)
    found = {}
    order = [ratings.names.index(name) for name in sorted(names)]
    for each in fields(ratings):
        value = getattr(ratings, each.name)
        for part in (value.value, value.low, value.high) if isinstance(value, Interval) else (value,):
            if isinstance(part, np.ndarray):
                part = part[order]
                square = part.ndim == 2 and part.shape[1] == len(names) and "seat" not in each.name
                found.setdefault(each.name, []).append(part[:, order] if square else part)
    found["leaders"] = [sorted(ratings.names[n] for n in ratings.leaders)]
    found["order"] = [[ratings.names[n] for n in ratings.order]]
    return found, ratings


def assert_same(found, expected, but=()):
    assert found.keys() == expected.keys()
    for name in found.keys() - set(but):
        for one, other in zip(found[name], expected[name], strict=True):
            np.testing.assert_array_equal(one, other, name)  # exactly, so that no text differs either


def texts(names, games):
    """The table of the terminal, the page and the tables of the report."""
    ratings = rate(names, games)
    shown = results(names, games)
    return table(ratings, "glory"), report(shown), list(agent_rows(shown)), list(pair_rows(shown))


def apart(deals=12):
    """Two groups of agents that never meet."""
    more = renamed(uneven(deals, 6), {"a": "e", "b": "f", "c": "g", "d": "h"})
    return [*uneven(deals), *(replace(each, id=f"{n:031x}f", deal=each.deal + deals) for n, each in enumerate(more))]


@pytest.mark.parametrize("games", [uneven(), level(), apart()], ids=["uneven", "level", "apart"])
class TestInvariance:
    def test_the_order_of_the_agents(self, games):
        names = sorted({name for each in games for name in each.line_up})
        expected, _ = facts(names, games)
        first, *others = texts(names, games)
        for turn in range(1, len(names)):
            turned = (*names[turn:], *names[:turn])
            assert_same(facts(turned, games)[0], expected)
            assert texts(turned, games)[0] == first
            assert repr(list(texts(turned, games)[2:])) == repr(others[1:])  # NaN is not NaN

    def test_the_order_of_games_and_deals(self, games):
        names = sorted({name for each in games for name in each.line_up})
        expected, _ = facts(names, games)
        last = max(each.deal for each in games)
        for other in (games[::-1], [replace(each, deal=last - each.deal) for each in games][::-1]):
            assert_same(facts(names, other)[0], expected)
            assert texts(names, other)[0] == texts(names, games)[0]
            assert repr(texts(names, other)[2:]) == repr(texts(names, games)[2:])

    def test_names(self, games):
        """Swapped for each other, or for others whose order is another one."""
        names = sorted({name for each in games for name in each.line_up})
        expected, before = facts(names, games)
        for others in (names[::-1], [f"x{9 - n}" for n in range(len(names))]):
            new = dict(zip(names, others, strict=True))
            ratings = rate([new[name] for name in names], renamed(games, new))
            back = {value: key for key, value in new.items()}
            for each in fields(ratings):
                one, two = getattr(ratings, each.name), getattr(before, each.name)
                parts = [("value", "low", "high")] if isinstance(one, Interval) else []
                for part in parts[0] if parts else ():
                    np.testing.assert_array_equal(getattr(one, part), getattr(two, part), each.name)
                if isinstance(one, np.ndarray) and each.name not in ("elo",):
                    np.testing.assert_array_equal(one, two, each.name)
            assert {back[ratings.names[n]] for n in ratings.leaders} == set(expected["leaders"][0])

    def test_seats(self, games):
        """All games turned by a seat: only what is by seat turns with them."""
        names = sorted({name for each in games for name in each.line_up})
        turned = [
            replace(
                each,
                line_up=(*each.line_up[1:], each.line_up[0]),
                scores=(*each.scores[1:], each.scores[0]),
                forfeit_seat=None if each.forfeit_seat is None else (each.forfeit_seat - 1) % len(each.line_up),
            )
            for each in games
        ]
        assert_same(
            facts(names, turned)[0],
            facts(names, games)[0],
            but=("win_share_by_seat", "mean_place_by_seat", "mean_score_by_seat"),
        )
        assert texts(names, turned)[0] == texts(names, games)[0]
        seats = len(games[0].line_up)
        one, two = rate(names, turned).win_share_by_seat.low, rate(names, games).win_share_by_seat.low
        np.testing.assert_array_equal(np.roll(one[:, :seats], 1, 1), two[:, :seats])


def test_level_results_have_no_leader_and_an_even_chance():
    """Mirrored results, in deals that favour one or the other: neither is said to be ahead, whoever is named first."""
    games = level()
    for names in (("a", "b", "c"), ("b", "a", "c"), ("c", "b", "a")):
        ratings = rate(names, games)
        a, b, c = (names.index(name) for name in "abc")
        assert ratings.better[a, b] == ratings.better[b, a] == 0.5
        assert ratings.elo[a] == ratings.elo[b]
        assert ratings.ahead.at((a, b)).value == 0
        assert -ratings.ahead.low[a, b] == ratings.ahead.high[a, b] > 0
        assert ratings.better[a, c] == ratings.better[b, c]
        assert ratings.ahead.at((a, c)) == ratings.ahead.at((b, c))
        assert [sorted(names[n] for n in ratings.leaders)] in (["ab"], [["a", "b"]], [["c"]])


def test_two_agents_with_the_same_moves_are_level():
    """The first seat always wins, so that each deal is even: no difference of 1e-17 is a lead."""
    rng = np.random.default_rng(7)
    for names in (("a", "b"), ("b", "a")):
        games = []
        for deal in range(25):
            points = sorted(rng.integers(0, 90, 2).tolist())
            games += [game(deal, pair, points) for pair in (("a", "b"), ("b", "a"))]
        ratings = rate(names, games)
        assert ratings.better.tolist() == [[0.5, 0.5], [0.5, 0.5]]
        assert len(ratings.leaders) == 2
        shown = table(ratings, "glory")
        assert shown.count("leader") == 3  # with the head
        assert "-0" not in shown
        assert "are level" in report(results(names, games))


def test_a_few_deals_are_never_sure():
    """Two of two won: by a uniform prior the chance to be better is 7/8 at most."""
    for deals, most in ((2, 0.875), (5, 1 - 2**-6)):
        ratings = rate(("a", "b"), [game(deal, ("a", "b"), (2, 1)) for deal in range(deals)])
        assert ratings.better[0, 1] == pytest.approx(most)
        assert ratings.better[0, 1] + ratings.better[1, 0] == pytest.approx(1)


def test_who_only_forfeits_leads_nothing():
    """Neither by the games that the other forfeited, nor as the first of those who forfeit to each other."""
    games = [
        game(deal, pair, (0, 0, 0), forfeit_seat=0) for deal in range(20) for pair in (("a", "b", "b"), ("b", "a", "a"))
    ]
    for names, more in (
        (("a", "b"), []),
        (("a", "b", "c", "d"), [game(90 + n, ("c", "d", "d"), (n % 2, 1 - n % 2, 0)) for n in range(40)]),
        (("a", "b", "c", "d"), [game(90 + n, ("c", "d", "d"), (9, 1, 0)) for n in range(40)]),
    ):
        ratings = rate(names, [*games, *more])
        assert not {0, 1} & set(ratings.leaders)
        assert set(ratings.order[-2:]) == {0, 1}  # behind those who lose what they finish
        assert not ratings.field[:2].any()
        shown = table(ratings, "glory")
        assert "a: none of its games was played to the end" in shown
        assert shown.splitlines()[1].split()[0] == ("c" if more else "a")


def test_groups_that_are_rated_apart_are_told_on_the_page():
    page, agents, pairs = texts([*"abcdefgh"], apart())[1:]
    assert "no games connect these groups" in page
    assert ">nan" not in page.lower()
    rows = [dict(zip(agents[0], row, strict=True)) for row in agents[1:]]
    assert {frozenset(row["agent"] for row in rows if row["group"] == n) for n in (0, 1)} == {
        frozenset("abcd"), frozenset("efgh"),
    }  # fmt: skip
    across = [row for row in pairs[1:] if (row[0] in "abcd") != (row[1] in "abcd")]
    assert len(across) == 32
    assert all(np.isnan(row[2]) for row in across)
