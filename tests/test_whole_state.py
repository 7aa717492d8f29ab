"""`state()`: what all seats know, for central critics."""

from typing import Any

import numpy as np
import pytest

from bloodrage_env import VectorGames, berserk_v0, bloodrage_v0, games


@pytest.mark.parametrize("dtype", [np.float32, np.uint8])
@pytest.mark.parametrize("module", [bloodrage_v0, berserk_v0])
def test_a_state_is_the_observations_of_all_seats(module: Any, dtype: Any) -> None:
    env = module.env(observation_dtype=dtype)
    with pytest.raises(AssertionError, match=r"reset\(\) needs to be called before state"):
        env.state()
    env.reset(seed=3)
    rng = np.random.default_rng(3)
    for agent in env.agent_iter(40):
        state = env.state()
        assert state.dtype == dtype
        assert state in env.state_space
        parts = [env.observe(each)["observation"] for each in env.possible_agents]
        assert np.array_equal(state, np.concatenate(parts))
        mask = env.last()[4]["action_mask"]
        env.step(int(rng.choice(np.flatnonzero(mask))) if not env.terminations[agent] else None)
    state[:] = 0  # it is the caller's
    assert env.state().any()


def test_the_parallel_form_has_it_too() -> None:
    env = bloodrage_v0.parallel_env(num_players=3)
    env.reset(seed=1)
    assert env.state().shape == env.state_space.shape == (3 * games.game("bloodrage").observation_size,)


def test_a_batch_has_a_state_for_each_game() -> None:
    batch = VectorGames(3, [2, 3, 4])
    batch.reset(seed=8)
    state = batch.state()
    assert state.shape == (3, batch.game.max_seats, batch.game.observation_size)
    assert state.dtype == np.float32
    for game, players in enumerate((2, 3, 4)):
        assert np.array_equal(state[game, batch.seats[game]], batch.observations[game])
        assert state[game, :players].any(1).all()
        assert not state[game, players:].any()
