"""Whole moves of a card: where it goes, what it does there, and to whom."""

import re
from collections.abc import Sequence
from typing import Final

import numpy as np

from ....core.shown.language import Played, Spoken
from ..engine import ACT, CELL, MOVE, NUM_ACTS, NUM_DIRECTIONS, SQUAD, Decision, States
from ..notation.words import card_name, dice_text, slot_name

_FOLLOWING: Final = {  # the questions that only carry out the answer to another one
    Decision.MAIN: (Decision.TARGET, Decision.TOKENS),
    Decision.VANGUARD: (Decision.TARGET, Decision.TOKENS),
    Decision.TARGET: (Decision.TOKENS,),
    Decision.TOKENS: (Decision.TARGET,),
}
_NUMBERS: Final = re.compile(r" \d+(?:-\d+-\d+)?, range \d+| \d+-\d+-\d+")  # of a strike or a ranged attack


def go_on(path: Sequence[Played], after: States, seat: int) -> tuple[bool, list[int]]:
    """Return whether a move ends, and how it can go on: after steps of a card with those of this card."""
    s, last = after[0], path[-1]
    if s.over or s.seat != seat or dice_text(s):
        return True, []
    legal = np.flatnonzero(s.mask).tolist()
    if MOVE <= last.action < ACT:
        slot = (last.action - MOVE) // NUM_DIRECTIONS
        return True, [each for each in legal if s.decision == Decision.MAIN and _slot_of(each) == slot]
    follows = s.decision in _FOLLOWING.get(Decision(int(last.known[0].decision)), ())
    return (False, legal) if follows else (True, [])


def _slot_of(action: int) -> int:
    """The slot of the player's own card that moves or acts, -1 for other actions."""
    if MOVE <= action < ACT:
        return (action - MOVE) // NUM_DIRECTIONS
    return (action - ACT) // NUM_ACTS if ACT <= action < CELL else -1


def spoken(path: Sequence[Played], seat: int) -> Spoken:
    """Return the place of a move in a list, and its texts: with the names of cards, and with slots and cells alone."""
    slot, first = _slot_of(path[0].action), path[0]
    if slot < 0:
        return ((first.text,),), (first.text,)
    slot += seat * SQUAD
    steps = [each for each in path if each.struct["kind"] == "move"]
    parts = [f"{card_name(first.known[0], slot, seat)}:"]
    short = [slot_name(slot)]
    if steps:
        cell = steps[-1].text.rpartition(" ")[2]
        parts, short = [*parts, "to", cell], [*short, "to", cell]
    for each in path[len(steps) :]:
        kind, said = each.struct["kind"], each.struct["arguments"]
        if kind == "act":
            parts.append(f"{'then ' if steps else ''}{each.text.partition(': ')[2]}")
            short.append(said["act"])
        elif kind in ("cell", "flyer"):
            parts += ["at", each.text]
            short.append(said["cell"] if kind == "cell" else f"flyer {said['slot']}")
        else:
            parts.append(f"with {each.text}" if kind == "number" else each.text)
            short.append(each.text)
    alone = (first.text,) if len(path) == 1 else ()
    bare = (_NUMBERS.sub("", part) for part in parts)
    return (tuple(parts),), (" ".join(parts), " ".join(short), " ".join(bare), *alone)
