"""How runs end and go on: their last policy, more minutes, and the folders and files that are refused."""

import dataclasses
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import torch
from run_content import rows, same
from small_ppo import SHORT

from bloodrage_env.cli import main
from bloodrage_env.errors import UserError
from bloodrage_training.learn import recipe, run
from bloodrage_training.learn.config import Ppo, parse, read_toml, to_toml
from bloodrage_training.learn.export import export
from bloodrage_training.learn.policy import Policy, load_policy
from bloodrage_training.learn.ppo import train
from bloodrage_training.learn.runs import CHECKPOINT

AVERAGED = dataclasses.replace(SHORT, average=0.5, decisions=10**9, evaluate_every=2)
SMALL = ["--set=width=16", "--set=layers=1", "--set=games=9", "--set=steps=60", "--set=decisions=1000"]


def kept(folder: Path) -> Mapping[str, Any]:
    """The content of a checkpoint."""
    return load_policy(folder / CHECKPOINT, "bloodrage")[1]


def at_its_mean(folder: Path) -> bool:
    """Whether a run has the mean of several policies."""
    found = kept(folder)
    return bool(found["averaged"] > 1 and same(found["policy"], found["mean"]))


@pytest.fixture
def seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each update takes a second of the run, an evaluation ten."""
    real, evaluate = run.Run.end_update, run.Run._evaluate

    def end_update(self: run.Run, decisions: int, games: int, seconds: float, figures: Mapping[str, Any]) -> None:
        real(self, decisions, games, 1.0, figures)

    def ten(self: run.Run) -> None:
        evaluate(self)
        self.progress["seconds"] = round(self.progress["seconds"]) + 10.0

    monkeypatch.setattr(run.Run, "end_update", end_update)
    monkeypatch.setattr(run.Run, "_evaluate", ten)


def minutes(number: float) -> Ppo:
    """A run of so many seconds."""
    return dataclasses.replace(AVERAGED, minutes=number / 60)


def make_updates(config: Ppo, folder: Path, number: int) -> None:
    """Stop a run after so many updates."""
    decisions = 0
    for _ in range(number):
        assert train(config, folder, until=decisions + 1)
        decisions = int(kept(folder)["progress"]["decisions"])


@pytest.mark.usefixtures("seconds")
def test_a_run_whose_time_ends_in_an_evaluation_ends_with_the_mean(tmp_path: Path) -> None:
    """The second evaluation, after 14 seconds, ends at 24; the averaged part begins at 10."""
    assert train(minutes(20), tmp_path)
    assert kept(tmp_path)["progress"]["updates"] == 4
    assert at_its_mean(tmp_path)
    assert [row["updates"] for row in rows(tmp_path / "evaluation.csv")] == ["2", "4", "4"]
    before = kept(tmp_path)
    assert train(minutes(20), tmp_path)  # changes nothing
    assert same(kept(tmp_path), before)


@pytest.mark.usefixtures("seconds")
def test_a_run_that_gets_fewer_minutes_than_it_had_ends_with_the_mean(tmp_path: Path) -> None:
    whole = dataclasses.replace(minutes(20), evaluate_every=10**6)
    make_updates(whole, tmp_path, 15)
    assert not at_its_mean(tmp_path)
    assert train(dataclasses.replace(whole, minutes=14 / 60), tmp_path)
    assert at_its_mean(tmp_path)


@pytest.mark.usefixtures("seconds")
def test_a_longer_run_has_the_mean_of_its_own_last_part(tmp_path: Path) -> None:
    """Of 10 seconds the last 5 are averaged, of 40 the last 20."""
    short = dataclasses.replace(minutes(10), evaluate_every=10**6)
    assert train(short, tmp_path)
    assert kept(tmp_path)["averaged"] == 5
    assert train(dataclasses.replace(short, minutes=40 / 60), tmp_path)
    assert kept(tmp_path)["averaged"] == 20


def test_a_run_that_was_killed_before_its_first_checkpoint_has_each_row_once(tmp_path: Path) -> None:
    assert train(SHORT, tmp_path, until=1000)
    (tmp_path / CHECKPOINT).unlink()
    assert train(SHORT, tmp_path)
    for name in run.LOGS:
        updates = [int(row["updates"]) for row in rows(tmp_path / name)]
        assert updates == sorted({*updates})


def said(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> str:
    """What `bloodrage train` or `exploit` prints."""
    assert main([*arguments]) == status
    return capsys.readouterr().err


def test_more_minutes_are_offered_where_they_lengthen_a_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Not to a run that has made its decisions."""
    command = ["train", "--out", str(tmp_path / "run")]
    text = said(capsys, *command, *SMALL, "--minutes", "0.000001")
    assert f"done; to train longer: bloodrage train --out {tmp_path / 'run'} --minutes 2e-06\n" in text
    assert "\ndone\n" in said(capsys, *command, "--minutes", "100")


def test_names_of_files_are_kept_as_they_are(tmp_path: Path) -> None:
    """Beyond 16 bits too, which JSON writes as two escapes; TOML has no such escape."""
    given = dataclasses.replace(SHORT, start="\U0001f43a/\x7f.npz", opponents={'\U0001f43a "x".npz': 1.0, "loki": 1})
    (tmp_path / "kept.toml").write_text(to_toml(vars(given)), encoding="utf-8")
    assert parse(Ppo, read_toml(tmp_path / "kept.toml"), "kept") == given


def test_a_run_goes_on_with_its_own_order_of_opponents(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Policies of files are numbered by it."""
    for number, name in enumerate("ab"):
        policy = Policy(8, 1, "bloodrage")
        with torch.no_grad():
            for weights in policy.parameters():
                weights += torch.randn_like(weights) * number
        export(policy, tmp_path / f"{name}.npz")
    given = [f'"{tmp_path / name}.npz" = 1' for name in "ab"]
    (tmp_path / "run.toml").write_text(f"opponents = {{ {given[0]}, {given[1]} }}\n")
    command = ["train", str(tmp_path / "run.toml"), "--out"]
    for folder in ("whole", "stopped"):
        said(capsys, *command, str(tmp_path / folder), *SMALL, *["--minutes=0.000001"][: folder == "stopped"])
    (tmp_path / "run.toml").write_text(f"opponents = {{ {given[1]}, {given[0]} }}\n")
    said(capsys, *command, str(tmp_path / "stopped"), *SMALL)
    assert same(kept(tmp_path / "whole")["policy"], kept(tmp_path / "stopped")["policy"])


STAGES = "width = 8\nlayers = 1\n[[stages]]\nname = 'a'\n[[stages]]\nname = 'b'\nopponents = {{ '{}' = {} }}\n"


@pytest.mark.parametrize(
    ("file", "weight", "complaint"),
    [("a/checkpoint.pt", "1", ""), ("aa/checkpoint.pt", "1", "can't read"), ("b/checkpoint.pt", "1", "can't read"),
     ("a/checkpoint.pt", "nan", "give each a weight above 0"), ("a/checkpoint.pt", "-1", "give each a weight above 0"),
     ("a/checkpoint.pt", "2026-11-30", "give each a weight above 0")],
)  # fmt: skip
def test_opponents_that_the_run_will_write_are_checked(tmp_path: Path, file: str, weight: str, complaint: str) -> None:
    (tmp_path / "run.toml").write_text(STAGES.format(tmp_path / "run" / file, weight))
    stages = recipe.read(tmp_path / "run.toml", game="bloodrage")
    if complaint:
        with pytest.raises(UserError, match=complaint):
            recipe.check(stages, tmp_path / "run")
    else:
        recipe.check(stages, tmp_path / "run")


def test_a_run_goes_on_without_the_file_that_it_began_with(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its own settings say what the network reads."""
    export(Policy(8, 1, "bloodrage", True, True), tmp_path / "start.npz")
    with torch.no_grad():
        policy = Policy(8, 1, "bloodrage", True, True)
        policy.first_weight.add_(1e-3)
        export(policy, tmp_path / "start.npz")
    (tmp_path / "run.toml").write_text(f"start = '{tmp_path / 'start.npz'}'\n")
    command = ["train", str(tmp_path / "run.toml"), "--out", str(tmp_path / "run"), *SMALL]
    said(capsys, *command, "--minutes", "0.000001")
    (tmp_path / "start.npz").unlink()
    said(capsys, *command)
    assert kept(tmp_path / "run")["progress"]["decisions"] >= 1000


def test_a_folder_of_another_command_or_game_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    trained, response = str(tmp_path / "trained"), str(tmp_path / "response")
    said(capsys, "train", "--out", trained, *SMALL, "--minutes", "0.000001")
    exploit = ["exploit", "loki", "--decisions", "300", "--points", "1", "--games", "8", *SMALL[:4], "--out"]
    assert f"{trained} holds a run of bloodrage train; give another --out" in said(capsys, *exploit, trained, status=1)
    said(capsys, *exploit, response)
    text = said(capsys, "train", "--out", response, status=1)
    assert f"{response} holds a response of bloodrage exploit; give another --out" in text
    text = said(capsys, "train", "--out", trained, "--game", "berserk", status=1)
    assert re.search(r"--game berserk: .*config\.toml is for bloodrage; leave it out", text)


def test_a_response_reads_what_the_policy_that_it_begins_with_reads(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["exploit", "network", "--decisions", "300", "--out", str(tmp_path / "run"), "--set", "changes=false"]
    assert "--set changes=false: " in said(capsys, *command, status=1)
    assert not (tmp_path / "run").exists()
