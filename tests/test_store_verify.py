"""Games of a store are played again, and what they did not come to is found."""

import zlib

import pytest
from stores import change, fill

from bloodrage_training.tournament.store import Store
from bloodrage_training.tournament.verify import faults


@pytest.fixture
def filled(tmp_path):
    """A store of which all is played, and its games."""
    path = tmp_path / "a store.sqlite"
    return path, fill(path)


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        ("scores", "[99, 0, 0]", "the store says (99, 0, 0)"),
        ("seed", 5, "its seed, options or line-up are not those of the plan"),
        ("line_up", '["b", "a", "a"]', "its seed, options or line-up are not those of the plan"),
        ("actions", zlib.compress(b""), "it ends with scores"),
        ("actions", zlib.compress(b"\x00\x00" * 3), "is not legal"),
        ("decisions", "[1, 1, 1]", "its seats were asked"),
        ("id", "0" * 32, "the plan has no such game"),
    ],
)
def test_verify_finds(filled, column, value, message):
    path, games = filled
    change(path, f"UPDATE games SET {column} = ? WHERE id = ?", (value, games[2].id))
    with Store.open(path) as store:
        found = faults(store, lambda seen: None)
    assert len(found) == 1
    assert message in found[0]


def test_verify_finds_a_game_that_goes_on_or_stops_early(filled):
    path, games = filled
    for actions in (games[0].actions[:-1], (*games[0].actions, 0)):
        packed = zlib.compress(b"".join(action.to_bytes(2, "little") for action in actions))
        change(path, "UPDATE games SET actions = ? WHERE id = ?", (packed, games[0].id))
        with Store.open(path) as store:
            assert len(faults(store, lambda seen: None)) == 1
