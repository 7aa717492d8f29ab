"""Positions that were played out many times, as a file: who wins from there, and by chance alone how often.

A position is a seed and actions, so that the file contains no records; it is checked by playing the actions. Each
position is of a game of its own, so that positions are independent.
"""

import io
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from bloodrage_env import files
from bloodrage_env.encoding import as_json
from bloodrage_env.errors import UserError
from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine import MAX_SEATS, MIN_SEATS, NUM_ACTIONS, NUM_AGES, STATE, Decision, States
from bloodrage_env.games.bloodrage.game import GAME
from bloodrage_env.games.bloodrage.options import Options
from bloodrage_env.games.bloodrage.replay import Replay

from ....learn.policy import Policy
from ....tournament.estimates import PARTS
from .playing import Bytes, Decisions, Reals, Whole, follow, from_seat, new_games, play_out

FILE: Final = Path(__file__).with_name("positions.npz")  # the positions that come with the project
FIRST_SEED: Final = 2**61  # training draws its seeds below 2**60, evaluations from there on
PLAYERS: Final = (4, 2)  # of the games, in turns
KINDS: Final = (Decision.DRAFT, Decision.ACTION, Decision.BATTLE_CARD)  # a position has one of these, or another kind
AT_ONCE: Final = 100  # positions that are played out side by side
MAX_BYTES: Final = 2**26
FORMAT: Final = 1


@dataclass(frozen=True)
class Positions:
    """P open decisions, each played out K times from the game as it was, and K times from redeals of its seat.

    Wins are in parts of PARTS, of the seats clockwise from the seat to act.
    """

    recipe: dict[str, Any]  # how they were made
    seeds: Whole  # int64[P], of the games
    players: Whole  # int64[P]
    lengths: Whole  # int64[P]: number of actions before the position
    actions: Whole  # of all games, one after the other
    played: Bytes  # uint8[P, K, MAX_SEATS]
    redealt: Bytes  # uint8[P, K, MAX_SEATS]

    def states(self) -> States:
        """Return the positions as records. Raises ReplayError for an illegal action, UserError if a game is over."""
        states = np.zeros(len(self.seeds), STATE)
        ends = self.lengths.cumsum()
        games = zip(self.seeds.tolist(), self.players.tolist(), np.split(self.actions, ends[:-1]), strict=True)
        for number, (seed, players, actions) in enumerate(games):
            states[number] = Replay(seed, Options(players), tuple(actions.tolist())).at(-1)[0]
            if states[number]["over"]:
                raise UserError(f"position {number} is the end of a game")
        return states

    def save(self, path: Path) -> None:
        """Write the file."""
        packed = io.BytesIO()
        kinds = {"seeds": np.int64, "players": np.uint8, "lengths": np.uint16, "actions": np.uint16}
        arrays = {name: getattr(self, name).astype(kind) for name, kind in kinds.items()}
        recipe = np.array(as_json(self.recipe))
        np.savez_compressed(packed, recipe=recipe, played=self.played, redealt=self.redealt, **arrays)
        files.write(path, files.sealed(packed.getvalue()))

    @classmethod
    def load(cls, path: Path) -> "Positions":
        """Return the positions of a file. Raises UserError for a file that is missing, damaged or of other rules."""
        try:
            content = files.read_sealed(path, MAX_BYTES)
            files.check_archive(content, MAX_BYTES)
            with np.load(io.BytesIO(content), allow_pickle=False) as kept:
                arrays = dict(kept)
            return _checked(arrays)
        except OSError as error:
            raise UserError(f"can't read {path}: {error.strerror or error}") from error
        except UserError as error:
            raise UserError(f"{path} holds no positions: {error}") from error
        except (KeyError, TypeError, ValueError) as error:
            raise UserError(f"{path} holds no positions: it is damaged") from error


def _checked(arrays: dict[str, npt.NDArray[Any]]) -> Positions:
    recipe = json.loads(str(arrays["recipe"]))
    if (recipe["format"], recipe["rules"]) != (FORMAT, GAME.rules_version):
        raise UserError("it is of another version; make it again, with the command 'make'")
    names = ("seeds", "players", "lengths", "actions")
    seeds, players, lengths, actions = (arrays[name].astype(np.int64) for name in names)
    played, redealt = arrays["played"], arrays["redealt"]
    shape = (len(seeds), played.shape[1], MAX_SEATS)
    fits = (
        len(seeds) > 0
        and shape[1] > 1
        and seeds.shape == players.shape == lengths.shape
        and played.shape == redealt.shape == shape
        and played.dtype == redealt.dtype == np.uint8
        and lengths.sum() == len(actions)
        and bool(((players >= MIN_SEATS) & (players <= MAX_SEATS)).all())
        and bool(((actions >= 0) & (actions < NUM_ACTIONS)).all() and (seeds >= 0).all() and (lengths >= 0).all())
        and all(bool((wins.sum(2, dtype=np.int64) == PARTS).all()) for wins in (played, redealt))
    )
    if not fits:
        raise ValueError("arrays do not fit")
    return Positions(recipe, seeds, players, lengths, actions, played, redealt)


def make(policy: Policy, positions: int, rollouts: int, seed: int, name: str) -> Positions:
    """Play games by the sampled policy and return one position of each, played out.

    Numbers of players (`PLAYERS`) and Ages alternate. In an Age the kind of question is drawn first, then a decision of
    this kind with at least two legal actions. `name` is the name of the policy in the file.
    """
    rng = np.random.default_rng(seed)
    players = np.resize(np.array(PLAYERS, np.int64), positions)
    seeds = FIRST_SEED + seed * 2**32 + np.arange(positions)
    states = new_games(players, int(seeds[0]))
    decisions = follow(policy, states, rng)
    order = np.lexsort((decisions.place, decisions.game))
    ends = np.searchsorted(decisions.game[order], np.arange(1, positions))
    lengths, actions = np.zeros(positions, np.int64), []
    for number, rows in enumerate(np.split(order, ends)):
        lengths[number] = draw(decisions, rows, number // len(PLAYERS) % NUM_AGES, rng)
        actions.append(decisions.action[rows][: lengths[number]])
    recipe = {"format": FORMAT, "rules": GAME.rules_version, "policy": name, "seed": seed}
    none = np.zeros((positions, rollouts, MAX_SEATS), np.uint8)
    found = Positions(recipe, seeds, players, lengths, np.concatenate(actions), none, none.copy())
    states = found.states()
    for first in range(0, positions, AT_ONCE):
        which = np.arange(first, min(first + AT_ONCE, positions))
        found.played[which] = wins_from(policy, states[which], rollouts, rng, redeals=False)
        found.redealt[which] = wins_from(policy, states[which], rollouts, rng, redeals=True)
        print(f"{which[-1] + 1} of {positions} positions", file=sys.stderr, flush=True)
    return found


def draw(decisions: Decisions, rows: Whole, age: int, rng: np.random.Generator) -> int:
    """Return the place of a random decision of an Age, among the `rows` of a game. Its kind is drawn first."""
    usable = rows[(decisions.age[rows] == age) & (decisions.choices[rows] > 1)]
    kinds = np.where(np.isin(decisions.kind[usable], KINDS), decisions.kind[usable], Decision.NONE)
    kind = rng.choice(np.unique(kinds))
    return int(decisions.place[rng.choice(usable[kinds == kind])])


def wins_from(policy: Policy, states: States, rollouts: int, rng: np.random.Generator, redeals: bool) -> Bytes:
    """Play out each game and return the wins by seat, clockwise from the seat to act.

    Returns uint8[games, rollouts, MAX_SEATS], wins in parts of PARTS. With `redeals`, each rollout begins with a redeal
    for the seat to act.
    """
    seats, players = states["seat"].astype(np.int64), states["num_players"].astype(np.int64)
    copies = np.repeat(states, rollouts)
    if redeals:
        seeds = rng.integers(2**62, size=len(copies)).tolist()
        for number, (seat, seed) in enumerate(zip(np.repeat(seats, rollouts).tolist(), seeds, strict=True)):
            copies[number] = engine.redeal(copies, number, seat, seed)[0]
    wins = play_out(policy, copies, rng).astype(np.float32)
    turned = from_seat(wins, np.repeat(players, rollouts), np.repeat(seats, rollouts))
    return turned.astype(np.uint8).reshape(len(states), rollouts, MAX_SEATS)


def shares(wins: Bytes) -> Reals:
    """Return wins as shares, 0 to 1."""
    return np.asarray(wins / PARTS)
