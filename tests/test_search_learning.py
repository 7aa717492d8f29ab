"""Expert iteration: what a search makes of decisions, positions of whole games, and runs that learn from them."""

import dataclasses
import io
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import torch
from pool_here import Here
from run_content import rounded, rows, same

from bloodrage_env.cli import main
from bloodrage_env.errors import UserError
from bloodrage_env.files import read_sealed
from bloodrage_training.learn import search
from bloodrage_training.learn.config import Search
from bloodrage_training.learn.export import packed
from bloodrage_training.learn.policy import Policy, SparseRows, load_policy
from bloodrage_training.learn.positions import CompactRows, Played, Positions
from bloodrage_training.learn.roots import improved
from bloodrage_training.learn.runs import write
from bloodrage_training.learn.search import learn, play, train

WEIGHT = 200.0  # of values in the improved policy
SMALL = Search(
    width=16, layers=1, games=6, players=(4, 3, 2), simulations=8, learned=0.3, unsearched=1.0, self_play=0.4,
    minibatch=64,
)  # fmt: skip
SHORT = dataclasses.replace(SMALL, decisions=2_600, games=2, tasks=3, workers=2, evaluate_every=2, evaluation_games=4)


def policy(seed: int = 1, game: str = "bloodrage") -> Policy:
    torch.manual_seed(seed)
    return Policy(16, 1, game)


def played(config: Search, seed: int = 5, game: str = "bloodrage") -> Played:
    *_, found = play(config, packed(policy(game=game)), seed)
    assert isinstance(found, Played)
    return found


def every(rows: CompactRows) -> SparseRows:
    return rows.take(np.arange(len(rows.offsets) - 1))


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers in this process."""
    monkeypatch.setattr(search, "make_pool", lambda backend, size: Here(size))


# ---- the improved policy


def test_where_all_values_are_equal_the_policy_stays() -> None:
    logs = np.log([0.5, 0.3, 0.2])
    assert np.allclose(improved(logs, np.array([3.0, 1.0, 0.0]), np.array([0.4, 0.4, 0.0]), 0.4, WEIGHT), logs)


def test_values_count_and_what_was_not_tried_has_the_mixed_one() -> None:
    chances, visits, values = np.array([0.5, 0.3, 0.2]), np.array([6.0, 2.0, 0.0]), np.array([0.2, 0.21, 0.0])
    found = improved(np.log(chances), visits, values, 0.19, WEIGHT)
    mean = (0.5 * 0.2 + 0.3 * 0.21) / 0.8
    expected = chances * np.exp(WEIGHT * np.array([0.2, 0.21, (0.19 + 8 * mean) / 9]))
    assert np.allclose(found, np.log(expected / expected.sum()))


def test_an_action_that_is_not_legal_gets_nothing() -> None:
    with np.errstate(divide="ignore"):
        logs = np.log([0.5, 0.0, 0.5])
    assert improved(logs, np.array([1.0, 0.0, 1.0]), np.array([0.0, 0.0, 1.0]), 0.5, WEIGHT)[1] == -np.inf


# ---- positions


def test_targets_are_log_probabilities_of_the_legal_actions_of_their_rows() -> None:
    found = played(SMALL).positions
    at_scores = policy().net.at_scores
    assert len(found) > 100
    for row in range(len(found)):
        inputs = found.rows.index[found.rows.offsets[row] : found.rows.offsets[row + 1]]
        part = slice(found.targets.offsets[row], found.targets.offsets[row + 1])
        legal = inputs[inputs >= at_scores] - at_scores
        assert sorted(legal.tolist()) == sorted(found.targets.index[part].tolist())  # mirror images, too
        assert len(legal) > 1
        assert np.exp(found.targets.values[part]).sum() == pytest.approx(1.0, abs=1e-5)


def test_without_a_search_targets_are_the_policy_and_values_the_end_of_the_game() -> None:
    found = played(dataclasses.replace(SMALL, unsure=100.0, players=(2,), self_play=1.0))
    assert found.searched == 0
    with torch.inference_mode():
        logs, _ = rounded(policy())(every(found.positions.rows))
    targets = found.positions.targets
    row = np.repeat(np.arange(len(found.positions)), np.diff(targets.offsets))
    assert np.allclose(targets.values, logs[row, targets.index].numpy(), atol=5e-3)
    assert set(np.unique(found.positions.values[:, 0])) <= {-1.0, 0.0, 1.0}
    assert np.array_equal(found.positions.values[:, 0], -found.positions.values[:, 1])


def test_unsure_decisions_are_searched_and_their_values_lie_between_the_root_and_the_end() -> None:
    none = played(dataclasses.replace(SMALL, unsure=100.0))
    every = played(dataclasses.replace(SMALL, unsure=0.0))
    some = played(SMALL)
    assert none.searched == 0 < some.searched < every.searched == len(every.positions)
    assert (np.abs(every.positions.values) <= 1.0).all()
    assert (np.abs(every.positions.values[:, 0]) < 1.0).mean() > 0.5
    sums = every.positions.values.sum(1)
    assert np.allclose(sums, 0.0, atol=1e-5)


def test_what_is_played_follows_from_policy_settings_and_seed() -> None:
    one, same_one, other = played(SMALL), played(SMALL), played(SMALL, 500)
    assert np.array_equal(one.positions.targets.values, same_one.positions.targets.values)
    assert (one.decisions, one.searched) == (same_one.decisions, same_one.searched)
    assert len(other.positions) != len(one.positions) or not np.array_equal(
        one.positions.targets.values, other.positions.targets.values
    )


def test_compact_rows_are_the_same_rows() -> None:
    found = played(SMALL).positions
    both = Positions.join([found, found])
    assert len(both) == 2 * len(found)
    picked = np.array([len(found) + 3, 0, 3])
    for part, joined in ((found.rows, both.rows), (found.targets, both.targets)):
        again = every(part)
        for one, other in ((again.offsets, part.offsets), (again.index, part.index), (again.values, part.values)):
            assert np.array_equal(one, other)
        first, _, last = (joined.take(picked[i : i + 1]) for i in range(3))
        assert np.array_equal(first.values, last.values)
        assert np.array_equal(
            joined.take(picked).index, np.concatenate([joined.take(picked[i : i + 1]).index for i in range(3)])
        )


def test_results_of_a_task_are_a_file(tmp_path: Path) -> None:
    found, net = played(SMALL), policy().net
    found.save(tmp_path / "task.pt", "mark")
    kept = Played.load(tmp_path / "task.pt", "mark", net)
    assert kept is not None
    assert (kept.games, kept.decisions, kept.searched) == (found.games, found.decisions, found.searched)
    one, other = kept.positions.state(), found.positions.state()
    assert all(torch.equal(one[name], other[name]) for name in one)
    assert kept.seconds == found.seconds
    assert Played.load(tmp_path / "task.pt", "other", net) is None


def test_the_mark_of_results_is_that_of_policy_and_settings() -> None:
    content = packed(policy())
    mark = search.mark_of(content, SMALL)
    assert mark == search.mark_of(packed(policy()), dataclasses.replace(SMALL, workers=7, minutes=3.0))
    assert mark != search.mark_of(packed(policy(2)), SMALL)
    for change in ({"simulations": 9}, {"games": 5}, {"tasks": 3}, {"players": (2,)}, {"seed": 2}, {"sets": ("ks",)}):
        assert mark != search.mark_of(content, dataclasses.replace(SMALL, **change)), change  # type: ignore[arg-type]


def test_scores_below_that_of_the_best_action_stay_below() -> None:
    numbers = np.array([0.5, 0.9999, 1.0], np.float32)
    rows = SparseRows(np.array([0, 3]), np.arange(3), numbers)
    kept = Positions.of(rows, rows, np.zeros((1, 5), np.float32)).rows.take(np.array([0])).values
    assert kept.tolist() == [0.5, 1 - 2**-11, 1.0]


# ---- learning


def test_all_legal_actions_are_evaluated_with_gradients() -> None:
    found, learner = played(SMALL).positions, policy(2)
    inputs, legal = every(found.rows), every(found.targets)
    each, values = learner.evaluate_legal(inputs, legal)
    logs, expected = learner(inputs)
    row = np.repeat(np.arange(len(found)), np.diff(legal.offsets))
    assert torch.allclose(each, logs[row, legal.index], atol=1e-4)
    assert torch.allclose(values, expected)
    first = legal.offsets[:-1]
    actions = torch.from_numpy(legal.index[first])
    gradients = []
    for chosen in (each[first], learner.evaluate_actions(inputs, actions)[0]):
        learner.zero_grad()
        chosen.sum().backward()  # type: ignore[no-untyped-call]
        gradients.append([weights.grad.clone() for weights in learner.parameters() if weights.grad is not None])
    assert all(torch.allclose(one, other, atol=1e-4) for one, other in zip(*gradients, strict=True))


def test_noise_of_the_values_cancels_over_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    """A decision that is searched twice, with opposite errors of the values: the policy stays."""
    found, learner = played(SMALL).positions, policy()
    most = int(np.diff(found.targets.offsets).argmax())
    rows, targets = found.rows.take(np.array([most, most])), found.targets.take(np.array([most, most]))
    logs = learner.evaluate_legal(rows, targets)[0].detach().numpy().reshape(2, -1)
    noise = np.random.default_rng(1).normal(0, 0.05, logs.shape[1])
    heights = logs + WEIGHT * np.stack([noise, -noise])
    noisy = (heights - np.logaddexp.reduce(heights, 1)[:, None]).astype(np.float32)
    values = np.zeros((2, learner.net.sizes.seats), np.float32)
    noisy_targets = SparseRows(targets.offsets, targets.index, noisy.ravel())
    positions = Positions.of(rows, noisy_targets, values)
    monkeypatch.setattr(torch, "randint", lambda high, size: torch.arange(high))
    config = dataclasses.replace(SMALL, value_weight=0.0, gradient_norm=1e9)
    learn(learner, torch.optim.SGD(learner.parameters(), lr=0.0), positions, 1, config)
    most_of = max(float(each.grad.abs().max()) for each in learner.parameters() if each.grad is not None)
    assert most_of < 1e-3  # 0.1 and more with one of the two, or with the cross-entropy


def test_the_policy_comes_nearer_to_its_targets() -> None:
    found, learner = played(SMALL).positions, policy()
    config = dataclasses.replace(SMALL, minibatch=len(found))

    def measured() -> dict[str, float]:  # of nearly all positions, the same ones each time
        torch.manual_seed(1)
        return learn(learner, torch.optim.SGD(learner.parameters(), lr=0.0), found, 8, config)

    first = measured()
    learn(learner, torch.optim.Adam(learner.parameters(), lr=1e-2), found, 200, config)
    last = measured()
    assert 0 < last["divergence"] < 0.5 * first["divergence"]  # 0.06 to 0.31 with eight other seeds
    assert 0 < last["value_loss"] < 0.5 * first["value_loss"]


# ---- runs


@pytest.mark.slow
@pytest.mark.usefixtures("here")
def test_a_run_that_was_stopped_goes_on_as_if_it_had_not_been(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert train(SHORT, tmp_path / "whole")
    output = capsys.readouterr().err
    line = r"^update 2, [\d,]+ decisions, [\d,]+ decisions/s, .+ left; divergence [\d.]+, value loss [\d.]+; win rates"
    assert re.search(line, output, re.MULTILINE)
    real, left = search.learn, [1]

    def learn_once(*given: object) -> dict[str, float]:
        left[0] -= 1
        return real(*given) if left[0] == 0 else interrupted()  # type: ignore[arg-type]

    with monkeypatch.context() as patched:
        patched.setattr(search, "learn", learn_once)
        assert not train(SHORT, tmp_path / "stopped")
    assert len(rows(tmp_path / "stopped" / "log.csv")) == 1
    assert train(SHORT, tmp_path / "stopped")
    one, other = (load_policy(tmp_path / name / "checkpoint.pt", game="bloodrage")[1] for name in ("whole", "stopped"))
    assert same(one["policy"], other["policy"])
    logs = [rows(tmp_path / name / "log.csv") for name in ("whole", "stopped")]
    columns = ("updates", "decisions", "games", "positions", "searched", "divergence")
    assert [[row[each] for each in columns] for row in logs[0]] == [[row[each] for each in columns] for row in logs[1]]
    assert len(logs[0]) >= 2
    assert (tmp_path / "whole" / "tensorboard").is_dir()


@pytest.mark.usefixtures("here")
def test_tasks_whose_files_exist_are_not_carried_out_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = dataclasses.replace(SHORT, decisions=1)
    assert train(config, tmp_path / "whole")
    real, seeds = search.play, []

    def noted(config: Search, content: bytes, seed: int) -> Iterator[int | Played]:
        seeds.append(seed)
        if len(seeds) == 3:
            raise KeyboardInterrupt
        yield from real(config, content, seed)

    monkeypatch.setattr(search, "play", noted)
    assert not train(config, tmp_path / "stopped")
    folder = tmp_path / "stopped" / "positions"
    assert sorted(path.name for path in folder.iterdir()) == ["1-1.pt", "1-2.pt"]
    seconds = [torch.load(io.BytesIO(read_sealed(path, 2**30)))["seconds"] for path in folder.iterdir()]
    (folder / "0-1.pt").touch()  # of an update that has ended
    (folder / ".1-3.pt.part").touch()  # written when the run was killed
    assert train(config, tmp_path / "stopped")
    assert seeds[2:] == [seeds[2]] * 2
    assert not list((tmp_path / "stopped" / "positions").iterdir())
    (row,) = rows(tmp_path / "stopped" / "log.csv")
    assert float(row["seconds"]) > sum(float(each) for each in seconds) / config.workers
    one, other = (load_policy(tmp_path / name / "checkpoint.pt", game="bloodrage")[1] for name in ("whole", "stopped"))
    assert same(one["policy"], other["policy"])


def test_games_that_are_played_in_the_process_of_the_run_change_nothing_that_it_draws(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As with a GPU, where each task makes a policy: a run that was stopped between tasks has fewer to make."""
    config, real, seeds = dataclasses.replace(SHORT, decisions=1, games=1), search.play, []

    def noted(config: Search, content: bytes, seed: int, device: str) -> Iterator[int | Played]:
        seeds.append(seed)
        if len(seeds) == config.tasks + 2:
            raise KeyboardInterrupt
        Policy(16, 1, "bloodrage")
        yield from real(config, content, seed)

    monkeypatch.setattr(search, "on_gpu", lambda device: True)
    monkeypatch.setattr(search, "play", noted)
    assert train(config, tmp_path / "whole")
    assert not train(config, tmp_path / "stopped")
    assert train(config, tmp_path / "stopped")
    one, other = (load_policy(tmp_path / name / "checkpoint.pt", game="bloodrage")[1] for name in ("whole", "stopped"))
    assert same(one["policy"], other["policy"])


@pytest.mark.usefixtures("here")
def test_a_run_that_diverges_keeps_its_last_good_checkpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def diverging(learner: Policy, *given: object) -> dict[str, float]:
        torch.nn.init.constant_(learner.first_bias, torch.nan)
        return {"divergence": 0.0, "value_loss": 0.0}

    monkeypatch.setattr(search, "learn", diverging)
    with pytest.raises(UserError, match=r"diverged in update 1: .*learning_rate$"):
        train(dataclasses.replace(SHORT, games=1, tasks=1), tmp_path)
    assert load_policy(tmp_path / "checkpoint.pt", "bloodrage")[1]["progress"]["updates"] == 0


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("name", ["rows_offsets", "rows_index", "targets_index", "values", "cut"])
def test_damaged_results_of_a_task_are_refused_with_a_line(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = dataclasses.replace(SHORT, decisions=1)
    with monkeypatch.context() as patched:
        patched.setattr(search, "learn", interrupted)
        assert not train(config, tmp_path)
    path = tmp_path / "positions" / "1-1.pt"
    if name == "cut":
        path.write_bytes(path.read_bytes()[:-1])
    else:
        kept = torch.load(io.BytesIO(read_sealed(path, 2**30)), weights_only=True)
        kept[name] = kept[name][:-1] if name == "values" else kept[name] - 100
        write(path, kept)
    with pytest.raises(UserError, match=r"^can't use .*positions.1-1\.pt .*; delete it, and it is made again$"):
        train(config, tmp_path)
    path.unlink()
    assert train(config, tmp_path)


def interrupted(*given: object) -> dict[str, float]:
    raise KeyboardInterrupt


@pytest.mark.usefixtures("here")
def test_a_policy_of_berserk_learns_from_its_search(tmp_path: Path) -> None:
    config = dataclasses.replace(SHORT, game="berserk", players=(2,), games=2, decisions=100, evaluate_every=100)
    assert train(config, tmp_path)
    assert int(rows(tmp_path / "log.csv")[-1]["searched"]) > 0


@pytest.mark.usefixtures("here")
def test_the_command_runs_it(tmp_path: Path) -> None:
    path = tmp_path / "search.toml"
    path.write_text(
        'kind = "search"\nwidth = 16\nlayers = 1\ngames = 3\ntasks = 2\ndecisions = 500\nworkers = 2\nsimulations = 4\n'
    )
    assert main(["train", str(path), "--out", str(tmp_path / "run")]) == 0
    names = {each.name for each in (tmp_path / "run").iterdir()}
    assert {"checkpoint.pt", "player.npz", "log.csv", "tensorboard"} <= names


@pytest.mark.slow
def test_ctrl_c_ends_it_with_a_checkpoint(tmp_path: Path) -> None:
    path = tmp_path / "search.toml"
    lines = (
        'kind = "search"',
        "width = 16",
        "layers = 1",
        "games = 3",
        "tasks = 2",
        "decisions = 1000000000",
        "workers = 1",
    )
    path.write_text("\n".join(lines))
    code = "import sys; from bloodrage_env.cli import main; sys.exit(main(sys.argv[1:]))"
    command = [sys.executable, "-c", code, "train", str(path), "--out", str(tmp_path / "run")]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True) as process:
        assert process.stderr is not None
        while not process.stderr.readline().startswith("update 2,"):  # update 1 has ended
            assert process.poll() is None
        os.killpg(process.pid, signal.SIGINT)
        said = process.stderr.read()
    assert process.returncode == 130, said
    assert "stopped; to go on: bloodrage train --out" in said
    assert "Traceback" not in said
    assert load_policy(tmp_path / "run" / "checkpoint.pt", game="bloodrage")[1]["progress"]["updates"] >= 1


@pytest.mark.ray
@pytest.mark.slow
def test_on_ray_it_learns_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("ray")
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    config = dataclasses.replace(SHORT, decisions=1)
    assert train(config, tmp_path / "ray", "ray")
    monkeypatch.setattr(search, "make_pool", lambda backend, size: Here(size))
    assert train(config, tmp_path / "here")
    one, other = (load_policy(tmp_path / name / "checkpoint.pt", game="bloodrage")[1] for name in ("ray", "here"))
    assert same(one["policy"], other["policy"])
