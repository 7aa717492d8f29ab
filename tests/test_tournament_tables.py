"""Games of a store for other programs, and what changed between two stores."""

import csv
import json
import math
import sys
from dataclasses import replace

import numpy as np
import pytest
from stores import fill, plan, played

from bloodrage_env.cli import main
from bloodrage_env.errors import UserError
from bloodrage_env.games.berserk.options import Options as Berserk
from bloodrage_training.tournament import compare
from bloodrage_training.tournament.export import FORMATS, Results
from bloodrage_training.tournament.store import Store

AGENTS = ("a", "b", "c")


def run(capsys, *words):
    """The exit status, the output and the errors of a subcommand."""
    capsys.readouterr()
    status = main(["tournament", *map(str, words)])
    return status, *capsys.readouterr()


def read(path):
    """The rows of a table as texts by column; in JSON and Parquet numbers are numbers."""
    if path.suffix == ".csv":
        with path.open(newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))
    if path.suffix == ".json":
        rows = json.loads(path.read_text(encoding="utf-8"))
    else:
        rows = pytest.importorskip("pyarrow.parquet").read_table(path).to_pylist()
    assert isinstance(rows[0]["seed"], int)
    assert isinstance(rows[0]["victory"], float)
    return [
        {name: f"{value:.9g}" if isinstance(value, float) else str(value) for name, value in row.items()}
        for row in rows
    ]


@pytest.mark.parametrize("kind", FORMATS)
def test_a_table_has_a_row_for_each_seat_of_each_game(kind, tmp_path, capsys):
    games = fill(tmp_path / "x.sqlite")
    path = tmp_path / f"games.{kind}"
    if kind == "parquet":
        pytest.importorskip("pyarrow")
    assert run(capsys, "export", tmp_path / "x.sqlite", path)[:2] == (0, f"wrote {3 * len(games)} rows: {path}\n")
    rows = read(path)
    assert len(rows) == 3 * len(games)
    by_seat = {(row["game"], int(row["seat"])): row for row in rows}
    for game in games:
        for seat, agent in enumerate(game.line_up):
            row = by_seat[game.id, seat]
            assert (row["agent"], row["glory"], row["seed"]) == (agent, str(game.scores[seat]), str(game.seed))


def test_the_option_names_the_format_of_a_file_with_another_ending(tmp_path, capsys):
    fill(tmp_path / "x.sqlite")
    assert run(capsys, "export", tmp_path / "x.sqlite", tmp_path / "games.txt", "--format", "json")[0] == 0
    assert json.loads((tmp_path / "games.txt").read_text(encoding="utf-8"))


def test_results_are_a_data_frame(tmp_path):
    pytest.importorskip("pandas")
    games = fill(tmp_path / "x.sqlite")
    found = Results.open(tmp_path / "x.sqlite").games()
    assert len(found) == 3 * len(games)
    assert found.groupby("game")["victory"].sum().tolist() == [1.0] * len(games)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("export", "{0}", "{1}/games.xls"), "no ending of .csv, .json, .parquet"),
        (("export", "{0}", "{1}/none/games.csv"), "there is no folder"),
        (("export", "{0}", "3f", "{1}/game.brz", "--format", "csv"), "leave out"),
        (("export", "{1}/nothing.sqlite", "{1}/games.csv"), "is not a file"),
        (("compare", "{0}", "{1}/junk"), "not a tournament store"),
        (("compare", "{0}", "{1}/berserk.sqlite"), "two stores of one game"),
    ],
)
def test_a_fault_is_one_line(words, says, tmp_path, capsys):
    fill(tmp_path / "x.sqlite")
    (tmp_path / "junk").write_bytes(b"\x80\x04pickle")
    if "berserk" in words[-1]:
        Store.create(tmp_path / "berserk.sqlite", replace(plan(), options=Berserk())).close()
    status, out, err = run(capsys, *(word.format(tmp_path / "x.sqlite", tmp_path) for word in words))
    assert (status, out, err.count("\n")) == (1, "", 1)
    assert says in err


@pytest.mark.parametrize(("kind", "package"), [("parquet", "pyarrow"), (None, "pandas")])
def test_a_missing_package_is_one_line(kind, package, tmp_path, capsys, monkeypatch):
    fill(tmp_path / "x.sqlite")
    monkeypatch.setitem(sys.modules, package, None)
    if kind is None:
        with pytest.raises(UserError, match="pandas: install bloodrage with the extra data"):
            Results.open(tmp_path / "x.sqlite").games()
        return
    status, _, err = run(capsys, "export", tmp_path / "x.sqlite", tmp_path / f"games.{kind}")
    assert (status, err.count("\n")) == (1, 1)
    assert f"{package}: install bloodrage with the extra data" in err


# ---- comparisons


def worse(game):
    """The game, of which "a" has lost all."""
    went = played(game)
    return replace(
        went, scores=tuple(0 if spec == "a" else score for spec, score in zip(went.line_up, went.scores, strict=True))
    )


def test_a_store_and_itself_differ_in_nothing(tmp_path, capsys):
    fill(tmp_path / "x.sqlite")
    status, out, _ = run(capsys, "compare", tmp_path / "x.sqlite", tmp_path / "x.sqlite")
    assert status == 0
    lines = out.splitlines()
    assert [line.split()[-4:] for line in lines if line.split(" ")[0] in AGENTS] == [
        ["+0.0", "points", "+0.00", "+0.0"]
    ] * 3
    assert "2 deals in both stores: the changes are paired" in lines
    assert "6 games with the same seed and seats in both; 0 went differently" in lines
    assert not [line for line in lines if "differ:" in line or "fingerprint" in line or "only in" in line]


def test_what_changed_is_said(tmp_path, capsys):
    one, other = tmp_path / "x.sqlite", tmp_path / "y.sqlite"
    fill(one)
    changed = plan((*AGENTS[:2], "d"))
    fill(other, replace(changed, fingerprints=("g", "f", "f")), worse)
    out = run(capsys, "compare", one, other)[1]
    for said in (
        "a has another fingerprint", f"only in {one}: c", f"only in {other}: d", "the line-ups differ",
        "2 deals in both stores",
    ):  # fmt: skip
        assert said in out
    row = next(line for line in out.splitlines() if line.startswith("a "))
    assert "  0.0 %  -" in row
    unpaired = tmp_path / "z.sqlite"
    fill(unpaired, plan(seed=1))
    assert "no deal is in both stores" in run(capsys, "compare", one, unpaired)[1]


def drawn(rng, seeds, effects, shift):
    """Sums of an agent over deals of four games, whose chances of a win depend on the deal."""
    sums = {}
    for seed in seeds:
        wins = rng.binomial(4, np.clip(effects[seed] + shift, 0, 1))
        sums[seed] = np.array([4.0, wins, 0.0, 0.0, 0.0])
    return sums


@pytest.mark.parametrize("common", [30, 10, 0])
def test_intervals_of_changes_hold_what_they_promise(common):
    """Of changes with all, some and no deals in both stores, 95 % of the intervals contain the true one."""
    rng = np.random.default_rng(common)
    held, paired, unpaired = 0, 0.0, 0.0
    for _ in range(400):
        effects = rng.beta(1, 2, 60) * 0.8
        # The chance of the deals is part of what the intervals cover, unless all of them are in both stores.
        before = drawn(rng, range(30), effects, 0.0)
        after = drawn(rng, range(30 - common, 60 - common), effects, 0.1)
        found = compare.change(before, after, 1, 0)
        held += found.low <= 0.1 <= found.high
        paired += found.high - found.low
        apart = compare.change(before, {seed + 100: sums for seed, sums in after.items()}, 1, 0)
        unpaired += apart.high - apart.low
    assert 0.92 < held / 400 < 0.98
    assert (paired < unpaired) == (common > 0)


def test_a_change_without_data_or_spread_has_no_interval():
    one = {1: np.array([4.0, 2, 0, 0, 0]), 2: np.array([4.0, 1, 0, 0, 0])}
    assert math.isnan(compare.change({}, one, 1, 0).value)
    assert compare.change(one, one, 1, 0).value == 0
    assert not compare.change(one, one, 1, 0).bounded
    assert not compare.change({1: one[1]}, one, 1, 0).bounded  # a single deal
    assert compare.rate({}).value != compare.rate({}).value


def test_the_page_may_be_in_the_new_folder_of_the_store(tmp_path, monkeypatch, capsys):
    """As in the README."""
    monkeypatch.chdir(tmp_path)
    where = ["--store", "runs/mine.sqlite", "--html", "runs/mine.html"]
    given = ["--agents", "random,greedy", "--seats", 2, "--deals", 1, "--workers", 1]
    assert run(capsys, "run", *given, *where)[0] == 0
    assert (tmp_path / "runs" / "mine.html").is_file()
