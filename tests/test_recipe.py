"""`bloodrage train`: stages of a recipe one after the other, settings as arguments, and a player at the end."""

import re
import signal
import subprocess
import sys
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from pool_here import Here
from run_content import rows, same

from bloodrage_agents.network import SHIPPED, Network, file_of
from bloodrage_env.cli import build_parser, main
from bloodrage_env.errors import UserError
from bloodrage_training.learn import ppo, recipe, rounds, search
from bloodrage_training.learn.config import Imitation, Learning, Merge, Ppo, Rounds
from bloodrage_training.learn.export import read as read_policy
from bloodrage_training.learn.policy import load_policy
from bloodrage_training.learn.run import Run

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
kind = "rounds"
workers = 2
rounds = 1
learning_rate = 1e-4
"""
)


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers in this process."""
    monkeypatch.setattr(rounds, "make_pool", lambda backend, size: Here(size))
    monkeypatch.setattr(search, "make_pool", lambda backend, size: Here(size))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "player.toml").write_text(TWO_STAGES)
    return tmp_path / "player.toml"


def test_settings_at_the_top_are_those_of_all_stages(path: Path) -> None:
    first, second = recipe.read(path, game="bloodrage").values()
    assert isinstance(first, Ppo)
    assert isinstance(second, Rounds)
    assert list(recipe.read(path, game="bloodrage")) == ["alone", "rounds"]
    assert first.self_play == 1.0
    assert (second.workers, second.rounds, second.learning_rate) == (2, 1, 1e-4)
    assert (first.games, first.width, second.games, second.width) == (9, 16, 9, 16)
    assert [stage.games for stage in recipe.read(path, ["games=20"], game="bloodrage").values()] == [20, 20]
    assert recipe.read(None, ["opponents={quest=1}", "start=a/b.npz"], game="bloodrage")["run"].start == "a/b.npz"


def test_each_run_has_a_seed_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "recipe.toml").write_text(EVERY_KIND)
    stages = recipe.read(tmp_path / "recipe.toml", ["seed=7"], game="bloodrage")
    assert [stage.seed for stage in stages.values() if isinstance(stage, Learning)] == [7, 8, 9, 11]
    given = EVERY_KIND.replace('name = "rounds"', 'name = "rounds"\nseed = 20')
    (tmp_path / "recipe.toml").write_text(given)
    stages = recipe.read(tmp_path / "recipe.toml", game="bloodrage")
    assert [stage.seed for stage in stages.values() if isinstance(stage, Learning)] == [1, 2, 20, 22]


def test_a_stage_is_over_once_the_next_has_begun(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "run"
    assert main(["train", str(path), "--out", str(folder), "--minutes", "0.000001"]) == 0
    assert "\ndone\n" in capsys.readouterr().err  # all rounds were made, so more minutes would change nothing
    first = weights(folder / "alone")
    (folder / "rounds" / "checkpoint.pt").unlink()
    assert main(["train", "--out", str(folder)]) == 0
    assert same(first, weights(folder / "alone"))
    assert len(rows(folder / "alone" / "log.csv")) == 1


def test_what_is_kept_is_what_was_read_and_names_all_settings(tmp_path: Path) -> None:
    (tmp_path / "recipe.toml").write_text(EVERY_KIND)
    stages = recipe.read(tmp_path / "recipe.toml", game="bloodrage")
    (tmp_path / "kept.toml").write_text(recipe.text(stages))
    assert recipe.read(tmp_path / "kept.toml", game="bloodrage") == stages
    kept = tomllib.loads(recipe.text(stages))
    assert kept.keys() == {*recipe.OF_ALL, "stages"}
    for table, (name, stage) in zip(kept["stages"], stages.items(), strict=True):
        assert (table["name"], table["kind"]) == (name, stage.kind)
        assert table.keys() == {"name", "kind", *vars(stage)} - {*recipe.OF_ALL}


def test_each_stage_begins_with_the_policy_before(path: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    assert main(["train", str(path), "--out", str(folder)]) == 0
    first, second = recipe.read(path, game="bloodrage").values()
    assert isinstance(first, Ppo)
    assert isinstance(second, Rounds)
    assert ppo.train(first, tmp_path / "alone")
    assert same(
        load_policy(folder / "alone" / "checkpoint.pt", game="bloodrage")[1]["policy"], weights(tmp_path / "alone")
    )
    start = str(tmp_path / "alone" / "checkpoint.pt")
    assert rounds.train(replace(second, start=start), tmp_path / "rounds")
    assert same(weights(folder), weights(tmp_path / "rounds"))
    stored = read_policy(folder / recipe.PLAYER, game="bloodrage").state_dict()
    for name, value in weights(folder).items():
        assert torch.equal(stored[name], value.half().float())
    assert Network.load(folder / recipe.PLAYER).width == 16


EVERY_KIND = (
    SMALL.replace("evaluate_every = 2", "evaluate_every = 100")
    + """
minibatch = 256
[[stages]]
name = "styles"

[[stages]]
name = "imitate"
kind = "imitate"

[[stages]]
name = "rounds"
kind = "rounds"
rounds = 1

[[stages]]
name = "search"
kind = "search"
workers = 2
games = 2
tasks = 2
decisions = 2000
simulations = 4

[[stages]]
name = "merge"
kind = "merge"
merged = ["styles", "rounds", "search"]
"""
)


@pytest.mark.slow
def test_every_kind_of_stage_goes_on_after_ctrl_c(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
    runs = {f"rounds/round-0-{worker}" for worker in range(2)}
    assert seen == {"styles", "imitate", "search"} | runs
    assert stops >= 4
    assert same(weights(tmp_path / "whole"), weights(tmp_path / "stopped"))
    for stage in ("styles", "imitate", "search"):
        assert len(rows(tmp_path / "stopped" / stage / "log.csv")) >= 2
    assert not same(weights(tmp_path / "whole" / "search"), weights(tmp_path / "whole" / "rounds"))
    parts = [weights(tmp_path / "whole" / name) for name in ("styles", "rounds", "search")]
    for name, value in weights(tmp_path / "whole").items():
        assert torch.allclose(value, sum(part[name] for part in parts) / 3, atol=1e-6), name  # type: ignore[arg-type]


def weights(folder: Path) -> dict[str, torch.Tensor]:
    return load_policy(folder / "checkpoint.pt", game="bloodrage")[0].state_dict()


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
    output = capsys.readouterr().err
    assert re.search(r"^update 1, [\d,]+ decisions, [\d,]+ decisions/s, .+ left$", output, re.M)
    assert f"bloodrage evaluate {folder}" in output
    assert main(command) == 0
    assert int(rows(folder / "log.csv")[-1]["decisions"]) >= 1000
    assert main([*command, "--set", "games=8"]) == 1
    assert "another configuration" in capsys.readouterr().err


@pytest.mark.slow
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
    output = process.stderr.read()
    assert process.wait(60) == 130
    assert "stopped; to go on: bloodrage train --out" in output
    assert "Traceback" not in output
    assert load_policy(folder / "checkpoint.pt", game="bloodrage")[1]["progress"]["updates"] >= 1


THREE = "[[stages]]\nname = 'a'\n[[stages]]\nname = 'b'\n[[stages]]\nname = 'c'\nkind = 'merge'\nmerged = ['a', 'b']\n"


@pytest.mark.parametrize(
    ("text", "changes", "complaint"),
    [
        ("gamess = 3", [], "toml: there is no setting 'gamess' here; the nearest is 'games'"),
        ("", ["gamess=3"], "--set: there is no setting 'gamess' here; the nearest is 'games'"),
        (
            "[[stages]]\nlearning_rat = 1.0",
            [],
            "toml: stage run (ppo): there is no setting 'learning_rat' here; the ne",
        ),
        ("stages = 3", [], "stages should be tables"),
        ("[[stages]]\nname = '../x'", [], "give each one of its own, of letters and digits"),
        ("[[stages]]\nname = 'a'\n[[stages]]\nname = 'a'", [], "a stage has the name 'a'; give each one of its own"),
        ("workers = 2", [], "toml: there is no setting 'workers' here; the nearest is "),
        ("kind = 'rounds'\n[[stages]]\nworkers = 0", [], "stage run (rounds): workers is 0; give 1 or more"),
        ("kind = 'guess'", [], "stage run: kind is 'guess'; give one of ppo, imitate, rounds, league, search, merge"),
        ("kind = 'merge'", [], "stage run (merge): merged is []; give two or more of []"),
        (f"{THREE}\n[[stages]]\nname = 'd'\nkind = 'merge'\nmerged = ['a', 'a']", [], "merged is ['a', 'a']; give two"),
        (
            "[[stages]]\nname = 'a'\n[[stages]]\nname = 'b'\nkind = 'merge'\nmerged = ['a', 'c']\n"
            "[[stages]]\nname = 'c'",
            [],
            "stage b (merge): merged is ['a', 'c']; give two or more of ['a']",
        ),
        (
            f"{THREE}learning_rate = 1e-3",
            [],
            "stage c (merge): there is no setting 'learning_rate' here; the nearest is",
        ),
        (f"unsure = 0.3\n{THREE}", [], "toml: there is no setting 'unsure' here; the nearest is "),
        ("kind = 'search'", ["clip=0.2"], "--set: there is no setting 'clip' here; the nearest is "),
        (
            "kind = 'imitate'\n[[stages]]\ntarget_kl = 1",
            [],
            "stage run (imitate): there is no setting 'target_kl' here;",
        ),
        (
            "[[stages]]\nstart = 'x.pt'",
            [],
            "start is a setting of the whole recipe; give it above the first [[stages]]",
        ),
        ("kind = 'search'\nlearned = 1.5", [], "learned is 1.5; give 0 to 1"),
        ("set_chance = 7", [], "set_chance is 7.0; give 0 to 1"),
        ("seed = -1", [], "seed is -1; give 0 to 1048575"),
        ("learning_rate = inf", [], "learning_rate is inf; give 0 or more"),
        ("clip = nan", [], "clip is nan; give 0 or more"),
        ("epochs = true", [], "epochs is True; give a whole number"),
        ("bfloat16 = 1", [], "bfloat16 is 1; give true or false"),
        ("players = [4, true]", [], "players is [4, True]; give a list of whole numbers"),
        ("players = []", [], "players is []: give one number or more"),
        ("sets = 'p5'", [], "sets is 'p5'; give a list of texts"),
        ("opponents = 'loki'", [], "opponents is 'loki'; give a table"),
        ("game = ['x']", [], "game is ['x']; give one of"),
        ("seed = 1048575\nkind = 'rounds'", [], "its runs have seeds beyond 1048575"),
        ("", ["games"], "--set games: give KEY=VALUE"),
        ("", ["games=many"], "games is 'many'; give a whole number"),
        ("", ["minutes=-1"], "minutes is -1.0; give 0 or more"),
    ],
)
def test_what_is_wrong_with_a_recipe_is_named(tmp_path: Path, text: str, changes: list[str], complaint: str) -> None:
    (tmp_path / "recipe.toml").write_text(text)
    with pytest.raises(UserError, match=re.escape(complaint)) as caught:
        recipe.read(tmp_path / "recipe.toml", changes, game="bloodrage")
    assert "\n" not in str(caught.value)


def test_workers_elsewhere_are_refused_where_there_are_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, out = tmp_path / "one.toml", tmp_path / "run"
    one.write_text(SMALL)
    assert main(["train", str(one), "--backend", "ray", "--out", str(out)]) == 1
    assert "--backend ray has no effect: nothing of this run has workers; leave it out" in capsys.readouterr().err
    assert not out.exists()
    for kind in ("search", "rounds", "league"):
        one.write_text(f"kind = '{kind}'")
        assert recipe.has_workers(recipe.read(one, game="bloodrage"))


def test_a_new_run_needs_no_configuration() -> None:
    given = build_parser("train").parse_args(["train"])
    assert (given.out, given.changes) == ("runs/train", [])
    assert recipe.read(None, game="bloodrage") == {"run": Ppo()}


def test_the_recipes_of_the_shipped_player_can_be_read() -> None:
    stages = recipe.read(ROOT / "training" / "configs" / "player.toml", game="bloodrage")
    learned = ["improve", "others", "refine", "last", "refine2", "last2", "refine3", "last3", "sets"]
    assert [name for name, stage in stages.items() if isinstance(stage, Ppo)] == learned
    assert [name for name, stage in stages.items() if isinstance(stage, Merge)] == ["merge", "merge2", "merge3"]
    named = {name for stage in stages.values() if isinstance(stage, Learning) for name in stage.opponents}
    assert isinstance(stages["imitate"], Imitation)
    assert all((ROOT / name).is_file() for name in {stages["imitate"].teacher, *named} if name.endswith(".npz"))


def test_a_network_goes_on_to_read_what_its_start_reads() -> None:
    v7 = ROOT / "training" / "checkpoints" / "v7.npz"
    files = {str(file_of(SHIPPED, "bloodrage")): (True, True), str(v7): (False, False)}
    for start, wanted in files.items():
        stage = recipe.continued(recipe.read(None, [f"start={start}"], game="bloodrage"))["run"]
        assert isinstance(stage, Learning)
        assert (stage.ledger, stage.changes) == wanted
    given = recipe.read(None, [f"start={v7}", "ledger=true"], game="bloodrage")
    assert recipe.continued(given) == given


@pytest.mark.parametrize("path", sorted((ROOT / "training" / "configs").iterdir()), ids=lambda path: path.stem)
def test_every_configuration_of_the_project_can_be_read(path: Path) -> None:
    assert recipe.read(path, game="bloodrage")


def test_an_unknown_opponent_is_found_in_the_folder_of_the_run_too(tmp_path: Path, monkeypatch: Any) -> None:
    """Names of styles are not files of that folder."""
    monkeypatch.chdir(tmp_path)
    stages = recipe.read(None, ["opponents={ banlanced = 1.0 }"], game="bloodrage")
    with pytest.raises(UserError, match="there is no opponent 'banlanced'"):
        recipe.check(stages, Path())
