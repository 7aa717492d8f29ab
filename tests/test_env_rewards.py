"""What is paid at the end of a game."""

import numpy as np
import pytest
from env_play import leave, play, started
from hypothesis import given
from hypothesis import strategies as st

from bloodrage_env.core.engine.rewards import rank_rewards, share_of, victory_share, win_rewards
from bloodrage_env.games.bloodrage.engine import scores
from bloodrage_env.games.bloodrage.rewards import REWARDS, margin_rewards
from bloodrage_env.vector import VectorGames

SCORES = st.lists(st.integers(0, 12), min_size=2, max_size=4)  # few values, so that equal ones are frequent


@pytest.mark.parametrize(
    ("glory", "paid"),
    [
        ([30, 50], [-1, 1]),
        ([50, 50], [0, 0]),
        ([10, 80, 30], [-1 / 2, 1, -1 / 2]),
        ([80, 80, 30], [1 / 4, 1 / 4, -1 / 2]),
        ([10, 80, 30, 40], [-1 / 3, 1, -1 / 3, -1 / 3]),
        ([80, 10, 80, 30], [1 / 3, -1 / 3, 1 / 3, -1 / 3]),
        ([80, 80, 80, 30], [1 / 9, 1 / 9, 1 / 9, -1 / 3]),
        ([7, 7, 7, 7], [0, 0, 0, 0]),
    ],
)
def test_a_victory_is_shared(glory: list[int], paid: list[float]) -> None:
    """rules 5"""
    assert win_rewards(glory) == pytest.approx(paid)


@given(SCORES)
def test_a_win_reward_tells_the_share_of_the_victory(glory: list[int]) -> None:
    shares = [victory_share(np.array(glory, np.int32), seat) for seat in range(len(glory))]
    assert sum(shares) == pytest.approx(1)
    assert [share_of(reward, len(glory)) for reward in win_rewards(glory)] == pytest.approx(shares)
    assert [share > 0 for share in shares] == [own == max(glory) for own in glory]


@pytest.mark.parametrize(
    ("glory", "paid"),
    [
        ([30, 50], [-1, 1]),
        ([50, 50], [0, 0]),
        ([10, 80, 30], [-1, 1, 0]),
        ([80, 80, 30], [1 / 2, 1 / 2, -1]),
        ([10, 80, 30, 40], [-1, 1, -1 / 3, 1 / 3]),
        ([80, 10, 30, 30], [1, -1, 0, 0]),
        ([10, 80, 10, 10], [-1 / 3, 1, -1 / 3, -1 / 3]),
        ([7, 7, 7, 7], [0, 0, 0, 0]),
    ],
)
def test_places_are_paid_evenly_and_equals_have_the_mean(glory: list[int], paid: list[float]) -> None:
    assert rank_rewards(glory) == pytest.approx(paid)


@pytest.mark.parametrize(
    ("glory", "paid"),
    [([30, 50], [-0.2, 0.2]), ([10, 80, 30], [-0.7, 0.5, -0.5]), ([80, 80, 30, 0], [0, 0, -0.5, -0.8])],
)
def test_the_margin_is_the_lead_in_hundreds(glory: list[int], paid: list[float]) -> None:
    assert margin_rewards(glory) == pytest.approx(paid)


@given(SCORES)
def test_win_and_rank_are_zero_sum_and_bounded(glory: list[int]) -> None:
    for pay in (win_rewards, rank_rewards):
        paid = pay(glory)
        assert sum(paid) == pytest.approx(0)
        assert all(-1 <= each <= 1 for each in paid)


@given(SCORES)
def test_more_glory_never_pays_less(glory: list[int]) -> None:
    for pay in REWARDS.values():
        paid = pay(glory)
        for own, its in zip(glory, paid, strict=True):
            for other, theirs in zip(glory, paid, strict=True):
                assert own != other or its == theirs
                assert own <= other or its >= theirs


@pytest.mark.parametrize("reward", REWARDS)
@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_rewards_come_at_the_end_and_only_there(reward: str, num_players: int) -> None:
    env = started(seed=num_players, num_players=num_players, reward=reward)
    rng = np.random.default_rng(num_players)
    while not any(env.terminations.values()):
        assert env.rewards == env._cumulative_rewards == dict.fromkeys(env.agents, 0.0)
        play(env, rng, 1)
    paid = REWARDS[reward](scores(env.get_state(), 0).tolist())
    assert env.rewards == dict(zip(env.agents, paid, strict=True))
    assert all(type(each) is float for each in env.rewards.values())
    assert list(leave(env).values()) == paid


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_many_games_at_once_pay_the_same(num_players: int) -> None:
    env = started(seed=17, num_players=num_players)
    games = VectorGames(1, num_players, seed=17)
    games.reset()
    rng = np.random.default_rng(17)
    while not any(env.terminations.values()):
        action = int(rng.choice(np.flatnonzero(games.masks[0])))
        games.step([action])
        env.step(action)
    assert games.rewards[0, :num_players].tolist() == pytest.approx(list(env.rewards.values()))


@pytest.mark.parametrize(("score", "paid"), [(7, 1.0), (0, 0.0), (-1, -1.0)])
def test_a_player_alone_is_paid_by_the_sign_of_the_score(score: int, paid: float) -> None:
    for pay in (win_rewards, rank_rewards):
        assert pay([score]) == [paid]
