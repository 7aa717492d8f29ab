"""Hide: blank out of a game everything that one seat cannot know, so that it can be handed to that seat's player."""

from .....core.compile.decorators import entry, rule
from .....core.compile.local_arrays import local_zeros
from ..checks import check_game, check_seat
from ..ids import NONE, NUM_AGES, Decision
from ..information import question_hidden
from ..rules.gods import sort_god_tokens
from ..stack import clockwise, get, no_question, put
from ..state import DECK_SIZE, NOTHING, Frame, State, States
from .groups import DEAL, Deal, Deals, lay_out


@rule
def hide_decks(s: State, d: Deal) -> None:
    """Of a group of places the seat knows the cards, not their order: they are placed by rising id."""
    for age in range(NUM_AGES):
        for i in range(DECK_SIZE):
            group = d.group[age, i]
            if group != NONE:
                card = 0
                while d.copies[age, group, card] == 0:
                    card += 1
                d.copies[age, group, card] -= 1
                s.deck[age, i] = card


@rule
def hide_clan(s: State, seat: int) -> None:
    """Hand, quests and secret choices of another clan; that a choice was made stays (as NOTHING)."""
    s.hand[seat, :] = 0
    s.gone[seat, :] = 0
    if s.quests_open == 0:
        s.quests[seat, :] = NONE
    for i in range(2):
        if s.pending[seat, i] != NONE:
            s.pending[seat, i] = NOTHING


@rule
def hide_cards(s: State, deals: Deals, viewer: int) -> None:
    """Everything of the cards that the viewer cannot know."""
    lay_out(s, deals[0], viewer)
    hide_decks(s, deals[0])
    for seat in range(s.num_players):
        if seat != viewer:
            hide_clan(s, seat)


@rule
def secret_answers(s: State, viewer: int) -> int:
    """Answers that were given in the choice under way and that nobody but who gave them may count.

    With late cards these are all since the last one was added: `close_secret_question` has everybody begin again.
    """
    answers = 0
    if s.decision == Decision.LATE_CARD:
        for back in range(2, get(s, Frame.DECLINED) + 1):  # the last one is asked now
            seat = clockwise(s, s.pillager, get(s, Frame.NEXT) + int(s.num_players) - back)
            answers += int(s.in_battle[seat] == 1 and s.hand_size[seat] > 0)
        return answers
    for seat in range(s.num_players):
        if seat != viewer:
            for i in range(2):
                answers += int(s.pending[seat, i] != NONE)
    return answers


@rule
def close_secret_question(s: State, viewer: int) -> None:
    """While others choose in secret no question is open, and how far they have come is not known.

    No answer of theirs is counted. When the routine goes on, they begin again: with simultaneous choices all but the
    viewer that has chosen; with late cards from the viewer's left, nobody having declined, so that the viewer, who is
    not asked now, is not the first.
    """
    if not question_hidden(s, viewer):
        return
    s.decisions -= secret_answers(s, viewer)
    if s.decision == Decision.LATE_CARD:
        put(s, Frame.NEXT, clockwise(s, viewer + 1, int(s.num_players) - int(s.pillager)))
        put(s, Frame.DECLINED, 0)
    else:
        for seat in range(s.num_players):
            if seat != viewer:
                s.pending[seat, :] = NONE
    no_question(s)


@rule
def hide_game(s: State, viewer: int) -> None:
    """Blank a game in place; the mask stays only if it is the viewer's own."""
    close_secret_question(s, viewer)
    hide_cards(s, local_zeros(1, DEAL), viewer)
    sort_god_tokens(s)
    if s.seat != viewer:
        s.mask[:] = 0
        s.num_legal = 0


@entry
def hide(states: States, index: int, seat: int) -> States:
    """What `seat` knows of a game, as an array of one record; the original is unchanged.

    The same for any two games that have given the seat the same past. Open fields, the seat's own cards and `hand_size`
    are as they are; hands and quests of the others are empty, cards whose place is not known are in rising order. While
    others choose in secret `decision` and `seat` are NONE (0 and -1), and nothing says who has chosen. `redeal` and
    `observe` for this seat give the same from it as from the game; it can't be played on.
    """
    check_game(states, index)
    check_seat(states[index], seat)
    views = states[index : index + 1].copy()
    hide_game(views[0], seat)
    return views
