"""`bloodrage/OneSeat-v0` of one game: Gymnasium's protocol, seeds, seats, payments, and who is asked for what."""

import subprocess
import sys
import warnings
from dataclasses import replace
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env

from bloodrage_agents import registry
from bloodrage_agents.random import RandomAgent
from bloodrage_env import bloodrage_v0
from bloodrage_env.errors import UserError
from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine import MAX_DECISIONS, NUM_ACTIONS
from bloodrage_env.games.bloodrage.observation import OBSERVATION_SIZE, observe
from bloodrage_env.games.bloodrage.rewards import REWARDS
from bloodrage_env.gym import OneSeat, OneSeatVector

ID = "bloodrage/OneSeat-v0"
ILLEGAL = [
    -1,
    NUM_ACTIONS,
    10**30,
    "pass",
    None,
    1.0,
    [3],
    [],
    np.ma.masked,
    np.ma.array(3, mask=True),
    {},
    np.array([]),
]


def state_of(env: OneSeat) -> Any:
    """The record of the game."""
    return env._games.states


def play(env: OneSeat, rng: np.random.Generator, seed: int | None = None) -> list[Any]:
    """A game with random answers: the observation, mask, reward and flags of each step, after those of reset."""
    observation, info = env.reset(seed=seed)
    steps: list[Any] = [(observation, info["action_mask"], 0.0, False, False)]
    while not (steps[-1][3] or steps[-1][4]):
        observation, reward, terminated, truncated, info = env.step(env.action_space.sample(steps[-1][1]))
        steps.append((observation, info["action_mask"], reward, terminated, truncated))
    return steps


def same(one: list[Any], other: list[Any]) -> bool:
    return len(one) == len(other) and all(
        all(np.array_equal(a, b) for a, b in zip(x, y, strict=True)) for x, y in zip(one, other, strict=True)
    )


# ---- Gymnasium


@pytest.mark.parametrize("options", [{}, {"num_players": 2, "opponents": "random", "reward": "margin"}])
def test_the_checker_of_gymnasium_passes(options: dict[str, Any]) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        check_env(gymnasium.make(ID, **options).unwrapped)
    output = [str(each.message) for each in caught]
    assert [text for text in output if "infinity" not in text and "an illegal action ends its game" not in text] == []


def test_the_registration_needs_no_engine() -> None:
    code = f"import sys, bloodrage_env, gymnasium as g; g.spec({ID!r}); print('numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_spaces_and_masks() -> None:
    env = OneSeat(num_players=3, opponents="random")
    for observation, mask, reward, terminated, _ in play(env, np.random.default_rng(1), seed=1):
        assert observation.dtype == np.float32
        assert observation.shape == (OBSERVATION_SIZE,)
        assert mask.dtype == np.int8
        assert mask.shape == (NUM_ACTIONS,)
        assert terminated == (not mask.any())
        assert terminated or reward == 0.0
    env.reset(seed=2)
    assert np.array_equal(env.action_masks(), engine.legal_mask(state_of(env), 0))
    env.action_masks()[:] = 0
    assert env.action_masks().any()


@pytest.mark.parametrize(("mode", "kind"), [("ansi", str), ("rgb_array", np.ndarray)])
def test_it_renders(mode: str, kind: type) -> None:
    env = OneSeat(render_mode=mode)
    with pytest.raises(ResetNeeded):
        env.render()
    env.reset(seed=1)
    assert isinstance(env.render(), kind)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"num_players": 6}, "num_players must be 2 to 5, not 6"),
        ({"num_players": 3, "seat": 3}, "seat must be None or 0 to 2, not 3"),
        ({"reward": "score"}, "reward must be one of win, rank, margin, not 'score'"),
        ({"render_mode": "human"}, "render_mode of bloodrage must be None or one of ansi, rgb_array, not 'human'"),
        ({"opponents": "random,loki"}, "there are 3 opponents: name one agent for all, or 3"),
        ({"opponents": ["randm"]}, "there is no agent 'randm'; did you mean random?"),
    ],
)
def test_bad_arguments(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message.replace("?", r"\?")):
        OneSeat(**options)


@pytest.mark.parametrize("options", [{"num_players": 2.5}, {"first_game": "no"}, {"weather": "snow"}])
def test_options_of_other_types(options: dict[str, Any]) -> None:
    for make in (OneSeat, OneSeatVector):
        with pytest.raises(TypeError, match=next(iter(options))):
            make(opponents="random", **options)


# ---- chance


@pytest.mark.parametrize("opponents", ["balanced", "greedy:redeals=1,random"])
def test_a_seed_decides_all_games_that_follow(opponents: str) -> None:
    played = []
    for env in (OneSeat(3, opponents=opponents), OneSeat(3, opponents=opponents)):
        for _ in range(2):
            env.action_space.seed(1)
            rng = np.random.default_rng(1)
            played.append(play(env, rng, seed=5) + play(env, rng))
    assert all(same(played[0], each) for each in played[1:])
    assert not same(played[0], play(env, rng, seed=6))


def test_the_seat_is_drawn_anew_or_kept() -> None:
    env = OneSeat(3, opponents="random")
    env.reset(seed=1)
    seats = [env.reset() and int(env._games.seats[0]) for _ in range(60)]
    assert all(seats.count(seat) > 8 for seat in range(3))
    kept = OneSeat(3, opponents="random", seat=2)
    assert {kept.reset() and int(kept._games.seats[0]) for _ in range(10)} == {2}


def test_the_learner_sees_what_its_seat_may_know() -> None:
    env = OneSeat(opponents="random", seat=1)
    vector = np.empty(OBSERVATION_SIZE, np.float32)
    rng = np.random.default_rng(1)
    observation, info = env.reset(seed=3)
    terminated = False
    while not terminated:
        observe(state_of(env), 0, 1, vector)
        assert np.array_equal(observation, vector)
        assert engine.seat_to_act(state_of(env), 0) == 1
        observation, _, terminated, _, info = env.step(rng.choice(np.flatnonzero(info["action_mask"])))
    observe(state_of(env), 0, 1, vector)
    assert np.array_equal(observation, vector)


class Recorded(RandomAgent):
    """Records the decisions of all opponents in order."""

    actions: list[int]

    def act(self, observation: Any, action_mask: Any, rng: np.random.Generator) -> int:
        self.actions.append(super().act(observation, action_mask, rng))
        return self.actions[-1]


@pytest.mark.parametrize("players", [2, 4])
def test_a_game_is_that_of_the_pettingzoo_environment(players: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the same deal and decisions: who is asked, what it sees and may do, and what it is paid."""
    deals: list[int] = []
    Recorded.actions = []

    def reset(states: Any, index: int, seed: int, options: Any) -> int:
        deals.append(seed)
        return engine_reset(states, index, seed, options)

    def opponents_decide() -> None:
        while Recorded.actions:
            assert whole.agent_selection != learner
            whole.step(Recorded.actions.pop(0))

    engine_reset = engine.reset
    monkeypatch.setattr(registry, "make", lambda spec, game: Recorded())
    env, whole, rng = (
        OneSeat(players, opponents="greedy"),
        bloodrage_v0.env(num_players=players),
        np.random.default_rng(1),
    )
    env._games.game = replace(env._games.game, play=env._games.game.play._replace(reset=reset))
    learners = set()
    for game in range(6):
        observation, info = env.reset(seed=game)
        learner = f"player_{env._games.seats[0]}"
        learners.add(learner)
        whole.reset(seed=deals[-1])
        opponents_decide()
        reward, terminated = 0.0, False
        while not terminated:
            assert (whole.agent_selection, reward) == (learner, 0.0)
            seen = whole.observe(learner)
            assert np.array_equal(observation, seen["observation"])
            assert np.array_equal(info["action_mask"], seen["action_mask"])
            action = int(rng.choice(np.flatnonzero(info["action_mask"])))
            observation, reward, terminated, _, info = env.step(action)
            whole.step(action)
            opponents_decide()
        assert whole.terminations[learner]
        assert np.array_equal(observation, whole.observe(learner)["observation"])
        assert reward == whole.rewards[learner] != 0.0
    assert len(learners) > 1


class Noting(RandomAgent):
    """Notes the generators that it is given, and the seats at which it sits."""

    generators: list[np.random.Generator]
    seats: list[int]

    def reset(self, seat: int, options: Any) -> None:
        self.seats.append(seat)

    def act(self, observation: Any, action_mask: Any, rng: np.random.Generator) -> int:
        self.generators.append(rng)
        return super().act(observation, action_mask, rng)


def test_the_generators_of_opponents_tell_nothing_of_the_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    Noting.generators, Noting.seats = [], []
    deals: list[int] = []

    def reset(states: Any, index: int, seed: int, options: Any) -> int:
        deals.append(seed)
        return engine_reset(states, index, seed, options)

    engine_reset = engine.reset
    monkeypatch.setattr(registry, "make", lambda spec, game: Noting())
    env = OneSeat(opponents="greedy", seat=2)
    env._games.game = replace(env._games.game, play=env._games.game.play._replace(reset=reset))
    for game in range(3):
        play(env, np.random.default_rng(1), seed=game)
    assert Noting.seats == [0, 1, 3] * 3
    entropies = {rng.bit_generator.seed_seq.entropy for rng in Noting.generators}
    assert len(deals) == 3
    assert len(entropies) == 9
    drawn = {int(np.random.default_rng(each).integers(2**63)) for each in entropies}
    bits = {each >> shift & (2**63 - 1) for each in entropies for shift in range(192)}
    assert not (entropies | drawn | bits) & set(deals)
    assert not entropies & {0, 1, 2}


# ---- opponents


def shares(opponents: str, games: int = 40) -> list[float]:
    """The victories of each seat, the learner's first, which answers at random."""
    env, rng = OneSeat(opponents=opponents, seat=0), np.random.default_rng(1)
    won = np.zeros(4)
    for game in range(games):
        play(env, rng, seed=game)
        glory = engine.scores(state_of(env), 0)
        won += (glory == glory.max()) / (glory == glory.max()).sum()
    return [float(each) / games for each in won]


def test_each_opponent_plays_as_it_is_named() -> None:
    alike = shares("random")
    assert all(0.05 < share < 0.5 for share in alike)
    for place in (1, 2, 3):
        named = ["random"] * 3
        named[place - 1] = "balanced"
        assert shares(",".join(named))[place] > 0.8
    assert shares("balanced")[0] < 0.1


def test_a_sequence_of_opponents_is_a_list_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "make", lambda spec, game: RandomAgent())  # the search would be compiled
    texts = OneSeat(opponents="random,ismcts:simulations=2,style=loki,battle")._games.specs
    assert OneSeat(opponents=("random", "ismcts:simulations=2,style=loki", "battle"))._games.specs == texts
    assert texts == ["random", "ismcts:simulations=2,style=loki", "battle"]


def test_an_opponent_that_fails_is_told_of_in_a_line_and_ends_the_game() -> None:
    """Its question stays open: the learner gets no mask of it, and cannot answer it."""
    env = OneSeat(num_players=2, opponents="tests/plug_ins/bad.py:Raises", seat=0)
    with pytest.raises(UserError, match=r"the opponent tests/plug_ins/bad.py:Raises can't go on: ValueError: no idea"):
        play(env, np.random.default_rng(1), seed=1)
    assert not env.action_masks().any()
    with pytest.raises(ResetNeeded):
        env.step(0)


# ---- the end


@pytest.mark.parametrize("reward", list(REWARDS))
def test_the_end_is_paid_by_the_rewards_of_the_environment(reward: str) -> None:
    env = OneSeat(num_players=3, opponents="random", reward=reward)
    for game in range(4):
        *_, (_, _, paid, terminated, truncated) = play(env, np.random.default_rng(game), seed=game)
        glory = engine.scores(state_of(env), 0).tolist()
        assert (terminated, truncated) == (True, False)
        assert paid == REWARDS[reward](glory)[int(env._games.seats[0])]


@pytest.mark.parametrize("action", ILLEGAL)
def test_an_illegal_action_ends_the_game(action: Any) -> None:
    env = OneSeat(opponents="random", reward="rank")
    before, _ = env.reset(seed=1)
    with pytest.warns(UserWarning, match="an illegal action ends its game"):
        after, reward, terminated, truncated, info = env.step(action)
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert np.array_equal(before, after)
    assert not info["action_mask"].any()
    assert not env.action_masks().any()
    with pytest.raises(ResetNeeded):
        env.step(0)
    env.reset()
    assert env.action_masks().any()


def test_an_action_that_is_not_legal_now_ends_the_game() -> None:
    env = OneSeat(opponents="random")
    env.reset(seed=1)
    with pytest.warns(UserWarning, match="illegal"):
        assert env.step(int(env.action_masks().argmin()))[1:4] == (-1.0, True, False)


def test_a_game_that_is_cut_off_is_truncated_and_pays() -> None:
    env = OneSeat(num_players=2, opponents="random", reward="margin")
    env.reset(seed=1)
    state_of(env)["decisions"] = MAX_DECISIONS - 1
    state_of(env)["glory"][0, :2] = 30, 10
    _, reward, terminated, truncated, info = env.step(int(env.action_masks().argmax()))
    assert (terminated, truncated) == (False, True)
    assert abs(reward) == pytest.approx(0.2)
    assert not info["action_mask"].any()


def test_nothing_happens_before_reset() -> None:
    with pytest.raises(ResetNeeded):
        OneSeat(opponents="random").step(0)


# ---- learning


@pytest.mark.slow
def test_maskable_ppo_learns_on_it() -> None:
    sb3 = pytest.importorskip("sb3_contrib")
    vec = pytest.importorskip("stable_baselines3.common.env_util")
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)  # an illegal action would be told
        one = sb3.MaskablePPO("MlpPolicy", gymnasium.make(ID, opponents="random"), n_steps=128, batch_size=64, seed=1)
        many = vec.make_vec_env(ID, n_envs=3, seed=1, env_kwargs={"num_players": 2, "opponents": "balanced"})
        four = sb3.MaskablePPO("MlpPolicy", many, n_steps=64, batch_size=64, seed=1)
        for model in (one, four):
            model.learn(384)
            assert model.num_timesteps == 384
