"""Open decisions in a file, with what was measured there. A decision is the seed of a game and the actions before it.

The file contains no records; it is checked by playing the actions. Each decision is of a game of its own, so that
decisions are independent.
"""

import io
from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, ClassVar, Final, Self

import numpy as np

from bloodrage_env import files
from bloodrage_env.encoding import as_json
from bloodrage_env.errors import UserError
from bloodrage_env.games.bloodrage.engine import MAX_SEATS, MIN_SEATS, NUM_ACTIONS, STATE, States
from bloodrage_env.games.bloodrage.game import GAME
from bloodrage_env.games.bloodrage.options import Options
from bloodrage_env.games.bloodrage.replay import Replay
from bloodrage_training.learn.policy import Policy
from bloodrage_training.schema import decoded

from .playing import Decisions, Whole, follow, new_games

FIRST_SEED: Final = 2**61  # training draws its seeds below 2**60, evaluations from there on
PLAYERS: Final = (4, 2)  # of the games, in turns
MAX_BYTES: Final = 2**26
STORED: Final = {"seeds": np.int64, "players": np.uint8, "lengths": np.uint16, "actions": np.uint16}


@dataclass(frozen=True)
class Reached:
    """P open decisions. A subclass adds arrays, and checks them in `fits`."""

    FORMAT: ClassVar[int]
    NAME: ClassVar[str]  # of what the file holds

    recipe: dict[str, Any]  # how they were made
    seeds: Whole  # int64[P], of the games
    players: Whole  # int64[P]
    lengths: Whole  # int64[P]: number of actions before the decision
    actions: Whole  # of all games, one after the other

    def fits(self) -> bool:
        """Return whether the added arrays belong to these decisions. Raise any exception for damaged ones."""
        raise NotImplementedError

    def states(self) -> States:
        """Return the decisions as records. Raise ReplayError for an illegal action, UserError if a game is over."""
        states = np.zeros(len(self.seeds), STATE)
        ends = self.lengths.cumsum()
        games = zip(self.seeds.tolist(), self.players.tolist(), np.split(self.actions, ends[:-1]), strict=True)
        for number, (seed, players, actions) in enumerate(games):
            states[number] = Replay(seed, Options(players), tuple(actions.tolist())).at(-1)[0]
            if states[number]["over"]:
                raise UserError(f"position {number} is the end of a game")
        return states

    @classmethod
    def recipe_of(cls, policy: str, seed: int, **more: int | str) -> dict[str, Any]:
        """Return the recipe of decisions of games of a policy, of which this is the name."""
        return {"format": cls.FORMAT, "rules": GAME.rules_version, "policy": policy, "seed": seed, **more}

    def save(self, path: Path) -> None:
        """Write the file."""
        arrays = {each.name: getattr(self, each.name) for each in fields(self)}
        arrays |= {name: arrays[name].astype(kind) for name, kind in STORED.items()}
        files.write(path, files.sealed(files.archive(arrays | {"recipe": np.array(as_json(self.recipe))})))

    @classmethod
    def load(cls, path: Path) -> Self:
        """Return the decisions of a file. Raise UserError for a file that is missing, damaged or of other rules."""
        try:
            content = files.read_sealed(path, MAX_BYTES)
            files.check_archive(content, MAX_BYTES)
            with np.load(io.BytesIO(content), allow_pickle=False) as kept:
                arrays = dict(kept)
            recipe = decoded(str(arrays["recipe"]), dict[str, Any])
            if (recipe["format"], recipe["rules"]) != (cls.FORMAT, GAME.rules_version):
                raise UserError("it is of another version; make it again, with the command 'make'")
            if arrays.keys() != {each.name for each in fields(cls)}:
                raise ValueError("other arrays")
            if any(arrays[name].dtype != kind or arrays[name].ndim != 1 for name, kind in STORED.items()):
                raise ValueError("arrays of other types")
            whole = {name: arrays[name].astype(np.int64) for name in STORED}
            found = cls(**arrays | whole | {"recipe": recipe})
            if not (found._in_range() and found.fits()):
                raise ValueError("arrays do not fit")
            return found
        except OSError as error:
            raise UserError(f"can't read {path}: {error.strerror or error}") from error
        except UserError as error:
            raise UserError(f"{path} holds no {cls.NAME}: {error}") from error
        except Exception as error:  # a file from elsewhere may raise anything
            raise UserError(f"{path} holds no {cls.NAME}: it is damaged") from error

    def _in_range(self) -> bool:
        return (
            len(self.seeds) > 0
            and self.seeds.shape == self.players.shape == self.lengths.shape
            and self.lengths.sum() == len(self.actions)
            and bool(((self.players >= MIN_SEATS) & (self.players <= MAX_SEATS)).all())
            and bool(((self.actions >= 0) & (self.actions < NUM_ACTIONS)).all())
            and bool((self.seeds >= 0).all() and (self.lengths >= 0).all())
        )


def reach(
    policy: Policy, count: int, seed: int, rng: np.random.Generator, draw: Callable[[Decisions, Whole, int], int]
) -> tuple[Whole, Whole, Whole, Whole]:
    """Play games by the sampled policy, with PLAYERS in turn, and return seeds, players, lengths and actions.

    `draw` returns the place of one of the decisions of a game: of all decisions, the rows of the game, and its number.
    """
    players = np.resize(np.array(PLAYERS, np.int64), count)
    seeds = FIRST_SEED + seed * 2**32 + np.arange(count)
    decisions = follow(policy, new_games(players, int(seeds[0])), rng)
    order = np.lexsort((decisions.place, decisions.game))
    ends = np.searchsorted(decisions.game[order], np.arange(1, count))
    lengths, actions = np.zeros(count, np.int64), []
    for number, rows in enumerate(np.split(order, ends)):
        lengths[number] = draw(decisions, rows, number)
        actions.append(decisions.action[rows][: lengths[number]])
    return seeds, players, lengths, np.concatenate(actions)
