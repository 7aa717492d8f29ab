"""Whom a training run may meet: every style that is not held out for evaluation, and policies of files."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from bloodrage_agents.compiled.weights import HELD_OUT, STYLES
from bloodrage_env.errors import UserError

from .export import policy_of
from .policy import Policy

TRAINING_STYLES: Final = tuple(style for style in STYLES if style not in HELD_OUT)

FILES: Final = (".npz", ".pt")  # of policies
FIRST_FILE: Final = -2  # in place of the style of a seat: the first policy of a file plays it; -1 is the learner


def check_opponents(names: Sequence[str], known: Sequence[str]) -> None:
    """UserError for an opponent that is held out, or not among those known."""
    for name in names:
        if name in HELD_OUT:
            raise UserError(f"held out: {name} is for evaluation alone; a run may have {', '.join(known)}")
        if name not in known:
            raise UserError(f"there is no opponent {name!r}; there are {', '.join(known)}")


class Opponents:
    """Styles, and policies of files, by weight. `numbers` are those of styles, or FIRST_FILE, FIRST_FILE - 1, ...

    UserError for an opponent that can't be, and for a weight that is not above 0.
    """

    def __init__(self, weights: Mapping[str, Any]) -> None:
        numbers = np.array(list(weights.values()))
        if numbers.dtype.kind not in "if" or not (numbers > 0).all() or not len(numbers):
            raise UserError(f"opponents are {dict(weights)}; give each a weight above 0")
        check_opponents([name for name in weights if not name.endswith(FILES)], TRAINING_STYLES)
        self.policies: list[Policy] = []  # of files, in the order of their names
        self._numbers = np.array([self._number(name) for name in weights])
        self._chances = numbers / numbers.sum()

    def draw(self, count: int, rng: np.random.Generator) -> npt.NDArray[np.int64]:
        """int64[count]: the numbers of opponents."""
        return np.asarray(rng.choice(self._numbers, size=count, p=self._chances))

    def _number(self, name: str) -> int:
        if not name.endswith(FILES):
            return STYLES.index(name)
        self.policies.append(policy_of(Path(name)))
        return FIRST_FILE + 1 - len(self.policies)
