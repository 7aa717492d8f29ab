"""The networks that `research.measure.networks` compares: one is the present network, the others read what they say."""

from pathlib import Path

import numpy as np
import pytest
import torch

from bloodrage_agents import parts
from bloodrage_agents.games.bloodrage.compiled.inputs import NUM_INPUTS
from bloodrage_env import VectorGames
from bloodrage_env.games.bloodrage.engine import NUM_PROVINCES
from bloodrage_training.games.bloodrage.mirror import MIRROR, PLACES
from bloodrage_training.learn.policy import Policy, SparseRows
from research.measure import networks
from research.measure.compared import Net, card_inputs, clan_inputs, province_inputs
from research.measure.decisions import Decisions


def rows(games: int = 8) -> SparseRows:
    """Open decisions in the midst of games of four."""
    batch = VectorGames(games, 4, seed=5, observations="none")
    batch.reset()
    rng = np.random.default_rng(5)
    for _ in range(60):
        batch.step((batch.masks + rng.random(batch.masks.shape)).argmax(1))
    return SparseRows.of(batch.states, np.arange(games), parts.forward("bloodrage"))


def test_the_present_network_is_that_of_the_learner() -> None:
    torch.manual_seed(3)
    policy, net = Policy(32, 2, game="bloodrage"), Net(32)
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
        shown = inputs[inputs < NUM_INPUTS]
        assert len(np.unique(shown)) == len(shown)


def decisions() -> Decisions:
    """Decisions with numbers by chance."""
    some, rng = rows(), np.random.default_rng(7)
    targets = SparseRows(np.arange(len(some) + 1), np.arange(len(some)), rng.random(len(some), np.float32))
    whole, reals = rng.integers(9, size=(3, len(some))), rng.random((len(some), 5, 8), np.float32)
    small = np.arange(2 * len(some)).reshape(len(some), 2)
    return Decisions(
        some, targets, whole[0], whole[1], reals[..., 0], reals, whole[2], small.astype(np.int8), small.astype(np.uint8)
    )


def test_decisions_are_kept_without_pickles(tmp_path: Path) -> None:
    kept = decisions()
    kept.save(tmp_path / "games.npz")
    found = Decisions.load(tmp_path / "games.npz")
    for one, other in zip(kept.arrays(), found.arrays(), strict=True):
        assert one.dtype == other.dtype
        assert (one == other).all()


def test_what_was_done_with_other_settings_is_done_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Weights depend on the minutes and the games learned from, win rates also on the number of games played."""
    trained, played, some = [], [], decisions()

    def train(variant: networks.Variant, part: Decisions, seconds: float) -> tuple[Net, dict[str, float]]:
        trained.append(seconds)
        return Net(8), {"seen": 1, "rate": 1.0}

    def play_games(present: Path, choose: object, games: int) -> dict[str, float]:
        assert present.exists()
        played.append(games)
        return {"games": games}

    monkeypatch.setattr(networks, "VARIANTS", (networks.Variant(networks.BASE, {"width": 8}),))
    monkeypatch.setattr(networks, "gathered", lambda folder, games: (some, some))
    monkeypatch.setattr(networks, "train", train)
    monkeypatch.setattr(networks, "play_games", play_games)
    monkeypatch.setattr(networks, "speed", lambda *given: {})
    for minutes, learn, games in ((1, 1000, 10), (1, 1000, 10), (2, 1000, 10), (2, 2000, 10), (2, 2000, 20)):
        ((_, figures),) = networks.measured(tmp_path, minutes, learn, games)
        assert figures["games"] == games
    assert trained == [60, 120, 120]
    assert played == [10, 10, 10, 20]


def test_no_file_is_unpickled() -> None:
    """What is loaded are weights and arrays alone, whoever wrote the file."""
    root = Path(__file__).resolve().parents[2]
    folders = ("bloodrage_env", "agents", "training", "research", "docs", "notebooks")
    paths = [path for folder in folders for path in (root / folder).rglob("*.py") if path.parent.name != "tests"]
    assert len(paths) > 100
    for path in paths:
        source = path.read_text(encoding="utf-8")
        assert "weights_only=False" not in source, path
        assert "allow_pickle=True" not in source, path
        assert source.count("torch.load(") == source.count("weights_only=True"), path
