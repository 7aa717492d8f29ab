"""Release Valhalla: every figure there returns to its reserve, in the third Age too (rules 3.6)."""

from .....core.compile.decorators import rule
from .. import hooks
from ..ids import NUM_KINDS, Place, Source
from ..primitives import gain_glory, move_figure
from ..state import State


@rule
def release(s: State) -> None:
    """Figures on the board stay; some upgrades pay for each figure released (rules 6.3.18)."""
    for seat in range(s.num_players):
        glory = hooks.release_glory(s, seat)
        for kind in range(NUM_KINDS):
            for _ in range(s.figures[seat, kind, Place.VALHALLA]):
                move_figure(s, seat, kind, Place.VALHALLA, Place.RESERVE)
                gain_glory(s, seat, glory, Source.RELEASE)
