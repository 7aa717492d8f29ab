"""Tunes the weights and card values of a style by play; docs/agents/styles.md says how those of the shipped ones came.

An evolution strategy with antithetic pairs (Salimans and others, 2017): each step changes all numbers at random, plays
the change with both signs in the same deals and at the same seats, and goes along the mean of the changes, each times
the difference of the two. Numbers that make the temper of a style are held.
"""

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

from bloodrage_agents.compiled.tuning import play_tables
from bloodrage_agents.compiled.weights import COLUMN, NUM_COLUMNS, NUM_WEIGHTS, STYLES, TABLE, Weight
from bloodrage_env import engine
from bloodrage_env.arguments import positive_number, whole_number
from bloodrage_env.core.chance import MAX_SEED
from bloodrage_env.engine import COPIES, MAX_DECISIONS, MAX_SEATS, STATE, CardSet

Reals = npt.NDArray[np.float64]

OPPONENTS = ("battle", "loki", "quest", "balanced")
BALANCED = STYLES.index("balanced")
ALIKE = 0.6  # share of the games whose other seats are all `balanced`; in the others each draws one of OPPONENTS
PLAYERS = (4, 4, 3, 4, 2)  # of the steps, in turns
MARGIN = 15.0  # glory: half of what a game counts is the win, half a logistic function of the lead over this
WEIGHT_SPREAD, LEAST_WEIGHT, CARD_SPREAD = 0.12, 0.5, 0.7  # standard deviations of the changes
NEVER_TUNED = (Weight.NOISE, Weight.PASS)
SHARES = (Weight.JOIN, Weight.SUPPORT, Weight.HOLD, Weight.GUESS)  # probabilities and the like: 1 at most
DEALT = COPIES[CardSet.BASE, max(PLAYERS)].sum(axis=0) > 0  # bool[NUM_CARDS]: a card of the games that are played


@dataclass
class Search:
    """The numbers that are looked for, float64[NUM_COLUMNS], and how far each step goes."""

    row: Reals
    spread: Reals  # 0 for what is held
    pairs: int
    deals: int  # for each pair
    rng: np.random.Generator
    mean: Reals = field(init=False)  # of the last rows, which blurs less than the last one
    gradient: Reals = field(default_factory=lambda: np.zeros(NUM_COLUMNS))
    square: float = 0.0
    steps: int = 0

    def __post_init__(self) -> None:
        self.mean = self.row.copy()

    def step(self, rate: float) -> float:
        """Play every change and go on by so many spreads; returns the mean worth of a game, 0 to 1."""
        changes = self.rng.standard_normal((self.pairs, NUM_COLUMNS))
        far = self.spread * changes
        table = np.concatenate([TABLE, limited(self.row + far), limited(self.row - far)])
        players = PLAYERS[self.steps % len(PLAYERS)]
        worth = played(table.astype(np.float32), self.pairs, self.deals, players, self.rng)
        self.steps += 1
        found = ((worth[0] - worth[1])[:, None] * changes).mean(0) / 2
        self.gradient = 0.9 * self.gradient + 0.1 * found
        self.square = 0.98 * self.square + 0.02 * float((found**2).mean())
        unbiased = self.gradient / (1 - 0.9**self.steps)
        scale = np.sqrt(self.square / (1 - 0.98**self.steps)) + 1e-12
        self.row = limited(self.row + rate * self.spread * unbiased / scale)
        keep = 0.97 if self.steps > 20 else 0.0
        self.mean = keep * self.mean + (1 - keep) * self.row
        return float(worth.mean())


def played(
    table: npt.NDArray[np.float32], pairs: int, deals: int, players: int, rng: np.random.Generator
) -> npt.NDArray[np.float64]:
    """float64[2, pairs]: what a game is worth on average with each change, its sign plus and minus.

    The changed rows stand behind those of the styles, first all with plus. Both signs have the same deals and seats.
    """
    games = pairs * deals
    states = np.zeros(2 * games, STATE)
    for game, seed in enumerate(rng.integers(2**59, size=games).tolist()):
        engine.reset(states, game, seed, players, False, True, 0)
    states[games:] = states[:games]
    others = rng.choice([STYLES.index(name) for name in OPPONENTS], size=(games, MAX_SEATS))
    others[rng.random(games) < ALIKE] = BALANCED
    rows = np.concatenate([others, others])
    everything = np.arange(2 * games)
    seats = everything % games % players
    rows[everything, seats] = len(STYLES) + everything // deals
    play_tables(states, table, rows, np.tile(rng.integers(2**59, size=games), 2), MAX_DECISIONS)
    scores = np.array([engine.scores(states, game)[:players] for game in everything.tolist()], np.float64)
    own = scores[everything, seats]
    scores[everything, seats] = -np.inf
    lead = own - scores.max(1)
    worth = (0.5 * (np.sign(lead) + 1) + 1 / (1 + np.exp(-lead / MARGIN))) / 2
    return np.asarray(worth.reshape(2, pairs, deals).mean(2))


def limited(rows: Reals) -> Reals:
    """Rows with what is a share brought to 0 to 1."""
    rows = rows.copy()
    rows[..., SHARES] = rows[..., SHARES].clip(0.0, 1.0)
    return rows


def spreads(row: Reals, held: Sequence[Weight]) -> Reals:
    """float64[NUM_COLUMNS]: the standard deviation of the changes of each number."""
    spread = np.full(NUM_COLUMNS, CARD_SPREAD)
    spread[:NUM_WEIGHTS] = WEIGHT_SPREAD * np.maximum(LEAST_WEIGHT, np.abs(row[:NUM_WEIGHTS]))
    spread[[*NEVER_TUNED, *held]] = 0.0
    spread[NUM_WEIGHTS:][~DEALT] = 0.0
    spread[:NUM_WEIGHTS][(row[:NUM_WEIGHTS] == 0.0) & (TABLE[BALANCED, :NUM_WEIGHTS] == 0.0)] = 0.0  # of other tempers
    return spread


def told(row: Reals, style: str) -> str:
    """A column of `styles.csv`: a line for each weight and each card of the base game."""
    named = [(name, column) for name, column in COLUMN.items() if column < NUM_WEIGHTS or DEALT[column - NUM_WEIGHTS]]
    return "\n".join([f"name,{style}", *(f"{name},{row[column]:.2f}" for name, column in named), ""])


def held_weight(text: str) -> tuple[Weight, float]:
    """`HUNT=1.0` as a weight and its value. Raises ArgumentTypeError for another text."""
    name, _, value = text.partition("=")
    if name not in Weight.__members__:
        raise argparse.ArgumentTypeError(f"there is no weight {name!r}; there are {', '.join(Weight.__members__)}")
    try:
        return Weight[name], float(value)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not written as {name}=number") from None


def main(arguments: Sequence[str] | None = None) -> None:
    """`python training/tune_style.py hunter.csv --start hunter --hold HUNT=4`."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("out", type=Path, help="a column of styles.csv, written after every step")
    parser.add_argument("--start", default="balanced", choices=STYLES, help="the style to begin with (balanced)")
    held = "weights that are not tuned"
    parser.add_argument("--hold", type=held_weight, nargs="*", default=[], metavar="WEIGHT=VALUE", help=held)
    parser.add_argument("--minutes", type=positive_number, default=20.0, metavar="N", help="how long (20)")
    number = whole_number(1, 10**4)
    parser.add_argument("--pairs", type=number, default=40, metavar="N", help="changes in a step (40)")
    parser.add_argument("--deals", type=number, default=12, metavar="N", help="of each change (12)")
    parser.add_argument("--seed", type=whole_number(0, MAX_SEED), default=1, metavar="N", help="of all chance (1)")
    given = parser.parse_args(arguments)
    row = TABLE[STYLES.index(given.start)].astype(np.float64)
    for weight, value in given.hold:
        row[weight] = value
    spread = spreads(row, [weight for weight, _ in given.hold])
    search = Search(row, spread, given.pairs, given.deals, np.random.default_rng(given.seed))
    began = time.monotonic()
    done = 0.0
    while done < 1:
        worth = search.step(0.15 * (1 - done) + 0.02)
        done = (time.monotonic() - began) / (60 * given.minutes)
        print(f"step {search.steps}: a game is worth {worth:.3f}", flush=True)
        given.out.write_text(told(search.mean, given.out.stem), encoding="utf-8")


if __name__ == "__main__":
    main()
