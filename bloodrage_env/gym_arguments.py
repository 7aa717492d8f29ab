"""Checks the arguments of the environments in `gym.py`. Error messages are one line that names the argument."""

import reprlib
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from . import games
from .core.api.keywords import refuse_unknown
from .core.engine.numbers import whole_number
from .core.engine.options import GameOptions

RENDER_MODES: Final = ("ansi", "rgb_array")


def options_of(made: type[Any], game: str, num_players: int | None, options: Mapping[str, Any]) -> GameOptions:
    """Return the options of a game from the keywords of an environment. Raise TypeError or ValueError."""
    refuse_unknown(made, options, games.game(game).options)
    return games.options_from(game, **({} if num_players is None else {"num_players": num_players}), **options)


def listed(opponents: str | Sequence[str] | None) -> str | None:
    """Return the opponents as a text. Raise TypeError unless they are a text or a sequence of texts."""
    if opponents is None or isinstance(opponents, str):
        return opponents
    if not isinstance(opponents, Sequence) or not all(isinstance(each, str) for each in opponents):
        raise TypeError(f"opponents must be a text or a sequence of texts, not {reprlib.repr(opponents)}")
    return ",".join(opponents)


def render_modes(game: str) -> list[str]:
    """Return the members of RENDER_MODES that a game supports."""
    return [mode for mode in RENDER_MODES if mode in games.environment(game).metadata["render_modes"]]


def checked_mode(render_mode: str | None, game: str) -> str | None:
    """Return the mode. Raise ValueError for an unknown mode and TypeError for a mode that this game lacks.

    After a TypeError, `make_vec_env` of Stable-Baselines3, which first asks for rgb_array, makes the environment
    without it.
    """
    modes = render_modes(game)
    if render_mode is None or render_mode in modes:
        return render_mode
    refused = TypeError if render_mode in RENDER_MODES else ValueError
    raise refused(f"render_mode of {game} must be None or one of {', '.join(modes)}, not {render_mode!r}")


def checked_marks(options: Any, num_envs: int) -> npt.NDArray[np.bool_]:
    """Return `options["reset_mask"]`, the games to reset; all games by default. Raise TypeError or ValueError."""
    if options is not None and not isinstance(options, Mapping):
        raise TypeError(f"options must be None or a dict, not {reprlib.repr(options)}")
    marks = (options or {}).get("reset_mask")
    if marks is None:
        return np.ones(num_envs, np.bool_)
    good = isinstance(marks, np.ndarray) and not isinstance(marks, np.ma.MaskedArray)
    if not good or marks.shape != (num_envs,) or marks.dtype != np.bool_ or not marks.any():
        raise ValueError(f"options['reset_mask'] must be bool[{num_envs}] with at least one True")
    found: npt.NDArray[np.bool_] = marks.copy()
    return found


def checked_actions(actions: npt.ArrayLike, num_envs: int) -> npt.NDArray[np.int64]:
    """Return the actions as int64[num_envs]. Raise ValueError for another shape or type, or a masked array."""
    try:
        answers = np.asarray(actions)
    except ValueError:  # rows of different lengths
        raise ValueError(f"actions are {reprlib.repr(actions)}; give int[{num_envs}]") from None
    if isinstance(actions, np.ma.MaskedArray) or answers.shape != (num_envs,) or answers.dtype.kind not in "iu":
        masked = "masked " if isinstance(actions, np.ma.MaskedArray) else ""
        raise ValueError(f"actions are {masked}{answers.dtype.name}{list(answers.shape)}; give int[{num_envs}]")
    return answers.astype(np.int64)


def checked_own_seed(seed: Any) -> int | None:
    """Return a seed of Gymnasium: 0 or more, or None. Raise TypeError for a non-integer, ValueError below 0."""
    if seed is None:
        return None
    number = whole_number("seed", seed)
    if number < 0:
        raise ValueError(f"seed must be 0 or more, not {reprlib.repr(number)}")
    return number


def checked_seeds(seed: Any, num_envs: int) -> list[int | None]:
    """Return the seed of each game. Raise TypeError for a seed that is not an integer, ValueError for another
    count.
    """
    if seed is None:
        return [None] * num_envs
    if isinstance(seed, (str, np.ma.MaskedArray)) or not isinstance(seed, (Sequence, np.ndarray)) or np.ndim(seed) == 0:
        first = checked_own_seed(seed)
        return [None if first is None else first + game for game in range(num_envs)]
    if len(seed) != num_envs:
        raise ValueError(f"there are {len(seed)} seeds; give one number, or one for each of {num_envs} games")
    return [checked_own_seed(each) for each in seed]
