"""`bloodrage train`: stages of a recipe one after the other, settings as arguments, and a player at the end."""

import re
import signal
import subprocess
import sys
import tomllib
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any

import pytest
import torch
from pool_here import Here
from run_content import rows, same

from bloodrage_agents.network import Network
from bloodrage_env.cli import build_parser, main
from bloodrage_env.errors import UserError
from bloodrage_training.learn import ppo, recipe, rounds, search
from bloodrage_training.learn.export import read as read_policy
from bloodrage_training.learn.policy import load_policy
from bloodrage_training.learn.run import Run
from bloodrage_training.learn.runs import settings_text

ROOT = Path(__file__).resolve().parents[1]
SMALL = """
width = 16
layers = 1
games = 9
steps = 60
decisions = 1000
evaluate_every = 2
evaluation_games = 4
opponents = { balanced = 0.5, loki = 0.5 }
"""
TWO_STAGES = (
    SMALL
    + """
[[stages]]
name = "alone"
self_play = 1.0

[[stages]]
name = "rounds"
workers = 2
rounds = 1
learning_rate = 1e-4
"""
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "player.toml").write_text(TWO_STAGES)
    return tmp_path / "player.toml"


def test_settings_at_the_top_are_those_of_all_stages(path: Path) -> None:
    first, second = recipe.read(path)
    assert (first.name, first.workers, first.rounds, first.self_play) == ("alone", 1, 1, 1.0)
    assert (second.name, second.workers, second.rounds, second.learning_rate) == ("rounds", 2, 1, 1e-4)
    assert first.games == second.games == 9
    assert first.width == 16
    assert [stage.games for stage in recipe.read(path, ["games=20"])] == [20, 20]
    assert recipe.read(None, ["opponents={quest=1}", "start=a/b.npz"])[0].start == "a/b.npz"


def test_each_run_has_a_seed_of_its_own() -> None:
    stages = recipe.read(ROOT / "training" / "configs" / "player.toml", ["seed=7"])
    assert [stage.seed for stage in stages] == list(range(7, 7 + len(stages)))


def test_a_stage_is_over_once_the_next_has_begun(path: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    assert main(["train", str(path), "--out", str(folder), "--minutes", "0.000001"]) == 0
    first = weights(folder / "alone")
    (folder / "rounds" / "checkpoint.pt").unlink()
    assert main(["train", "--out", str(folder)]) == 0
    assert same(first, weights(folder / "alone"))
    assert len(rows(folder / "alone" / "log.csv")) == 1


def test_what_is_kept_is_what_was_read(path: Path, tmp_path: Path) -> None:
    (tmp_path / "kept.toml").write_text(recipe.text(recipe.read(path)))
    assert recipe.read(tmp_path / "kept.toml") == recipe.read(path)


def test_what_is_kept_names_only_what_has_an_effect(tmp_path: Path) -> None:
    (tmp_path / "recipe.toml").write_text(EVERY_KIND)
    stages = recipe.read(tmp_path / "recipe.toml")
    (tmp_path / "kept.toml").write_text(recipe.text(stages))
    assert recipe.read(tmp_path / "kept.toml") == stages
    kept = {each["name"]: each for each in tomllib.loads(recipe.text(stages))["stages"]}
    assert kept["merge"].keys() == {"name", "kind", "game", "merged"}
    ours = {field.name for field in fields(recipe.Stage)}
    ppo_alone, search_alone = {"teacher", "rounds", "steps", "gae_lambda", "clip", "entropy", "target_kl"}, {
        "simulations", "learned", "unsure", "window"
    }  # fmt: skip
    new, ppo_stage = {"start", "width", "layers"}, ours - search_alone - {"merged"}
    assert kept["styles"].keys() == ppo_stage
    assert kept["imitate"].keys() == ppo_stage - new - {"clip", "target_kl"}
    assert kept["rounds"].keys() == ppo_stage - new
    assert kept["search"].keys() == ours - ppo_alone - new - {"merged"}


def test_a_run_that_named_all_settings_goes_on(tmp_path: Path) -> None:
    """Its file has what a merge, a search or a later stage makes nothing of, at any value."""
    content = tomllib.loads(EVERY_KIND)
    (tmp_path / "recipe.toml").write_text(EVERY_KIND)
    stages = recipe.read(tmp_path / "recipe.toml")
    tables = content.pop("stages")
    every = [asdict(recipe.Stage()) | content | {"seed": stage.seed} for stage in stages]
    whole = [settings_text(each | table) for each, table in zip(every, tables, strict=True)]
    (tmp_path / "old.toml").write_text("\n".join(f"[[stages]]\n{each}" for each in whole))
    assert recipe.read(tmp_path / "old.toml") == stages


def test_each_stage_begins_with_the_policy_before(path: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    assert main(["train", str(path), "--out", str(folder)]) == 0
    stages = recipe.read(path)
    assert ppo.train(recipe._only(stages[0], ppo.Config), tmp_path / "alone")
    assert same(load_policy(folder / "alone" / "checkpoint.pt")[1]["policy"], weights(tmp_path / "alone"))
    start = str(tmp_path / "alone" / "checkpoint.pt")
    assert rounds.train(recipe._only(replace(stages[1], start=start), rounds.Config), tmp_path / "rounds")
    assert same(weights(folder), weights(tmp_path / "rounds"))
    stored = read_policy(folder / recipe.PLAYER).state_dict()
    for name, value in weights(folder).items():
        assert torch.equal(stored[name], value.half().float())
    assert Network.load(folder / recipe.PLAYER).width == 16


EVERY_KIND = (
    SMALL
    + """
minibatch = 256
[[stages]]
name = "styles"

[[stages]]
name = "imitate"
teacher = "shipped"

[[stages]]
name = "rounds"
workers = 2
rounds = 2

[[stages]]
name = "search"
kind = "search"
workers = 2
games = 2
decisions = 2000
simulations = 4

[[stages]]
name = "merge"
kind = "merge"
merged = ["styles", "rounds", "search"]
"""
)


def test_every_kind_of_stage_goes_on_after_ctrl_c(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounds, "make_pool", lambda backend, size: Here(size))
    monkeypatch.setattr(search, "make_pool", lambda backend, size: Here(size))
    (tmp_path / "player.toml").write_text(EVERY_KIND)
    command = ["train", str(tmp_path / "player.toml"), "--out"]
    assert main([*command, str(tmp_path / "whole")]) == 0
    real, seen = Run.end_update, set[str]()

    def end_update(self: Run, *given: Any) -> None:
        name = str(self.folder.relative_to(tmp_path / "stopped"))
        if name not in seen:
            seen.add(name)
            raise KeyboardInterrupt
        real(self, *given)

    monkeypatch.setattr(Run, "end_update", end_update)
    stops = 0
    while main([*command, str(tmp_path / "stopped")]) == 130:
        stops += 1
        assert stops < 10
    runs = {f"rounds/round-{number}-{worker}" for number in range(2) for worker in range(2)}
    assert seen == {"styles", "imitate", "search"} | runs
    assert stops >= 5
    assert same(weights(tmp_path / "whole"), weights(tmp_path / "stopped"))
    for stage in ("styles", "imitate", "search"):
        assert len(rows(tmp_path / "stopped" / stage / "log.csv")) >= 2
    assert not same(weights(tmp_path / "whole" / "search"), weights(tmp_path / "whole" / "rounds"))
    parts = [weights(tmp_path / "whole" / name) for name in ("styles", "rounds", "search")]
    for name, value in weights(tmp_path / "whole").items():
        assert torch.allclose(value, sum(part[name] for part in parts) / 3, atol=1e-6), name  # type: ignore[arg-type]


def weights(folder: Path) -> dict[str, torch.Tensor]:
    return load_policy(folder / "checkpoint.pt")[0].state_dict()


def test_a_run_is_kept_whole_and_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "small.toml").write_text(SMALL)
    folder = tmp_path / "run"
    command = ["train", "--out", str(folder)]
    assert main([*command, str(tmp_path / "small.toml"), "--minutes", "0.000001"]) == 0
    assert len(rows(folder / "log.csv")) == 1
    names = {each.name for each in folder.iterdir()}
    assert names == {
        "config.toml", "versions.json", "checkpoint.pt", "log.csv", "lock", "tensorboard", "player.npz"
    }  # fmt: skip
    told = capsys.readouterr().err
    assert re.search(r"^update 1, [\d,]+ decisions, [\d,]+ decisions/s, .+ left$", told, re.M)
    assert f"bloodrage evaluate {folder}" in told
    assert main(command) == 0
    assert int(rows(folder / "log.csv")[-1]["decisions"]) >= 1000
    assert main([*command, "--set", "games=8"]) == 1
    assert "another configuration" in capsys.readouterr().err


def test_ctrl_c_ends_a_run_with_a_checkpoint(tmp_path: Path) -> None:
    (tmp_path / "long.toml").write_text(SMALL.replace("1000", "1000000000"))
    code = "import sys; from bloodrage_env.cli import main; sys.exit(main(sys.argv[1:]))"
    folder = tmp_path / "run"
    command = [sys.executable, "-c", code, "train", str(tmp_path / "long.toml"), "--out", str(folder)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    while not process.stderr.readline().startswith("update 1,"):
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    told = process.stderr.read()
    assert process.wait(60) == 130
    assert "stopped; to go on: bloodrage train --out" in told
    assert "Traceback" not in told
    assert load_policy(folder / "checkpoint.pt")[1]["progress"]["updates"] >= 1


THREE = "[[stages]]\nname = 'a'\n[[stages]]\nname = 'b'\n[[stages]]\nname = 'c'\nkind = 'merge'\nmerged = ['a', 'b']\n"


@pytest.mark.parametrize(
    ("text", "changes", "complaint"),
    [
        ("gamess = 3", [], "no setting is called 'gamess'"),
        ("stages = 3", [], "stages should be tables"),
        ("[[stages]]\nname = '../x'", [], "give each a name of letters and digits"),
        ("[[stages]]\nname = 'a'\n[[stages]]\nname = 'a'", [], "the stages are called a, a"),
        ("[[stages]]\nworkers = 0", [], "workers is 0; give 1 or more"),
        ("kind = 'guess'", [], "kind is 'guess'; give one of ppo, search, merge"),
        ("kind = 'merge'", [], "run merges []; give two or more of []"),
        ("[[stages]]\nname = 'a'\n[[stages]]\nkind = 'merge'\nmerged = ['a', 'a']", [], "run merges ['a', 'a']; give"),
        (
            "[[stages]]\nname = 'a'\n[[stages]]\nname = 'b'\nkind = 'merge'\nmerged = ['a', 'c']\n"
            "[[stages]]\nname = 'c'",
            [],
            "b merges ['a', 'c']; give two or more of ['a']",
        ),
        ("merged = ['a', 'b']", [], "toml: merged has no effect in run: it is for a stage of the kind merge; leave it"),
        ("kind = 'search'\nrounds = 2", [], "rounds has no effect in run: it is for a stage of the kind ppo;"),
        ("kind = 'search'\nteacher = 'x.npz'", [], "teacher has no effect in run: it is for a stage of the kind ppo;"),
        ("kind = 'search'", ["clip=0.2"], "--set: clip has no effect in run: it is for a stage of the kind ppo;"),
        ("", ["window=9"], "--set: window has no effect in run: it is for a stage of the kind search;"),
        ("teacher = 'x.npz'\nclip = 0.1", [], "clip has no effect in run: it is for a stage without a teacher;"),
        (
            f"{THREE}learning_rate = 1e-3",
            [],
            "learning_rate has no effect in c: it is for a stage of the kind ppo or se",
        ),
        (f"{THREE}seed = 3", [], "seed has no effect in c: it is for a stage of the kind ppo or search;"),
        (f"unsure = 0.3\n{THREE}", [], "unsure has no effect in a, b, c: it is for a stage of the kind search;"),
        (
            "[[stages]]\nname = 'a'\n[[stages]]\nstart = 'x.pt'",
            [],
            "start has no effect in run: it is for the first st",
        ),
        ("[[stages]]\nname = 'a'\n[[stages]]\nwidth = 9", [], "width has no effect in run: it is for the first stage;"),
        ("learned = 1.5", [], "learned is 1.5; give 0 to 1"),
        ("set_chance = 7", [], "set_chance is 7; give 0 to 1"),
        ("game = ['x']", [], "game is ['x']; give one of"),
        ("kind = 'merge'\nmerged = [['a'], ['b']]", [], "merged is [['a'], ['b']]; give a list of names"),
        ("seed = 1048575\nworkers = 2", [], "run has runs of seeds beyond 1048575"),
        ("", ["games"], "--set games: give KEY=VALUE"),
        ("", ["games=many"], "games is 'many'"),
        ("", ["minutes=-1"], "minutes is -1"),
    ],
)
def test_what_is_wrong_with_a_recipe_is_named(tmp_path: Path, text: str, changes: list[str], complaint: str) -> None:
    (tmp_path / "recipe.toml").write_text(text)
    with pytest.raises(UserError, match=re.escape(complaint)) as caught:
        recipe.read(tmp_path / "recipe.toml", changes)
    assert "\n" not in str(caught.value)


def test_workers_elsewhere_are_refused_where_there_are_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, out = tmp_path / "one.toml", tmp_path / "run"
    one.write_text(SMALL)
    assert main(["train", str(one), "--backend", "ray", "--out", str(out)]) == 1
    assert "--backend ray has no effect: nothing of this run has workers; leave it out" in capsys.readouterr().err
    assert not out.exists()
    for text in ('kind = "search"', "workers = 2", "rounds = 2"):
        one.write_text(text)
        assert recipe.has_workers(recipe.read(one))


def test_what_has_an_effect_in_one_stage_may_be_given_for_all(tmp_path: Path) -> None:
    (tmp_path / "recipe.toml").write_text(f"teacher = 'x.npz'\nwidth = 16\n{THREE}")
    stages = recipe.read(tmp_path / "recipe.toml", ["learning_rate=1e-3"])
    assert [stage.teacher for stage in stages] == ["x.npz", "x.npz", ""]
    assert [stage.learning_rate for stage in stages[:2]] == [1e-3, 1e-3]


def test_a_new_run_needs_no_configuration() -> None:
    given = build_parser("train").parse_args(["train"])
    assert (given.out, given.changes) == ("runs/train", [])
    assert recipe.read(None) == [recipe.Stage()]


def test_the_recipe_of_the_shipped_player_can_be_read() -> None:
    stages = recipe.read(ROOT / "training" / "configs" / "player.toml")
    learned = ["imitate", "improve", "others", "refine", "last", "refine2", "last2", "refine3", "last3", "sets"]
    assert [stage.name for stage in stages if stage.kind == "ppo"] == learned
    assert [stage.name for stage in stages if stage.kind == "merge"] == ["merge", "merge2", "merge3"]
    assert stages[-1].merged == ("merge2", "sets")
    assert [Path(stage.teacher).name for stage in stages] == ["previous.npz", *[""] * (len(stages) - 1)]
    named = {stage.teacher for stage in stages} | {name for stage in stages for name in stage.opponents}
    assert all((ROOT / name).is_file() for name in named if name.endswith(".npz"))


def test_the_configuration_of_a_search_can_be_read() -> None:
    (stage,) = recipe.read(ROOT / "training" / "configs" / "search.toml")
    assert stage.kind == "search"
