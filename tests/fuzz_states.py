"""Damaged records: bits, bytes and whole numbers of games under way are changed, and what is not refused is played on.

`python tests/fuzz_states.py GAME SEED RECORDS` prints a line of JSON. Run it in a process of its own, since what reads
beyond a record may end it; with NUMBA_BOUNDSCHECK=1 each such read is an IndexError.
"""

import contextlib
import json
import random
import sys
from collections import Counter
from importlib import import_module
from typing import Any

import numpy as np
from random_play import keen_action

from bloodrage_env import games
from bloodrage_env.core.engine.record import bounds

GAME = games.game(sys.argv[1])
ENGINE = import_module(f"bloodrage_env.games.{GAME.name}.engine")
BOUNDS = bounds(import_module(f"{ENGINE.__name__}.state").GROUPS)
NAMES = GAME.state.names or ()
# Printed cards have no Vanguard; of the modes neither asks who is First. For Laar no card stays face down, nothing
# poisons a squad, there is one target alone, and few Gully Gnomes live to strike it.
NOT_ASKED = {
    "berserk": {"VANGUARD"},
    "berserk_team": {"VANGUARD", "SEAT"},
    "berserk_laar": {"VANGUARD", "SEAT", "HIDE", "HEAL_FIRST", "AGAIN", "CLOSE_OR_WOUND"},
}
QUESTIONS = {int(each) for each in ENGINE.Decision if each.name not in NOT_ASKED.get(GAME.name, ())}

DECISIONS = 400  # played on with each record that passes
STRIDE = 10  # decisions between two checks
MOST_OF_A_KIND = 40  # records with the same question
ENOUGH = 500  # records, once all questions are among them


def games_of_all_kinds(seed: int) -> Any:
    """Records with every question, none much oftener than the others, and of games that are over."""
    kept: Counter[int] = Counter()
    records = []
    for number in range(1000 * seed, 1000 * seed + 1000):
        if kept.keys() >= QUESTIONS and len(records) > ENOUGH:
            break
        rng = np.random.default_rng(number)
        states = GAME.new_game(number, GAME.options.drawn(random.Random(number), {}))
        while True:
            decision = int(states[0].decision)
            if kept[decision] < MOST_OF_A_KIND and (not kept[decision] or rng.random() < 0.2):
                kept[decision] += 1
                records.append(GAME.play.clone(states, 0))
            if GAME.play.is_over(states, 0):
                break
            GAME.play.apply(states, 0, choose(states, rng))
    assert kept.keys() >= QUESTIONS
    return np.concatenate(records)


def choose(states: Any, rng: np.random.Generator) -> int:
    """A legal action: fights and cards of Blood Rage are likelier, turns of Berserk are long."""
    if GAME.name == games.FIRST:
        return keen_action(states, rng)
    legal = states[0].mask.nonzero()[0]
    return int(rng.choice(legal[1:] if len(legal) > 1 and legal[0] == ENGINE.DONE and rng.random() < 0.9 else legal))


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
            name = NAMES[rng.integers(len(NAMES))]
            field = states[name].reshape(-1)
            place = rng.integers(len(field))
            if way == 2:
                low, high = (int(bound[name].reshape(-1)[place]) for bound in BOUNDS)
                field[place] = rng.integers(low, high, endpoint=True)
            else:
                field[place] = others[name][rng.integers(len(others))].reshape(-1)[place]


def use(states: Any, seed: int) -> None:
    """Look at a game from every seat, hide and redeal it, and play it on; every invariant holds afterwards."""
    vector = np.zeros(GAME.observation_size, np.float32)
    for _ in range(2):
        for seat in range(int(states[0].num_players)):
            GAME.observe.observe(states, 0, seat, vector)
            GAME.hide(states, 0, seat)
            with contextlib.suppress(RuntimeError):  # no deal fits what this seat has seen
                GAME.redeal(states, 0, seat, seed)
        for _ in range(DECISIONS // STRIDE):
            GAME.play.play_random(states, 0, seed, STRIDE)
            GAME.check_state(states, 0)


def main(seed: int, records: int) -> dict[str, int]:
    """Damage so many records, and count those that are refused and those that are played on."""
    rng = np.random.default_rng(seed)
    kinds = games_of_all_kinds(seed)
    output: Counter[str] = Counter()
    for number in range(records):
        states = GAME.play.clone(kinds, int(rng.integers(len(kinds))))
        before = states.tobytes()
        damage(states, kinds, rng)
        if states.tobytes() == before:
            output["unchanged"] += 1
            continue
        try:
            GAME.check_state(states, 0)
        except ValueError:
            output["refused"] += 1
            continue
        output["played"] += 1
        kept = states.tobytes()
        try:
            use(states, int(rng.integers(2**62)))
        except Exception as error:
            output["failed"] += 1
            changed = [
                f"{name} {was.tolist()} -> {now.tolist()}"
                for name in NAMES
                for was, now in [(np.frombuffer(before, GAME.state)[name][0], np.frombuffer(kept, GAME.state)[name][0])]
                if not np.array_equal(was, now)
            ]
            print(
                f"{number}: {type(error).__name__}: {error}: {'; '.join(changed)[:1500]}", file=sys.stderr, flush=True
            )
    return dict(output)


if __name__ == "__main__":
    print(json.dumps(main(int(sys.argv[2]), int(sys.argv[3]))))
