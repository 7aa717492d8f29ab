"""Replays: the options, the seed and the actions of a game, in a small file that is not trusted when it is read.

A file is a line of magic with the format's number, sixteen bytes of SHA-256 over the rest, and the rest: JSON,
compressed by zlib. It says which version of the rules it was played by; another version would play another game, so
that it is refused. An option of a game that a file lacks has its default; who played may be missing too.
"""

import hashlib
import json
import os
import reprlib
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Final, Self

from ... import files
from ...encoding import as_json
from ...errors import UserError
from ..compile.decorators import Records
from ..engine.flow import GAME_OVER, ILLEGAL
from ..engine.game import Game
from ..engine.numbers import checked_seed
from .true_copies import TrueCopies

FORMAT: Final = 1
MAX_FILE: Final = 64 * 1024  # bytes; the longest game takes less
MAX_CONTENT: Final = 128 * 1024  # bytes, decompressed
MAX_NAME: Final = 200  # characters of a player's name
HUMAN: Final = "human"  # the name of a person who has given none
MAX_SHARES: Final = 8  # recorded answers of a decision, the most likely ones
WHOLE: Final = 1000  # a probability of 1
_DIGEST: Final = 16  # bytes
_PLAYERS: Final = "players"  # entries of a file that may be missing
_PROBABILITIES: Final = "probabilities"
Shares = tuple[tuple[int, int], ...]  # actions with their probabilities in thousandths


class ReplayError(UserError):
    """A replay that can't be read, is of another version, or doesn't play; the message is one line."""


@dataclass(frozen=True)
class Replay:
    """A game as options, seed and actions. A subclass names the `game`.

    Attributes
    ----------
    seed : int
        0 to 2**63 - 1.
    options : GameOptions
        The options of the game.
    actions : tuple of int
        All actions, in their order.
    scores : tuple of int or None
        Scores of all seats when it was saved, None if not known.
    players : tuple of str
        Names by seat (specs of agents, names of people); () if not known.
    probabilities : tuple
        For each action, those with which an agent would have chosen (`with_probabilities`); () if none were recorded.

    Examples
    --------
    >>> from bloodrage_env import games
    >>> replay = games.recorder(games.options_from("bloodrage", num_players=2), seed=1).replay()
    >>> replay.save("game.brz")
    >>> type(replay).load("game.brz") == replay
    True
    """

    game: ClassVar[Game]
    score_key: ClassVar[str] = "scores"  # what files call them
    suffix: ClassVar[str] = ".replay"  # of files

    seed: int
    options: Any
    actions: tuple[int, ...] = ()
    scores: tuple[int, ...] | None = None
    players: tuple[str, ...] = ()
    probabilities: tuple[Shares, ...] = ()

    def with_probabilities(self, given: Sequence[Mapping[int, float] | None]) -> Self:
        """Return a copy with recorded probabilities. A file contains the most likely ones of each decision.

        Parameters
        ----------
        given : sequence
            For each action of the replay, None or a mapping of actions to probabilities (0 to 1).

        Returns
        -------
        Replay
            The copy. Raises ValueError if `given` has another length than the replay.
        """
        if len(given) != len(self):
            raise ValueError(f"probabilities of {len(given)} decisions for a replay of {len(self)} actions")
        return replace(self, probabilities=tuple(_thousandths(shares or {}) for shares in given))

    def __len__(self) -> int:
        """Return the number of actions."""
        return len(self.actions)

    def start(self) -> Records:
        """Return the state before the first action, an array of one record."""
        return self.game.new_game(self.seed, self.options)

    def at(self, k: int) -> Records:
        """Return the state after some actions.

        Parameters
        ----------
        k : int
            0 to `len(self)`; a negative number counts from the end as in a list.

        Returns
        -------
        ndarray
            An array of one record.

        Raises
        ------
        IndexError
            Another `k`.
        ReplayError
            One of the actions is not legal.
        """
        size = len(self) + 1
        if not -size <= k < size:
            raise IndexError(f"move {k} is not in a replay of {len(self)} actions")
        states = self.start()
        for number, action in enumerate(self.actions[: k % size]):
            self._apply(states, number, action)
        return states

    def states(self) -> Iterator[Records]:
        """Yield copies of all `len(self) + 1` states. Raise ReplayError as `at` does."""
        states = self.start()
        yield self.game.play.clone(states, 0)
        for number, action in enumerate(self.actions):
            self._apply(states, number, action)
            yield self.game.play.clone(states, 0)

    def _apply(self, states: Records, number: int, action: int) -> None:
        if self.game.play.is_over(states, 0):
            raise ReplayError(f"the game is over after {number} actions, the replay has {len(self)}")
        if self.game.play.apply(states, 0, action) == ILLEGAL:
            raise ReplayError(f"action {number + 1} ({action}) is not legal in this game")

    def verify(self) -> Records:
        """Return the last state. Raise ReplayError if an action is not legal or the scores differ from `scores`."""
        states = self.at(len(self))
        scores = tuple(self.game.play.scores(states, 0).tolist())
        if self.scores is not None and self.scores != scores:
            raise ReplayError(f"the game ends with {self.score_key} {scores}, the replay says {self.scores}")
        return states

    def to_bytes(self) -> bytes:
        """Return the content of a file. It omits probabilities if it would exceed `MAX_CONTENT` with them."""
        content = {
            "rules": self.game.rules_version,
            "seed": self.seed,
            **asdict(self.options),
            "actions": list(self.actions),
            self.score_key: None if self.scores is None else list(self.scores),
            **({_PLAYERS: [name[:MAX_NAME] for name in self.players]} if self.players else {}),
        }
        with_all = _written(content | {_PROBABILITIES: self.probabilities})
        text = with_all if self.probabilities and len(with_all) <= MAX_CONTENT else _written(content)
        body = zlib.compress(text, 9)
        return b"%s%d\n" % (self.magic(), FORMAT) + _digest(body) + body

    @classmethod
    def from_bytes(cls, data: bytes, name: str = "the replay") -> Self:
        """Return the replay of a file's content. Raise ReplayError with a line that begins with `name`."""
        return cls(**cls._checked(_unpacked(data, cls.magic(), name), name))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the file atomically.

        Parameters
        ----------
        path : path
            The file. Raises OSError if it cannot be written.
        """
        files.write(path, self.to_bytes())

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Return the replay of a file.

        Parameters
        ----------
        path : path
            The file. Raises OSError if it cannot be read, ReplayError if it is not a valid replay.

        Returns
        -------
        Replay
            The replay.
        """
        with Path(path).open("rb") as file:
            return cls.from_bytes(file.read(MAX_FILE + 1), str(path))

    @classmethod
    def magic(cls) -> bytes:
        """Return the first bytes of a file."""
        return magic(cls.game.name)

    @classmethod
    def _checked(cls, content: Any, name: str) -> dict[str, Any]:
        """Return the arguments of a `Replay` after a check of types and ranges."""

        def need(good: bool, what: str) -> None:
            if not good:
                raise ReplayError(f"{name} is damaged: {what}")

        known = cls.game.options.facts()
        keys = {"rules", "seed", "actions", cls.score_key}  # beside the options
        good = isinstance(content, dict) and content.keys() - known.keys() - {_PLAYERS, _PROBABILITIES} == keys
        need(good, "it has other entries than a replay")
        rules = content["rules"]
        need(isinstance(rules, str) and 0 < len(rules) <= 40 and rules.isprintable(), "its rules version is not a text")
        if rules != cls.game.rules_version:
            raise ReplayError(f"{name} was played by rules version {rules}; this is {cls.game.rules_version}")
        try:
            seed = checked_seed(content["seed"])
            options = cls.game.options.from_json({name: content[name] for name in known.keys() & content.keys()})
        except (TypeError, ValueError) as error:
            raise ReplayError(f"{name} is damaged: its {error}") from None
        actions, scores = content["actions"], content[cls.score_key]
        good = isinstance(actions, list) and len(actions) <= cls.game.max_decisions
        need(good, "it has no list of actions, or too many")
        need(all(_is_int(action, 0, cls.game.num_actions - 1) for action in actions), "it has an action that is none")
        good = scores is None or (isinstance(scores, list) and len(scores) == options.num_players)
        need(
            good and all(_is_int(n, -(2**31), 2**31) for n in scores or ()),
            f"its {cls.score_key} is not a list of numbers",
        )
        players = content.get(_PLAYERS, [])
        need(
            isinstance(players, list) and len(players) in (0, options.num_players),
            "its players are not a list of names",
        )
        need(all(map(_is_name, players)), "its players are not a list of names")
        shares = content.get(_PROBABILITIES, [])
        good = isinstance(shares, list) and len(shares) in (0, len(actions))
        need(good, "its probabilities are not those of its actions")
        need(all(_are_shares(each, cls.game.num_actions) for each in shares), "its probabilities are not numbers")
        return {
            "seed": seed, "options": options, "players": tuple(players),
            "actions": tuple(actions), "scores": None if scores is None else tuple(scores),
            "probabilities": tuple(tuple((action, share) for action, share in each) for each in shares),
        }  # fmt: skip


def magic(game: str) -> bytes:
    """Return the first bytes of a game's files."""
    return f"{game} replay ".encode()


def _written(content: Any) -> bytes:
    return as_json(content, compact=True).encode()


def _digest(body: bytes) -> bytes:
    return hashlib.sha256(body).digest()[:_DIGEST]


def _unpacked(data: bytes, start: bytes, name: str) -> Any:
    """Return the JSON of a file without checks."""
    if len(data) > MAX_FILE:
        raise ReplayError(f"{name} is larger than {MAX_FILE // 1024} KB: no replay")
    line, newline, rest = data.partition(b"\n")
    if not line.startswith(start) or not newline:
        raise ReplayError(f"{name} is not a replay: it does not begin with {start.decode()!r}")
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


def _is_int(value: Any, low: int, high: int) -> bool:
    return type(value) is int and low <= value <= high


def _thousandths(shares: Mapping[int, float]) -> Shares:
    likely = sorted(shares, key=lambda action: (-shares[action], action))[:MAX_SHARES]
    rounded = ((int(action), round(WHOLE * shares[action])) for action in likely)
    return tuple((action, share) for action, share in rounded if share > 0)


def _are_shares(value: Any, num_actions: int) -> bool:
    """Return whether the value is a list of pairs of an action and its probability in thousandths."""
    if not isinstance(value, list) or len(value) > MAX_SHARES:
        return False
    pairs = all(isinstance(pair, list) and len(pair) == 2 for pair in value)
    return pairs and all(_is_int(pair[0], 0, num_actions - 1) and _is_int(pair[1], 0, WHOLE) for pair in value)


def _is_name(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= MAX_NAME and value.isprintable()


class Recorder(TrueCopies):
    """A game that records its actions. `states` is its array of one record.

    Parameters
    ----------
    start : Replay
        A replay without actions. `games.recorder` makes one.

    Raises
    ------
    ValueError, TypeError
        A seed that is out of range, or players that a file cannot contain.

    Examples
    --------
    >>> from bloodrage_env import games
    >>> recorder = games.recorder(games.options_from("berserk"), seed=1)
    >>> while recorder.apply(int(recorder.states[0].mask.argmax())) >= 0:
    ...     pass
    >>> recorder.rewind(10)
    >>> len(recorder.actions)
    10
    """

    def __init__(self, start: Replay) -> None:
        count = start.options.num_players
        if len(start.players) not in (0, count) or not all(isinstance(each, str) for each in start.players):
            raise ValueError(f"players must be {count} names, or none, not {reprlib.repr(start.players)}")
        if wrong := [each for each in start.players if not each.isprintable()]:
            raise ValueError(f"a name of a player has a character that cannot be printed: {reprlib.repr(wrong[0])}")
        self._start = replace(start, seed=checked_seed(start.seed))
        self.actions: list[int] = []
        self.rewind(0)

    def apply(self, action: int) -> int:
        """Apply an action. Only legal actions are recorded.

        Parameters
        ----------
        action : int
            An action id.

        Returns
        -------
        int
            What `apply` of the game returns: the seat to act, GAME_OVER or ILLEGAL.
        """
        play = self._start.game.play
        if play.is_over(self.states, 0):
            return GAME_OVER
        result = play.apply(self.states, 0, action)
        if result != ILLEGAL:
            self.actions.append(int(action))
        return result

    def rewind(self, count: int) -> None:
        """Undo actions.

        Parameters
        ----------
        count : int
            Number of actions to keep.
        """
        self.actions = self.actions[:count]
        self.states: Records = replace(self._start, actions=tuple(self.actions)).at(-1)

    def __getstate__(self) -> dict[str, Any]:
        """Return what copies and pickles contain: the actions, from which the record follows."""
        return {"_start": self._start, "actions": self.actions}

    def __setstate__(self, saved: dict[str, Any]) -> None:
        """Restore. Raise ReplayError if an action is not legal."""
        self.__dict__.update(saved)
        self.rewind(len(self.actions))

    def replay(self) -> Any:
        """Return the replay of the game so far, with its scores."""
        scores = tuple(self._start.game.play.scores(self.states, 0).tolist())
        return replace(self._start, actions=tuple(self.actions), scores=scores)
