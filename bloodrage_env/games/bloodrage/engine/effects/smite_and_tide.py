"""Odin's Smite and Odin's Tide: figures die before totals are compared (rules 6.2.4; step 7 of rules 6.1.1)."""

from .....core.compile.decorators import rule
from ..actions import FIGURE_AT
from ..board import FJORD_OF
from ..card_ids import Card
from ..ids import NONE, NUM_BOARD, NUM_KINDS, Cause, Decision, Figure
from ..primitives import figure_place
from ..queries import figures_in_reach, figures_of_kind
from ..rules.deaths import begin_deaths, mark_all
from ..stack import ask, clockwise, figure_at, get, pop, put
from ..state import Frame, State


@rule
def smite_victims(s: State, owner: int, victim: int, province: int) -> int:
    """How many warriors of a clan the Smite of another destroys: one, if any stands in the province."""
    return int(victim != owner and s.figures[victim, Figure.WARRIOR, province] > 0)


@rule
def card_victims(s: State, owner: int, card: int, victim: int, kind: int, province: int) -> int:
    """Figures of a kind that a card of `owner` destroys of a clan before totals are compared: those of the Smite. With
    the Tide the clan itself says which figure it keeps.
    """
    if card == Card.ODINS_SMITE and kind == Figure.WARRIOR:
        return smite_victims(s, owner, victim, province)
    return 0


@rule
def smite_and_tide(s: State) -> None:
    """Clan by clan from the pillager: the owners of such cards, and for each the clans that it meets."""
    province = get(s, Frame.PLACE)
    while get(s, Frame.ASKED) < s.num_players:
        owner = clockwise(s, s.pillager, get(s, Frame.ASKED))
        text = s.text[owner]
        tide = text == Card.ODINS_TIDE and s.tide_done == 0  # a second one adds nothing
        while (tide or text == Card.ODINS_SMITE) and get(s, Frame.VICTIMS) < s.num_players:
            victim = clockwise(s, s.pillager, get(s, Frame.VICTIMS))
            put(s, Frame.VICTIMS, get(s, Frame.VICTIMS) + 1)
            if tide and figures_in_reach(s, victim, province) > 1:
                ask(s, Decision.KEEP_FIGURE, victim, province, NONE, NONE)
                return
            if not tide and smite_victims(s, owner, victim, province) > 0:
                s.dying[:] = 0
                s.dying[Figure.WARRIOR] = smite_victims(s, owner, victim, province)
                begin_deaths(s, victim, province, Cause.CARD)
                return
        if tide:
            s.tide_done = 1
        put(s, Frame.ASKED, get(s, Frame.ASKED) + 1)
        put(s, Frame.VICTIMS, 0)
    pop(s)


@rule
def mask_keep_figure(s: State) -> None:
    """FIGURE_AT[kind, where it stands]: ships of the fjord too."""
    province = int(s.about_place)
    for kind in range(NUM_KINDS):
        if figures_of_kind(s, s.seat, kind, province) > 0:
            s.mask[figure_at(kind, figure_place(s, s.seat, kind, province, FJORD_OF[province]))] = 1


@rule
def apply_keep_figure(s: State, seat: int, action: int) -> None:
    """All figures of the clan but one are about to die."""
    mark_all(s, seat, s.battle_province)
    s.dying[(action - FIGURE_AT) // NUM_BOARD] -= 1
    begin_deaths(s, seat, s.battle_province, Cause.TIDE)
