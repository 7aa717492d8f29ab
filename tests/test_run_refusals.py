"""What commands of learning refuse before they begin, and files of the user that they leave alone."""

import dataclasses
import sys
from contextlib import nullcontext
from pathlib import Path

import numpy as np
import pytest
from pool_here import Here
from run_content import rows
from small_ppo import SHORT, SMALL, play

from bloodrage_env.cli import main
from bloodrage_env.errors import UserError
from bloodrage_env.games.bloodrage.options import Options
from bloodrage_training.dataset import command as dataset
from bloodrage_training.leaderboard import _named
from bloodrage_training.learn import recipe
from bloodrage_training.learn.bounds import bound_of
from bloodrage_training.learn.config import Ppo, parse
from bloodrage_training.learn.export import export
from bloodrage_training.learn.policy import Policy
from bloodrage_training.learn.ppo import train
from bloodrage_training.learn.tables import NETWORK, Tables

QUICK = ["--set=width=16", "--set=layers=1", "--set=games=9", "--set=steps=60", "--set=decisions=1000"]


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The one line with which a command is refused."""
    capsys.readouterr()
    assert main([*arguments]) == 1
    text = capsys.readouterr().err
    assert text.count("\n") == 1, text
    return text


# ---- files


@pytest.mark.parametrize(
    ("name", "config"),
    [*((it, "") for it in ("log.csv", "evaluation.csv", "best.npz", "player.npz", "checkpoint.pt", "versions.json")),
     ("two/best.npz", "[[stages]]\nname='one'\n[[stages]]\nname='two'"), ("mean-0.pt", "kind='rounds'"),
     ("first.pt", "kind='rounds'"), ("player-0.pt", "kind='league'")],
)  # fmt: skip
def test_a_new_run_replaces_no_file(name: str, config: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Also not the policy that it would start from; and no file is taken for the end of a stage or a round."""
    folder = tmp_path / "run"
    (tmp_path / "run.toml").write_text(config)
    (folder / name).parent.mkdir(parents=True)
    export(Policy(8, 1, "bloodrage"), folder / name)
    before = (folder / name).read_bytes()
    given = [f"--set=start={folder / name}"] if name.endswith("npz") else []
    text = said(capsys, "train", str(tmp_path / "run.toml"), "--out", str(folder), *QUICK, *given)
    assert f"{folder} holds {name.split('/')[0]}, but no config.toml of its run; give another --out" in text
    assert [each for each in folder.rglob("*") if each.is_file()] == [folder / name]
    assert (folder / name).read_bytes() == before


@pytest.mark.parametrize(
    ("name", "given"),
    [("checkpoint.pt", []), ("log.csv", []), ("exploit.csv", []), ("exploit.csv", ["--responder", "battle"])],
)
def test_a_new_response_replaces_no_file(
    name: str, given: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / name).write_text("mine")
    more = given or ["--decisions", "100", "--points", "1", *QUICK[:4]]
    text = said(capsys, "exploit", "balanced", "--games", "2", "--out", str(tmp_path), *more)
    assert f"{tmp_path} holds {name}, but no {'games.db' if given else 'config.toml'} of its" in text
    assert [each.read_text() for each in tmp_path.iterdir()] == ["mine"]


@pytest.mark.parametrize("file", ["x.parquet", "x.minari/metadata.json", "x/rows-000000.npz"])
def test_a_dataset_replaces_no_file(
    file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for package in ("pyarrow", "minari", "h5py"):
        pytest.importorskip(package)
    monkeypatch.setattr(dataset, "make_pool", lambda backend, size: Here())
    (tmp_path / file).parent.mkdir(exist_ok=True)
    (tmp_path / file).write_text("{}")
    out = tmp_path / Path(file).parts[0]
    assert "name another" in said(capsys, "dataset", "--agents", "random", "--games", "2", "--out", str(out))
    assert (tmp_path / file).read_text() == "{}"


@pytest.mark.parametrize("store", ["", ".", "/", "x.npz"])
def test_a_store_is_a_file_beside_that_of_the_policy(store: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert f"--store {store!r}: name a file for the games" in said(capsys, "evaluate", "run", "--store", store)


@pytest.mark.parametrize("content", ["step,loss\n1,2\n", "updates,loss\nmany,2\n", "loss,updates\n1\n"])
def test_a_file_that_is_no_log_is_named_and_kept(content: str, tmp_path: Path) -> None:
    assert train(SHORT, tmp_path, until=1000)
    (tmp_path / "log.csv").write_text(content)
    with pytest.raises(UserError, match=r"log\.csv is not the log of a run, or damaged"):
        train(SHORT, tmp_path)
    assert (tmp_path / "log.csv").read_text() == content


def test_a_start_that_cannot_be_used_is_refused_before_the_folder_is_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The moments of its optimizer are of other weights; the policy alone can be used in the same folder."""
    assert main(["train", "--out", str(tmp_path / "first"), *QUICK]) == 0
    command = ["train", "--out", str(tmp_path / "run"), *QUICK, "--set=changes=true"]
    text = said(capsys, *command, f"--set=start={tmp_path / 'first' / 'checkpoint.pt'}")
    assert "start from the policy alone, exported to .npz" in text
    assert not (tmp_path / "run").exists()
    assert main([*command, f"--set=start={tmp_path / 'first' / 'player.npz'}"]) == 0


# ---- settings


def test_a_setting_of_inputs_that_a_game_does_not_have_is_refused() -> None:
    with pytest.raises(UserError, match="berserk has nothing for a network to read as changes; leave it out"):
        parse(Ppo, {"game": "berserk", "changes": True}, "a.toml")
    assert parse(Ppo, {"game": "berserk", "ledger": True}, "a.toml").ledger


def test_opponents_of_an_option_are_of_the_game_of_the_recipe(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`hold` is no style of Blood Rage."""
    (tmp_path / "run.toml").write_text('game = "berserk"\n')
    opponents = '--set=opponents={"ismcts:style=hold,simulations=2"=1}'
    text = said(capsys, "train", str(tmp_path / "run.toml"), "--out", str(tmp_path / "run"), opponents, "--set=width=0")
    assert "width" in text
    opponents = opponents.replace("hold", "loki")
    text = said(capsys, "train", str(tmp_path / "run.toml"), "--out", str(tmp_path / "run"), opponents)
    assert "style=loki is not" in text


@pytest.mark.parametrize(
    ("kind", "yes", "no"),
    [("ppo", ["best.npz", "checkpoint.pt"], "bset.npz"), ("rounds", ["mean-9.pt"], "mean-10.pt"),
     ("league", ["player-10.npz", "player-0.pt", "exploiter-9-3.npz"], "exploiter-10-3.npz")],
)  # fmt: skip
def test_opponents_of_earlier_stages_are_policies_that_they_write(
    kind: str, yes: list[str], no: str, tmp_path: Path
) -> None:
    """In ten rounds, by default."""
    for file in [*yes, no]:
        text = f"[[stages]]\nname='a'\nkind='{kind}'\n[[stages]]\nname='b'\nopponents={{'{tmp_path}/a/{file}'=1}}"
        (tmp_path / "run.toml").write_text(text)
        with pytest.raises(UserError, match=f"can't read .*{no}") if file == no else nullcontext():
            recipe.check(recipe.read(tmp_path / "run.toml", game="bloodrage"), tmp_path)


def test_ray_is_missed_before_the_first_stage(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    (tmp_path / "run.toml").write_text("[[stages]]\nname='a'\n[[stages]]\nname='b'\nkind='rounds'")
    command = ["train", str(tmp_path / "run.toml"), "--backend", "ray", "--out", str(tmp_path / "run"), *QUICK]
    assert "--backend ray needs the package ray" in said(capsys, *command)
    assert not (tmp_path / "run").exists()


# ---- responses


def test_a_response_needs_an_opponent(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["exploit", "hold", "--game", "berserk_laar", "--players", "1", "--out", str(tmp_path / "run")]
    assert "a response needs games of 2 players or more" in said(capsys, *command)
    assert not (tmp_path / "run").exists()


def test_a_response_is_no_bound_of_a_network_that_does_not_sample(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = said(capsys, "exploit", "network:sample=none", "--out", str(tmp_path / "run"))
    assert "network:sample=none: actions are sampled while a response is trained; leave sample out" in text
    assert not (tmp_path / "run").exists()
    assert _named("network:sample=none", "bloodrage") == "network:sample=none"
    assert _named("network", "bloodrage") == _named("network:sample=all", "bloodrage") != "network"


def test_the_bound_of_a_learner_is_of_its_options(tmp_path: Path) -> None:
    """It has learned in games without further sets, those of five players with the set that they need."""
    for players in (2, 5):
        folder = tmp_path / str(players)
        command = ["exploit", "loki", "--players", str(players), "--decisions", "8", "--points", "1", "--games", "5"]
        small = [*QUICK[:2], "--set=games=8", "--set=steps=20", "--set=sure=1"]
        assert main([*command, "--out", str(folder), *small]) == 0
    assert bound_of(tmp_path / "2", Options(4), [])[1] == 2
    assert bound_of(tmp_path / "5", Options(5, sets=("p5",)), [])[1] == 5
    for name, options in (("2", Options(4, sets=("ks",))), ("2", Options(5, sets=("p5",))), ("5", Options(4))):
        with pytest.raises(UserError, match="is of games with other options"):
            bound_of(tmp_path / name, options, [])


# ---- teams


@pytest.mark.parametrize("more", [0.0, 0.3])
def test_partners_are_played_by_the_same(more: float) -> None:
    """Measurements give the policy both seats of a side; so does a rollout."""
    config = Ppo(game="berserk_team", games=64, self_play=0.0, more_seats=more, opponents={"hold": 1.0}, players=(4,))
    styles = Tables(config, seed=3).styles == NETWORK
    sides = styles.reshape(-1, 2, 2).all(1)
    assert sides.any(1).all()
    assert 0.3 < sides[:, 0].mean() < 0.9
    assert (styles.sum(1) == 2).all() == (more == 0.0)


@pytest.mark.parametrize(("game", "players"), [("bloodrage", 2), ("berserk_team", 4)])
def test_shares_are_logged_for_the_number_of_players_of_the_run(game: str, players: int) -> None:
    """Of the games in which the network has one side."""
    style = "hold" if game == "berserk_team" else "loki"
    config = dataclasses.replace(
        SMALL, game=game, players=(players,), self_play=0.0, more_seats=0.0, opponents={style: 1.0}, games=8
    )
    _, counts = play(Tables(config, 5), Policy(16, 1, game), 400)
    assert counts.games > 0
    assert len(counts.share[style]) == counts.games
    assert set(np.unique(counts.share[style])) <= {0.0, 0.5, 1.0}


def test_shares_of_a_run_of_two_players_are_in_its_log(tmp_path: Path) -> None:
    config = dataclasses.replace(SHORT, players=(2,), self_play=0.0, more_seats=0.0, opponents={"loki": 1.0})
    assert train(config, tmp_path)
    assert any(row["share_loki"] != "nan" for row in rows(tmp_path / "log.csv"))
