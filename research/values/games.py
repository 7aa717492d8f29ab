"""Games to learn values from: self-play by the sampled policy, as seeds and actions.

A file has SIDE_BY_SIDE games in half a megabyte. What a network reads is computed again from the actions when it
learns, so the inputs can change and each pass can have other decisions. Files have seeds of their own, so a killed run
continues with the next one.
"""

import hashlib
import io
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from bloodrage_agents.forward import Forward
from bloodrage_agents.network import file_of
from bloodrage_env import files
from bloodrage_env.errors import UserError
from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine import NUM_ACTIONS, NUM_SOURCES, STATE, States
from bloodrage_env.games.bloodrage.game import GAME
from bloodrage_env.games.bloodrage.options import Options
from bloodrage_training.games.bloodrage.learnable import draw_options
from bloodrage_training.learn.config import SEED_STEP
from bloodrage_training.learn.export import policy_of
from bloodrage_training.learn.policy import Policy, SparseRows
from bloodrage_training.learn.tables import clockwise
from bloodrage_training.tournament.estimates import PARTS
from bloodrage_training.workers import carry_out_all, make_pool

from .playing import Whole, from_seat, step, wins_of
from .reached import PLAYERS

SIDE_BY_SIDE: Final = 1000  # games of a file
KEPT: Final = 0.1  # share of the decisions that a pass learns from: those of a game have the same result
WITH_SETS: Final = 8  # every so many games one has two to five players, and each card set with SET_CHANCE
SET_CHANCE: Final = 0.5
SETS: Final = ("p5", "ks", "mystics", "gods")
MAX_BYTES: Final = 2**26


@dataclass(frozen=True)
class Targets:
    """R decisions with their targets, game by game. Targets are by seat, clockwise from the seat to act."""

    rows: SparseRows  # the inputs
    game: Whole  # int64[R]
    seat: Whole  # int64[R], the seat to act
    players: Whole  # int64[R]
    wins: npt.NDArray[np.float32]  # float32[R, MAX_SEATS], shares of the win
    glory: npt.NDArray[np.float32]  # float32[R, MAX_SEATS, NUM_SOURCES], at the end, by source

    def __len__(self) -> int:
        return len(self.game)


@dataclass(frozen=True)
class Played:
    """G games with the seeds from `first` on, as all their actions, game by game."""

    first: int
    lengths: npt.NDArray[np.uint16]  # of each game
    actions: npt.NDArray[np.uint16]

    def save(self, path: Path, mark: str) -> None:
        """Write a file. `mark` is the result of `mark_of` for the policy that played."""
        files.write(path, files.sealed(files.archive({"mark": np.array(mark), **vars(self)})))

    @classmethod
    def load(cls, path: Path, mark: str) -> "Played":
        """Return the games of a file. Raise UserError for one that is missing, damaged or has another mark."""
        try:
            content = files.read_sealed(path, MAX_BYTES)
            files.check_archive(content, MAX_BYTES)
            with np.load(io.BytesIO(content), allow_pickle=False) as kept:
                arrays = dict(kept)
            if str(arrays.pop("mark")) != mark:
                raise UserError("it is of another policy or other rules; name another folder")
            found = cls(int(arrays.pop("first")), **arrays)
            shapes = found.lengths.ndim == found.actions.ndim == 1 and found.lengths.sum() == len(found.actions)
            if not shapes or found.actions.dtype != np.uint16 or (found.actions >= NUM_ACTIONS).any():
                raise ValueError("other arrays")
            return found
        except OSError as error:
            raise UserError(f"can't read {path}: {error.strerror or error}") from error
        except UserError as error:
            raise UserError(f"can't use {path}: {error}") from error
        except (KeyError, TypeError, ValueError) as error:
            raise UserError(f"{path} holds no games to learn values from; delete it, and it is made again") from error

    def targets(self, forward: Forward, rng: np.random.Generator) -> Targets:
        """Play the games again. Return a random share KEPT of the decisions. Raise UserError for an illegal action."""
        states, ends = begin(self.first, len(self.lengths)), np.cumsum(self.lengths, dtype=np.int64)
        starts, noted, parts = ends - self.lengths, [], []
        for place in range(int(self.lengths.max(initial=0))):
            going = np.flatnonzero(self.lengths > place)
            kept = going[rng.random(len(going)) < KEPT]
            noted.append((kept, states["seat"][kept].astype(np.int64)))
            parts.append(SparseRows.of(states, kept, forward))
            for number, action in zip(going.tolist(), self.actions[starts[going] + place].tolist(), strict=True):
                if engine.apply(states, number, action) == engine.ILLEGAL:
                    raise UserError(f"game {self.first + number} has an illegal action")
        if not states["over"].all():
            raise UserError("a game has no end")
        game, seat = (np.concatenate(each) for each in zip(*noted, strict=True))
        order, players = np.argsort(game, kind="stable"), states["num_players"].astype(np.int64)
        rows, game, seat = SparseRows.join(parts).take(order), game[order], seat[order]
        wins = from_seat((wins_of(states)[game] / PARTS).astype(np.float32), players[game], seat)
        final = states["glory_from"].astype(np.float32)
        by_source = [clockwise(final[..., source], players)[game, seat] for source in range(NUM_SOURCES)]
        return Targets(rows, self.first + game, seat, players[game], wins, np.stack(by_source, 2))


def mark_of(policy: Policy) -> str:
    """Return a text that identifies the policy and the version of the rules.

    Weights of zero are left out, so that the text stays the same when inputs are added.
    """
    arrays = [weights.detach().numpy() for weights in policy.parameters()]
    weights = b"".join(array[array != 0].tobytes() for array in arrays)
    return f"{GAME.rules_version} {hashlib.sha256(weights).hexdigest()}"


def options_of(seed: int) -> Options:
    """Return the options of a game: PLAYERS in turn, or by chance with card sets."""
    rng = np.random.default_rng(seed)
    if seed % WITH_SETS == 0:
        return draw_options(int(rng.integers(2, 6)), SETS, SET_CHANCE, rng)
    return Options(PLAYERS[seed % len(PLAYERS)])


def begin(first: int, count: int) -> States:
    """Return new games with the seeds from `first` on."""
    states = np.zeros(count, STATE)
    for game in range(count):
        engine.reset(states, game, first + game, options_of(first + game).numbers())
    return states


def play(policy: Policy, count: int, first: int) -> Played:
    """Play games with the seeds from `first` on by the sampled policy."""
    rng, states, noted = np.random.default_rng(first), begin(first, count), []
    while len(going := np.flatnonzero(states["over"] == 0)):
        noted.append((going, step(policy, states, going, rng)))
    game, action = (np.concatenate(each) for each in zip(*noted, strict=True))
    order = np.argsort(game, kind="stable")
    return Played(first, np.bincount(game, minlength=count).astype(np.uint16), action[order].astype(np.uint16))


def paths(folder: Path, count: int, seed: int) -> list[tuple[Path, int]]:
    """Return the files of `count` games, rounded up to whole files, and their first seeds."""
    firsts = range(seed * SEED_STEP, seed * SEED_STEP + count, SIDE_BY_SIDE)
    return [(folder / f"games-{first}.npz", first) for first in firsts]


def play_file(name: str, path: Path, first: int) -> Iterator[float]:
    """Play the games of a file, as a task for workers; yields the seconds of processor time that it took."""
    clock, policy = time.process_time(), policy_of(file_of(name), game="bloodrage")
    play(policy, SIDE_BY_SIDE, first).save(path, mark_of(policy))
    yield time.process_time() - clock


def gather(name: str, folder: Path, count: int, seed: int, workers: int) -> None:
    """Play the games that the folder lacks, of `count`, by the policy of this name.

    Ctrl-C raises KeyboardInterrupt; files that are complete are kept.
    """
    folder.mkdir(parents=True, exist_ok=True)
    missing = [(name, *each) for each in paths(folder, count, seed) if not each[0].exists()]
    if workers > 1 and missing:
        pool = make_pool("local", workers)
        try:
            if carry_out_all(pool, play_file, missing).interrupted:
                raise KeyboardInterrupt
        finally:
            pool.close()
        return
    for arguments in missing:
        for seconds in play_file(*arguments):
            print(f"{arguments[1]}: {seconds:.1f} s", file=sys.stderr, flush=True)
