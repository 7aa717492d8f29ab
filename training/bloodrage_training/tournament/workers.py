"""Plays games of a tournament: the task of a worker, and its agents.

A worker receives a unit and sends each game back when it ends. Only the tournament writes the store, so a worker can
die at any time; its unit is then played again. A plug-in runs in a separate process, a new one for each game
(`bloodrage_agents.isolated`). The shipped agents keep no data between games.
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
from bloodrage_env.language.transcript import Talk, of_agents

from ..workers import leaving
from .plan import agent_seeds
from .records import Plan, PlannedGame, StoredGame, Unit


class Player:
    """Plays planned games. Plug-ins cannot read paths that begin with one of `hidden`, such as the store.

    Use it as a context manager, or call `close`.
    """

    def __init__(self, plan: Plan, hidden: Sequence[str] = ()) -> None:
        self._plan, self._hidden = plan, hidden
        self._agents: dict[tuple[str, int], AgentLike] = {}

    def __enter__(self) -> Self:
        """Return the player."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the player."""
        self.close()

    def close(self) -> None:
        """End the processes of plug-ins."""
        for agent in self._agents.values():
            if isinstance(agent, Isolated):
                agent.close()
        self._agents.clear()

    def play(self, game: PlannedGame) -> StoredGame:
        """Return a played game. Raise UserError if an agent cannot be made, or differs from that of the plan."""
        copies = [game.line_up[:seat].count(spec) for seat, spec in enumerate(game.line_up)]
        agents = [self._agent(spec, copy) for spec, copy in zip(game.line_up, copies, strict=True)]
        # The time limit is for plug-ins, which `Isolated` stops.
        went = play_game(agents, game.seed, game.options, agent_seeds(self._plan, game))
        talk = tuple(Talk.of(lines) if (lines := of_agents([agent])) else None for agent in agents)
        return StoredGame(
            game.id, game.deal, game.seating, game.seed, game.line_up, game.options, went.actions, went.scores,
            went.forfeit_seat, went.forfeit_reason, went.seconds, went.decisions, talk if any(talk) else (),
        )  # fmt: skip

    def _agent(self, spec: str, copy: int) -> AgentLike:
        """Return the agent for a seat. Agents of one spec at several seats are different objects."""
        if (spec, copy) not in self._agents:
            check_fingerprint(self._plan, spec)
            game, limit = self._plan.options.game, self._plan.seconds_a_decision
            trusted = registry.is_shipped(spec, game)
            self._agents[spec, copy] = (
                registry.make(spec, game) if trusted else Isolated(spec, limit, self._hidden, game)
            )
        return self._agents[spec, copy]


def check_fingerprint(plan: Plan, spec: str) -> None:
    """Raise UserError if the agent differs from that of the plan."""
    if registry.fingerprint(spec, plan.options.game) != plan.fingerprints[plan.agents.index(spec)]:
        raise UserError(f"agent {spec} has changed since the store was made: bring it back, or begin a new store")


def play_unit(plan: Plan, hidden: tuple[str, ...], unit: Unit) -> Iterator[StoredGame]:
    """The task of a worker: yields the games of a unit as they end. `hidden` as for `Player`."""
    player = player_of(plan, hidden)
    for game in unit.games:
        yield player.play(game)


@lru_cache(maxsize=1)  # a process carries out many tasks; agents are made once
def player_of(plan: Plan, hidden: tuple[str, ...]) -> Player:
    """Return the player of this process, which ends its plug-ins when the process exits."""
    if not all(registry.is_shipped(spec, plan.options.game) for spec in plan.agents):
        hide_memory()
    player = Player(plan, hidden)
    leaving.append(player.close)
    return player
