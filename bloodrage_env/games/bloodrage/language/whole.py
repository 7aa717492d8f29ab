"""Whole moves: the cards of a draft, a march with its figures, an upgrade with its slot and its Invade, a sacrifice."""

import re
from collections.abc import Sequence
from itertools import permutations
from typing import Final

import numpy as np

from ....core.shown.language import Played, Spoken
from ....text import counted
from ..engine import FIGURE_AT, MARCH, MARCH_FROM, NO, NUM_KINDS, Decision, States
from ..notation.words import kind_name

# The questions that only carry out the answer to another one.
_FOLLOWING: Final = {
    Decision.DRAFT: (Decision.DRAFT,),
    Decision.ACTION: (
        Decision.MARCH, Decision.SLOT, Decision.FREE_INVADE, Decision.SACRIFICE, Decision.RAISE_DEAD,
    ),
    Decision.MARCH: (Decision.MARCH,),
    Decision.SLOT: (Decision.FREE_INVADE,),
    Decision.SACRIFICE: (Decision.SACRIFICE, Decision.STAT),
    Decision.BUY_BACK: (Decision.BUY_BACK,),
}  # fmt: skip
_SEVERAL: Final = {Decision.DRAFT: "keep", Decision.BUY_BACK: "take back", Decision.SACRIFICE: "sacrifice"}
_MAX_ORDERS: Final = 4  # things that can be named in any order
_PRICE: Final = re.compile(r" for (?:\d+ Rage|free)\b| \((?:\d+ Rage|free)\)")
_PAIR: Final = 2  # cards that each of two players keeps at once


def go_on(path: Sequence[Played], after: States, seat: int) -> tuple[bool, list[int]]:
    """Return whether a move ends, and the answers to its next question."""
    s, last = after[0], path[-1]
    before = last.known[0]
    asked = not s.over and s.seat == seat and s.decision in _FOLLOWING.get(Decision(int(before.decision)), ())
    if not asked or last.action == NO or s.draft_round != before.draft_round:
        return True, []
    return False, np.flatnonzero(s.mask).tolist()


def spoken(path: Sequence[Played], seat: int) -> Spoken:
    """Return the places of a move in a list, and its texts."""
    if path[0].struct["kind"] == "march":
        return _march(path, seat)
    kinds = [Decision(int(each.known[0].decision)) for each in path]
    if len(path) > 1 and kinds[1] in (Decision.SACRIFICE, Decision.RAISE_DEAD):
        path, kinds = path[1:], kinds[1:]  # the action is named by what it takes
    if kinds[0] in _SEVERAL:
        return _several(path, kinds)
    parts = list(_parts(path[0]))
    for each in path[1:]:
        if each.action == NO or each.known[0].num_legal == 1:
            continue  # what is not done, or can't be otherwise, is not said
        first, *others = _parts(each)
        parts += [first if first.startswith(("in ", "into ")) else f"and {first}", *others]
    text = " ".join(parts)
    return (tuple(parts),), (text, _PRICE.sub("", text))


def _parts(step: Played) -> tuple[str, ...]:
    """The parts of an action: what goes where is three, so that a list names each place once."""
    if FIGURE_AT <= step.action < MARCH and step.text.startswith("invade"):
        head, place, tail = step.text.partition(step.struct["arguments"]["place"])
        return head.strip(), place, tail.strip()
    return (step.text,)


def _several(path: Sequence[Played], kinds: Sequence[Decision]) -> Spoken:
    """Things of one kind, in any order, and what comes of them."""
    verb = _SEVERAL[kinds[0]]
    items = [each.text.removeprefix(f"{verb} ") for each, kind in zip(path, kinds, strict=True) if kind == kinds[0]]
    end = [f"and {each.text}" for each in path[len(items) :]]
    if path[-1].action == NO:
        items[-1:] = [] if len(items) > 1 else ["nothing"]
    named = dict.fromkeys((tuple(sorted(items)), tuple(sorted(_PRICE.sub("", item) for item in items))))
    orders = [each for names in named for each in (permutations(names) if len(names) <= _MAX_ORDERS else [names])]
    texts = tuple(" ".join([verb, " and ".join(order), *end]) for order in orders)
    if kinds[0] == Decision.DRAFT and len(items) == _PAIR:
        return tuple((f"{verb} two of", item) for item in items), texts
    return ((verb, items[0], *(f"and {item}" for item in items[1:]), *end),), texts


def _march(path: Sequence[Played], seat: int) -> Spoken:
    """A march; in a list the figures of a province are named once."""
    s, said = path[0].known[0], path[0].struct["arguments"]
    origin = int(MARCH_FROM[path[0].action - MARCH])
    chosen = np.zeros(NUM_KINDS, np.int64)
    for each in path[1:]:
        chosen[each.known[0].about_kind] = each.struct["arguments"]["count"]
    there = s.figures[seat, :, origin]
    who = _figures(s, seat, there if there.sum() == 1 else chosen)
    shown = who if there.sum() == 1 else f"FIGURES (of {_figures(s, seat, there)})"
    price = f"({path[0].text.rpartition(' (')[2]}"
    parts = f"march {shown},", f"{said['from']} ->", said["to"], price
    return (parts,), (f"march {who}, {said['from']} -> {said['to']} {price}",)


def _figures(s: np.record, seat: int, counts: np.ndarray) -> str:
    """Figures by kind: "2 warriors, leader"."""
    names = ((int(count), kind_name(s, seat, kind)) for kind, count in enumerate(counts) if count)
    return ", ".join(name if count == 1 else counted(count, name) for count, name in names) or "none"
