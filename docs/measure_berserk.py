"""Measures Berserk by strong play and writes the tables into `docs/results/berserk.json`.

`python docs/measure_berserk.py` plays 1,000 games of the shipped player against each style and random play, and 2,000
against itself, with decks and seats swapped; which takes some minutes. Then it compares ways of placing, decks, the two
teams of a team battle and both sides of the Battle for Laar; `--searched` games of each placing are played by a guided
search, which takes longest. `--only laar` measures the last ones alone.
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "docs")]

from results import save  # noqa: E402

from bloodrage_agents.network import SHIPPED, file_of  # noqa: E402
from bloodrage_env import VectorGames  # noqa: E402
from bloodrage_env.games.berserk.engine import DECKS as ALL_DECKS  # noqa: E402
from bloodrage_env.games.berserk.options import Options  # noqa: E402
from bloodrage_training.learn.evaluate import Choice, choice_of_style, greedy, searching  # noqa: E402
from bloodrage_training.learn.export import policy_of  # noqa: E402
from bloodrage_training.tournament.estimates import Estimate, wilson  # noqa: E402

GAME = Options.game
TEAMS = "berserk_team"
LAAR = "berserk_laar"
PLACINGS = ("in_turn", "at_once")
SEARCH = "ismcts:simulations=50,path=shipped"
UNGUIDED = "ismcts:simulations=200"  # of games without a policy
OPPONENTS = ("random", "rush", "hold")
SEED = 60_000_000  # of the first deal
DECKS = Options.decks


@dataclass(frozen=True)
class Played:
    """Games by number; side 0 has seat 0 and in teams seat 2 too, and deck 0 is the first of DECKS."""

    share: npt.NDArray[np.float64]  # share of the win of side 0
    first: npt.NDArray[np.int64]  # the side that was First
    truncated: npt.NDArray[np.bool_]
    turns: npt.NDArray[np.int64]

    @property
    def by_first(self) -> npt.NDArray[np.float64]:
        """Share of the win of First, or its team."""
        return np.where(self.first == 0, self.share, 1 - self.share)


def play(
    seats: Sequence[Choice], decks: Sequence[Any], count: int, seed: int, game: str = GAME, **options: Any
) -> Played:
    """Plays `count` games, with a player at each seat."""
    batch = VectorGames(count, len(seats), game=game, seed=seed, decks=decks, **options)
    batch.reset()
    share, turns = np.zeros(count), np.zeros(count, np.int64)
    first, truncated = np.zeros(count, np.int64), np.zeros(count, bool)
    playing, actions, rng = np.ones(count, bool), np.zeros(count, np.int64), np.random.default_rng(seed)
    while playing.any():
        for seat, choose in enumerate(seats):
            which = np.flatnonzero((batch.seats == seat) & playing)
            if len(which):
                actions[which] = choose(batch.states, which, rng)
        over = np.flatnonzero(~playing)
        actions[over] = batch.masks[over].argmax(1)
        first[playing], turns[playing] = batch.states["first"][playing] % 2, batch.states["turn"][playing]
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
            parts.append((play(pair, decks, count // 4, seed + number * count), turned))
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


def figures(parts: Sequence[Played], count: int) -> tuple[str, str, str]:
    """What First won, the median of turns, and the share of games that were cut off."""
    by_first, turns, cut = (np.concatenate([getattr(each, name) for each in parts]) for name in _FIGURES)
    return cell(by_first.mean(), count), f"{np.median(turns):.0f}", f"{100 * cut.mean():.1f} %"


_FIGURES = ("by_first", "turns", "truncated")


def balance(players: dict[str, Choice], count: int) -> list[list[str]]:
    """A row for each kind of play, of both seats by the same player."""
    rows = []
    for name, player in players.items():
        parts = [(play((player, player), decks, count // 2, SEED), decks) for decks in (DECKS, DECKS[::-1])]
        by_deck = np.concatenate([each.share if decks == DECKS else 1 - each.share for each, decks in parts])
        first, turns, cut = figures([each for each, _ in parts], count)
        rows.append([name, f"{count:,}", first, cell(by_deck.mean(), count), turns, cut])
    return rows


def placing(players: dict[str, Choice], counts: dict[str, int], teams: bool) -> list[list[str]]:
    """A row for each kind of play and way of placing; all seats by the same player, each deck at each side."""
    rows = []
    for name, player in players.items():
        for way in PLACINGS:
            seats, count = (player,) * (4 if teams else 2), counts[name]
            sides = (DECKS * (len(seats) // 2), DECKS[::-1] * (len(seats) // 2))
            game = TEAMS if teams else GAME
            parts = [play(seats, decks, count // 2, SEED + 1_000_000, game, placing=way) for decks in sides]
            first, turns, cut = figures(parts, count)
            rows.append([name, f"`{way}`", f"{count:,}", first, turns, cut])
    return rows


def decks_against_each_other(players: dict[str, Choice], counts: dict[str, int]) -> list[list[str]]:
    """A row for each kind of play and pair of decks; both sides by the same player, each deck at each seat."""
    rows = []
    for name, player in players.items():
        for pair in combinations(ALL_DECKS, 2):
            sides, count = (pair, pair[::-1]), counts[name]
            parts = [(play((player, player), decks, count // 2, SEED + 2_000_000), decks) for decks in sides]
            by_deck = np.concatenate([each.share if decks == pair else 1 - each.share for each, decks in parts])
            first, turns, cut = figures([each for each, _ in parts], count)
            row = [name, f"`{pair[0]}`", f"`{pair[1]}`", f"{count:,}", cell(by_deck.mean(), count), first, turns, cut]
            rows.append(row)
    return rows


def laar(counts: dict[str, int]) -> list[list[str]]:
    """A row for each kind of play and number of players; all seats by the same player, the angel with either deck."""
    rows = []
    for name, count in counts.items():
        for players in (1, 2):
            seats = (searching(name, LAAR),) * players
            parts = [play(seats, (deck, deck), count // 2, SEED, LAAR) for deck in DECKS]
            angel = np.concatenate([each.share if players == 1 else each.by_first for each in parts])
            _, turns, cut = figures(parts, count)
            rows.append([f"`{name}`", f"{players}", f"{count:,}", cell(angel.mean(), count), turns, cut])
    return rows


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--policy", type=Path, default=file_of(SHIPPED, GAME))
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--searched", type=int, default=40)
    parser.add_argument("--only", choices=("duel", "laar"), help="measure some of the tables")
    given = parser.parse_args()
    if given.only != "laar":
        measure_duel(given.policy, given.games, given.searched)
    if given.only != "duel":
        head = ["all seats by", "players", "games", "the angel's side won", "turns (median)", "cut off"]
        counts = {UNGUIDED: 2 * given.games // 5}
        save("berserk/laar", head, laar(counts), "python docs/measure_berserk.py --only laar")


def measure_duel(path: Path, games: int, searched: int) -> None:
    """Measure and write the tables of two players and of teams."""
    policy = policy_of(path, GAME)
    command = "python docs/measure_berserk.py"
    head = ["opponent", "games", "won", "cut off"]
    save("berserk/strength", head, strength(greedy(policy), games), command)
    count, few = 2 * games, 2 * games // 5
    players = {"the player": greedy(policy), "`hold`": choice_of_style("hold", GAME)}
    head = ["both seats by", "games", "First won", f"{DECKS[0]} won", "turns (median)", "cut off"]
    save("berserk/balance", head, balance(players, count), command)
    head = ["both seats by", "deck", "against", "games", "won", "First won", "turns (median)", "cut off"]
    counts = {"the player": few, "`hold`": games}
    save("berserk/decks", head, decks_against_each_other(players, counts), command)
    head = ["all seats by", "placing", "games", "First's team won", "turns (median)", "cut off"]
    save("berserk/teams", head, placing({"`hold`": searching("hold", TEAMS)}, {"`hold`": few}, True), command)
    head = ["both seats by", "placing", "games", "First won", "turns (median)", "cut off"]
    search = f"`{SEARCH}`"
    counts = {"the player": games, "`hold`": count, search: searched}
    save("berserk/placing", head, placing(players | {search: searching(SEARCH, GAME)}, counts, False), command)


if __name__ == "__main__":
    main()
