"""The constants of the tree search: named arguments of the agent, and one row of numbers for the compiled entry."""

from collections.abc import Mapping
from enum import IntEnum
from types import MappingProxyType
from typing import Final

import numpy as np
import numpy.typing as npt


class Setting(IntEnum):
    """The index of each constant in the row, float64[NUM_SETTINGS], that `tree.grow` takes."""

    EXPLORATION = 0  # weight of priors and visits against values (0 to 1), in PUCT
    FIRST_PLAY = 1  # by how much a move without visits is valued below what its siblings let expect
    SHARPNESS = 2  # of the heuristic's priors: a move with a score of one more gets exp(SHARPNESS) times as much
    CANDIDATES = 3  # moves of the root with which sequential halving begins; 0: PUCT at the root, too
    CONFIDENCE = 4  # in sequential halving: logits that a difference of 1 in value is worth, for each visit
    OFFSET = 5  # visits that are added to those of the most visited move for that
    NOISE = 6  # scale of the Gumbel noise on the logits of the root
    REFRESH = 7  # down to this many moves below the root others move by the network's priors in the deal at hand
    DRAFTS = 8  # how much the others draft by the worth of cards, if the game has a draft; 0: deals are even


NUM_SETTINGS: Final = len(Setting)
MOST_DRAFTS: Final = 2  # beyond it probabilities of picks are practically zero
# With the heuristic's priors and rollouts; with a network; and with a network in games of two.
PLAIN: Final[Mapping[Setting, float]] = MappingProxyType(
    {
        Setting.EXPLORATION: 1.0,
        Setting.FIRST_PLAY: 0.0,
        Setting.SHARPNESS: 0.3,
        Setting.CANDIDATES: 0.0,
        Setting.CONFIDENCE: 1.0,
        Setting.OFFSET: 50.0,
        Setting.NOISE: 0.0,
        Setting.REFRESH: 0.0,
        Setting.DRAFTS: 0.0,
    }
)
GUIDED: Final[Mapping[Setting, float]] = MappingProxyType(
    {**PLAIN, Setting.EXPLORATION: 0.3, Setting.CANDIDATES: 16.0, Setting.DRAFTS: 0.7}
)
GUIDED_PAIR: Final[Mapping[Setting, float]] = MappingProxyType(
    {**GUIDED, Setting.EXPLORATION: 0.53, Setting.CONFIDENCE: 4.25, Setting.OFFSET: 32.0, Setting.DRAFTS: 1.16}
)


def defaults(guided: bool, players: int) -> Mapping[Setting, float]:
    """Return the constants of a search, with or without a network, in games of `players`."""
    if not guided:
        return PLAIN
    return GUIDED_PAIR if players == 2 else GUIDED


HALVING: Final = "sequential halving, with candidates"
# The purpose of each constant that some searches ignore.
PURPOSES: Final[Mapping[Setting, str]] = MappingProxyType(
    {
        Setting.SHARPNESS: "the priors of a style, without path",
        Setting.CONFIDENCE: HALVING,
        Setting.OFFSET: HALVING,
        Setting.REFRESH: "the priors of a policy, with path",
    }
)


def ignored(guided: bool, candidates: float) -> set[Setting]:
    """Return the constants without an effect on a search, with or without a network.

    `candidates` says with how many moves sequential halving begins.
    """
    result = {Setting.SHARPNESS if guided else Setting.REFRESH}
    if candidates == 0:
        result |= {Setting.CONFIDENCE, Setting.OFFSET}
    return result


def row_of(settings: Mapping[Setting, float]) -> npt.NDArray[np.float64]:
    """Return float64[NUM_SETTINGS]: the settings, which must be complete, in their order."""
    return np.array([settings[each] for each in Setting], np.float64)
