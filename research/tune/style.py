"""Tunes the weights and card values of a style. docs/agents/styles.md describes how the shipped ones were found."""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from bloodrage_agents.games.bloodrage.compiled.tuning import play_tables
from bloodrage_agents.games.bloodrage.compiled.weights import COLUMN, NUM_COLUMNS, NUM_WEIGHTS, STYLES, TABLE, Weight
from bloodrage_env.errors import UserError
from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine import COPIES, MAX_DECISIONS, MAX_SEATS, STATE, CardSet

from .spsa import Numbers, Reals

OPPONENTS = ("battle", "loki", "quest", "balanced")
BALANCED = STYLES.index("balanced")
ALIKE = 0.6  # share of the games whose other seats are all `balanced`; in the others each draws one of OPPONENTS
MARGIN = 15.0  # glory: half of what a game counts is the win, half a logistic function of the lead over this
WEIGHT_STEP, LEAST_WEIGHT, CARD_STEP = 0.12, 0.5, 0.7  # a weight's part, at least that of so much; glory of a card
NEVER_TUNED = (Weight.NOISE, Weight.PASS)
SHARES = (Weight.JOIN, Weight.SUPPORT, Weight.HOLD, Weight.GUESS)  # probabilities and the like: 1 at most
DEALT = COPIES[CardSet.BASE, MAX_SEATS - 1].sum(axis=0) > 0  # bool[NUM_CARDS]: a card of the games that are played
MOST: Final = 1000.0  # of any number, either way


class Style:
    """Tunes a row of the table of styles. Each change plays a seat against other styles.

    Weights in `held` keep these values, which characterise the style. Raises UserError for a name that is not in the
    table.
    """

    def __init__(self, name: str, names: Sequence[str], held: Mapping[str, float], pairs: int, deals: int) -> None:
        unknown = [each for each in (*names, *held) if each not in COLUMN]
        if unknown:
            raise UserError(f"a style has no weight or card {unknown[0]!r}; docs/agents/styles.md names them")
        self.name, self.pairs, self.deals = name, pairs, deals
        self.row = TABLE[STYLES.index(name)].astype(np.float64)
        for each, value in held.items():
            self.row[COLUMN[each]] = value
        steps = steps_of(self.row)
        tuned = [each for each in names or COLUMN if steps[COLUMN[each]] > 0 and each not in held]
        self.columns = np.array([COLUMN[each] for each in tuned], np.int64)
        shares = np.isin(self.columns, SHARES)
        self.numbers = Numbers(
            tuple(tuned),
            self.row[self.columns],
            steps[self.columns],
            np.where(shares, 0.0, -MOST),
            np.where(shares, 1.0, MOST),
        )

    def play(self, up: Reals, down: Reals, players: int, rng: np.random.Generator) -> Reals:
        """Play each change in different games, both directions in the same deals and at the same seats."""
        worth = self.worth(np.concatenate([self.rows(up), self.rows(down)]), len(up) * self.deals, players, rng)
        return np.asarray(worth[0] - worth[1])

    def rows(self, values: Reals) -> Reals:
        """Return float64[P, NUM_COLUMNS], rows of the table with these numbers."""
        rows = np.tile(self.row, (len(values), 1))
        rows[:, self.columns] = values
        return rows

    def worth(self, rows: Reals, games: int, players: int, rng: np.random.Generator) -> Reals:
        """Return float64[2, P]: the mean worth of a game for each row, 0 to 1. Both halves play the same games."""
        states = np.zeros(2 * games, STATE)
        for game, seed in enumerate(rng.integers(2**59, size=games).tolist()):
            engine.reset(states, game, seed, np.array((players, False, True, 0)))
        states[games:] = states[:games]
        others = rng.choice([STYLES.index(name) for name in OPPONENTS], size=(games, MAX_SEATS))
        others[rng.random(games) < ALIKE] = BALANCED
        played_by = np.concatenate([others, others])
        everything = np.arange(2 * games)
        seats = everything % games % players
        played_by[everything, seats] = len(STYLES) + everything // self.deals
        table = np.concatenate([TABLE, rows]).astype(np.float32)
        play_tables(states, table, played_by, np.tile(rng.integers(2**59, size=games), 2), MAX_DECISIONS)
        scores = np.array([engine.scores(states, game)[:players] for game in everything.tolist()], np.float64)
        own = scores[everything, seats]
        scores[everything, seats] = -np.inf
        lead = own - scores.max(1)
        worth = (0.5 * (np.sign(lead) + 1) + 1 / (1 + np.exp(-lead / MARGIN))) / 2
        return np.asarray(worth.reshape(2, len(rows) // 2, self.deals).mean(2))

    def as_text(self, values: Reals) -> str:
        """Return a column of `styles.csv`: a line for each weight and each card of the base game."""
        row = self.rows(values[None])[0]
        named = [(name, at) for name, at in COLUMN.items() if at < NUM_WEIGHTS or DEALT[at - NUM_WEIGHTS]]
        return "\n".join([f"name,{self.name}", *(f"{name},{row[at]:.2f}" for name, at in named)])


def steps_of(row: Reals) -> Reals:
    """Return float64[NUM_COLUMNS]: the step of each number, 0 if it is not tuned, as weights of other styles."""
    steps = np.full(NUM_COLUMNS, CARD_STEP)
    steps[:NUM_WEIGHTS] = WEIGHT_STEP * np.maximum(LEAST_WEIGHT, np.abs(row[:NUM_WEIGHTS]))
    steps[[*NEVER_TUNED]] = 0.0
    steps[NUM_WEIGHTS:][~DEALT] = 0.0
    steps[:NUM_WEIGHTS][(row[:NUM_WEIGHTS] == 0.0) & (TABLE[BALANCED, :NUM_WEIGHTS] == 0.0)] = 0.0
    return steps
