"""Search and analysis from the rules of a game alone, in Python: for games without compiled rollouts, tree or analyst.

Positions are valued by random games, and what a seat cannot know is drawn by `Game.redeal`. The tree has a node for
everything that a seat can see when it is asked (Cowling, Powley and Whitehouse 2012: a tree for each seat), so a secret
answer is never known to another seat.
"""

from functools import partial
from math import log, sqrt
from typing import Final

import numpy as np
import numpy.typing as npt

from bloodrage_env import games
from bloodrage_env.core.compile.decorators import Ints, Records
from bloodrage_env.core.engine.game import Game
from bloodrage_env.core.engine.rewards import victory_share, win_reward
from bloodrage_env.errors import UserError
from bloodrage_env.render.plain import studied_page
from bloodrage_env.render.study_data import study_data
from bloodrage_env.study import Studied
from bloodrage_env.terminal.study_text import Words, study_lines

from .analysis import Analyst, Terms
from .answer import Answer
from .base import Vector, View, draw_seed
from .budget import Meter
from .mcts.nodes import Doubles
from .network import NETWORK, Network
from .rollouts import RollOut
from .search import SearchAgent

VALUED: Final = 8  # random games whose mean is the value of a position in an analysis
AHEAD: Final = 12  # decisions over which an analysis compares what actions gain


def outcome(game: Game, states: Records, index: int, seed: int) -> npt.NDArray[np.float64]:
    """Play a game to its end at random. Return each seat's part of the victory, float64[players]."""
    game.play.play_random(states, index, seed, game.max_decisions)
    scores = game.play.scores(states, index).astype(np.int32)
    return np.array([victory_share(scores, seat) for seat in range(len(scores))])


def roll_out_of(name: str) -> RollOut:
    """Return the rollouts of a game, as `rollouts.roll_out_for` makes them compiled."""
    game = games.game(name)

    def roll_out(
        states: Records, index: int, observer: int, seed: int, first: int, count: int, actions: Ints, sums: Doubles
    ) -> None:
        for deal in range(first, first + count):
            rng = np.random.default_rng((seed, deal))
            dealt, end = game.redeal(states, index, observer, draw_seed(rng)), draw_seed(rng)
            for i, action in enumerate(actions.tolist()):
                world = game.play.clone(dealt, 0)
                game.play.apply(world, 0, action)
                sums[i] += outcome(game, world, 0, end)[observer]

    return roll_out


class Move:
    """An answer that was tried at a node."""

    def __init__(self, players: int) -> None:
        self.visits = 0
        self.values = np.zeros(players)  # sums of outcomes by seat
        self.then: Node | None = None  # where it led last


class Node(dict[int, Move]):
    """What a seat can see when it is asked, with the answers tried there."""

    def select(self, legal: list[int], seat: int, exploration: float, rng: np.random.Generator) -> int:
        """Return an answer that was not tried, drawn at random, or the one with the highest upper bound (UCB1)."""
        untried = [action for action in legal if action not in self]
        if untried:
            return untried[int(rng.integers(len(untried)))]
        bonus = exploration * sqrt(log(sum(self[action].visits for action in legal)))

        def bound(action: int) -> float:
            move = self[action]
            return float(move.values[seat]) / move.visits + bonus / sqrt(move.visits)

        return max(legal, key=bound)

    def most(self) -> int:
        """Return the answer with the most visits, of several the lowest."""
        return min(self, key=lambda action: (-self[action].visits, action))


class RulesIsmcts(SearchAgent):
    """An information-set tree search by the rules of `game` alone, with random rollouts."""

    def __init__(
        self, simulations: int | None = None, ms: int | None = None, exploration: float = 0.7, game: str = games.FIRST
    ) -> None:
        self.game = game
        games.game(game)  # loaded now, and compiled by the line below
        super().__init__(simulations, ms)
        self.exploration = exploration
        self.root = Node()

    def search(self, view: View, legal: Ints, seed: int, meter: Meter) -> Answer:
        """Return the answer: the most visited action."""
        game, rng, nodes = games.game(self.game), np.random.default_rng(seed), dict[bytes, Node]()
        self.root = nodes[seen_by(game, view.record, view.seat)] = Node()
        while size := meter.chunk():
            for _ in range(size):
                self._simulate(game, view, nodes, rng)
        moves = sorted(self.root, key=lambda action: (-self.root[action].visits, action))
        visits = np.array([self.root[action].visits for action in moves], np.int64)
        values = np.array([self.root[action].values for action in moves]) / visits[:, None]
        return Answer(np.array(moves, np.int64), visits, values)

    def line(self, move: int, most: int) -> list[int]:
        """Return the moves that the last search tried most from a root move on, at most `most`, that move first."""
        found, node = [move], self.root[move].then
        while node and len(found) < most:
            found.append(node.most())
            node = node[found[-1]].then
        return found

    def _simulate(self, game: Game, view: View, nodes: dict[bytes, Node], rng: np.random.Generator) -> None:
        """Descend in a new redeal to a new node, value that by a random game, and store the outcome on the way."""
        world, path = view.redeal(draw_seed(rng)), list[tuple[Node, int]]()
        players, new = int(view.record[0].num_players), False
        while not new and (seat := game.play.seat_to_act(world, 0)) >= 0:
            legal = world[0].mask.nonzero()[0].tolist()
            action = legal[0]
            if len(legal) > 1:
                node = nodes.setdefault(seen_by(game, world, seat), Node())
                if path:
                    path[-1][0][path[-1][1]].then = node
                new = not node and node is not self.root
                action = node.select(legal, seat, self.exploration, rng)
                node.setdefault(action, Move(players))
                path.append((node, action))
            game.play.apply(world, 0, action)
        values = outcome(game, world, 0, draw_seed(rng))
        for node, action in path:
            node[action].visits += 1
            node[action].values += values


def seen_by(game: Game, states: Records, seat: int) -> bytes:
    """Return what a seat sees of a game: the seat and its observation in bytes."""
    row = np.empty(game.observation_size, np.uint8)
    game.observe.observe_bytes(states, 0, seat, row)
    return bytes((seat,)) + row.tobytes()


# ---- analysis


class RandomPlay(Network):
    """In place of a network: all legal actions are equally likely, and the values are means of random games."""

    def __init__(self, game: str) -> None:
        super().__init__({}, game)

    def for_players(self, number: int) -> Network:
        """Return the same for any number of players."""
        return self

    def evaluate(self, states: Records, which: Ints) -> tuple[Vector, Vector]:
        """Return logits and values as `Network.evaluate`."""
        game = games.game(self.game)
        logits = np.where(states["mask"][which] == 1, 0.0, -np.inf).astype(np.float32)
        values = np.zeros((len(which), game.max_seats), np.float32)
        for row, index in enumerate(which.tolist()):
            players, seat = int(states[index].num_players), int(states[index].seat)
            ends = [outcome(game, game.play.clone(states, index), 0, seed) for seed in range(VALUED)]
            shares = np.roll(np.mean(ends, 0), -seat)
            values[row, :players] = [win_reward(share, players, game.team) for share in shares]
        return logits, values


class RulesAnalyst(Analyst):
    """Analyses by random games and the search of `RulesIsmcts`. Its probabilities are equal."""

    def load(self, path: str) -> Network:
        """Return what values positions."""
        return RandomPlay(self._terms.game)

    def searcher(self, simulations: int) -> RulesIsmcts:
        """Return the search."""
        return RulesIsmcts(simulations, game=self._terms.game)

    def probabilities(self, view: View) -> dict[int, float]:
        """Return equal probabilities. No games are played, which a view does not suffice for."""
        legal = view.record[0].mask.nonzero()[0].tolist()
        return dict.fromkeys(legal, 1.0 / len(legal))

    def wins(self, view: View, seed: int) -> tuple[float, ...]:
        """Return means over redeals, also if the seat is asked: a random game needs the cards of all seats."""
        return self.wins_in_redeals(view, seed)


def study_of(name: str) -> Studied:
    """Return the study of a game without an analyst of its own."""
    game, shown, spec = games.game(name), games.presentation(name), games.spec(name)

    def gained(states: Records, seat: int) -> npt.NDArray[np.float64]:
        return np.array([game.play.scores(states, index)[seat] for index in range(len(states))], np.float64)

    terms = Terms(
        name,
        action=lambda states, move: move,
        text=lambda states, move: shown.action_text(states, 0, move),
        gained=gained,
        lost=lambda states, seat: np.zeros(len(states)),
        moment=lambda states, index: int(states[index].decisions),
        ahead=AHEAD,
        left_out=lambda states: False,
    )

    def analyst(given: str) -> Analyst:
        if given != NETWORK:
            raise UserError(f"{spec.title} is analysed by its rules alone: leave out {given[:40]!r}")
        return RulesAnalyst(terms)

    def when(states: Records) -> str:
        return f"after {states[0].decisions}"

    lines = partial(study_lines, Words(shown, shown.action_text, when, spec.score))
    return Studied(
        analyst, shown.action_text, lines, partial(studied_page, lines), lambda replay, title, players: {},
        partial(study_data, shown.action_text),
    )  # fmt: skip
