"""`bloodrage check`: plays random games with any options and checks every state."""

import argparse
import random
import sys

import numpy as np

from .. import as_data, games
from ..arguments import OPTIONS, add_game, whole_number
from ..core.compile.decorators import Records
from ..core.engine.chance import MAX_SEED
from ..core.engine.game import Game
from ..core.engine.options import GameOptions
from ..errors import UserError
from ..terminal.progress import Progress

CHUNK = 20  # games with the same options
CHECKED = 0.1  # of the positions of one of them have their redeals checked


def add_arguments(parser: argparse.ArgumentParser, game: str) -> None:
    """Add the options."""
    add_game(parser, game)
    parser.add_argument(
        "--games", type=whole_number(1, 10**9), default=10_000, metavar="N", help="number of games (10000)"
    )
    OPTIONS.add(parser, "--seed", type=whole_number(0, 2**62), default=0, help="seed of the first game (0)")
    OPTIONS.add(parser, "--json")
    drawn = parser.add_argument_group(
        "options of the games", "options that are not given are drawn at random every few games"
    )
    games.game(game).options.add_arguments(drawn, given_only=True)


def run(args: argparse.Namespace) -> int:
    """Play `--games` games and print the totals. Options that are not given are drawn from the seeds of the games."""
    progress = Progress(sys.stderr, args.games)
    game = games.game(args.game)
    given = {name: getattr(args, name) for name in game.options.facts() if hasattr(args, name)}
    totals, players = np.zeros(4, dtype=np.int64), set()
    states = np.zeros(1, game.state)
    for done in range(0, args.games, CHUNK):
        count = min(CHUNK, args.games - done)
        first = args.seed + done
        tally = np.zeros(4, dtype=np.int64)
        options = game.options.drawn(random.Random(first), given)
        players.add(options.num_players)
        seed = game.play_checked(states, first, count, options.numbers(), tally)
        if seed >= 0:
            raise UserError(f"{_fault(game, states)}, with {options}, seed {seed}, decision {states[0].decisions}")
        check_redeals(game, first, options)
        totals[[0, 3]] += tally[[0, 3]]
        totals[2] = max(totals[2], tally[2])
        progress.update(done + count)
    progress.end()
    if args.json:
        row = {"games": args.games, "players": sorted(players), "decisions": int(totals[0])}
        print(as_data.text([{**row, "deepest_stack": int(totals[2]), "cut_off": int(totals[3])}]))
        return 0
    seats = str(min(players)) if len(players) == 1 else f"{min(players)} to {max(players)}"
    print(
        f"{args.games:,} random games with {seats} players, {totals[0]:,} decisions: every number in its range, "
        f"no invariant violated; deepest stack {totals[2]}, games cut off {totals[3]}"
    )
    return 0


def check_redeals(game: Game, seed: int, options: GameOptions) -> None:
    """Play a random game, and check in some positions what each seat may know, and redeals of it.

    Raise UserError for a redeal that is not a game, that the seat can tell from the true one, or that depends on more
    than what it may know.
    """
    rng, states = np.random.default_rng(seed), game.new_game(seed, options)
    row, other = (np.empty(game.observation_size, np.uint8) for _ in range(2))
    while not game.play.is_over(states, 0):
        for seat in range(options.num_players) if rng.random() < CHECKED else ():
            view, drawn = game.hide(states, 0, seat), int(rng.integers(MAX_SEED))
            dealt = game.redeal(view, 0, seat, drawn)
            where = f"for seat {seat}, with {options}, seed {seed}, decision {states[0].decisions}"
            try:
                game.check_state(dealt, 0)
            except ValueError as error:
                raise UserError(f"a redeal of what hide leaves is not a game: {error}, {where}") from None
            if game.redeal(states, 0, seat, drawn) != dealt:
                raise UserError(f"redeal reads what hide blanks, {where}")
            if game.hide(dealt, 0, seat) != view:
                raise UserError(f"hide leaves what a redeal changes, {where}")
            for each in view, dealt:
                game.observe.observe_bytes(states, 0, seat, row)
                game.observe.observe_bytes(each, 0, seat, other)
                if (row != other).any():
                    raise UserError(f"hide or redeal changes what the seat observes, {where}")
        game.play.apply(states, 0, int(rng.choice(np.flatnonzero(states[0].mask))))


def _fault(game: Game, states: Records) -> str:
    """Describe the fault of a state."""
    try:
        game.check_state(states, 0)
    except ValueError as error:
        return str(error)
    raise AssertionError("a state that failed passes")
