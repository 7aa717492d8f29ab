"""`bloodrage leaderboard`: every figure from the stored games, the table in a page and in a Markdown file."""

import json
import re
import shutil
from itertools import groupby
from pathlib import Path

import pytest
from page_reader import Page
from pool_here import Here

from bloodrage_agents import parts
from bloodrage_env.cli import main
from bloodrage_training import leaderboard
from bloodrage_training.learn import CONFIG
from bloodrage_training.learn.bounds import LOG
from bloodrage_training.report.columns import share
from bloodrage_training.tournament.estimates import Estimate, mean_share
from bloodrage_training.tournament.ratings import places_and_wins
from bloodrage_training.tournament.records import StoredGame
from bloodrage_training.tournament.store import Store

TRAINED_WITH = ("battle", "loki", "quest", "balanced", "rusher")
HELD_OUT = ("turtle", "hoarder", "hunter")
AGENTS = ("random", "battle")
PLUG_IN = Path(__file__).parent / "plug_ins" / "good.py"


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Games are played in this process; files go to a folder of the test."""
    monkeypatch.setattr(leaderboard, "make_pool", lambda backend, size: Here())
    monkeypatch.chdir(tmp_path)
    Here.results = 0


def run(*arguments: str | int | Path) -> int:
    agents = ["--agents", ",".join(AGENTS), "--deals", "2", "--seed", "3", "--store", "lb"]
    return main(["leaderboard", *agents, *map(str, arguments)])


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The stores after a run."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(leaderboard, "make_pool", lambda backend, size: Here())
        patch.chdir(tmp_path_factory.mktemp("stores"))
        assert run() == 0
        return Path("lb").resolve()


@pytest.fixture
def played(here: None, stores: Path) -> None:
    """The games of a run are in the folder of the test."""
    shutil.copytree(stores, "lb")


def table(output: str) -> dict[str, dict[str, str]]:
    """The printed table: the cells of each agent by their column."""
    head, *lines = output[: output.index("\n\n")].splitlines()
    names = re.split(r"\s{2,}", head)
    return {row[0]: dict(zip(names, row, strict=True)) for row in (re.split(r"\s{2,}", line) for line in lines)}


def shares(agent: str, opponents: tuple[str, ...]) -> Estimate:
    """The win rate of an agent against these, from its store. Its interval is over deals."""
    with Store.open(f"lb/{agent}.db") as store:
        met = [game for game in store.finished() if {*game.line_up} & {*opponents} - {agent}]
    return mean_share(
        [places_and_wins(game)[1][game.line_up.index(agent)] for game in deal]
        for _, deal in groupby(met, lambda game: game.deal)
    )


def test_each_agent_plays_every_style_but_itself_on_the_same_deals(
    played: None, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run() == 0
    deals = {}
    for agent in AGENTS:
        with Store.open(f"lb/{agent}.db") as store:
            games = list(store.finished())
        opponents = [each for each in (*TRAINED_WITH, *HELD_OUT) if each != agent]
        for opponent in opponents:
            met = [game for game in games if opponent in game.line_up]
            assert len(met) == 8
            assert all(game.line_up.count(agent) == 1 and game.line_up.count(opponent) == 3 for game in met)
        assert len(games) == 8 * len(opponents)
        deals[agent] = {game.seed for game in games}
    assert deals["random"] == deals["battle"]
    assert len(deals["battle"]) == 2
    found = table(capsys.readouterr().out)
    assert list(found) == ["battle", "random"]  # the strongest first
    for agent in AGENTS:
        row = found[agent]
        for column, group in (("trained with", TRAINED_WITH), ("held out", HELD_OUT)):
            assert row[column] == share(shares(agent, group)).text
        lowest, by = row["lowest"].split(" % against ")
        every = {name: shares(agent, (name,)).value for name in (*TRAINED_WITH, *HELD_OUT) if name != agent}
        assert float(lowest) == pytest.approx(100 * min(every.values()), abs=0.0501)
        assert every[by] == min(every.values())
    assert not any(name.startswith("exploitable") for name in found["battle"])  # nothing is known of it


def test_what_is_stored_is_not_played_again(capsys: pytest.CaptureFixture[str]) -> None:
    assert run() == 0
    first, played = capsys.readouterr().out, Here.results
    assert run() == 0
    assert Here.results == played == 8 * (8 + 7)
    assert capsys.readouterr().out == first


def test_the_deals_are_those_that_the_stores_hold(played: None, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--deals", 1, "--html", "lb.html") == 0
    assert capsys.readouterr().out.count("at all seats of 2 deals;") == 1
    assert "at all seats of 2 deals;" in Path("lb.html").read_text()
    assert run("--deals", 1, "--agents", "battle,greedy") == 0
    assert "at all seats of 1 to 2 deals;" in capsys.readouterr().out


def test_a_game_that_two_stores_have_is_rated_once(monkeypatch: pytest.MonkeyPatch) -> None:
    assert run("--agents", "battle,balanced", "--players", 2, "--deals", 4) == 0
    paths, rated = [Path("lb/battle.db"), Path("lb/balanced.db")], []

    class Noted(leaderboard.Tally):
        def add(self, game: StoredGame) -> None:
            rated.append(game.id)
            super().add(game)

    monkeypatch.setattr(leaderboard, "Tally", Noted)
    for order in (paths, paths[::-1]):
        rated.clear()
        entries = leaderboard.measure(order, {})
        assert len({*rated}) == len(rated) < sum(entry.games for entry in entries)


def test_games_that_do_not_play_as_stored_make_no_table(
    played: None, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first game of a store is said to have ended otherwise."""
    games = Store.games
    changed = lambda store: (  # noqa: E731
        game if number else game.__class__(**{**vars(game), "scores": tuple(each + 1 for each in game.scores)})
        for number, game in enumerate(games(store))
    )
    monkeypatch.setattr(Store, "games", changed)
    assert run() == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "lb/random.db: 1 games do not play again as they are stored; the first: game " in captured.err


def test_what_is_not_data_is_not_printed_among_it(
    played: None, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    play = leaderboard.ladder.play
    monkeypatch.setattr(leaderboard.ladder, "play", lambda *given: play(*given) + 1)
    assert run("--json") == 1
    captured = capsys.readouterr()
    assert len(json.loads(captured.out)) == 2
    assert "gave up 2 units," in captured.err


def test_two_agents_do_not_share_a_store(capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copy(PLUG_IN, "a-b.py")
    Path("a").mkdir()
    shutil.copy(PLUG_IN, "a/b.py")
    assert run("--agents", "a/b.py:First,a-b.py:First", "--trust", "a/b.py:First", "--trust", "a-b.py:First") == 1
    assert "a/b.py:First and a-b.py:First would have one store, a-b.py-First.db" in capsys.readouterr().err


def test_a_run_of_exploit_stands_beside_its_agent(capsys: pytest.CaptureFixture[str]) -> None:
    folder = Path("response")
    folder.mkdir()
    (folder / CONFIG).write_text("game = 'bloodrage'\nplayers = [4]\n[opponents]\nbattle = 1.0\n")
    (folder / LOG).write_text("updates,decisions,games,win_rate,low,high\n1,5000,9,0.2,0,1\n2,10000,9,0.375,0.3,0.45\n")
    assert run("--exploit", folder, "--players", 3) == 0  # the number of seats of the table does not matter
    found = table(capsys.readouterr().out)
    shown = "+12.5 points (+5.0 to +20.0) by a learner after 10,000 decisions"
    assert found["battle"]["exploitable, 4 seats"] == shown
    assert found["random"]["exploitable, 4 seats"] == "–"
    (folder / LOG).write_text("updates,decisions,games,win_rate,low,high\n")
    assert run("--exploit", folder) == 1
    assert "response holds no measured run" in capsys.readouterr().err


def test_the_table_of_a_markdown_file(played: None, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--markdown", "one.md") == 0
    found, lines = table(capsys.readouterr().out), Path("one.md").read_text().splitlines()
    assert lines[2] == f"| `battle` | {' | '.join(list(found['battle'].values())[1:])} |"
    assert all(len(line) <= 120 for line in lines if not line.startswith("|"))
    assert run("--markdown", "nowhere/one.md") == 1
    assert "there is no folder nowhere for one.md" in capsys.readouterr().err


def test_the_page_has_every_win_rate(played: None, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--html", "lb.html") == 0
    page = Page(Path("lb.html").read_text())
    every = page.tables["Win rate against each style"]
    assert every[0] == ["agent", *TRAINED_WITH, *HELD_OUT]
    rows = {row[0]: dict(zip(every[0], row, strict=True)) for row in every[1:]}
    for opponent in (*TRAINED_WITH, *HELD_OUT):
        assert float(rows["random"][opponent].split()[0]) == pytest.approx(
            100 * shares("random", (opponent,)).value, abs=0.0501
        )
    assert rows["battle"]["battle"] == "–"
    assert run("--html", "nowhere/lb.html") == 1
    assert "there is no folder nowhere" in capsys.readouterr().err


def test_a_game_without_held_out_styles_has_no_such_column(capsys: pytest.CaptureFixture[str]) -> None:
    short = ["--deals", "1", "--setup", "fixed", "--store", "bs"]
    assert main(["leaderboard", "--game", "berserk", "--agents", "random,hold", *short]) == 0
    output = capsys.readouterr().out
    assert {"trained with", "lowest", "games"} < {*table(output)["hold"]}
    assert "held out" not in output


def test_by_default_all_agents_stand_in_it() -> None:
    """Every style, and searches at budgets that do not depend on the machine."""
    assert {"random", "greedy", "network", *TRAINED_WITH, *HELD_OUT} <= {*parts.table("bloodrage").leaderboard}
    assert not [spec for spec in parts.table("bloodrage").leaderboard if "ms=" in spec]
    assert [spec for spec in parts.table("bloodrage").leaderboard if spec.startswith("ismcts:")]
