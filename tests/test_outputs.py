"""Files that commands write: what can't be written, or would replace what is needed, is refused before any game."""

import shutil
from pathlib import Path
from typing import Any

import pytest
from project_files import ROOT

from bloodrage_env.cli import main
from bloodrage_env.commands import analyse
from bloodrage_env.games.bloodrage.options import Options
from bloodrage_training import ladder, leaderboard
from bloodrage_training.benchmark import command as benchmark
from bloodrage_training.tournament import command as tournament
from bloodrage_training.tournament.records import Plan
from bloodrage_training.tournament.store import Store

RESULT = ROOT / "docs" / "results" / "benchmark" / "random.json"
PLAN = Plan((), (), "focus", Options(), 1, 60.0, 1)
NEEDED = "the command needs this file; name another"


@pytest.fixture(autouse=True)
def nothing_is_played(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def played(*_: Any) -> None:
        pytest.fail("games are played")

    for module in (ladder, leaderboard, benchmark, tournament):
        monkeypatch.setattr(module, "make_pool", played)
    shutil.copy(Path(__file__).parent / "plug_ins" / "good.py", tmp_path / "good.py")
    shutil.copy(RESULT, tmp_path / "result.json")
    monkeypatch.chdir(tmp_path)


def said(capsys: pytest.CaptureFixture[str], words: str) -> str:
    """The one line with which a command is refused."""
    capsys.readouterr()
    assert main(words.split()) == 1
    text = capsys.readouterr().err
    assert text.count("\n") == 1, text
    return text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("tournament run --agents random,greedy --deals 1 --store new/a.sqlite --html new", "new is a folder; name a"),
        ("tournament run --agents random,good.py:First --deals 1 --store a.sqlite --html good.py", NEEDED),
        ("ladder flat --budgets 1 --store new --html new", "new is a folder; name a"),
        ("ladder flat --budgets 1 2 --store new --html new/simulations-2.db", NEEDED),
        ("leaderboard --agents random --store new --markdown new/random.db", NEEDED),
        ("leaderboard --agents random --store new --markdown page --html ./page", NEEDED),
        ("benchmark random --track language --out new --html new/language.jsonl", NEEDED),
        ("benchmark random --track language --out new --html new/language-trial.json", NEEDED),
        ("benchmark random --game berserk --track duel,exploit --out new", "not random"),
        ("benchmark random --sample 3", "--sample has no effect here"),
        ("benchmark --verify result.json --games 3", "--games has no effect here"),
        ("benchmark --verify result.json --out new", "--out has no effect here"),
        ("benchmark --row markdown result.json --trust a.py:A", "--trust has no effect here"),
        ("mcp --port 9", "--host and --port are for --http"),
    ],
)
def test_it_is_refused(words: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    before = {path: path.read_bytes() for path in Path().iterdir()}
    assert message in said(capsys, words)
    assert {path: path.read_bytes() for path in Path().iterdir() if path.is_file()} == before


def test_stores_of_other_plans_are_refused_before_the_first_game(capsys: pytest.CaptureFixture[str]) -> None:
    for folder in ("rungs", "board"):
        Path(folder).mkdir()
    with Store.create("rungs/simulations-3.db", ladder.make_plan("flat", "simulations", 3, "greedy", PLAN)):
        pass
    with Store.create("board/greedy.db", leaderboard.make_plan("greedy", PLAN)):
        pass
    assert "simulations-3.db has other agents" in said(
        capsys, "ladder flat --opponent random --budgets 1 3 --store rungs"
    )
    board = "leaderboard --agents random,greedy --players 2 --store board"
    assert "greedy.db has other agents" in said(capsys, board)


def test_a_result_keeps_its_tracks(capsys: pytest.CaptureFixture[str]) -> None:
    Path("run").mkdir()
    shutil.copy(RESULT, "run/benchmark.json")
    assert "run/benchmark.json has the track table too" in said(capsys, "benchmark random --track duel --out run")
    assert Path("run/benchmark.json").read_bytes() == RESULT.read_bytes()


def test_a_store_is_not_replaced_by_what_is_exported(capsys: pytest.CaptureFixture[str]) -> None:
    with Store.create("a.sqlite", leaderboard.make_plan("random", PLAN)):
        pass
    before = Path("a.sqlite").read_bytes()
    assert NEEDED in said(capsys, "tournament export a.sqlite a.sqlite --format csv")
    assert NEEDED in said(capsys, "tournament export a.sqlite 0123456789 ./a.sqlite")
    assert "good.py is not a folder" in said(capsys, "tournament report a.sqlite --csv good.py")
    assert Path("a.sqlite").read_bytes() == before


def test_a_transcript_is_read_before_the_analysis(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["demo", "--agents", "random", "--save", "a.brz", "--quiet"]) == 0
    assert NEEDED in said(capsys, "replay a.brz --html a.talk.jsonl")
    Path("a.talk.jsonl").write_text("nothing\n")
    monkeypatch.setattr(analyse, "watched", lambda *_: pytest.fail("it is analysed"))
    assert "a.talk.jsonl is not a transcript" in said(capsys, "analyse a.brz --html a.html")
    assert NEEDED in said(capsys, "analyse a.brz --html a.talk.jsonl")
