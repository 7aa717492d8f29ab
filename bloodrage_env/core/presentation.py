"""A game as people see it: what commands that tell of any game ask of it."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple, Protocol

from .compiled import Records


class Kind(IntEnum):
    """How an event is told."""

    HEADING = 0  # a part of the game begins
    ANSWER = 1  # what a seat chose
    EFFECT = 2  # what came of it
    DETAIL = 3  # a choice that says little by itself
    SECRET = 4  # a choice that only the seat itself and spectators see


class Event(NamedTuple):
    """One thing that happened."""

    kind: Kind
    text: str


class Basket(Protocol):
    """Answers that are picked as a set before they are given, where their order is not the person's to choose.

    `answers` are the actions that numbers name, from 1 on; the last one ends it. `lines` are printed before each pick.
    """

    @property
    def answers(self) -> list[int]:
        """The action of each number."""

    def lines(self) -> list[str]:
        """What can be picked, what is picked, and what is left to spend."""

    def pick(self, number: int) -> str:
        """Pick one, or with a minus put one back; what is wrong with that, "" if nothing."""

    def caution(self) -> str:
        """What is said before it ends, "" if nothing."""

    def actions(self) -> list[int]:
        """The answers in the order of the game, to the last; none if it can't end yet."""


@dataclass(frozen=True)
class Terminal:
    """What a person who plays in the terminal is asked and shown.

    `context` gives lines to show with each question: what it depends on and the board does not show. `menu` gives lines
    to print and the action of each number, from 1 on; `shows_board` says whether the board is shown before a question;
    `caution` is what is said before an answer is taken that people give by mistake, "" if nothing.

    `basket` is what answers the question by a set, None where it is answered by a choice of the menu.

    A topic is the number of something with a text of its own that can be looked up: `topics` are those that a question
    is about (of a state, a seat and the actions), `topic_of` is the one that an action names, -1 if none, `find` gives
    those that a text means and raises UserError. `reveals` says whether an answer of a seat had others act, or told it
    something that was hidden from it.
    """

    context: Callable[[Records], list[str]]
    basket: Callable[[Records], Basket | None]
    menu: Callable[[Records], tuple[list[str], list[int]]]
    shows_board: Callable[[Records], bool]
    caution: Callable[[Records, int], str]
    topics: Callable[[Records, int, Sequence[int]], list[int]]
    topic_of: Callable[[int], int]
    find: Callable[[str], list[int]]
    topic_lines: Callable[[int], list[str]]
    reveals: Callable[[Records, int, int], bool]


@dataclass(frozen=True)
class Presentation:
    """The words and boards of a game.

    Functions take an array of one game, or an array and an index, and then perhaps the seat that reads: without one
    events are told with all that is hidden, and the board shows what lies open to all. `board_text` takes whether to
    colour too. `result_table` says how a game stands. `reference` is the list of all topics, `about` the lines about
    what the words of one or more names mean; it raises UserError.

    `secret` returns whether the open question is answered in secret. `at_once` returns the same for all questions that
    are answered face down before any of their answers is revealed, and None for others: what a seat knows and may
    answer there does not depend on the answers of others, so that people can be asked together.
    """

    seats: tuple[str, ...]  # their names
    colours: tuple[int, ...]  # of the seats, as codes of the terminal
    opening_events: Callable[[Records, int | None], list[Event]]
    events: Callable[[Records, int, int | None], list[Event]]
    decision_text: Callable[[Records, int], str]
    action_text: Callable[[Records, int, int], str]
    board_text: Callable[[Records, int, int | None, bool], str]
    result_table: Callable[[Records], str]
    reference: Callable[[], Iterable[str]]
    about: Callable[[Sequence[str]], Iterable[str]]
    secret: Callable[[Records], bool]
    terminal: Terminal
    at_once: Callable[[Records], tuple[int, ...] | None] = lambda _: None
