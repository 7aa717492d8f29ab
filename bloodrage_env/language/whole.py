"""Whole moves: the answers to a question together with those to the questions that only carry them out.

A list of moves has a line for each beginning: `{a | b}` stands for one of them, `two of {a | b | c}` for two with `and`
between them, `[a]` for a or nothing.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np

from ..core.compile.decorators import Records
from ..core.shown.language import Played
from ..core.shown.structs import Structs

HOW: Final = (
    "In the list `{a | b}` means one of them, `two of {a | b | c}` means `a and b` or another two, and what is in "
    "`[ ]` may be left out."
)


class Step(NamedTuple):
    """An action, and the question that it answers: its kind, and its words if it has to be this very one."""

    action: int
    decision: int
    question: str | None = None
    forced: bool = False  # the question had one answer, and may be left out


class Move(NamedTuple):
    """A move: its places in a list as parts of lines, the texts that mean it, its name first, and its steps."""

    parts: tuple[tuple[str, ...], ...]
    texts: tuple[str, ...]
    steps: tuple[Step, ...]


def moves_of(structs: Structs, known: Records, seat: int, whole: bool) -> list[Move]:
    """Return the moves with which a seat can answer the open question; not `whole` are its legal actions.

    The questions that follow are those of one redeal. They do not depend on what the seat can't know.
    """
    game, language = structs.game, structs.language
    first = [Played(known, each["id"], each["text"], each) for each in structs.actions(known, seat)]
    if not whole:
        return [Move(((each.text,),), (each.text,), (_step(each, structs, seat, True),)) for each in first]
    dealt = game.redeal(known, 0, seat, 0)
    dealt["skip_forced"][0] = 0
    found: dict[tuple[str, int], Move] = {}
    waiting = deque[tuple[tuple[Played, ...], Records]](((each,), dealt) for each in first)
    while waiting:
        path, before = waiting.popleft()
        states = before.copy()
        game.play.apply(states, 0, path[-1].action)
        after = game.hide(states, 0, seat)
        ends, further = language.go_on(path, after, seat)
        parts, texts = language.spoken(path, seat)
        key = texts[0], 0 if ends else len(path)
        if key in found:
            continue
        steps = tuple(_step(each, structs, seat, not number) for number, each in enumerate(path))
        found[key] = Move(parts, texts, steps)
        for action in further:
            text = structs.presentation.action_text(after, 0, action)
            struct = structs.without_text(after, seat, action) or {}
            waiting.append(((*path, Played(after, action, text, struct)), states))
    return [move for (_, open_questions), move in found.items() if not open_questions]


def _step(played: Played, structs: Structs, seat: int, is_first: bool) -> Step:
    known = played.known
    if is_first:
        return Step(played.action, int(known[0].decision))
    forced = int(np.count_nonzero(known[0].mask)) == 1
    return Step(played.action, int(known[0].decision), structs.question(known, seat), forced)


def listed(moves: Sequence[Move]) -> Iterator[str]:
    """Return the lines of a list of moves."""
    for first, rests in _by_first([parts for move in moves for parts in move.parts]).items():
        yield f"{first} {_rest(rests)}".strip()


def _by_first(parts: Sequence[tuple[str, ...]]) -> dict[str, list[tuple[str, ...]]]:
    found: dict[str, list[tuple[str, ...]]] = {}
    for first, *rest in dict.fromkeys(parts):
        found.setdefault(first, []).append(tuple(rest))
    return found


def _rest(rests: Sequence[tuple[str, ...]]) -> str:
    """What can follow; those that begin other words with the same end are one group."""
    inner = [each for each in rests if each]
    groups: dict[str, list[str]] = {}
    for first, ends in _by_first(inner).items():
        groups.setdefault(_rest(ends), []).append(first)
    text = _one([each for end, firsts in groups.items() for each in ([f"{_one(firsts)} {end}"] if end else firsts)])
    return f"[{text}]" if inner and len(inner) < len(rests) else text


def _one(options: Sequence[str]) -> str:
    return options[0] if len(options) == 1 else f"{{{' | '.join(options)}}}" if options else ""
