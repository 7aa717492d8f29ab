"""The version of the rules: a number for people, and a hash over seeded games for tests."""

from collections.abc import Iterator
from typing import Final

import numpy as np
import numpy.typing as npt

from ....core.engine.behaviour import behaviour_hash, first_numbers, seeded_actions
from .actions import BLOCKS
from .api import apply, new_game, reset
from .cards import cards_of
from .ids import MAX_SEATS, NUM_KINDS, CardSet, Figure, Source
from .state import MAX_DECISIONS, States

RULES_VERSION: Final = "3"  # of the rules as they are played here; replays of another version are refused

# What everybody sees of a finished game. Named one by one, so that a new field or a wider one changes no hash; and of
# clans and cards at least as many rows as the first records had.
_LEAST_CLANS: Final = 4
_LEAST_CARDS: Final = 82
FIRST_NUMBERS: Final = first_numbers(BLOCKS, {"FIGURE_AT": 111, "MARCH": 189})
_PUBLIC_FIELDS: Final = (
    "age", "phase", "first_player", "over", "truncated", "decisions", "stat_step", "rage", "glory", "glory_from",
    "passed", "upgrades", "figures", "token", "pillaged", "destroyed", "ragnarok", "hand_size", "discards",
)  # fmt: skip


def behaviour_signature(games: int = 1000, sets: int = 0) -> str:
    """Return sixteen hex digits over seeded random games: their options, every action, the final records.

    Only a change of rules may change it. Games of two, three and four players alternate, with `P5` among the `sets`
    (as `engine.new_game` takes them) also of five; every fourth is a first game, every eighth asks every question.
    Compiled and plain engine give the same hash.
    """
    numbers = range(2, MAX_SEATS + int(sets >> CardSet.P5 & 1))
    states = new_game(0, 2)

    def facts(game: int) -> Iterator[npt.ArrayLike]:
        options = (numbers[game % len(numbers)], int(game % 4 == 3), int(game % 8 != 7))
        reset(states, 0, game, np.array((*options, sets)))
        actions = seeded_actions(states, apply, game, MAX_DECISIONS)
        yield (*options, len(actions))
        yield FIRST_NUMBERS[actions]
        yield from (_public(states, name) for name in _PUBLIC_FIELDS)

    return behaviour_hash(games, facts, "<i4")


def _public(states: States, name: str) -> npt.NDArray[np.signedinteger]:
    """The numbers of a field in a row; of figures and glory those of the kinds and sources that the game has."""
    values = states[name][0]
    if name == "discards":
        values = values[: max(_LEAST_CARDS, cards_of(int(states[0].sets))[-1] + 1)]
    elif name == "figures":
        values = values[:, :NUM_KINDS]
    if values.shape[:1] == (MAX_SEATS,):
        values = values[: max(_LEAST_CLANS, int(states[0].num_players))]
    without = {"figures": (CardSet.MYSTICS, Figure.MYSTIC), "glory_from": (CardSet.GODS, Source.GODS)}
    if name in without and not states[0].sets >> without[name][0] & 1:
        values = values[:, : without[name][1]]
    return np.ravel(values)
