"""Stable-Baselines3: the batch as its `VecEnv`, its networks as policies, and the script that trains with both."""

import re
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common import save_util
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import DummyVecEnv, VecMonitor

import sb3_maskable_ppo
from bloodrage_agents.base import View
from bloodrage_agents.network import Network, NetworkAgent
from bloodrage_env import VectorGames, games
from bloodrage_env.errors import UserError
from bloodrage_env.gym import OneSeat
from bloodrage_training.learn.export import export
from bloodrage_training.learn.policy import Policy, SparseRows
from bloodrage_training.sb3_policy import policy_of
from bloodrage_training.sb3_vec_env import SelfPlayVecEnv

GAMES = games.names()
NETWORK = "network:path={},sample=all"


def random_actions(env: Any, rng: np.random.Generator) -> np.ndarray:
    masks = get_action_masks(env)
    return (masks + rng.random(masks.shape)).argmax(1)


def small_network(folder: Path, game: str, seed: int = 3) -> str:
    """The file of a policy that plays about as well as random play, but is deterministic."""
    torch.manual_seed(seed)
    policy = Policy(8, 1, game)
    torch.nn.init.zeros_(policy.gains.bias)  # of rules of thumb, which would always win
    torch.nn.init.normal_(policy.actions.weight)
    export(policy, folder / f"{game}{seed}.npz")
    return str(folder / f"{game}{seed}.npz")


# ---- the environment


@pytest.mark.parametrize(
    ("game", "opponents"),
    [
        ("bloodrage", ["balanced", "greedy"]),
        pytest.param("bloodrage", ["random", NETWORK], marks=pytest.mark.slow),
        ("berserk", ["random"]),
        ("berserk", [NETWORK]),
    ],
)
def test_it_is_a_dummy_vec_env_of_one_seat_games(game: str, opponents: list[str], tmp_path: Path) -> None:
    """Networks, which answer all games in one call here, draw what each of them draws there."""
    specs = ",".join(opponents).format(small_network(tmp_path, game))
    given = {"num_players": 1 + len(opponents), "opponents": specs, "game": game}
    batch, single = SelfPlayVecEnv(3, **given), DummyVecEnv([lambda: OneSeat(**given)] * 3)
    assert (batch.observation_space, batch.action_space) == (single.observation_space, single.action_space)
    assert batch.seed(5) == single.seed(5)
    assert np.array_equal(batch.reset(), single.reset())
    rng, finished = np.random.default_rng(1), 0
    while finished < 4:
        assert np.array_equal(get_action_masks(batch), get_action_masks(single))
        actions = random_actions(batch, rng)
        ours, theirs = batch.step(actions), single.step(actions)
        for one, other in zip(ours[:3], theirs[:3], strict=True):
            assert one.dtype == other.dtype
            assert np.array_equal(one, other)
        for own, info, done in zip(ours[3], theirs[3], ours[2], strict=True):
            del info["action_mask"]
            assert own.keys() == info.keys() == {"TimeLimit.truncated"} | ({"terminal_observation"} if done else set())
            assert own["TimeLimit.truncated"] is info["TimeLimit.truncated"] is False
            assert np.array_equal(own.get("terminal_observation", 0), info.get("terminal_observation", 0))
        finished += ours[2].sum()


@pytest.mark.parametrize("game", GAMES)
def test_steps_are_those_of_a_plain_loop_over_vector_games(game: str, tmp_path: Path) -> None:
    """Networks, which answer all games in one call, play as they do when each is asked by what its seat may know."""
    path = small_network(tmp_path, game)
    agent = NetworkAgent(path, sample="none", game=game)
    env = SelfPlayVecEnv(3, game=game, opponents=f"network:path={path},sample=none")
    env.seed(2)
    observations = env.reset()
    pool = env._pool
    each = [VectorGames(1, game=game) for _ in range(3)]
    for plain in each:
        plain.reset()
    rng, begun, paid = np.random.default_rng(0), range(3), list[float]()
    while len(paid) < 10:
        for one in begun:
            each[one].states[:] = pool.states[one : one + 1]
        masks, learners, actions = get_action_masks(env), pool.seats.tolist(), random_actions(env, rng)
        for one, plain in enumerate(each):
            assert int(plain.states["seat"][0]) == learners[one]
            assert np.array_equal(masks[one], plain.states["mask"][0])
            seen = np.empty(observations.shape[1], np.float32)
            plain.game.observe.observe(plain.states, 0, learners[one], seen)
            assert np.array_equal(observations[one], seen)
        observations, rewards, dones, _ = env.step(actions)
        for one, plain in enumerate(each):
            plain.step(actions[one : one + 1])
            while not plain.dones[0] and plain.seats[0] != learners[one]:
                view = View.of(plain.states, 0, int(plain.seats[0]), game)
                plain.step([agent.act(view, plain.masks[0], rng)])
            assert dones[one] == plain.dones[0]
            assert rewards[one] == plain.rewards[0, learners[one]] * plain.dones[0]
        begun = np.flatnonzero(dones)
        paid += rewards[dones].tolist()
    assert len(set(paid)) > 1


def test_a_game_that_is_cut_off_is_marked() -> None:
    env = SelfPlayVecEnv(2, 2, opponents="random")
    env.seed(1)
    env.reset()
    env._pool.states["decisions"][1] = games.game("bloodrage").max_decisions - 1
    _, _, dones, infos = env.step(get_action_masks(env).argmax(1))
    assert dones.tolist() == [False, True]
    assert [info["TimeLimit.truncated"] for info in infos] == [False, True]
    assert infos[1]["terminal_observation"].shape == env.observation_space.shape


def test_it_answers_as_a_vec_env() -> None:
    env = SelfPlayVecEnv(3, 2, opponents="random", render_mode="ansi")
    env.reset()
    assert is_masking_supported(env)
    assert is_masking_supported(VecMonitor(env))
    assert (env.render_mode, env.get_attr("render_mode", [0, 2])) == ("ansi", ["ansi"] * 2)
    assert np.array_equal(env.env_method("action_masks", indices=1), get_action_masks(env)[1:2])
    assert np.array_equal(env.get_attr("action_masks", 2)[0](), get_action_masks(env)[2])
    assert env.env_is_wrapped(Monitor, [0, 1]) == [False, False]
    assert len(set(env.env_method("render"))) == 3
    env.set_attr("name", "Ymir", 1)
    assert env.get_attr("name", 1) == ["Ymir"]
    assert not env.has_attr("name")
    env.close()


def test_pictures_are_tiled() -> None:
    pytest.importorskip("pygame")
    env = SelfPlayVecEnv(2, 2, opponents="random", render_mode="rgb_array")
    env.reset()
    picture = env.render()
    assert picture is not None
    assert picture.shape == (1600, 1280, 3)


def test_the_same_seed_plays_the_same_games(tmp_path: Path) -> None:
    """Networks that draw their actions included, and whichever of a list a game draws."""
    drawing = NETWORK.format(small_network(tmp_path, "berserk"))
    played = []
    for seed in (4, 4, 5):
        env = SelfPlayVecEnv(4, game="berserk", opponents=[drawing, "random"])
        env.seed(seed)
        env.reset()
        rng = np.random.default_rng(0)
        played.append([env.step(random_actions(env, rng))[0] for _ in range(60)])
    assert np.array_equal(played[0], played[1])
    assert not np.array_equal(played[0], played[2])


def test_opponents_are_swapped_for_the_games_to_come(tmp_path: Path) -> None:
    specs = [f"network:path={small_network(tmp_path, 'berserk', seed)}" for seed in (3, 4)]
    env = VecMonitor(SelfPlayVecEnv(6, game="berserk", opponents="random"))
    env.seed(1)
    env.reset()
    pool = env.unwrapped._pool  # type: ignore[attr-defined]
    env.set_opponents(specs)
    assert [agents[0] for agents in pool.agents] == [None] * 6
    rng, begun = np.random.default_rng(0), set[int]()
    while len(begun) < 6:
        dones = env.step(random_actions(env, rng))[2]
        begun |= {*np.flatnonzero(dones).tolist()}
        for game, agents in enumerate(pool.agents):
            assert (agents[0] is None) == (game not in begun)
    assert len({id(agents[0].agent) for agents in pool.agents}) == 2  # one of each file for all games


@pytest.mark.parametrize(
    ("opponents", "error", "said"),
    [
        ([], ValueError, "opponents is empty"),
        ("odin", UserError, "no agent 'odin'"),
        ("random,random", UserError, "1 opponents"),
        (["random", "network:path=none.npz"], UserError, "can't read none.npz"),
    ],
)
def test_opponents_that_cannot_be_are_named(opponents: Any, error: type[Exception], said: str) -> None:
    env = SelfPlayVecEnv(2, game="berserk", opponents="random")
    with pytest.raises(error, match=said):
        env.set_opponents(opponents)
    with pytest.raises(error, match=said):
        SelfPlayVecEnv(2, game="berserk", opponents=opponents)


# ---- learning


@pytest.mark.parametrize("game", GAMES)
def test_maskable_ppo_learns_and_respects_masks(game: str) -> None:
    env = VecMonitor(SelfPlayVecEnv(8, game=game, opponents="random"))
    model = MaskablePPO("MlpPolicy", env, n_steps=50, batch_size=100, n_epochs=2, gamma=1.0, seed=1, device="cpu")
    before = [weights.clone() for weights in model.policy.parameters()]
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)  # of an illegal action
        model.learn(800)
        rewards, lengths = evaluate_policy(model, env, n_eval_episodes=8, return_episode_rewards=True)
    assert any(not torch.equal(one, other) for one, other in zip(before, model.policy.parameters(), strict=True))
    assert model.ep_info_buffer
    assert all(-1 <= each["r"] <= 1 and each["l"] > 5 for each in model.ep_info_buffer)
    assert len(rewards) == len(lengths) == 8


@pytest.mark.parametrize("layers", [{"pi": [8], "vf": [6]}, {"pi": [8, 5, 4], "vf": [6, 3]}])
def test_a_network_is_a_policy(layers: dict[str, list[int]], tmp_path: Path) -> None:
    env = SelfPlayVecEnv(5, 4, opponents="random")
    kwargs = {"net_arch": layers, "activation_fn": torch.nn.ReLU}
    model = MaskablePPO("MlpPolicy", env, policy_kwargs=kwargs, seed=1, device="cpu")
    for weights in model.policy.parameters():
        torch.nn.init.normal_(weights, std=0.2)
    observations, masks = env.reset(), get_action_masks(env)
    policy, which = policy_of(model.policy), np.arange(5)
    with torch.no_grad():
        wanted = model.policy.get_distribution(torch.from_numpy(observations), masks).distribution.logits
        wanted_values = model.policy.predict_values(torch.from_numpy(observations))[:, 0]
        logs, values = policy(SparseRows.of(env._pool.states, which, policy.net))
    assert torch.allclose(logs[masks == 1], wanted[masks == 1], atol=1e-4)
    assert torch.allclose(values[:, 0], wanted_values, atol=1e-4)
    export(policy, tmp_path / "policy.npz")
    logits, _ = Network.load(tmp_path / "policy.npz").evaluate(env._pool.states, which)
    assert np.allclose(torch.from_numpy(logits).log_softmax(1)[masks == 1], logs[masks == 1], atol=0.05)


@pytest.mark.parametrize(
    "kwargs", [{}, {"activation_fn": torch.nn.ReLU, "net_arch": {"pi": [], "vf": [8]}}, {"net_arch": []}]
)
def test_a_network_of_another_form_is_refused(kwargs: dict[str, Any]) -> None:
    model = MaskablePPO("MlpPolicy", SelfPlayVecEnv(1, opponents="random"), policy_kwargs=kwargs, device="cpu")
    with pytest.raises(ValueError, match="only an MlpPolicy with"):
        policy_of(model.policy)


# ---- the script


def test_the_script_trains_resumes_and_exports(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "run"

    def run(steps: int) -> str:
        given = f"--game berserk --steps {steps} --games 4 --every 200 --episodes 2 --out {out}"
        monkeypatch.setattr(sys, "argv", ["sb3_maskable_ppo.py", *given.split()])
        sb3_maskable_ppo.main()
        return capsys.readouterr().out

    first = run(256)
    assert re.search(r"won \d+% of 2 games against hold at the last evaluation", first)
    assert {path.name for path in out.iterdir()} >= {"evaluations.npz", "tensorboard_0", "snapshots", "policy.npz"}
    assert [path.stem for path in sorted((out / "snapshots").iterdir())] == ["000000000200"]
    kept = (out / "policy.npz").read_bytes()
    # A resumed run unpickles nothing: it reads the weights alone, and plays against its snapshots.
    monkeypatch.setattr(save_util, "json_to_data", lambda *_, **__: pytest.fail("unpickled"))
    assert f"resumes {out / 'model_256_steps.zip'}" in run(512)
    assert sorted(path.stem for path in (out / "snapshots").iterdir())[-1] == "000000000456"
    assert (out / "policy.npz").read_bytes() != kept
    assert "resumes" in run(512)  # of which nothing is left to do
    env = SelfPlayVecEnv(2, game="berserk", opponents=f"network:path={out / 'policy.npz'}")
    env.reset()
