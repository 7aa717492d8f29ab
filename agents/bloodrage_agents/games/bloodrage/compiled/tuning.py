"""Games between any rows of weights, for tuning and for measuring styles. See docs/agents/styles.md."""

import numpy as np

from bloodrage_env.core.compile.apart import apart
from bloodrage_env.core.compile.decorators import Floats2, Ints, Ints2, entry
from bloodrage_env.core.compile.local_arrays import local_zeros
from bloodrage_env.core.engine.chance import NUM_WORDS, seed_words
from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine import MAX_SEATS, NUM_ACTIONS, STATE, States, check_count

from ....styles import STREAM
from .heuristics import best_of, score_with
from .plan import PLAN
from .weights import NUM_COLUMNS, Weight


@entry
def play_tables(states: States, table: Floats2, rows: Ints2, seeds: Ints, max_decisions: int) -> None:
    """Play each game on for `max_decisions` decisions or to its end. Each seat plays by a row of a table of styles.

    `table` is float32[T, NUM_COLUMNS], `rows` int64[N, MAX_SEATS] selects the row of each seat, and `seeds[i]` breaks
    the ties of game i. Raise ValueError for other shapes and unknown rows.
    """
    if not apart((states, table, rows, seeds)):
        raise ValueError("states, table, rows and seeds must not share memory")
    check_count(max_decisions)
    if table.shape[1] != NUM_COLUMNS:
        raise ValueError("table must have NUM_COLUMNS columns")
    if rows.shape != (len(states), MAX_SEATS):
        raise ValueError("rows must have the shape (len(states), MAX_SEATS)")
    if len(seeds) != len(states):
        raise ValueError("seeds must be as many as states")
    for game in rows:
        for row in game:
            if row < 0 or row >= len(table):
                raise ValueError("rows must be those of the table")
    words = local_zeros(NUM_WORDS, np.int64)
    scratch = np.zeros(1, STATE)
    plans = np.zeros(1, PLAN)
    scores = np.zeros(NUM_ACTIONS, dtype=np.float32)
    for i in range(len(states)):
        s = states[i]
        seed_words(words, seeds[i], STREAM)
        for _ in range(max_decisions):
            if s.over == 1:
                break
            row = rows[i, s.seat]
            plans[0].weights[:] = table[row]
            score_with(s, scratch, plans, scores)
            engine.step(s, best_of(s, scores, float(table[row, Weight.NOISE]), words))
