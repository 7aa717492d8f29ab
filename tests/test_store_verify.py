"""Games of a store are played again, and what they did not come to is found."""

import zlib
from dataclasses import replace

import pytest
from stores import change, fill, plan, played

from bloodrage_env.cli import main
from bloodrage_training.tournament.plan import unit
from bloodrage_training.tournament.store import Store, StoreError
from bloodrage_training.tournament.verify import faults, replay_fault


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


def test_a_seat_that_forfeits_was_asked_at_most_once_more():
    game = replace(played(unit(plan(), 0).games[0]), actions=(), scores=(0, 0, 0), forfeit_seat=1, forfeit_reason="x")
    found = [replay_fault(replace(game, decisions=(0, asked, 0))) for asked in range(3)]
    assert found == [None, None, "its seats were asked (0, 1, 0) times, not as stored"]


@pytest.mark.parametrize("words", [("verify",), ("compare", "filled.sqlite")])
def test_a_store_without_games_shows_nothing(words, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    fill("filled.sqlite")
    Store.create("empty.sqlite", plan()).close()
    assert main(["tournament", words[0], "empty.sqlite", *words[1:]]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("bloodrage tournament: empty.sqlite: no game is stored yet, so that there is nothing to")
    assert said.err.count("\n") == 1


def test_who_reads_a_store_leaves_no_files_beside_it(filled, capsys):
    path, _ = filled
    for words in (["verify", str(path)], ["report", str(path)], ["compare", str(path), str(path)]):
        assert main(["tournament", *words]) == 0
        assert [each.name for each in path.parent.iterdir()] == [path.name]
    with Store.open(path) as reader, pytest.raises(StoreError, match="can't be written"):
        reader.join({})
