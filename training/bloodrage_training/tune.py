"""Tune the constants of a search by play against itself: SPSA (Spall 1992), as in Stockfish's fishtest.

All constants are moved at once, up or down by their steps at random; the agent with these plays the one with the
opposite, and all constants move towards the winner. Of each deal there is a pair of games, in which the two agents
exchange their seats; the numbers of players take turns. With step c of a constant, iteration k from 0 and K of them,
a pair at each number of players, and y the part of the victories of the agent that was moved up, less that of the
other one (-1 to 1):

    moved by   +-c / (k + 1) ** 0.101
    constant  +-= RATE * c * y * (K / 10 + 1) ** 0.602 / (K / 10 + k + 1) ** 0.602

The log has a line of JSON for each iteration; a run goes on where its log ends.
"""

import argparse
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

import numpy as np

from bloodrage_agents import registry
from bloodrage_agents.ismcts import Ismcts
from bloodrage_agents.match import GameRecord, play_game
from bloodrage_agents.mcts.settings import Setting
from bloodrage_env.arguments import whole_number
from bloodrage_env.core.chance import MAX_SEED
from bloodrage_env.engine import MAX_SEATS, MIN_SEATS
from bloodrage_env.errors import UserError
from bloodrage_env.options import Options

STEPS: Final[Mapping[str, float]] = {
    "exploration": 0.15,
    "first_play": 0.05,
    "sharpness": 0.1,
    "confidence": 0.4,
    "offset": 20.0,
    "noise": 0.2,
}  # of each constant that can be tuned: about as much as games can show
RATE: Final = 0.5  # steps that a constant moves after a won iteration at first
NARROWING, SLOWING = 0.101, 0.602  # exponents that Spall recommends

Constants = dict[str, float]
Match = Callable[[Constants, Constants, int], float]


def iterate(constants: Constants, steps: Mapping[str, float], k: int, total: int, match: Match, seed: int) -> Constants:
    """The constants after iteration `k` of `total`; `match(up, down, k)` says how far `up` is ahead, -1 to 1."""
    rng = np.random.default_rng((seed, k))
    signs = {name: float(rng.choice((-1.0, 1.0))) for name in constants}
    reach = (k + 1) ** -NARROWING
    up = {name: bounded(name, value + signs[name] * steps[name] * reach) for name, value in constants.items()}
    down = {name: bounded(name, value - signs[name] * steps[name] * reach) for name, value in constants.items()}
    ahead = match(up, down, k)
    rate = RATE * ((total / 10 + 1) / (total / 10 + k + 1)) ** SLOWING
    return {name: bounded(name, value + rate * steps[name] * ahead * signs[name]) for name, value in constants.items()}


def bounded(name: str, value: float) -> float:
    """A value that the argument `name` of the search may have, to four places."""
    argument = next(each for each in registry.table()["ismcts"].arguments if each.name == name)
    return round(min(max(value, argument.low), argument.high), 4)


def with_constants(spec: str, constants: Constants) -> str:
    """A spec with these arguments."""
    rest = ",".join(f"{name}={value:.4f}" for name, value in constants.items())
    bare = registry.canonical(spec)
    return f"{bare}{':' if bare == registry.parse(spec).name else ','}{rest}"


def play_pairs(spec: str, seats: Sequence[int], up: Constants, down: Constants, seed: int) -> float:
    """How far `up` is ahead of `down`, -1 to 1: a pair of games on one deal for each number of players."""
    total = 0.0
    for players in seats:
        for first in range(2):
            moved = [(seat + first) % 2 == 0 for seat in range(players)]  # seats of `up`; of `down` in the other game
            agents = [registry.make(with_constants(spec, up if each else down)) for each in moved]
            total += lead(play_game(agents, seed, Options(players), range(players)), moved)
    return total / (2 * len(seats))


def lead(game: GameRecord, moved: Sequence[bool]) -> float:
    """The part of the victory of the seats that are `moved`, less that of the others. UserError for a forfeit."""
    if game.forfeit_reason is not None:
        raise UserError(f"an agent forfeited: {game.forfeit_reason}")
    winners = [each for each, score in zip(moved, game.scores, strict=True) if score == max(game.scores)]
    return 2 * sum(winners) / len(winners) - 1


def begin(spec: str, names: Sequence[str]) -> Constants:
    """The constants as the agent has them. UserError for another agent, or a constant that can't be tuned."""
    agent = registry.make(spec)
    if not isinstance(agent, Ismcts):
        raise UserError(f"{spec} has no constants to tune; ismcts has")
    unknown = [name for name in names if name not in STEPS]
    if unknown:
        raise UserError(f"{unknown[0]} can't be tuned; there are {', '.join(STEPS)}")
    return {name: float(agent.settings[Setting[name.upper()]]) for name in names}


def run(given: argparse.Namespace) -> None:
    """Play the iterations that the log doesn't have yet."""
    constants = begin(given.agent, given.constants)
    lines = given.log.read_text(encoding="utf-8").splitlines() if given.log.exists() else []
    if lines:
        last = json.loads(lines[-1])
        if set(last) != set(constants):
            raise UserError(f"{given.log} is of other constants; name another file with --log")
        constants = {name: float(last[name]) for name in constants}

    def match(up: Constants, down: Constants, k: int) -> float:
        return play_pairs(given.agent, given.seats, up, down, (given.seed + k) % MAX_SEED)

    for k in range(len(lines), given.iterations):
        constants = iterate(constants, STEPS, k, given.iterations, match, given.seed)
        with given.log.open("a", encoding="utf-8") as log:
            log.write(json.dumps(constants) + "\n")
    print(with_constants(given.agent, constants))


def main() -> None:
    """`python -m bloodrage_training.tune ismcts:path=shipped,simulations=100 confidence offset --log tuned.jsonl`."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("agent", metavar="SPEC", help="an ismcts")
    parser.add_argument("constants", nargs="+", metavar="NAME", help=", ".join(STEPS))
    parser.add_argument("--iterations", type=whole_number(1, 10**6), default=200, metavar="N", help="(200)")
    seats = "numbers of players, each with a pair of games in an iteration (2 3 4)"
    without_sets = list(range(MIN_SEATS, MAX_SEATS))
    parser.add_argument("--seats", type=int, choices=without_sets, nargs="+", default=without_sets, help=seats)
    parser.add_argument("--seed", type=whole_number(0, MAX_SEED), default=1, metavar="N", help="of deals and signs (1)")
    parser.add_argument("--log", type=Path, required=True, metavar="FILE", help="a line for each iteration")
    given = parser.parse_args()
    try:
        run(given)
    except (UserError, OSError, ValueError) as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
