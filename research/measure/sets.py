"""Measures how the card sets change games and writes the table into `docs/results/sets.json`.

`python -m research.measure.sets` plays 10,000 random games and 1,000 of `balanced` for each row, which takes half an
hour.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence

import numpy as np
from results import save

from bloodrage_agents.games.bloodrage.compiled.heuristics import RANDOM, STYLES, play_heuristics
from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine import MAX_SEATS, Source
from bloodrage_env.games.bloodrage.options import Options

PLAYED_BY = (("random", RANDOM, 10_000), ("balanced", STYLES.index("balanced"), 1_000))
SETS: tuple[tuple[str, ...], ...] = ((), ("ks",), ("mystics",), ("gods",), ("ks", "mystics", "gods"))
HEAD = ["sets", "players", "played by", "decisions", "battles", "glory of the winner", "of all", "most from", "cut off"]


def measured(options: Options, style: int, games: int) -> list[object]:
    """The means of the games of the seeds from 0 on, all seats played alike."""
    styles = np.full(MAX_SEATS, style)
    states = np.zeros(1, engine.STATE)
    decisions = battles = cut = 0
    best, glory, sources = [], [], np.zeros(len(Source))
    for seed in range(games):
        engine.reset(states, 0, seed, options.numbers())
        fought = False
        count = 0
        while not engine.is_over(states, 0):
            play_heuristics(states, 0, styles, seed * engine.MAX_DECISIONS + count, 1)
            count += 1
            battles += int(states["battle"][0] == 1 and not fought)
            fought = bool(states["battle"][0])
        decisions += count
        cut += int(states["truncated"][0])
        scores = engine.scores(states, 0)
        best.append(scores.max())
        glory.append(scores.mean())
        sources += states["glory_from"][0].sum(axis=0)
    top = Source(int(sources.argmax()))
    share = f"{top.name.lower().replace('_', ' ')}, {sources.max() / sources.sum():.0%}"
    means = [f"{decisions / games:.0f}", f"{battles / games:.1f}", f"{np.mean(best):.1f}", f"{np.mean(glory):.1f}"]
    return [*means, share, cut]


def rows(scale: float) -> Iterator[list[object]]:
    """A row for each choice of sets, number of players and way to play."""
    for sets in SETS:
        for players in range(2, MAX_SEATS + 1):
            chosen = (*(("p5",) if players == MAX_SEATS else ()), *sets)
            # Every question is asked, so that no battle goes by between two of them.
            options = Options(players, skip_forced=False, sets=chosen)
            for name, style, games in PLAYED_BY:
                means = measured(options, style, max(1, int(games * scale)))
                yield [", ".join(f"`{each}`" for each in chosen) or "none", players, f"`{name}`", *means]
                print(f"{', '.join(chosen) or 'none'}, {players} players, {name}: {means}", file=sys.stderr, flush=True)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--scale", type=float, default=1.0, help="factor for the games of a row (1.0)")
    args = parser.parse_args(arguments)
    save("sets/sets", HEAD, list(rows(args.scale)), "python -m research.measure.sets")


if __name__ == "__main__":
    main()
