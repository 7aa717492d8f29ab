"""The PettingZoo contract: what agents see, who may do what when, and PettingZoo's own tests."""

import importlib
import subprocess
import sys
import warnings
from dataclasses import asdict
from typing import Any

import numpy as np
import pettingzoo
import pytest
from env_play import illegal_action, leave, legal_action, play, started
from pettingzoo.test import api_test, parallel_api_test, render_test, seed_test
from pettingzoo.utils import wrappers
from pettingzoo.utils.env_logger import EnvLogger

import bloodrage_env
from bloodrage_env import bloodrage_v0
from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine import MAX_DECISIONS, NUM_ACTIONS
from bloodrage_env.games.bloodrage.engine.ids import Source
from bloodrage_env.games.bloodrage.observation import OBSERVATION_SIZE, SECTIONS
from bloodrage_env.games.bloodrage.options import Options


@pytest.fixture(autouse=True)
def logged() -> Any:
    """PettingZoo's warnings of this test, as a list of texts that grows."""
    EnvLogger.flush()
    yield EnvLogger.mqueue
    EnvLogger.flush()


# ---- PettingZoo's own tests


# Numbers of players and card sets.
GAMES: list[tuple[int, tuple[str, ...]]] = [
    (2, ()),
    (3, ()),
    (4, ()),
    (4, ("mystics", "gods")),
    (5, ("p5", "ks", "mystics", "gods")),
]


@pytest.mark.parametrize(("num_players", "sets"), GAMES)
def test_api(num_players: int, sets: tuple[str, ...]) -> None:
    api_test(bloodrage_v0.env(num_players=num_players, sets=sets), num_cycles=200)


@pytest.mark.parametrize("options", [{"first_game": True}, {"skip_forced": False}, {"reward": "margin"}])
def test_api_with_options(options: dict[str, Any]) -> None:
    api_test(bloodrage_v0.env(**options), num_cycles=200)


def test_seeds() -> None:
    seed_test(bloodrage_v0.env, num_cycles=500)


def test_rendering(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pygame")
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    render_test(bloodrage_v0.env)


@pytest.mark.parametrize(("num_players", "sets"), GAMES)
def test_parallel_api(num_players: int, sets: tuple[str, ...]) -> None:
    parallel_api_test(bloodrage_v0.parallel_env(num_players=num_players, sets=sets), num_cycles=2000)


def test_api_inside_pettingzoos_wrappers() -> None:
    env: Any = wrappers.TerminateIllegalWrapper(bloodrage_v0.env(), illegal_reward=-1)
    env = wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(env))
    api_test(env, num_cycles=200)
    env.reset(seed=1)
    mover = env.agent_selection
    env.step(illegal_action(env.unwrapped))
    assert_ended_by(env, mover)
    before = env.unwrapped.get_state().tobytes()
    env.unwrapped.step(0)
    assert env.unwrapped.get_state().tobytes() == before


def test_a_game_that_a_wrapper_ends_is_over() -> None:
    env = started()
    env.truncations = dict.fromkeys(env.agents, True)
    assert leave(env) == dict.fromkeys(env.possible_agents, 0)
    before = env.get_state().tobytes()
    env.step(legal_action(started().observe(env.agent_selection)["action_mask"], np.random.default_rng(0)))
    assert env.agents == []
    assert env.get_state().tobytes() == before


# ---- how it is made


def test_a_package_that_is_imported_loads_no_compiler() -> None:
    code = "import sys, bloodrage_env as b; assert 'numba' not in sys.modules; print(b.bloodrage_v0.env, b.__version__)"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "BloodRage" in result.stdout
    assert result.stdout.strip().endswith(bloodrage_env.__version__)


def test_what_is_public_is_there() -> None:
    assert {name: getattr(bloodrage_env, name) for name in bloodrage_env.__all__}["bloodrage_v0"] is bloodrage_v0
    assert bloodrage_env.VectorGames(1).num_games == 1
    with pytest.raises(AttributeError, match="has no attribute 'weather'"):
        _ = bloodrage_env.weather


@pytest.mark.parametrize("env_id", ["bloodrage/bloodrage-v0", "bloodrage/bloodrage_v0", "bloodrage/bloodrage"])
def test_pettingzoo_makes_it(env_id: str) -> None:
    env = pettingzoo.make("aec", env_id, num_players=3)
    assert isinstance(env, bloodrage_v0.raw_env)
    assert env.max_num_agents == 3
    parallel: Any = pettingzoo.make("parallel", env_id, num_players=2)
    assert isinstance(parallel.unwrapped, bloodrage_v0.raw_env)


def test_a_reload_registers_without_warning() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        importlib.reload(bloodrage_env)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"num_players": 1}, "num_players must be 2 to 5, not 1"),
        ({"num_players": 5}, "num_players must be 2 to 4 without the card set p5, not 5"),
        ({"reward": "glory"}, "reward must be one of win, rank, margin, not 'glory'"),
        ({"render_mode": "rgb"}, "render_mode must be None or one of human, ansi, rgb_array, not 'rgb'"),
    ],
)
def test_bad_arguments_are_named(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}$"):
        bloodrage_v0.env(**options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"num_players": "two"}, "num_players must be a whole number, not 'two'"),
        ({"first_game": 1}, "first_game must be True or False, not 1"),
        ({"weather": "snow"}, "BloodRage has no argument 'weather'; there are num_players, .*"),
    ],
)
def test_arguments_of_other_types_are_named(options: dict[str, Any], message: str) -> None:
    with pytest.raises(TypeError, match=f"^{message}$"):
        bloodrage_v0.env(**options)


def test_options_may_be_given_as_a_whole() -> None:
    options = Options(3, first_game=True, skip_forced=False)
    env = bloodrage_v0.env(**asdict(options))
    env.reset(seed=2)
    assert env.options == options
    assert env.get_state().tobytes() == engine.new_game(2, *options.numbers()).tobytes()


@pytest.mark.parametrize(
    ("seed", "error"), [(-1, ValueError), (2**63, ValueError), (1.5, TypeError), ("one", TypeError), (True, TypeError)]
)
def test_bad_seeds_are_named_and_change_nothing(seed: Any, error: type[Exception]) -> None:
    env = started()
    before = env.get_state()
    with pytest.raises(error, match=r"^seed must "):
        env.reset(seed=seed)
    assert env.get_state().tobytes() == before.tobytes()


def test_reset_options_hold_for_one_game_and_unknown_ones_are_ignored() -> None:
    env = bloodrage_v0.env()
    env.reset(seed=1, options={"first_game": True, "skip_forced": False, "num_players": 9, "weather": "snow"})
    assert (env.get_state()["first_game"][0], env.get_state()["skip_forced"][0]) == (1, 0)
    assert env.num_agents == 4
    env.reset(seed=1)
    assert (env.get_state()["first_game"][0], env.get_state()["skip_forced"][0]) == (0, 1)


@pytest.mark.parametrize(("option", "error"), [({"first_game": "no"}, TypeError), ({"skip_forced": None}, TypeError)])
def test_bad_reset_options_are_named_and_change_nothing(option: dict[str, Any], error: type[Exception]) -> None:
    env = started()
    before = env.get_state()
    with pytest.raises(error, match=f"^{next(iter(option))} must be True or False"):
        env.reset(seed=1, options=option)
    assert env.get_state().tobytes() == before.tobytes()


# ---- what agents see


def test_spaces_are_one_object_for_all() -> None:
    env = bloodrage_v0.env()
    assert len({id(env.observation_space(agent)) for agent in env.possible_agents}) == 1
    assert len({id(env.action_space(agent)) for agent in env.possible_agents}) == 1
    assert env.action_space("player_0").n == NUM_ACTIONS
    assert env.observation_space("player_0")["observation"].shape == (OBSERVATION_SIZE,)


def test_every_agent_is_observed_at_any_time() -> None:
    env = started()
    rng = np.random.default_rng(1)
    for _ in range(300):
        for agent in env.possible_agents:
            seen = env.observe(agent)
            assert seen in env.observation_space(agent)
            assert seen["observation"].dtype == np.float32
            assert seen["action_mask"].dtype == np.int8
            assert seen["action_mask"] is env.infos[agent]["action_mask"]
            asked = agent == env.agent_selection and not env.terminations[agent]
            assert seen["action_mask"].any() == asked
        if play(env, rng, 1) == 0:
            break
    leave(env)
    assert env.agents == []
    assert not env.observe("player_2")["action_mask"].any()


def test_last_is_the_observation_of_the_mover() -> None:
    env = started()
    rng = np.random.default_rng(2)
    for _ in range(100):
        agent = env.agent_selection
        seen, reward, terminated, truncated, info = env.last()
        again = env.observe(agent)
        assert seen is not None
        assert np.array_equal(seen["observation"], again["observation"])
        assert seen["action_mask"] is again["action_mask"] is info["action_mask"]
        assert (reward, terminated, truncated) == (0, False, False)
        assert env.last(observe=False)[0] is None
        env.step(legal_action(seen["action_mask"], rng))


def test_observations_may_be_kept_and_written_to() -> None:
    env = started()
    rng = np.random.default_rng(3)
    kept = []
    for _ in range(50):
        seen = env.last()[0]
        assert seen is not None
        kept.append((seen, seen["observation"].copy(), seen["action_mask"].copy()))
        play(env, rng, 1)
    for seen, vector, mask in kept:
        assert np.array_equal(seen["observation"], vector)
        assert np.array_equal(seen["action_mask"], mask)
    spoilt = env.observe(env.agent_selection)
    good = spoilt["observation"].copy()
    spoilt["observation"][:] = 7
    assert np.array_equal(env.observe(env.agent_selection)["observation"], good)
    spoilt["action_mask"][:] = 0
    play_on = started()
    play_on.set_state(env.get_state())
    action = legal_action(play_on.infos[play_on.agent_selection]["action_mask"], rng)
    env.step(action)
    assert not any(env.terminations.values())


def test_sections_by_name() -> None:
    env = started()
    play(env, np.random.default_rng(4), 100)
    for agent in env.agents:
        named = env.observation_dict(agent)
        flat = np.concatenate([named[section.name].ravel() for section in SECTIONS])
        assert np.array_equal(flat, env.observe(agent)["observation"])


def test_unknown_agents_are_named() -> None:
    with pytest.raises(ValueError, match=r"^there is no agent 'player_4'; the agents are player_0, "):
        started().observe("player_4")


def test_rendering_needs_a_mode() -> None:
    with pytest.warns(UserWarning, match="render_mode"):
        assert started().render() is None


# ---- illegal actions


def assert_ended_by(env: Any, mover: str) -> None:
    assert env.agents == env.possible_agents
    assert all(value is True for value in env.terminations.values())
    assert all(value is True for value in env.truncations.values())
    assert env.rewards == {agent: -1.0 if agent == mover else 0.0 for agent in env.agents}
    assert leave(env) == {agent: -1.0 if agent == mover else 0.0 for agent in env.possible_agents}
    assert env.agents == []


def test_an_illegal_action_ends_the_game(logged: list[str]) -> None:
    env = started(seed=2)
    play(env, np.random.default_rng(5), 33)
    mover, before = env.agent_selection, env.get_state()
    env.step(illegal_action(env))
    assert env.get_state().tobytes() == before.tobytes()
    assert any("Illegal move" in text for text in logged)
    assert_ended_by(env, mover)


@pytest.mark.parametrize(
    "action",
    [
        -1,
        NUM_ACTIONS,
        2**70,
        -(2**70),
        None,
        0.0,
        1e300,
        float("nan"),
        "PASS",
        [],
        np.float64(1),
        np.arange(3),
        np.ma.array(0, mask=True),
    ],
)
def test_what_is_no_action_is_illegal(action: Any, logged: list[str]) -> None:
    env = started(seed=3)
    mover = env.agent_selection
    env.step(action)
    assert any("Illegal move" in text for text in logged)
    assert_ended_by(env, mover)


@pytest.mark.parametrize("kind", [int, np.int64, np.int32, np.int8, np.uint16, np.asarray])
def test_any_integer_is_an_action(kind: Any) -> None:
    env, other = started(seed=4), started(seed=4)
    action = int(np.flatnonzero(env.infos[env.agent_selection]["action_mask"])[0])
    env.step(kind(action))
    other.step(action)
    assert not any(env.terminations.values())
    assert env.get_state().tobytes() == other.get_state().tobytes()


def test_agents_that_wait_share_a_mask_that_nobody_can_write() -> None:
    """The mask of the agent to act is new at each step, and its own."""
    env, masks = started(seed=5), []
    for _ in range(30):
        mover = env.agent_selection
        waiting = [env.observe(agent)["action_mask"] for agent in env.agents if agent != mover]
        waiting += [env.infos[agent]["action_mask"] for agent in env.agents if agent != mover]
        assert all(mask is waiting[0] for mask in waiting)
        assert not waiting[0].any()
        with pytest.raises(ValueError, match="read-only"):
            waiting[0][0] = 1
        mask = env.last()[0]["action_mask"]
        assert mask.flags.writeable
        assert not any(mask is other for other in masks)
        masks.append(mask)
        env.step(int(np.flatnonzero(mask)[0]))


def test_a_game_after_an_illegal_action_is_a_new_one() -> None:
    env = started(seed=5)
    env.step(-1)
    env.step(None)
    env.reset(seed=6)
    assert env.agents == env.possible_agents
    assert not any(env.terminations.values())
    assert set(env.rewards.values()) == set(env._cumulative_rewards.values()) == {0}
    assert env.get_state().tobytes() == started(seed=6).get_state().tobytes()


# ---- the order of calls


@pytest.mark.parametrize(
    "call",
    [
        lambda env: env.step(0),
        lambda env: env.step(None),
        lambda env: env.observe("player_0"),
        lambda env: env.observation_dict("player_0"),
        lambda env: env.render(),
        lambda env: env.agent_iter(),
        lambda env: env.get_state(),
        lambda env: env.redeal(0, 0),
    ],
)
def test_reset_comes_first(call: Any) -> None:
    with pytest.raises(AssertionError, match=r"^reset\(\) needs to be called before"):
        call(bloodrage_v0.env(render_mode="ansi"))


@pytest.mark.parametrize("name", ["agents", "agent_selection", "rewards", "terminations", "infos", "num_agents"])
def test_before_reset_there_are_no_agents(name: str) -> None:
    with pytest.raises(AttributeError):
        getattr(bloodrage_v0.env(), name)


def test_a_game_ends_for_all_at_once_and_they_leave_one_by_one(logged: list[str]) -> None:
    env = started(seed=7, num_players=3)
    play(env, np.random.default_rng(7))
    assert env.terminations == dict.fromkeys(env.agents, True)
    assert env.truncations == dict.fromkeys(env.agents, False)
    for left in (3, 2, 1):
        assert env.num_agents == left
        assert set(env.rewards) == set(env.infos) == set(env.terminations) == set(env.agents)
        with pytest.raises(ValueError, match="the only valid action is None"):
            env.step(0)
        env.step(None)
    assert env.agents == []
    before = env.get_state()
    assert logged == []
    for action in (None, 0):
        env.step(action)
    assert sum("step() called after all agents" in text for text in logged) == 2
    assert env.get_state().tobytes() == before.tobytes()
    assert list(env.agent_iter()) == []


def test_agent_iter_wants_a_step_for_each_agent() -> None:
    env = started()
    with pytest.raises(AssertionError, match="need to call step"):
        for _agent in env.agent_iter():
            pass


def test_agent_iter_stops_after_max_iter_and_can_be_taken_up_again() -> None:
    env = started()
    rng = np.random.default_rng(8)
    seen = [agent for agent in env.agent_iter(5) if play(env, rng, 1)]
    assert len(seen) == 5
    for _agent in env.agent_iter():
        break  # looked, did not step
    turns = env.agent_iter(3)
    assert [play(env, rng, 1) for _agent in turns] == [1, 1, 1]
    assert [play(env, rng, 1) for _agent in turns] == [1, 1, 1]


def test_a_game_of_too_many_decisions_is_cut_off() -> None:
    env = started(seed=9, reward="margin")
    rng = np.random.default_rng(9)
    play(env, rng, 60)
    state = env.get_state()
    state["decisions"] = MAX_DECISIONS - 1
    state["glory"][0] = (5, 0, 20, 10, 0)
    state["glory_from"][0] = 0
    state["glory_from"][0, :, Source.QUEST] = state["glory"][0]
    env.set_state(state)
    assert play(env, rng) == 1
    assert env.terminations == dict.fromkeys(env.agents, False)
    assert env.truncations == dict.fromkeys(env.agents, True)
    glory = env.get_state()["glory"][0]
    assert env.rewards["player_2"] == pytest.approx((glory[2] - max(glory[[0, 1, 3]])) / 100)
    assert leave(env)["player_0"] < 0
