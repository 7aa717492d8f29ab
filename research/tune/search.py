"""Tunes the constants of a tree search. The agent plays against itself with other constants."""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from bloodrage_agents import registry
from bloodrage_agents.ismcts import Ismcts
from bloodrage_agents.match import GameRecord, play_game
from bloodrage_agents.mcts.settings import PURPOSES, Setting, ignored
from bloodrage_env.core.engine.chance import MAX_SEED
from bloodrage_env.errors import UserError
from bloodrage_env.games.bloodrage.options import Options

from .spsa import DIGITS, Numbers, Reals

STEPS: Final[Mapping[str, float]] = {
    "exploration": 0.15,
    "first_play": 0.05,
    "sharpness": 0.1,
    "confidence": 0.4,
    "offset": 20.0,
    "noise": 0.2,
    "drafts": 0.15,
}  # of each constant that can be tuned: about as much as games can show


class Search:
    """Tunes an ismcts, starting with its constants for games of `players`.

    By default, all constants with an effect are tuned. Raises UserError for a spec of another agent, and for a constant
    that cannot be tuned or has no effect.
    """

    def __init__(
        self, spec: str, names: Sequence[str], held: Mapping[str, float], pairs: int, deals: int, players: int
    ) -> None:
        unknown = [name for name in (*names, *held) if name not in STEPS]
        if unknown:
            raise UserError(f"{unknown[0]} can't be tuned; there are {', '.join(STEPS)}")
        self.spec = with_constants(spec, held)
        self.pairs, self.deals = pairs, deals
        agent = registry.make(self.spec)
        if not isinstance(agent, Ismcts):
            raise UserError(f"{spec} has no constants to tune; ismcts has")
        agent.prepare(players)
        idle = ignored(agent.network is not None, agent.settings[Setting.CANDIDATES])
        for name in (*names, *held):
            if Setting[name.upper()] in idle:
                said = PURPOSES[Setting[name.upper()]]
                raise UserError(f"{name} has no effect in {self.spec}: it is for {said}; leave it out")
        tuned = [name for name in names or STEPS if name not in held and Setting[name.upper()] not in idle]
        arguments = {each.name: each for each in registry.table()["ismcts"].arguments}
        self.numbers = Numbers(
            tuple(tuned),
            np.array([agent.settings[Setting[name.upper()]] for name in tuned]),
            np.array([STEPS[name] for name in tuned]),
            np.array([arguments[name].low for name in tuned], np.float64),
            np.array([arguments[name].high for name in tuned], np.float64),
        )

    def play(self, up: Reals, down: Reals, players: int, rng: np.random.Generator) -> Reals:
        """Play games of each pair in which every second seat is moved up, and each deal again with exchanged seats."""
        ahead = np.zeros(len(up))
        for pair, specs in enumerate(zip(map(self.as_text, up), map(self.as_text, down), strict=True)):
            for seed in rng.integers(MAX_SEED, size=self.deals).tolist():
                for first in range(2):
                    moved = [(seat + first) % 2 == 0 for seat in range(players)]
                    agents = [registry.make(specs[0 if each else 1]) for each in moved]
                    ahead[pair] += lead(play_game(agents, seed, Options(players), range(players)), moved)
        return ahead / (2 * self.deals)

    def as_text(self, values: Reals) -> str:
        """Return the spec with these constants."""
        return with_constants(self.spec, dict(zip(self.numbers.names, values.tolist(), strict=True)))


def with_constants(spec: str, constants: Mapping[str, float]) -> str:
    """Return a spec with these arguments in place of its own."""
    name, _, rest = registry.canonical(spec).partition(":")
    kept = [each for each in rest.split(",") if each and each.partition("=")[0] not in constants]
    arguments = [*kept, *(f"{constant}={value:.{DIGITS}f}" for constant, value in constants.items())]
    return f"{name}:{','.join(arguments)}" if arguments else name


def lead(game: GameRecord, moved: Sequence[bool]) -> float:
    """Return the share of the victory of the seats that are `moved`, minus that of the others. Raise UserError for a
    forfeit.
    """
    if game.forfeit_reason is not None:
        raise UserError(f"an agent forfeited: {game.forfeit_reason}")
    winners = [each for each, score in zip(moved, game.scores, strict=True) if score == max(game.scores)]
    return 2 * sum(winners) / len(winners) - 1
