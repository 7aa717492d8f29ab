"""One call a decision into arrays that are kept, against the entry that checks its arguments at each call."""

import random

import numpy as np
import pytest

from bloodrage_env import games
from bloodrage_env.core.engine.flow import GAME_OVER, ILLEGAL


def arrays(game, dtype):
    """An observation and a mask."""
    return np.zeros(game.observation_size, dtype), np.zeros(game.num_actions, np.int8)


@pytest.mark.parametrize("dtype", [np.uint8, np.float32])
@pytest.mark.parametrize("name", ["bloodrage", "berserk"])
def test_a_stepper_plays_what_the_entry_plays(name, dtype):
    game = games.game(name)
    entry = game.observe.step_and_observe_bytes if dtype == np.uint8 else game.observe.step_and_observe
    states, other = (game.new_game(5, game.options()) for _ in range(2))
    observation, mask = arrays(game, dtype)
    observed, legal = arrays(game, dtype)
    step = game.stepper(states, 0, observation, mask)
    assert not observation.any()
    assert not mask.any()
    rng = random.Random(0)
    seat = game.play.seat_to_act(states, 0)
    while seat != GAME_OVER:
        assert step(-1) == step(game.num_actions) == ILLEGAL
        action = rng.choice(np.flatnonzero(game.play.legal_mask(states, 0)).tolist())
        seat = step(np.int16(action) if action % 2 else action)
        assert seat == entry(other, 0, action, observed, legal)
        assert np.array_equal(observation, observed)
        assert np.array_equal(mask, legal)
        assert states.tobytes() == other.tobytes()
    assert step(0) == GAME_OVER


def test_a_stepper_refuses_what_the_entry_refuses():
    game = games.game("bloodrage")
    states = game.new_game(5, game.options())
    observation, mask = arrays(game, np.uint8)
    fixed = mask.copy()
    fixed.flags.writeable = False
    for wrong in (
        (states, 1, observation, mask),
        (states, 0, observation[:-1], mask),
        (states, 0, observation, mask[:-1]),
        (states, 0, np.zeros(2 * len(observation), np.uint8)[::2], mask),
        (states, 0, observation.astype(np.int64), mask),
        (states, 0, observation.tolist(), mask),
        (states, 0, observation, fixed),
        (states, 0, observation, mask.astype(bool)),
        (states.view(np.uint8), 0, observation, mask),
        (games.game("berserk").new_game(5, games.game("berserk").options()), 0, observation, mask),
    ):
        with pytest.raises((TypeError, ValueError)):
            game.stepper(*wrong)
    step = game.stepper(states, 0, observation, mask)
    before = states.tobytes()
    for action in ("3", 2.5, None):
        with pytest.raises(TypeError):
            step(action)
    with pytest.raises(OverflowError):
        step(2**70)
    assert states.tobytes() == before
