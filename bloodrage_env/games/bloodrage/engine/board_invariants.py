"""What always holds of figures and of where they stand; `invariants.py` says when each is looked at."""

import numpy as np

from ....core.compile.decorators import rule
from .board import FIGURES_AT_START, UNLIMITED, VILLAGES
from .card_ids import NUM_CARDS
from .cards import EFFECTS, Effect
from .decks import has_set
from .hooks import is_monster, is_mystic, is_ship
from .ids import FIRST_FJORD, NUM_BOARD, NUM_KINDS, NUM_MYSTICS, NUM_PLACES, CardSet
from .primitives import mystics_in_supply
from .queries import fjord_in_use, upgrade_sum
from .state import State


@rule
def figures_hold(s: State, seat: int) -> bool:
    """Invariant.FIGURES"""
    for kind in range(NUM_KINDS):
        total = 0
        for place in range(NUM_PLACES):
            total += int(s.figures[seat, kind, place])
        if is_mystic(s, seat, kind):
            if total > NUM_MYSTICS or total < min(NUM_MYSTICS, upgrade_sum(s, seat, Effect.RECRUITS)):
                return False
        elif total != FIGURES_AT_START[kind] + int(is_monster(s, seat, kind)):
            return False
    return True


@rule
def mystics_hold(s: State) -> bool:
    """Invariant.MYSTICS"""
    missing = 0
    for seat in range(s.num_players):
        missing += NUM_MYSTICS - mystics_in_supply(s, seat) - upgrade_sum(s, seat, Effect.RECRUITS)
    for card in range(NUM_CARDS):
        missing -= int(s.discards[card]) * int(EFFECTS[Effect.RECRUITS, card])
    return missing <= 0


@rule
def bars_hold(s: State) -> bool:
    """Invariant.BARS"""
    if has_set(s, CardSet.MYSTICS) or has_set(s, CardSet.GODS):
        return s.barred[s.num_players :].sum() == 0
    return s.barred.sum() == 0


@rule
def counts_hold(s: State) -> bool:
    """Invariant.COUNTS"""
    occupied = np.zeros(NUM_BOARD, dtype=np.int64)
    for seat in range(s.num_players):
        on_board = 0
        for kind in range(NUM_KINDS):
            for place in range(NUM_BOARD):
                on_board += int(s.figures[seat, kind, place])
                occupied[place] += s.figures[seat, kind, place]
        if on_board != s.on_board[seat]:
            return False
    for place in range(NUM_BOARD):
        if occupied[place] != s.occupied[place]:
            return False
    return True


@rule
def villages_hold(s: State) -> bool:
    """Invariant.VILLAGES"""
    for place in range(NUM_BOARD):
        if VILLAGES[place] != UNLIMITED and s.occupied[place] > VILLAGES[place]:
            return False
    return True


@rule
def places_hold(s: State, seat: int) -> bool:
    """Invariant.PLACES"""
    for kind in range(NUM_KINDS):
        for place in range(NUM_BOARD):
            if s.figures[seat, kind, place] > 0:
                if is_ship(s, seat, kind):
                    if place < FIRST_FJORD or not fjord_in_use(s, place):
                        return False
                elif place >= FIRST_FJORD or s.destroyed[place] == 1:
                    return False
    return True
