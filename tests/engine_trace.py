"""Games as numbers, to compare one way of running the engine with another (`test_plain_python.py`).

`python engine_trace.py trace` prints them as JSON; `python engine_trace.py checked` plays many games, looks at
every invariant, and redeals and observes them for all seats.
"""

import json
import sys
import zlib
from typing import Any

import numpy as np
from numba.core import config
from random_play import keen_action, options_of

from bloodrage_env import games
from bloodrage_env.core.compile.building import entries
from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine.invariants import broken_invariant, play_checked
from bloodrage_env.games.bloodrage.observation import OBSERVATION_SIZE, observe
from bloodrage_env.games.bloodrage.options import Options
from bloodrage_env.vector import VectorGames

SEEDS = (0, 1, 2, 9, 11, 12)  # two to four players, first games and not, forced questions asked and not
LOOKS = 31  # decisions between two observations and redeals for all seats


def digest(states: Any) -> int:
    """A checksum of all fields of a game, padding left out."""
    check = 0
    for name in engine.STATE.names or ():
        check = zlib.crc32(np.ascontiguousarray(states[0][name]).tobytes(), check)
    return check


def look(states: Any, number: int) -> list[int]:
    """Checksums of what each seat sees, and of a redeal for it."""
    checks = []
    vector = np.zeros(OBSERVATION_SIZE, np.float32)
    for seat in range(int(states[0].num_players)):
        observe(states, 0, seat, vector)
        checks += [zlib.crc32(vector.tobytes()), digest(engine.redeal(states, 0, seat, number))]
    return checks


def trace(seed: int) -> list[list[int]]:
    """A keenly played game: for each decision the action, the checksum of the state, now and then what seats see."""
    states = engine.new_game(seed, *options_of(seed).numbers())
    rng = np.random.default_rng(seed)
    rows = [[-1, digest(states), *look(states, seed)]]
    while not engine.is_over(states, 0):
        action = keen_action(states, rng)
        result = int(engine.apply(states, 0, action))
        rows.append([action, result, digest(states)])
        if len(rows) % LOOKS == 0 or engine.is_over(states, 0):
            rows[-1] += look(states, len(rows))
    rows.append([int(n) for n in engine.scores(states, 0)])
    return rows


def trace_vector() -> list[list[int]]:
    """A few steps of games side by side."""
    batch = VectorGames(3, [2, 3, 4], first_game=True, seed=3)
    batch.reset()
    rows = []
    for _ in range(12):
        actions = [int(mask.argmax()) for mask in batch.masks]
        batch.step(actions)
        rows.append([*actions, *batch.seats.tolist(), zlib.crc32(batch.observations.tobytes())])
    return rows


def traces() -> list[list[list[int]]]:
    """All games, and at last the ones side by side."""
    return [*(trace(seed) for seed in SEEDS), trace_vector()]


def check() -> None:
    """Play many games; IndexError where compiled with bounds checks, AssertionError for a violated invariant."""
    for players in (2, 3, 4):
        for first_game, skip_forced in ((False, True), (True, False)):
            tally = np.zeros(4, np.int64)
            options = np.array(Options(players, first_game, skip_forced).numbers())
            assert play_checked(np.zeros(1, engine.STATE), 0, 100, options, tally) == -1
    for seed in range(72):
        states = engine.new_game(seed, *options_of(seed).numbers())
        rng = np.random.default_rng(seed)
        while not engine.is_over(states, 0):
            engine.apply(states, 0, keen_action(states, rng))
            assert broken_invariant(states, 0) == 0
            if rng.random() < 0.1:
                look(states, seed)
    trace_vector()


# All else that is compiled would take most of the time.
CALLED = {"apply", "begin_games", "broken_invariant", "first_illegal", "is_over", "new_game", "observe", "play_checked"}
CALLED |= {"redeal", "scores", "step_games"}


def leave_out(names: set[str]) -> None:
    """Have no entries of these names compiled, nor any that is not called here."""
    assert games.game("bloodrage").batch.step_games  # its entries are known from here on
    kept = [each for each in entries if each.is_shared or each.py_func.__name__ in CALLED - names]
    assert len([each for each in kept if not each.is_shared]) == len(CALLED - names)
    entries[:] = kept


if __name__ == "__main__":
    if not config.DISABLE_JIT:
        leave_out({"broken_invariant", "play_checked"} if sys.argv[1] == "trace" else set())
    if sys.argv[1] == "trace":
        print(json.dumps(traces()))
    else:
        check()
        print("checked")
