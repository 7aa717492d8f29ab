"""What entries refuse: an index or a seat by which compiled code would read beyond a game."""

from collections.abc import Callable
from typing import NamedTuple

from .compiled import Compiler, Record, Records, rule


class Checks(NamedTuple):
    """What entries refuse; compiled code calls them."""

    check_game: Callable[[Records, int], None]
    check_seat: Callable[[Record, int], None]


def checks_for(compiler: Compiler) -> Checks:
    """Make the checks for one game."""

    @compiler.rule
    def check_game(states: Records, index: int) -> None:
        """`index` is the index of a game."""
        if index < 0 or index >= len(states):
            raise ValueError("index must be that of a game: 0 to len(states) - 1")

    @compiler.rule
    def check_seat(s: Record, seat: int) -> None:
        """`seat` plays in this game."""
        if seat < 0 or seat >= s.num_players:
            raise ValueError("seat must be one of the game: 0 to num_players - 1")

    return Checks(check_game, check_seat)


@rule
def check_seed(seed: int) -> None:
    """`seed` is no negative number."""
    if seed < 0:
        raise ValueError("seed must be 0 to 2**63 - 1")


@rule
def check_count(max_decisions: int) -> None:
    """`max_decisions` is no negative number."""
    if max_decisions < 0:
        raise ValueError("max_decisions must be 0 or more")
