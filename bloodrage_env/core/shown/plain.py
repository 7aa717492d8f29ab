"""The `Presentation` of a game with few words: a board, a question and its answers as text."""

from collections.abc import Callable, Iterable, Sequence
from itertools import cycle, islice
from typing import Final

from ...errors import UserError
from ..compile.decorators import Records
from ..engine.game import Game
from .presentation import Event, Kind, Presentation, Terminal

COLOURS: Final = (33, 36, 35, 32, 31, 34)  # codes of the terminal, in turns by seat

Tell = Callable[[Records, int, int | None], list[Event]]


def presentation_for(
    game: Game,
    seats: Sequence[str],
    *,
    question: Callable[[Records, int], str],
    answer: Callable[[Records, int, int], str],
    board: Callable[[Records, int, int | None], str],
    secret: Callable[[Records], bool],
    events: Tell | None = None,
) -> Presentation:
    """Make the presentation of a game whose seats have these names. docs/add_a_game.md shows the functions of a game.

    Parameters
    ----------
    game : Game
        The game.
    seats : sequence of str
        A name for each seat.
    question : callable
        (states, index) to the text of the open question.
    answer : callable
        (states, index, action) to the text of an action.
    board : callable
        (states, index, viewer) to the information of a viewer; None is a spectator.
    secret : callable
        (states) to whether the open question is answered in secret.
    events : callable, optional
        (states, action, viewer) to the events of an action for a viewer; None: all events. By default secret answers
        are hidden from other viewers.

    Returns
    -------
    Presentation
        What the terminal and the plain page show.

    Examples
    --------
    >>> from bloodrage_env import games
    >>> from bloodrage_env.core.shown.plain import presentation_for
    >>> shown = presentation_for(
    ...     games.game("bloodrage"), ["Ada", "Bob"], question=lambda states, index: "Your move?",
    ...     answer=lambda states, index, action: f"action {action}", board=lambda states, index, viewer: "a board",
    ...     secret=lambda states: False,
    ... )
    >>> shown.seats
    ('Ada', 'Bob')
    """

    def default_events(states: Records, action: int, viewer: int | None) -> list[Event]:
        seat, hidden = int(states[0].seat), secret(states)
        if hidden and viewer not in (None, seat):
            return []
        return [Event(Kind.SECRET if hidden else Kind.ANSWER, f"{seats[seat]}: {answer(states, 0, action)}")]

    def board_text(states: Records, index: int, viewer: int | None, colour: bool) -> str:
        asked = "" if game.play.is_over(states, index) else question(states, index)
        return f"{board(states, index, viewer)}\n\n{asked}"

    def result_table(states: Records) -> str:
        scores = game.play.scores(states, 0).tolist()
        width = max(map(len, seats))
        return "\n".join(f"{name:{width}} {score:4}" for name, score in zip(seats, scores, strict=False))

    def menu(states: Records) -> tuple[list[str], list[int]]:
        actions = [int(action) for action in states[0].mask.nonzero()[0]]
        return [f"{number:3}  {answer(states, 0, action)}" for number, action in enumerate(actions, 1)], actions

    def find(text: str) -> list[int]:
        raise UserError("there is nothing to look up in this game")

    def about(names: Sequence[str]) -> Iterable[str]:
        return map(str, find(" ".join(names)))

    def opening_events(states: Records, viewer: int | None = None) -> list[Event]:
        return []

    terminal = Terminal(
        context=lambda states: [],
        basket=lambda states: None,
        menu=menu,
        shows_board=lambda states: True,
        caution=lambda states, action: "",
        topics=lambda states, seat, actions: [],
        topic_of=lambda action: -1,
        find=find,
        topic_lines=lambda topic: [],
        reveals=lambda states, action, seat: True,
    )
    return Presentation(
        seats=tuple(seats),
        colours=tuple(islice(cycle(COLOURS), len(seats))),
        opening_events=opening_events,
        events=events or default_events,
        decision_text=question,
        action_text=answer,
        board_text=board_text,
        result_table=result_table,
        reference=lambda: ["There is nothing to look up in this game."],
        about=about,
        secret=secret,
        terminal=terminal,
    )
