"""Who plays the games: the task of a worker, with agents of its own.

A worker is given a unit and sends every game back as it ends. The tournament alone writes the store, so that a worker
may die at any time; its unit is then played again. A plug-in runs in a process of its own, a new one for each game
(`bloodrage_agents.isolated`); the shipped agents keep nothing from one game to the next.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Self

from bloodrage_agents import registry
from bloodrage_agents.base import AgentLike
from bloodrage_agents.isolated import Isolated
from bloodrage_agents.match import play_game
from bloodrage_agents.sandbox import hide_memory
from bloodrage_env.errors import UserError

from ..workers import leaving
from .plan import agent_seeds
from .records import Plan, PlannedGame, StoredGame, Unit


class Player:
    """Plays planned games. Plug-ins can't read what lies at paths that begin with one of `hidden`: the store.

    A context manager, or `close` it.
    """

    def __init__(self, plan: Plan, hidden: Sequence[str] = ()) -> None:
        self._plan, self._hidden = plan, hidden
        self._agents: dict[tuple[str, int], AgentLike] = {}

    def __enter__(self) -> Self:
        """The player itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self.close()

    def close(self) -> None:
        """End the processes of plug-ins."""
        for agent in self._agents.values():
            if isinstance(agent, Isolated):
                agent.close()
        self._agents.clear()

    def play(self, game: PlannedGame) -> StoredGame:
        """Play a game. Raises UserError if an agent can't be made, or is another one here than in the plan."""
        copies = [game.line_up[:seat].count(spec) for seat, spec in enumerate(game.line_up)]
        agents = [self._agent(spec, copy) for spec, copy in zip(game.line_up, copies, strict=True)]
        # The time limit is for plug-ins, which `Isolated` stops.
        went = play_game(agents, game.seed, game.options, agent_seeds(self._plan, game))
        return StoredGame(
            game.id, game.deal, game.seating, game.seed, game.line_up, game.options, went.actions, went.scores,
            went.forfeit_seat, went.forfeit_reason, went.seconds, went.decisions,
        )  # fmt: skip

    def _agent(self, spec: str, copy: int) -> AgentLike:
        """The agent for a seat; agents of one spec at several seats are different objects."""
        if (spec, copy) not in self._agents:
            check_fingerprint(self._plan, spec)
            game, limit = self._plan.options.game, self._plan.seconds_a_decision
            trusted = registry.is_shipped(spec, game)
            self._agents[spec, copy] = (
                registry.make(spec, game) if trusted else Isolated(spec, limit, self._hidden, game)
            )
        return self._agents[spec, copy]


def check_fingerprint(plan: Plan, spec: str) -> None:
    """Raises UserError if the agent is not the one with which the plan was made."""
    if registry.fingerprint(spec, plan.options.game) != plan.fingerprints[plan.agents.index(spec)]:
        raise UserError(f"agent {spec} has changed since the store was made: bring it back, or begin a new store")


def play_unit(plan: Plan, hidden: tuple[str, ...], unit: Unit) -> Iterator[StoredGame]:
    """The task of a worker: the games of a unit, as they end. `hidden` as for `Player`."""
    player = player_of(plan, hidden)
    for game in unit.games:
        yield player.play(game)


@lru_cache(maxsize=1)  # a process carries out many tasks; agents are made once
def player_of(plan: Plan, hidden: tuple[str, ...]) -> Player:
    """The player of this process, which ends its plug-ins when the process leaves."""
    if not all(registry.is_shipped(spec, plan.options.game) for spec in plan.agents):
        hide_memory()
    player = Player(plan, hidden)
    leaving.append(player.close)
    return player
