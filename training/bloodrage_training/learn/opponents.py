"""Whom a training run may meet: every style that is not held out for evaluation, and policies of files."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from bloodrage_env.errors import UserError

from .export import policy_of
from .learnable import Learnable
from .policy import Policy

FILES: Final = (".npz", ".pt")  # of policies
FIRST_FILE: Final = -2  # in place of the style of a seat: the first policy of a file plays it; -1 is the learner


def check_opponents(names: Sequence[str], known: Sequence[str], held_out: Sequence[str]) -> None:
    """UserError for an opponent that is held out, or not among those known."""
    for name in names:
        if name in held_out:
            raise UserError(f"held out: {name} is for evaluation alone; a run may have {', '.join(known)}")
        if name not in known:
            raise UserError(f"there is no opponent {name!r}; there are {', '.join(known)}")


class Opponents:
    """Styles, and policies of files, by weight. `numbers` are those of styles, or FIRST_FILE, FIRST_FILE - 1, ...

    Without any they are the styles that a run may meet. UserError for an opponent that can't be, and for a weight that
    is not above 0.
    """

    def __init__(self, weights: Mapping[str, Any], learnable: Learnable) -> None:
        weights = weights or dict.fromkeys(learnable.training_styles, 1.0)
        self.names = tuple(weights)
        numbers = np.array(list(weights.values()))
        if numbers.dtype.kind not in "if" or not (numbers > 0).all():
            raise UserError(f"opponents are {dict(weights)}; give each a weight above 0")
        named = [name for name in weights if not name.endswith(FILES)]
        check_opponents(named, learnable.training_styles, learnable.held_out)
        self._learnable = learnable
        self.policies: list[Policy] = []  # of files, in the order of their names
        self._numbers = np.array([self._number(name) for name in weights])
        self._chances = numbers / numbers.sum()

    def draw(self, count: int, rng: np.random.Generator) -> npt.NDArray[np.int64]:
        """int64[count]: the numbers of opponents."""
        return np.asarray(rng.choice(self._numbers, size=count, p=self._chances))

    def _number(self, name: str) -> int:
        if not name.endswith(FILES):
            return self._learnable.styles.index(name)
        self.policies.append(policy_of(Path(name), self._learnable.game.name))
        return FIRST_FILE + 1 - len(self.policies)
