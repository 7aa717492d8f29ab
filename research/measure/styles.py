"""Measures the styles against each other and writes the tables into `docs/results/styles.json`.

`python -m research.measure.styles` plays 2,040 games for each win rate and twice 500 for how each style plays, which
takes a quarter of an hour.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt
from results import save

from bloodrage_agents.games.bloodrage.compiled.tuning import play_tables
from bloodrage_agents.games.bloodrage.compiled.weights import STYLES, TABLE
from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine import Decision, Phase, Source, States

BALANCED = STYLES.index("balanced")
NEW = STYLES[BALANCED + 1 :]
OPPONENTS = ("balanced", *NEW)
SOURCES = (
    ("battles", (Source.BATTLE, Source.BATTLE_CARDS)),
    ("quests", (Source.QUEST,)),
    ("Ragnarok, Valhalla", (Source.RAGNAROK, Source.RELEASE)),
    ("upgrades", (Source.UPGRADES,)),
    ("tokens", (Source.PILLAGE,)),
    ("stats", (Source.END_BONUS,)),
)
STRENGTH_HEAD = ["players", "style", *(f"against `{name}`" for name in OPPONENTS)]
MANNER_HEAD = [
    "style",
    "turns an Age",
    "Ages ended by pillage",
    "Rage unspent then, own, theirs",
    "pillages",
    "battles",
    "with the leader",
    "glory",
    *(name for name, _ in SOURCES),
]
SEED = 50_000_000  # of the first deal

Whole = npt.NDArray[np.int64]
Reals = npt.NDArray[np.float64]


def dealt(games: int, players: int, skip_forced: bool) -> tuple[States, Whole]:
    """The games and in each the seat looked at; each deal is played from every seat."""
    states = np.zeros(games, engine.STATE)
    for game in range(games):
        engine.reset(states, game, SEED + game // players, np.array((players, False, skip_forced, 0)))
    return states, np.arange(games) % players


def line_up(style: int, others: int, seats: Whole) -> Whole:
    """int64[N, MAX_SEATS]: one style at its seat, another one at all others."""
    rows = np.full((len(seats), engine.MAX_SEATS), others)
    rows[np.arange(len(seats)), seats] = style
    return rows


def glory_of(states: States, players: int) -> Reals:
    """float64[N, players]: final glory."""
    return np.array([engine.scores(states, game)[:players] for game in range(len(states))], np.float64)


def leaders(states: States, seats: Whole, players: int) -> Whole:
    """int64[N]: who of the others has the most glory, the end bonuses of stats included (rules 1.5)."""
    glory = (states["glory"] + engine.STAT_BONUS[states["stat_step"]].sum(2))[:, :players]
    glory[np.arange(len(seats)), seats] = -1
    return np.asarray(glory.argmax(1))


def win_rate(style: int, others: int, players: int, games: int) -> str:
    """The share of games that one wins against the others, with its 95 % interval over deals."""
    states, seats = dealt(games, players, True)
    play_tables(states, TABLE, line_up(style, others, seats), SEED + np.arange(games), engine.MAX_DECISIONS)
    glory = glory_of(states, players)
    first = glory == glory.max(1, keepdims=True)
    shares = (first / first.sum(1, keepdims=True))[np.arange(games), seats].reshape(-1, players).mean(1)
    error = 1.96 * shares.std(ddof=1) / np.sqrt(len(shares))
    return f"{shares.mean():.1%} (± {100 * error:.1f})".replace("%", " %")


def manner(style: int, others: int, games: int) -> list[object]:
    """What games of four seats are like, means of a game: the cells of MANNER_HEAD after the first."""
    players = 4
    states, seats = dealt(games, players, False)  # every question is asked, so that no battle goes by unseen
    rows = line_up(style, others, seats)
    every = np.arange(games)
    turns = ended = pillages = battles = led = 0
    own_rage, their_rage = 0.0, 0.0
    actor = np.full(games, -1)
    for count in range(engine.MAX_DECISIONS):
        playing = states["over"] == 0
        if not playing.any():
            break
        acting = playing & (states["decision"] == Decision.ACTION)
        turns += int(acting.sum())
        actor[acting] = states["seat"][acting]
        before = states.copy()
        play_tables(states, TABLE, rows, SEED + every + count * games, 1)
        mine = (states["pillaged"] > before["pillaged"]).any(1) & (actor == seats)
        pillages += int(mine.sum())
        begun = (states["battle"] > before["battle"]) & (states["in_battle"][every, seats] == 1)
        battles += int(begun.sum())
        led += int((begun & (states["in_battle"][every, leaders(before, seats, players)] == 1)).sum())
        rage = np.where(before["passed"] == 1, 0, before["rage"])[:, :players]
        over = (before["phase"] == Phase.ACTION) & (
            (states["phase"] != Phase.ACTION) | (states["age"] != before["age"])
        )
        # With Rage left to two clans no Age ends but by the pillage of the last province (rules 3.2.4).
        cut = playing & over & ((rage > 0).sum(1) > 1)
        ended += int(cut.sum())
        own = rage[every, seats]
        own_rage += float(own[cut].sum())
        their_rage += float((rage.sum(1) - own)[cut].sum()) / (players - 1)
    ages = max(1, ended)
    sources = states["glory_from"][every, seats].mean(0)
    return [
        f"{turns / games / engine.NUM_AGES:.1f}",
        f"{ended / games / engine.NUM_AGES:.0%}".replace("%", " %"),
        f"{own_rage / ages:.1f}, {their_rage / ages:.1f}",
        f"{pillages / games:.1f}",
        f"{battles / games:.1f}",
        f"{led / max(1, battles):.0%}".replace("%", " %"),
        f"{glory_of(states, players)[every, seats].mean():.0f}",
        *(f"{sum(sources[each] for each in group):.1f}" for _, group in SOURCES),
    ]


def strength_rows(scale: float) -> Iterator[list[object]]:
    """A row for each number of players and new style."""
    for players in (2, 3, 4):
        for name in NEW:
            cells = [
                "" if name == other else win_rate(STYLES.index(name), STYLES.index(other), players, int(2040 * scale))
                for other in OPPONENTS
            ]
            print(players, name, *cells, file=sys.stderr, flush=True)
            yield [players, f"`{name}`", *cells]


def manner_rows(alike: bool, scale: float) -> Iterator[list[object]]:
    """A row for each style, among three `balanced` or among its like."""
    for style, name in enumerate(STYLES):
        cells = manner(style, style if alike else BALANCED, int(500 * scale))
        print(name, *cells, file=sys.stderr, flush=True)
        yield [f"`{name}`", *cells]


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--scale", type=float, default=1.0, help="factor for the games (1.0)")
    args = parser.parse_args(arguments)
    command = "python -m research.measure.styles"
    save("styles/manner", MANNER_HEAD, list(manner_rows(False, args.scale)), command)
    save("styles/alike", MANNER_HEAD, list(manner_rows(True, args.scale)), command)
    save("styles/strength", STRENGTH_HEAD, list(strength_rows(args.scale)), command)


if __name__ == "__main__":
    main()
