"""`bloodrage exploit --responder`: an agent as the response to any other agent. Nothing is learned."""

import re
from pathlib import Path

import pytest
from pool_here import Here
from stores import change

from bloodrage_env.cli import main
from bloodrage_env.errors import UserError
from bloodrage_env.games.bloodrage.options import Options
from bloodrage_training import leaderboard
from bloodrage_training.learn import CONFIG, exploit
from bloodrage_training.learn.bounds import LOG, STORE, bound_of
from bloodrage_training.tasks import Event
from bloodrage_training.tournament.ratings import places_and_wins
from bloodrage_training.tournament.store import Store


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Work in a folder of its own, and play without other processes."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(exploit, "make_pool", lambda backend, size: Here())
    monkeypatch.setattr(leaderboard, "make_pool", lambda backend, size: Here())
    Here.results = 0


def run(*arguments: object, agent: str = "random", responder: str = "battle", players: int = 2, seed: int = 5) -> int:
    """Let a responder play, by default in 4 games."""
    given = [agent, "--responder", responder, "--players", str(players), "--seed", str(seed), *map(str, arguments)]
    return main(["exploit", *given, *([] if "--games" in given else ["--games", "4"])])


@pytest.mark.parametrize("players", [2, 3])
def test_one_seat_is_the_responder_and_all_others_the_agent(players: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--games", 7, "--out", "run", agent="balanced", players=players) == 0
    with Store.open(f"run/{STORE}") as store:
        played = list(store.finished())
    assert len(played) == {2: 8, 3: 9}[players]  # whole deals
    assert all(game.line_up.count("battle") == 1 and game.line_up.count("balanced") == players - 1 for game in played)
    assert {game.line_up.index("battle") for game in played} == set(range(players))
    rate = sum(places_and_wins(game)[1][game.line_up.index("battle")] for game in played) / len(played)
    first, last = capsys.readouterr().out.splitlines()
    share = 1 / players
    assert first == (f"battle as a response to balanced with {players} players; equal players win {share:.1%}")
    assert last.startswith(f"{rate:.1%} of {len(played)} games, {100 * (rate - share):+.1f} points (")
    names, row = Path(f"run/{LOG}").read_text().splitlines()
    assert names == "games,win_rate,low,high"
    assert [float(each) for each in row.split(",")[:2]] == pytest.approx([len(played), rate], abs=1e-5)
    agent, number, bound = bound_of(Path("run"), Options(4), [])
    assert (agent, number, bound.by) == ("balanced", players, "battle")
    assert bound.gain.value == pytest.approx(rate - share)


def test_a_run_is_resumed_and_not_mixed_with_another(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(pool: Here, timeout: float) -> list[Event]:
        if Here.results > 2:
            raise KeyboardInterrupt
        output, pool.waiting = pool.waiting, []
        return output

    command = ["exploit", "random", "--responder", "battle", "--players", "2", "--out", "run"]
    with monkeypatch.context() as patched:
        patched.setattr(Here, "events", interrupted)
        assert main([*command, "--games", "4"]) == 130
    assert "the same command resumes the run in run" in capsys.readouterr().err
    assert not Path(f"run/{LOG}").exists()
    assert main([*command, "--games", "4"]) == 0
    assert Here.results == 2 + 2 + 2  # what was being played is played again
    out = capsys.readouterr().out
    assert main([*command, "--games", "4"]) == 0
    assert Here.results == 6
    assert capsys.readouterr().out == out
    assert main([*command, "--games", "6"]) == 0
    assert Here.results == 8
    for changed in (["--seed", "6"], ["--first-game"], ["--players", "3"], ["--responder", "loki"]):
        assert main([*command, *changed]) == 1
        assert "has other agents, options or another seed; choose another store or folder" in capsys.readouterr().err
    assert Here.results == 8


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--responder", "battle", "--decisions", "10000000"], "--decisions is for a learner"),
        (["--responder", "battle", "--points", "10"], "--points is for a learner"),
        (["--responder", "battle", "--start", "a.npz"], "--start is for a learner"),
        (["--responder", "battle", "--set", "games=8"], "--set is for a learner"),
        (["--seed", "0"], "--seed is for games with --responder"),
        (["--trust", "a.py:A"], "--trust is for games with --responder"),
        (["--workers", "1"], "--workers is for games with --responder"),
        (["--backend", "ray"], "--backend is for games with --responder"),
        (["--sets", "ks"], "--sets is for games with --responder"),
        (["--first-game"], "--first-game is for games with --responder"),
        (["--ask-forced"], "--ask-forced is for games with --responder"),
        (["--responder", "odin"], "there is no agent 'odin'"),
        (["--responder", "balanced"], "agent balanced is named twice"),
        (["--responder", "human"], "a person can't play"),
        (["--responder", "battle", "--players", "5"], "without the card set p5"),
        (["--responder", "battle", "--out", "learner"], "learner holds the run of a learner; give another --out"),
        (["--out", "responder"], "responder holds the games of a responder; give another --out"),
        (["--responder", "battle", "--out", "damaged"], f"damaged/{STORE}: it is not a tournament store"),
    ],
)
def test_what_has_no_meaning_is_refused_in_one_line(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for folder, name in (("learner", CONFIG), ("responder", STORE), ("damaged", STORE)):
        Path(folder).mkdir()
        (Path(folder) / name).write_text("no run at all")
    assert main(["exploit", "balanced", "--games", "2", *arguments]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("bloodrage exploit: ")
    assert message in err
    assert err.count("\n") == 1
    assert not Path("runs").exists()


def test_the_greatest_gain_is_shown_by_seats(capsys: pytest.CaptureFixture[str]) -> None:
    """Of both kinds of response, whatever their order."""
    for name, players, rate in (("learner-2", 2, 0.8), ("learner-4", 4, 0.0)):
        Path(name).mkdir()
        Path(f"{name}/{CONFIG}").write_text(f"game='bloodrage'\nplayers=[{players}]\nopponents={{battle=1.0}}\n")
        cut_off = "2,9999,0.9"
        Path(f"{name}/{LOG}").write_text(f"updates,decisions,win_rate,low,high\n1,9000,{rate},0,0.9\n{cut_off}")
    for players in (2, 4):
        assert (
            run("--out", f"weak-{players}", "--games", 2 * players, agent="battle", responder="random", players=players)
            == 0
        )
        assert (
            run("--out", f"good-{players}", "--games", 2 * players, agent="battle", responder="quest", players=players)
            == 0
        )
    capsys.readouterr()
    names = [f"{name}-{players}" for players in (2, 4) for name in ("weak", "learner", "good")]
    specs, options = ["random", "battle"], Options(4)
    found = leaderboard.greatest([*map(Path, names)], specs, options)
    assert found == leaderboard.greatest([*map(Path, reversed(names))], specs, options)
    board = ["leaderboard", "--agents", "random,battle", "--deals", "1", "--seed", "3", "--store", "lb"]
    assert main([*board, *(each for name in names for each in ("--exploit", name)), "--html", "lb.html"]) == 0
    text = capsys.readouterr().out
    text = text[: text.index("\n\n")]
    head, *rows = (re.split(r"\s{2,}", line) for line in text.splitlines())
    cells = {row[0]: dict(zip(head, row, strict=True)) for row in rows}
    two, four = (f"exploitable, {players} seats" for players in (2, 4))
    assert (cells["random"][two], cells["random"][four]) == ("–", "–")
    assert cells["battle"][two] == "+30.0 points (-50.0 to +40.0) by a learner after 9,000 decisions"
    assert re.fullmatch(r"\+.* points \(.*\) by quest", cells["battle"][four])
    page = Path("lb.html").read_text()
    assert "+30.0 points by a learner after 9,000 decisions" in page


def test_folders_that_do_not_fit_the_table_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--out", "run") == 0
    assert run("--out", "options", "--first-game") == 0
    assert run("--out", "absent", agent="loki") == 0
    assert run("--out", "altered") == 0
    change(f"altered/{STORE}", "UPDATE games SET scores = '[99,1]'")
    assert main(["exploit", "hold", "--game", "berserk", "--responder", "random", "--games", "2", "--out", "game"]) == 0
    Path("broken").mkdir()
    Path(f"broken/{STORE}").write_text("no store")
    Path("empty").mkdir()
    capsys.readouterr()
    board = ["leaderboard", "--agents", "random", "--deals", "1", "--seed", "3", "--store", "lb", "--exploit", "run"]
    for folder, message in (
        ("options", "options is of games with other options"),
        ("absent", "absent is of loki, which is not in the table; add it to --agents"),
        ("altered", f"altered/{STORE}: 4 games do not play again as they are stored"),
        ("game", "game is of the game berserk, not of bloodrage"),
        ("broken", f"broken/{STORE}"),
        ("empty", "empty holds no measured run of 'bloodrage exploit'"),
    ):
        assert main([*board, "--exploit", folder]) == 1, folder
        out, err = capsys.readouterr()
        assert out == ""
        assert message in err.splitlines()[-1], folder
    assert not Path("lb").exists()


@pytest.mark.parametrize(
    ("config", "log"),
    [
        ("", ""),
        ("game = 'bloodrage'", "win_rate,low,high,decisions\n1,1,1,1\n"),
        ("game = 'bloodrage'\nplayers = [0]\nopponents = {loki=1}", "win_rate,low,high,decisions\n1,1,1,1\n"),
        ("game = 'bloodrage'\nplayers = ['2']\nopponents = {loki=1}", "win_rate,low,high,decisions\n1,1,1,1\n"),
        ("game = 'bloodrage'\nplayers = [2, 4]\nopponents = {loki=1}", "win_rate,low,high,decisions\n1,1,1,1\n"),
        ("game = 'bloodrage'\nplayers = [2]\nopponents = {a=1, b=1}", "win_rate,low,high,decisions\n1,1,1,1\n"),
        ("game = 'bloodrage'\nplayers = [2]\nopponents = {loki=1}", "win_rate,low,high,decisions\n"),
        ("game = 'bloodrage'\nplayers = [2]\nopponents = {loki=1}", "win_rate,low,high,decisions\nnan,1,1,1\n"),
        ("game = 'bloodrage'\nplayers = [2]\nopponents = {loki=1}", "win_rate,low,high,decisions\n1,1\n"),
        ("game = 'bloodrage'\nplayers = [2]\nopponents = {loki=1}", "win_rate,low,high,decisions\n1,1,1,\x00\n"),
        ("game = 'bloodrage'\nplayers = [2]\nopponents = {loki=1}", "win_rate,low,high,decisions\n1,1,1,1"),
    ],
)
def test_a_damaged_run_of_a_learner_is_none(config: str, log: str) -> None:
    Path(CONFIG).write_text(config)
    Path(LOG).write_text(log)
    with pytest.raises(UserError, match="holds no measured run"):
        bound_of(Path(), Options(), [])


def test_partners_play_the_same_agent_and_win_together(capsys: pytest.CaptureFixture[str]) -> None:
    given = ["--game", "berserk_team", "--responder", "random", "--games", "4", "--out", "run"]
    assert main(["exploit", "hold", *given]) == 0
    first, last = capsys.readouterr().out.splitlines()
    assert first == "random as a response to hold with 4 players; equal players win 50.0%"
    with Store.open(f"run/{STORE}") as store:
        played = list(store.finished())
    rate = sum(places_and_wins(game)[1][game.line_up.index("random")] for game in played) / 4
    assert last.startswith(f"{rate:.1%} of 4 games, {100 * (rate - 0.5):+.1f} points")
    board = ["leaderboard", "--game", "berserk_team", "--agents", "hold", "--deals", "1", "--store", "lb"]
    assert main([*board, "--exploit", "run"]) == 0
    out = capsys.readouterr().out
    assert f"{100 * (rate - 0.5):+.1f} points by random" in out
    assert "2 partners against 2 of each style" in out
    assert "equal players win 50 %" in out
