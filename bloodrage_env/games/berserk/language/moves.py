"""Moves and an action of a card as one answer."""

from collections.abc import Sequence
from typing import Any, Final

from ....core.shown.language import Composite, UnknownWordError, UnlistedError
from ....text import is_number, words_of
from ..engine import NONE, SQUAD, TITLE, Decision, Direction, States
from ..notation.words import ACTS, CELLS, SLOTS

_FILLERS: Final = {"then", "and"}
_DIRECTIONS: Final = {each.name.lower() for each in Direction}
_ACTS: Final = {("simple", "strike"): "strike"} | {tuple(name.split()): name for name in ACTS}
_MAX_STEPS: Final = 9  # of a card in a direction
_FLYER: Final = "flyer"


def composite(words: Sequence[str], known: States, seat: int) -> Composite | None:
    """`A3: forward 2, left, strike c4`: steps of a card, then an action and its target, which may be `flyer B9`. The
    card can be named as lists of actions name it: `Orc (A3): strike c4`.
    """
    at = next((place for place, word in enumerate(words) if _slot(word) is not None), None)
    if known[0].decision != Decision.MAIN or at is None:
        return None
    slot = words[at].upper()
    _check_title(words[:at], known, int(_slot(slot) or 0))
    steps, at, goal = list[dict[str, Any]](), at + 1, ""
    while at < len(words):
        if words[at] in _FILLERS:
            at += 1
        elif words[at] == "to" and at + 1 < len(words) and words[at + 1] in CELLS:
            goal, at = words[at + 1], at + 2
        elif words[at] in _DIRECTIONS:
            step = {"kind": "move", "arguments": {"slot": slot, "direction": words[at]}}
            at += 1
            counted = at < len(words) and is_number(words[at])
            count = words[at] if counted else "1"
            at += counted
            if not 0 < int(count[:2]) <= _MAX_STEPS or len(count) > 1:
                raise UnknownWordError(f"is not a move: a card makes 1 to {_MAX_STEPS} steps in a direction")
            steps += [step] * int(count)
        else:
            at = _add_act(words, at, slot, steps)
    if not steps and not goal:
        raise UnknownWordError(f"is not a move: nothing follows {slot}")
    if (_slot(slot) or 0) // SQUAD != seat:
        raise ValueError(f"{slot} is not a card of yours")
    if goal:  # what is legal of this is in the list
        raise UnlistedError(f"{slot} can't go to {goal}{' and do this there' if steps else ''}")
    return (steps[0], {"steps": steps[1:]} if len(steps) > 1 else None)


def follow(plan: dict[str, Any], known: States, seat: int) -> dict[str, Any] | None:
    """Return the next step of a composite move, and remove it from the plan."""
    found: dict[str, Any] | None = plan["steps"].pop(0) if plan["steps"] else None
    return found


def _add_act(words: Sequence[str], at: int, slot: str, steps: list[dict[str, Any]]) -> int:
    """Add an action and its target; return where the words go on."""
    name = next((act for act in _ACTS if tuple(words[at : at + len(act)]) == act), None)
    if name is None:
        raise UnknownWordError(
            f"is not a move: `{words[at]}` (step {len(steps) + 1} of {slot}) is not a direction or action"
        )
    steps.append({"kind": "act", "arguments": {"slot": slot, "act": _ACTS[name]}})
    at += len(name)
    at += at < len(words) and words[at] == "at"
    if at < len(words) and words[at] in CELLS:
        steps.append({"kind": "cell", "arguments": {"cell": words[at]}})
        return at + 1
    if at + 1 < len(words) and words[at] == _FLYER and _slot(words[at + 1]) is not None:
        steps.append({"kind": "flyer", "arguments": {"slot": words[at + 1].upper()}})
        return at + 2
    return at


def _check_title(title: Sequence[str], known: States, slot: int) -> None:
    """Raise ValueError if words before a slot are not the title of its card."""
    card = int(known[0].card[slot])
    if title and (card == NONE or list(title) != words_of(TITLE[card])):
        raise UnknownWordError(f"is not a move: `{' '.join(title)}` is not the card of this slot")


def _slot(word: str) -> int | None:
    """The slot of a name such as `a3`, None for another word."""
    return SLOTS.get(word.upper())
