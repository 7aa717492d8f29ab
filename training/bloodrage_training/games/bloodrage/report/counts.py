"""Counts of Blood Rage in addition to those of all games: order of play, glory by source, cards."""

from typing import Final

import numpy as np

from bloodrage_env.games.bloodrage.engine import DRAFT_ROUNDS, NUM_AGES, NUM_CARDS, NUM_SOURCES

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
        shape = num_agents, NUM_AGES, max(DRAFT_ROUNDS.tolist()), NUM_CARDS
        self.kept: Counts = np.zeros(shape, np.int64)  # copies that were drafted, by Age and round from 0
        self.seen: Counts = np.zeros(shape, np.int64)  # copies in packs, once for each round
        self.used = CardCounts(num_agents)
        self._replayer = Replayer()

    def add(self, game: StoredGame, agents: Counts, wins: Numbers) -> None:
        """Count a finished game. Raise UserError if it cannot be replayed."""
        played = self._replayer.play(game)
        turns = (np.arange(len(agents)) - played.first_player) % len(agents)
        np.add.at(self.glory_from, agents, played.glory_from)
        self.by_turn.add(turns, wins)
        self.glory_by_turn[turns] += game.scores
        kept, seen = played.drafted.kept, played.drafted.seen
        self.drafted.add(agents[kept.seats], kept.cards, wins[kept.seats])
        np.add.at(self.kept, (agents[kept.seats], *kept[1:]), 1)
        np.add.at(self.seen, (agents[seen.seats], *seen[1:]), 1)
        self.used.add(agents[played.used_seats], played.used_cards, wins[played.used_seats])

    def end_deal(self) -> None:
        """End a deal: later games belong to another one."""
        for shares in (self.by_turn, self.drafted.shares, self.used.shares):
            shares.end_deal()


def mean_rounds(kept: Counts) -> Numbers:
    """Return the mean round, from 1, in which each card was drafted, float64[NUM_CARDS]; NaN for one that never was.

    `kept` is that of an agent (`Details`).
    """
    by_round = kept.sum(axis=0)
    total = by_round.sum(axis=0)
    weighted = np.arange(1, len(by_round) + 1) @ by_round
    return np.asarray(np.divide(weighted, total, out=np.full(len(total), np.nan), where=total > 0))


def details_of(results: Results) -> Details:
    """Return the counter of a tournament of this game."""
    assert isinstance(results.summary.details, Details)
    return results.summary.details


def par(summary: Summary, counts: CardCounts, card: int) -> float:
    """Return the win rate of the agents that took a card, over all their games. The card is compared with it."""
    takes = counts.by_agent[:, card]
    own = [agent.wins / agent.finished if agent.finished else 0.0 for agent in summary.agents]
    return float(takes @ own / takes.sum()) if takes.any() else float("nan")
