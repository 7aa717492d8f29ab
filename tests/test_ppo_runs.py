"""The runs of the reference learner: how they go on after a stop, which can't, and what settings they take."""

import copy
import dataclasses
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from run_content import rows, same
from small_ppo import SHORT, SMALL, play

from bloodrage_agents.games.bloodrage.compiled.weights import HELD_OUT, STYLES
from bloodrage_agents.network import Network
from bloodrage_env.errors import UserError
from bloodrage_training.learn import ppo, recipe, run
from bloodrage_training.learn.average import average
from bloodrage_training.learn.config import to_toml
from bloodrage_training.learn.evaluate import policy_file
from bloodrage_training.learn.export import export, policy_of
from bloodrage_training.learn.opponents import FIRST_OTHER, sampled_from_bytes
from bloodrage_training.learn.policy import Inputs, Policy, load_policy
from bloodrage_training.learn.ppo import train
from bloodrage_training.learn.runs import BEST, CHECKPOINT, alone, player_of, with_policy, write
from bloodrage_training.learn.slices import Slices
from bloodrage_training.learn.tables import Tables, part_of, regrouped

KILLED = """
import os, signal, sys
from pathlib import Path
from bloodrage_training.learn import ppo, run
from bloodrage_training.learn.config import Ppo, parse, read_toml

learn, write = ppo.learn, run.write
left = 5

def some(*given):
    global left
    left -= 1
    return learn(*given) if left >= 0 else os.kill(os.getpid(), signal.SIGKILL)

ppo.learn = some
ppo.ahead = lambda device: sys.argv[3] == "ahead"
run.write = lambda path, content: content["progress"]["updates"] <= 3 and write(path, content)
ppo.train(parse(Ppo, read_toml(Path(sys.argv[1])), 'killed'), Path(sys.argv[2]))
"""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run."""
    folder = tmp_path_factory.mktemp("runs") / "whole"
    assert train(SHORT, folder)
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("order", ["in turns", "ahead"])
def test_a_killed_run_goes_on_as_if_it_had_not_been(
    order: str, whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed in update 6, with a checkpoint of update 3: weights, moments, games and logs are those of a whole run. So
    are they where a rollout is played while the policy learns, as with a GPU.
    """
    if order == "ahead":
        monkeypatch.setattr(ppo, "ahead", lambda device: True)
        first, whole = whole, tmp_path / "whole"
        assert train(SHORT, whole)
        assert not same(
            *(load_policy(each / "checkpoint.pt", game="bloodrage")[1]["policy"] for each in (first, whole))
        )
    (tmp_path / "killed.toml").write_text(to_toml(vars(SHORT)))
    code = [sys.executable, "-c", KILLED, str(tmp_path / "killed.toml"), str(tmp_path / "killed"), order]
    assert subprocess.run(code, stderr=subprocess.DEVNULL).returncode == -signal.SIGKILL
    progress = load_policy(tmp_path / "killed" / "checkpoint.pt", game="bloodrage")[1]["progress"]
    assert progress["updates"] == 3
    assert progress["games"] > 3  # that have ended, so that others sit at their tables
    assert len(rows(tmp_path / "killed" / "log.csv")) == 5
    assert train(SHORT, tmp_path / "killed")
    (_, one), (_, other) = (
        load_policy(folder / "checkpoint.pt", game="bloodrage") for folder in (whole, tmp_path / "killed")
    )
    assert one["progress"]["updates"] > 6
    for each in (one, other):
        each["progress"].pop("seconds")
    for name in one:
        assert same(one[name], other[name]), name
    for name in ("log.csv", "evaluation.csv"):
        times = ("seconds", "per_second", "playing", "inputs", "network", "opponents", "steps", "advantages")
        found = rows(whole / name, *times)
        assert len(found) >= 2
        assert found == rows(tmp_path / "killed" / name, *times)


def test_a_run_goes_on_with_another_number_of_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on another device: two threads have parts of the games on a CPU, a GPU has all games and plays ahead."""
    assert train(SHORT, tmp_path, until=1)
    before = load_policy(tmp_path / "checkpoint.pt", game="bloodrage")[1]
    assert len(before["tables"]) == 2
    for module in ("ppo", "tables"):
        monkeypatch.setattr(f"bloodrage_training.learn.{module}.parts_of", lambda config, device: 1)
    monkeypatch.setattr(ppo, "ahead", lambda device: True)
    (one,) = regrouped(before["tables"], [part_of(SHORT, 0)])
    assert torch.equal(one["styles"], torch.cat([each["styles"] for each in before["tables"]]))
    assert train(SHORT, tmp_path, until=before["progress"]["decisions"] + 1)
    after = load_policy(tmp_path / "checkpoint.pt", game="bloodrage")[1]
    assert len(after["tables"]) == 1
    assert after["progress"]["updates"] == before["progress"]["updates"] + 1


def test_nobody_else_learns_in_the_folder_of_a_run(tmp_path: Path) -> None:
    with alone(tmp_path / "run"), pytest.raises(UserError, match="another process is learning"):
        train(SHORT, tmp_path / "run")
    assert train(SHORT, tmp_path / "run", until=1)


def test_the_learning_rate_decays_to_zero_by_the_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    short = dataclasses.replace(SHORT, learning_rate_decay=0.5)
    rates, real, interrupt = [], ppo.learn, [2]

    def noted(policy: Policy, optimizer: torch.optim.Optimizer, *given: Any) -> dict[str, float]:
        if len(rates) in interrupt:
            interrupt.clear()
            raise KeyboardInterrupt
        rates.append(optimizer.param_groups[0]["lr"])
        return real(policy, optimizer, *given)

    monkeypatch.setattr(ppo, "learn", noted)
    assert not train(short, tmp_path)
    assert train(short, tmp_path)
    done = [0, *(int(row["decisions"]) for row in rows(tmp_path / "log.csv"))]
    left = [1 - each / short.decisions for each in done[:-1]]
    assert rates == pytest.approx([short.learning_rate * min(1, part / 0.5) for part in left])
    assert min(left) < 0.5
    assert done[-1] >= short.decisions


def test_a_run_ends_with_the_mean_of_the_policies_of_its_last_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also if it was stopped meanwhile."""
    short = dataclasses.replace(SHORT, average=0.5)
    learned, real, interrupt = [], ppo.learn, [6]

    def noted(policy: Policy, *given: Any) -> dict[str, float]:
        if len(learned) in interrupt:
            interrupt.clear()
            raise KeyboardInterrupt
        result = real(policy, *given)
        learned.append(copy.deepcopy(policy))
        return result

    monkeypatch.setattr(ppo, "learn", noted)
    assert not train(short, tmp_path)
    assert train(short, tmp_path)
    done = [int(row["decisions"]) / short.decisions for row in rows(tmp_path / "log.csv")]
    last = [policy for policy, part in zip(learned, done, strict=True) if part > 0.5]
    assert 6 > len(learned) - len(last) > 1
    policy = load_policy(tmp_path / "checkpoint.pt", game="bloodrage")[0]
    for found, wanted, other in zip(*(each.parameters() for each in (policy, average(last), last[-1])), strict=True):
        torch.testing.assert_close(found, wanted)
        assert not torch.allclose(found, other)


def change(kept: dict[str, Any], where: str, value: Any) -> None:
    """Put a value in the place of another one."""
    *path, last = (int(name) if name.isdigit() else name for name in where.split("."))
    for name in path:
        kept = kept[name]
    kept[last] = value(kept[last]) if callable(value) else value


@pytest.mark.parametrize(
    ("where", "value"),
    [
        ("rules", "0"),
        ("progress", {"updates": 3}),
        ("progress.decisions", "many"),
        ("progress.updates", -5),
        ("averaged", -1),
        ("mean", lambda mean: {name: weights * torch.nan for name, weights in mean.items()}),
        ("best", {"rate": 0.5}),
        ("tables", []),
        ("tables.0", {}),
        ("tables.0.styles", lambda styles: styles + 7),
        ("tables.0.styles", lambda styles: styles[:4]),
        ("tables.0.games.seeds", lambda seeds: -seeds),
        ("tables.0.games.records", lambda records: records[:-1]),
        ("tables.0.games.records", lambda records: records.float()),
        ("tables.0.games.records", lambda records: torch.randint(256, records.shape, dtype=torch.uint8)),
        ("tables.0.games.records", lambda records: records.reshape(5, -1).roll(1, 0).flatten()),
        ("tables.0.games.records", "no tensor"),
        ("optimizer.0.exp_avg", lambda moment: moment[:5]),
        ("optimizer", lambda moments: {0: moments[0]}),
    ],
)
def test_a_damaged_run_is_named(tmp_path: Path, where: str, value: Any) -> None:
    run = ppo.Run(dataclasses.replace(SHORT, steps=20, average=1.0), tmp_path)
    run.update()
    change(run.kept, where, value)
    run.save()
    with pytest.raises(UserError, match=r"no run can go on from .*checkpoint\.pt") as caught:
        train(SHORT, tmp_path)
    assert "\n" not in str(caught.value)


def test_what_is_kept_for_a_checkpoint_does_not_learn_on() -> None:
    """Ctrl-C in the middle of an update writes what was kept before it."""
    policy = Policy(8, 1, game="bloodrage")
    kept = with_policy(policy, moments=[{"exp_avg": policy.first_bias.detach()}])
    before = copy.deepcopy(kept)
    with torch.no_grad():
        for weight in policy.parameters():
            weight += 1.0
    assert same(kept, before)


def test_a_run_that_diverges_keeps_its_last_good_checkpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert train(SHORT, tmp_path, until=1)
    learn = ppo.learn

    def diverging(policy: Policy, *given: Any) -> dict[str, float]:
        found = learn(policy, *given)
        torch.nn.init.constant_(policy.first_bias, torch.nan)
        return found

    monkeypatch.setattr(ppo, "learn", diverging)
    with pytest.raises(UserError, match=r"diverged in update 2: .*learning_rate$"):
        train(SHORT, tmp_path)
    assert load_policy(tmp_path / CHECKPOINT, "bloodrage")[1]["progress"]["updates"] == 1
    assert len(rows(tmp_path / "log.csv")) == 1
    monkeypatch.setattr(ppo, "learn", learn)
    assert train(SHORT, tmp_path, until=1000)


def test_a_policy_alone_is_no_run_but_begins_one(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint.pt"
    write(path, with_policy(Policy(24, 3, game="bloodrage")))
    with pytest.raises(UserError, match="a policy alone"):
        train(SHORT, tmp_path)
    begun = ppo.Run(dataclasses.replace(SHORT, start=str(path)), tmp_path / "other")
    assert (begun.policy.width, len(begun.policy.layers)) == (24, 3)


def test_a_run_begins_with_the_moments_of_the_optimizer_before(whole: Path, tmp_path: Path) -> None:
    first = str(whole / "checkpoint.pt")
    begun = ppo.Run(dataclasses.replace(SHORT, start=first), tmp_path / "other")
    kept = load_policy(Path(first), game="bloodrage")[1]["optimizer"]
    for number, moments in begun.optimizer.state_dict()["state"].items():
        for name, value in moments.items():
            assert torch.equal(value, kept[number][name])
    assert begun.progress["decisions"] == 0


def test_a_run_ends_when_its_minutes_are_over(tmp_path: Path) -> None:
    brief = dataclasses.replace(SHORT, decisions=10**9, minutes=1e-6)
    assert train(brief, tmp_path)
    assert len(rows(tmp_path / "log.csv")) == 1


def test_policies_of_files_are_opponents(tmp_path: Path) -> None:
    """They have seats, and play their own policy there: one that always answers the last legal action."""
    policy = Policy(8, 1, game="bloodrage")
    with torch.no_grad():
        for weights in policy.parameters():
            weights.zero_()
        policy.actions.bias.copy_(torch.arange(len(policy.actions.bias)) * 50.0)
    export(policy, tmp_path / "last.npz")
    opponents = {"loki": 1.0, str(tmp_path / "last.npz"): 3.0}
    tables = Tables(dataclasses.replace(SMALL, opponents=opponents, self_play=0.0), seed=1)
    theirs, step = [], tables.games.step

    def noted(actions: np.ndarray) -> None:
        for game, (seat, action) in enumerate(zip(tables.games.seats, actions, strict=True)):
            if tables.styles[game, seat] == FIRST_OTHER:
                theirs.append(int(action) == int(np.flatnonzero(tables.games.masks[game])[-1]))
        step(actions)

    tables.games.step = noted  # type: ignore[method-assign,assignment]
    play(tables, Policy(16, 1, game="bloodrage"), 60)
    assert len(theirs) > 100
    assert all(theirs)


def test_results_do_not_depend_on_the_threads_of_the_compiled_work(tmp_path: Path) -> None:
    """Nor on memory from which inputs are copied, as to a GPU; the opponents are styles and a policy of a file."""
    policy = Policy(16, 1, game="bloodrage")
    export(policy, tmp_path / "other.npz")
    config = dataclasses.replace(SMALL, opponents={"balanced": 1.0, str(tmp_path / "other.npz"): 1.0}, self_play=0.0)
    batches = []
    for threads in (1, 3):
        tables = Tables(config, seed=2, threads=threads)
        if threads > 1:
            tables.games.staging = Inputs.empty(config.games, policy.net)
        batches.append(play(tables, policy, 40, sure=0.5)[0])
        tables.slices.close()
    one, other = (vars(batch) | vars(batch.inputs.take(torch.from_numpy(batch.places))) for batch in batches)
    assert len(one["places"]) > 100
    for name in one.keys() - {"inputs"}:
        np.testing.assert_array_equal(one[name], other[name], err_msg=name)


def test_a_policy_of_a_file_draws_the_same_actions_from_bytes(tmp_path: Path) -> None:
    """As on a GPU, where the network takes bytes and not sparse rows."""
    export(Policy(16, 1, game="bloodrage"), tmp_path / "other.npz")
    tables = Tables(dataclasses.replace(SMALL, opponents={str(tmp_path / "other.npz"): 1.0}), seed=2)
    opponents, which = tables.opponents, np.arange(SMALL.games)
    (of_sparse_rows,) = opponents.others
    of_bytes = sampled_from_bytes(policy_of(tmp_path / "other.npz", "bloodrage"))
    for number in range(30):
        actions = of_sparse_rows(tables.games, which, np.random.default_rng(number))
        assert actions.tolist() == of_bytes(tables.games, which, np.random.default_rng(number)).tolist()
        tables.games.step(actions)


def test_an_error_in_a_slice_is_raised_when_all_have_ended() -> None:
    slices, done = Slices(3), []

    def work(at: slice) -> None:
        if at.start == 0:
            raise ValueError("the first")
        time.sleep(0.01)
        done.append(at)

    with pytest.raises(ValueError, match="the first"):
        slices.each(10, work)
    assert sorted((at.start, at.stop) for at in done) == [(3, 6), (6, 10)]
    slices.close()


def test_a_damaged_checkpoint_is_named(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint.pt"
    path.write_bytes(b"no checkpoint")
    with pytest.raises(UserError, match=r"checkpoint\.pt is not a checkpoint"):
        load_policy(path, game="bloodrage")


def test_without_opponents_a_run_meets_every_style_that_is_not_held_out() -> None:
    opponents = Tables(dataclasses.replace(SMALL, opponents={}), seed=1).opponents
    assert set(opponents.names) == set(STYLES) - set(HELD_OUT)
    assert set(opponents.draw(400, np.random.default_rng(1)).tolist()) == {
        STYLES.index(name) for name in opponents.names
    }


@pytest.mark.parametrize("opponents", [{"odin": 1.0}, {"loki": 0.0}, {"loki": "much"}, {"no.pt": 1.0}])
def test_opponents_that_cannot_be_are_named(opponents: dict[str, Any]) -> None:
    with pytest.raises(UserError, match=r"opponent|no\.pt"):
        Tables(dataclasses.replace(SMALL, opponents=opponents), seed=1)


@pytest.mark.parametrize("name", HELD_OUT)
def test_no_run_meets_a_style_that_is_held_out(name: str) -> None:
    with pytest.raises(UserError, match=f"^held out: {name} .*, rusher"):
        Tables(dataclasses.replace(SMALL, opponents={"balanced": 1.0, name: 1.0}), seed=1)


def test_the_best_policy_is_kept_and_exported_when_the_last_is_worse(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Evaluations are after update 3 and at the end; the first is best by more than chance. `minutes` contains them."""
    rates = iter([0.5, 0.3])
    policies = []

    def measured(policy: Policy, games: int, players: int) -> dict[str, float]:
        policies.append(policy)
        time.sleep(0.2)
        return {"balanced": next(rates)}

    monkeypatch.setattr(run, "against_baselines", measured)
    stages = {"run": dataclasses.replace(SHORT, decisions=3200, evaluation_games=400)}
    assert recipe.train(stages, tmp_path)
    best, last = Network.load(tmp_path / BEST, "bloodrage"), load_policy(tmp_path / CHECKPOINT, "bloodrage")[1]
    assert len(policies) == 2
    assert last["best"] == {"rate": 0.5, "updates": 3, "games": 400}
    assert (tmp_path / recipe.PLAYER).read_bytes() == (tmp_path / BEST).read_bytes()
    assert np.array_equal(best.arrays["first_bias"], policies[0].first_bias.detach().half().float().numpy())
    assert last["progress"]["seconds"] > 0.4
    said = capsys.readouterr().err
    assert "50.0% on average after update 3, which best.npz keeps" in said
    assert "the policy became worse: " in said
    kept = policy_file(tmp_path, tmp_path / "measured.npz", "bloodrage")
    assert kept.read_bytes() == (tmp_path / BEST).read_bytes()


def test_the_next_stage_begins_with_the_best_policy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A merge takes it as well; without its file the last one is used."""
    rates = iter([0.9, 0.2])
    monkeypatch.setattr(run, "against_baselines", lambda *given: {"balanced": next(rates)})
    first = dataclasses.replace(SHORT, decisions=3200, evaluation_games=400)
    second = dataclasses.replace(SHORT, decisions=1, seed=2, learning_rate=0.0, evaluate_every=100)
    assert recipe.train({"a": first, "b": second}, tmp_path)
    assert (tmp_path / recipe.PLAYER).read_bytes() == (tmp_path / "a" / BEST).read_bytes()
    best, (merged, earlier) = Network.load(tmp_path / "a" / BEST, "bloodrage"), player_of(tmp_path / "a", "bloodrage")
    assert earlier
    assert np.array_equal(best.arrays["first_bias"], merged.first_bias.detach().numpy())
    (tmp_path / "a" / BEST).unlink()
    assert not player_of(tmp_path / "a", "bloodrage")[1]


def test_the_last_policy_is_exported_when_chance_explains_the_difference(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rates = iter([0.5, 0.46])
    monkeypatch.setattr(run, "against_baselines", lambda *given: {"balanced": next(rates)})
    assert recipe.train({"run": dataclasses.replace(SHORT, decisions=3200, evaluation_games=400)}, tmp_path)
    assert (tmp_path / recipe.PLAYER).read_bytes() != (tmp_path / BEST).read_bytes()


@pytest.mark.parametrize(("steps", "warned"), [(8, True), (200, False)])
def test_rollouts_that_are_too_short_are_warned_of(
    steps: int, warned: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Decisions without a next one in the rollout are left out, which depends on the action."""
    assert train(dataclasses.replace(SHORT, steps=steps, decisions=200, evaluate_every=100), tmp_path)
    said = capsys.readouterr().err
    assert said.count(f"is left is biased: give more than {steps} steps") == warned
