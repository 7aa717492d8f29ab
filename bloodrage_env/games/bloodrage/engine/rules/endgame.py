"""End of the game: stat bonuses and end-of-game cards (rules 5; 1.5)."""

from .....core.compile.decorators import rule
from .. import hooks
from ..board import STAT_BONUS
from ..ids import NUM_STATS, Source
from ..primitives import gain_glory
from ..state import State


@rule
def final_scores(s: State) -> None:
    """What is added after the third Age; the most glory wins, equal glory shares the victory."""
    for seat in range(s.num_players):
        for stat in range(NUM_STATS):
            gain_glory(s, seat, int(STAT_BONUS[s.stat_step[seat, stat]]), Source.END_BONUS)
        gain_glory(s, seat, int(s.on_board[seat]) * hooks.end_glory(s, seat), Source.UPGRADES)
