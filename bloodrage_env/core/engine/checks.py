"""Checks of entries: an invalid index or seat would let compiled code access memory beyond a game."""

from collections.abc import Callable
from typing import NamedTuple

from ..compile.decorators import Compiler, Record, Records, rule


class Checks(NamedTuple):
    """Compiled checks of arguments."""

    check_game: Callable[[Records, int], None]
    check_seat: Callable[[Record, int], None]


def checks_for(compiler: Compiler) -> Checks:
    """Make the checks for one game."""

    @compiler.rule
    def check_game(states: Records, index: int) -> None:
        """Raise ValueError unless `index` is the index of a game."""
        if index < 0 or index >= len(states):
            raise ValueError("index must be that of a game: 0 to len(states) - 1")

    @compiler.rule
    def check_seat(s: Record, seat: int) -> None:
        """Raise ValueError unless `seat` plays in this game."""
        if seat < 0 or seat >= s.num_players:
            raise ValueError("seat must be one of the game: 0 to num_players - 1")

    return Checks(check_game, check_seat)


@rule
def check_seed(seed: int) -> None:
    """Raise ValueError for a negative `seed`."""
    if seed < 0:
        raise ValueError("seed must be 0 to 2**63 - 1")


@rule
def check_count(max_decisions: int) -> None:
    """Raise ValueError for a negative `max_decisions`."""
    if max_decisions < 0:
        raise ValueError("max_decisions must be 0 or more")
