"""One update of each learner compared with the formulas of the papers, written out in plain PyTorch."""

import copy
import dataclasses

import numpy as np
import pytest
import torch
from small_ppo import SMALL, play, rows_of
from torch import Tensor

from bloodrage_agents.games.bloodrage.compiled.inputs import AT_SCORES, NUM_INPUTS
from bloodrage_agents.scores import LEAST, WORST
from bloodrage_training.learn import ppo, search
from bloodrage_training.learn.config import Imitation, Ppo, Rollouts, Search
from bloodrage_training.learn.policy import Policy, SparseRows, sample
from bloodrage_training.learn.positions import CompactRows, Positions
from bloodrage_training.learn.tables import Tables

# Bounds on the norm of the gradient, one of which is always reached and the other never, and learning rates of plain
# gradient descent, which takes the place of Adam: a step is the gradient.
BOUNDS = [(0.05, 0.5), (1e9, 2e-3)]


def dense(rows: SparseRows) -> Tensor:
    """float32[N, NUM_INPUTS]."""
    found = np.zeros((len(rows), NUM_INPUTS), np.float32)
    found[np.repeat(np.arange(len(found)), np.diff(rows.offsets)), rows.index] = rows.values
    return torch.from_numpy(found)


def answers(policy: Policy, inputs: Tensor) -> tuple[Tensor, Tensor]:
    """float32[N, actions] the chances of actions, by a softmax over the legal ones; float32[N, seats] the values."""
    weights = dict(policy.named_parameters())
    hidden = torch.relu(inputs @ weights["first_weight"] + weights["first_bias"])
    for layer in range(len(policy.layers)):
        hidden = hidden + torch.relu(hidden @ weights[f"layers.{layer}.weight"].T + weights[f"layers.{layer}.bias"])
    scores = inputs[:, AT_SCORES:]
    worse = (1 - scores) * WORST / (1 - LEAST)  # glory
    forms = torch.stack([-worse / 4, -worse.clamp(0).sqrt() / 2, (worse < 1e-3).float()], 2)
    gains = hidden @ weights["gains.weight"].T + weights["gains.bias"]
    logits = hidden @ weights["actions.weight"].T + weights["actions.bias"] + (forms * gains[:, None]).sum(2)
    chances = torch.exp(logits - logits.max()) * (scores > 0)
    return chances / chances.sum(1, keepdim=True), hidden @ weights["value.weight"].T + weights["value.bias"]


def descend(policy: Policy, loss: Tensor, bound: float, rate: float) -> None:
    """A step down the gradient, which is scaled so that its norm is at most `bound`."""
    weights = list(policy.parameters())
    gradients = torch.autograd.grad(loss, weights)
    norm = torch.sqrt(sum((each**2).sum() for each in gradients))  # type: ignore[arg-type]
    with torch.no_grad():
        for weight, gradient in zip(weights, gradients, strict=True):
            weight -= rate * gradient * min(1.0, bound / float(norm))


def value_loss(values: Tensor, wanted: Tensor, weights: Tensor) -> Tensor:
    """Squared errors, of the other seats a quarter."""
    errors = (weights[:, None] * (values - wanted) ** 2).sum(0)
    return errors[0] + 0.25 * errors[1:].sum()


def expected_rollouts(policy: Policy, batch: ppo.Batch, config: Rollouts, parts: list[np.ndarray], rate: float) -> None:
    """PPO (Schulman and others, 2017): equation 7, its clipped objective, in equation 9 with values and entropy. Of a
    teacher's actions the likelihood in place of equation 7. Means are over the decisions that rows stand for, and
    advantages have mean 0 and deviation 1 for each number of players.
    """
    known, stands_for = torch.from_numpy(batch.known), batch.weights
    gains = torch.zeros(len(known))
    for players in (2, 3, 4):
        at = known & (batch.players == players)
        mean = (stands_for * batch.advantages)[at].sum() / stands_for[at].sum()
        variance = (stands_for * (batch.advantages - mean) ** 2)[at].sum() / stands_for[at].sum()
        gains[at] = (batch.advantages[at] - mean) / torch.sqrt(variance)
    for part in map(torch.from_numpy, parts):
        weights = stands_for[part] / stands_for[part].sum()
        chances, values = answers(policy, dense(rows_of(batch, policy))[part])
        chosen = chances.gather(1, batch.taught[part][:, None])[:, 0]
        if isinstance(config, Ppo):
            ratio = chosen / torch.exp(batch.log_probabilities[part])
            clipped = torch.clip(ratio, 1 - config.clip, 1 + config.clip)
            objective = (weights * torch.minimum(ratio * gains[part], clipped * gains[part])).sum()
        else:
            objective = (weights * torch.log(chosen)).sum()
        entropy = -torch.where(chances > 0, chances * torch.log(chances + 1e-30), 0.0).sum(1)
        entropy = (weights * entropy).sum()
        squared = value_loss(values, batch.returns[part], weights)
        descend(
            policy, -objective + config.value_weight * squared - config.entropy * entropy, config.gradient_norm, rate
        )


def check_moved(policy: Policy, learned: Policy, wanted: Policy) -> None:
    """Each of the weights has moved, as it should."""
    each = zip(policy.named_parameters(), learned.parameters(), wanted.parameters(), strict=True)
    for (name, before), one, other in each:
        moved = float((other - before).detach().norm())
        assert moved > 0, name
        assert float((one - other).detach().norm()) / moved < 2e-3, name


def trained(layers: int = 2) -> Policy:
    """A policy that is no longer at its start."""
    torch.manual_seed(3)
    policy = Policy(24, layers, game="bloodrage")
    with torch.no_grad():
        for value in policy.parameters():
            value.add_(torch.randn_like(value) * 0.1)
    return policy


def rollout(policy: Policy) -> ppo.Batch:
    """Decisions of the policy; from an earlier policy, as it seems, so that ratios are on both sides of the clip."""
    batch, _ = play(Tables(SMALL, seed=2), policy, 25, sure=0.3)
    torch.manual_seed(4)
    batch.log_probabilities += 0.3 * torch.randn(len(batch.actions))
    batch.advantages = 0.4 + 3 * torch.randn(len(batch.actions))
    batch.returns = torch.randn(batch.returns.shape)
    return batch


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize(("bound", "rate"), BOUNDS)
@pytest.mark.parametrize("kind", [Ppo, Imitation])
def test_an_update_from_a_rollout_is_that_of_the_formulas(
    kind: type[Rollouts], bound: float, rate: float, threads: int
) -> None:
    """Two epochs of three minibatches, with the bound on the norm of the gradient and without it."""
    policy = trained()
    batch = rollout(policy)
    usable = np.flatnonzero(batch.known)
    assert 100 < len(usable) < len(batch.known)
    if kind is Imitation:  # the teacher does something else: the first legal action
        batch.taught = (dense(rows_of(batch, policy))[:, AT_SCORES:] > 0).float().argmax(1)
    shared = {field.name: getattr(SMALL, field.name) for field in dataclasses.fields(Rollouts)}
    given = {"minibatch": len(usable) // 3, "epochs": 2, "entropy": 0.3, "value_weight": 0.7, "gradient_norm": bound}
    given["threads"] = threads
    assert {float(weight) for weight in batch.weights} == {1.0, float(np.float32(1 / 0.3))}
    config = kind(**shared | given | ({"target_kl": 1e9} if kind is Ppo else {}))
    wanted, learned = copy.deepcopy(policy), copy.deepcopy(policy)
    torch.manual_seed(5)
    orders = [usable[torch.randperm(len(usable)).numpy()] for _ in range(config.epochs)]
    for order in orders:
        expected_rollouts(wanted, batch, config, np.array_split(order, 3), rate)
    torch.manual_seed(5)
    ppo.learn(learned, torch.optim.SGD(learned.parameters(), rate), batch, config)
    check_moved(policy, learned, wanted)


@pytest.mark.parametrize(("bound", "rate"), BOUNDS)
def test_an_update_from_searches_is_that_of_the_formulas(bound: float, rate: float) -> None:
    """KL(policy | target of the search), and squared errors of values."""
    policy = trained()
    rows = CompactRows.of(rows_of(rollout(policy), policy), np.float16)
    every = rows.take(np.arange(len(rows.offsets) - 1))
    inputs = dense(every)
    legal = inputs[:, AT_SCORES:] > 0
    chances = torch.rand(legal.shape) * legal
    chances /= chances.sum(1, keepdim=True)
    row, action = (each.numpy() for each in torch.nonzero(legal, as_tuple=True))
    offsets = np.concatenate([np.zeros(1, np.int64), np.bincount(row, minlength=len(every)).cumsum()])
    targets = SparseRows(offsets, action, np.log(chances.numpy()[row, action]))
    values_of_all = np.random.default_rng(1).normal(size=(len(every), 5)).astype(np.float32)
    positions = Positions(rows, CompactRows.of(targets), values_of_all)
    config = Search(minibatch=len(every) - 20, value_weight=0.7, gradient_norm=bound)
    wanted, learned = copy.deepcopy(policy), copy.deepcopy(policy)
    torch.manual_seed(5)
    both = [torch.randint(len(every), (config.minibatch,)) for _ in range(2)]
    for picked, part_of_rate in zip(both, (1.0, 0.5), strict=True):  # the rate decays to zero
        found, values = answers(wanted, inputs[picked])
        ratio = torch.log(found + 1e-30) - torch.log(chances[picked] + 1e-30)
        divergence = torch.where(legal[picked], found * ratio, 0.0).sum(1).mean()
        squared = value_loss(
            values, torch.from_numpy(positions.values)[picked], torch.full((len(picked),), 1 / len(picked))
        )
        descend(wanted, divergence + config.value_weight * squared, bound, rate * part_of_rate)
    torch.manual_seed(5)
    search.learn(learned, torch.optim.SGD(learned.parameters(), rate), positions, 2, config)
    check_moved(policy, learned, wanted)


def test_inputs_are_made_sparse_once_for_all_epochs(monkeypatch: pytest.MonkeyPatch) -> None:
    """And the weights are the same to the last bit as with rows that are made for each minibatch."""
    made: list[int] = []
    of_inputs = SparseRows.of_inputs

    def counted(inputs: object, rows: np.ndarray, scales: np.ndarray) -> SparseRows:
        made.append(len(rows))
        return of_inputs(inputs, rows, scales)  # type: ignore[arg-type]

    torch.manual_seed(1)
    policy = Policy(16, 1, "bloodrage")
    config = dataclasses.replace(SMALL, steps=60, epochs=3, minibatch=64, target_kl=1e9)
    batch, _ = play(Tables(config, 3), policy, 60)
    weights = []
    for each in (False, True):
        learner = copy.deepcopy(policy)
        if each:  # as the reference does
            monkeypatch.setattr(
                ppo, "rows_of", lambda policy, batch, _: lambda at: policy.rows(batch.inputs, batch.places[at])
            )
        made.clear()
        monkeypatch.setattr(SparseRows, "of_inputs", counted)
        torch.manual_seed(2)
        ppo.learn(learner, torch.optim.Adam(learner.parameters(), 1e-3), batch, config)
        weights.append([weight.detach().numpy().tobytes() for weight in learner.parameters()])
        assert sum(made) == (3 * int(batch.known.sum()) if each else len(batch.places))
    assert weights[0] == weights[1]


def test_legal_actions_are_drawn_as_all_actions_are() -> None:
    """The same numbers draw the same actions as from the probabilities of all columns, but for the last bit."""
    torch.manual_seed(1)
    policy = Policy(16, 1, "bloodrage")
    batch, _ = play(Tables(SMALL, 3), policy, 100)
    rows = rows_of(batch, policy)
    different = 0
    with torch.inference_mode():
        logs, values = policy(rows)
        for seed in range(10):
            wanted = sample(logs, np.random.default_rng(seed))
            actions, chosen, top, others = policy.draw(rows, np.random.default_rng(seed))
            different += int((actions != wanted).sum())
            assert torch.equal(chosen, logs.gather(1, actions[:, None])[:, 0])
            assert torch.equal(top, logs.max(1).values)
            assert torch.equal(values, others)
    assert len(rows) > 500
    assert different <= 1
