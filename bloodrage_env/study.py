"""The analysis of the decisions of a game, as data: agents produce it, pages and the terminal show it."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

import numpy as np
import numpy.typing as npt

from .core.compiled import Records
from .core.replay import Replay

SIMULATIONS: Final = 400  # of the search of an analysis, where nothing is said
SHOWN_ANSWERS: Final = 8  # of the network, the most likely ones
SHOWN_MOVES: Final = 5  # of the search, the most visited ones
COSTLY: Final = 0.05  # win probability: an action that costs more is marked


@dataclass(frozen=True)
class Move:
    """A move of a line, in words, and whose it is."""

    seat: int
    text: str


@dataclass(frozen=True)
class Tried:
    """An action that a search tried."""

    action: int
    visits: int  # simulations that began with it
    value: float  # the seat's win probability after it, 0 to 1
    line: tuple[Move, ...]  # what was tried most from there, this action first


@dataclass(frozen=True)
class Analysis:
    """What is thought of the open question of `seat`, from what the seat knows."""

    seat: int
    probabilities: dict[int, float]  # the network's, of each legal action
    wins: tuple[float, ...]  # each seat's win probability; sum 1
    tried: tuple[Tried, ...]  # the most visited first; none without a search, or where one action is legal

    @property
    def best(self) -> int:
        """The action to take: the search's, or without a search the network's."""
        if self.tried:
            return self.tried[0].action
        return max(self.probabilities, key=lambda action: (self.probabilities[action], -action))


@dataclass(frozen=True)
class Judged:
    """A decision of a game: what was thought of the question, and what the answer cost."""

    step: int  # how many actions came before it
    seat: int
    action: int
    course: tuple[float, ...]  # each seat's win probability before the action, by what each of them knew; sum 1
    analysis: Analysis | None = None  # None where one action was legal
    cost: float = 0.0  # win probability that the action gave away against `better`, 0 to 1
    better: int | None = None  # an action that was found better, where one was

    @property
    def costly(self) -> bool:
        """Whether it is marked."""
        return self.cost > COSTLY


@dataclass(frozen=True)
class Study:
    """The decisions of a game, all of them, and `result`: each seat's part of the victory, or of what is expected."""

    decisions: Sequence[Judged]
    result: tuple[float, ...]


class Analyst(Protocol):
    """What analyses the decisions of a game. `view` is a `bloodrage_agents.base.View`; seeds are 0 to 2**63 - 1."""

    def analyse(self, view: Any, seed: int, simulations: int = SIMULATIONS) -> Analysis:
        """The analysis of the open question of a view; with 0 `simulations` without a search."""

    def course(self, states: Records) -> tuple[float, ...]:
        """The win probability of each seat in a game of which everything is known; sum 1."""

    def compare(self, view: Any, actions: Sequence[int], seed: int) -> npt.NDArray[np.float64]:
        """The part of the victory that the seat may expect after each action, in the same deals: [actions, deals]."""


@dataclass(frozen=True)
class Studied:
    """How a game is studied: the part `study` of its spec.

    `analyst` takes the spec of an agent whose network is asked, and raises UserError for another one. `label` is an
    answer in words, of an array of games, an index and an action. `lines` are a study for the terminal, `replay_page`
    is the page of a replay with its study, by title and the names of who played; `page_data` and `study_data` are what
    the pages of the server show of a replay and of its study, as plain data.
    """

    analyst: Callable[[str], Analyst]
    label: Callable[[Records, int, int], str]
    lines: Callable[[Replay, Study], Iterable[str]]
    replay_page: Callable[[Replay, str, Sequence[str] | None, Study], str]
    page_data: Callable[[Replay, str, Sequence[str] | None], dict[str, Any]]
    study_data: Callable[[Replay, Study], Any]


def analysis_data(analysis: Analysis, label: Callable[[int], str], text: Callable[[str], Any]) -> dict[str, Any]:
    """An analysis as plain data, shares in thousandths. `label` names an action; `text` says how texts are written.

    `seat`, `wins` by seat; `network`: [action, share, text], the most likely first; `search`: [action, visits, value,
    text, line], the most visited first, a line being [seat, text] of each move.
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


def thousandths(shares: Sequence[float]) -> list[int]:
    """Shares as whole numbers of thousandths."""
    return [round(1000 * share) for share in shares]
