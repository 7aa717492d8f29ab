"""The board as text."""

import textwrap
from collections.abc import Iterator, Mapping
from itertools import zip_longest
from typing import Any, Final

import numpy as np

from ..card_lists import deck_name
from ..engine import COLUMNS, EFFECTS, NONE, NUM_CELLS, NUM_SEATS, ROWS, SQUAD, Combat, Effect, Phase, Setup, States
from ..mode import TEAM
from .questions import decision_text, public_decision_text
from .seen import Seen, name_in, seen_by
from .words import (
    CARDS,
    CELLS,
    MARKED,
    PHASES,
    SLOTS,
    cell_name,
    is_turned,
    outcome,
    player,
    recruiting,
    teams_text,
    who,
)

# What is shown below the board of a card, by the numbers of a struct; "moved" is what a Firesetter asks.
_NOTES: Final = (
    ("directed", "directed for the battle"), ("extra_movement", "movement +{} for the battle"),
    ("bonus", "simple strike +{} this turn"), ("strikes", "strikes this turn: {}"),
    ("entered", "cells entered this turn: {}"), ("stepped", "moved in its owner's last turn"),
    *MARKED.items(),
)  # fmt: skip
WIDTH: Final = 17 if TEAM == 1 else 9  # of a cell; the board of a team battle has twice the columns
LINE: Final = WIDTH * COLUMNS + COLUMNS  # of the board, with what divides the cells


def board_text(states: States, index: int, viewer: int | None = None) -> str:
    """Return a game as lines of text: the head, the board, the graveyards, the open question.

    With `viewer` the text is seen from the side of that seat and contains what it may know. Without it the text is seen
    from First's side and contains public information.
    """
    s, seen = states[index], seen_by(states[index : index + 1], viewer)
    lines = [
        *_head(s, viewer),
        *_map(seen, is_turned(s, viewer)),
        *_zones(s, seen),
        *_graveyards(s, seen),
        *_notes(seen),
    ]
    if s.over:
        lines.append(outcome(s))
    elif viewer == s.seat:
        lines.append(decision_text(states, index))
    else:
        lines.append(public_decision_text(states, index))
    return "\n".join(line.rstrip() for line in lines)


def _head(s: np.record, viewer: int | None) -> Iterator[str]:
    """Return the phase, the turn and the options."""
    turn = f", turn {s.turn} of {s.max_turns}" if s.turn else f", {s.max_turns} turns to come"
    first = "" if s.first == NONE else f"; First is {who(s, int(s.first))}"
    yield f"{PHASES[Phase(s.phase)]}{turn}{first}"
    if TEAM > 1:
        yield teams_text(viewer)
    parts = [f"fights by the table of {'the book' if s.combat == Combat.BOOK else 'differences'}"]
    if s.setup == Setup.FULL:
        decks = ", ".join(f"{player(seat)} {deck_name(s.deck[seat])}" for seat in recruiting(s))
        sizes = ", ".join(f"{player(seat)} {s.deal_size[seat]} cards" for seat in recruiting(s))
        parts = [f"decks: {decks}", f"deals: {sizes}", *parts]
    text = "; ".join(parts)
    yield from textwrap.wrap(text[0].upper() + text[1:], LINE)


def _map(seen: Seen, turned: bool) -> Iterator[str]:
    """Return the rows from the far side on, each with as many lines as its cells need, two at least."""
    ruler = "+".join(["-" * WIDTH] * COLUMNS)
    texts = {cell: [cell, ""] for cell in CELLS}
    for cell, left in seen.get("bonfires", {}).items():
        texts[cell][1] = f"fire to turn {seen['turn']['begun'] + left - 1}"
    for slot, card in seen["cards"].items():
        if "row" in card:
            lies = [f"{slot} {card['card']}", state_of(card)] if "card" in card else [f"{slot} face down"]
            texts[f"{card['column']}{card['row']}"] = lies
    for row in reversed(range(ROWS)):
        cells = [NUM_CELLS - 1 - cell if turned else cell for cell in range(row * COLUMNS, row * COLUMNS + COLUMNS)]
        wrapped = [[line for text in texts[cell_name(cell)] for line in textwrap.wrap(text, WIDTH)] for cell in cells]
        yield ruler
        for line in zip_longest(*wrapped, ["", ""], fillvalue=""):
            yield "|".join(text.ljust(WIDTH) for text in line[:COLUMNS])
    yield ruler


def _zones(s: np.record, seen: Seen) -> Iterator[str]:
    """Return the flyers in the additional zone of each player (rules 12.9)."""
    for seat in range(NUM_SEATS):
        flyers = [
            f"{slot} {card['card']} {state_of(card)}"
            for slot, card in seen["cards"].items()
            if SLOTS[slot] // SQUAD == seat and "in_play" in card and "row" not in card
        ]
        if flyers:
            yield from _wrapped(f"Additional zone of {who(s, seat)}: {'; '.join(flyers)}")


def state_of(card: Mapping[str, Any]) -> str:
    """Return life left, movement left, and tokens of a card: `7/10 m1 closed t2`."""
    marks = [f"{card['life']}/{card['life'] + card.get('wounds', 0)}", f"m{card.get('moves', 0)}"]
    marks += ["stunned" if "stunned" in card else "closed"] * ("closed" in card or "stunned" in card)
    marks += ["hidden"] * ("face_down" in card)
    marks += [f"{letter}{card[name]}" for letter, name in (("t", "tokens"), ("p", "poison")) if name in card]
    return " ".join(marks)


def _graveyards(s: np.record, seen: Seen) -> Iterator[str]:
    for seat in range(NUM_SEATS):
        dead = [(seen["cards"][slot], slot) for slot in seen.get("graveyards", {}).get(player(seat), ())]
        names = [
            f"{card['card']} ({slot}){'' if 'killed_by_enemy' in card else ', not by an enemy'}" for card, slot in dead
        ]
        if names:
            yield from _wrapped(f"Graveyard of {who(s, seat)}: {'; '.join(names)}")


def _notes(seen: Seen) -> Iterator[str]:
    """Return further facts about cards and squads."""
    for slot, card in seen["cards"].items():
        if "card" not in card or "in_play" not in card:
            continue
        armour, printed = card.get("armour", 0), int(EFFECTS[Effect.ARMOUR, CARDS[card["card"]]])
        notes = [text.format(card[name]) for name, text in _NOTES if name in card]
        notes += [f"armour {armour} now"] * (armour != printed)
        if notes:
            yield from _wrapped(f"{name_in(seen, slot)}: {', '.join(notes)}")
    for seat in range(NUM_SEATS):
        if gains := seen["players"][player(seat)].get("squad_has"):
            yield f"The squad of {player(seat)} has {', '.join(gains)}"


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, LINE, subsequent_indent="  ")
