"""Analysis: what a network, and the search that it guides, think of the open question of a seat.

It is made from a `View`, what the seat knows, and a seed, and from nothing else: two games that the seat can't tell
apart have the same analysis. docs/study.md says what the numbers mean.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from bloodrage_env.core.rewards import share_of, victory_share
from bloodrage_env.errors import UserError
from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine import CARD, NUM_ACTIONS, NUM_CARDS, TYPE, CardType, States
from bloodrage_env.games.bloodrage.notation.questions import answer_text
from bloodrage_env.games.bloodrage.options import Options
from bloodrage_env.study import SIMULATIONS, Analysis, Move, Tried

from ... import registry
from ...base import View, agent_rng, draw_seed
from ...budget import Budget
from ...ismcts import Ismcts, children, move_of
from ...mcts.nodes import ROOT
from ...network import NETWORK, SHIPPED, Network

OTHERS_DEALS: Final = 16  # redeals over which the chances of the other clans are averaged
COMPARED_DEALS: Final = 64  # redeals in which two moves are played on
LINE_DEALS: Final = 8  # redeals in which a line is tried: in some a move of it may not be legal
LONGEST_LINE: Final = 6  # moves
HIDDEN: Final = "commit to a quest"

Parts = npt.NDArray[np.float64]


class Analyst:
    """A network, a file as for `NetworkAgent`, and the tree search guided by it. One analysis at a time.

    Raises UserError as `Network.load` does.
    """

    def __init__(self, path: str = SHIPPED) -> None:
        self._whole = Network.load(path, Options.game)
        self._search = Ismcts(simulations=SIMULATIONS, path=path, game=Options.game)
        self._network, self._players = self._whole, 0  # what is left of it for so many players

    @classmethod
    def of(cls, spec: str) -> "Analyst":
        """That of an agent `network`, as a spec. Raises UserError for another one."""
        parsed = registry.parse(spec, Options.game)
        if parsed.name != NETWORK:
            raise UserError(f"analysis is by a network, not by {spec[:40]!r}: write network, or network:path=FILE")
        return cls(str(parsed.arguments["path"]))

    def analyse(self, view: View, seed: int, simulations: int = SIMULATIONS) -> Analysis:
        """The analysis of the view's open question; with no `simulations` without a search.

        ValueError: the seat is not asked. `seed` is 0 to 2**63 - 1.
        """
        if engine.seat_to_act(view.record, 0) != view.seat:
            raise ValueError("the seat of the view is not asked")
        network = self._for(view.record)
        probabilities = policy_of(network, view.record, 0)
        if not simulations or len(probabilities) == 1:
            return Analysis(view.seat, probabilities, self.wins(view, seed), ())
        wins, tried = searched(self._search, view, seed, simulations)
        return Analysis(view.seat, probabilities, wins, tried)

    def wins(self, view: View, seed: int) -> tuple[float, ...]:
        """Each clan's win probability as the seat of a view can know it, whether it is asked or not; sum 1.

        They are what the network expects for all seats; where another seat is asked, whose cards are not seen, the mean
        over redeals.
        """
        network, players = self._for(view.record), int(view.record[0].num_players)
        if engine.seat_to_act(view.record, 0) == view.seat:
            return tuple(parts_of(network, view.record, [0])[0].tolist())
        deals = np.concatenate([view.redeal(each) for each in _seeds(seed, OTHERS_DEALS)])
        open_deals = [game for game in range(len(deals)) if not engine.is_over(deals, game)]
        if not open_deals:
            scores = engine.scores(view.record, 0).astype(np.int32)
            return tuple(victory_share(scores, seat) for seat in range(players))
        return tuple(parts_of(network, deals, open_deals).mean(0).tolist())

    def course(self, states: States) -> tuple[float, ...]:
        """Each clan's win probability in a game that all is known of, as the seat that is asked sees it; sum 1."""
        if engine.is_over(states, 0):
            scores = engine.scores(states, 0).astype(np.int32)
            return tuple(victory_share(scores, seat) for seat in range(int(states[0].num_players)))
        return tuple(parts_of(self._for(states), states, [0])[0].tolist())

    def compare(self, view: View, actions: Sequence[int], seed: int) -> Parts:
        """Part of the victory that the seat may expect after each action, float64[len(actions), COMPARED_DEALS].

        Each column is a redeal, in which all actions are tried: played on by the network's policy until the seat has
        its next choice after another seat was asked, where the network's value counts, or to the end. Questions that
        belong to the action itself, such as where a figure goes, are answered by the policy.
        """
        deals = [view.redeal(each) for each in _seeds(seed, COMPARED_DEALS)]
        games = np.concatenate([deal for _ in actions for deal in deals])
        for game in range(len(games)):
            engine.apply(games, game, actions[game // COMPARED_DEALS])
        return _played_on(self._for(view.record), games, view.seat, seed).reshape(len(actions), COMPARED_DEALS)

    def _for(self, states: States) -> Network:
        players = int(states[0].num_players)
        if players != self._players:
            self._network, self._players = self._whole.for_players(players), players
        return self._network


# ---- the network's and the search's answers: all that is read of them


def policy_of(network: Network, states: States, index: int) -> dict[int, float]:
    """The network's probability of each legal action, for the seat to act."""
    logits, _ = network.evaluate(states, np.array([index]))
    chances = np.exp(logits[0] - logits[0].max())
    chances /= chances.sum()
    return {action: float(chances[action]) for action in np.flatnonzero(engine.legal_mask(states, index)).tolist()}


def parts_of(network: Network, states: States, games: Sequence[int]) -> Parts:
    """The part of the victory that the network expects for each seat of these games, which have as many players and
    open questions, as the seat that is asked sees it: float64[N, players], 0 to 1 with sum 1.
    """
    players = int(states[games[0]].num_players)
    rewards = network.evaluate(states, np.array(games))[1]
    found = np.zeros((len(games), players))
    for row, game in enumerate(games):
        asked = engine.seat_to_act(states, game)
        for turn in range(players):
            found[row, (asked + turn) % players] = share_of(float(rewards[row, turn]), players)
        found[row] = found[row] / found[row].sum() if found[row].any() else 1.0 / players
    return found


def searched(search: Ismcts, view: View, seed: int, simulations: int) -> tuple[tuple[float, ...], tuple[Tried, ...]]:
    """Each clan's win probability by a search, and what it tried at the root, the most visited first."""
    legal = np.flatnonzero(view.record[0].mask)
    search.search(view, legal, seed, Budget(simulations=simulations).start())
    nodes, found = search.trees[0].nodes, []
    for child in sorted(children(nodes, ROOT), key=lambda child: -int(nodes[child]["visits"])):
        visits, node = int(nodes[child]["visits"]), child
        if not visits:
            continue
        line: list[int] = []
        while len(line) < LONGEST_LINE:
            line.append(move_of(nodes, node))
            below = [each for each in children(nodes, node) if nodes[each]["visits"]]
            if not below:
                break
            node = max(below, key=lambda each: int(nodes[each]["visits"]))
        value = float(nodes[child]["values"][view.seat]) / visits
        found.append(Tried(move_of(nodes, child), visits, value, told_line(view, line, seed)))
    sums = nodes[ROOT]["values"][: int(view.record[0].num_players)]
    return tuple((sums / sums.sum()).tolist()), tuple(found)


# ---- lines in words


def told_line(view: View, line: Sequence[int], seed: int) -> tuple[Move, ...]:
    """Moves of a search in words, as far as they can be played in one of a few redeals.

    A line leaves out what is forced and what others choose in secret; NUM_ACTIONS stands for any quest of another clan.
    """
    longest: list[Move] = []
    for each in _seeds(seed, LINE_DEALS):
        told = _told_in(view.redeal(each), view.seat, line)
        longest = max(longest, told, key=len)
        if len(longest) == len(line):
            break
    return tuple(longest)


def _told_in(states: States, observer: int, line: Sequence[int]) -> list[Move]:
    told: list[Move] = []
    while len(told) < len(line) and not engine.is_over(states, 0):
        s, move = states[0], line[len(told)]
        seat = engine.seat_to_act(states, 0)
        if s.num_legal == 1 or (seat != observer and engine.is_secret(states, 0)):
            engine.apply(states, 0, int(s.mask.argmax()))
            continue
        action = _any_quest(states) if move == NUM_ACTIONS else move
        if action is None or not s.mask[action]:
            break
        told.append(Move(seat, HIDDEN if move == NUM_ACTIONS else answer_text(states, 0, action)))
        engine.apply(states, 0, action)
    return told


def _any_quest(states: States) -> int | None:
    cards = np.flatnonzero(states[0].mask[CARD : CARD + NUM_CARDS])
    quests = [int(card) for card in cards if TYPE[card] == CardType.QUEST]
    return CARD + quests[0] if quests else None


# ---- played on


def _played_on(network: Network, games: States, observer: int, seed: int) -> Parts:
    """What each game is worth to the observer at its next choice after another seat's question, or at the end. The
    games are played on.
    """
    rng = agent_rng("analysis", seed)
    noise = rng.gumbel(size=(COMPARED_DEALS, NUM_ACTIONS))  # the same for all moves that are compared in a deal
    worth = np.zeros(len(games))
    others_asked = np.zeros(len(games), bool)
    left = list(range(len(games)))
    while left:
        asked: list[int] = []
        for game in left:
            while not engine.is_over(games, game) and games[game].num_legal == 1:
                others_asked[game] |= engine.seat_to_act(games, game) != observer
                engine.apply(games, game, int(games[game].mask.argmax()))
            if engine.is_over(games, game):
                worth[game] = victory_share(engine.scores(games, game).astype(np.int32), observer)
            else:
                asked.append(game)
        if not asked:
            break
        logits, _ = network.evaluate(games, np.array(asked))
        parts = parts_of(network, games, asked)
        left = []
        for row, game in enumerate(asked):
            seat = engine.seat_to_act(games, game)
            if seat == observer and others_asked[game]:
                worth[game] = parts[row, observer]
            else:
                others_asked[game] |= seat != observer
                engine.apply(games, game, int((logits[row] + noise[game % COMPARED_DEALS]).argmax()))
                left.append(game)
        noise = rng.gumbel(size=noise.shape)
    return worth


def _seeds(seed: int, count: int) -> list[int]:
    rng = agent_rng("analysis", seed)
    return [draw_seed(rng) for _ in range(count)]
