"""The games that the same people play one after the other: their results, and the seats of the next one.

Each player sits one seat further in the next game, so that the results need no names: who has a seat now had the one
before it in the game before.
"""

from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any, Final

from .at_table import Game, Result
from .seating import Seat

MAX_RESULTS: Final = 20  # the oldest is dropped


def result(game_id: str, game: Game) -> Result:
    """Return the result of a game that is over."""
    scores = game.rules.play.scores(game.states, 0).tolist()
    rewards = game.rules.rewards["win"](scores)
    best = max(rewards)  # not above 0 where all are level: a victory that all share, a draw, or one player alone
    winners = [seat for seat, reward in enumerate(rewards) if reward == best and (best > 0 or scores[seat] > 0)]
    return Result(game_id, tuple(scores), tuple(winners))


def results(game_id: str, game: Game) -> tuple[Result, ...]:
    """Return the results up to a game that is over."""
    return (*game.earlier, result(game_id, game))[-MAX_RESULTS:]


def next_seats(seats: Sequence[Seat]) -> list[Seat]:
    """Return the players of the next game, each one seat further. People for whom an agent plays have their seats."""
    players = [seat if seat.person is None else replace(seat, agent=None) for seat in seats]
    return [players[-1], *players[:-1]]


def evening_view(game: Game) -> dict[str, Any]:
    """Return what all are shown: `results`, the last one of this game if it is over, whose id is then empty, and
    `next`, whether the next game has begun.
    """
    found = results("", game) if game.over else game.earlier
    return {"results": [asdict(each) for each in found], "next": game.rematch is not None}


def read_results(content: Any, seats: int) -> tuple[Result, ...]:
    """Return the results of a file, which is not trusted. Raise ValueError, TypeError or LookupError."""
    found = tuple(Result(each["game"], tuple(each["scores"]), tuple(each["winners"])) for each in content)
    for each in found:
        numbers = (*each.scores, *each.winners)
        if (
            any(type(number) is not int for number in numbers)
            or len(each.scores) != seats
            or type(each.game) is not str
        ):
            raise ValueError
    if len(found) > MAX_RESULTS:
        raise ValueError
    return found
