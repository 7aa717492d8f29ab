"""The analysis of a game's decisions as data. Agents produce it; pages and the terminal show it."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from .core.api.replay import Replay
from .core.compile.decorators import Records

SIMULATIONS: Final = 400  # of the search of an analysis, where nothing is said
SHOWN_ANSWERS: Final = 8  # of the network, the most likely ones
SHOWN_MOVES: Final = 5  # of the search, the preferred ones
COSTLY: Final = 0.05  # win probability: an action that costs more is marked; no position below it can lose as much
COSTLY_PLACES, COSTLY_SCORE = 0.25, 2.0  # in such a position: places and score at the end of the game
LOST: Final = 0.02  # win probability: a position in which no action has more is practically lost
CERTAIN: Final = 2.0  # standard errors by which two actions must differ
COMPARED_DEALS: Final = 64  # redeals in which actions are compared, where nothing is said


@dataclass(frozen=True)
class Move:
    """A move of a line as text, its seat, and its action."""

    seat: int
    text: str
    action: int


@dataclass(frozen=True)
class Tried:
    """An action that a search tried."""

    action: int
    visits: int  # simulations that began with it
    value: float  # the win probability of the seat's side after it, 0 to 1
    line: tuple[Move, ...]  # what was tried most from there, this action first


@dataclass(frozen=True)
class Analysis:
    """The evaluation of the open question of `seat`, from what the seat knows.

    Partners share the win probability of their side equally, so that the sum of `wins` is 1. A player alone has its win
    probability.

    Examples
    --------
    >>> from bloodrage_env import games
    >>> from bloodrage_agents.base import View
    >>> options = games.options_from("bloodrage", num_players=2)
    >>> states = games.game("bloodrage").new_game(1, options)
    >>> view = View.of(states, 0, int(states[0].seat))
    >>> analysis = games.study("bloodrage").analyst("network").analyse(view, seed=1, simulations=8)
    >>> analysis.best in analysis.probabilities
    True
    """

    seat: int
    probabilities: dict[int, float]  # the network's, of each legal action
    wins: tuple[float, ...]  # each seat's part of the victory: after the recommended action, or by the network alone
    tried: tuple[Tried, ...]  # in the search's order of preference; none without a search or with one legal action

    @property
    def best(self) -> int:
        """The recommended action: the search's, or without a search the network's."""
        if self.tried:
            return self.tried[0].action
        return max(self.probabilities, key=lambda action: (self.probabilities[action], -action))


@dataclass(frozen=True)
class Outlook:
    """What some actions of a seat lead to in the same deals, at the same moment, each float64[actions, deals].

    Examples
    --------
    >>> from bloodrage_env import games
    >>> from bloodrage_agents.base import View
    >>> options = games.options_from("bloodrage", num_players=2)
    >>> states = games.game("bloodrage").new_game(1, options)
    >>> view = View.of(states, 0, int(states[0].seat))
    >>> actions = states[0].mask.nonzero()[0][:2].tolist()
    >>> games.study("bloodrage").analyst("network").outlook(view, actions, seed=1, deals=4).scores.shape
    (2, 4)
    """

    scores: npt.NDArray[np.float64]  # score that the seat has gained
    lost: npt.NDArray[np.float64]  # pieces that the seat has lost on the way
    places: npt.NDArray[np.float64]  # of the seat by its score, 1 for the best


class Price(NamedTuple):
    """What an action gives away against a better one in a position that is practically lost, at the end of the game."""

    places: float
    score: float


class Missed(NamedTuple):
    """What a better action has more of: a reason. Numbers are 0 where the difference may be chance."""

    score: float  # gained
    lost: float  # pieces
    at_the_end: bool  # of the game, because nothing speaks for it at the end of the period


@dataclass(frozen=True)
class Judged:
    """A decision of a game: the analysis of the question, and the cost of the action.

    Examples
    --------
    >>> from bloodrage_env.study import Judged
    >>> Judged(step=3, seat=0, action=1, course=(0.5, 0.5), cost=0.1, better=2).costly
    True
    """

    step: int  # how many actions came before it
    seat: int
    action: int
    course: tuple[float, ...]  # each seat's part of the victory before the action, by what each of them knew
    analysis: Analysis | None = None  # None where one action was legal
    cost: float = 0.0  # win probability that the action gave away against `better`, 0 to 1
    better: int | None = None  # an action that was found better, where one was
    price: Price | None = None  # in a lost position, where it gives away places or score
    missed: Missed | None = None  # of a costly decision: what `better` has more of

    @property
    def costly(self) -> bool:
        """Whether the decision is marked as costly."""
        places, score = self.price or (0.0, 0.0)
        return self.cost > COSTLY or places > COSTLY_PLACES or score > COSTLY_SCORE


@dataclass(frozen=True)
class Study:
    """All decisions of a game. `result` is each seat's share of the victory, or the expected share.

    Examples
    --------
    >>> from bloodrage_env.study import Judged, Study
    >>> len(Study([Judged(step=0, seat=0, action=1, course=(0.5, 0.5))], (0.5, 0.5)).decisions)
    1
    """

    decisions: Sequence[Judged]
    result: tuple[float, ...]


class Analyst(Protocol):
    """Analyses the decisions of a game. `view` is a `bloodrage_agents.base.View`; seeds are 0 to 2**63 - 1."""

    def analyse(self, view: Any, seed: int, simulations: int = SIMULATIONS) -> Analysis:
        """Return the analysis of the open question of a view. With `simulations` 0 there is no search."""

    def course(self, states: Records) -> tuple[float, ...]:
        """Return each seat's part of the victory in a game without hidden information, as in `Analysis`."""

    def compare(
        self, view: Any, actions: Sequence[int], seed: int, deals: int = COMPARED_DEALS
    ) -> npt.NDArray[np.float64]:
        """Return the expected share of the victory after each action in the same deals, float64[actions, deals]."""

    def outlook(
        self, view: Any, actions: Sequence[int], seed: int, deals: int = COMPARED_DEALS, to_the_end: bool = False
    ) -> Outlook:
        """Return what each action leads to in the same deals, by the end of the period or of the game."""


@dataclass(frozen=True)
class Studied:
    """The study of a game: the part `study` of its spec.

    `analyst` takes the spec of an agent with a network and raises UserError for another agent. `label` returns an
    answer as text, for an array of games, an index and an action. `lines` returns a study for the terminal.
    `replay_page` returns the page of a replay with its study, given the title and the names of the players. `page_data`
    and `study_data` return a replay and its study as plain data for the pages of the server.
    """

    analyst: Callable[[str], Analyst]
    label: Callable[[Records, int, int], str]
    lines: Callable[[Replay, Study], Iterable[str]]
    replay_page: Callable[[Replay, str, Sequence[str] | None, Study], str]
    page_data: Callable[[Replay, str, Sequence[str] | None], dict[str, Any]]
    study_data: Callable[[Replay, Study], Any]


def analysis_data(analysis: Analysis, label: Callable[[int], str], text: Callable[[str], Any]) -> dict[str, Any]:
    """Return an analysis as plain data, with shares in thousandths. `label` names an action; `text` stores a text.

    The entries are `seat`; `wins` by seat; `network`: [action, share, text], the most likely first; `search`: [action,
    visits, value, text, line], in the search's order of preference. A line contains [seat, text] of each move.
    """
    likely = sorted(analysis.probabilities.items(), key=lambda item: (-item[1], item[0]))[:SHOWN_ANSWERS]
    return {
        "seat": analysis.seat,
        "wins": thousandths(analysis.wins),
        "network": [[action, round(1000 * share), text(label(action))] for action, share in likely],
        "search": [
            [
                tried.action,
                tried.visits,
                round(1000 * tried.value),
                text(label(tried.action)),
                [[move.seat, text(move.text)] for move in tried.line],
            ]
            for tried in analysis.tried[:SHOWN_MOVES]
        ],
    }


def certain(outcomes: npt.NDArray[np.float64]) -> float:
    """Return the mean difference between the first two actions, float64[actions, deals]; 0 unless it is certain."""
    differences = outcomes[0] - outcomes[1]
    mean, error = float(differences.mean()), float(differences.std() / np.sqrt(differences.size))
    return mean if abs(mean) > CERTAIN * error else 0.0


def outlook_data(actions: Sequence[int], outlook: Outlook) -> dict[str, Any]:
    """Return what actions lead to as plain data, all in hundredths.

    The entries are `deals` and `ahead`: [action, score, place] of each.
    """
    scores, places = outlook.scores.mean(1), outlook.places.mean(1)
    ahead = [[action, *hundredths((scores[row], places[row]))] for row, action in enumerate(actions)]
    return {"deals": outlook.scores.shape[1], "ahead": ahead}


def hundredths(values: Iterable[float]) -> list[int]:
    """Return numbers as integers of hundredths."""
    return [round(100 * value) for value in values]


def thousandths(shares: Sequence[float]) -> list[int]:
    """Return shares as integers of thousandths."""
    return [round(1000 * share) for share in shares]
