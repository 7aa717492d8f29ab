"""The reference learner: each seat's decisions are a sequence of their own, and it is paid what it was paid."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest
import torch
from small_ppo import SHORT, SMALL, play, rows_of

from bloodrage_agents.games.bloodrage.compiled.inputs import AT_SCORES, NUM_INPUTS
from bloodrage_agents.scores import LEAST, WORST
from bloodrage_env import bloodrage_v0, games
from bloodrage_env.core.compile.decorators import Floats
from bloodrage_env.errors import UserError
from bloodrage_env.games.bloodrage.engine import MAX_SEATS, NUM_ACTIONS
from bloodrage_env.games.bloodrage.observation import OBSERVATION_SIZE
from bloodrage_training.games.bloodrage.mirror import ACTIONS, MIRROR_INPUTS
from bloodrage_training.learn import ppo
from bloodrage_training.learn.config import Imitation, Ppo, Rollouts
from bloodrage_training.learn.export import export
from bloodrage_training.learn.policy import ILLEGAL, Policy, SparseRows, device_of, sample
from bloodrage_training.learn.ppo import Step, advantages, learn
from bloodrage_training.learn.tables import NETWORK, Tables, clockwise


def one_step(seat: int, value: float, rewards: list[float] | None = None) -> Step:
    """A step of one game: the seat decides at this estimate; with `rewards` the game ends there."""
    paid = np.array([[*(rewards or [0.0] * 4), 0.0]], np.float32)
    games, seats = np.array([0]), np.array([seat])
    values = np.array([[value, -value, 0.0, 0.0, 0.0]], np.float32)
    return Step(games, seats, values, np.array([rewards is not None]), clockwise(paid, np.array([4])))


def test_everyone_is_paid_for_its_own_last_decision() -> None:
    steps = [one_step(0, 0.1), one_step(1, 0.2), one_step(0, 0.3), one_step(2, 0.4, [1.0, -0.5, -0.25, 0.0])]
    result, known = advantages(steps, gae_lambda=0.0)
    assert known.all()
    assert result[:, 0] == pytest.approx([0.3 - 0.1, -0.5 - 0.2, 1.0 - 0.3, -0.25 - 0.4])
    assert result[:, 1] == pytest.approx([-0.3 + 0.1, -0.25 + 0.2, -0.5 + 0.3, 0.0 + 0.4])  # of the seat to its left


def test_the_last_decision_of_an_open_game_is_left_out() -> None:
    steps = [one_step(0, 0.1), one_step(1, 0.2), one_step(0, 0.3)]
    result, known = advantages(steps, gae_lambda=1.0)
    assert known.tolist() == [True, False, False]
    assert result[0, 0] == pytest.approx(0.3 - 0.1)


def test_nothing_leaks_into_the_game_before() -> None:
    steps = [one_step(0, 0.1), one_step(1, 0.2, [-1.0, 1.0, 0.0, 0.0]), one_step(0, 0.7), one_step(1, 0.2, [0.5] * 4)]
    result, known = advantages(steps, gae_lambda=1.0)
    assert known.all()
    assert result[:, 0] == pytest.approx([-1.1, 0.8, -0.2, 0.3])


def slow_advantages(steps: list[Step], gae_lambda: float) -> dict[tuple[int, int], float]:
    """By (step, game): every seat's rows written out one after the other, and the sum of its errors (2016, eq. 16)."""
    result = {}
    for game in range(steps[0].rewards.shape[0]):
        for seat in range(steps[0].rewards.shape[1]):
            rows: list[tuple[int, float]] = []
            for t, step in enumerate(steps):
                mine = np.flatnonzero((step.games == game) & (step.seats == seat))
                rows += [(t, float(step.values[i, 0])) for i in mine]
                if step.dones[game] or step is steps[-1]:
                    ends = [float(step.rewards[game, seat, 0])] if step.dones[game] else []
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
        seats, values = rng.integers(4, size=len(playing)), rng.normal(size=(len(playing), MAX_SEATS))
        dones = rng.random(5) < 0.1
        paid = rng.normal(size=(5, MAX_SEATS, MAX_SEATS)).astype(np.float32) * dones[:, None, None]
        steps.append(Step(playing, seats, values.astype(np.float32), dones, paid))
    result, known = advantages(steps, 0.9)
    expected = slow_advantages(steps, 0.9)
    at = 0
    for t, step in enumerate(steps):
        for game in step.games:
            assert known[at] == ((t, game) in expected)
            if known[at]:
                assert result[at, 0] == pytest.approx(expected[t, game], abs=1e-5)
            at += 1
    assert at == len(result)


def dense_rows(rows: SparseRows) -> Floats:
    """float32[N, NUM_INPUTS]."""
    dense = np.zeros((len(rows), NUM_INPUTS), np.float32)
    dense[np.repeat(np.arange(len(dense)), np.diff(rows.offsets)), rows.index] = rows.values
    return dense


class Recorded(Tables):
    """Tables that note every action of every game, and who sat where."""

    def __init__(self, config: Ppo, seed: int) -> None:
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
    """Observation, mask, action and, with lambda 1, what all seats are paid, of every row, for two to four players; in
    every other game of three and more as a mirror image.
    """
    torch.manual_seed(1)
    tables = Recorded(SMALL, seed=5)
    policy = Policy(16, 1, game="bloodrage")
    batch, counts = play(tables, policy, SMALL.steps, gae_lambda=1.0)
    dense = dense_rows(rows_of(batch, policy))
    assert 0 < tables.mirrored.sum() < SMALL.games
    for number in np.unique(tables.games.players):
        seen = tables.mirrored[tables.games.players == number]
        assert abs(2 * seen.sum() - len(seen)) <= 1 if number > 2 else not seen.any(), number
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
                row, chosen = dense[at], int(batch.actions[at])
                if tables.mirrored[game]:
                    row, chosen = row[MIRROR_INPUTS], int(ACTIONS[chosen])
                assert np.array_equal(row[:OBSERVATION_SIZE], seen["observation"])
                assert np.array_equal(row[AT_SCORES:] > 0, seen["action_mask"] == 1)
                assert chosen == action
                open_rows[game].append((at, agent))
                at += 1
            env.step(action)
            if any(env.terminations.values()):
                for row, mover in open_rows[game]:
                    assert batch.known[row]
                    first = env.possible_agents.index(mover)
                    paid = [env.rewards[each] for each in (env.possible_agents * 2)[first:][: len(env.possible_agents)]]
                    paid += [0.0] * (MAX_SEATS - len(paid))
                    assert batch.returns[row].tolist() == pytest.approx(paid, abs=1e-5)
                finished += 1
                open_rows[game] = []
                seeds[game] += SMALL.games
                env.reset(seed=seeds[game])
    assert at == len(batch.actions) == counts.decisions
    assert counts.games == finished > 3


def test_the_opponents_are_seated_as_configured() -> None:
    tables = Tables(dataclasses.replace(SMALL, games=400, players=(4,), self_play=0.0, more_seats=0.0), seed=1)
    assert ((tables.styles == NETWORK).sum(1) == 1).all()
    alone = Tables(dataclasses.replace(SMALL, self_play=1.0), seed=1)
    assert (alone.styles == NETWORK).all()


def test_learning_makes_better_actions_likelier_and_never_an_illegal_one() -> None:
    torch.manual_seed(1)
    config = dataclasses.replace(SMALL, epochs=20, minibatch=64, entropy=0.0, target_kl=1e9)
    tables = Tables(config, seed=2)
    policy = Policy(16, 1, game="bloodrage")
    batch, _ = play(tables, policy, 60)
    legal = torch.from_numpy(dense_rows(rows_of(batch, policy))[:, AT_SCORES:] > 0)
    low = legal.float().argmax(1)  # the first legal action of each row
    batch.advantages = torch.where(batch.actions == low, 1.0, -1.0)
    with torch.inference_mode():
        before = policy(rows_of(batch, policy))[0].exp().gather(1, low[:, None]).mean()
    learn(policy, torch.optim.Adam(policy.parameters(), lr=3e-3), batch, config)
    with torch.inference_mode():
        logs = policy(rows_of(batch, policy))[0]
    chances = logs.exp()
    assert chances.gather(1, low[:, None]).mean() > before + 0.1
    assert float(chances[~legal].max()) == 0.0
    rng = np.random.default_rng(1)
    for _ in range(20):
        assert bool(legal.gather(1, sample(logs, rng)[:, None]).all())


def test_a_teacher_is_imitated() -> None:
    """Its choices become likelier, however the games end; the network itself plays."""
    torch.manual_seed(1)
    teacher = Policy(16, 1, game="bloodrage")
    with torch.no_grad():
        teacher.gains.bias.mul_(-1)  # it prefers what the rules of thumb like least
    shared = {field.name: getattr(SMALL, field.name) for field in dataclasses.fields(Rollouts)}
    teaching = {"epochs": 20, "minibatch": 64, "entropy": 0.0}
    config = Imitation(**shared | teaching)
    policy = Policy(16, 1, game="bloodrage")
    batch, _ = play(Tables(config, seed=2), policy, 60, teacher)
    assert 0.1 < float((batch.taught == batch.actions).float().mean()) < 0.7
    batch.advantages = torch.where(batch.taught == batch.actions, -1.0, 1.0)

    def agreement() -> float:
        with torch.inference_mode():
            return float(policy(rows_of(batch, policy))[0].exp().gather(1, batch.taught[:, None]).mean())

    before = agreement()
    learned = learn(policy, torch.optim.Adam(policy.parameters(), lr=3e-3), batch, config)
    assert agreement() > before + 0.2
    assert "kl" not in learned


def test_actions_are_judged_as_by_all_logits() -> None:
    """Probabilities, entropies, values and all gradients are those of the dense head under a masked softmax."""
    torch.manual_seed(2)
    policy = Policy(24, 2, game="bloodrage")
    with torch.no_grad():
        for weights in policy.parameters():
            weights.add_(torch.randn_like(weights) * 0.2)
    batch, _ = play(Tables(SMALL, seed=5), policy, 20)
    by_log, by_entropy = torch.randn(2, len(batch.actions))

    def judged(logs: torch.Tensor, entropies: torch.Tensor, values: torch.Tensor) -> list[torch.Tensor]:
        policy.zero_grad()
        ((logs * by_log).mean() + (entropies * by_entropy).mean() + values.square().mean()).backward()
        return [logs.detach(), entropies.detach(), values.detach(), *(each.grad for each in policy.parameters())]

    scores = dense_rows(rows_of(batch, policy))[:, AT_SCORES:]
    worse = (1 - scores) * WORST / (1 - LEAST)  # glory
    shapes = np.stack([-worse / 4, -np.sqrt(np.maximum(worse, 0)) / 2, worse < 1e-3], 2).astype(np.float32)
    hidden = super(Policy, policy).forward(rows_of(batch, policy))
    logits = policy.actions(hidden) + (policy.gains(hidden)[:, None] * torch.from_numpy(shapes)).sum(2)
    logs = logits.masked_fill(torch.from_numpy(scores == 0), ILLEGAL).log_softmax(1)
    dense = judged(logs.gather(1, batch.actions[:, None])[:, 0], -(logs.exp() * logs).sum(1), policy.value(hidden))
    assert float(dense[1].max()) > 0.5
    for one, other in zip(dense, judged(*policy.evaluate_actions(rows_of(batch, policy), batch.actions)), strict=True):
        assert torch.allclose(one, other, atol=1e-5)
        assert float(one.abs().max()) > 1e-3
    with torch.inference_mode():
        assert torch.allclose(policy(rows_of(batch, policy))[0].exp(), logs.exp(), atol=1e-5)


def test_a_new_network_plays_about_as_the_rules_of_thumb() -> None:
    torch.manual_seed(3)
    policy = Policy(16, 1, game="bloodrage")
    batch, _ = play(Tables(SMALL, seed=5), policy, 40)
    scores = torch.from_numpy(dense_rows(rows_of(batch, policy))[:, AT_SCORES:])
    assert scores.shape[1] == NUM_ACTIONS
    chosen = scores.gather(1, batch.actions[:, None])[:, 0]
    assert float((chosen == 1.0).float().mean()) > 0.6


def test_bfloat16_changes_a_little_and_only_the_residual_layers(tmp_path: Path) -> None:
    """Answers and gradients are near those of float32 and not the same; all that leaves the policy is float32."""
    policy = ppo.Run(dataclasses.replace(SHORT, width=64, layers=2, bfloat16=True), tmp_path).policy
    batch, _ = play(Tables(SMALL, seed=5), policy, 20)

    def found() -> list[torch.Tensor]:
        policy.zero_grad()
        answers = policy.evaluate_actions(rows_of(batch, policy), batch.actions)
        (answers[0].mean() + answers[2].square().mean()).backward()
        return [*(each.detach() for each in answers), *(weights.grad for weights in policy.parameters())]

    in_half = found()
    policy.bfloat16 = False
    for half, whole in zip(in_half, found(), strict=True):
        assert half.dtype == torch.float32
        assert 0 < float((half - whole).norm() / whole.norm()) < 0.03


@pytest.mark.parametrize("bfloat16", [False, True])
def test_policies_among_the_opponents_answer_as_the_learner_does(
    bfloat16: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    policies: list[Policy] = []
    monkeypatch.setattr("bloodrage_training.learn.opponents.sampled", policies.append)
    export(Policy(16, 1, game="bloodrage"), tmp_path / "other.npz")
    others = {str(tmp_path / "other.npz"): 1.0}
    Tables(dataclasses.replace(SMALL, opponents=others, bfloat16=bfloat16), seed=1)
    assert [policy.bfloat16 for policy in policies] == [bfloat16]


def test_unknown_rows_teach_nothing() -> None:
    """Whatever stands in them: neither the losses nor the mean and deviation of the advantages see them."""
    learned = []
    for junk in (0.0, 1e4):
        torch.manual_seed(1)
        policy = Policy(16, 1, game="bloodrage")
        batch, _ = play(Tables(SMALL, seed=2), policy, 40)
        unknown = torch.from_numpy(~batch.known)
        assert 0 < int(unknown.sum()) < len(unknown)
        batch.advantages[unknown] = junk
        batch.returns[unknown] = junk
        batch.log_probabilities[unknown] = -junk
        torch.manual_seed(2)
        learn(policy, torch.optim.Adam(policy.parameters()), batch, SMALL)
        learned.append(policy.state_dict())
    for name, value in learned[0].items():
        assert torch.equal(value, learned[1][name]), name


def test_sparse_rows_are_the_dense_ones() -> None:
    rng = np.random.default_rng(1)
    dense = rng.random((6, NUM_INPUTS)).astype(np.float32) * (rng.random((6, NUM_INPUTS)) < 0.05)
    each = [SparseRows(np.array([0, (row != 0).sum()]), np.flatnonzero(row), row[row != 0]) for row in dense]
    rows = SparseRows.join([each[4], each[1], SparseRows.join(each)]).take(np.array([1, 7, 0]))
    policy = Policy(8, 1, game="bloodrage")
    wanted = torch.from_numpy(dense[[1, 5, 4]]) @ policy.first_weight
    weights = policy.first_weight.detach().clone().requires_grad_()
    (torch.from_numpy(dense[[1, 5, 4]]) @ weights + policy.first_bias).relu().sum().backward()
    from bloodrage_training.learn.differentiable import Product

    product = Product.apply(policy.first_weight, rows)  # type: ignore[no-untyped-call]
    assert torch.allclose(product, wanted, atol=1e-5)
    (product + policy.first_bias).relu().sum().backward()
    assert weights.grad is not None
    assert policy.first_weight.grad is not None
    assert torch.allclose(policy.first_weight.grad, weights.grad, atol=1e-5)


@pytest.mark.parametrize("game", games.names())
def test_both_first_layers_and_heads_are_one_policy(game: str) -> None:
    """Bytes by plain PyTorch, as on a GPU, and sparse rows by compiled code: the same answers and gradients."""
    torch.manual_seed(2)
    policy = Policy(24, 2, game)
    with torch.no_grad():
        for weights in policy.parameters():
            weights.add_(torch.randn_like(weights) * 0.1)
    config = dataclasses.replace(SMALL, game=game, players=(2,) if game == "berserk" else SMALL.players)
    batch, _ = play(Tables(config, seed=5), policy, 20)
    inputs = batch.inputs.take(torch.from_numpy(batch.places))
    assert inputs.counts.dtype == torch.uint8
    found = []
    for rows in (inputs, policy.rows(inputs)):
        policy.zero_grad()
        logs, entropies, values = policy.evaluate_actions(rows, batch.actions)
        (logs.mean() + 0.1 * entropies.mean() + values.square().mean()).backward()
        gradients = [each.grad.clone() for each in policy.parameters() if each.grad is not None]
        with torch.inference_mode():
            answers = policy(rows)
        found.append([logs.detach(), entropies.detach(), values.detach(), answers[0].exp(), answers[1], *gradients])
    for one, other in zip(*found, strict=True):
        assert torch.allclose(one, other, atol=1e-5)
        assert float(one.abs().max()) > 1e-4


def test_of_sure_decisions_a_share_is_learned_from_and_counts_for_all() -> None:
    torch.manual_seed(1)
    policy = Policy(16, 1, game="bloodrage")
    whole, _ = play(Tables(SMALL, seed=5), policy, 200)
    some, counts = play(Tables(SMALL, seed=5), policy, 200, sure=0.25)
    with torch.inference_mode():
        sure = policy(rows_of(whole, policy))[0].max(1).values.exp() > 0.98
        surer = policy(rows_of(some, policy))[0].max(1).values.exp() > 0.98
    assert (some.weights[surer] == 4.0).all()
    assert (some.weights[~surer] == 1.0).all()
    assert abs(float(some.weights.sum()) / counts.decisions - 1) < 0.1
    assert 0.3 < len(some.places) / counts.decisions < 1 - 0.6 * float(sure.float().mean())


def test_two_threads_play_games_of_their_own(tmp_path: Path) -> None:
    """Each game is played by one of them, and their rows are in parts of one array."""
    run = ppo.Run(dataclasses.replace(SHORT, steps=20), tmp_path)
    assert [tables.games.num_games for tables in run.tables] == [5, 4]
    players = np.concatenate([tables.games.players for tables in run.tables])
    assert players.tolist() == [4, 3, 2] * 3
    seeds = {int(seed) for tables in run.tables for seed in tables.games.seeds}
    assert len(seeds) == 9
    run.begin_rollout(0)
    batch, counts = run.end_rollout()
    run.close()
    assert len(set(batch.places.tolist())) == len(batch.places) == len(batch.actions)
    assert (batch.places < 5 * 20).sum() not in (0, len(batch.places))
    logs, values = run.policy(rows_of(batch, run.policy))
    chosen = logs.gather(1, batch.actions[:, None])[:, 0]
    assert torch.allclose(chosen, batch.log_probabilities, atol=1e-5)
    assert torch.allclose(values, batch.values, atol=1e-5)
    assert counts.decisions >= len(batch.places)
    assert counts.seconds.keys() == {"inputs", "network", "opponents", "steps", "advantages"}


def test_a_device_that_is_not_there_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert device_of("auto") == device_of("cpu") == "cpu"
    with pytest.raises(UserError, match=r"^--device cuda: PyTorch finds no such GPU"):
        device_of("cuda")
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    assert device_of("auto") == device_of("cuda") == "cuda"
