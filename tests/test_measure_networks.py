"""The networks that `docs/measure_networks.py` compares: one is the present network, the others read what they say."""

import sys
from pathlib import Path

import numpy as np
import pytest
import torch

from bloodrage_agents.compiled.inputs import NUM_INPUTS
from bloodrage_agents.network import forward_of
from bloodrage_env import VectorGames
from bloodrage_env.engine import NUM_PROVINCES
from bloodrage_training.learn.mirror import MIRROR, PLACES
from bloodrage_training.learn.policy import Policy, SparseRows

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "docs"))

from networks import Net, card_inputs, clan_inputs, province_inputs  # type: ignore[import-not-found]


def rows(games: int = 8) -> SparseRows:
    """Open decisions in the midst of games of four."""
    batch = VectorGames(games, 4, seed=5, observations="none")
    batch.reset()
    rng = np.random.default_rng(5)
    for _ in range(60):
        batch.step((batch.masks + rng.random(batch.masks.shape)).argmax(1))
    return SparseRows.of(batch.states, np.arange(games), forward_of("bloodrage"))


def test_the_present_network_is_that_of_the_learner() -> None:
    torch.manual_seed(3)
    policy, net = Policy(32, 2), Net(32)
    for weights in policy.parameters():
        weights.data.add_(0.1 * torch.randn_like(weights))
    names = {"first_weight": "first.first_weight", "first_bias": "first.first_bias"}
    net.load_state_dict({names.get(name, name): weights for name, weights in policy.state_dict().items()})
    some = rows()
    logs, values = policy(some)
    found, seen, _ = net(some)
    legal = logs > -1e8
    assert torch.allclose(found[legal], logs[legal], atol=1e-4)
    assert torch.allclose(seen, values, atol=1e-4)
    assert not found.detach().exp().masked_fill(legal, 0.0).any()


@pytest.mark.parametrize("kind", ["pooled", "attention"])
def test_tokens_never_make_an_action_legal(kind: str) -> None:
    torch.manual_seed(4)
    some = rows()
    logs, values, _ = Net(32, kind)(some)
    legal = Net(32)(some)[0] > -1e8
    assert torch.allclose(logs.exp().masked_fill(~legal, 0.0).sum(1), torch.ones(len(some)))
    assert torch.isfinite(values).all()


def test_a_province_has_the_inputs_of_its_mirror_image() -> None:
    mirrored = np.append(MIRROR.inputs, NUM_INPUTS)
    inputs = province_inputs()
    for place in range(NUM_PROVINCES):
        assert (mirrored[inputs[place]] == inputs[PLACES[place]]).all()


def test_no_input_belongs_to_two_clans_or_to_two_sets_of_cards() -> None:
    for inputs in (clan_inputs(), card_inputs()):
        told = inputs[inputs < NUM_INPUTS]
        assert len(np.unique(told)) == len(told)
