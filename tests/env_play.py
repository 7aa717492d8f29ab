"""Playing environments at random, and comparing what they show."""

from typing import Any

import numpy as np

from bloodrage_env.games.bloodrage.engine import STATE
from bloodrage_env.games.bloodrage.env import BloodRage


def started(seed: int = 1, **options: Any) -> BloodRage:
    """A new environment with a game of this seed."""
    env = BloodRage(**options)
    env.reset(seed=seed)
    return env


def legal_action(mask: np.ndarray, rng: np.random.Generator) -> int:
    return int(rng.choice(np.flatnonzero(mask)))


def illegal_action(env: BloodRage) -> int:
    return int(np.flatnonzero(env.infos[env.agent_selection]["action_mask"] == 0)[0])


def play(env: BloodRage, rng: np.random.Generator, decisions: int = 10_000) -> int:
    """So many random decisions, or to the end of the game; returns how many."""
    for count in range(decisions):
        if env.terminations[env.agent_selection] or env.truncations[env.agent_selection]:
            return count
        env.step(legal_action(env.infos[env.agent_selection]["action_mask"], rng))
    return decisions


def leave(env: BloodRage) -> dict[str, float]:
    """Let every agent of a game that is over take its leave; returns what `last` gave each as reward."""
    rewards = {}
    for agent in env.agent_iter():
        rewards[agent] = env.last()[1]
        env.step(None)
    return rewards


def same_state(one: np.ndarray, other: np.ndarray) -> bool:
    """Field by field: the padding between fields may differ after numpy has copied a record."""
    return all(np.array_equal(one[name], other[name]) for name in STATE.names or ())


def assert_same(one: BloodRage, other: BloodRage) -> None:
    """Two environments show the same in everything that PettingZoo reads."""
    assert one.agents == other.agents
    assert one.possible_agents == other.possible_agents
    assert one.terminations == other.terminations
    assert one.truncations == other.truncations
    assert one.rewards == other.rewards
    assert one._cumulative_rewards == other._cumulative_rewards
    if one.agents:
        assert one.agent_selection == other.agent_selection
    for agent in one.possible_agents:
        seen, seen_too = one.observe(agent), other.observe(agent)
        assert np.array_equal(seen["observation"], seen_too["observation"])
        assert np.array_equal(seen["action_mask"], seen_too["action_mask"])
    assert same_state(one.get_state(), other.get_state())
