"""Copies, saved states, redeals and seeds."""

import copy
import io
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from env_play import assert_same, illegal_action, leave, play, started

from bloodrage_env.games.bloodrage.engine import STATE, Decision, hide
from bloodrage_env.games.bloodrage.env import BloodRage


def through_state(env: BloodRage) -> BloodRage:
    other = BloodRage(num_players=env.num_players)
    other.set_state(env.get_state())
    return other


COPIES: dict[str, Callable[[Any], Any]] = {
    "deepcopy": copy.deepcopy,
    "copy": copy.copy,
    "pickle": lambda env: pickle.loads(pickle.dumps(env)),
    "state": through_state,
}


@pytest.mark.parametrize("way", COPIES)
@pytest.mark.parametrize("decisions", [0, 1, 40, 90, 150])
def test_a_copy_in_mid_game_plays_the_same_game(way: str, decisions: int) -> None:
    env = started(seed=decisions)
    play(env, np.random.default_rng(1), decisions)
    other = COPIES[way](env)
    assert_same(env, other)
    assert play(env, np.random.default_rng(2)) == play(other, np.random.default_rng(2)) > 10
    assert_same(env, other)
    assert leave(env) == leave(other)


@pytest.mark.parametrize("way", COPIES)
def test_a_copy_shares_nothing(way: str) -> None:
    env = started(seed=3)
    play(env, np.random.default_rng(3), 50)
    other, untouched = COPIES[way](env), copy.deepcopy(env)
    play(other, np.random.default_rng(4))
    assert_same(env, untouched)


@pytest.mark.parametrize("way", ["deepcopy", "copy", "pickle"])
def test_a_copy_keeps_an_illegal_end_and_who_has_left(way: str) -> None:
    env = started(seed=4)
    play(env, np.random.default_rng(5), 20)
    env.step(illegal_action(env))
    env.step(None)
    other = COPIES[way](env)
    assert_same(env, other)
    assert len(other.agents) == 3
    assert leave(env) == leave(other)
    assert other.agents == []


@pytest.mark.parametrize("way", ["deepcopy", "copy", "pickle"])
def test_a_copy_has_the_same_mask_in_both_places(way: str) -> None:
    env = COPIES[way](started(seed=5))
    seen, _, _, _, info = env.last()
    assert seen["action_mask"] is info["action_mask"]


@pytest.mark.parametrize("way", COPIES)
def test_nobody_writes_the_masks_of_those_who_wait_in_a_copy(way: str) -> None:
    env = COPIES[way](started(seed=5))
    waiting = [env.infos[each]["action_mask"] for each in env.agents if each != env.agent_selection]
    assert len(waiting) == 3
    assert not any(mask.any() or mask.flags.writeable for mask in waiting)


@pytest.mark.parametrize("way", ["deepcopy", "pickle"])
def test_a_copy_before_the_first_game(way: str) -> None:
    env = COPIES[way](BloodRage(num_players=2))
    env.reset(seed=6)
    assert_same(env, started(seed=6, num_players=2))


def test_a_copy_draws_the_same_seeds() -> None:
    env = started(seed=7)
    other = copy.deepcopy(env)
    env.reset()
    other.reset()
    assert env.seed_used == other.seed_used != 7


# ---- states


def test_a_state_is_a_copy() -> None:
    env = started(seed=8)
    state = env.get_state()
    assert (state.dtype, state.shape) == (STATE, (1,))
    before = state.tobytes()
    play(env, np.random.default_rng(8), 30)
    assert state.tobytes() == before
    env.set_state(state)
    state["glory"] = 99
    assert env.get_state().tobytes() == before
    assert_same(env, started(seed=8))


def test_a_state_goes_back_in_time() -> None:
    env = started(seed=9)
    play(env, np.random.default_rng(9), 70)
    state = env.get_state()
    first = play(env, np.random.default_rng(10)), dict(env.rewards)
    leave(env)
    env.set_state(state)
    assert env.agents == env.possible_agents
    assert (play(env, np.random.default_rng(10)), env.rewards) == first
    assert env.seed_used is None


def test_a_state_can_be_saved() -> None:
    env = started(seed=10)
    play(env, np.random.default_rng(11), 70)
    file = io.BytesIO()
    np.save(file, env.get_state(), allow_pickle=False)
    file.seek(0)
    other = BloodRage()
    other.set_state(np.load(file, allow_pickle=False))
    assert_same(env, other)


def test_a_state_of_many_is_taken_from_its_place() -> None:
    games = np.concatenate([started(seed=seed).get_state() for seed in range(4)])
    env = BloodRage()
    for seed in range(4):
        env.set_state(games[seed : seed + 1])
        assert_same(env, started(seed=seed))
        env.set_state(games[::-1][3 - seed : 4 - seed])
        assert_same(env, started(seed=seed))


def test_the_state_of_a_game_that_is_over_pays_again() -> None:
    env = started(seed=11)
    play(env, np.random.default_rng(12))
    rewards, state = dict(env.rewards), env.get_state()
    leave(env)
    env.set_state(state)
    assert all(env.terminations.values())
    assert leave(env) == rewards


def other_version() -> np.ndarray:
    return np.zeros(1, np.dtype([*((name, STATE[name]) for name in STATE.names or ()), ("weather", np.int8)]))


def damaged(**fields: int) -> np.ndarray:
    state = started().get_state()
    for name, value in fields.items():
        state[name] = value
    return state


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: None, "a state is an array of one record"),
        (lambda: [1, 2], "a state is an array of one record"),
        (lambda: started().get_state()[0], "a state is an array of one record"),
        (lambda: np.zeros(2, STATE), "a state is an array of one record"),
        (lambda: np.zeros((1, 1), STATE), "a state is an array of one record"),
        (lambda: np.zeros(1), "this state has another layout"),
        (lambda: started().get_state().view(np.uint8)[:1], "this state has another layout"),
        (other_version, "this state has another layout: it comes from another version"),
        (lambda: np.zeros(1, STATE), "this state has 0 players, the environment 4"),
        (lambda: started(num_players=3).get_state(), "this state has 3 players, the environment 4"),
        (lambda: damaged(seat=5), "this state is damaged: seat is 5, not -1 to 4"),
        (lambda: damaged(seat=-1), "this state is damaged: it violates the invariant QUESTION"),
        (lambda: damaged(decision=0), "this state is damaged: it violates the invariant QUESTION"),
        (lambda: damaged(decision=99), f"this state is damaged: decision is 99, not 0 to {max(Decision)}"),
        (lambda: damaged(rage=-1), r"this state is damaged: rage\[0\] is -1, not 0 to"),
        (lambda: hide(started().get_state(), 0, 1), "this state is damaged: it violates the invariant"),
    ],
)
def test_what_is_no_state_is_refused_and_changes_nothing(make: Callable[[], Any], message: str) -> None:
    env = started(seed=12)
    play(env, np.random.default_rng(13), 30)
    before = copy.deepcopy(env)
    with pytest.raises(ValueError, match=f"^{message}"):
        env.set_state(make())
    assert_same(env, before)
    assert env.seed_used == 12


# ---- redeals


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_a_redeal_shows_its_seat_the_same(num_players: int) -> None:
    env = started(seed=13, num_players=num_players)
    rng = np.random.default_rng(14)
    other = BloodRage(num_players=num_players)
    differ = 0
    while play(env, rng, 7) == 7:
        before = env.get_state()
        for seat, agent in enumerate(env.possible_agents):
            state = env.redeal(seat, seed=int(rng.integers(1000)))
            assert (state.dtype, state.shape) == (STATE, (1,))
            other.set_state(state)
            seen, seen_too = env.observe(agent), other.observe(agent)
            assert np.array_equal(seen["observation"], seen_too["observation"])
            assert np.array_equal(seen["action_mask"], seen_too["action_mask"])
            differ += state.tobytes() != before.tobytes()
        assert env.get_state().tobytes() == before.tobytes()
    assert differ > 20


def test_a_redeal_comes_from_its_seed() -> None:
    env = started(seed=14)
    play(env, np.random.default_rng(15), 25)
    assert env.redeal(1, 5).tobytes() == env.redeal(1, 5).tobytes()
    assert len({env.redeal(1, seed).tobytes() for seed in range(5)}) > 1


@pytest.mark.parametrize(
    ("seat", "seed", "message"),
    [
        (4, 0, "seat must be 0 to 3, not 4"),
        (-1, 0, "seat must be 0 to 3, not -1"),
        ("player_0", 0, "seat must be 0 to 3, not 'player_0'"),
        (0, -1, "seed must be 0 to "),
        (0, None, "seed must be a whole number, not None"),
    ],
)
def test_bad_redeals_are_named(seat: Any, seed: Any, message: str) -> None:
    with pytest.raises(TypeError if seed is None else ValueError, match=f"^{message}"):
        started().redeal(seat, seed)


# ---- seeds


def test_the_same_seed_is_the_same_game() -> None:
    assert_same(started(seed=15), started(seed=15))
    assert started(seed=15).get_state().tobytes() != started(seed=16).get_state().tobytes()


@pytest.mark.parametrize("seed", [0, 2**63 - 1, np.int64(5), np.uint8(5)])
def test_the_seed_used_replays_the_game(seed: Any) -> None:
    env = started(seed=seed)
    assert env.seed_used == int(seed)
    assert type(env.seed_used) is int


def test_without_a_seed_one_is_drawn_and_shown() -> None:
    env, other = BloodRage(), BloodRage()
    env.reset()
    other.reset()
    assert env.seed_used is not None
    assert env.seed_used != other.seed_used
    assert_same(env, started(seed=env.seed_used))


def test_games_after_a_seed_are_the_same_row_each_time() -> None:
    rows = []
    for _ in range(2):
        env, row = started(seed=16), []
        for _ in range(3):
            env.reset()
            row.append(env.seed_used)
        rows.append(row)
    assert rows[0] == rows[1]
    assert len(set(rows[0])) == 3
