"""Battle cards whose text is not a plain number (rules 6.2)."""

from ...core.compiled import rule
from ..card_ids import Card
from ..cards import STRENGTH, TYPE
from ..ids import NONE, CardType, Figure, Source
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
    """Heimdall's Watch: all revealed cards are discarded for glory; True if the clans choose anew (rules 6.2.2)."""
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


@rule
def is_smite(s: State, seat: int) -> bool:
    """Odin's Smite works for this clan."""
    return s.text[seat] == Card.ODINS_SMITE


@rule
def mark_smite_victim(s: State, seat: int, victim: int, province: int) -> int:
    """One warrior of each other clan in the province (rules 6.2.4); returns how many figures."""
    s.dying[:] = 0
    if victim != seat and s.figures[victim, Figure.WARRIOR, province] > 0:
        s.dying[Figure.WARRIOR] = 1
    return int(s.dying.sum())


@rule
def is_tide(s: State, seat: int) -> bool:
    """Odin's Tide works for this clan; a second one adds nothing (rules 6.2.4)."""
    return s.text[seat] == Card.ODINS_TIDE and s.tide_done == 0


@rule
def is_sight(s: State, seat: int) -> bool:
    """Heimdall's Sight works for this clan (without text it is +0)."""
    return s.text[seat] == Card.HEIMDALLS_SIGHT


@rule
def steals_cards(s: State, seat: int) -> bool:
    """Loki's Poison works for this clan."""
    return s.text[seat] == Card.LOKIS_POISON


@rule
def graces(s: State, seat: int) -> bool:
    """Frigga's Grace works for this clan (rules 6.2.8)."""
    return s.text[seat] == Card.FRIGGAS_GRACE
