"""Ranges of all games: every field and every column has one, and every state of every kind of game keeps them."""

import random
from importlib import import_module

import numpy as np
import pytest

from bloodrage_env import games
from bloodrage_env.core.engine.record import Group, Head, bounds, fields_of

STATES = {name: import_module(f"bloodrage_env.games.{name}.engine.state") for name in games.all_names()}
GROUPS: dict[str, tuple[Group, ...]] = {name: each.GROUPS for name, each in STATES.items()}


@pytest.mark.parametrize("name", games.all_names())
def test_every_state_of_a_game_with_any_options_passes(name: str) -> None:
    """As a copy, a pickle or `set_state` checks it: the options of Berserk's table of differences among them."""
    game = games.game(name)
    states, tally = np.zeros(1, game.state), np.zeros(4, np.int64)
    for number in range(150):
        options = game.options.drawn(random.Random(number), {})
        seed = game.play_checked(states, 10 * number, 10, options.numbers(), tally)
        if seed >= 0:
            game.check_state(states, 0)
        assert seed == -1, options


@pytest.mark.parametrize("name", games.all_names())
def test_a_record_has_the_fields_of_every_game(name: str) -> None:
    assert set(Head._fields) <= set(games.game(name).state.names or ())


@pytest.mark.parametrize("name", games.all_names())
def test_options_that_are_drawn_take_every_value(name: str) -> None:
    """What is not given is drawn; what is given stays."""
    options = games.game(name).options
    drawn = [options.drawn(random.Random(number), {"skip_forced": False}) for number in range(60)]
    for each, facts in options.facts().items():
        values = {str(getattr(one, each)) for one in drawn}
        most = 1 if each == "skip_forced" else len({str(facts.kind.drawn(random.Random(i))) for i in range(60)})
        assert len(values) >= min(most, 3) or most == 1
        assert most > 1 or values == {str(getattr(drawn[0], each))}


@pytest.mark.parametrize("name", games.all_names())
def test_the_record_and_its_ranges_follow_the_table(name: str) -> None:
    """Fields in the order of the table; the ranges of the stack are those of the columns of a frame."""
    limits = bounds(GROUPS[name])
    assert tuple(each.name for each in fields_of(GROUPS[name])) == games.game(name).state.names
    assert all((low <= high).all() for low, high in zip(*(limit[0] for limit in limits), strict=True))
    for column in STATES[name].Frame:
        for side, limit in zip((column.least, column.greatest), limits, strict=True):
            assert (limit["stack"][0][:, column] == side).all()


@pytest.mark.parametrize("name", games.all_names())
def test_a_record_with_a_card_that_there_is_none_of_is_refused(name: str) -> None:
    """Positions that are reserved for later cards and figure kinds are 0."""
    game = games.game(name)
    _, greatest = bounds(GROUPS[name])
    reserved = {"bloodrage": ("hand", "discards", "figures", "known_since")}
    for field in reserved.get(name, ("deck", "deal", "squad")):
        states = game.new_game(1, game.options())
        place = np.unravel_index(greatest[field][0].argmin(), greatest[field][0].shape)
        assert states[field][0][place] == 0
        game.check_state(states, 0)
        states[field][0][place] = 1
        with pytest.raises(ValueError, match=rf"{field}.* is 1, not 0 to 0"):
            game.check_state(states, 0)
