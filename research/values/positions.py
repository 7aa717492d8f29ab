"""Positions that were played out many times, as a file: who wins from there, and by chance alone how often.

Each position is of a game of its own (`Reached`).
"""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine import MAX_SEATS, NUM_AGES, Decision, States
from bloodrage_training.learn.policy import Policy
from bloodrage_training.tournament.estimates import PARTS

from .playing import Bytes, Decisions, Reals, Whole, from_seat, play_out
from .reached import PLAYERS, Reached, reach

FILE: Final = Path(__file__).with_name("positions.npz")  # the positions that come with the project
KINDS: Final = (Decision.DRAFT, Decision.ACTION, Decision.BATTLE_CARD)  # a position has one of these, or another kind
AT_ONCE: Final = 100  # positions that are played out side by side


@dataclass(frozen=True)
class Positions(Reached):
    """P open decisions, each played out K times from the game as it was, and K times from redeals of its seat.

    Wins are in parts of PARTS, of the seats clockwise from the seat to act.
    """

    FORMAT = 1
    NAME = "positions"

    played: Bytes  # uint8[P, K, MAX_SEATS]
    redealt: Bytes  # uint8[P, K, MAX_SEATS]

    def fits(self) -> bool:
        """Return whether there are play-outs of all positions."""
        shape = (len(self.seeds), self.played.shape[1], MAX_SEATS)
        return (
            shape[1] > 1
            and self.played.shape == self.redealt.shape == shape
            and self.played.dtype == self.redealt.dtype == np.uint8
            and all(bool((wins.sum(2, dtype=np.int64) == PARTS).all()) for wins in (self.played, self.redealt))
        )


def make(policy: Policy, positions: int, rollouts: int, seed: int, name: str) -> Positions:
    """Play games by the sampled policy and return one position of each, played out.

    Numbers of players (`PLAYERS`) and Ages alternate. In an Age the kind of question is drawn first, then a decision of
    this kind with at least two legal actions. `name` is the name of the policy in the file.
    """
    rng = np.random.default_rng(seed)

    def place(decisions: Decisions, rows: Whole, number: int) -> int:
        return draw(decisions, rows, number // len(PLAYERS) % NUM_AGES, rng)

    reached = reach(policy, positions, seed, rng, place)
    none = np.zeros((positions, rollouts, MAX_SEATS), np.uint8)
    found = Positions(Positions.recipe_of(name, seed), *reached, none, none.copy())
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

    Return uint8[games, rollouts, MAX_SEATS], wins in parts of PARTS. With `redeals`, each rollout begins with a redeal
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
