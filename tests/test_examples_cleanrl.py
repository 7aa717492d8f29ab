"""The example in the style of CleanRL: seats, masks and advantages, and an export that plays as the network does."""

import importlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bloodrage_agents import parts
from bloodrage_agents.network import Network
from bloodrage_env import VectorGames
from bloodrage_training.learn import ppo
from bloodrage_training.learn.evaluate import against, greedy
from bloodrage_training.learn.export import read
from bloodrage_training.learn.tables import clockwise

torch = pytest.importorskip("torch")
example = importlib.import_module("cleanrl_ppo")

SMALL = example.Args(players=3, num_games=4, steps=100, width=8, decisions=800, every=400)


def played(args):
    """A network, the games, and a rollout."""
    torch.manual_seed(1)
    net, rollout = example.Net(args), example.Rollout.empty(args)
    games = VectorGames(args.num_games, args.players, game=args.game, observations="bytes")
    games.reset()
    example.play(net, games, rollout)
    return net, games, rollout


def test_every_action_is_legal_and_only_ends_are_rewarded() -> None:
    _, _, rollout = played(replace(SMALL, steps=200))
    assert np.take_along_axis(rollout.masks, rollout.actions[:, :, None], 2).all()
    assert rollout.dones.any()
    assert not rollout.rewards[~rollout.dones].any()
    assert np.allclose(rollout.rewards.sum(2), 0, atol=1e-5)
    assert (rollout.seats < SMALL.players).all()


def test_advantages_are_those_of_the_learner_of_the_project() -> None:
    """Of the same decisions; the learner of the project has the rewards clockwise from each seat."""
    _, games, rollout = played(replace(SMALL, num_games=3, steps=200))
    steps, every = [], np.arange(3)
    for step in range(200):
        values = np.zeros((3, games.game.max_seats), np.float32)
        values[:, 0] = rollout.values[step]
        rewards = clockwise(rollout.rewards[step], games.players)
        steps.append(ppo.Step(every, rollout.seats[step], values, rollout.dones[step], rewards))
    expected, known = ppo.advantages(steps, 0.95)
    found, certain = example.advantages(rollout, 0.95)
    assert np.array_equal(certain.ravel(), known)
    assert 0 < known.sum() < known.size
    assert np.allclose(found.ravel()[known], expected[known, 0], atol=1e-6)


@pytest.mark.parametrize(("game", "players"), [("bloodrage", 4), ("berserk", 2)])
def test_it_trains_and_exports_a_policy_that_plays_as_the_network(
    game: str, players: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    args = replace(SMALL, game=game, players=players, out=str(tmp_path))
    first = example.Net(args)
    net = example.train(args)
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["400", "800", "wrote"]
    assert [path.stem for path in sorted((tmp_path / "snapshots").glob("*"))] == ["000000000400", "000000000800"]
    assert not torch.equal(net.actor.weight, first.actor.weight)
    games = VectorGames(5, players, game=game, observations="bytes")
    games.reset()
    with torch.inference_mode():
        policy, values = net(torch.from_numpy(games.observations), torch.from_numpy(games.masks))
    network = Network.load(tmp_path / "policy.npz", game)
    logits, found = network.evaluate(games.states, np.arange(5))
    assert logits.shape[1] == parts.forward(game).sizes.actions
    logs = torch.from_numpy(logits).log_softmax(1)
    assert torch.allclose(policy.logits.exp(), logs.exp(), atol=2e-3)
    assert np.allclose(values.numpy(), found[:, 0], atol=2e-2)
    assert against(greedy(read(tmp_path / "policy.npz", game)), "random", 4, players, game=game).games == 4


def test_two_runs_with_one_seed_are_equal(tmp_path: Path) -> None:
    for name in ("a", "b"):
        example.train(replace(SMALL, decisions=400, out=str(tmp_path / name)))
    assert (tmp_path / "a" / "policy.npz").read_bytes() == (tmp_path / "b" / "policy.npz").read_bytes()
