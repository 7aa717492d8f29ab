"""The files of a game of the server, who can read them, and what its people may see without asking."""

from pathlib import Path

import pytest

pytest.importorskip("starlette")

from serve_client import Client

from bloodrage_env import files, games
from bloodrage_env.language import transcript
from bloodrage_env.serve.games import Game
from bloodrage_env.serve.seating import Seat, digest_of
from bloodrage_env.serve.storage import Storage

ID = "0123456789abcdef"


def new_game() -> Game:
    seats = [Seat("Ann", digest_of("a")), Seat(agent="random")]
    return Game(seats, 5, games.options_from("bloodrage", num_players=2, skip_forced=False))


def line(step: int, seat: int, said: str) -> transcript.Line:
    numbers = dict.fromkeys(transcript.NUMBERS, 0) | {"step": step, "seat": seat}
    return {**numbers, "action": 0, "refused": [], "random": False, "messages": [{"role": "user", "content": said}]}


def test_only_the_owner_can_read_the_files(tmp_path: Path) -> None:
    """They have the seed and the tokens."""
    storage = Storage(tmp_path / "games", "bloodrage")
    storage.create(ID, new_game())
    storage.save_talk(ID, [line(0, 1, "x")])
    found = [path for path in storage.folder.iterdir() if path.stem.startswith(ID)]
    assert {path.suffix for path in found} >= {".json", ".brz", ".jsonl"}
    assert [path.name for path in found if path.stat().st_mode & 0o077] == []
    assert storage.folder.stat().st_mode & 0o077 == 0


def test_of_a_removed_game_nothing_is_left(tmp_path: Path) -> None:
    storage = Storage(tmp_path, "bloodrage")
    storage.create(ID, new_game())
    storage.save_talk(ID, [line(0, 1, "x")])
    assert len(list(tmp_path.iterdir())) == 3
    storage.remove(ID)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("suffix", [".json", ".brz"])
def test_of_a_game_that_cannot_be_written_nothing_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str
) -> None:
    storage, write = Storage(tmp_path, "bloodrage"), files.write

    def full(path: Path, content: bytes, mode: int = 0o666) -> None:
        if str(path).endswith(suffix):
            raise OSError(28, "No space left on device")
        write(path, content, mode)

    monkeypatch.setattr(files, "write", full)
    with pytest.raises(OSError, match="No space left"):
        storage.create(ID, new_game())
    assert list(tmp_path.iterdir()) == []
    assert not storage.has(ID)


def test_lines_of_models_that_played_before_are_kept(tmp_path: Path) -> None:
    """Of a decision that is asked again the last one counts; they are in the order of the game."""
    storage = Storage(tmp_path, "bloodrage")
    storage.create(ID, new_game())
    storage.save_talk(ID, [line(4, 0, "late"), line(0, 1, "early")])
    storage.save_talk(ID, [line(4, 0, "again"), line(2, 1, "between")])
    assert [(each["step"], each["messages"][0]["content"]) for each in storage.talk(ID)] == [
        (0, "early"),
        (2, "between"),
        (4, "again"),
    ]
    storage.save_talk(ID, [])
    assert len(storage.talk(ID)) == 3


@pytest.mark.parametrize(("watched", "hints"), [(False, [0]), (True, [])])
def test_a_person_alone_has_hints_unless_somebody_may_watch(tmp_path: Path, watched: bool, hints: list[int]) -> None:
    with Client(tmp_path) as client:
        options = games.options_from("bloodrage", num_players=2, skip_forced=False)
        players = [("Ann", None), (None, "random")]
        made = client.tables.create(players, options, "a visitor", watched)
        (token, _), watch = client.loop.run_until_complete(made)
        assert client.table(token).game.hints == hints
        assert (watch is not None) == watched
