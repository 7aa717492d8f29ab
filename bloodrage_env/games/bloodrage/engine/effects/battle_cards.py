"""Battle cards whose text is not a plain number (rules 6.2)."""

from .....core.compile.decorators import rule
from ..card_ids import Card
from ..cards import STRENGTH, TYPE
from ..ids import NONE, CardType, Source
from ..primitives import discard_openly, gain_glory, take_from_table
from ..stack import clockwise
from ..state import State


@rule
def silence(s: State) -> None:
    """Thor's Primacy: the first one in order cancels the texts of all other clans' cards (rules 6.1.3, 6.2.1)."""
    for offset in range(s.num_players):
        seat = clockwise(s, s.pillager, offset)
        if s.text[seat] == Card.THORS_PRIMACY:
            for other in range(s.num_players):
                if other != seat:
                    s.text[other] = NONE
            return


@rule
def watch(s: State) -> bool:
    """Heimdall's Watch: all revealed cards are discarded for glory; True if the clans choose again (rules 6.2.2)."""
    for offset in range(s.num_players):
        seat = clockwise(s, s.pillager, offset)
        if s.text[seat] == Card.HEIMDALLS_WATCH:
            glory = 0
            for other in range(s.num_players):
                card = s.main[other]
                if card != NONE:
                    if TYPE[card] == CardType.BATTLE:
                        glory += int(STRENGTH[card])
                    take_from_table(s, other, card)
                    discard_openly(s, card)
                s.text[other] = NONE
            gain_glory(s, seat, glory, Source.BATTLE_CARDS)
            return True
    return False
