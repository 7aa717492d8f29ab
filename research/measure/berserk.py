"""Measures Berserk by strong play and writes the tables into `docs/results/berserk.json`.

`python -m research.measure.berserk` plays 2,000 games of the shipped player against each style and random play, and
2,000 against itself, with decks and seats swapped; which takes some minutes. It does so for the modes too. Then it
compares ways of placing, decks, the two teams of a team battle and both sides of the Battle for Laar by deck, and
measures guided searches against the policies alone (`--searched` games of each), which takes longest. `--only strength`
measures one table alone; `--earlier FILE` adds games against an earlier policy to it.
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, fields
from itertools import combinations
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from results import save

from bloodrage_agents.network import SHIPPED, file_of
from bloodrage_env import VectorGames
from bloodrage_env.games import options_from
from bloodrage_env.games.berserk.engine import DECKS as ALL_DECKS
from bloodrage_env.games.berserk.options import Options
from bloodrage_training.learn.evaluate import Choice, choice_of_style, greedy, searching
from bloodrage_training.learn.export import policy_of
from bloodrage_training.tournament.estimates import Estimate, wilson

GAME = Options.game
TEAMS = "berserk_team"
LAAR = "berserk_laar"
GAMES = (GAME, TEAMS, LAAR)
PLACINGS = ("in_turn", "at_once")
SEARCH = "ismcts:simulations=50,path=shipped"
GUIDED = "ismcts:simulations=100,path=shipped"
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
    """Play `count` games, with a player at each seat."""
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


def both_ways(one: Choice, other: Choice, count: int, seed: int, game: str = GAME) -> list[tuple[Played, bool]]:
    """`count` games in four equal parts, without those left over: each side has each deck from each seat; True where
    `one` has seat 1.

    In a team battle each of the two has both seats of a side.
    """
    parts, pairs = [], int(options_from(game).num_players) // 2
    for number, decks in enumerate((DECKS, DECKS[::-1])):
        for turned in (False, True):
            pair = (other, one) if turned else (one, other)
            parts.append((play(pair * pairs, decks * pairs, count // 4, seed + number * count, game), turned))
    return parts


def won(parts: Sequence[tuple[Played, bool]]) -> tuple[str, str, str]:
    """The number of games, what the first of the two won in `both_ways`, and the share of games that were cut off."""
    count = sum(len(played.share) for played, _ in parts)
    share = np.mean([1 - played.share if turned else played.share for played, turned in parts])
    cut = np.mean([played.truncated for played, _ in parts])
    return f"{count:,}", cell(float(share), count), f"{100 * cut:.1f} %"


def cell(share: float, count: int) -> str:
    """A share in per cent, with its interval."""
    rate: Estimate = wilson(share, count)
    return f"{100 * rate.value:.1f} % ({100 * rate.low:.0f} to {100 * rate.high:.0f})"


def strength(player: Choice, count: int, earlier: Path | None) -> list[list[str]]:
    """A row for each opponent."""
    opponents = {f"`{name}`": choice_of_style(name, GAME) for name in OPPONENTS}
    if earlier:
        opponents["the player before"] = greedy(policy_of(earlier, GAME))
    return [[name, *won(both_ways(player, other, count, SEED))] for name, other in opponents.items()]


def modes(count: int) -> list[list[str]]:
    """A row for each mode and opponent. Alone in the Battle for Laar, a row for each player."""
    rows = []
    for mode in GAMES[1:]:
        player = shipped(mode)
        for name in OPPONENTS:
            result = won(both_ways(player, choice_of_style(name, mode), count, SEED, mode))
            rows.append([f"`{mode}`", "4" if mode == TEAMS else "2", "`network`", f"`{name}`", *result])
    alone = {f"`{name}`": choice_of_style(name, LAAR) for name in OPPONENTS} | {"`network`": shipped(LAAR)}
    for label, choice in alone.items():
        parts = [(play((choice,), (deck, deck), count // 2, SEED, LAAR), False) for deck in DECKS]
        rows.append([f"`{LAAR}`", "1", label, "the demon", *won(parts)])
    return rows


def guided(count: int) -> list[list[str]]:
    """A row for each game: a search that the policy guides against the policy alone, or alone against the demon."""
    return [row for game in GAMES for row in guided_in(game, count)]


def guided_in(game: str, count: int) -> list[list[str]]:
    """The rows of a game, whose parts are played side by side."""
    players = int(options_from(game).num_players)
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        halves = [pool.submit(half, game, count, first) for first in (0, 1)]
        demons = [pool.submit(alone, deck, count // 2) for deck in DECKS * (game == LAAR)]
        result = won([part for each in halves for part in each.result()])
        rows = [[f"`{game}`", f"{players}", "`network`", *result]]
        if demons:
            result = won([(each.result(), False) for each in demons])
            rows.append([f"`{game}`", "1", "the demon", *result])
    return rows


def half(game: str, count: int, which: int) -> list[tuple[Played, bool]]:
    """One half of the games of `both_ways`, of a search that the policy guides against the policy alone."""
    return both_ways(searching(GUIDED, game), shipped(game), count // 2, SEED + (3 + which) * 1_000_000, game)


def alone(deck: Any, count: int) -> Played:
    """Games of such a search alone against the demon."""
    return play((searching(GUIDED, LAAR),), (deck, deck), count, SEED, LAAR)


def figures(parts: Sequence[Played]) -> tuple[str, str, str, str]:
    """The number of games, what First won, the median of turns, and the share of games that were cut off."""
    by_first, turns, cut = (np.concatenate([getattr(each, name) for each in parts]) for name in _FIGURES)
    count = len(by_first)
    return f"{count:,}", cell(by_first.mean(), count), f"{np.median(turns):.0f}", f"{100 * cut.mean():.1f} %"


_FIGURES = ("by_first", "turns", "truncated")


def balance(players: dict[str, Choice], count: int) -> list[list[str]]:
    """A row for each kind of play, of both seats by the same player."""
    rows = []
    for name, player in players.items():
        parts = [(play((player, player), decks, count // 2, SEED), decks) for decks in (DECKS, DECKS[::-1])]
        by_deck = np.concatenate([each.share if decks == DECKS else 1 - each.share for each, decks in parts])
        games, first, turns, cut = figures([each for each, _ in parts])
        rows.append([name, games, first, cell(by_deck.mean(), len(by_deck)), turns, cut])
    return rows


def placing(players: dict[str, Choice], counts: dict[str, int]) -> list[list[str]]:
    """A row for each kind of play and way of placing; both seats by the same player, each deck at each side."""
    rows = []
    for name, player in players.items():
        for way in PLACINGS:
            count = counts[name]
            sides = (DECKS, DECKS[::-1])
            parts = [play((player,) * 2, decks, count // 2, SEED + 1_000_000, placing=way) for decks in sides]
            rows.append([name, f"`{way}`", *figures(parts)])
    return rows


def teams(players: dict[str, Choice], count: int) -> list[list[str]]:
    """A row for each kind of play and deck of First's team; all seats by the same player, with the same deals."""
    rows = []
    for name, player in players.items():
        parts = [play((player,) * 4, decks * 2, count, SEED + 1_000_000, TEAMS) for decks in (DECKS, DECKS[::-1])]
        for deck in DECKS:
            # In the first part side 0 has the first deck, in the second part side 1.
            which = [part.first == int((deck == DECKS[0]) == bool(number)) for number, part in enumerate(parts)]
            cells = [cut_to(part, marks) for part, marks in zip(parts, which, strict=True)]
            rows.append([name, f"`{deck}`", *figures(cells)])
    return rows


def cut_to(played: Played, marks: npt.NDArray[np.bool_]) -> Played:
    """Those of the games that are marked."""
    return Played(*(getattr(played, field.name)[marks] for field in fields(Played)))


def decks_against_each_other(players: dict[str, Choice], counts: dict[str, int]) -> list[list[str]]:
    """A row for each kind of play and pair of decks; both sides by the same player, each deck at each seat."""
    rows = []
    for name, player in players.items():
        for pair in combinations(ALL_DECKS, 2):
            sides, count = (pair, pair[::-1]), counts[name]
            parts = [(play((player, player), decks, count // 2, SEED + 2_000_000), decks) for decks in sides]
            by_deck = np.concatenate([each.share if decks == pair else 1 - each.share for each, decks in parts])
            games, first, turns, cut = figures([each for each, _ in parts])
            won_by = cell(by_deck.mean(), len(by_deck))
            rows.append([name, f"`{pair[0]}`", f"`{pair[1]}`", games, won_by, first, turns, cut])
    return rows


def laar(counts: dict[str, int]) -> list[list[str]]:
    """A row for each kind of play, number of players and deck of the angel's side; all seats by the same player, the
    same deals in all rows. The life of the demon was fitted with other deals, but for its last step.
    """
    rows = []
    for name, count in counts.items():
        for players in (1, 2):
            for deck in ALL_DECKS:
                played = play((searching(name, LAAR),) * players, (deck, deck), count, SEED + 8_000_000, LAAR)
                angel = played.share if players == 1 else played.by_first
                games, _, turns, cut = figures([played])
                angel_won = cell(float(angel.mean()), len(angel))
                rows.append([f"`{name}`", f"{players}", f"`{deck}`", games, angel_won, turns, cut])
    return rows


def shipped(game: str) -> Choice:
    """The shipped player of a game, with its most likely actions."""
    return greedy(policy_of(file_of(SHIPPED, game), game))


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--searched", type=int, default=40)
    parser.add_argument("--earlier", type=Path, metavar="FILE", help="an earlier policy")
    parser.add_argument("--only", choices=HEADS, help="measure one table alone")
    given = parser.parse_args()
    count, few = given.games, given.games // 5
    player, style = {"the player": shipped(GAME)}, {"`hold`": choice_of_style("hold", GAME)}
    team = {"`hold`": searching("hold", TEAMS), "the player": shipped(TEAMS)}
    search = {f"`{SEARCH}`": searching(SEARCH, GAME)}
    placings = {"the player": count // 2, "`hold`": count, f"`{SEARCH}`": given.searched}
    tables: dict[str, Callable[[], list[list[str]]]] = {
        "strength": lambda: strength(player["the player"], count, given.earlier),
        "modes": lambda: modes(count),
        "balance": lambda: balance(player | style, count),
        "decks": lambda: decks_against_each_other(player | style, {"the player": few, "`hold`": count // 2}),
        "teams": lambda: teams(team, few),
        "laar": lambda: laar({GUIDED: given.searched}),
        "placing": lambda: placing(player | style | search, placings),
        "guided": lambda: guided(given.searched),
    }
    for name, measured in tables.items():
        if given.only in (None, name):
            options = "".join(f" {word}" for word in sys.argv[1:])
            save(f"berserk/{name}", HEADS[name], measured(), f"python -m research.measure.berserk{options}")


_EQUAL = ["games", "First won", "turns (median)", "cut off"]
HEADS = {  # of the tables
    "strength": ["opponent", "games", "won", "cut off"],
    "modes": ["game", "players", "agent", "opponent", "games", "won", "cut off"],
    "guided": ["game", "players", "opponent", "games", "won", "cut off"],
    "balance": ["both seats by", "games", "First won", f"{DECKS[0]} won", "turns (median)", "cut off"],
    "decks": ["both seats by", "deck", "against", "games", "won", *_EQUAL[1:]],
    "teams": ["all seats by", "deck of First's team", "games", "First's team won", "turns (median)", "cut off"],
    "laar": ["all seats by", "players", "deck", "games", "the angel's side won", "turns (median)", "cut off"],
    "placing": ["both seats by", "placing", *_EQUAL],
}

if __name__ == "__main__":
    main()
