"""Damaged records: bits, bytes and whole numbers of games under way are changed, and what is not refused is played on.

`python tests/fuzz_states.py SEED RECORDS` prints a line of JSON. Run it in a process of its own, since what reads
beyond a record may end it; with NUMBA_BOUNDSCHECK=1 each such read is an IndexError.
"""

import contextlib
import json
import sys
from collections import Counter
from typing import Any

import numpy as np
from random_play import games_in_the_middle

from bloodrage_env import engine
from bloodrage_env.engine.ids import Decision
from bloodrage_env.engine.invariants import Invariant, broken_invariant, check_state
from bloodrage_env.engine.ranges import RANGES
from bloodrage_env.observation import OBSERVATION_SIZE, observe

DECISIONS = 400  # played on with each record that passes
MOST_OF_A_KIND = 40  # records with the same question
ENOUGH = 500  # records, once all questions are among them


def games_of_all_kinds(seed: int) -> Any:
    """Records with every question, none much oftener than the others, and of games that are over."""
    kept: Counter[int] = Counter()
    records = []
    for _, states, rng in games_in_the_middle(range(1000 * seed, 1000 * seed + 1000), share=1.0):
        if len(kept) == len(Decision) and len(records) > ENOUGH:
            break
        decision = int(states[0].decision)
        if kept[decision] < MOST_OF_A_KIND and (decision > Decision.ACTION or rng.random() < 0.02):
            kept[decision] += 1
            records.append(engine.clone(states, 0))
    assert set(kept) == set(Decision)
    return np.concatenate(records)


def damage(states: Any, others: Any, rng: np.random.Generator) -> None:
    """Change one to three things: a bit, a byte, a number to another in its range, or to what it is in another game."""
    content = states.view(np.uint8)
    for _ in range(rng.integers(1, 4)):
        way = rng.integers(4)
        if way == 0:
            content[rng.integers(len(content))] ^= np.uint8(1 << rng.integers(8))
        elif way == 1:
            content[rng.integers(len(content))] = rng.integers(256)
        else:
            name = engine.STATE.names[rng.integers(len(engine.STATE.names))]
            field = states[name].reshape(-1)
            place = rng.integers(len(field))
            if way == 2:
                low, high = RANGES[name]
                field[place] = rng.integers(low, high, endpoint=True)
            else:
                field[place] = others[name][rng.integers(len(others))].reshape(-1)[place]


def use(states: Any, seed: int) -> None:
    """Look at a game from every seat, hide and redeal it, and play it on; every invariant holds afterwards."""
    vector = np.zeros(OBSERVATION_SIZE, np.float32)
    for _ in range(2):
        for seat in range(int(states[0].num_players)):
            observe(states, 0, seat, vector)
            engine.hide(states, 0, seat)
            with contextlib.suppress(RuntimeError):  # no deal fits what this seat has seen
                engine.redeal(states, 0, seat, seed)
        engine.play_random(states, 0, seed, DECISIONS)
    invariant = Invariant(broken_invariant(states, 0))
    assert invariant == Invariant.NONE, invariant.name


def main(seed: int, records: int) -> dict[str, int]:
    """Damage so many records, and count those that are refused and those that are played on."""
    rng = np.random.default_rng(seed)
    games = games_of_all_kinds(seed)
    told: Counter[str] = Counter()
    for number in range(records):
        states = engine.clone(games, int(rng.integers(len(games))))
        before = states.tobytes()
        damage(states, games, rng)
        if states.tobytes() == before:
            told["unchanged"] += 1
            continue
        try:
            check_state(states, 0)
        except ValueError:
            told["refused"] += 1
            continue
        told["played"] += 1
        kept = states.tobytes()
        try:
            use(states, int(rng.integers(2**62)))
        except Exception as error:
            told["failed"] += 1
            changed = [
                f"{name} {was.tolist()} -> {now.tolist()}"
                for name in engine.STATE.names
                for was, now in [
                    (np.frombuffer(before, engine.STATE)[name][0], np.frombuffer(kept, engine.STATE)[name][0])
                ]
                if not np.array_equal(was, now)
            ]
            print(
                f"{number}: {type(error).__name__}: {error}: {'; '.join(changed)[:1500]}", file=sys.stderr, flush=True
            )
    return dict(told)


if __name__ == "__main__":
    print(json.dumps(main(int(sys.argv[1]), int(sys.argv[2]))))
