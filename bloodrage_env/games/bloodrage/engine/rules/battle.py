"""Battle up to the comparison: cards, texts before it, late cards (rules 4.3 to 4.5; 6.1.1 steps 4 to 8)."""

from enum import IntEnum

from .....core.compile.decorators import rule
from .. import hooks
from ..actions import CARD, COUNT, NO
from ..board import FIRST_SLOT, KIND_OF_SLOT, SLOTS_OF
from ..card_ids import NUM_CARDS
from ..cards import LATE, TYPE
from ..ids import NONE, NUM_SLOTS, CardType, Decision, Figure, Routine
from ..information import cards_lie_open
from ..primitives import lay_on_table, lay_open
from ..queries import figures_in_reach, figures_of_kind
from ..stack import ask, clockwise, get, pop, push, put
from ..state import Frame, State


class Step(IntEnum):
    """The steps of a battle, as far as the comparison."""

    BEGIN = 0
    COMMIT = 1
    COUNT_QUESTS = 2
    LATE = 3


@rule
def battle(s: State) -> None:
    """From the choice of cards to the last late one; the comparison is another routine."""
    if get(s, Frame.STEP) == Step.BEGIN:
        begin_battle(s, get(s, Frame.SEAT), get(s, Frame.PLACE))
        put(s, Frame.STEP, Step.COMMIT)
    while get(s, Frame.STEP) == Step.COMMIT:
        if ask_battle_card(s):
            return
        reveal(s)
        if not hooks.after_reveal(s):
            put(s, Frame.STEP, Step.COUNT_QUESTS)
    if get(s, Frame.STEP) == Step.COUNT_QUESTS:
        if ask_count_quest(s):
            return
        put(s, Frame.STEP, Step.LATE)
        if hooks.texts_destroy(s, s.pillager, s.battle_province):
            return
    if ask_late_card(s):
        return
    pop(s)
    push(s, Routine.RESOLUTION, s.pillager, s.battle_province)


@rule
def begin_battle(s: State, pillager: int, province: int) -> None:
    """Every clan with a figure there or in the fjord is in the battle, to the end (rules 4.3)."""
    s.battle = 1
    s.battle_province = province
    s.pillager = pillager
    for seat in range(s.num_players):
        s.in_battle[seat] = figures_in_reach(s, seat, province) > 0
        for n in range(SLOTS_OF[CardType.MONSTER]):
            kind = int(KIND_OF_SLOT[FIRST_SLOT[CardType.MONSTER] + n])
            s.attended[seat, n] = figures_of_kind(s, seat, kind, province)
        s.mystics[seat] = s.figures[seat, Figure.MYSTIC, province]


# ---- step 4: everybody commits a card, all are revealed


@rule
def ask_battle_card(s: State) -> bool:
    """Ask the next clan of the battle that has not chosen; only with an empty hand it has nothing to (rules 4.3).

    Where cards are played openly the pillager is the last one (rules 6.4.5.11).
    """
    first = 1 if cards_lie_open(s) else 0
    for offset in range(first, first + s.num_players):
        seat = clockwise(s, s.pillager, offset)
        chosen = s.pending[seat, 0] != NONE or s.main[seat] != NONE
        if s.in_battle[seat] == 1 and s.hand_size[seat] > 0 and not chosen:
            ask(s, Decision.BATTLE_CARD, seat, s.battle_province, NONE, NONE)
            return True
    return False


@rule
def mask_battle_card(s: State) -> None:
    """CARD[card] of the hand, of any type"""
    for card in range(NUM_CARDS):
        if s.hand[s.seat, card] > 0:
            s.mask[CARD + card] = 1


@rule
def apply_battle_card(s: State, seat: int, action: int) -> None:
    """Face down until all have chosen; or at once on the table, for all to see (rules 6.4.5.11)."""
    if cards_lie_open(s):
        lay_open(s, seat, action - CARD)
    else:
        s.pending[seat, 0] = action - CARD


@rule
def reveal(s: State) -> None:
    """All cards are turned up at once; a battle card's text works now, others have none here (rules 4.3)."""
    for seat in range(s.num_players):
        chosen = s.pending[seat, 0]
        s.pending[seat, 0] = NONE
        if chosen != NONE:
            lay_open(s, seat, chosen)
        card = s.main[seat]
        if card != NONE and TYPE[card] == CardType.BATTLE:
            s.text[seat] = card


# ---- step 7: quests counted as battle cards


@rule
def ask_count_quest(s: State) -> bool:
    """Ask the next clan whose revealed quest may count (rules 6.2.5)."""
    while get(s, Frame.ASKED) < s.num_players:
        seat = clockwise(s, s.pillager, get(s, Frame.ASKED))
        put(s, Frame.ASKED, get(s, Frame.ASKED) + 1)
        if hooks.may_count_quest(s, seat):
            ask(s, Decision.COUNT_QUEST, seat, s.battle_province, s.main[seat], NONE)
            return True
    return False


@rule
def mask_count_quest(s: State) -> None:
    """COUNT[0], or the value of one of the upgrades, never their sum (rules 6.2.5)."""
    for slot in range(NUM_SLOTS):
        s.mask[COUNT + hooks.quest_value(s, s.seat, slot)] = 1


@rule
def apply_count_quest(s: State, seat: int, action: int) -> None:
    """What the quest counts as a battle card."""
    s.counted[seat] = action - COUNT


# ---- step 8: late cards


@rule
def ask_late_card(s: State) -> bool:
    """Ask round and round until all decline in a row (rules 4.5).

    Every clan of the battle with a card in hand is asked, so that the question reveals nothing (rules 7.8).
    """
    while get(s, Frame.DECLINED) < s.num_players:
        seat = clockwise(s, s.pillager, get(s, Frame.NEXT))
        put(s, Frame.NEXT, (get(s, Frame.NEXT) + 1) % s.num_players)
        put(s, Frame.DECLINED, get(s, Frame.DECLINED) + 1)
        if s.in_battle[seat] == 1 and s.hand_size[seat] > 0:
            ask(s, Decision.LATE_CARD, seat, s.battle_province, NONE, NONE)
            return True
    return False


@rule
def mask_late_card(s: State) -> None:
    """CARD[card with a white disc], or NO"""
    s.mask[NO] = 1
    for card in range(NUM_CARDS):
        if LATE[card] == 1 and s.hand[s.seat, card] > 0:
            s.mask[CARD + card] = 1


@rule
def apply_late_card(s: State, seat: int, action: int) -> None:
    """Add it; everybody may answer."""
    if action != NO:
        lay_on_table(s, seat, action - CARD)
        put(s, Frame.DECLINED, 0)
