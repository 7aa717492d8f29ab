"""Pickles are not believed: whatever contains a game checks it when it is unpickled, as `set_state` does."""

import pickle
from collections.abc import Callable, Iterator
from typing import Any

import gymnasium
import numpy as np
import pytest
from environments import PETTINGZOO

from bloodrage_env import VectorGames, games
from bloodrage_env.gym import OneSeat, OneSeatVector


def begun(env: Any) -> Any:
    env.reset(seed=4)
    return env


def batch(game: str) -> VectorGames:
    made = VectorGames(3, game=game)
    made.reset(4)
    return made


def self_play(game: str) -> Any:
    module = pytest.importorskip("bloodrage_training.sb3_vec_env")
    made = module.SelfPlayVecEnv(2, game=game, opponents=["random"])
    made.seed(4)
    made.reset()
    return made


HOLDERS: dict[str, Callable[[str], Any]] = {
    "AEC": lambda game: begun(PETTINGZOO[game].env()),
    "raw AEC": lambda game: begun(PETTINGZOO[game].raw_env()),
    "parallel": lambda game: begun(PETTINGZOO[game].parallel_env()),
    "batch": batch,
    "one seat": lambda game: begun(OneSeat(game=game, opponents="random")),
    "one seat, made by Gymnasium": lambda game: begun(gymnasium.make("bloodrage/OneSeat-v0", game=game)),
    "one seat of a batch": lambda game: begun(OneSeatVector(3, game=game, opponents="random")),
    "self-play": self_play,
}


def records(held: Any, state: np.dtype[Any], seen: set[int]) -> Iterator[Any]:
    """The arrays of records that an object holds, itself or in others."""
    if id(held) in seen:
        return
    seen.add(id(held))
    if isinstance(held, np.ndarray) and held.dtype == state:
        yield held
    elif isinstance(held, list | tuple):
        for each in held:
            yield from records(each, state, seen)
    elif isinstance(held, dict):
        yield from records(list(held.values()), state, seen)
    elif hasattr(held, "__dict__") and type(held).__module__.partition(".")[0] not in ("llvmlite", "numba"):
        yield from records(list(vars(held).values()), state, seen)


@pytest.mark.parametrize("game", games.all_names())
@pytest.mark.parametrize("kind", HOLDERS)
def test_a_damaged_record_is_refused_when_it_is_unpickled(kind: str, game: str) -> None:
    """The last game of each array is damaged where only `check_state` looks."""
    held, state = HOLDERS[kind](game), games.game(game).state
    whole = pickle.dumps(held)
    pickle.loads(whole)
    found = [each for each in records(held, state, set()) if each["num_players"].all()]
    assert found
    for states in found:
        true = states[-1:].tobytes()
        assert true in whole
        for field, number in (("decision", 99), ("mask", 1), ("num_legal", 0)):
            damaged = np.ndarray(1, state, bytearray(true))
            damaged[field] = number
            with pytest.raises(ValueError, match="this state is damaged"):
                pickle.loads(whole.replace(true, damaged.tobytes()))


@pytest.mark.parametrize("game", games.all_names())
def test_a_recorder_plays_its_actions_again_when_it_is_unpickled(game: str) -> None:
    """Its pickle contains no record that could differ from them."""
    options = games.options_from(game)
    recorder = games.recorder(options, 4)
    for _ in range(5):
        recorder.apply(int(recorder.states["mask"][0].argmax()))
    whole = pickle.dumps(recorder)
    assert recorder.states.tobytes() not in whole
    assert pickle.loads(whole).states.tobytes() == recorder.states.tobytes()
    recorder.actions[-1] = int(recorder.states["mask"][0].size) - 1
    with pytest.raises(ValueError, match="action"):
        pickle.loads(pickle.dumps(recorder))
