"""Hide: blank out of a game everything that one seat cannot know, so that it can be handed to that seat's player."""

from .....core.compile.decorators import entry, rule
from ..card_ids import NUM_CARDS
from ..checks import check_game, check_seat
from ..ids import NONE, NUM_SEATS, SQUAD, Decision, Phase, Setup
from ..information import answered_in_secret, is_hidden, squad_is_seen
from ..primitives import bear, lift
from ..stack import put
from ..state import Frame, State, States


@rule
def hide_squad(s: State, other: int, viewer: int) -> None:
    """Cards of another seat that are not on the table, or lie face down there; of its squad what is seen is left."""
    s.squad[other, :] = 0
    if s.setup == Setup.FULL:
        s.deal[other, :] = 0
    seen = squad_is_seen(s, other)
    for slot in range(other * SQUAD, other * SQUAD + SQUAD):
        if s.card[slot] == NONE:
            continue
        if not seen:
            lift(s, slot)
            bear(s, slot, NONE)
        elif is_hidden(s, slot, viewer):
            s.card[slot] = NONE
            s.moves[slot] = 0
        elif s.card[slot] < NUM_CARDS:
            s.squad[other, s.card[slot]] += 1


@rule
def hide_question(s: State, viewer: int) -> None:
    """How far the other has come with what it chooses in secret, and what it can choose; also how many answers it has
    given, while that would tell how many cards it has bought.
    """
    if s.phase == Phase.PURCHASE or s.phase == Phase.PLACEMENT:
        s.decisions = 0
    if answered_in_secret(s) and s.seat != viewer:
        s.mask[:] = 0
        s.num_legal = 0
        s.actor = NONE
        if s.decision == Decision.HIDE:
            s.decisions = 0
            put(s, Frame.DONE, 0)
            put(s, Frame.SHOWN, 0)


@rule
def hide_record(s: State, viewer: int) -> None:
    """Everything that the viewer cannot know (rules 9.4): what will be rolled, too."""
    s.chance[:] = 0
    for seat in range(NUM_SEATS):
        if seat != viewer:
            hide_squad(s, seat, viewer)
    hide_question(s, viewer)


@entry
def hide(states: States, index: int, seat: int) -> States:
    """What `seat` can know of a game, as an array of one record; the rest is 0 or NONE. It is not a game to play on:
    `redeal` makes one of it. ValueError for another seat.
    """
    check_game(states, index)
    check_seat(states[index], seat)
    copies = states[index : index + 1].copy()
    hide_record(copies[0], seat)
    return copies
