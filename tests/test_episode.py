"""Games in which texts answer for some seats: what they are shown, which answers lose, and who shares the victory."""

import pytest
from first_move import first_move
from toy_installed import toy

from bloodrage_agents.episode import Episode
from bloodrage_env import games
from bloodrage_env.core.engine.rewards import victory_share

__all__ = ["toy"]

pytestmark = pytest.mark.usefixtures("toy")

SINCE = "Since your last turn:\n"
NAMES = ("Red", "Blue", "Green")


def episode(players: int = 3, **more: object) -> Episode:
    return Episode(games.options_from("toy", num_players=players), 5, **more)  # type: ignore[arg-type]


def first(prompt: str) -> str:
    """The first legal action of a prompt."""
    return f"Answer: {first_move(prompt)}"


def since(prompt: str) -> list[str]:
    """The events in a prompt."""
    return prompt.partition(SINCE)[2].partition("\n\n")[0].splitlines() if SINCE in prompt else []


def test_a_seat_sees_what_has_happened_since_its_own_answer_and_no_more() -> None:
    """In a round all choose in secret; its end shows all numbers."""
    game, rounds, told = episode(), 0, [set[str]() for _ in NAMES]
    assert since(game.prompt()) == []
    while game.seat >= 0:
        seat, shown = game.seat, since(game.prompt())
        assert all(f"{name} plays" not in line for line in shown for name in NAMES if name != NAMES[seat])
        assert not told[seat] & set(shown)  # a number is played once
        told[seat] |= set(shown)
        rounds += bool(shown)
        before = game.prompt()
        assert game.answer("no idea") is not None
        assert game.prompt() == before
        assert game.answer(first(before)) is None
    assert rounds > 3


def test_answers_that_mean_nothing_lose_if_they_come_in_a_row() -> None:
    game = episode(tries=2)
    for _ in range(3):
        seat = game.seat
        assert game.answer("no idea") is not None
        assert game.seat == seat
        assert game.answer(first(game.prompt())) is None
    assert game.loser is None
    loser = game.seat
    game.answer("no idea")
    assert game.seat == loser
    game.answer("still none")
    assert (game.seat, game.loser) == (-1, loser)
    assert [game.won(seat) for seat in range(3)] == [0.0 if seat == loser else 0.5 for seat in range(3)]
    assert game.refused[loser] / game.answers[loser] == pytest.approx(1 - game.readable(loser))


def test_reasons_are_one_line() -> None:
    reason = episode().answer("Answer: no\x1b[2J idea\u2028at all")
    assert reason is not None
    assert reason.isprintable()


def test_the_victory_is_that_of_the_scores() -> None:
    game = episode(opponents={1: "random"})
    assert game.seats == [0, 2]
    while game.seat >= 0:
        assert game.seat in game.seats
        assert game.answer(first(game.prompt())) is None
    scores = game.rules.play.scores(game._states, 0)
    assert [game.won(seat) for seat in range(3)] == [victory_share(scores, seat) for seat in range(3)]
    assert sum(game.won(seat) for seat in range(3)) == pytest.approx(1)
    assert [game.readable(seat) for seat in game.seats] == [1.0, 1.0]
