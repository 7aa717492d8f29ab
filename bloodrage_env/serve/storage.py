"""Games as files: a replay, such as `ID.brz`, and `ID.json` with the players of the seats, the answers given ahead, and
the games of these people before and after it.

Only the owner can read both: a replay contains the seed, and so every hidden card. Tokens are stored as digests.
"""

import contextlib
import json
import re
import secrets
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final, NamedTuple

from .. import files, games
from ..encoding import as_json
from ..errors import UserError
from ..language import transcript
from .at_table import Result
from .evening import read_results
from .games import Game
from .seating import Refused, Seat
from .together import Ahead

ENTRIES: Final = {"format", "seats", "watcher", "ahead", "earlier", "rematch"}  # of an ID.json
FORMAT: Final = 4
OWNER_ALONE: Final = 0o600
MAX_FILE: Final = 16 * 1024  # bytes of an ID.json
_ID: Final = re.compile(r"[0-9a-f]{16}")
_UNFINISHED: Final = re.compile(r"\.[0-9a-f]{16}(\.[a-z]+)+\.[0-9a-f]{8}")  # as `files.write` names it
_DIGEST: Final = re.compile(r"[0-9a-f]{64}")


def is_stored(folder: Path, game_id: str) -> bool:
    """Return whether a folder has a game of this id, which may be any text."""
    return bool(_ID.fullmatch(game_id)) and (folder / f"{game_id}.json").is_file()


class Storage:
    """The folder of the saved games of one kind. It is created if it is missing. Raises OSError if that fails, and
    UserError for a folder with games of another kind.
    """

    def __init__(self, folder: Path, game: str) -> None:
        self.folder = folder
        self.game = game
        self.suffix = games.replays(game).suffix
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        others = {path.suffix for path in folder.iterdir() if _ID.fullmatch(path.stem)} - {".json", self.suffix}
        if others:
            raise UserError(f"{folder} has games of another kind ({min(others)}): name another folder with --games")
        for path in folder.iterdir():
            if _UNFINISHED.fullmatch(path.name):  # its process was killed
                path.unlink(missing_ok=True)

    def new_id(self) -> str:
        """Return an unused id."""
        return secrets.token_hex(8)

    def ids(self) -> list[str]:
        """Return the ids of all games."""
        return [path.stem for path in self.folder.glob("*.json") if _ID.fullmatch(path.stem)]

    def create(self, game_id: str, game: Game) -> None:
        """Write a new game, all of it or nothing. Raise OSError."""
        try:
            self.save(game_id, game)
            self.save_seats(game_id, game)
        except OSError:
            with contextlib.suppress(OSError):
                self.remove(game_id)
            raise

    def save_seats(self, game_id: str, game: Game) -> None:
        """Write the content of an `ID.json`. Raise OSError."""
        content = {
            "format": FORMAT,
            "seats": [asdict(seat) for seat in game.seats],
            "watcher": game.watcher,
            "ahead": game.together.ahead,
            "earlier": [asdict(result) for result in game.earlier],
            "rematch": game.rematch,
        }
        files.write(self._path(game_id, ".json"), as_json(content).encode(), OWNER_ALONE)

    def save(self, game_id: str, game: Game) -> None:
        """Write the moves of a game. Raise OSError."""
        files.write(self._path(game_id, self.suffix), game.replay().to_bytes(), OWNER_ALONE)

    def save_talk(self, game_id: str, lines: Sequence[transcript.Line]) -> None:
        """Write the transcript of a game. Lines of agents that played before are kept. Raise OSError or UserError."""
        path = self._path(game_id, self.suffix)
        if lines:
            before = {(line["step"], line["seat"]): line for line in transcript.load(path)}
            known = before | {(line["step"], line["seat"]): line for line in lines}
            transcript.save([known[each] for each in sorted(known)], path, OWNER_ALONE)

    def talk(self, game_id: str) -> list[transcript.Line]:
        """Return the transcript of a game, [] if there is none. Raise OSError or UserError."""
        return transcript.load(self._path(game_id, self.suffix))

    def has(self, game_id: str) -> bool:
        """Return whether there is a game of this id, which may be any text."""
        return is_stored(self.folder, game_id)

    def watcher(self, game_id: str) -> str | None:
        """Return the digest of the spectators' secret of a game, None if it has none or can't be read."""
        try:
            return self._entries(game_id).watcher
        except (OSError, UserError):
            return None

    def digests(self, game_id: str) -> list[str | None]:
        """Return the digests of all secrets of a game. Raise OSError, or UserError for a damaged file."""
        read = self._entries(game_id)
        return [read.watcher, *(seat.digest for seat in read.seats)]

    def _entries(self, game_id: str) -> "_Read":
        path = self._path(game_id, ".json")
        with path.open("rb") as file:
            return _read(file.read(MAX_FILE + 1), path.name)

    def saved_at(self, game_id: str) -> float:
        """Return when a game was last saved, as in `time.time`, or 0 if its moves are missing."""
        try:
            return self._path(game_id, self.suffix).stat().st_mtime
        except FileNotFoundError:
            return 0.0

    def remove(self, game_id: str) -> None:
        """Delete a game. Raise OSError."""
        for suffix in (".json", self.suffix, transcript.SUFFIX):
            self._path(game_id, suffix).unlink(missing_ok=True)

    def load(self, game_id: str) -> Game:
        """Load a game. Raise OSError, or UserError for a damaged file."""
        read, name = self._entries(game_id), f"{game_id}.json"
        replay = games.replays(self.game).load(self._path(game_id, self.suffix))
        if replay.options.num_players != len(read.seats) or replay.options.skip_forced:
            raise UserError(f"{name} and its replay don't fit together")
        game = Game.from_replay(read.seats, replay, read.watcher, read.earlier)
        game.rematch = read.rematch
        try:
            game.together.load(*read.ahead)
        except Refused:
            raise UserError(f"{name} is damaged: a seat can't give the answers that wait") from None
        return game

    def _path(self, game_id: str, suffix: str) -> Path:
        return self.folder / f"{game_id}{suffix}"


class _Read(NamedTuple):
    """The content of an `ID.json`."""

    seats: list[Seat]
    watcher: str | None
    ahead: Ahead
    earlier: tuple[Result, ...]
    rematch: str | None


def _read(data: bytes, name: str) -> _Read:
    """Return the content of a file, which is not trusted."""
    try:
        if len(data) > MAX_FILE:
            raise ValueError
        content: Any = json.loads(data)
        if not isinstance(content, dict) or content.keys() != ENTRIES:
            raise ValueError
        seats, watcher = [Seat(**seat) for seat in content["seats"]], content["watcher"]
        if (
            type(content["format"]) is not int
            or content["format"] != FORMAT
            or not (watcher is None or _is_digest(watcher))
        ):
            raise ValueError
        rematch, earlier = content["rematch"], read_results(content["earlier"], len(seats))
        if not (rematch is None or (isinstance(rematch, str) and _ID.fullmatch(rematch))):
            raise ValueError
        number, answers = content["ahead"]
        if type(number) is not int or any(type(each) is not int for pair in answers for each in (pair[0], *pair[1])):
            raise ValueError
    except (ValueError, TypeError, LookupError, RecursionError):
        raise UserError(f"{name} is damaged, or of another version") from None
    for seat in seats:
        person = isinstance(seat.person, str) and (seat.digest is None or _is_digest(seat.digest))
        agent = seat.person is None and seat.digest is None and isinstance(seat.agent, str)
        if (not person and not agent) or not isinstance(seat.agent, str | None) or not isinstance(seat.hints, bool):
            raise UserError(f"{name} is damaged: a seat has no player")
    if watcher is None and (all(seat.person is None for seat in seats) or any(seat.is_free for seat in seats)):
        raise UserError(f"{name} is damaged: nobody can come to this table")
    return _Read(seats, watcher, (number, answers), earlier, rematch)


def _is_digest(value: Any) -> bool:
    return isinstance(value, str) and _DIGEST.fullmatch(value) is not None
