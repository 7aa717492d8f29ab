"""The reference learner: each seat's decisions are a sequence of their own, and it is paid what it was paid."""

import dataclasses
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from run_content import rows, same

import ppo
import rounds
from bloodrage_env import bloodrage_v0
from bloodrage_env.errors import UserError
from bloodrage_training.learn.policy import Policy, SparseRows, load_policy, probabilities, sample
from bloodrage_training.learn.runs import alone, read_settings, settings_text, with_policy, write
from ppo import NETWORK, Batch, Config, Step, Tables, advantages, learn, train

ROOT = Path(__file__).resolve().parents[1]
SMALL = Config(width=16, layers=1, games=7, steps=300, players=(4, 3, 2), self_play=0.4, more_seats=0.3)


def one_step(seat: int, value: float, rewards: list[float] | None = None) -> Step:
    """A step of one game: the seat decides at this estimate; with `rewards` the game ends there."""
    paid = np.array([rewards or [0.0] * 4], np.float32)
    games, seats = np.array([0]), np.array([seat])
    return Step(games, seats, np.array([value], np.float32), np.array([rewards is not None]), paid)


def test_everyone_is_paid_for_its_own_last_decision() -> None:
    steps = [one_step(0, 0.1), one_step(1, 0.2), one_step(0, 0.3), one_step(2, 0.4, [1.0, -0.5, -0.25, 0.0])]
    result, known = advantages(steps, gae_lambda=0.0)
    assert known.all()
    assert result == pytest.approx([0.3 - 0.1, -0.5 - 0.2, 1.0 - 0.3, -0.25 - 0.4])


def test_the_last_decision_of_an_open_game_is_left_out() -> None:
    steps = [one_step(0, 0.1), one_step(1, 0.2), one_step(0, 0.3)]
    result, known = advantages(steps, gae_lambda=1.0)
    assert known.tolist() == [True, False, False]
    assert result[0] == pytest.approx(0.3 - 0.1)


def test_nothing_leaks_into_the_game_before() -> None:
    steps = [one_step(0, 0.1), one_step(1, 0.2, [-1.0, 1.0, 0.0, 0.0]), one_step(0, 0.7), one_step(1, 0.2, [0.5] * 4)]
    result, known = advantages(steps, gae_lambda=1.0)
    assert known.all()
    assert result == pytest.approx([-1.1, 0.8, -0.2, 0.3])


def slow_advantages(steps: list[Step], gae_lambda: float) -> dict[tuple[int, int], float]:
    """By (step, game): every seat's rows written out one after the other, and the sum of its errors (2016, eq. 16)."""
    result = {}
    for game in range(steps[0].rewards.shape[0]):
        for seat in range(steps[0].rewards.shape[1]):
            rows: list[tuple[int, float]] = []
            for t, step in enumerate(steps):
                mine = np.flatnonzero((step.games == game) & (step.seats == seat))
                rows += [(t, float(step.values[i])) for i in mine]
                if step.dones[game] or step is steps[-1]:
                    ends = [float(step.rewards[game, seat])] if step.dones[game] else []
                    values = [value for _, value in rows]
                    errors = [after - before for before, after in zip(values, [*values[1:], *ends], strict=False)]
                    for i in range(len(errors)):
                        result[rows[i][0], game] = sum(e * gae_lambda**k for k, e in enumerate(errors[i:]))
                    rows = []
    return result


def test_advantages_are_those_of_a_slow_reference() -> None:
    rng = np.random.default_rng(3)
    steps = []
    for _ in range(60):
        playing = np.flatnonzero(rng.random(5) < 0.8)
        seats, values = rng.integers(4, size=len(playing)), rng.normal(size=len(playing)).astype(np.float32)
        dones = rng.random(5) < 0.1
        steps.append(Step(playing, seats, values, dones, rng.normal(size=(5, 4)).astype(np.float32) * dones[:, None]))
    result, known = advantages(steps, 0.9)
    expected = slow_advantages(steps, 0.9)
    at = 0
    for t, step in enumerate(steps):
        for game in step.games:
            assert known[at] == ((t, game) in expected)
            if known[at]:
                assert result[at] == pytest.approx(expected[t, game], abs=1e-5)
            at += 1
    assert at == len(result)


class Recorded(Tables):
    """Tables that note every action of every game, and who sat where."""

    def __init__(self, config: Config, seed: int) -> None:
        super().__init__(config, seed)
        self.actions: list[np.ndarray] = []
        self.owners: list[np.ndarray] = []
        step = self.games.step

        def noted(actions: np.ndarray) -> None:
            self.actions.append(np.array(actions))
            self.owners.append(self.styles.copy())
            step(actions)

        self.games.step = noted  # type: ignore[method-assign,assignment]


def test_rows_are_those_of_the_environment_played_one_game_at_a_time() -> None:
    """Observation, mask, action and, with lambda 1, the payment of every row, for two to four players."""
    torch.manual_seed(0)
    tables = Recorded(dataclasses.replace(SMALL, gae_lambda=1.0), seed=5)
    batch, counts = tables.play(Policy(16, 1), SMALL.steps)
    dense = np.zeros((len(batch.rows), 1912), np.float32)
    dense[np.repeat(np.arange(len(dense)), np.diff(batch.rows.offsets)), batch.rows.index] = batch.rows.values
    envs = [bloodrage_v0.env(num_players=int(n)) for n in tables.games.players]
    seeds = [5 + i for i in range(SMALL.games)]
    for env, seed in zip(envs, seeds, strict=True):
        env.reset(seed=seed)
    open_rows: list[list[tuple[int, str]]] = [[] for _ in envs]
    at, finished = 0, 0
    for t in range(SMALL.steps):
        for game, env in enumerate(envs):
            agent = env.agent_selection
            seat = int(agent.removeprefix("player_"))
            action = int(tables.actions[t][game])
            if tables.owners[t][game, seat] == NETWORK:
                seen = env.observe(agent)
                assert np.array_equal(dense[at], seen["observation"])
                assert np.array_equal(batch.masks[at].numpy(), seen["action_mask"] == 1)
                assert int(batch.actions[at]) == action
                open_rows[game].append((at, agent))
                at += 1
            env.step(action)
            if any(env.terminations.values()):
                for row, mover in open_rows[game]:
                    assert batch.known[row]
                    assert float(batch.returns[row]) == pytest.approx(env.rewards[mover], abs=1e-5)
                finished += 1
                open_rows[game] = []
                seeds[game] += SMALL.games
                env.reset(seed=seeds[game])
    assert at == len(batch.actions) == counts.decisions
    assert counts.games == finished > 5


def test_the_opponents_are_seated_as_configured() -> None:
    tables = Tables(dataclasses.replace(SMALL, games=400, players=(4,), self_play=0.0, more_seats=0.0), seed=1)
    assert ((tables.styles == NETWORK).sum(1) == 1).all()
    alone = Tables(dataclasses.replace(SMALL, self_play=1.0), seed=1)
    assert (alone.styles == NETWORK).all()


def test_learning_makes_better_actions_likelier_and_never_an_illegal_one() -> None:
    torch.manual_seed(1)
    config = dataclasses.replace(SMALL, epochs=8, minibatch=64, entropy=0.0, target_kl=1e9)
    tables = Tables(config, seed=2)
    policy = Policy(16, 1)
    batch, _ = tables.play(policy, 60)
    low = batch.masks.float().argmax(1)  # the first legal action of each row
    batch.advantages = torch.where(batch.actions == low, 1.0, -1.0)
    with torch.inference_mode():
        before = probabilities(policy(batch.rows)[0], batch.masks)[0].gather(1, low[:, None]).mean()
    learn(policy, torch.optim.Adam(policy.parameters(), lr=3e-3), batch, config)
    with torch.inference_mode():
        chances, _ = probabilities(policy(batch.rows)[0], batch.masks)
    assert chances.gather(1, low[:, None]).mean() > before + 0.1
    assert float(chances[~batch.masks].max()) == 0.0
    for _ in range(20):
        assert bool(batch.masks.gather(1, sample(chances)[:, None]).all())


def test_actions_are_judged_as_by_all_logits() -> None:
    """Chances, entropies, values and all gradients are those of the dense head under a masked softmax."""
    torch.manual_seed(2)
    policy = Policy(24, 2)
    with torch.no_grad():
        for weights in policy.parameters():
            weights.add_(torch.randn_like(weights) * 0.2)
    batch, _ = Tables(SMALL, seed=5).play(policy, 20)
    by_log, by_entropy = torch.randn(2, len(batch.actions))

    def judged(logs: torch.Tensor, entropies: torch.Tensor, values: torch.Tensor) -> list[torch.Tensor]:
        policy.zero_grad()
        ((logs * by_log).mean() + (entropies * by_entropy).mean() + values.square().mean()).backward()
        return [logs.detach(), entropies.detach(), values.detach(), *(each.grad for each in policy.parameters())]

    logits, values = policy(batch.rows)
    chances, logs = probabilities(logits, batch.masks)
    dense = judged(logs.gather(1, batch.actions[:, None])[:, 0], -(chances * logs).sum(1), values)
    assert float(dense[1].max()) > 0.5
    for one, other in zip(dense, judged(*policy.evaluate_actions(batch.rows, batch.masks, batch.actions)), strict=True):
        assert torch.allclose(one, other, atol=1e-5)
        assert float(one.abs().max()) > 1e-3


def test_bfloat16_changes_a_little_and_only_the_residual_layers(short: Config) -> None:
    """Answers and gradients are near those of float32 and not the same; all that leaves the policy is float32."""
    policy = ppo.Run(dataclasses.replace(short, width=64, layers=2, bfloat16=True)).policy
    batch, _ = Tables(SMALL, seed=5).play(policy, 20)

    def found() -> list[torch.Tensor]:
        policy.zero_grad()
        answers = policy.evaluate_actions(batch.rows, batch.masks, batch.actions)
        (answers[0].mean() + answers[2].square().mean()).backward()
        return [*(each.detach() for each in answers), *(weights.grad for weights in policy.parameters())]

    in_half = found()
    policy.bfloat16 = False
    for half, whole in zip(in_half, found(), strict=True):
        assert half.dtype == torch.float32
        assert 0 < float((half - whole).norm() / whole.norm()) < 0.03


def test_unknown_rows_teach_nothing() -> None:
    """Whatever stands in them: neither the losses nor the mean and deviation of the advantages see them."""
    learned = []
    for junk in (0.0, 1e4):
        torch.manual_seed(1)
        policy = Policy(16, 1)
        batch, _ = Tables(SMALL, seed=2).play(policy, 40)
        unknown = torch.from_numpy(~batch.known)
        assert 0 < int(unknown.sum()) < len(unknown)
        batch.advantages[unknown] = batch.returns[unknown] = junk
        batch.log_probabilities[unknown] = -junk
        torch.manual_seed(2)
        learn(policy, torch.optim.Adam(policy.parameters()), batch, SMALL)
        learned.append(policy.state_dict())
    for name, value in learned[0].items():
        assert torch.equal(value, learned[1][name]), name


@pytest.fixture
def short(tmp_path: Path) -> Config:
    """A run of about eight updates, with an evaluation at every second one."""
    settings = {"games": 9, "steps": 100, "decisions": 4200, "evaluate_every": 2, "evaluation_games": 4}
    return dataclasses.replace(SMALL, run=str(tmp_path / "whole"), save_minutes=0.0, **settings)  # type: ignore[arg-type]


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


def test_sparse_rows_are_the_dense_ones() -> None:
    rng = np.random.default_rng(1)
    dense = rng.random((6, 1912)).astype(np.float32) * (rng.random((6, 1912)) < 0.05)
    rows = SparseRows.join([SparseRows.of(dense, np.array([4, 1])), SparseRows.of(dense)]).take(np.array([1, 7, 0]))
    policy = Policy(8, 1)
    wanted = torch.from_numpy(dense[[1, 5, 4]]) @ policy.first_weight
    weights = policy.first_weight.detach().clone().requires_grad_()
    (torch.from_numpy(dense[[1, 5, 4]]) @ weights + policy.first_bias).relu().sum().backward()
    from bloodrage_training.learn.policy import _Product

    product = _Product.apply(policy.first_weight, rows)  # type: ignore[no-untyped-call]
    assert torch.allclose(product, wanted, atol=1e-5)
    (product + policy.first_bias).relu().sum().backward()
    assert weights.grad is not None
    assert policy.first_weight.grad is not None
    assert torch.allclose(policy.first_weight.grad, weights.grad, atol=1e-5)
