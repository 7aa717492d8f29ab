"""Games to learn values from: self-play by the sampled policy, of which a share of the decisions is kept.

A shard is a file of SIDE_BY_SIDE games. Its inputs are those of the network without zeros, as two bytes for the number
of the input and two for its value. Shards have seeds of their own, so that a killed run goes on with the next one.
"""

import hashlib
import io
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from bloodrage_env import files
from bloodrage_env.errors import UserError
from bloodrage_env.games.bloodrage.engine import NUM_SOURCES
from bloodrage_env.games.bloodrage.game import GAME
from bloodrage_training.learn.config import SEED_STEP
from bloodrage_training.learn.policy import Policy, SparseRows
from bloodrage_training.learn.tables import clockwise
from bloodrage_training.tournament.estimates import PARTS

from .playing import Whole, from_seat, new_games, step, wins_of
from .reached import PLAYERS

SIDE_BY_SIDE: Final = 1000  # games of a shard
KEPT: Final = 0.1  # share of the decisions: those of a game have the same result
MAX_BYTES: Final = 2**30


@dataclass(frozen=True)
class Targets:
    """R decisions with their targets, game by game. Targets are by seat, clockwise from the seat to act."""

    offsets: Whole  # of the sparse rows
    index: npt.NDArray[np.uint16]
    values: npt.NDArray[np.float16]
    game: Whole  # int64[R]
    seat: Whole  # int64[R], the seat to act
    players: Whole  # int64[R]
    wins: npt.NDArray[np.float32]  # float32[R, MAX_SEATS], shares of the win
    glory: npt.NDArray[np.float32]  # float32[R, MAX_SEATS, NUM_SOURCES], at the end, by source

    def __len__(self) -> int:
        return len(self.game)

    def rows_at(self, which: Whole) -> SparseRows:
        """Return the network inputs of these decisions."""
        lengths = self.offsets[which + 1] - self.offsets[which]
        offsets = np.append(0, lengths.cumsum())
        places = np.arange(offsets[-1]) + np.repeat(self.offsets[which] - offsets[:-1], lengths)
        return SparseRows(offsets, self.index[places].astype(np.int64), self.values[places].astype(np.float32))

    @classmethod
    def join(cls, parts: Sequence["Targets"]) -> "Targets":
        """Return the decisions of all parts."""
        columns = {name: np.concatenate([getattr(part, name) for part in parts]) for name in vars(parts[0])}
        lengths = np.concatenate([np.diff(part.offsets) for part in parts])
        return cls(**columns | {"offsets": np.append(0, lengths.cumsum())})

    def save(self, path: Path, mark: str) -> None:
        """Write a shard. `mark` is the result of `mark_of` for the policy that played."""
        packed = io.BytesIO()
        np.savez(packed, mark=np.array(mark), **vars(self))
        files.write(path, files.sealed(packed.getvalue()))

    @classmethod
    def load(cls, path: Path, mark: str) -> "Targets":
        """Return the decisions of a shard. Raise UserError for a file that is missing, damaged or has another mark."""
        try:
            content = files.read_sealed(path, MAX_BYTES)
            with np.load(io.BytesIO(content), allow_pickle=False) as kept:
                arrays = dict(kept)
            if str(arrays.pop("mark")) != mark:
                raise UserError("it is of another policy or other rules; name another folder")
            return cls(**arrays)
        except OSError as error:
            raise UserError(f"can't read {path}: {error.strerror or error}") from error
        except UserError as error:
            raise UserError(f"can't use {path}: {error}") from error
        except (KeyError, TypeError, ValueError) as error:
            raise UserError(f"{path} holds no games to learn values from; delete it, and it is made again") from error


def mark_of(policy: Policy) -> str:
    """Return a text that identifies the policy and the version of the rules."""
    weights = b"".join(weights.detach().numpy().tobytes() for weights in policy.parameters())
    return f"{GAME.rules_version} {hashlib.sha256(weights).hexdigest()}"


def play(policy: Policy, count: int, seed: int) -> Targets:
    """Play `count` games by the sampled policy, seeds from `seed` on. Return a random share KEPT of the decisions."""
    rng = np.random.default_rng(seed)
    all_players = np.resize(np.array(PLAYERS, np.int64), count)
    states = new_games(all_players, seed)
    noted: list[tuple[Whole, Whole]] = []
    parts: list[SparseRows] = []
    while len(going := np.flatnonzero(states["over"] == 0)):
        kept = going[rng.random(len(going)) < KEPT]
        noted.append((kept, states["seat"][kept].astype(np.int64)))
        parts.append(SparseRows.of(states, kept, policy.net))
        step(policy, states, going, rng)
    game, seat = (np.concatenate(each) for each in zip(*noted, strict=True))
    order = np.argsort(game, kind="stable")
    rows, game, seat = SparseRows.join(parts).take(order), game[order], seat[order]
    wins = from_seat((wins_of(states)[game] / PARTS).astype(np.float32), all_players[game], seat)
    final = states["glory_from"].astype(np.float32)
    by_source = [clockwise(final[..., source], all_players)[game, seat] for source in range(NUM_SOURCES)]
    return Targets(
        rows.offsets, rows.index.astype(np.uint16), rows.values.astype(np.float16), seed + game, seat,
        all_players[game], wins, np.stack(by_source, 2),
    )  # fmt: skip


def gather(policy: Policy, folder: Path, count: int, seed: int) -> Targets:
    """Return the decisions of `count` games, rounded up to whole shards. Shards missing in the folder are played."""
    folder.mkdir(parents=True, exist_ok=True)
    mark, parts = mark_of(policy), []
    for first in range(seed * SEED_STEP, seed * SEED_STEP + count, SIDE_BY_SIDE):
        path = folder / f"games-{first}.npz"
        if not path.exists():
            clock = time.monotonic()
            play(policy, SIDE_BY_SIDE, first).save(path, mark)
            print(f"{path}: {time.monotonic() - clock:.0f} s", file=sys.stderr, flush=True)
        parts.append(Targets.load(path, mark))
    return Targets.join(parts)
