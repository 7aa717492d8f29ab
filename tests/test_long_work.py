"""Long commands show their progress early, and list forfeits with their reasons."""

import dataclasses
import re
from pathlib import Path

import pytest
from pool_here import Here
from small_ppo import SHORT
from stores import fill

from bloodrage_agents.network import file_of
from bloodrage_env import games
from bloodrage_env.cli import main
from bloodrage_env.terminal import progress
from bloodrage_training import ladder, leaderboard
from bloodrage_training.learn import evaluate, ppo, run, search
from bloodrage_training.learn.config import Search
from bloodrage_training.tournament.records import PlannedGame, StoredGame
from bloodrage_training.tournament.workers import Player

LINE = re.compile(r"update (\d+), ([\d,]+) decisions, [\d,]+ decisions/s(?:, [\d:]+ left)?(; playing|; learning)?")


def lines(capsys: pytest.CaptureFixture[str]) -> list[tuple[int, int, bool]]:
    """The number of the update, the decisions, and whether it is being played, of each line of progress."""
    found = LINE.findall(capsys.readouterr().err)
    return [(int(update), int(decisions.replace(",", "")), bool(part)) for update, decisions, part in found]


def test_a_run_shows_its_progress_within_an_update(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "PAUSE", 0.0)
    monkeypatch.setattr(ppo, "TURN", 0.05)
    config = dataclasses.replace(SHORT, decisions=900, evaluate_every=100)
    assert ppo.train(config, tmp_path / "run")
    shown = lines(capsys)
    assert shown[0][0] == 1
    assert {(update, part) for update, _, part in shown} >= {(1, True), (1, False), (2, True), (2, False)}
    counts = [decisions for _, decisions, _ in shown]
    assert counts == sorted(counts)
    assert counts[-1] >= 900


def test_a_learner_from_searches_shows_its_progress_within_an_update(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "PAUSE", 0.0)
    monkeypatch.setattr(search, "make_pool", lambda backend, size: Here(size))
    config = Search(
        width=16, layers=1, games=1, tasks=1, decisions=1, simulations=1, learned=0.1, evaluate_every=100, players=(2,)
    )
    assert search.train(config, tmp_path / "run")
    *parts, (update, _, part) = lines(capsys)
    assert (update, part) == (1, False)
    assert len(parts) > 0
    assert all(each[2] for each in parts)


@pytest.mark.parametrize("command", ["evaluate", "ladder", "leaderboard"])
def test_forfeits_are_listed_with_their_reason(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As they are by `tournament` (`test_counted.py`)."""

    def forfeit(self: Player, game: PlannedGame) -> StoredGame:
        rules, none = games.game(game.options.game), (0,) * len(game.line_up)
        scores = tuple(rules.play.scores(rules.new_game(game.seed, game.options), 0).tolist())
        seat, reason = game.line_up.index("hoarder"), "ValueError: no idea"
        return StoredGame(
            game.id,
            game.deal,
            game.seating,
            game.seed,
            game.line_up,
            game.options,
            (),
            scores,
            seat,
            reason,
            none,
            none,
        )

    monkeypatch.setattr(Player, "play", forfeit)
    for module in (evaluate, ladder, leaderboard):
        monkeypatch.setattr(module, "make_pool", lambda backend, size: Here())
    store = str(tmp_path / "store")
    words = {
        "evaluate": [str(file_of("shipped", "bloodrage")), "--against", "hoarder", "--store", f"{store}.sqlite"],
        "ladder": ["ismcts", "--opponent", "hoarder", "--budgets", "1", "--store", store],
        "leaderboard": ["--agents", "hoarder", "--store", store],
    }
    assert main([command, *words[command], "--players", "2", "--deals", "1"]) == 0
    assert re.search(r"hoarder forfeited \d+ games: ValueError: no idea", capsys.readouterr().out)


READERS = {
    "report a.sqlite": ["games"],
    "report a.sqlite --json": ["games"],
    "report a.sqlite --html a.html": ["games", "replays"],
    "report a.sqlite --csv csv": ["games", "games"],
    "export a.sqlite a.csv": ["games"],
    "compare a.sqlite a.sqlite": ["games", "games"],
    "compare a.sqlite a.sqlite --json": ["games", "games"],
}


@pytest.mark.parametrize("words", READERS)
@pytest.mark.parametrize("quick", [False, True])
def test_commands_that_read_many_games_show_how_many(
    words: str, quick: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """On stderr; a store that is read within a moment shows nothing."""
    monkeypatch.chdir(tmp_path)
    fill("a.sqlite")
    if not quick:
        monkeypatch.setattr(progress, "SHORT", 0.0)
        monkeypatch.setattr(progress, "EVERY", 0.0)
    assert main(["tournament", *words.split()]) == 0
    shown = re.findall(r"\] (\d+)/(\d+) (\w+), ", capsys.readouterr().err)
    ends = [things for done, total, things in shown if done == total]
    assert [*dict.fromkeys(ends)] == ([] if quick else [*dict.fromkeys(READERS[words])])
    if not quick:
        assert len(ends) >= 2 * len(READERS[words])  # of the last thing, and at the end
        assert len(shown) > len(ends)


@pytest.mark.parametrize(
    "words", ["ladder flat --opponent greedy --budgets 1 --deals 1", "leaderboard --agents greedy --deals 1"]
)
def test_the_page_may_be_in_the_new_folder_of_the_stores(
    words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for module in (ladder, leaderboard):
        monkeypatch.setattr(module, "make_pool", lambda backend, workers: Here())
    assert main([*words.split(), "--store", "runs/stores", "--html", "runs/a.html"]) == 0
    assert Path("runs/a.html").is_file()
