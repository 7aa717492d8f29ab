"""The runs of the reference learner: how they go on after a stop, which can't, and what settings they take."""

import dataclasses
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch
from run_content import rows, same
from small_ppo import SMALL, short_run

import ppo
import rounds
from bloodrage_agents.compiled.weights import HELD_OUT
from bloodrage_env.errors import UserError
from bloodrage_training.learn.policy import Policy, load_policy
from bloodrage_training.learn.runs import alone, read_settings, settings_text, with_policy, write
from ppo import Batch, Config, Tables, train

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture
def short(tmp_path: Path) -> Config:
    return short_run(tmp_path / "whole")


KILLED = """
import os, signal, sys
from pathlib import Path
import ppo
from bloodrage_training.learn.runs import read_settings

learn, write = ppo.learn, ppo.write
left = 5

def some(*given):
    global left
    left -= 1
    return learn(*given) if left >= 0 else os.kill(os.getpid(), signal.SIGKILL)

ppo.learn = some
ppo.write = lambda path, content: content["progress"]["updates"] <= 3 and write(path, content)
ppo.train(read_settings(Path(sys.argv[1]), ppo.Config))
"""


def test_a_killed_run_goes_on_as_if_it_had_not_been(short: Config, tmp_path: Path) -> None:
    """Killed in update 6, with a checkpoint of update 3: weights, moments, games and logs are those of a whole run."""
    assert train(short)
    killed = dataclasses.replace(short, run=str(tmp_path / "killed"))
    (tmp_path / "killed.toml").write_text(settings_toml(killed))
    code = [sys.executable, "-c", KILLED, str(tmp_path / "killed.toml")]
    assert subprocess.run(code, cwd=ROOT / "training", stderr=subprocess.DEVNULL).returncode == -signal.SIGKILL
    progress = load_policy(tmp_path / "killed" / "checkpoint.pt")[1]["progress"]
    assert progress["updates"] == 3
    assert progress["games"] > 3  # that have ended, so that others sit at their tables
    assert len(rows(tmp_path / "killed" / "log.csv")) == 5
    assert train(killed)
    (_, one), (_, other) = (load_policy(tmp_path / name / "checkpoint.pt") for name in ("whole", "killed"))
    assert one["progress"]["updates"] > 6
    for each in (one, other):
        each["progress"].pop("seconds")
        each["config"].pop("run")
    for name in one:
        assert same(one[name], other[name]), name
    for name in ("log.csv", "evaluation.csv"):
        times = ("seconds", "per_second", "playing", "environment")
        found = rows(tmp_path / "whole" / name, *times)
        assert len(found) >= 3
        assert found == rows(tmp_path / "killed" / name, *times)


def settings_toml(config: Config) -> str:
    """The settings that tests change, as a file."""
    values = dataclasses.asdict(config)
    values.pop("opponents")
    return settings_text(values)


def test_nobody_else_learns_in_the_folder_of_a_run(short: Config) -> None:
    with alone(Path(short.run)), pytest.raises(UserError, match="another process is learning"):
        train(short)
    assert train(short)


def test_ctrl_c_ends_a_run_with_a_checkpoint(short: Config, tmp_path: Path) -> None:
    (tmp_path / "run.toml").write_text(settings_toml(dataclasses.replace(short, decisions=10**9, save_minutes=1e6)))
    command = [sys.executable, "training/ppo.py", str(tmp_path / "run.toml")]
    process = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    line = process.stderr.readline()
    process.send_signal(signal.SIGINT)
    told = process.stderr.read()
    assert process.wait(60) == 130
    assert re.match(r"update 1, [\d,]+ decisions, [\d,]+ decisions/s, .+ left\n", line)
    assert f"bloodrage evaluate {short.run}" in told
    assert load_policy(Path(short.run) / "checkpoint.pt")[1]["progress"]["updates"] >= 1


@pytest.mark.parametrize("learning_rate_decay", [1.0, 0.5])
def test_the_learning_rate_decays_to_zero_by_the_end(
    short: Config, learning_rate_decay: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    short = dataclasses.replace(short, learning_rate_decay=learning_rate_decay)
    rates, real, interrupt = [], ppo.learn, [2]

    def noted(policy: Policy, optimizer: torch.optim.Optimizer, batch: Batch, config: Config) -> dict[str, float]:
        if len(rates) in interrupt:
            interrupt.clear()
            raise KeyboardInterrupt
        rates.append(optimizer.param_groups[0]["lr"])
        return real(policy, optimizer, batch, config)

    monkeypatch.setattr(ppo, "learn", noted)
    assert not train(short)
    assert train(short)
    done = [0, *(int(row["decisions"]) for row in rows(Path(short.run) / "log.csv"))]
    left = [1 - each / short.decisions for each in done[:-1]]
    assert rates == pytest.approx([short.learning_rate * min(1, part / learning_rate_decay) for part in left])
    assert min(left) < learning_rate_decay
    assert done[-1] >= short.decisions


def change(kept: dict[str, Any], where: str, value: Any) -> None:
    """Put a value in the place of another one."""
    *path, last = where.split(".")
    for name in path:
        kept = kept[int(name) if name.isdigit() else name]
    kept[last] = value(kept[last]) if callable(value) else value


@pytest.mark.parametrize(
    ("where", "value"),
    [
        ("rules", "0"),
        ("progress", {"updates": 3}),
        ("progress.updates", -1),
        ("progress.decisions", "many"),
        ("tables", {}),
        ("tables.styles", lambda styles: styles + 7),
        ("tables.styles", lambda styles: styles[:4]),
        ("tables.games.seeds", lambda seeds: -seeds),
        ("tables.games.seeds", lambda seeds: seeds + 1),
        ("tables.games.lengths", lambda lengths: lengths - 40),
        ("tables.games.lengths", lambda lengths: lengths + 1),
        ("tables.games.actions", lambda actions: actions + 1000),
        ("tables.games.actions", lambda actions: actions.flip(0)),
        ("tables.games.actions", "no tensor"),
        ("optimizer.0.exp_avg", lambda moment: moment[:5]),
        ("optimizer", lambda moments: {0: moments[0]}),
    ],
)
def test_a_damaged_run_is_named(short: Config, where: str, value: Any) -> None:
    run = ppo.Run(dataclasses.replace(short, steps=20))
    Path(short.run).mkdir()
    run.update()
    change(run.kept, where, value)
    run.save()
    with pytest.raises(UserError, match=r"no run can go on from .*checkpoint\.pt") as caught:
        train(short)
    assert "\n" not in str(caught.value)


def test_a_policy_alone_is_no_run_but_begins_one(short: Config, tmp_path: Path) -> None:
    path = Path(short.run) / "checkpoint.pt"
    write(path, with_policy(Policy(24, 3)))
    with pytest.raises(UserError, match="a policy alone"):
        train(short)
    begun = ppo.Run(dataclasses.replace(short, run=str(tmp_path / "other"), start=str(path)))
    assert (begun.policy.width, len(begun.policy.layers)) == (24, 3)


def test_a_damaged_checkpoint_is_named(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint.pt"
    path.write_bytes(b"no checkpoint")
    with pytest.raises(UserError, match=r"checkpoint\.pt is no checkpoint"):
        load_policy(path)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("learning_rat = 1.0", "learning_rat"),
        ("seed = -1", "seed is -1; give 0 to 1048575"),
        ("games = 0", "games is 0; give 1 or more"),
        ("self_play = 1.5", "self_play is 1.5; give 0 to 1"),
        ("learning_rate = inf", "learning_rate is inf"),
        ("clip = nan", "clip is nan"),
        ("bfloat16 = 1", "bfloat16 is 1"),
    ],
)
def test_a_wrong_setting_is_named(tmp_path: Path, text: str, complaint: str) -> None:
    path = tmp_path / "run.toml"
    path.write_text(text)
    with pytest.raises(UserError, match=complaint):
        read_settings(path, Config)


@pytest.mark.parametrize("opponents", [{}, {"odin": 1.0}, {"loki": 0.0}, {"loki": "much"}])
def test_opponents_that_cannot_be_are_named(opponents: dict[str, Any]) -> None:
    with pytest.raises(UserError, match="opponent"):
        Tables(dataclasses.replace(SMALL, opponents=opponents), seed=1)


@pytest.mark.parametrize("name", HELD_OUT)
def test_no_run_meets_a_style_that_is_held_out(name: str) -> None:
    with pytest.raises(UserError, match=f"^held out: {name} .*, rusher$"):
        Tables(dataclasses.replace(SMALL, opponents={"balanced": 1.0, name: 1.0}), seed=1)


@pytest.mark.parametrize("path", sorted((ROOT / "training" / "configs").glob("ppo*.toml")), ids=lambda path: path.name)
def test_the_configurations_can_be_read(path: Path) -> None:
    assert read_settings(path, Config).decisions > 0


def test_the_shipped_player_is_made_of_what_was_made_before() -> None:
    """`make player`: each command finds the files that it needs, and no configuration is left out."""
    recipe = subprocess.run(["make", "--just-print", "player"], cwd=ROOT, capture_output=True, text=True, check=True)
    paths = [path for kind in ("ppo*.toml", "rounds-*.toml") for path in (ROOT / "training" / "configs").glob(kind)]
    configs = {path.relative_to(ROOT).as_posix() for path in paths}
    made = {"runs/imitation.pt"}
    for command in re.findall(r"training/((?:ppo|rounds)\.py .*)|learn\.((?:average|mirror|merge) .*)", recipe.stdout):
        name, *files = "".join(command).replace(".py ", " ").split()
        if name in ("ppo", "rounds"):
            configs.remove(files[0])
            config: Config = read_settings(ROOT / files[0], Config if name == "ppo" else rounds.Config)
            assert config.start in made
            made.add(f"{config.run}/checkpoint.pt")
            if isinstance(config, rounds.Config):
                made |= {f"{config.run}/mean-{number}.pt" for number in range(config.rounds)}
        else:
            assert {file.rpartition(":")[2] for file in files[1:]} <= made
            made.add(files[0])
    assert not configs
