"""Measures decisions a game and legal actions, and writes the table into `docs/results/games.json`.

`python -m research.measure.games` plays 2,000 games for each row, which takes a minute or two. `tests/test_docs.py`
plays some of them again and fails if the table is far off.
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from generate import PLAYERS
from results import save

from bloodrage_agents.games.bloodrage.compiled.heuristics import RANDOM, STYLES, play_heuristics
from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine import CardSet

GAMES = 2000
HEAD = ["players", "played by", "decisions a game", "from, to", "of each seat", "legal actions", "at most"]
PLAYED_BY = {"random": RANDOM, "balanced": STYLES.index("balanced")}  # as `play_heuristics` numbers them


@dataclass(frozen=True)
class Measured:
    """The number of decisions of each game, and of legal actions of each decision."""

    decisions: list[int]
    legal: list[int]


def measured(num_players: int, style: int, games: int) -> Measured:
    """The games of the seeds from 0 on, all seats played alike. Openly forced questions are not asked."""
    styles = np.full(engine.MAX_SEATS, style)
    decisions, legal = [], []
    for seed in range(games):
        states = engine.new_game(seed, num_players, sets=1 << CardSet.P5)  # which changes nothing with fewer than five
        count = 0
        while not engine.is_over(states, 0):
            legal.append(int(states["num_legal"][0]))
            play_heuristics(states, 0, styles, seed * engine.MAX_DECISIONS + count, 1)
            count += 1
        decisions.append(count)
    return Measured(decisions, legal)


def row(name: str, num_players: int, games: Measured) -> list[object]:
    """A row of the table, for one number of players and way to play."""
    mean = float(np.mean(games.decisions))
    return [
        num_players,
        f"`{name}`",
        f"{mean:.0f}",
        f"{min(games.decisions)} to {max(games.decisions)}",
        f"{mean / num_players:.0f}",
        f"{np.mean(games.legal):.1f}",
        max(games.legal),
    ]


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and write."""
    argparse.ArgumentParser(description=str(__doc__).splitlines()[0]).parse_args(arguments)
    rows = [row(name, n, measured(n, style, GAMES)) for n in PLAYERS for name, style in PLAYED_BY.items()]
    save("games/decisions", HEAD, rows, "python -m research.measure.games")


if __name__ == "__main__":
    main()
