"""The open question and its answers in words."""

from typing import Final

import numpy as np

from .. import engine
from ..engine import Decision, States
from .cards import act_text
from .facts import card_to_place, crystals_left
from .names import action_name
from .words import ZONE, card_name, cell_name, chosen_together, dice_text, is_turned, player, players, recruiting

# YES and NO by question.
_YES_NO: Final = {
    Decision.SEAT: ("be First", "be Second"),
    Decision.KEEP: ("keep the deal", "deal again, one card fewer"),
    Decision.HIDE: ("leave it face down", "turn it up"),
    Decision.HEAL_FIRST: ("regeneration first", "poison first"),
    Decision.REROLL: ("roll the die again", "let it lie"),
    Decision.PICK_DIE: ("the first die", "the second die"),
    Decision.WEAKEN: ("the column one nearer to 0", "the column as rolled"),
    Decision.CLOSE_OR_WOUND: ("close it", "take the wounds"),
    Decision.PUSH: ("push it", "don't push it"),
    Decision.GO_OR_WOUND: ("be pushed", "take the wounds"),
}
_DONE: Final = {
    Decision.BUY: "no more cards",
    Decision.MAIN: "pass the turn",
    Decision.TARGET: "no further target",
    Decision.DEFENDER: "no defender",
    Decision.AGAIN: "no second strike",
    Decision.VANGUARD: "no strike of Vanguard any more",
}


def action_text(states: States, index: int, action: int) -> str:
    """Return a legal action in words, as an answer to the open question. Raise ValueError if it is not legal."""
    s = states[index]
    if not 0 <= action < len(s.mask) or not s.mask[action]:
        raise ValueError(f"{action_name(action)} is not an answer to the open question")
    return _answer(s, int(s.seat), action)


def _answer(s: np.record, seat: int, action: int) -> str:
    decision = Decision(int(s.decision))
    if action == engine.DONE:
        return _DONE[decision]
    if action in (engine.YES, engine.NO):
        return _YES_NO[decision][action == engine.NO]
    block = max((each for each in engine.BLOCKS if each.start <= action), key=lambda each: each.start)
    offset = action - block.start
    if block.start == engine.CARD:
        return (
            f"buy {engine.TITLE[offset]} ({engine.COST[offset]} {'gold' if engine.ELITE[offset] else 'gold or silver'})"
        )
    if block.start == engine.MOVE:
        slot = seat * engine.SQUAD + offset // engine.NUM_DIRECTIONS
        there = int(engine.STEP[int(is_turned(s, seat)), offset % engine.NUM_DIRECTIONS, s.cell[slot]])
        return f"{card_name(s, slot, seat)} goes to {cell_name(there)}"
    if block.start == engine.ACT:
        slot = seat * engine.SQUAD + offset // engine.NUM_ACTS
        return f"{card_name(s, slot, seat)}: {act_text(int(s.card[slot]), offset % engine.NUM_ACTS)}"
    if block.start == engine.CELL:
        return _place(s, seat, offset)
    if block.start == engine.FLYER:
        return f"{card_name(s, flyer(seat, action), seat)} {ZONE}"
    return f"{offset + 1} token{'s'[: offset > 0]}" if block.start == engine.NUMBER else action_name(action)


def flyer(seat: int, action: int) -> int:
    """Return the slot of the card that a FLYER names, as the seat that answers counts slots (rules 12.18)."""
    place, number = divmod(action - engine.FLYER, engine.SQUAD)
    return int(engine.SEAT_AT[seat, place]) * engine.SQUAD + number


def _place(s: np.record, seat: int, offset: int) -> str:
    """A cell, with the card there."""
    cell = engine.NUM_CELLS - 1 - offset if is_turned(s, seat) else offset
    slot = int(s.at[cell])
    if slot < 0 or s.decision == Decision.PLACE:
        return cell_name(cell)
    return f"{card_name(s, slot, seat)} on {cell_name(cell)}"


def decision_text(states: States, index: int) -> str:
    """Return the open question in words, for the seat that is asked. Raise ValueError if there is none."""
    s = states[index]
    seat, decision = int(s.seat), Decision(int(s.decision))
    if decision == Decision.NONE:
        raise ValueError("no question is open")
    who = player(seat)
    if decision == Decision.BUY:
        gold, both = crystals_left(states, index, seat)
        return f"{who} buys a card: {both} crystal{'s' if both != 1 else ''} left, {gold} of them gold."
    if decision == Decision.PLACE:
        return f"{who} places {engine.TITLE[card_to_place(states, index, seat)]}."
    if decision == Decision.HIDE:
        return f"{who}: does {card_name(s, int(s.actor))} stay face down?"
    return _open_text(s, seat, decision)


def public_decision_text(states: States, index: int) -> str:
    """Return the open question with public information: of a secret one the kind, and the seat where others may know
    it. No text says who has bought, or who has placed where both place at once.
    """
    s = states[index]
    decision = Decision(int(s.decision))
    seats = recruiting(s) if chosen_together(s) else [int(s.seat)]
    who, end = players(seats), "s" if len(seats) == 1 else ""
    squad = "its squad" if end else "their squads"
    secret = {
        Decision.BUY: f"{who} buy{end} {squad}.",
        Decision.PLACE: f"{who} place{end} {squad}.",
        Decision.HIDE: f"{who} chooses which cards of its third row stay face down.",
    }
    return secret[decision] if decision in secret else _open_text(s, int(s.seat), decision)


def _open_text(s: np.record, seat: int, decision: Decision) -> str:
    """A public question."""
    who = player(seat)
    actor = card_name(s, int(s.actor)) if s.actor >= 0 else ""
    target = (
        card_name(s, int(s.target), (int(s.target) // engine.SQUAD + 1) % engine.NUM_SEATS) if s.target >= 0 else ""
    )
    force = "die" if decision != Decision.PICK_DIE else "dice"
    texts = {
        Decision.SEAT: (
            f"{who} has won the roll-off by {max(s.roll_off)} to {min(s.roll_off)}: First, with the first turn, "
            f"{engine.GOLD[0]} gold and {engine.SILVER[0]} silver, or Second, with {engine.GOLD[1]} gold and "
            f"{engine.SILVER[1]} silver?"
        ),
        Decision.KEEP: f"{who}: keep the deal of {s.deal_size[seat]}?",
        Decision.VALHALLA: f"{who}: {actor} in Valhalla helps which creature?",
        Decision.HEAL_FIRST: f"{who}: regeneration or poison of {actor} first?",
        Decision.MAIN: f"{who} moves and acts.",
        Decision.TARGET: f"{who}: the target of {actor}?",
        Decision.TOKENS: f"{who}: how many tokens does {actor} pay?",
        Decision.DEFENDER: f"{who}: a defender for {target} against {actor}?",
        Decision.REROLL: f"{who}: roll the {force} of {actor} again? {_rolled(s)}",
        Decision.PICK_DIE: f"{who}: which of the {force} of {actor} counts? {_rolled(s)}",
        Decision.WEAKEN: f"{who}: lessen the result of {actor}? {_rolled(s)}",
        Decision.CLOSE_OR_WOUND: f"{who}: does {target} close, or take wounds from {actor}?",
        Decision.PUSH: f"{who}: does {actor} push {target}?",
        Decision.GO_OR_WOUND: f"{who}: is {target} pushed, or does it take wounds from {actor}?",
        Decision.AGAIN: f"{who}: a second strike of {actor}?",
        Decision.VANGUARD: f"{who}: a strike of Vanguard before the first turn?",
    }
    return texts[decision]


def _rolled(s: np.record) -> str:
    """The open dice of a fight."""
    text = dice_text(s)
    return f"{text[:1].upper()}{text[1:]}."
