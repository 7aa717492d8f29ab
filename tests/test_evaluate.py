"""`bloodrage evaluate`: a policy of any kind of file, measured by a tournament; and the quick measure of training."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch
from pool_here import Here
from stores import give_up

from bloodrage_env import VectorGames, games
from bloodrage_env.cli import main
from bloodrage_env.games.bloodrage.engine import States
from bloodrage_training.learn import evaluate
from bloodrage_training.learn.evaluate import against, by_observation, measure
from bloodrage_training.learn.export import export
from bloodrage_training.learn.policy import Policy
from bloodrage_training.learn.runs import with_policy, write
from bloodrage_training.tasks import Event
from bloodrage_training.tournament.ratings import places_and_wins
from bloodrage_training.tournament.records import StoredGame
from bloodrage_training.tournament.store import Store

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Work in a folder of its own, and play without other processes."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(evaluate, "make_pool", lambda backend, size: Here())
    Here.results = 0


def policy(seed: int = 1) -> Policy:
    """A small network of random weights, without the rules of thumb."""
    torch.manual_seed(seed)
    small = Policy(16, 1, game="bloodrage")
    with torch.no_grad():
        small.first_weight[small.net.sizes.observation :] = 0.0
        small.gains.bias.zero_()
    return small


def run(*arguments: object) -> int:
    """Run the command."""
    return main(["evaluate", *map(str, arguments)])


def cells(text: str) -> dict[str, list[str]]:
    """The rows of the table by their opponent."""
    lines = text[text.index("opponent") :].split("\n\n")[0].splitlines()[1:]
    return {line.split()[0]: line.split() for line in lines}


def mean(games: list[StoredGame], figure: Callable[[StoredGame, int], float]) -> float:
    """A mean over the seats of the policy."""
    seats = [next(seat for seat, name in enumerate(game.line_up) if name.startswith("network")) for game in games]
    return float(np.mean([figure(game, seat) for game, seat in zip(games, seats, strict=True)]))


def test_the_ladder_is_played_at_all_seats(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    export(policy(), tmp_path / "policy.npz")
    assert run("policy.npz", "--deals", 2, "--store", "x.sqlite") == 0
    found = cells(capsys.readouterr().out)
    assert list(found) == ["random", "battle", "loki", "quest", "balanced"]
    assert {row[1] for row in found.values()} == {"8"}
    with Store.open("x.sqlite") as store:
        assert store.plan().mode == "focus"
        games = list(store.finished())
    assert len(games) == 40
    for opponent, row in found.items():
        theirs = [game for game in games if opponent in game.line_up]
        assert all(game.line_up.count(opponent) == 3 for game in theirs)
        wins = mean(theirs, lambda game, seat: places_and_wins(game)[1][seat])
        own = mean(theirs, lambda game, seat: game.scores[seat])
        others = mean(theirs, lambda game, seat: (sum(game.scores) - game.scores[seat]) / 3)
        output = [float(row[column]) for column in (2, 7, 8)]
        assert output == pytest.approx([100 * wins, own, others], abs=0.0501)  # rounded to one digit, ties either way
    seats = [seat for game in games for seat, name in enumerate(game.line_up) if name.startswith("network")]
    assert np.bincount(seats).tolist() == [10] * 4


def test_styles_that_are_held_out_stand_under_their_own_heading(capsys: pytest.CaptureFixture[str]) -> None:
    """Last, whatever the order in which they are named; without them there is no heading."""
    export(policy(), Path("policy.npz"))
    assert run("policy.npz", "--against", "turtle,random,hunter,rusher", "--deals", 1) == 0
    output = capsys.readouterr().out
    lines = output[output.index("opponent") :].splitlines()
    assert [line.split()[0] for line in lines[:3]] == ["opponent", "random", "rusher"]
    assert lines[3] == "held out from all training:"
    assert [line.split()[0] for line in lines[4:6]] == ["turtle", "hunter"]
    assert run("policy.npz", "--against", "random", "--deals", 1) == 0
    assert "held out" not in capsys.readouterr().out


def test_intervals_are_over_deals(tmp_path: Path) -> None:
    export(Policy(16, 1, game="bloodrage"), tmp_path / "policy.npz")  # about as good as balanced
    assert run("policy.npz", "--against", "balanced", "--deals", 8, "--seats", 2, "--store", "x.sqlite") == 0
    with Store.open("x.sqlite") as store:
        (ratings,) = measure(store)
    assert (ratings.deals, ratings.games, ratings.anchor) == (8, 16, "balanced")
    assert 0 <= ratings.win_share.low[1] < ratings.win_share.value[1] < ratings.win_share.high[1] <= 1


@pytest.mark.parametrize("name", ["run/checkpoint.pt", "run"])
def test_checkpoints_and_folders_of_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    write(tmp_path / "run" / "checkpoint.pt", with_policy(policy()))
    assert run(name, "--against", "random", "--deals", 1, "--seats", 3, "--store", "x.sqlite") == 0
    assert cells(capsys.readouterr().out)["random"][1] == "3"
    assert (tmp_path / "x.npz").exists()
    with Store.open("x.sqlite") as store:
        assert store.plan().agents == ("network:path=x.npz", "random")


def test_without_a_store_nothing_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    write(tmp_path / "checkpoint.pt", with_policy(policy()))
    assert run("checkpoint.pt", "--against", "random", "--deals", 1, "--seats", 2) == 0
    assert [path.name for path in tmp_path.iterdir()] == ["checkpoint.pt"]


def test_a_store_goes_on_and_holds_one_policy(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path / "checkpoint.pt", with_policy(policy()))
    common = ("checkpoint.pt", "--against", "random", "--seats", 2, "--store", "x.sqlite")
    assert run(*common, "--deals", 1) == 0
    assert run(*common, "--deals", 3) == 0
    assert Here.results == 6
    assert main(["tournament", "resume", "x.sqlite", "--workers", "1", "--allow", "network:path=x.npz"]) == 0
    assert Here.results == 6
    write(tmp_path / "checkpoint.pt", with_policy(policy(2)))
    capsys.readouterr()
    assert run(*common, "--deals", 4) == 1
    assert "x.npz is another policy than checkpoint.pt now; name another --store" in capsys.readouterr().err
    assert Here.results == 6


def test_ctrl_c_keeps_what_was_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(pool: Here, timeout: float) -> list[Event]:
        if Here.results > 4:
            raise KeyboardInterrupt
        output, pool.waiting = pool.waiting, []
        return output

    export(policy(), tmp_path / "policy.npz")
    common = ("policy.npz", "--against", "random", "--seats", 2, "--deals", 5, "--store", "x.sqlite")
    with monkeypatch.context() as patched:
        patched.setattr(Here, "events", interrupted)
        assert run(*common) == 130
    assert "stopped; what was played is stored" in capsys.readouterr().err
    with Store.open("x.sqlite") as store:
        assert store.recorded() == 4
    assert run(*common) == 0
    assert Here.results == 6 + 6  # what was being played is played again


def test_units_that_were_given_up_are_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    export(policy(), tmp_path / "policy.npz")
    common = ("policy.npz", "--against", "random", "--seats", 2, "--store", "x.sqlite")
    assert run(*common, "--deals", 1) == 0
    with Store.open("x.sqlite", write=True) as store:
        give_up(store, 0, "the worker died")
    assert run(*common, "--deals", 2) == 1
    assert "gave up 1 unit," in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere.pt"], "there is no file nowhere.pt"),
        (["nowhere.npz"], "can't read nowhere.npz"),
        (["."], "there is no file checkpoint.pt"),
        (["words.txt"], "words.txt is not a checkpoint"),
        (["words.npz"], "words.npz is not a policy of this environment"),
        (["a,b.npz"], "a,b.npz: commas"),
        (["policy.npz", "--against", "odin"], "there is no agent 'odin'"),
        (["policy.npz", "--against", "random,random"], "named twice"),
        (["policy.npz", "--against", "human"], "a person can't play"),
    ],
)
def test_what_can_not_be_measured(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    export(policy(), tmp_path / "policy.npz")
    for name in ("words.txt", "words.npz"):
        (tmp_path / name).write_text("no policy at all")
    assert run(*arguments, "--deals", 1, "--store", "x.sqlite") == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("bloodrage evaluate: ")
    assert message in err
    assert err.count("\n") == 1
    assert not (tmp_path / "x.sqlite").exists()


def test_a_policy_file_needs_no_torch(tmp_path: Path) -> None:
    """Workers included. A checkpoint does, and says so."""
    export(policy(), tmp_path / "policy.npz")
    write(tmp_path / "checkpoint.pt", with_policy(policy()))
    (tmp_path / "path").mkdir()
    (tmp_path / "path" / "torch.py").write_text("raise ModuleNotFoundError(\"No module named 'torch'\", name='torch')")
    environment = os.environ | {"PYTHONPATH": f"{tmp_path / 'path'}{os.pathsep}{ROOT}"}
    code = "import sys; from bloodrage_env.cli import main; sys.exit(main(sys.argv[1:]))"

    def command(name: str) -> subprocess.CompletedProcess[str]:
        arguments = ["evaluate", name, "--against", "random", "--deals", "1", "--seats", "2", "--workers", "1"]
        return subprocess.run([sys.executable, "-c", code, *arguments], env=environment, capture_output=True, text=True)

    output = command("policy.npz")
    assert output.returncode == 0, output.stderr
    assert cells(output.stdout)["random"][1] == "2"
    output = command("checkpoint.pt")
    assert output.returncode == 1
    reason = "a checkpoint needs the package torch: install bloodrage with the extra train (README, Install)"
    assert output.stderr == f"bloodrage evaluate: {reason}\n"


@pytest.mark.slow
def test_ctrl_c_ends_the_workers(tmp_path: Path) -> None:
    export(policy(), tmp_path / "policy.npz")
    code = "import sys; from bloodrage_env.cli import main; sys.exit(main(sys.argv[1:]))"
    arguments = ["evaluate", "policy.npz", "--deals", "1000", "--workers", "1", "--store", "x.sqlite"]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    process = subprocess.Popen([sys.executable, "-c", code, *arguments], env=environment, stderr=subprocess.PIPE)
    assert process.stderr is not None
    while not recorded(tmp_path / "x.sqlite"):
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    output = process.stderr.read().decode()  # ends when the workers have
    assert process.wait(60) == 130
    assert "Traceback" not in output


def recorded(path: Path) -> int:
    """How many games are stored."""
    if not path.exists():
        return 0
    with Store.open(path) as store:
        return store.recorded()


@pytest.mark.parametrize("players", [2, 4])
def test_equal_play_wins_an_equal_share(players: int) -> None:
    def at_random(states: States, which: np.ndarray, _: np.random.Generator) -> np.ndarray:
        masks = states["mask"][which]
        return np.asarray((masks + rng.random(masks.shape)).argmax(1))

    rng = np.random.default_rng(4)
    score = against(at_random, "random", 300, players, batch=128, game="bloodrage")
    assert score.games == 300
    assert abs(score.share - 1 / players) < 4 * np.sqrt(score.share * (1 - score.share) / score.games)
    assert 0.0 <= against(at_random, "balanced", 60, players, game="bloodrage").share < 0.1


@pytest.mark.parametrize("game", games.names())
def test_a_choice_by_observation_is_given_what_the_seats_to_act_see(game: str) -> None:
    """In the order of the games that are asked for; and it plays as it would by the states."""
    batch = VectorGames(6, game=game, seed=3)
    batch.reset()
    for _ in range(40):
        batch.step(batch.masks.argmax(1))
    assert len(set(batch.seats.tolist())) > 1
    which = np.array([4, 1, 5])

    def first(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        assert np.array_equal(observations, batch.observations[which])
        assert np.array_equal(masks, batch.masks[which])
        return np.asarray(masks.argmax(1))

    assert (
        by_observation(first, game)(batch.states, which, np.random.default_rng(1)).tolist()
        == batch.masks[which].argmax(1).tolist()
    )
    by_state = against(lambda states, which, _: states["mask"][which].argmax(1), "random", 20, game=game)
    assert against(by_observation(lambda _, masks: masks.argmax(1), game), "random", 20, game=game) == by_state
