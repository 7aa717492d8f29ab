"""Analysis: what a network, and the search that it guides, think of the open question of a seat.

It is made from a `View`, what the seat knows, and a seed, and from nothing else: two games that the seat can't tell
apart have the same analysis. docs/study.md says what the numbers mean.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from bloodrage_env import engine
from bloodrage_env.core.rewards import share_of, victory_share
from bloodrage_env.engine import CARD, NUM_ACTIONS, NUM_CARDS, TYPE, CardType, States
from bloodrage_env.errors import UserError
from bloodrage_env.notation.questions import answer_text
from bloodrage_env.observation import OBSERVATION_SIZE, observe
from bloodrage_env.study import Analysis, Move, Tried

from . import registry
from .base import Vector, View, agent_rng, draw_seed
from .budget import Budget
from .compiled.tree import ROOT
from .ismcts import Ismcts, children, move_of
from .network import SHIPPED, Network

SIMULATIONS: Final = 400  # of the search, unless told otherwise
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
        self._whole = Network.load(path)
        self._search = Ismcts(simulations=SIMULATIONS, path=path)
        self._network, self._players = self._whole, 0  # what is left of it for so many players

    @classmethod
    def of(cls, spec: str) -> "Analyst":
        """That of an agent `network`, as a spec. Raises UserError for another one."""
        parsed = registry.parse(spec)
        if parsed.name != "network":
            raise UserError(f"analysis is by a network, not by {spec[:40]!r}: write network, or network:path=FILE")
        return cls(str(parsed.arguments["path"]))

    def analyse(self, view: View, seed: int, simulations: int = SIMULATIONS) -> Analysis:
        """The analysis of the view's open question; with no `simulations` without a search.

        ValueError: the seat is not asked. `seed` is 0 to 2**63 - 1.
        """
        if engine.seat_to_act(view.record, 0) != view.seat:
            raise ValueError("the seat of the view is not asked")
        network = self._for(view.record)
        probabilities = _probabilities(network, view.record)
        if not simulations or len(probabilities) == 1:
            return Analysis(view.seat, probabilities, self.wins(view, seed), ())
        wins, tried = searched(self._search, view, seed, simulations)
        return Analysis(view.seat, probabilities, wins, tried)

    def wins(self, view: View, seed: int) -> tuple[float, ...]:
        """Each clan's win probability as the seat of a view can know it, whether it is asked or not; sum 1.

        Its own is the network's for what it sees; the others share the rest as the network's values for what they would
        see, averaged over redeals, stand to each other.
        """
        network, seat = self._for(view.record), view.seat
        deals = np.concatenate([view.redeal(each) for each in _seeds(seed, OTHERS_DEALS)])
        own = float(values_of(network, view.record, [0], [seat])[0])
        others = [other for other in range(int(view.record[0].num_players)) if other != seat]
        pairs = [(deal, other) for deal in range(OTHERS_DEALS) for other in others]
        values = values_of(network, deals, [deal for deal, _ in pairs], [other for _, other in pairs])
        means = values.reshape(OTHERS_DEALS, -1).mean(0)
        rest = (1.0 - own) * means / means.sum() if means.sum() > 0 else np.full(len(others), (1.0 - own) / len(others))
        return tuple(np.insert(rest, seat, own).tolist())

    def course(self, states: States) -> tuple[float, ...]:
        """Each clan's win probability in a game that all is known of: its own for what it sees, made to have sum 1."""
        players = int(states[0].num_players)
        if engine.is_over(states, 0):
            scores = engine.scores(states, 0).astype(np.int32)
            return tuple(victory_share(scores, seat) for seat in range(players))
        own = values_of(self._for(states), states, [0] * players, range(players))
        return tuple((own / own.sum()).tolist()) if own.sum() > 0 else (1.0 / players,) * players

    def compare(self, view: View, actions: Sequence[int], seed: int) -> Parts:
        """Part of the victory that the seat may expect after each action, float64[len(actions), COMPARED_DEALS].

        Each column is a redeal, in which all actions are tried: played on by the network's policy until the seat has
        its next choice, where the network's value counts, or to the end.
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


def asked_of(network: Network, states: States, games: Sequence[int]) -> tuple[Vector, Parts]:
    """What the network says to the seat to act in each of these games: logits, float32[N, NUM_ACTIONS], -inf where not
    legal, and the part of the victory, 0 to 1, that it expects for that seat, float64[N].
    """
    masks = np.stack([engine.legal_mask(states, game) for game in games])
    rows = _seen(states, games, [engine.seat_to_act(states, game) for game in games])
    logits, rewards = network.evaluate(rows, masks)
    return logits, _parts(rewards, states)


def values_of(network: Network, states: States, games: Sequence[int], seats: Sequence[int]) -> Parts:
    """The part of the victory, 0 to 1, that the network expects for each pair of a game and a seat, float64[N]."""
    nothing = np.zeros((len(games), NUM_ACTIONS), np.int8)
    return _parts(network.evaluate(_seen(states, games, seats), nothing)[1], states)


def _seen(states: States, games: Sequence[int], seats: Sequence[int]) -> Vector:
    rows = np.zeros((len(games), OBSERVATION_SIZE), np.float32)
    for row, game, seat in zip(rows, games, seats, strict=True):
        observe(states, game, seat, row)
    return rows


def _parts(rewards: Vector, states: States) -> Parts:
    players = int(states[0].num_players)
    return np.array([min(1.0, max(0.0, share_of(float(reward), players))) for reward in rewards])


def searched(search: Ismcts, view: View, seed: int, simulations: int) -> tuple[tuple[float, ...], tuple[Tried, ...]]:
    """Each clan's win probability by a search, and what it tried at the root, the most visited first."""
    legal = np.flatnonzero(view.record[0].mask)
    search.search(view, legal, seed, Budget(simulations=simulations).start())
    nodes, found = search.nodes, []
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
    """What each game is worth to the observer at its next choice, or at the end. The games are played on."""
    rng = agent_rng("analysis", seed)
    noise = rng.gumbel(size=(COMPARED_DEALS, NUM_ACTIONS))  # the same for all moves that are compared in a deal
    worth = np.zeros(len(games))
    left = list(range(len(games)))
    while left:
        asked: list[int] = []
        for game in left:
            while not engine.is_over(games, game) and games[game].num_legal == 1:
                engine.apply(games, game, int(games[game].mask.argmax()))
            if engine.is_over(games, game):
                worth[game] = victory_share(engine.scores(games, game).astype(np.int32), observer)
            else:
                asked.append(game)
        if not asked:
            break
        logits, parts = asked_of(network, games, asked)
        left = []
        for row, game in enumerate(asked):
            if engine.seat_to_act(games, game) == observer:
                worth[game] = parts[row]
            else:
                engine.apply(games, game, int((logits[row] + noise[game % COMPARED_DEALS]).argmax()))
                left.append(game)
        noise = rng.gumbel(size=noise.shape)
    return worth


def _probabilities(network: Network, states: States) -> dict[int, float]:
    logits = asked_of(network, states, [0])[0][0]
    chances = np.exp(logits - logits.max())
    chances /= chances.sum()
    return {action: float(chances[action]) for action in np.flatnonzero(states[0].mask).tolist()}


def _seeds(seed: int, count: int) -> list[int]:
    rng = agent_rng("analysis", seed)
    return [draw_seed(rng) for _ in range(count)]
