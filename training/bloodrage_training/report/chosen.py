"""Chooses games of a tournament for its report: the closest game and the greatest upset of each agent, and forfeits.

Games are chosen while they are iterated; only their ids are kept.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from ..tournament.ratings import Ratings
from ..tournament.records import StoredGame

MAX_CHOSEN: Final = 24  # games in a page, at some 70 KB each
MAX_FORFEITS: Final = 8  # of these


@dataclass(frozen=True)
class Choice:
    """A game and the reason for its choice: "closest game", "greatest upset" or "forfeit" of an agent."""

    game: str  # id
    agent: str
    kind: str
    why: str  # in words


@dataclass
class Candidates:
    """The candidates among the games counted so far. Of equal games, the earlier one is kept."""

    closest: dict[str, tuple[int, int, str]] = field(default_factory=dict)  # of an agent: margin, -decisions, game
    before: dict[tuple[str, str], tuple[int, str]] = field(default_factory=dict)  # one ahead of another: by how much
    forfeits: list[tuple[str, str, str]] = field(default_factory=list)  # agent, reason, game

    def add(self, game: StoredGame) -> None:
        """Consider a game."""
        if game.forfeit_seat is not None:
            if len(self.forfeits) < MAX_FORFEITS:
                reason = game.forfeit_reason or "no reason given"
                self.forfeits.append((game.line_up[game.forfeit_seat], reason, game.id))
            return
        sides = game.sides
        for seat, agent in enumerate(game.line_up):
            others = [score for other, score in enumerate(game.scores) if (other - seat) % sides]
            found = (abs(game.scores[seat] - max(others)), -len(game.actions), game.id)
            if found[:2] < self.closest.get(agent, (found[0] + 1, 0, ""))[:2]:
                self.closest[agent] = found
            for other, loser in enumerate(game.line_up):
                lead = game.scores[seat] - game.scores[other]
                if loser != agent and lead > self.before.get((agent, loser), (0, ""))[0]:
                    self.before[agent, loser] = lead, game.id

    def chosen(self, ratings: Ratings) -> list[Choice]:
        """Return the games to show: forfeits, then those of each agent, the strongest first; at most `MAX_CHOSEN`."""
        found = [Choice(game, agent, "forfeit", reason) for agent, reason, game in self.forfeits]
        for n in ratings.order:
            for choice in (self._closest(ratings.names[n]), self._upset(ratings, n)):
                games = {each.game for each in found}
                if choice is not None and (choice.game in games or len(games) < MAX_CHOSEN):
                    found.append(choice)
        return found

    def _closest(self, agent: str) -> Choice | None:
        if agent not in self.closest:
            return None
        margin, decisions, game = self.closest[agent]
        why = f"{_points(margin)} between it and the best other, in {-decisions} decisions"
        return Choice(game, agent, "closest game", why)

    def _upset(self, ratings: Ratings, agent: int) -> Choice | None:
        """Return a game that two agents ended against their ratings, with the widest difference of these."""
        worst: tuple[float, str, str] | None = None
        for other in ratings.order:
            weak, strong = sorted((agent, other), key=lambda n: float(ratings.elo[n]))
            gap = float(ratings.elo[strong] - ratings.elo[weak])
            found = self.before.get((ratings.names[weak], ratings.names[strong]))
            if found is not None and gap > 0 and (worst is None or gap > worst[0]):
                worst = gap, found[1], f"{ratings.names[weak]} {_points(found[0])} ahead of {ratings.names[strong]}"
        return None if worst is None else Choice(worst[1], ratings.names[agent], "greatest upset", worst[2])


def _points(number: int) -> str:
    return f"{number} point{'' if number == 1 else 's'}"


def of_agent(choices: Sequence[Choice], agent: str) -> list[Choice]:
    """Return the choices of an agent that are not forfeits."""
    return [each for each in choices if each.agent == agent and each.kind != "forfeit"]
