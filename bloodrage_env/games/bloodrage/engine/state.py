"""The whole game as one structured record: `STATE`. Arrays have room for the most seats; absent ones stay zero.

`S` below is the seats, `K` the figure kinds, `P` the places, `C` the card ids. Only `primitives.py` writes scores,
figures and cards, so that `invariants.py` can say what always holds.
"""

from enum import IntEnum
from typing import Annotated, Final, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from ....core.compiled import Compiler
from .actions import NUM_ACTIONS
from .card_ids import CARD_CAPACITY, NUM_CARDS, QUEST_CAPACITY
from .cards import COPIES, LATE, QUESTS
from .ids import (
    GODS_IN_GAME,
    KIND_CAPACITY,
    MAX_SEATS,
    NUM_AGES,
    NUM_BOARD,
    NUM_PLACES,
    NUM_PROVINCES,
    NUM_SLOTS,
    NUM_SOURCES,
    NUM_STATS,
)

PACK_SIZE: Final = 8  # cards dealt to each clan an Age (rules 3.1.1)
MAX_SHOWN: Final = PACK_SIZE + 1  # own cards that a clan can show in an Age: those dealt and the kept one
MAX_DEPTH: Final = 15  # of the stack of routines
MAX_DECISIONS: Final = 10_000  # a game that asks more is cut off: seats that cooperate can loop for ever
# With room for later cards, so that the record keeps its size:
DECK_SIZE: Final = 56  # the largest deck (rules 6.4.1.3)
MAX_QUESTS: Final = 20  # of an Age, and one kept by each clan
MAX_LATE: Final = 8  # cards that may be added in a battle, of all Ages
KNOWN_COPIES: Final = 3  # of one quest in one hand

_FULL: Final = COPIES.sum(axis=0)[MAX_SEATS]  # by Age and card: the decks of a game with all sets and seats
for _needed, _reserved in (
    (NUM_CARDS, CARD_CAPACITY),
    (len(QUESTS), QUEST_CAPACITY),
    (_FULL.sum(axis=1).max(), DECK_SIZE),
    (_FULL[:, QUESTS].sum(axis=1).max() + MAX_SEATS, MAX_QUESTS),
    (_FULL[:, LATE == 1].sum(), MAX_LATE),
    (_FULL[:, QUESTS].max(), KNOWN_COPIES),
):
    if _needed > _reserved:
        raise RuntimeError(f"cards.csv needs room for {_needed} where card_ids.py or state.py reserves {_reserved}")


class Frame(IntEnum):
    """Columns of a frame on the stack of routines. Which ones a routine uses is said in `frames.py`."""

    ROUTINE = 0
    STEP = 1
    SEAT = 2  # whose routine it is, or NONE
    PLACE = 3  # the place that it is about, or NONE
    ORIGIN = 4  # where a March or an Invade begins
    KIND = 5  # the figure that invades
    KINDS = 6  # bits: kinds of which one may invade for free
    CARD = 7  # the upgrade that is laid; the lowest card still offered to be taken back
    SLOT = 8  # of the upgrade, among those of its type
    FIRST = 9  # the figure sacrificed first, as an action
    CAUSE = 10  # of deaths
    LOSERS = 11  # bits: clans that have lost the battle
    ASKED = 12  # seats gone through
    VICTIMS = 13  # seats gone through as victims of one clan's card
    NEXT = 14  # the seat to be asked next, or how far from the pillager it is
    DECLINED = 15  # seats that have been asked since somebody last accepted


FRAME_SIZE: Final = len(Frame)

NOTHING: Final = -2  # in `pending`: chose to keep no card

S, K, P, C = MAX_SEATS, KIND_CAPACITY, NUM_PLACES, CARD_CAPACITY

_FIELDS = np.dtype(
    [
        # ---- options
        ("num_players", np.int8),
        ("first_game", np.int8),
        ("skip_forced", np.int8),
        ("sets", np.int8),  # bits: the card sets beside the base game (CardSet)
        # ---- the clock
        ("age", np.int8),  # 0, 1, 2
        ("phase", np.int8),  # Phase
        ("first_player", np.int8),  # a seat
        ("over", np.int8),  # the game has ended, or was cut off
        ("truncated", np.int8),  # it was cut off
        ("decisions", np.int32),  # answers given so far, skipped ones too
        # ---- the question that is open
        ("decision", np.int8),  # Decision
        ("seat", np.int8),  # who must answer, or NONE
        ("about_place", np.int8),  # the province, or NONE
        ("about_card", np.int8),  # the card, or NONE
        ("about_kind", np.int8),  # the figure kind, or NONE
        ("low", np.int8),  # the least COUNT of figures that march or are saved
        ("high", np.int8),  # the greatest
        ("stats", np.int8),  # bits: stats that may be raised
        ("kinds", np.int8),  # bits: figure kinds that may invade for free
        ("escape", np.int8),  # the figure about to die may escape instead
        ("num_legal", np.int16),  # legal actions
        ("mask", np.int8, NUM_ACTIONS),  # 1 for each legal action
        # ---- clans
        ("stat_step", np.int8, (S, NUM_STATS)),  # 0 to 5
        ("rage", np.int32, S),  # Rage left
        ("glory", np.int32, S),
        ("glory_from", np.int32, (S, NUM_SOURCES)),  # by Source
        ("passed", np.int8, S),  # in this Age
        ("upgrades", np.int8, (S, NUM_SLOTS)),  # card or NONE
        # ---- figures
        ("figures", np.int8, (S, K, P)),  # how many
        ("on_board", np.int8, S),  # own figures on the board: what Horns limit
        ("occupied", np.int8, NUM_BOARD),  # figures in a place, of all clans
        # ---- provinces
        ("token", np.int8, NUM_PROVINCES),  # Token
        ("pillaged", np.int8, NUM_PROVINCES),  # the token is taken, in this Age
        ("destroyed", np.int8, NUM_PROVINCES),  # out of the game
        ("ragnarok", np.int8, NUM_AGES),  # the doomed province of each Age
        ("barred", np.int8, (S, NUM_PROVINCES)),  # the clan may not choose to pillage it for now (rules 6.4.1.7)
        # ---- gods (rules 6.4.5)
        ("gods", np.int8, GODS_IN_GAME),  # God, in the order in which they were drawn, or NONE
        ("god_in", np.int8, NUM_PROVINCES),  # the God who stands there, or NONE
        # Of each later Age the Ragnarok tokens that place its gods (rules 6.4.5.2), in the order in which they will be
        # drawn when it begins:
        ("god_tokens", np.int8, (NUM_AGES, MAX_SEATS)),  # provinces, one for each player; NONE from then on
        # ---- cards
        ("draft_round", np.int8),  # rounds of the draft that are done
        ("hand", np.int8, (S, C)),  # copies
        ("hand_size", np.int8, S),  # cards
        ("quests", np.int8, (S, MAX_QUESTS)),  # committed, in order
        ("quest_count", np.int8, S),  # how many
        ("quests_open", np.int8),  # they lie face up (rules 3.4)
        ("pending", np.int8, (S, 2)),  # simultaneous choices made and not yet shown: cards, NONE or NOTHING
        ("discards", np.int8, C),  # open to all
        ("gone", np.int8, (S, C)),  # cards that only this seat saw leave the game
        # ---- what everybody knows of a hand (information.py)
        ("known", np.int8, (S, C)),  # copies that are for sure in the hand or among the committed quests
        # ---- the battle (rules 4, 6.1)
        ("battle", np.int8),  # 1 from the first choice of cards to the last text
        ("battle_province", np.int8),  # or NONE
        ("pillager", np.int8),  # seat or NONE
        ("in_battle", np.int8, S),  # the clan had figures in it when it began (rules 4.3)
        ("main", np.int8, S),  # the revealed card or NONE
        ("late", np.int8, (S, MAX_LATE)),  # cards added, or NONE
        ("late_count", np.int8, S),  # how many
        ("text", np.int8, S),  # the revealed card whose text works, or NONE
        ("counted", np.int8, S),  # what a revealed quest counts
        ("fallen", np.int8, S),  # figures destroyed since the reveal
        ("attended", np.int8, (S, 2)),  # the monster of this slot was there when cards were first chosen
        ("mystics", np.int8, S),  # so many Mystics were there then
        ("tide_done", np.int8),  # a Tide has worked in this battle
        ("total", np.int16, S),  # STR of figures and cards, once compared
        ("winner", np.int8),  # seat or NONE
        ("thief", np.int8),  # who takes the winner's cards, or NONE
        # ---- composite moves
        ("march", np.int8, K),  # figures chosen to go
        ("dying", np.int8, K),  # figures about to be destroyed
        # ---- the stack of routines
        ("depth", np.int8),  # frames on it
        ("stack", np.int16, (MAX_DEPTH, FRAME_SIZE)),  # by depth from the bottom, and Frame
        # ---- what few decisions need: records are prefetched up to here
        # A pack is eight places of the Age's deck in a row: place k is the card that was taken k-th from it, so
        # that the deck is the record of the draft as well; what was not dealt lies behind the packs.
        ("deck", np.int8, (NUM_AGES, DECK_SIZE)),
        # Of the known copies of a quest, oldest first: quests the clan had committed when it was last seen in the hand.
        ("known_since", np.int8, (S, QUEST_CAPACITY, KNOWN_COPIES)),
        ("shown", np.int8, (NUM_AGES, S, MAX_SHOWN)),  # dealt or kept cards that the clan has shown in an Age
        ("shown_count", np.int8, (NUM_AGES, S)),  # how many
        ("end_known", np.int8, (NUM_AGES, S, C)),  # `known` of the hands from which 3.3 discarded
        ("end_hand", np.int8, (NUM_AGES, S)),  # size of that hand
        ("kept", np.int8, (NUM_AGES, S)),  # cards kept: 0 or 1
    ],
    align=True,
)
# Records, so that fields are attributes without compilation too.
STATE = cast("np.dtype[np.record]", np.dtype((np.record, _FIELDS)))

# Bytes of a record that most decisions need, with the outer frames of the stack.
HOT_BYTES: Final = int(dict(_FIELDS.fields or {})["deck"][1])

# One game, and an array of games, as arguments of compiled functions; and what compiles those that `core` makes.
COMPILER: Final = Compiler("bloodrage", STATE)
State: TypeAlias = Annotated[np.record, COMPILER.record]
States: TypeAlias = Annotated[npt.NDArray[np.record], COMPILER.record[::1]]
