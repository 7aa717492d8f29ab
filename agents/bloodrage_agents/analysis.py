"""Analysis: the evaluation of a seat's open question by a network and the search that it guides.

The analysis is a function of a `View`, which contains what the seat knows, and a seed. Two games that the seat cannot
distinguish have the same analysis. docs/study.md describes the numbers.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
import numpy.typing as npt

from bloodrage_env import games as known_games
from bloodrage_env.core.compile.decorators import Ints, Records
from bloodrage_env.core.engine.rewards import share_of, victory_share
from bloodrage_env.errors import UserError
from bloodrage_env.study import COMPARED_DEALS, SIMULATIONS, Analysis, Move, Outlook, Tried

from . import registry
from .answer import Answer
from .base import Vector, View, agent_rng, draw_seed
from .budget import Budget, Meter
from .ismcts import Ismcts
from .network import NETWORK, SHIPPED, Network
from .played_on import next_choice, places_of, play_on

OTHERS_DEALS: Final = 16  # redeals over which the chances of the other seats are averaged
LINE_DEALS: Final = 8  # redeals in which a line is tried: in some a move of it may not be legal
LONGEST_LINE: Final = 6  # moves

Parts = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Terms:
    """What an analysis needs to know of a game.

    `action` takes a game and a move of its search, and returns the action that the move stands for there, or None;
    `text` returns a legal move as text. `gained` and `lost` return what a seat has gained and lost so far in each game
    of an array, float64[N] (`bloodrage_env.study.Outlook`). `moment` returns the number of the period in which a game
    is, such as its Age. What actions gain and lose is compared `ahead` periods later. `left_out` returns whether the
    search has no moves for the open question of another seat.
    """

    game: str
    action: Callable[[Records, int], int | None]
    text: Callable[[Records, int], str]
    gained: Callable[[Records, int], Parts]
    lost: Callable[[Records, int], Parts]
    moment: Callable[[Records, int], int]
    ahead: int
    left_out: Callable[[Records], bool]


class Searcher(Protocol):
    """A search whose lines can be read."""

    budget: Budget

    def search(self, view: View, legal: Ints, seed: int, meter: Meter) -> Answer:
        """As `SearchAgent.search`."""

    def line(self, move: int, most: int) -> list[int]:
        """As `Ismcts.line`."""


class Analyst:
    """A network and the tree search that it guides. Makes one analysis at a time.

    Parameters
    ----------
    terms : Terms
        What an analysis needs to know of the game.
    path : str
        A file as for `NetworkAgent`. Raises UserError as `Network.load` does.

    Examples
    --------
    >>> from bloodrage_agents.base import View
    >>> from bloodrage_env import games
    >>> states = games.game("bloodrage").new_game(1, games.options_from("bloodrage", num_players=2))
    >>> view = View.of(states, 0, int(states[0].seat))
    >>> analyst = games.study("bloodrage").analyst("network")
    >>> round(sum(analyst.analyse(view, seed=1, simulations=0).wins), 6)
    1.0
    """

    def __init__(self, terms: Terms, path: str = SHIPPED) -> None:
        self._terms, self._play = terms, known_games.game(terms.game).play
        self._whole, self._path = self.load(path), path
        self._search = self.searcher(SIMULATIONS)
        self._network, self._players = self._whole, 0  # its equivalent for this number of players

    @classmethod
    def of(cls, terms: Terms, spec: str) -> "Analyst":
        """Return the analyst of a game for an agent `network`, given as a spec. Raise UserError for another agent."""
        parsed = registry.parse(spec, terms.game)
        if parsed.name != NETWORK:
            raise UserError(f"analysis is by a network, not by {spec[:40]!r}: write network, or network:path=FILE")
        return cls(terms, str(parsed.arguments["path"]))

    def load(self, path: str) -> Network:
        """Return the network of a file."""
        return Network.load(path, self._terms.game)

    def searcher(self, simulations: int) -> Searcher:
        """Return a search with this budget."""
        return Ismcts(simulations=simulations, path=self._path, game=self._terms.game)

    def analyse(self, view: View, seed: int, simulations: int = SIMULATIONS) -> Analysis:
        """Return the analysis of the view's open question.

        The recommended action is that of the agent `ismcts` with the same network, simulations and seed.

        Parameters
        ----------
        view : View
            What the seat to act knows.
        seed : int
            0 to 2**63 - 1.
        simulations : int
            With 0 there is no search.

        Returns
        -------
        Analysis
            The analysis. Raises ValueError if the seat is not asked.
        """
        if self._play.seat_to_act(view.record, 0) != view.seat:
            raise ValueError("the seat of the view is not asked")
        probabilities = self.probabilities(view)
        if not simulations or len(probabilities) == 1:
            return Analysis(view.seat, probabilities, self.wins(view, seed), ())
        if simulations != self._search.budget.simulations:  # on which deals and constants of a search depend
            self._search = self.searcher(simulations)
        wins, tried = searched(self._terms, self._search, view, seed, simulations)
        return Analysis(view.seat, probabilities, wins, tried)

    def probabilities(self, view: View) -> dict[int, float]:
        """Return the network's probability of each legal action of the seat, which is asked."""
        return policy_of(self._for(view.record), view.record, 0)

    def wins(self, view: View, seed: int) -> tuple[float, ...]:
        """Return each seat's share of the victory (`study.Analysis`) from the information of the view's seat.

        The values are those of the network. If another seat is asked, whose cards are hidden, they are means over
        redeals.

        Parameters
        ----------
        view : View
            What a seat knows.
        seed : int
            0 to 2**63 - 1.

        Returns
        -------
        tuple of float
            By seat.
        """
        if self._play.seat_to_act(view.record, 0) == view.seat:
            return tuple(parts_of(self._for(view.record), view.record, [0])[0].tolist())
        return self.wins_in_redeals(view, seed)

    def wins_in_redeals(self, view: View, seed: int) -> tuple[float, ...]:
        """Return the means over redeals, or the result of a game that is over."""
        network, players = self._for(view.record), int(view.record[0].num_players)
        deals = np.concatenate([view.redeal(each) for each in _seeds(seed, OTHERS_DEALS)])
        open_deals = [game for game in range(len(deals)) if not self._play.is_over(deals, game)]
        if not open_deals:
            scores = self._play.scores(view.record, 0).astype(np.int32)
            return tuple(victory_share(scores, seat) for seat in range(players))
        return tuple(parts_of(network, deals, open_deals).mean(0).tolist())

    def course(self, states: Records) -> tuple[float, ...]:
        """Return each seat's share of the victory in a game with no hidden information, for the seat to act.

        Parameters
        ----------
        states : ndarray
            An array of one record.

        Returns
        -------
        tuple of float
            By seat.
        """
        if self._play.is_over(states, 0):
            scores = self._play.scores(states, 0).astype(np.int32)
            return tuple(victory_share(scores, seat) for seat in range(int(states[0].num_players)))
        return tuple(parts_of(self._for(states), states, [0])[0].tolist())

    def compare(self, view: View, actions: Sequence[int], seed: int, deals: int = COMPARED_DEALS) -> Parts:
        """Return the expected share of the victory of the seat's side after each action.

        All actions are tried in each redeal. The network's policy plays on until the seat has its next choice after
        another seat was asked; there the network's value counts. If the game ends before, its result counts. The policy
        also answers questions that belong to the action itself, such as where a figure is placed.

        Parameters
        ----------
        view : View
            What the seat to act knows.
        actions : sequence of int
            Legal actions.
        seed : int
            0 to 2**63 - 1.
        deals : int
            Number of redeals.

        Returns
        -------
        ndarray
            float64[actions, deals].
        """
        network, games = self._for(view.record), self._tried(view, actions, seed, deals)
        stops = next_choice(self._play, games, view.seat)
        for _ in play_on(self._play, network, games, seed, deals, stops):
            pass
        over = [self._play.is_over(games, game) for game in range(len(games))]
        shares, left = np.zeros(len(games)), np.flatnonzero(np.logical_not(over)).tolist()
        for game in np.flatnonzero(over).tolist():
            shares[game] = victory_share(self._play.scores(games, game).astype(np.int32), view.seat)
        if left:
            shares[left] = parts_of(network, games, left)[:, view.seat]
        return np.asarray(known_games.game(self._terms.game).team * shares.reshape(len(actions), deals))

    def outlook(
        self, view: View, actions: Sequence[int], seed: int, deals: int = COMPARED_DEALS, to_the_end: bool = False
    ) -> Outlook:
        """Return what each action leads to, at a moment that is the same for all actions.

        Parameters
        ----------
        view, actions, seed, deals
            As for `compare`.
        to_the_end : bool
            The moment is the end of the game; otherwise the end of the period that the question belongs to
            (`Terms.moment`).

        Returns
        -------
        Outlook
            Arrays of float64[actions, deals].
        """
        games, seat, terms = self._tried(view, actions, seed, deals), view.seat, self._terms
        until = terms.moment(view.record, 0) + terms.ahead
        lost, before = np.zeros(len(games)), terms.lost(view.record, seat)
        for _ in play_on(
            self._play, self._for(view.record), games, seed, deals,
            lambda game: not to_the_end and terms.moment(games, game) >= until,
        ):  # fmt: skip
            now = terms.lost(games, seat)  # which falls when pieces come back
            lost, before = lost + np.maximum(0.0, now - before), now
        gained = terms.gained(games, seat) - terms.gained(view.record, seat)
        places, shape = places_of(self._play, games, seat), (len(actions), deals)
        return Outlook(gained.reshape(shape), lost.reshape(shape), places.reshape(shape))

    def _tried(self, view: View, actions: Sequence[int], seed: int, deals: int) -> Records:
        """Return games after each action, the first action in each redeal and so on."""
        dealt = [view.redeal(each) for each in _seeds(seed, deals)]
        games = np.concatenate([deal for _ in actions for deal in dealt])
        for game in range(len(games)):
            self._play.apply(games, game, actions[game // deals])
        return games

    def _for(self, states: Records) -> Network:
        players = int(states[0].num_players)
        if players != self._players:
            self._network, self._players = self._whole.for_players(players), players
        return self._network


# ---- the network's and the search's answers: all that is read of them


def policy_of(network: Network, states: Records, index: int) -> dict[int, float]:
    """Return the network's probability of each legal action, for the seat to act."""
    logits, _ = network.evaluate(states, np.array([index]))
    chances = np.exp(logits[0] - logits[0].max())
    chances /= chances.sum()
    return {action: float(chances[action]) for action in np.flatnonzero(states[index].mask).tolist()}


def parts_of(network: Network, states: Records, games: Sequence[int]) -> Parts:
    """Return the network's expected share of the victory for each seat, float64[N, players].

    Each row has the sum 1, except that of a player alone. All games must have the same number of players and an open
    question. The evaluation is that of the seat to act.
    """
    return shares_of(network.game, states, games, network.evaluate(states, np.array(games))[1])


def shares_of(game_name: str, states: Records, games: Sequence[int], rewards: Vector) -> Parts:
    """Return the same from the values of a network of this game, a row for each of these games."""
    players, team = int(states[games[0]].num_players), known_games.game(game_name).team
    found = np.zeros((len(games), players))
    for row, game in enumerate(games):
        asked = int(states[game].seat)
        for turn in range(players):
            found[row, (asked + turn) % players] = share_of(float(rewards[row, turn]), players, team)
        found[row] = scaled(found[row])
    return found


def scaled(shares: Parts) -> Parts:
    """Return shares of the victory with the sum 1. The share of a player alone is not changed."""
    if len(shares) == 1:
        return shares
    return shares / shares.sum() if shares.any() else np.full(len(shares), 1.0 / len(shares))


def searched(
    terms: Terms, search: Searcher, view: View, seed: int, simulations: int
) -> tuple[tuple[float, ...], tuple[Tried, ...]]:
    """Return each seat's part of the victory after the answer of a search, and the actions tried at the root, in the
    order of the search's preference.
    """
    legal, team = np.flatnonzero(view.record[0].mask), known_games.game(terms.game).team
    answer = search.search(view, legal, seed, Budget(simulations=simulations).start())
    values = (team * answer.values[:, view.seat]).tolist()
    tried = tuple(
        Tried(move, visits, value, line_moves(terms, view, search.line(move, LONGEST_LINE), seed))
        for move, visits, value in zip(answer.moves.tolist(), answer.visits.tolist(), values, strict=True)
    )
    return tuple(scaled(answer.wins).tolist()), tried


# ---- lines in words


def line_moves(terms: Terms, view: View, line: Sequence[int], seed: int) -> tuple[Move, ...]:
    """Return the moves of a search as text, as far as they can be played in one of a few redeals.

    Forced moves and secret choices of other seats are omitted.
    """
    longest: list[Move | None] = []
    for each in _seeds(seed, LINE_DEALS):
        moves = _moves_in(terms, view.redeal(each), view.seat, line)
        longest = max(longest, moves, key=len)
        if len(longest) == len(line):
            break
    return tuple(move for move in longest if move is not None)


def _moves_in(terms: Terms, states: Records, observer: int, line: Sequence[int]) -> list[Move | None]:
    """Return the moves of a line that can be played in a game. None is a secret choice of another seat."""
    play, is_secret = known_games.game(terms.game).play, known_games.presentation(terms.game).secret
    moves: list[Move | None] = []
    while len(moves) < len(line) and not play.is_over(states, 0):
        s, move = states[0], line[len(moves)]
        seat = play.seat_to_act(states, 0)
        if s.num_legal == 1 or (seat != observer and terms.left_out(states)):
            play.apply(states, 0, int(s.mask.argmax()))
            continue
        action = terms.action(states, move)
        if action is None or not s.mask[action]:
            break
        hidden = seat != observer and is_secret(states)
        moves.append(None if hidden else Move(seat, terms.text(states, move), action))
        play.apply(states, 0, action)
    return moves


def _seeds(seed: int, count: int) -> list[int]:
    rng = agent_rng("analysis", seed)
    return [draw_seed(rng) for _ in range(count)]
