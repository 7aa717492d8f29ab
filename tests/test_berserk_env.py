"""Berserk as a PettingZoo environment, in batches, in replays."""

import copy
import pickle
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pettingzoo
import pytest
from berserk_position import content
from pettingzoo.test import api_test, parallel_api_test, seed_test

from bloodrage_env import berserk_v0
from bloodrage_env.core.api.replay import Recorder
from bloodrage_env.games.berserk.game import GAME
from bloodrage_env.games.berserk.options import Options
from bloodrage_env.games.berserk.replay import Replay, ReplayError
from bloodrage_env.vector import VectorGames

EVERY = [
    {},
    {"combat": "difference", "skip_forced": False},
    {"setup": "fixed", "max_turns": 30},
    {"decks": ("mountain_2", "steppe_2")},
]


@pytest.mark.parametrize("options", EVERY, ids=str)
def test_pettingzoo_accepts_it(options):
    api_test(berserk_v0.env(**options), num_cycles=300)
    seed_test(lambda: berserk_v0.env(**options), num_cycles=100)


def test_the_parallel_form():
    parallel_api_test(berserk_v0.parallel_env(setup="fixed"), num_cycles=200)


def test_it_is_registered():
    env = pettingzoo.make("aec", "bloodrage/berserk-v0", setup="fixed")
    env.reset(seed=1)
    assert env.agent_selection in ("player_0", "player_1")
    assert env.observation_space("player_0") is env.observation_space("player_1")


def played(seed: int, moves: int, **options):
    """An environment after so many random moves."""
    env = berserk_v0.env(**options)
    env.reset(seed=seed)
    rng = np.random.default_rng(seed)
    for _ in range(moves):
        if not env.agents or env.terminations[env.agent_selection] or env.truncations[env.agent_selection]:
            break
        env.step(int(rng.choice(env.infos[env.agent_selection]["action_mask"].nonzero()[0])))
    return env


def test_rewards():
    """rules 6.4, 6.5"""
    seen = set()
    for seed in range(12):
        env = played(seed, 10_000, setup="fixed", max_turns=(200, 6)[seed % 4 == 3])
        rewards = tuple(env.rewards[agent] for agent in env.possible_agents)
        truncated = any(env.truncations.values())
        assert rewards in (((0.0, 0.0),) if truncated else ((1.0, -1.0), (-1.0, 1.0), (0.0, 0.0)))
        seen.add(rewards)
    assert len(seen) > 1


def test_copies_and_states():
    env = played(3, 30, setup="fixed")
    for other in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        assert content(other.get_state()) == content(env.get_state())
        other.step(int(other.infos[other.agent_selection]["action_mask"].argmax()))
        assert content(other.get_state()) != content(env.get_state())
    state = env.get_state()
    fresh = berserk_v0.env()
    fresh.reset(seed=1)
    fresh.set_state(state)
    assert fresh.agent_selection == env.agent_selection
    assert (fresh.observe(env.agent_selection)["observation"] == env.observe(env.agent_selection)["observation"]).all()


def test_an_illegal_action_ends_the_game():
    env = played(3, 20)
    agent = env.agent_selection
    env.step(int(env.infos[agent]["action_mask"].argmin()))
    assert env.rewards[agent] == -1.0
    assert all(env.terminations.values())


def test_rendering():
    env = played(3, 60, render_mode="ansi")
    text = env.render()
    assert isinstance(text, str)
    assert "Player A" in text
    with pytest.raises(ValueError, match="render_mode"):
        berserk_v0.env(render_mode="rgb")


def test_observations_by_name():
    env = played(5, 0)
    parts = env.observation_dict("player_0")
    assert parts["phase"].argmax() == 0
    assert parts["decks"].sum(axis=1) * 3 == pytest.approx([30, 30])
    assert sum(part.size for part in parts.values()) == GAME.observation_size


@pytest.mark.parametrize("options", EVERY, ids=str)
def test_a_batch_plays_the_games_that_its_seeds_say(options):
    games = VectorGames(4, game="berserk", seed=5, threads=2, **options)
    games.reset()
    alone = [GAME.new_game(5 + game, Options(**options)) for game in range(4)]
    rng = np.random.default_rng(0)
    vector = np.zeros(GAME.observation_size, np.float32)
    for _ in range(80):
        actions = [int(rng.choice(mask.nonzero()[0])) for mask in games.masks]
        for game, states in enumerate(alone):
            assert games.masks[game].tolist() == states["mask"][0].tolist()
            GAME.observe.observe(states, 0, int(states["seat"][0]), vector)
            assert games.observations[game].tolist() == vector.tolist()
            if GAME.play.apply(states, 0, actions[game]) == -1:
                alone[game] = GAME.new_game(int(games.seeds[game]) + 4, Options(**options))
        games.step(actions)


def test_replays(tmp_path: Path):
    names = ["ORC", "NOMAD", "KSHAR", "ZVAR", "BORG", "MRAZEN", "ARACENT", "GERMET", "GOBRAKH", "MERCENARY"]
    options = Options(combat="difference", decks=("steppe_2", dict.fromkeys(names, 3)))
    recorder = Recorder(Replay(7, options))
    rng = np.random.default_rng(7)
    while not GAME.play.is_over(recorder.states, 0):
        recorder.apply(int(rng.choice(recorder.states[0].mask.nonzero()[0])))
    recorder.replay().save(tmp_path / "game.bsk")
    again = Replay.load(tmp_path / "game.bsk")
    assert asdict(again) == asdict(recorder.replay())
    assert content(again.verify()) == content(recorder.states)
    data = (tmp_path / "game.bsk").read_bytes()
    for damaged in (data[:-1], data.replace(b"berserk", b"bloodrage", 1), data[:60] + b"x" + data[61:]):
        with pytest.raises(ReplayError):
            Replay.from_bytes(damaged)
