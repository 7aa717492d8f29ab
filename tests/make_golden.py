"""Write the golden files anew: `python -m tests.make_golden`, from the root of the repository, after a rules change.

Look at the difference before you commit it: it is what the change does to games.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))  # the tests are not a package

import berserk_golden
from golden_text import FOLDER, SIGNATURES, Options, game_text
from random_play import GODS, MYSTICS, keen_action

from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine.signature import behaviour_signature

GAMES = {
    "two_players": Options(2, 19),
    "three_players": Options(3, 5),
    "four_players": Options(4, 10),
    "first_game_all_questions": Options(2, 51, first_game=True, skip_forced=False),
    "mystics": Options(2, 214, sets=MYSTICS),
    "gods": Options(3, 1, sets=GODS),
}


def keen_actions(options: Options) -> Iterator[int]:
    """Play the game on the side; the same chances whenever this is run."""
    rng = np.random.default_rng(options.seed)
    players, seed, *others = options
    states = engine.new_game(seed, players, *others)
    while not engine.is_over(states, 0):
        action = keen_action(states, rng)
        engine.apply(states, 0, action)
        yield action


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, options in GAMES.items():
        lines = game_text(options, keen_actions(options))
        (FOLDER / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    for name, sets in SIGNATURES.items():
        (FOLDER / f"{name}.txt").write_text(behaviour_signature(sets=sets) + "\n", encoding="utf-8")
    folder = berserk_golden.FOLDER
    folder.mkdir(exist_ok=True)
    for name, (seed, berserk_options) in berserk_golden.GAMES.items():
        (folder / f"{name}.txt").write_text(berserk_golden.game_text(seed, berserk_options), encoding="utf-8")
    for game, file in berserk_golden.FILES.items():
        (folder / file).write_text(berserk_golden.signature(game) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
