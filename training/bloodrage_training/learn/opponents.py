"""The opponents in training: every style that is not held out for evaluation, policies of files, and searches."""

import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import torch

from bloodrage_env.errors import UserError

from .evaluate import Choice, sampled, searches, searching
from .export import policy_of
from .learnable import Learnable
from .policy import Inputs, Policy
from .source import Source

FILES: Final = (".npz", ".pt")  # of policies
# Games, the numbers of some of them, and a source of chance to the actions of these, int64[N].
Answer = Callable[[Source, npt.NDArray[np.int64], np.random.Generator], npt.NDArray[np.int64]]
FIRST_OTHER: Final = -2  # in place of the style of a seat: the first that is not a style plays it; -1 is the learner


def check_opponents(names: Sequence[str], known: Sequence[str], held_out: Sequence[str]) -> None:
    """Raise UserError for an opponent that is held out or unknown."""
    for name in names:
        if name in held_out:
            raise UserError(f"held out: {name} is for evaluation alone; a run may have {', '.join(known)}")
        if name not in known:
            raise UserError(f"there is no opponent {name!r:.60}; there are {', '.join(known)}")


def check_weights(weights: Mapping[str, Any]) -> None:
    """Raise UserError for a weight of an opponent that is not above 0."""
    if not all(type(weight) in (int, float) and 0 < weight < math.inf for weight in weights.values()):
        raise UserError(f"opponents are {dict(weights)!s:.200}; give each a weight above 0")


def choice_of(name: str, game: str, bfloat16: bool = False) -> Choice:
    """Return the choice of a search or of the policy of a file. Raise UserError for an invalid name."""
    return searching(name, game) if searches(name) else sampled(_policy(name, game, bfloat16))


def _policy(name: str, game: str, bfloat16: bool) -> Policy:
    policy = policy_of(Path(name), game)
    policy.bfloat16 = bfloat16
    return policy


def by_states(choose: Choice) -> Answer:
    """Return an answer by a choice that reads records on the host."""
    return lambda games, which, rng: choose(games.states, which, rng)


def sampled_from_bytes(policy: Policy) -> Answer:
    """Return an answer that draws actions of a policy by their probability, on the device of the policy."""

    def choose(games: Source, which: npt.NDArray[np.int64], rng: np.random.Generator) -> npt.NDArray[np.int64]:
        rows = Inputs.empty(len(which), policy.net, policy.device)
        games.write(which, np.zeros(len(which), bool), rows, policy.net)
        with torch.inference_mode():
            return np.asarray(policy.draw(rows, rng)[0].cpu().numpy())

    return choose


class Opponents:
    """Styles, policies of files and searches, with weights.

    The number of an opponent is that of its style, or FIRST_OTHER, FIRST_OTHER - 1, ... The default is all styles that
    a run can use. With `bfloat16`, policies compute as a learner with that setting, on `device`. Raises UserError for
    an invalid opponent and for a weight that is not above 0.
    """

    def __init__(
        self, weights: Mapping[str, Any], learnable: Learnable, bfloat16: bool = False, device: str = "cpu"
    ) -> None:
        weights = weights or dict.fromkeys(learnable.training_styles, 1.0)
        self.names = tuple(weights)
        check_weights(weights)
        numbers = np.array(list(weights.values()), np.float64)
        named = [name for name in weights if not (name.endswith(FILES) or searches(name))]
        check_opponents(named, learnable.training_styles, learnable.held_out)
        self._learnable, self._device = learnable, device
        self.others: list[Answer] = []  # which are not styles, in the order of their names
        self._numbers = np.array([self._number(name, bfloat16) for name in weights])
        self._chances = numbers / numbers.sum()

    def name_of(self, number: int) -> str:
        """Return the name of the opponent with a number."""
        return str(self.names[self._numbers.tolist().index(number)])

    def draw(self, count: int, rng: np.random.Generator) -> npt.NDArray[np.int64]:
        """Return int64[count]: the numbers of random opponents."""
        return np.asarray(rng.choice(self._numbers, size=count, p=self._chances))

    def answer(
        self, games: Source, owners: npt.NDArray[np.int64], actions: npt.NDArray[np.int64], rng: np.random.Generator
    ) -> None:
        """Fill `actions` of the games in which an opponent is to act; `owners`, int64[N], are their numbers."""
        for number, choose in enumerate(self.others):
            theirs = np.flatnonzero(owners == FIRST_OTHER - number)
            if len(theirs):
                actions[theirs] = choose(games, theirs, rng)
        games.choose(owners, rng.integers(2**62, size=len(owners)), actions)

    def _number(self, name: str, bfloat16: bool) -> int:
        game = self._learnable.game.name
        if name in self._learnable.styles:
            return self._learnable.styles.index(name)
        if self._device == "cpu" or searches(name):
            self.others.append(by_states(choice_of(name, game, bfloat16)))
        else:
            self.others.append(sampled_from_bytes(_policy(name, game, bfloat16).to(self._device)))
        return FIRST_OTHER + 1 - len(self.others)
