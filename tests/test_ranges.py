"""Ranges of both games: every field and every column has one, and every state of every kind of game keeps them."""

import random
from types import ModuleType

import numpy as np
import pytest

from bloodrage_env import games
from bloodrage_env.games.berserk.engine import frames as berserk_frames
from bloodrage_env.games.berserk.engine import ranges as berserk_ranges
from bloodrage_env.games.bloodrage.engine import frames, ranges

PARTS = {"bloodrage": (frames, ranges), "berserk": (berserk_frames, berserk_ranges)}


@pytest.mark.parametrize("name", games.GAMES)
def test_every_state_of_a_game_with_any_options_passes(name: str) -> None:
    """As a copy, a pickle or `set_state` checks it: the options of Berserk's table of differences among them."""
    game = games.game(name)
    states, tally = np.zeros(1, game.state), np.zeros(4, np.int64)
    for number in range(150):
        options = game.options.drawn(random.Random(number), {})
        seed = game.play_checked(states, 10 * number, 10, np.array(options.numbers()), tally)
        if seed >= 0:
            game.check_state(states, 0)
        assert seed == -1, options


@pytest.mark.parametrize("name", games.GAMES)
def test_options_that_are_drawn_take_every_value(name: str) -> None:
    """What is not given is drawn; what is given stays."""
    options = games.game(name).options
    drawn = [options.drawn(random.Random(number), {"skip_forced": False}) for number in range(60)]
    for each, facts in options.facts().items():
        values = {str(getattr(one, each)) for one in drawn}
        most = 1 if each == "skip_forced" else len({str(facts.kind.drawn(random.Random(i))) for i in range(60)})
        assert len(values) >= min(most, 3) or most == 1
        assert most > 1 or values == {str(getattr(drawn[0], each))}


@pytest.mark.parametrize("parts", PARTS.values(), ids=PARTS)
def test_every_column_has_a_range_and_the_stack_has_theirs(parts: tuple[ModuleType, ModuleType]) -> None:
    """One table: the checks of frames and the range of the field follow it."""
    frames, ranges = parts  # of either game
    assert list(frames.COLUMNS) == list(frames.Frame)
    assert {*ranges.FIELDS, "stack"} == set(ranges.RANGES.least.dtype.names or ())
    for column, bounds in frames.COLUMNS.items():
        for side, record in zip(bounds, (ranges.RANGES.least, ranges.RANGES.greatest), strict=True):
            assert (record["stack"][0][:, column] == side).all()


@pytest.mark.parametrize("name", games.GAMES)
def test_a_record_with_a_card_that_there_is_none_of_is_refused(name: str) -> None:
    """Positions that are reserved for later cards and figure kinds are 0."""
    game = games.game(name)
    greatest = PARTS[name][1].RANGES.greatest
    reserved = {"bloodrage": ("hand", "discards", "figures", "known_since"), "berserk": ("deck", "deal", "squad")}
    for field in reserved[name]:
        states = game.new_game(1, game.options())
        place = np.unravel_index(greatest[field][0].argmin(), greatest[field][0].shape)
        assert states[field][0][place] == 0
        game.check_state(states, 0)
        states[field][0][place] = 1
        with pytest.raises(ValueError, match=rf"{field}.* is 1, not 0 to 0"):
            game.check_state(states, 0)
