from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from page_reader import Page
from pool_here import Here

from bloodrage_agents import registry
from bloodrage_agents.base import Agent
from bloodrage_agents.games.bloodrage import table
from bloodrage_agents.shipped import Argument, Shipped
from bloodrage_env.cli import build_parser
from bloodrage_env.errors import UserError
from bloodrage_env.games.bloodrage.engine.actions import PASS
from bloodrage_env.games.bloodrage.options import Options
from bloodrage_training import ladder
from bloodrage_training.report.charts import WIDTH
from bloodrage_training.tournament.estimates import Estimate
from bloodrage_training.tournament.records import Plan
from bloodrage_training.tournament.store import Store


class Patient(Agent):
    """Plays at random, but passes at once with a budget below 10: it loses then."""

    def __init__(self, simulations: int = 5, ms: int = 0, steps: int = 1) -> None:
        self.budget = simulations

    def act(self, observation: Any, action_mask: Any, rng: np.random.Generator) -> int:
        if self.budget < 10 and action_mask[PASS]:
            return PASS
        return int(rng.choice(np.flatnonzero(action_mask)))


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = [Argument(name, "a number", int, default, 0, 10**9) for name, default in (("simulations", 5), ("ms", 0))]
    agents: Mapping[str, Shipped] = {
        **table.AGENTS.agents,
        "patient": Shipped(f"{__name__}:Patient", "waits", (*numbers, Argument("steps", "more", int, 1, 1, 9))),
    }
    monkeypatch.setattr(table, "AGENTS", replace(table.AGENTS, agents=agents))
    monkeypatch.setattr(ladder, "make_pool", lambda backend, size: Here())
    Here.results = 0


def wanted(deals: int) -> Plan:
    return Plan((), (), "focus", Options(4), 0, deals=deals)


def climb(folder: Path, budget: int, deals: int) -> ladder.Rung:
    plan = ladder.make_plan("patient", "simulations", budget, "random", wanted(deals))
    path = folder / f"{budget}.db"
    assert ladder.play(path, plan, Here) == 0
    return ladder.rung(path, budget)


@pytest.mark.parametrize(
    ("spec", "whole"),
    [
        ("patient", "patient:simulations=100"),
        ("patient:steps=3", "patient:steps=3,simulations=100"),
        ("some/where.py:Agent", "some/where.py:Agent:simulations=100"),
        ("some.where:Agent:depth=2", "some.where:Agent:depth=2,simulations=100"),
    ],
)
def test_the_budget_is_one_more_argument(spec: str, whole: str) -> None:
    assert ladder.with_argument(spec, "simulations", 100, game="bloodrage") == whole


def test_budgets_that_an_agent_does_not_take() -> None:
    with pytest.raises(UserError, match="simulations"):
        ladder.make_plan("random", "simulations", 5, "patient", wanted(1))
    with pytest.raises(UserError, match="twice"):
        ladder.make_plan("patient:simulations=7", "simulations", 7, "random", wanted(1))


def test_a_rung_is_one_against_three(tmp_path: Path) -> None:
    low, high = climb(tmp_path, 6, 3), climb(tmp_path, 20, 3)
    assert (low.games, low.spec) == (12, "patient:simulations=6")
    with Store.open(tmp_path / "20.db") as store:
        games = list(store.finished())
    assert {game.line_up.count("random") for game in games} == {3}
    assert sorted(game.line_up.index(high.spec) for game in games) == sorted([0, 1, 2, 3] * 3)
    wins = [
        (game.scores[seat] == max(game.scores)) / game.scores.count(max(game.scores))
        for game in games
        for seat, name in enumerate(game.line_up)
        if name == high.spec
    ]
    assert high.win_share.value == pytest.approx(sum(wins) / 12)
    assert high.decisions == sum(game.decisions[game.line_up.index(high.spec)] for game in games)
    assert high.decisions_a_second == pytest.approx(high.decisions / high.seconds)
    assert low.win_share.value < high.win_share.value
    assert low.elo.value < 0
    assert low.elo_bound == "<"  # it never won


def test_forfeits_of_the_opponent_are_not_those_of_a_rung(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    agent = climb(tmp_path, 20, 1).spec
    with Store.open(tmp_path / "20.db") as store:
        games = list(store.finished())
    for loser, forfeits in ((agent, 4), ("random", 0)):
        lost = [replace(game, forfeit_seat=game.line_up.index(loser), forfeit_reason="x") for game in games]
        monkeypatch.setattr(Store, "finished", lambda store, lost=lost: iter(lost))
        assert ladder.rung(tmp_path / "20.db", 20).forfeits == forfeits


def test_elo_is_over_the_opponent(tmp_path: Path) -> None:
    plan = ladder.make_plan("patient", "simulations", 20, "patient", wanted(3))
    ladder.play(tmp_path / "a.db", plan, Here)
    found = ladder.rung(tmp_path / "a.db", 20)
    assert found.elo.value > 100
    assert found.elo_bound == ">"
    assert not found.elo.bounded
    assert f">+{found.elo.value:.0f}" in ladder.text_table([found], "simulations", "patient", game="bloodrage")


def test_elo_has_an_interval_where_both_win(tmp_path: Path) -> None:
    plan = ladder.make_plan("patient", "simulations", 20, "random", wanted(8))
    ladder.play(tmp_path / "a.db", plan, Here)
    found = ladder.rung(tmp_path / "a.db", 20)
    assert found.elo_bound == ""
    assert found.elo.low < found.elo.value < found.elo.high
    output = ladder.text_table([found], "simulations", "random", game="bloodrage")
    assert f"{found.elo.value:+.0f} ({found.elo.low:+.0f} to {found.elo.high:+.0f})" in output
    assert "a bound" not in output


@pytest.mark.parametrize(("opponent", "headed"), [("random", False), ("balanced", False), ("turtle", True)])
def test_results_against_a_held_out_style_have_a_heading(opponent: str, headed: bool) -> None:
    share = Estimate(0.5, 0.4, 0.6)
    rung = ladder.Rung(5, "patient:simulations=5", 4, 0, share, Estimate(0.0, -9.0, 9.0), "", 10, 1.0)
    heading = f"against {opponent}, which is held out from all training"
    text = ladder.text_table([rung], "simulations", opponent, game="bloodrage")
    page = ladder.ladder_page([rung], "patient", "simulations", opponent, wanted(1))
    assert (text.splitlines()[0] == heading) == headed
    assert (heading in page) == headed


def test_all_budgets_play_the_same_deals() -> None:
    plans = [ladder.make_plan("patient", "ms", budget, "random", wanted(2)) for budget in (10, 20)]
    assert plans[0].seed == plans[1].seed
    assert plans[0].agents != plans[1].agents


def test_it_goes_on_where_it_stopped(tmp_path: Path) -> None:
    climb(tmp_path, 20, 1)
    assert Here.results == 4
    climb(tmp_path, 20, 1)
    assert Here.results == 4
    assert climb(tmp_path, 20, 3).games == 12
    assert Here.results == 12
    assert climb(tmp_path, 20, 2).games == 12  # what is there is not thrown away
    with Store.open(tmp_path / "20.db") as store:
        assert store.plan().deals == 3
    plan = ladder.make_plan("patient", "simulations", 20, "random:", wanted(1))
    with pytest.raises(UserError, match="choose another store"):
        ladder.play(tmp_path / "20.db", Plan(plan.agents, plan.fingerprints, "focus", Options(), seed=1, deals=1), Here)


def test_an_agent_that_has_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    climb(tmp_path, 20, 1)
    monkeypatch.setattr(registry, "fingerprint", lambda spec, game: "1" * 64)
    with pytest.raises(UserError, match="has changed since"):
        climb(tmp_path, 20, 1)


def arguments(tmp_path: Path, *more: str) -> Any:
    parser = build_parser("ladder")
    given = ["ladder", "patient", "--opponent", "random", "--deals", "2", "--seats", "2", "--budgets", "20", "6", "20"]
    return parser.parse_args([*given, "--store", str(tmp_path / "stores"), *more])


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert ladder.run(arguments(tmp_path, "--html", str(tmp_path / "page.html"))) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert rows[0][0] == "simulations"
    assert [row[0] for row in rows[1:3]] == ["6", "20"]
    assert sorted(path.name for path in (tmp_path / "stores").glob("*.db")) == ["simulations-20.db", "simulations-6.db"]
    output = Page((tmp_path / "page.html").read_text(encoding="utf-8"))
    output.check_alone()
    assert list(output.table("patient against")) == ["6", "20"]
    assert output.table("patient against")["20"]["games"] == "4"
    (chart,) = output.charts()
    assert len(chart.findall("circle")) == 2


def test_mistakes_are_told_before_anything_is_played(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="folder"):
        ladder.run(arguments(tmp_path, "--html", str(tmp_path / "nowhere" / "page.html")))
    args = arguments(tmp_path)
    args.agent = "random"
    with pytest.raises(UserError, match="random has no argument"):
        ladder.run(args)
    assert not (tmp_path / "stores").exists()


def test_page_escapes_and_places() -> None:
    """Budgets are evenly spaced where they double, and higher shares stand higher."""
    name = "<b>\"'&x"
    shares = [Estimate(0.2, 0.1, 0.3), Estimate(0.4, 0.3, 0.5), Estimate(0.8, 0.7, 0.9)]
    rungs = [ladder.Rung(50 * 2**n, name, 4, 0, share, share, "", 10, 1.0) for n, share in enumerate(shares)]
    output = Page(ladder.ladder_page(rungs, name, "ms", name, wanted(1)))
    output.check_alone()
    assert "b" not in output.tags
    (chart,) = output.charts()
    dots = [(float(dot.get("cx", "")), float(dot.get("cy", ""))) for dot in chart.findall("circle")]
    assert dots[1][0] - dots[0][0] == pytest.approx(dots[2][0] - dots[1][0], abs=0.2)
    assert dots[2][0] - dots[0][0] > WIDTH / 2
    assert dots[0][1] > dots[1][1] > dots[2][1]
    assert (dots[0][1] - dots[1][1]) * 2 == pytest.approx(dots[1][1] - dots[2][1], abs=0.3)
    assert "10.0/s" in output.text


def test_a_rung_without_games(tmp_path: Path) -> None:
    plan = ladder.make_plan("patient", "simulations", 20, "random", wanted(1))
    Store.create(tmp_path / "a.db", plan).close()
    found = ladder.rung(tmp_path / "a.db", 20)
    assert found.games == 0
    Page(ladder.ladder_page([found], "patient", "ms", "random", plan)).check_alone()
    assert "nan" not in ladder.text_table([found], "ms", "random", game="bloodrage")
