"""Replays: the options, the seed and the actions of a game, in a small file that is not trusted when it is read.

A `.brz` file is a line of magic with the format's number, sixteen bytes of SHA-256 over the rest, and the rest: JSON,
compressed by zlib. It says which version of the rules it was played by; another version would play another game, so
that it is refused. An option of a game that a file lacks has its default.
"""

import hashlib
import json
import os
import zlib
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final, Self

from . import engine, files
from .engine import GAME_OVER, ILLEGAL, MAX_DECISIONS, NUM_ACTIONS
from .engine.compiled import States
from .engine.signature import RULES_VERSION
from .errors import UserError
from .options import DEFAULT, FACTS, Options, checked_seed

SUFFIX: Final = ".brz"
FORMAT: Final = 1
MAX_FILE: Final = 64 * 1024  # bytes; the longest game takes less
MAX_CONTENT: Final = 128 * 1024  # bytes, decompressed
_MAGIC: Final = b"bloodrage replay %d\n"
_DIGEST: Final = 16  # bytes
_KEYS: Final = {"rules", "seed", "actions", "glory"}  # beside the options


class ReplayError(UserError):
    """A replay that can't be read, is of another version, or doesn't play; the message is one line."""


@dataclass(frozen=True)
class Replay:
    """A game as options, seed and actions; `glory` is what each seat had when it was saved, None if not known."""

    seed: int
    options: Options = DEFAULT
    actions: tuple[int, ...] = ()
    rules: str = RULES_VERSION
    glory: tuple[int, ...] | None = None

    def __len__(self) -> int:
        """How many actions it has."""
        return len(self.actions)

    def start(self) -> States:
        """The state before the first action, an array of one record."""
        return engine.new_game(self.seed, *self.options.numbers())

    def at(self, k: int) -> States:
        """The state after `k` actions, 0 to `len(self)`; negative `k` counts from the end as in a list.

        Raises IndexError for another `k`, ReplayError if an action on the way is not legal.
        """
        size = len(self) + 1
        if not -size <= k < size:
            raise IndexError(f"move {k} is not in a replay of {len(self)} actions")
        states = self.start()
        for number, action in enumerate(self.actions[: k % size]):
            self._apply(states, number, action)
        return states

    def states(self) -> Iterator[States]:
        """Every state, `len(self) + 1` of them, each a copy. Raises ReplayError as `at` does."""
        states = self.start()
        yield engine.clone(states, 0)
        for number, action in enumerate(self.actions):
            self._apply(states, number, action)
            yield engine.clone(states, 0)

    def _apply(self, states: States, number: int, action: int) -> None:
        if engine.is_over(states, 0):
            raise ReplayError(f"the game is over after {number} actions, the replay has {len(self)}")
        if engine.apply(states, 0, action) == ILLEGAL:
            raise ReplayError(f"action {number + 1} ({action}) is not legal in this game")

    def verify(self) -> States:
        """Play it through; returns the last state. Raises ReplayError if it doesn't play, or ends with other glory."""
        states = self.at(len(self))
        glory = tuple(engine.scores(states, 0).tolist())
        if self.glory is not None and self.glory != glory:
            raise ReplayError(f"the game ends with glory {glory}, the replay says {self.glory}")
        return states

    def to_bytes(self) -> bytes:
        """The content of a file."""
        content = {
            "rules": self.rules,
            "seed": self.seed,
            **asdict(self.options),
            "actions": list(self.actions),
            "glory": None if self.glory is None else list(self.glory),
        }
        body = zlib.compress(json.dumps(content, separators=(",", ":")).encode(), 9)
        return _MAGIC % FORMAT + _digest(body) + body

    @classmethod
    def from_bytes(cls, data: bytes, name: str = "the replay") -> Self:
        """Read the content of a file. Raises ReplayError with a line that begins with `name`."""
        return cls(**_checked(_unpacked(data, name), name))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the file, all of it or nothing. Raises OSError if it can't be written."""
        files.write(path, self.to_bytes())

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Read a file. Raises OSError if it can't be read, ReplayError if it is no replay of these rules."""
        with Path(path).open("rb") as file:
            return cls.from_bytes(file.read(MAX_FILE + 1), str(path))


def _digest(body: bytes) -> bytes:
    return hashlib.sha256(body).digest()[:_DIGEST]


def _unpacked(data: bytes, name: str) -> Any:
    """What the JSON of a file says, nothing about it checked."""
    if len(data) > MAX_FILE:
        raise ReplayError(f"{name} is larger than {MAX_FILE // 1024} KB: no replay")
    start = _MAGIC.split(b"%d")[0]
    line, newline, rest = data.partition(b"\n")
    if not line.startswith(start) or not newline:
        raise ReplayError(f"{name} is no replay: it does not begin with {start.decode()!r}")
    version = line[len(start) :]
    if version != b"%d" % FORMAT:
        shown = version[:20].decode("ascii", "replace")
        raise ReplayError(f"{name} is of replay format {shown!r}; this version reads {FORMAT}")
    body = rest[_DIGEST:]
    if rest[:_DIGEST] != _digest(body):
        raise ReplayError(f"{name} is damaged: its checksum does not fit")
    try:
        reader = zlib.decompressobj()
        text = reader.decompress(body, MAX_CONTENT + 1)
        if len(text) > MAX_CONTENT or not reader.eof or reader.unused_data:
            raise ReplayError(f"{name} is damaged: its content is longer than a game, or cut short")
        return json.loads(text)
    except (zlib.error, ValueError, RecursionError) as error:
        if isinstance(error, ReplayError):
            raise
        raise ReplayError(f"{name} is damaged: {type(error).__name__} in its content") from None


def _checked(content: Any, name: str) -> dict[str, Any]:
    """The arguments of a `Replay`, if they are of the right types and ranges."""

    def need(good: bool, what: str) -> None:
        if not good:
            raise ReplayError(f"{name} is damaged: {what}")

    need(isinstance(content, dict) and content.keys() - FACTS.keys() == _KEYS, "it has other entries than a replay")
    rules = content["rules"]
    need(isinstance(rules, str) and 0 < len(rules) <= 40 and rules.isprintable(), "its rules version is no text")
    if rules != RULES_VERSION:
        raise ReplayError(f"{name} was played by rules version {rules}; this is {RULES_VERSION}")
    try:
        seed = checked_seed(content["seed"])
        options = Options.from_json({name: content[name] for name in FACTS.keys() & content.keys()})
    except (TypeError, ValueError) as error:
        raise ReplayError(f"{name} is damaged: its {error}") from None
    actions, glory = content["actions"], content["glory"]
    need(isinstance(actions, list) and len(actions) <= MAX_DECISIONS, "it has no list of actions, or too many")
    need(all(_is_int(action, 0, NUM_ACTIONS - 1) for action in actions), "it has an action that is none")
    good = glory is None or (isinstance(glory, list) and len(glory) == options.num_players)
    need(good and all(_is_int(n, -(2**31), 2**31) for n in glory or ()), "its glory is no list of numbers")
    return {
        "seed": seed, "options": options, "rules": rules,
        "actions": tuple(actions), "glory": None if glory is None else tuple(glory),
    }  # fmt: skip


def _is_int(value: Any, low: int, high: int) -> bool:
    return type(value) is int and low <= value <= high


class Recorder:
    """A game that remembers what was done, for `replay`."""

    def __init__(self, seed: int, options: Options = DEFAULT) -> None:
        self._start = Replay(seed, options)
        self.actions: list[int] = []
        self.rewind(0)

    def apply(self, action: int) -> int:
        """Answer the open question; returns what `engine.apply` returns. Only what was legal is remembered."""
        if engine.is_over(self.states, 0):
            return GAME_OVER
        result = engine.apply(self.states, 0, action)
        if result != ILLEGAL:
            self.actions.append(int(action))
        return result

    def rewind(self, count: int) -> None:
        """Take back all but the first `count` actions."""
        self.actions = self.actions[:count]
        self.states: States = replace(self._start, actions=tuple(self.actions)).at(-1)

    def replay(self) -> Replay:
        """The game so far."""
        return replace(self._start, actions=tuple(self.actions), glory=tuple(engine.scores(self.states, 0).tolist()))
