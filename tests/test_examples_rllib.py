"""The example for RLlib; skipped where that is not installed (docs/libraries.md)."""

import importlib
import os
from itertools import pairwise

import numpy as np
import pytest

from bloodrage_env import bloodrage_v0
from bloodrage_env.core.engine.rewards import win_rewards
from bloodrage_env.games.bloodrage import engine

pytest.importorskip("ray.rllib")
os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
ray = importlib.import_module("ray")
torch = importlib.import_module("torch")
example = importlib.import_module("rllib_ppo")

PLAYERS = 3
SEATS = [f"player_{seat}" for seat in range(PLAYERS)]


class Noted(example.PettingZooEnv):
    """Notes who moved, and what the engine's scores pay at the end."""

    games: list[tuple[list[str], list[float]]] = []  # noqa: RUF012  # movers in order, payments by seat

    def reset(self, **arguments):
        result = super().reset(**arguments)
        self.games.append(([], []))
        return result

    def step(self, action):
        (mover,) = action
        self.games[-1][0].append(mover)
        result = super().step(action)
        if result[2]["__all__"]:
            self.games[-1][1].extend(win_rewards(engine.scores(self.env.get_state(), 0).tolist()))
        return result


@pytest.fixture(scope="module")
def algorithm():
    """PPO with one network for all seats, on a Ray of this machine alone."""
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False)
    example.register_env("bloodrage", lambda config: Noted(bloodrage_v0.env(**config)))
    result = example.configure(PLAYERS, 256).build_algo()
    yield result
    result.stop()
    ray.shutdown()


@pytest.fixture(scope="module")
def pieces(algorithm):
    """Four hundred decisions in pieces of a hundred, as rollouts cut them, and what was noted meanwhile."""
    first = len(Noted.games)
    found = [episode for _ in range(4) for episode in algorithm.env_runner.sample(num_timesteps=100)]
    return found, Noted.games[first:]


def rows(pieces):
    """By game and seat: its pieces in order."""
    result: dict[tuple[str, str], list] = {}
    for episode in pieces:
        for seat, own in episode.agent_episodes.items():
            result.setdefault((episode.id_, seat), []).append(own)
    return result


def test_every_action_is_legal(pieces) -> None:
    count = 0
    for parts in rows(pieces[0]).values():
        for part in parts:
            masks, actions = part.get_observations()["action_mask"], np.asarray(part.get_actions())
            assert masks[np.arange(len(actions)), actions].all()
            count += len(actions)
    assert count > 300


def test_every_seat_is_paid_at_the_end(pieces) -> None:
    episodes, games = pieces
    ids = list(dict.fromkeys(episode.id_ for episode in episodes))
    found = rows(episodes)
    ended = 0
    for name, (movers, payments) in zip(ids, games, strict=False):
        for seat, payment in zip(SEATS, payments, strict=False):
            own = found[name, seat]
            assert sum(len(part) for part in own) == movers.count(seat)
            assert [part.is_terminated for part in own] == [False] * (len(own) - 1) + [True]
            rewards = np.concatenate([part.get_rewards() for part in own])
            assert rewards[-1] == pytest.approx(payment)
            assert not rewards[:-1].any()
        ended += bool(payments)
    assert ended >= 2


def test_what_follows_a_decision_is_the_own_next_one(pieces) -> None:
    """Piece by piece: the last observation of one is the first of the next, and each has one more than actions."""
    joined = 0
    for parts in rows(pieces[0]).values():
        seen = [part.get_observations() for part in parts]
        for part, observations in zip(parts, seen, strict=True):
            assert len(observations["observation"]) == len(part) + 1
            assert observations["action_mask"][:-1].any(1).all()  # it is this seat that is asked
        for before, after in pairwise(seen):
            assert np.array_equal(before["observation"][-1], after["observation"][0])
            joined += 1
    assert joined > 3


def test_training_moves_the_policy_which_then_plays_whole_games(algorithm) -> None:
    module = algorithm.get_module(example.POLICY)
    before = {name: value.clone() for name, value in module.state_dict().items()}
    algorithm.train()
    after = algorithm.get_module(example.POLICY).state_dict()
    assert not any(torch.equal(before[name], after[name]) for name in before if name.startswith("policy"))
    assert example.against(example.greedy(algorithm), "random", 12).games == 12
