"""Makes the puzzles of a game: `python -m research.puzzles GAME FILE`.

A question of a game between agents is taken if two searches with other deals recommend the same answer, and at least
one agent of `AGENTS` finds an answer as good and at least one does not: its answer costs more than 5 % of the win
probability by more than two standard errors (`bloodrage_agents.review.priced`).
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from bloodrage_agents import registry
from bloodrage_agents.base import View, agent_rng, draw_seed
from bloodrage_agents.match import ask, reset
from bloodrage_agents.review import priced
from bloodrage_env import games
from bloodrage_env.core.api.replay import Replay
from bloodrage_env.core.compile.decorators import Records
from bloodrage_env.core.shown.puzzles import Position, save
from bloodrage_env.study import Judged

from ..command_line import OPTIONS, add_numbers

AGENTS: Final = {
    "bloodrage": ("balanced", "battle", "loki", "quest", "turtle", "network", "ismcts:simulations=100"),
    "berserk": ("rush", "hold", "network", "ismcts:simulations=100"),
}
AS_A_WHOLE: Final = ("berserk",)  # games whose page takes answers in secret together: they make no puzzles
PLAYERS: Final = ("balanced", "network")  # who plays the games, by seat in turn; in Berserk the network alone
SIMULATIONS: Final = 300  # of each of the two searches
CHANCE: Final = 0.07  # of a question to be looked at: those of one game have much in common
MOST_ANSWERS: Final = 24
SHARE: Final = 0.35  # of the puzzles that one kind of question may have


@dataclass(frozen=True)
class _Asked:
    """An open question."""

    game: str
    replay: Replay
    states: Records
    seat: int


def questions(game: str, seed: int) -> Iterator[_Asked]:
    """Yield questions of games between agents, in the usual options."""
    rng, play, secret = np.random.default_rng(seed), games.game(game).play, games.presentation(game).secret
    options: Any = games.options_from(game, skip_forced=False)
    names = [PLAYERS[seat % 2] if game == "bloodrage" else "network" for seat in range(options.num_players)]
    while True:
        recorder = games.recorder(options, int(rng.integers(1 << 62)), names)
        agents = [registry.make(name, game) for name in names]
        rngs = [agent_rng("puzzles", recorder.replay().seed, seat) for seat in range(len(names))]
        for seat, agent in enumerate(agents):
            reset(agent, seat, options)
        while not play.is_over(recorder.states, 0):
            seat = play.seat_to_act(recorder.states, 0)
            asks = 3 <= recorder.states[0].num_legal <= MOST_ANSWERS
            if asks and rng.random() < CHANCE and not (game in AS_A_WHOLE and secret(recorder.states)):
                yield _Asked(game, recorder.replay(), recorder.states, seat)
            recorder.apply(ask(agents[seat], recorder.states, 0, seat, rngs[seat], game))


def puzzle(asked: _Asked, analyst: Any) -> Position | None:
    """Return a question as a puzzle, or None if it makes none."""
    view, step = View.of(asked.states, 0, asked.seat, asked.game), len(asked.replay)
    seeds = [draw_seed(agent_rng("puzzles", asked.replay.seed, step, number)) for number in range(3)]
    answers = {}
    for spec in AGENTS[asked.game]:
        agent = registry.make(spec, asked.game)
        reset(agent, asked.seat, asked.replay.options)
        answers[spec] = ask(agent, asked.states, 0, asked.seat, agent_rng(seeds[2]), asked.game)
    if len({*answers.values()}) == 1:
        return None
    best, other = (analyst.analyse(view, seed, SIMULATIONS).best for seed in seeds[:2])
    if best != other or best not in answers.values():
        return None
    solves = {}
    for action in {*answers.values()}:
        judged = Judged(step, asked.seat, action, ())
        found = judged if action == best else priced(analyst, judged, view, best, seeds[2])
        solves[action] = found.better is None
        if not solves[action] and not found.costly:
            return None  # neither as good nor clearly worse
    solvers = {spec: solves[action] for spec, action in answers.items()}
    if all(solvers.values()):
        return None
    text = games.presentation(asked.game).decision_text(asked.states, 0)
    return Position(asked.replay.seed, asked.replay.options, asked.replay.actions, text, best, solvers)


def make(game: str, count: int, seed: int) -> Iterator[Position]:
    """Yield puzzles of a game, not too many of one kind of question."""
    analyst, kinds, found = games.study(game).analyst("network"), Counter[int](), 0
    for asked in questions(game, seed):
        kind = int(asked.states[0].decision)
        if kinds[kind] >= max(1, round(SHARE * count)):
            continue
        made = puzzle(asked, analyst)
        if made is None:
            continue
        kinds[kind] += 1
        found += 1
        yield made
        if found == count:
            return


def main(arguments: Sequence[str] | None = None) -> None:
    """Make puzzles and write them to a file, after each one."""
    parser = argparse.ArgumentParser(prog="python -m research.puzzles", description=main.__doc__)
    parser.add_argument("game", choices=sorted(AGENTS), help="the game")
    OPTIONS.add(parser, "out")
    add_numbers(parser, 1, 1000, puzzles=(40, "how many"))
    add_numbers(parser, 0, 2**31, seed=(5, "seed of the games"))
    given = parser.parse_args(arguments)
    made: list[Position] = []
    for each in make(given.game, given.puzzles, given.seed):
        made.append(each)
        save(given.out, tuple(made))
        print(f"{len(made)}: {each.about} ({sum(each.agents.values())} of {len(each.agents)})", file=sys.stderr)


if __name__ == "__main__":
    main()
