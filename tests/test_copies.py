"""Copies of everything that holds a game: the original does not notice them, and they play on as it would have."""

import copy
import os
import pickle
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cloudpickle
import gymnasium
import numpy as np
import pytest
from environments import PETTINGZOO

from bloodrage_agents import registry
from bloodrage_agents.base import agent_rng
from bloodrage_agents.isolated import Isolated
from bloodrage_agents.match import play_game
from bloodrage_agents.opponents import opponent
from bloodrage_env import VectorGames, games
from bloodrage_env.errors import UserError
from bloodrage_env.gym import OneSeat, OneSeatVector

WAYS: dict[str, Callable[[Any], Any]] = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda held: pickle.loads(pickle.dumps(held)),
    "cloudpickle": lambda held: pickle.loads(cloudpickle.dumps(held)),
}
PLUG_INS = "tests/plug_ins/good.py"
OPPONENTS = {
    "bloodrage": (
        "random", "balanced", "greedy:redeals=1", "flat:simulations=2", "ismcts:simulations=2",
        "ismcts:simulations=2,threads=2", "ismcts:simulations=2,path=shipped", "network", "network:sample=all",
        f"{PLUG_INS}:Dice", f"{PLUG_INS}:Keeper", f"{PLUG_INS}:Looker",
    ),
    "berserk": (
        "random", "hold", "flat:simulations=2", "ismcts:simulations=2", "ismcts:simulations=2,path=shipped", "network",
        "network:sample=all", f"{PLUG_INS}:Dice", f"{PLUG_INS}:Keeper",
    ),
    "berserk_team": ("random", "hold", "flat:simulations=2", "ismcts:simulations=2,path=shipped", "network"),
    "berserk_laar": ("random", "hold", "flat:simulations=2", "ismcts:simulations=2,path=shipped", "network"),
}  # fmt: skip
PAIRS = [(game, spec) for game, specs in OPPONENTS.items() for spec in specs]
Trace = list[Any]


def few(game: str) -> int:
    """Two players, or as few as a game has."""
    return max(2, int(games.game(game).options.facts()["num_players"].kind.low))


def chosen(mask: Any, number: int) -> int:
    """A legal action that differs from decision to decision, 0 where none is legal."""
    legal = np.flatnonzero(mask)
    return int(legal[7919 * number % len(legal)]) if len(legal) else 0


def play_one(env: Any) -> Trace:
    """The game to its end, and the beginning of the next one."""
    trace: Trace = []
    mask, left = env.unwrapped.action_masks(), 1000
    while left:
        left -= 1
        seen, reward, terminated, truncated, info = env.step(chosen(mask, left))
        trace.append((seen.tobytes(), reward, terminated))
        mask = info["action_mask"]
        if terminated or truncated:
            seen, info = env.reset()
            mask, left = info["action_mask"], min(left, 3)
    return trace


def play_many(env: Any) -> Trace:
    trace: Trace = []
    for step in range(40):
        seen, rewards, *_ = env.step(np.array([chosen(mask, step) for mask in env.action_masks()]))
        trace.append((seen.tobytes(), rewards.tobytes()))
    return trace


def play_aec(env: Any) -> Trace:
    trace: Trace = []
    for agent in env.agent_iter():
        seen, reward, *_ = env.last()
        action = chosen(seen["action_mask"], len(trace)) if seen["action_mask"].any() else None
        trace.append((agent, seen["observation"].tobytes(), reward))
        env.step(action)
    return trace


def play_parallel(env: Any) -> Trace:
    trace: Trace = []
    while env.agents:
        masks = {agent: env.aec_env.observe(agent)["action_mask"] for agent in env.agents}
        seen, rewards, *_ = env.step({agent: chosen(mask, len(trace)) for agent, mask in masks.items()})
        trace.append((seen["player_0"]["observation"].tobytes(), rewards))
    return trace


def play_batch(batch: Any) -> Trace:
    trace: Trace = []
    for step in range(80):
        batch.step(np.array([chosen(mask, step) for mask in batch.masks]))
        trace.append((batch.observations.tobytes(), batch.rewards.tobytes()))
    return trace


def play_recorder(recorder: Any) -> Trace:
    while recorder.states["num_legal"][0]:
        recorder.apply(chosen(recorder.states["mask"][0], len(recorder.actions)))
    return [recorder.replay()]


def check(begin: Callable[[], Any], play: Callable[[Any], Trace], ways: Any = WAYS) -> None:
    """Each copy is played to its end before the original is."""
    expected = play(begin())
    original = begin()
    copies = [WAYS[way](original) for way in ways]
    assert len(expected) > 0
    for each in copies:
        assert play(each) == expected
    assert play(original) == expected


@pytest.mark.parametrize(("game", "spec"), PAIRS)
def test_one_seat(game: str, spec: str) -> None:
    def begin() -> OneSeat:
        env = OneSeat(few(game), game=game, opponents=spec)
        env.reset(seed=4)
        for number in range(4):
            env.step(chosen(env.action_masks(), number))
        return env

    check(begin, play_one)


@pytest.mark.parametrize(("game", "spec"), [("bloodrage", "greedy:redeals=1,random,network"), ("berserk", "network")])
def test_one_seat_of_many_games(game: str, spec: str) -> None:
    def begin() -> OneSeatVector:
        env = OneSeatVector(2, game=game, opponents=spec)
        env.reset(seed=4)
        return env

    check(begin, play_many)


@pytest.mark.parametrize("game", OPPONENTS)
def test_one_seat_before_the_first_game(game: str) -> None:
    for copied in WAYS.values():
        one, other = copied(OneSeat(game=game, opponents="network")), OneSeat(game=game, opponents="network")
        assert one.reset(seed=5)[0].tobytes() == other.reset(seed=5)[0].tobytes()


@pytest.mark.parametrize("game", OPPONENTS)
def test_what_gymnasium_makes(game: str) -> None:
    """`copy.copy` of one of its wrappers shares the environment inside, which is not ours."""

    def begin() -> Any:
        env = gymnasium.make("bloodrage/OneSeat-v0", game=game, opponents="network")
        env.reset(seed=4)
        return env

    check(begin, play_one, set(WAYS) - {"copy"})


@pytest.mark.parametrize("game", games.all_names())
def test_pettingzoo(game: str) -> None:
    def begin(form: str) -> Any:
        env = getattr(PETTINGZOO[game], form)()
        env.reset(seed=4)
        return env

    check(lambda: begin("env"), play_aec)
    check(lambda: begin("parallel_env"), play_parallel)


@pytest.mark.parametrize("game", games.all_names())
def test_a_batch_and_a_recorder(game: str) -> None:
    def batch() -> VectorGames:
        made = VectorGames(2, game=game, threads=2)
        made.reset(4)
        return made

    def recorder() -> Any:
        options = games.options_from(game)
        return games.recorder(options, 4, ["someone"] * options.num_players)

    check(batch, play_batch)
    check(recorder, play_recorder)


@pytest.mark.parametrize("game", OPPONENTS)
def test_the_batch_of_stable_baselines(game: str) -> None:
    module = pytest.importorskip("bloodrage_training.sb3_vec_env")

    def begin() -> Any:
        env = module.SelfPlayVecEnv(2, few(game), game=game, opponents=["network:sample=all", f"{PLUG_INS}:Keeper"])
        env.seed(4)
        env.reset()
        return env

    def play(env: Any) -> Trace:
        trace: Trace = []
        for step in range(40):
            seen, rewards, *_ = env.step(np.array([chosen(mask, step) for mask in env.env_method("action_masks")]))
            trace.append((seen.tobytes(), rewards.tobytes()))
        return trace

    check(begin, play)


@pytest.mark.parametrize("kind", ["DummyVecEnv", "sync"])
def test_vectors_of_other_libraries(kind: str) -> None:
    """Their `copy.copy` is a shallow one."""

    def begin() -> Any:
        if kind == "sync":
            env: Any = gymnasium.vector.SyncVectorEnv([lambda: OneSeat(2, opponents="network")] * 2)
            env.reset(seed=4)
            env.action_masks = lambda: [each.action_masks() for each in env.envs]
        else:
            vec = pytest.importorskip("stable_baselines3.common.env_util")
            env = vec.make_vec_env(OneSeat, 2, seed=4, env_kwargs={"num_players": 2, "opponents": "network"})
            env.reset()
        return env

    def play(env: Any) -> Trace:
        trace: Trace = []
        envs = [each.unwrapped for each in env.envs]
        for step in range(40):
            seen, rewards, *_ = env.step(np.array([chosen(each.action_masks(), step) for each in envs]))
            trace.append((seen.tobytes(), rewards.tobytes()))
        return trace

    check(begin, play, ["deepcopy"])


@pytest.mark.parametrize(("game", "spec"), PAIRS)
def test_agents(game: str, spec: str) -> None:
    """Those of a line-up, and one with a generator of its own at a seat."""
    options = games.options_from(game, num_players=few(game))

    def play(agent: Any) -> Trace:
        others = [registry.make("random", game) for _ in range(1, options.num_players)]
        record = play_game([agent, *others], 4, options, range(1, options.num_players + 1))
        return [record.actions, record.scores]

    check(lambda: registry.make(spec, game), play, ["deepcopy", "pickle", "cloudpickle"])
    states = games.game(game).new_game(4, options)
    asked = int(states["seat"][0])
    check(lambda: opponent(spec, asked, 4, options), lambda seated: [seated(states), seated(states)])


# ---- plug-ins


def test_a_plug_in_that_can_not_be_copied_is_named_in_a_line() -> None:
    env = OneSeat(2, opponents="tests/plug_ins/bad.py:Locked")
    env.reset(seed=4)
    for copied in WAYS.values():
        with pytest.raises(UserError, match=r"^tests/plug_ins/bad.py:Locked can't be copied: TypeError: cannot pickle"):
            copied(env)


def test_a_pickle_loads_the_file_of_a_plug_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "mine.py"
    path.write_text(Path(PLUG_INS).read_text())
    made = opponent(f"{path}:Keeper", 0, 4, games.options_from("bloodrage"))
    kept = pickle.dumps(made)
    module = type(made.agent).__module__

    monkeypatch.delitem(sys.modules, module)  # as in another process
    states = games.game("bloodrage").new_game(4, games.options_from("bloodrage"))
    assert pickle.loads(kept)(states) == made(states)

    monkeypatch.delitem(sys.modules, module)
    path.write_text(path.read_text() + "\n")
    with pytest.raises(UserError, match=r"mine.py:Keeper can't be restored: its file has changed"):
        pickle.loads(kept)
    path.unlink()
    with pytest.raises(UserError, match=r"there is no file .*mine.py"):
        pickle.loads(kept)


@pytest.mark.skipif(os.name != "posix", reason="needs a process of its own")
def test_a_plug_in_in_its_own_process_is_not_copied_while_that_runs() -> None:
    options = games.options_from("bloodrage", num_players=2)
    states = games.game("bloodrage").new_game(4, options)
    with Isolated(f"{PLUG_INS}:First", 10.0) as agent:
        for copied in WAYS.values():
            assert copied(agent).spec == agent.spec  # no process yet
        agent.reset(0, options)
        for copied in WAYS.values():
            with pytest.raises(UserError, match=r"First can't be copied: it plays in a process of its own; close\(\)"):
                copied(agent)
        agent.close()
        with copy.deepcopy(agent) as other:
            other.reset(0, options)
            mask = states["mask"][0]
            assert other.act(np.zeros(1, np.float32), mask, agent_rng(1)) == mask.argmax()
