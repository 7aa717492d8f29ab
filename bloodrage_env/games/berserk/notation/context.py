"""The context of a question that the board does not show: the deal, the squad, the action in progress."""

from collections.abc import Iterator, Sequence

import numpy as np

from ..engine import NUM_CARDS, SQUAD, TITLE, Decision, Frame, Phase, Routine, States
from .cards import act_text, card_row
from .facts import card_to_place, crystals_left, push_leads_to
from .words import card_name, cell_name, dice_text

_TITLE = max(map(len, TITLE))


def context_lines(states: States, index: int) -> list[str]:
    """Return the context of the open question, for the seat that is asked."""
    s = states[index]
    seat, decision = int(s.seat), Decision(int(s.decision))
    if decision == Decision.KEEP:
        gold, both = crystals_left(states, index, seat)
        purse = f"It is bought from with {gold} gold, which elite cards cost, and {both - gold} silver."
        return ["Your deal:", *cards_table(s.deal[seat]), purse]
    if decision == Decision.PLACE:
        return list(_to_place(states, index, seat))
    if decision == Decision.HIDE:
        return list(_to_show(s, seat))
    return list(_action(states, index, seat)) if s.phase == Phase.BATTLE else []


def cards_table(copies: Sequence[int]) -> list[str]:
    """Return cards with their copies and facts."""
    found = [(int(copies[card]), card) for card in range(NUM_CARDS) if copies[card]]
    return [line for count, card in found for line in card_row(f"  {count} {TITLE[card]:{_TITLE}}  ", card)]


def _to_place(states: States, index: int, seat: int) -> Iterator[str]:
    """Return the card to place with its facts, and the cards after it."""
    s = states[index]
    card = card_to_place(states, index, seat)
    left = [int(each) for each in s.squad[seat]]
    for slot in range(seat * SQUAD, (seat + 1) * SQUAD):
        if s.cell[slot] >= 0:
            left[s.card[slot]] -= 1
    left[card] -= 1
    yield from card_row(f"{TITLE[card]}: ", card)
    after = [f"{count} {TITLE[each]}" if count > 1 else TITLE[each] for each, count in enumerate(left) if count > 0]
    yield f"After it: {', '.join(after) or 'none'}."


def _to_show(s: np.record, seat: int) -> Iterator[str]:
    """Return the card that may stay face down, and the answers for those before it."""
    yield from card_row(f"{card_name(s, int(s.actor))}: ", int(s.card[s.actor]))
    frame = s.stack[s.depth - 1]
    up = [card_name(s, seat * SQUAD + k) for k in range(SQUAD) if int(frame[Frame.SHOWN]) >> k & 1]
    yield f"To be turned up: {', '.join(up) or 'none so far'}."


def _action(states: States, index: int, seat: int) -> Iterator[str]:
    """Return the action in progress and the open dice."""
    s = states[index]
    frame = s.stack[s.depth - 1]
    if frame[Frame.ROUTINE] in (Routine.STRIKE, Routine.ABILITY):
        actor, target = int(frame[Frame.ACTOR]), int(frame[Frame.TARGET])
        parts = [f"{card_name(s, actor, seat)}: {act_text(int(s.card[actor]), int(frame[Frame.ACT]))}"]
        parts += [f"at {card_name(s, target, seat)}"] * (target >= 0)
        parts += ["directed"] * int(frame[Frame.DIRECTED]) + ["a named defender"] * int(frame[Frame.DEFENDED])
        counted = ((Frame.PAID, "tokens paid"), (Frame.LEFT, "rerolls left"), (Frame.COUNT, "targets so far"))
        parts += [f"{word}: {frame[column]}" for column, word in counted if frame[column]]
        parts += [f"difference {frame[Frame.DIFFERENCE]:+d}"] * bool(frame[Frame.DIFFERENCE])
        yield "; ".join(parts)
    if dice := dice_text(s):
        yield f"Dice: {dice}"
    if s.decision in (Decision.PUSH, Decision.GO_OR_WOUND):
        cell = push_leads_to(states, index)
        yield (
            f"The push leads to {cell_name(cell)}."
            if cell >= 0
            else "It can't be pushed: the cell is taken or off the board."
        )
