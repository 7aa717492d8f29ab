"""The only functions that write scores, figures and cards, so that what must always hold is kept in one place."""

from ....core.compile.decorators import rule
from .board import FIRST_SLOT, KIND_OF_SLOT, SLOTS_OF, STAT_VALUE
from .ids import FIRST_FJORD, NONE, NUM_BOARD, NUM_MYSTICS, NUM_PLACES, NUM_STEPS, CardType, Figure, Place
from .information import note_left_hand, note_seen_in_hand
from .state import MAX_LATE, State

# ---- scores


@rule
def gain_glory(s: State, seat: int, glory: int, source: int) -> None:
    """Glory from a `Source`; a negative number when a card takes some away."""
    s.glory[seat] += glory
    s.glory_from[seat, source] += glory


@rule
def gain_rage(s: State, seat: int, rage: int) -> None:
    """Rage to spend in this Age; a negative number pays. No upper limit (rules 6.2.9)."""
    s.rage[seat] += rage


@rule
def set_rage(s: State, seat: int, rage: int) -> None:
    """Rage at the start and the end of an Action phase, and of a clan that passes (rules 3.2.1, 3.2.3, 3.2.4)."""
    s.rage[seat] = rage


@rule
def raise_stat(s: State, seat: int, stat: int) -> None:
    """One step; a stat on its last step gains nothing more (rules 4.8)."""
    if s.stat_step[seat, stat] < NUM_STEPS - 1:
        s.stat_step[seat, stat] += 1


@rule
def stat_value(s: State, seat: int, stat: int) -> int:
    """The value of the present step of a stat (rules 1.5)."""
    return int(STAT_VALUE[stat, s.stat_step[seat, stat]])


# ---- figures


@rule
def move_figure(s: State, seat: int, kind: int, origin: int, target: int) -> None:
    """Move one figure between any two places, reserve and Valhalla included."""
    s.figures[seat, kind, origin] -= 1
    s.figures[seat, kind, target] += 1
    if origin < NUM_BOARD:
        s.occupied[origin] -= 1
        s.on_board[seat] -= 1
    if target < NUM_BOARD:
        s.occupied[target] += 1
        s.on_board[seat] += 1


@rule
def figure_place(s: State, seat: int, kind: int, province: int, fjord: int) -> int:
    """Where a figure of this kind stands, in a province or in its supporting fjord."""
    return province if s.figures[seat, kind, province] > 0 else fjord


@rule
def remove_monster(s: State, seat: int, kind: int) -> None:
    """A discarded monster's figure leaves the game from wherever it is (rules 3.2.7)."""
    for place in range(NUM_PLACES):
        if s.figures[seat, kind, place] > 0:
            s.figures[seat, kind, place] = 0
            if place < NUM_BOARD:
                s.occupied[place] -= 1
                s.on_board[seat] -= 1


@rule
def mystics_in_supply(s: State, seat: int) -> int:
    """Mystics of a clan that no card has brought yet; none come back (rules 6.4.4.1, 6.4.4.4)."""
    return NUM_MYSTICS - int(s.figures[seat, Figure.MYSTIC].sum())


@rule
def recruit(s: State, seat: int, count: int) -> None:
    """So many Mystics come from the supply to the reserve, or those that are left (rules 6.4.4.2)."""
    s.figures[seat, Figure.MYSTIC, Place.RESERVE] += min(count, mystics_in_supply(s, seat))


# ---- cards


@rule
def add_to_hand(s: State, seat: int, card: int) -> None:
    """A card that nobody else sees."""
    s.hand[seat, card] += 1
    s.hand_size[seat] += 1


@rule
def take_from_hand(s: State, seat: int, card: int) -> None:
    """A card leaves the hand face down."""
    s.hand[seat, card] -= 1
    s.hand_size[seat] -= 1


@rule
def show_from_hand(s: State, seat: int, card: int) -> None:
    """A card leaves the hand in the open."""
    take_from_hand(s, seat, card)
    note_left_hand(s, seat, card)


@rule
def take_in_hand_openly(s: State, seat: int, card: int) -> None:
    """A card that all have seen goes into a hand (rules 4.6, 6.2.7)."""
    add_to_hand(s, seat, card)
    note_seen_in_hand(s, seat, card)


@rule
def commit_quest(s: State, seat: int, card: int) -> None:
    """From the hand to the clan sheet, face down (rules 3.2.8)."""
    take_from_hand(s, seat, card)
    s.quests[seat, s.quest_count[seat]] = card
    s.quest_count[seat] += 1


@rule
def discard_openly(s: State, card: int) -> None:
    """To the discards that all have seen."""
    s.discards[card] += 1


@rule
def lay_upgrade(s: State, seat: int, card: int, card_type: int, slot: int) -> None:
    """Put an upgrade into a slot; what lay there is discarded, its monster leaves the game (rules 3.2.7)."""
    old = s.upgrades[seat, slot]
    if old != NONE:
        discard_openly(s, old)
        if card_type == CardType.MONSTER:
            remove_monster(s, seat, int(KIND_OF_SLOT[slot]))
    s.upgrades[seat, slot] = card
    if card_type == CardType.MONSTER:
        s.figures[seat, KIND_OF_SLOT[slot], Place.RESERVE] = 1


@rule
def leave_unseen(s: State, seat: int, card: int) -> None:
    """A card leaves the game, and only this seat has seen which (rules 2.6)."""
    s.gone[seat, card] += 1


@rule
def lay_open(s: State, seat: int, card: int) -> None:
    """The card chosen for a battle is revealed (rules 4.3)."""
    show_from_hand(s, seat, card)
    s.main[seat] = card


@rule
def lay_on_table(s: State, seat: int, card: int) -> None:
    """A late card joins the revealed one (rules 4.5)."""
    if s.late_count[seat] < MAX_LATE:
        show_from_hand(s, seat, card)
        s.late[seat, s.late_count[seat]] = card
        s.late_count[seat] += 1


@rule
def take_from_table(s: State, seat: int, card: int) -> None:
    """Remove one copy of a card that a clan has on the table."""
    for i in range(s.late_count[seat]):
        if s.late[seat, i] == card:
            last = s.late_count[seat] - 1
            s.late[seat, i] = s.late[seat, last]
            s.late[seat, last] = NONE
            s.late_count[seat] = last
            return
    s.main[seat] = NONE


@rule
def card_on_table(s: State, seat: int, lowest: int) -> int:
    """The lowest card id, from `lowest` on, that a clan has on the table, or NONE."""
    found = NONE
    if s.main[seat] >= lowest:
        found = int(s.main[seat])
    for i in range(s.late_count[seat]):
        card = int(s.late[seat, i])
        if card >= lowest and (found == NONE or card < found):
            found = card
    return found


# ---- what a clan sheet says


@rule
def has_upgrade(s: State, seat: int, card: int, card_type: int) -> bool:
    """Whether an upgrade is in a slot of its type."""
    first = FIRST_SLOT[card_type]
    for slot in range(first, first + SLOTS_OF[card_type]):
        if s.upgrades[seat, slot] == card:
            return True
    return False


@rule
def is_fjord(place: int) -> bool:
    """Whether a place of the board is a fjord."""
    return place >= FIRST_FJORD
