"""Arguments of what users make: one that there is not, or of another type, is named in a line, with the nearest one."""

from collections.abc import Callable
from typing import Any

import gymnasium
import pettingzoo
import pytest

from bloodrage_env import VectorGames, berserk_v0, bloodrage_v0
from bloodrage_env.gym import OneSeat, OneSeatVector

MAKERS: list[Callable[..., Any]] = [
    OneSeat,
    OneSeatVector,
    lambda **options: OneSeat(game="berserk", **options),
    lambda **options: gymnasium.make("bloodrage/OneSeat-v0", **options),
    lambda **options: gymnasium.make_vec("bloodrage/OneSeat-v0", 2, **options),
    bloodrage_v0.env,
    bloodrage_v0.raw_env,
    bloodrage_v0.parallel_env,
    berserk_v0.env,
    berserk_v0.parallel_env,
    lambda **options: pettingzoo.make("aec", "bloodrage/bloodrage-v0", **options),
    lambda **options: VectorGames(1, **options),
    lambda **options: VectorGames(1, game="berserk", **options),
]


@pytest.mark.parametrize("make", MAKERS)
def test_an_argument_that_there_is_not(make: Callable[..., Any]) -> None:
    with pytest.raises(TypeError, match=r"has no argument 'skip_force'; did you mean skip_forced\?"):
        make(skip_force=True)
    with pytest.raises(TypeError, match=r"has no argument 'weather'; there are num_players, .*skip_forced"):
        make(weather="snow")


@pytest.mark.parametrize(
    ("make", "wrong", "near"),
    [
        (OneSeat, "opponent", "opponents"),
        (OneSeatVector, "num_env", "num_envs"),
        (bloodrage_v0.env, "rewards", "reward"),
        (berserk_v0.env, "render_mod", "render_mode"),
        (lambda **options: VectorGames(1, **options), "thread", "threads"),
    ],
)
def test_arguments_of_the_class_are_near_too(make: Callable[..., Any], wrong: str, near: str) -> None:
    with pytest.raises(TypeError, match=rf"'{wrong}'; did you mean {near}\?"):
        make(**{wrong: 1})


@pytest.mark.parametrize("make", [OneSeat, OneSeatVector])
@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"opponents": 5}, TypeError, "opponents must be a text or a sequence of texts, not 5"),
        ({"opponents": ["random", 5]}, TypeError, r"opponents must be .* not \['random', 5\]"),
        ({"opponents": "x"}, ValueError, "there is no agent 'x'; there are random, "),
        ({"opponents": "ballanced"}, ValueError, r"there is no agent 'ballanced'; did you mean balanced\?"),
        ({"reward": ["win"]}, ValueError, r"reward must be one of win, rank, margin, not \['win'\]"),
    ],
)
def test_arguments_of_other_types(make: Any, options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        make(**options)


def test_a_number_of_environments_that_is_none() -> None:
    for wrong in ("2", 1.5, None):
        with pytest.raises(TypeError, match="num_envs must be a whole number"):
            OneSeatVector(wrong)
