"""The sections of an observation that contain a field of the record."""

import importlib

import numpy as np
import pytest

from bloodrage_env import games
from bloodrage_env.core.engine import record
from bloodrage_env.core.engine.fields_writer import fields_writer
from bloodrage_env.games.bloodrage import engine, observation


def observed(game, states):
    row = np.zeros(game.observation_size, np.uint8)
    game.observe.observe_bytes(states, 0, 0, row)
    return row


@pytest.mark.parametrize(
    ("name", "field"), [("rage", "age"), ("tokens", "gods"), ("phase", "hand_size"), ("hand", "march")]
)
def test_a_section_must_have_room_for_its_field(name: str, field: str) -> None:
    table = [each._replace(field=field) if each.name == name else each for each in observation.SECTIONS]
    with pytest.raises(RuntimeError, match=f"section {name}, of the shape .*, has no room for {field}"):
        fields_writer(engine.COMPILER, engine.GROUPS, table, observation.from_observer)


def test_an_array_is_copied_only_if_it_is_counts() -> None:
    groups = [
        group._replace(fields=tuple(each.within(-1, 3) if each.name == "hand" else each for each in group.fields))
        for group in engine.GROUPS
    ]
    with pytest.raises(RuntimeError, match="section hand can't contain hand, which is not counts in int8"):
        fields_writer(engine.COMPILER, groups, observation.SECTIONS, observation.from_observer)


@pytest.mark.parametrize("name", games.all_names())
def test_a_section_contains_its_field(name: str) -> None:
    """Other numbers in a field change its section."""
    game, changed = games.game(name), set()
    shown = [each for each in game.sections if each.field]
    assert len({each.field for each in shown}) == len(shown)
    groups = importlib.import_module(f"bloodrage_env.games.{name}.engine").GROUPS
    least, greatest = (bounds[0] for bounds in record.bounds(groups))
    rng = np.random.default_rng(7)
    for seed in range(60):
        states = game.new_game(seed, games.options_from(name))
        for _ in range(seed * 4):
            if not game.play.is_over(states, 0):
                game.play.apply(states, 0, int(rng.choice(np.flatnonzero(states[0].mask))))
        before = observed(game, states)
        for section in shown:
            other, field = states.copy(), section.field
            other[field][0] = rng.integers(np.maximum(0, least[field]), greatest[field] + 1)
            part = slice(section.start, section.start + section.size)
            if (observed(game, other)[part] != before[part]).any():
                changed.add(section.name)
    assert changed == {each.name for each in shown}
