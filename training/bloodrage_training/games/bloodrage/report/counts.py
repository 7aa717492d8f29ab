"""Counts of Blood Rage in addition to those of all games: order of play, glory by source, cards."""

from typing import Final

import numpy as np

from bloodrage_env.games.bloodrage.engine import NUM_CARDS, NUM_SOURCES

from ....report.summary import Counts, Results, Summary
from ....tournament.estimates import Numbers, Shares
from ....tournament.records import StoredGame
from ..replayed import Replayer

MIN_TAKES: Final = 30  # of a card, before it is compared with others


class CardCounts:
    """Counts of cards that were drafted or used, by agent; `shares` are the shares of victories with them."""

    def __init__(self, num_agents: int) -> None:
        self.shares = Shares(NUM_CARDS)
        self.by_agent = np.zeros((num_agents, NUM_CARDS), np.int64)

    def add(self, agents: Counts, cards: Counts, wins: Numbers) -> None:
        """Count cards, each with the agent that took it and its share of the victory."""
        self.shares.add(cards, wins)
        np.add.at(self.by_agent, (agents, cards), 1)


class Details:
    """The counts, with a row for each agent. Games are replayed for them."""

    def __init__(self, num_agents: int, num_players: int) -> None:
        self.by_turn = Shares(num_players)  # counted from the first player of the first Age
        self.glory_by_turn: Counts = np.zeros(num_players, np.int64)
        self.glory_from: Counts = np.zeros((num_agents, NUM_SOURCES), np.int64)
        self.drafted = CardCounts(num_agents)
        self.draft_rounds: Counts = np.zeros((num_agents, NUM_CARDS), np.int64)  # sum over cards drafted
        self.draft_seen: Counts = np.zeros((num_agents, NUM_CARDS), np.int64)
        self.used = CardCounts(num_agents)
        self._replayer = Replayer()

    def add(self, game: StoredGame, agents: Counts, wins: Numbers) -> None:
        """Count a finished game. Raises UserError if it cannot be replayed."""
        played = self._replayer.play(game)
        turns = (np.arange(len(agents)) - played.first_player) % len(agents)
        np.add.at(self.glory_from, agents, played.glory_from)
        self.by_turn.add(turns, wins)
        self.glory_by_turn[turns] += game.scores
        drafted = played.drafted
        self.drafted.add(agents[drafted.seats], drafted.cards, wins[drafted.seats])
        np.add.at(self.draft_rounds, (agents[drafted.seats], drafted.cards), drafted.rounds)
        np.add.at(self.draft_seen, agents, drafted.seen)
        self.used.add(agents[played.used_seats], played.used_cards, wins[played.used_seats])

    def end_deal(self) -> None:
        """End a deal: later games belong to another one."""
        for shares in (self.by_turn, self.drafted.shares, self.used.shares):
            shares.end_deal()


def details_of(results: Results) -> Details:
    """Returns the counter of a tournament of this game."""
    assert isinstance(results.summary.details, Details)
    return results.summary.details


def par(summary: Summary, counts: CardCounts, card: int) -> float:
    """Returns the win rate of the agents that took a card, over all their games. The card is compared with it."""
    takes = counts.by_agent[:, card]
    own = [agent.wins / agent.finished if agent.finished else 0.0 for agent in summary.agents]
    return float(takes @ own / takes.sum()) if takes.any() else float("nan")
