"""A study of a game as lines for the terminal."""

import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from ..core.api.replay import Replay
from ..core.compile.decorators import Records
from ..core.shown.presentation import Kind, Presentation
from ..study import COSTLY, COSTLY_PLACES, COSTLY_SCORE, Judged, Study
from .text import WIDTH

BLOCKS: Final = " ▁▂▃▄▅▆▇█"
CURVE: Final = 60  # characters of a curve
LEAST: Final = 0.05  # places or score that is shown


@dataclass(frozen=True)
class Words:
    """The words of a game in a study: its texts, an answer as text (`study.Studied.label`), when a question was asked,
    such as "Age 1", and what is gained, such as "glory".
    """

    shown: Presentation
    label: Callable[[Records, int, int], str]
    when: Callable[[Records], str]
    gained: str


def percent(share: float) -> str:
    """A share, 0 to 1, as "7 %"."""
    return f"{100 * share:.0f} %"


def cost_text(words: Words, judged: Judged) -> str:
    """What a costly decision gives away, as "7 %", or in a lost position as "0.4 places and 6.1 glory"."""
    if judged.price is None:
        return percent(judged.cost)
    counted = ((judged.price.places, "places"), (judged.price.score, words.gained))
    return " and ".join(f"{amount:.1f} {name}" for amount, name in counted if amount >= LEAST)


def study_lines(words: Words, replay: Replay, study: Study) -> Iterator[str]:
    """Yield the curves of win probability, the costly moves with better ones, and all moves by turns."""
    yield "Win probability over the game, and at its end"
    yield from curve_lines(words, replay, study)
    costly = sum(judged.costly for judged in study.decisions)
    yield ""
    yield f"Moves that cost more than {percent(COSTLY)}: {costly or 'none'}"
    least = f"{COSTLY_PLACES:g} places or {COSTLY_SCORE:g} {words.gained}"
    yield f"(where the game is hardly to be won: more than {least} at its end)"
    yield from costly_lines(words, replay, study)
    yield ""
    yield "Moves by turns; the number is that of the decision"
    yield from turn_lines(words, replay, study)


def curve_lines(words: Words, replay: Replay, study: Study) -> Iterator[str]:
    """Yield one line per seat with its win probability over the game."""
    courses = [judged.course for judged in study.decisions]
    for seat, result in enumerate(study.result):
        marks = [courses[at * len(courses) // CURVE][seat] for at in range(CURVE)] if courses else []
        curve = "".join(BLOCKS[round(share * (len(BLOCKS) - 1))] for share in marks)
        who = f" ({replay.players[seat]})" if replay.players else ""
        yield f"  {words.shown.seats[seat]:8} {curve} {percent(result):>5}{who}"


def costly_lines(words: Words, replay: Replay, study: Study) -> Iterator[str]:
    """Yield the marked moves, one or two lines each."""
    for states, judged in zip(replay.states(), study.decisions, strict=False):
        if judged.costly and judged.better is not None:
            chosen, better = (words.label(states, 0, action) for action in (judged.action, judged.better))
            head = f"{judged.step:5}  {words.when(states)}  {words.shown.seats[judged.seat]}"
            text = f"{head}: {chosen} costs {cost_text(words, judged)}"
            yield from textwrap.wrap(f"{text}; better: {better}", WIDTH, subsequent_indent=" " * 14)


def turn_lines(words: Words, replay: Replay, study: Study) -> Iterator[str]:
    """Yield the headings, and for each turn the choices of the seat with their costs."""
    turn: list[str] = []
    first, mover = 0, -1

    def turn_so_far() -> list[str]:
        return (
            textwrap.wrap(f"{first:5}  {words.shown.seats[mover]}: {'; '.join(turn)}", WIDTH, subsequent_indent=" " * 9)
            if turn
            else []
        )

    opening = words.shown.opening_events(replay.start(), None)
    yield from (event.text for event in opening if event.kind == Kind.HEADING)
    for states, judged in zip(replay.states(), study.decisions, strict=False):
        happened = words.shown.events(states, judged.action, None)
        if judged.seat != mover:
            yield from turn_so_far()
            turn, first, mover = [], judged.step, judged.seat
        chosen = words.label(states, 0, judged.action)
        turn.append(f"{chosen} [-{cost_text(words, judged)}]" if judged.costly else chosen)
        headings = [event.text for event in happened if event.kind == Kind.HEADING]
        if headings:
            yield from turn_so_far()
            yield from headings
            turn, mover = [], -1
    yield from turn_so_far()
