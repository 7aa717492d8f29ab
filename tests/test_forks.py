"""What is drawn after a fork differs between processes, unless it follows from a seed."""

import contextlib
import hashlib
import os
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import gymnasium
import numpy as np
import pytest
from environments import PETTINGZOO

from bloodrage_env.gym import OneSeat, OneSeatVector

CHILDREN = 4


def drawn_by_children(draw: Callable[[], bytes]) -> list[bytes]:
    """What each of several processes draws, forked one after another."""
    found = []
    for _ in range(CHILDREN):
        reading, writing = os.pipe()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # numpy and numba have threads; a child uses none
            child = os.fork()
        if not child:
            with contextlib.suppress(BaseException):
                os.write(writing, hashlib.sha256(draw()).digest())
            os._exit(0)
        os.close(writing)
        with os.fdopen(reading, "rb") as pipe:
            found.append(pipe.read())
        os.waitpid(child, 0)
    assert all(found)
    return found


def deals_of_aec(env: Any) -> bytes:
    env.reset()
    states: bytes = env._states.tobytes()
    return states


def deals_of_one_seat(env: OneSeat) -> bytes:
    env.reset()
    return env._games.states.tobytes()


def deals_of_a_step(env: OneSeatVector) -> bytes:
    """The games that follow the first ones."""
    for _ in range(2):  # illegal actions end the games, then they are reset
        env.step(np.full(env.num_envs, -1))
    return env._games.states.tobytes()


def deals_of_a_batch(env: OneSeatVector) -> bytes:
    env.reset()
    return env._games.states.tobytes()


MAKERS: dict[str, tuple[Callable[[], Any], Callable[[Any], bytes]]] = {
    **{name: (makers.env, deals_of_aec) for name, makers in PETTINGZOO.items()},
    "OneSeat": (OneSeat, deals_of_one_seat),
    "OneSeatVector": (lambda: OneSeatVector(2), deals_of_a_batch),
    "OneSeatVector, stepped": (lambda: OneSeatVector(2), deals_of_a_step),
}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
@pytest.mark.parametrize("name", MAKERS)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_children_draw_games_of_their_own(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gymnasium.logger, "warn", lambda *_, **__: None)
    make, deals = MAKERS[name]
    for begun in (True, False):
        env = make()
        if begun or deals is deals_of_a_step:
            env.reset()
        assert len(set(drawn_by_children(partial(deals, env)))) == CHILDREN
    env = make()
    env.reset(seed=5)
    assert len(set(drawn_by_children(partial(deals, env)))) == 1


def test_a_generator_of_the_user_stays() -> None:
    found = []
    for _ in range(2):
        env = OneSeat()
        env.np_random = np.random.default_rng(3)
        found.append([deals_of_one_seat(env), deals_of_one_seat(env)])
    assert found[0] == found[1]
    assert found[0][0] != found[0][1]


def test_the_seed_that_gymnasium_tells_repeats_the_game() -> None:
    env = OneSeat()
    first = deals_of_one_seat(env)
    seed = env.np_random_seed
    env.reset(seed=seed)
    assert env._games.states.tobytes() == first
