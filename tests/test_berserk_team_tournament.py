"""Tournaments of teams: who partners whom, ratings of agents in teams, and who wins (rules 10.1, 10.19)."""

import ast
import re
from collections import Counter
from itertools import product

import numpy as np
import pytest
from project_files import files, name_of

from bloodrage_agents import match, registry
from bloodrage_agents.episode import Episode
from bloodrage_env import games
from bloodrage_env.core.engine.rewards import share_of, victory_share, win_rewards, won_by_side
from bloodrage_training import ladder
from bloodrage_training.learn.evaluate import text_table
from bloodrage_training.report.chosen import Candidates
from bloodrage_training.report.games import seats_part
from bloodrage_training.report.strength import ratings_part
from bloodrage_training.report.summary import Results, summarise
from bloodrage_training.tournament.plan import agent_seeds, line_ups_a_deal, pairings, total_units, unit
from bloodrage_training.tournament.ratings import places_and_wins, rate
from bloodrage_training.tournament.records import Plan, StoredGame

TEAMS = games.options_from("berserk_team")


def plan_of(count, mode="round-robin", deals=1):
    names = tuple("abcdefgh"[:count])
    return Plan(names, names, mode, TEAMS, 7, deals=deals)


def stored(number, deal, line_up, scores, forfeit_seat=None):
    return StoredGame(
        f"{number:032x}", deal, 0, 1, tuple(line_up), TEAMS, (), tuple(scores), forfeit_seat,
        None if forfeit_seat is None else "left", (0.0,) * 4, (1,) * 4,
    )  # fmt: skip


def teams_of(line_up):
    return tuple(sorted(tuple(sorted(line_up[side::2])) for side in range(2)))


@pytest.mark.parametrize(
    ("count", "expected"),
    [
        (2, {"aa bb"}),
        (3, {"aa bc", "ab ac", "ab bc", "ac bb", "ac bc", "ab cc"}),
        (4, {"ab cd", "ac bd", "ad bc"}),
    ],
)
def test_a_deal_has_every_way_to_make_teams_but_equal_ones(count, expected):
    plan = plan_of(count)
    assert total_units(plan) == line_ups_a_deal(plan) == len(expected)
    found = [{teams_of(game.line_up) for game in unit(plan, number).games} for number in range(total_units(plan))]
    assert {" ".join("".join(team) for team in next(iter(each))) for each in found} == expected
    assert all(len(each) == 1 for each in found)  # partners stay partners at all seatings


@pytest.mark.parametrize(("mode", "count"), [*product(("round-robin", "random"), (2, 3, 4, 5)), ("focus", 3)])
def test_each_agent_of_a_line_up_has_every_seat_equally_often(mode, count):
    plan = plan_of(count, mode, deals=5)
    for number in range(total_units(plan)):
        line_ups = [game.line_up for game in unit(plan, number).games]
        seats = [Counter(each[seat] for each in line_ups) for seat in range(4)]
        assert all(each == seats[0] for each in seats)
        assert len(set(teams_of(line_ups[0]))) == 2


def test_focus_is_the_first_agent_with_itself_against_each_other_one():
    plan = plan_of(3, "focus")
    found = [teams_of(unit(plan, number).games[0].line_up) for number in range(total_units(plan))]
    assert found == [(("a", "a"), ("b", "b")), (("a", "a"), ("c", "c"))]


def test_games_without_teams_have_the_line_ups_that_they_had():
    assert pairings((3, 1, 2), 1) == ((3, 1, 2),)


def test_a_player_wins_with_its_team():
    """rules 10.19: a whole win for each of the two; in a draw half of one."""
    assert places_and_wins(stored(0, 0, "abcd", (1, 0, 1, 0))) == ([1.5, 3.5, 1.5, 3.5], [1, 0, 1, 0])
    assert places_and_wins(stored(0, 0, "abcd", (0, 0, 0, 0))) == ([2.5] * 4, [0.5] * 4)


def test_a_forfeit_is_lost_by_the_team_and_compared_with_the_opponents_alone():
    game = stored(0, 0, "abcd", (0, 0, 0, 0), forfeit_seat=1)
    assert places_and_wins(game) == ([1.5, 3.5, 1.5, 3.5], [1, 0, 1, 0])
    ratings = rate("abcd", [game])
    assert ratings.compared.tolist() == [1, 2, 1, 0]


def test_a_seat_without_a_legal_answer_loses_with_its_partner():
    game = Episode(TEAMS, 5, tries=1)
    loser = game.seat
    assert game.answer("no idea") is not None
    assert game.loser == loser
    assert [game.won(seat) for seat in range(4)] == [0.5 * ((seat - loser) % 2) for seat in range(4)]


def test_a_report_names_the_win_rate_of_equal_teams():
    plan = plan_of(2, "focus")
    games_ = [stored(0, 0, "abab", (1, 0, 1, 0)), stored(1, 0, "baba", (0, 1, 0, 1))]
    results = Results(plan, "", (), (), rate("ab", games_), summarise(games_, "ab", 4, "berserk_team"))
    assert "equal agents it is 50 %" in ratings_part(results)
    part = seats_part(results)
    (reference,) = re.findall('class="reference" x1="([0-9.]+)"', part)
    assert re.findall('class="dot" cx="([0-9.]+)"', part) == [reference] * 4  # each seat has won half of its games


def test_the_margin_of_a_game_is_that_to_the_other_team():
    """A partner has the same score."""
    candidates = Candidates()
    candidates.add(stored(0, 0, "abcd", (1, 0, 1, 0)))
    assert [margin for margin, _, _ in candidates.closest.values()] == [1] * 4


def test_tables_name_the_win_rate_of_equal_teams():
    plan = plan_of(2, "focus")
    ratings = rate("ba", [stored(0, 0, "abab", (1, 0, 1, 0)), stored(1, 0, "baba", (1, 0, 1, 0))], "b")
    text = text_table([ratings], "a", 4, "berserk_team")
    assert "a, 2 partners against 2 of each opponent" in text
    assert "equal players win 50 %" in text
    rung = ladder.Rung(5, "a", 2, 0, ratings.win_share.at(1), ratings.ahead.at((1, 0)), "", 10, 1.0)
    assert "both are equally strong (50 %)" in ladder.ladder_page([rung], "a", "simulations", "b", plan)


def test_partners_are_not_compared_and_ratings_rank_agents_by_what_their_teams_win():
    """`a` wins with every partner; the others win as often as not without it."""
    plan, rng, games_ = plan_of(4, deals=30), np.random.default_rng(0), []
    for number in range(total_units(plan)):
        for each in unit(plan, number).games:
            winner = each.line_up.index("a") % 2 if rng.random() < 0.9 else rng.integers(2)
            scores = [int(seat % 2 == winner) for seat in range(4)]
            games_.append(stored(len(games_), each.deal, each.line_up, scores))
    ratings = rate("abcd", games_)
    assert ratings.compared.tolist() == [2 * len(games_)] * 4
    assert ratings.leaders == [0]
    assert ratings.win_share.value[0] > 0.9
    assert ratings.win_share.value[1:] == pytest.approx([0.35] * 3, abs=0.1)
    assert ratings.win_share.value.mean() == pytest.approx(0.5)


def test_a_planned_game_of_teams_is_played():
    """rules 10.19: both of a team have the same score."""
    plan = Plan(("random", "hold"), ("", ""), "focus", games.options_from("berserk_team", max_turns=1), 7, deals=1)
    planned = unit(plan, 0).games[0]
    agents = [registry.make(each, "berserk_team") for each in planned.line_up]
    record = match.play_game(agents, planned.seed, planned.options, agent_seeds(plan, planned))
    assert record.forfeit_reason is None
    assert record.scores[:2] == record.scores[2:]


@pytest.mark.parametrize(("scores", "team"), [((1, 0, 0), 1), ((1, 1, 0), 1), ((1, 0, 1, 0), 2), ((0, 0, 0, 0), 2)])
def test_a_reward_tells_the_share_of_a_seat_and_of_its_side(scores, team):
    shares = [victory_share(np.array(scores, np.int32), seat) for seat in range(len(scores))]
    rewards = win_rewards(scores, team)
    assert [share_of(each, len(scores), team) for each in rewards] == pytest.approx(shares)
    assert [won_by_side(each, len(scores), team) for each in rewards] == pytest.approx([team * each for each in shares])


WITH_TEAM = {"share_of": 3, "share_of_rule": 3, "won_by_side": 3, "win_reward": 3, "win_reward_rule": 3}
SHARED = [
    path
    for path in files(
        "bloodrage_env/core/**/*.py", "agents/bloodrage_agents/**/*.py", "training/bloodrage_training/**/*.py"
    )
    if "games/bloodrage" not in path.as_posix()  # a game without teams
]  # fmt: skip


def test_code_of_all_games_reads_rewards_with_the_size_of_a_team():
    """Without it a win of a team of two counts half, and what a network expects of it is cut off."""
    found = []
    for path in SHARED:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                if len(node.args) < WITH_TEAM.get(node.func.id, 0):
                    found.append(f"{name_of(path)}:{node.lineno} {node.func.id}")
    assert found == []
