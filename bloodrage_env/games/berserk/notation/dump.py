"""A whole state as text, for golden games, differences and bug reports.

The text omits zeros, empty places and the generator only, so that it differs where two states of a game differ.
"""

from collections.abc import Iterator

import numpy as np

from .. import engine
from ..engine import Card, Combat, Decision, Frame, Phase, Placing, Routine, Setup, States
from .names import action_name
from .words import LETTERS, card_id, cell_name, place_name, slot_name

# The fields of a card that are written if they are not 0; its death after the others.
_CARDS = [each.name for group in engine.GROUPS if group.title == "cards" for each in group.fields]
_DEATH = ("died", "by_enemy")
_MARKS = (*(name for name in _CARDS if name not in ("card", "cell", "fell_at", "wounds", *_DEATH)), *_DEATH)


def state_text(states: States, index: int) -> str:
    """Return every field of a game except the generator, hidden ones included, as lines of text without a final
    newline.
    """
    s = states[index]
    lines = [*_clock(s), *_question(s)]
    for seat in range(engine.NUM_SEATS):
        lines += _recruiting(s, seat)
    lines += [_card(s, slot) for slot in range(engine.NUM_SLOTS) if s.card[slot] != engine.NONE]
    fires = [f"{cell_name(cell)} to turn {s.bonfire[cell]}" for cell in range(engine.NUM_CELLS) if s.bonfire[cell]]
    lines += [f"bonfires: {', '.join(fires)}"] * bool(fires)
    return "\n".join(lines)


def _slot(slot: int) -> str:
    return "-" if slot == engine.NONE else slot_name(slot)


def _seat(seat: int) -> str:
    return "-" if seat == engine.NONE else LETTERS[seat]


def _clock(s: np.record) -> Iterator[str]:
    flags = "".join(f", {name}" for name in ("skip_forced", "over", "truncated") if s[name])
    flags += ", placing at once" if s.placing == Placing.AT_ONCE else ""
    yield f"options: {Combat(s.combat).name}, {Setup(s.setup).name}, {s.max_turns} turns{flags}"
    rolls = "-".join(str(die) for die in s.roll_off)
    yield f"clock: {Phase(s.phase).name}, turn {s.turn}, First {_seat(s.first)}, roll-off {rolls}"


def _question(s: np.record) -> Iterator[str]:
    yield f"question: {Decision(s.decision).name} to {_seat(s.seat)}, about {_slot(s.actor)} {_slot(s.target)}"
    yield f"legal actions: {' '.join(action_name(int(action)) for action in s.mask.nonzero()[0])}"
    dice = [f"{name} {s[name]}" for name in ("block", "die") if s[name]]
    dice += [f"{name} {'-'.join(map(str, s[name]))}" for name in ("white", "black") if s[name].any()]
    if dice:
        yield f"dice: {', '.join(dice)}"
    for depth in range(s.depth):
        frame = s.stack[depth]
        columns = [f"{each.name.lower()} {frame[each]}" for each in list(Frame)[1:] if frame[each]]
        yield f"frame: {Routine(frame[Frame.ROUTINE]).name} {', '.join(columns)}"


def _recruiting(s: np.record, seat: int) -> Iterator[str]:
    gains = f", gains {s.gains[seat]:03b}" if s.gains[seat] else ""
    yield f"{LETTERS[seat]}: a deal of {s.deal_size[seat]}{gains}"
    for name in ("deal", "squad"):
        cards = [f"{Card(card).name}{f' x{n}' if n > 1 else ''}" for card, n in enumerate(s[name][seat]) if n]
        if cards:
            yield f"{LETTERS[seat]} {name}: {', '.join(cards)}"


def _card(s: np.record, slot: int) -> str:
    where = s.cell[slot] if s.cell[slot] != engine.NONE else s.fell_at[slot]
    marks = "".join(f", {name} {s[name][slot]}" for name in _MARKS if s[name][slot])
    wounds = f"{s.wounds[slot]} of {engine.LIFE[s.card[slot]]}"
    return f"{slot_name(slot)} {card_id(int(s.card[slot]))} {place_name(int(where))}, wounds {wounds}{marks}"
