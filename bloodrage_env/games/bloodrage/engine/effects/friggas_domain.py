"""Frigga's Domain: an Invade from Valhalla (rules 6.3.7)."""

from .....core.compile.decorators import rule
from ..actions import FIGURE_AT
from ..ids import NUM_BOARD, NUM_KINDS, Place
from ..rules.invade import invade, mask_places
from ..state import State


@rule
def mask_raise_dead(s: State) -> None:
    """FIGURE_AT[kind, place to invade]"""
    for kind in range(NUM_KINDS):
        if s.figures[s.seat, kind, Place.VALHALLA] > 0:
            mask_places(s, s.seat, kind)


@rule
def apply_raise_dead(s: State, seat: int, action: int) -> None:
    """An Invade in every way but its price."""
    invade(s, seat, (action - FIGURE_AT) // NUM_BOARD, Place.VALHALLA, (action - FIGURE_AT) % NUM_BOARD)
