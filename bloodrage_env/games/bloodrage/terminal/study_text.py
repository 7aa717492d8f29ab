"""A study of a game as lines for the terminal."""

import textwrap
from collections.abc import Iterator
from typing import Final

from ....core.replay import Replay
from ....study import COSTLY, Study
from ....terminal.text import WIDTH
from ..notation import CLANS, Kind, events, opening_events
from ..notation.questions import answer_text

BLOCKS: Final = " ▁▂▃▄▅▆▇█"
CURVE: Final = 60  # characters of a curve


def percent(share: float) -> str:
    """A share, 0 to 1, as "7 %"."""
    return f"{100 * share:.0f} %"


def study_lines(replay: Replay, study: Study) -> Iterator[str]:
    """Yield the curves of win probability, the costly moves with better ones, and all moves by turns."""
    yield "Win probability over the game, and at its end"
    yield from curve_lines(replay, study)
    costly = sum(judged.costly for judged in study.decisions)
    yield ""
    yield f"Moves that cost more than {percent(COSTLY)}: {costly or 'none'}"
    yield from costly_lines(replay, study)
    yield ""
    yield "Moves by turns; the number is that of the decision"
    yield from turn_lines(replay, study)


def curve_lines(replay: Replay, study: Study) -> Iterator[str]:
    """Yield one line per clan with its win probability over the game."""
    courses = [judged.course for judged in study.decisions]
    for seat, result in enumerate(study.result):
        marks = [courses[at * len(courses) // CURVE][seat] for at in range(CURVE)] if courses else []
        curve = "".join(BLOCKS[round(share * (len(BLOCKS) - 1))] for share in marks)
        who = f" ({replay.players[seat]})" if replay.players else ""
        yield f"  {CLANS[seat]:8} {curve} {percent(result):>5}{who}"


def costly_lines(replay: Replay, study: Study) -> Iterator[str]:
    """Yield the marked moves, one or two lines each."""
    for states, judged in zip(replay.states(), study.decisions, strict=False):
        if judged.costly and judged.better is not None:
            chosen, better = (answer_text(states, 0, action) for action in (judged.action, judged.better))
            text = (
                f"{judged.step:5}  Age {states[0].age + 1}  {CLANS[judged.seat]}: {chosen} costs {percent(judged.cost)}"
            )
            yield from textwrap.wrap(f"{text}; better: {better}", WIDTH, subsequent_indent=" " * 14)


def turn_lines(replay: Replay, study: Study) -> Iterator[str]:
    """Yield the headings, and for each turn the choices of the clan with their costs."""
    turn: list[str] = []
    first, mover = 0, -1

    def turn_so_far() -> list[str]:
        return (
            textwrap.wrap(f"{first:5}  {CLANS[mover]}: {'; '.join(turn)}", WIDTH, subsequent_indent=" " * 9)
            if turn
            else []
        )

    yield from (event.text for event in opening_events(replay.start()) if event.kind == Kind.HEADING)
    for states, judged in zip(replay.states(), study.decisions, strict=False):
        happened = events(states, judged.action)
        if judged.seat != mover:
            yield from turn_so_far()
            turn, first, mover = [], judged.step, judged.seat
        chosen = answer_text(states, 0, judged.action)
        turn.append(f"{chosen} [-{percent(judged.cost)}]" if judged.costly else chosen)
        headings = [event.text for event in happened if event.kind == Kind.HEADING]
        if headings:
            yield from turn_so_far()
            yield from headings
            turn, mover = [], -1
    yield from turn_so_far()
