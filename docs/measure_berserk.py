"""Measures Berserk by strong play and writes the tables into `docs/results/berserk.json`.

`python docs/measure_berserk.py` plays 1,000 games of the shipped player against each style and random play, and 2,000
against itself, with decks and seats swapped; which takes some minutes.
"""

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "docs")]

from results import save  # noqa: E402

from bloodrage_agents.network import SHIPPED, file_of  # noqa: E402
from bloodrage_env import VectorGames  # noqa: E402
from bloodrage_env.games.berserk.options import Options  # noqa: E402
from bloodrage_training.learn.evaluate import Choice, choice_of_style, greedy  # noqa: E402
from bloodrage_training.learn.export import policy_of  # noqa: E402
from bloodrage_training.tournament.estimates import Estimate, wilson  # noqa: E402

GAME = Options.game
OPPONENTS = ("random", "rush", "hold")
SEED = 60_000_000  # of the first deal
DECKS = Options.decks


@dataclass(frozen=True)
class Played:
    """Games by number; a seat is 0 or 1, and deck 0 is the first of DECKS."""

    share: npt.NDArray[np.float64]  # share of the win of seat 0
    first: npt.NDArray[np.int64]  # the seat that was First
    truncated: npt.NDArray[np.bool_]
    turns: npt.NDArray[np.int64]


def play(seat_0: Choice, seat_1: Choice, decks: tuple[str, str], count: int, seed: int) -> Played:
    """So many games."""
    batch = VectorGames(count, game=GAME, seed=seed, decks=decks)
    batch.reset()
    share, turns = np.zeros(count), np.zeros(count, np.int64)
    first, truncated = np.zeros(count, np.int64), np.zeros(count, bool)
    playing, actions, rng = np.ones(count, bool), np.zeros(count, np.int64), np.random.default_rng(seed)
    while playing.any():
        for seat, choose in enumerate((seat_0, seat_1)):
            which = np.flatnonzero((batch.seats == seat) & playing)
            if len(which):
                actions[which] = choose(batch.states, which, rng)
        over = np.flatnonzero(~playing)
        actions[over] = batch.masks[over].argmax(1)
        first[playing], turns[playing] = batch.states["first"][playing], batch.states["turn"][playing]
        batch.step(actions)
        ended = batch.dones & playing
        share[ended] = (batch.rewards[ended, 0] + 1) / 2
        truncated[ended] = batch.truncated[ended]
        playing &= ~ended
    return Played(share, first, truncated, turns)


def both_ways(one: Choice, other: Choice, count: int, seed: int) -> list[tuple[Played, bool]]:
    """`count` games in four equal parts: each of the two has each deck from each seat; True where `one` has seat 1."""
    parts = []
    for number, decks in enumerate((DECKS, DECKS[::-1])):
        for turned in (False, True):
            pair = (other, one) if turned else (one, other)
            parts.append((play(*pair, decks, count // 4, seed + number * count), turned))
    return parts


def cell(share: float, count: int) -> str:
    """A share in per cent, with its interval."""
    rate: Estimate = wilson(share, count)
    return f"{100 * rate.value:.1f} % ({100 * rate.low:.0f} to {100 * rate.high:.0f})"


def strength(player: Choice, count: int) -> list[list[str]]:
    """A row for each opponent."""
    rows = []
    for name in OPPONENTS:
        parts = both_ways(player, choice_of_style(name, GAME), count, SEED)
        share = np.mean([1 - played.share if turned else played.share for played, turned in parts])
        cut = np.mean([played.truncated for played, _ in parts])
        rows.append([f"`{name}`", f"{count:,}", cell(float(share), count), f"{100 * cut:.1f} %"])
    return rows


def balance(players: dict[str, Choice], count: int) -> list[list[str]]:
    """A row for each kind of play, of both seats by the same player."""
    rows = []
    for name, player in players.items():
        parts = [(play(player, player, decks, count // 2, SEED), decks) for decks in (DECKS, DECKS[::-1])]
        by_first = np.concatenate([np.where(each.first == 0, each.share, 1 - each.share) for each, _ in parts])
        by_deck = np.concatenate([each.share if decks == DECKS else 1 - each.share for each, decks in parts])
        turns = np.concatenate([each.turns for each, _ in parts])
        cut = np.concatenate([each.truncated for each, _ in parts])
        rows.append(
            [name, f"{count:,}", cell(by_first.mean(), count), cell(by_deck.mean(), count), f"{np.median(turns):.0f}",
             f"{100 * cut.mean():.1f} %"]
        )  # fmt: skip
    return rows


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--policy", type=Path, default=file_of(SHIPPED, GAME))
    parser.add_argument("--games", type=int, default=1000)
    given = parser.parse_args()
    policy = policy_of(given.policy, GAME)
    command = "python docs/measure_berserk.py"
    head = ["opponent", "games", "won", "cut off"]
    save("berserk/strength", head, strength(greedy(policy), given.games), command)
    players = {"the player": greedy(policy), "`hold`": choice_of_style("hold", GAME)}
    head = ["both seats by", "games", "First won", f"{DECKS[0]} won", "turns (median)", "cut off"]
    save("berserk/balance", head, balance(players, 2 * given.games), command)


if __name__ == "__main__":
    main()
