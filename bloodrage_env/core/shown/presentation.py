"""The interface of a game's texts and boards, which commands use for any game."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple, Protocol

from ..compile.decorators import Records


class Kind(IntEnum):
    """The kind of an event."""

    HEADING = 0  # a part of the game begins
    ANSWER = 1  # what a seat chose
    EFFECT = 2  # what came of it
    DETAIL = 3  # a choice that says little by itself
    SECRET = 4  # a choice that only the seat itself and spectators see


class Event(NamedTuple):
    """One event of a game, as text."""

    kind: Kind
    text: str
    moment: str = ""  # what begins, for a list of places in a replay to jump to


class Basket(Protocol):
    """Answers that a person selects as a set, if their order is fixed by the game.

    `answers` are the actions of the numbers, from 1 on; the last one ends the selection. `lines` are printed before
    each input.
    """

    @property
    def answers(self) -> list[int]:
        """The action of each number."""

    def lines(self) -> list[str]:
        """Return the available answers, the selected ones, and the rest of the budget."""

    def pick(self, number: int) -> str:
        """Select an answer, or with a minus unselect it. Return the fault, "" if there is none."""

    def caution(self) -> str:
        """Return a warning before the selection ends, "" if there is none."""

    def actions(self) -> list[int]:
        """Return the answers in the order of the game, including the last; empty if the selection is incomplete."""


@dataclass(frozen=True)
class Terminal:
    """The texts for a person who plays in the terminal.

    `context` returns lines for a question about information that is not on the board. `menu` returns lines to print and
    the action of each number, from 1 on. `shows_board` returns whether the board is shown before a question. `caution`
    returns a warning before an answer that is often a mistake, "" if there is none.

    `basket` returns the set selection of a question, None for a question with a menu.

    A topic is the number of a text that can be looked up. `topics` returns those of a question (given a state, a seat
    and the actions), `topic_of` that of an action, -1 without one, and `find` those that match a text; it raises
    UserError. `reveals` returns whether an answer of a seat let others act, or revealed hidden information to the seat.
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
    """The texts and boards of a game.

    Functions take an array of one game, or an array and an index, and optionally the seat of the reader. Without a
    seat, events contain hidden information, and the board shows public information only. `board_text` also takes
    whether to colour. `result_table` returns the standing of a game. `reference` returns a list of all topics, and
    `about` the lines of one or more names; it raises UserError. `facts` returns the same as data, without names of all.

    `secret` returns whether the open question is answered in secret. `at_once` returns the same value for all questions
    that are answered face down before any of the answers is revealed, and None for others. A seat's information and
    legal answers there do not depend on the answers of others, so people can be asked at the same time.
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
    facts: Callable[[Sequence[str]], Iterable[Mapping[str, object]]] = lambda names: ()
