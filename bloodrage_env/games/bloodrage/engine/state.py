"""The whole game as one structured record: `STATE`. Arrays have room for the most seats; absent ones stay zero.

The axis `S` has the seats, `K` the figure kinds, `P` the places, `C` the card ids, `Q` the quests.
Only `primitives.py` writes scores, figures and cards, so that `invariants.py` can say what always holds.
"""

from typing import Annotated, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from ....core.compile.decorators import Compiler
from ....core.engine.record import FLAG, Columns, axis, field, group, head, record
from .actions import FIGURE_AT, MAX_COUNT, NUM_ACTIONS
from .board import MOST_OF_KIND
from .card_ids import CARD_CAPACITY, NUM_CARDS, QUEST_CAPACITY
from .cards import COPIES, LATE, QUESTS
from .ids import (
    GODS_IN_GAME,
    KIND_CAPACITY,
    MAX_SEATS,
    NONE,
    NUM_AGES,
    NUM_BOARD,
    NUM_GODS,
    NUM_KINDS,
    NUM_MYSTICS,
    NUM_OUTER,
    NUM_PHASES,
    NUM_PLACES,
    NUM_PROVINCES,
    NUM_SLOTS,
    NUM_SOURCES,
    NUM_STATS,
    NUM_STEPS,
    NUM_TOKENS,
    NUM_WARRIORS,
    PLAYABLE,
    Cause,
    Decision,
    Routine,
)

PACK_SIZE: Final = 8  # cards dealt to each clan an Age (rules 3.1.1)
DRAFTED: Final = 6  # cards kept in a draft (rules 3.1.2)
MAX_SHOWN: Final = PACK_SIZE + 1  # own cards that a clan can show in an Age: those dealt and the kept one
MAX_DEPTH: Final = 15  # of the stack of routines
# Of a game: the game, a phase, a Blessing for each warrior of the one clan that can have Thor's Domain too, and a
# battle with what happens in it.
DEEPEST: Final = 2 + NUM_WARRIORS + 3
MAX_FIGURES: Final = int(MOST_OF_KIND.sum())  # of a clan
MAX_SCORE: Final = 1_000_000  # glory or Rage: more than a game of MAX_DECISIONS can bring
MAX_TOTAL: Final = 1_000  # STR and cards of a clan in a battle
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


NOTHING: Final = -2  # in `pending`: chose to keep no card

A_SEAT: Final = (0, MAX_SEATS - 1)
SEAT_OR_NONE: Final = (NONE, MAX_SEATS - 1)
SEATS: Final = (0, MAX_SEATS)
PROVINCE_OR_NONE: Final = (NONE, NUM_PROVINCES - 1)
A_PLACE: Final = (0, NUM_PLACES - 1)
A_KIND: Final = (0, NUM_KINDS - 1)
KIND_BITS: Final = (0, 2**NUM_KINDS - 1)
CARD_OR_NONE: Final = (NONE, NUM_CARDS - 1)
A_COUNT: Final = (0, MAX_COUNT)
WARRIORS: Final = (0, NUM_WARRIORS)
COPIES_OF_A_CARD: Final = (0, int(COPIES.sum(axis=(0, 2)).max()))
CARDS_IN_HAND: Final = (0, DECK_SIZE)


class Frame(Columns):
    """Columns of a frame on the stack of routines, each with its range, also in a frame that has left the stack. Which
    ones a routine uses is said in `frames.py`.
    """

    ROUTINE = 0, (0, len(Routine) - 1)
    STEP = 1, (0, max(NUM_PHASES, NUM_KINDS))
    SEAT = 2, SEAT_OR_NONE, "whose routine it is, or NONE"
    PLACE = 3, (NONE, NUM_PLACES - 1), "the place that it is about, or NONE"
    ORIGIN = 4, A_PLACE, "where a March or an Invade begins"
    KIND = 5, A_KIND, "the figure that invades"
    KINDS = 6, KIND_BITS, "bits: kinds of which one may invade for free"
    CARD = 7, (0, NUM_CARDS), "the upgrade that is laid; the lowest card still offered to be taken back"
    SLOT = 8, (0, NUM_SLOTS - 1), "of the upgrade, among those of its type"
    FIRST = 9, (0, FIGURE_AT + NUM_KINDS * NUM_BOARD - 1), "the figure sacrificed first, as an action"
    CAUSE = 10, (0, max(Cause)), "of deaths"
    LOSERS = 11, (0, 2**MAX_SEATS - 1), "bits: clans that have lost the battle"
    ASKED = 12, SEATS, "seats gone through"
    VICTIMS = 13, SEATS, "seats gone through as victims of one clan's card"
    NEXT = 14, A_SEAT, "the seat to be asked next, or how far from the pillager it is"
    DECLINED = 15, SEATS, "seats that have been asked since somebody last accepted"


S, K = axis("S", MAX_SEATS), axis("K", KIND_CAPACITY, NUM_KINDS)
P, C, Q = axis("P", NUM_PLACES), axis("C", CARD_CAPACITY, NUM_CARDS), axis("Q", QUEST_CAPACITY, len(QUESTS))

HEAD: Final = head((2, MAX_SEATS), NUM_ACTIONS, Decision, MAX_DECISIONS, Frame, MAX_DEPTH)

# The record: of each field the range, the meaning and the axes.
GROUPS: Final = (
    group(
        "options",
        HEAD.num_players,
        field("first_game", FLAG),
        HEAD.skip_forced,
        field("sets", (0, PLAYABLE), "bits: the card sets beside the base game (CardSet)"),
    ),
    group(
        "the clock",
        field("age", (0, NUM_AGES - 1), "from 0"),
        field("phase", (0, NUM_PHASES - 1), "Phase"),
        field("first_player", A_SEAT, "a seat"),
        HEAD.over,
        HEAD.truncated,
        HEAD.decisions,
    ),
    group(
        "the question that is open",
        HEAD.decision,
        HEAD.seat,
        field("about_place", PROVINCE_OR_NONE, "the province, or NONE"),
        field("about_card", CARD_OR_NONE, "the card, or NONE"),
        field("about_kind", (NONE, NUM_KINDS - 1), "the figure kind, or NONE"),
        field("low", A_COUNT, "the least COUNT of figures that march or are saved"),
        field("high", A_COUNT, "the greatest"),
        field("stats", (0, 2**NUM_STATS - 1), "bits: stats that may be raised"),
        field("kinds", KIND_BITS, "bits: figure kinds that may invade for free"),
        field("escape", FLAG, "the figure about to die may escape instead"),
        HEAD.num_legal,
        HEAD.mask,
    ),
    group(
        "clans",
        field("stat_step", (0, NUM_STEPS - 1), "a step of `STAT_VALUE`", S, NUM_STATS),
        field("rage", (0, MAX_SCORE), "Rage left", S, dtype=np.int32),
        field("glory", (0, MAX_SCORE), "", S, dtype=np.int32),
        field("glory_from", (-MAX_SCORE, MAX_SCORE), "by Source", S, NUM_SOURCES, dtype=np.int32),
        field("passed", FLAG, "in this Age", S),
        field("upgrades", CARD_OR_NONE, "card or NONE", S, NUM_SLOTS),
    ),
    group(
        "figures",
        field("figures", WARRIORS, "how many", S, K, P),
        field("on_board", (0, MAX_FIGURES), "own figures on the board: what Horns limit", S),
        field("occupied", (0, MAX_SEATS * MAX_FIGURES), "figures in a place, of all clans", NUM_BOARD),
    ),
    group(
        "provinces",
        field("token", (0, NUM_TOKENS - 1), "Token", NUM_PROVINCES),
        field("pillaged", FLAG, "the token is taken, in this Age", NUM_PROVINCES),
        field("destroyed", FLAG, "out of the game", NUM_PROVINCES),
        field("ragnarok", (0, NUM_OUTER - 1), "the doomed province of each Age", NUM_AGES),
        field("barred", FLAG, "the clan may not choose to pillage it for now (rules 6.4.1.7)", S, NUM_PROVINCES),
    ),
    group(
        "gods (rules 6.4.5)",
        field("gods", (NONE, NUM_GODS - 1), "God, in the order in which they were drawn, or NONE", GODS_IN_GAME),
        field("god_in", (NONE, NUM_GODS - 1), "the god there, or NONE", NUM_PROVINCES),
        field(
            "god_tokens",
            (NONE, NUM_OUTER - 1),
            "of each later Age the Ragnarok tokens that place its gods (rules 6.4.5.2), in the order in which they "
            "will be drawn when it begins: provinces, one for each player; NONE from then on",
            NUM_AGES,
            MAX_SEATS,
        ),
    ),
    group(
        "cards",
        field("draft_round", (0, DRAFTED), "rounds of the draft that are done"),
        field("hand", COPIES_OF_A_CARD, "copies", S, C),
        field("hand_size", CARDS_IN_HAND, "cards", S),
        field("quests", CARD_OR_NONE, "committed, in order", S, MAX_QUESTS),
        field("quest_count", (0, MAX_QUESTS), "how many", S),
        field("quests_open", FLAG, "they are face up (rules 3.4)"),
        field(
            "pending",
            (NOTHING, NUM_CARDS - 1),
            "simultaneous choices made and not yet shown: cards, NONE or NOTHING",
            S,
            2,
        ),
        field("discards", COPIES_OF_A_CARD, "open to all", C),
        field("gone", COPIES_OF_A_CARD, "cards that only this seat saw leave the game", S, C),
    ),
    group(
        "what everybody knows of a hand (information.py)",
        field("known", COPIES_OF_A_CARD, "copies that are for sure in the hand or among the committed quests", S, C),
    ),
    group(
        "the battle (rules 4, 6.1)",
        field("battle", FLAG, "1 from the first choice of cards to the last text"),
        field("battle_province", PROVINCE_OR_NONE, "or NONE"),
        field("pillager", SEAT_OR_NONE, "seat or NONE"),
        field("in_battle", FLAG, "the clan had figures in it when it began (rules 4.3)", S),
        field("main", CARD_OR_NONE, "the revealed card or NONE", S),
        field("late", CARD_OR_NONE, "cards added, or NONE", S, MAX_LATE),
        field("late_count", (0, MAX_LATE), "how many", S),
        field("text", CARD_OR_NONE, "the revealed card whose text works, or NONE", S),
        field("counted", A_COUNT, "what a revealed quest counts", S),
        field("fallen", (0, MAX_FIGURES), "figures destroyed since the reveal", S),
        field("attended", FLAG, "the monster of this slot was there when cards were first chosen", S, 2),
        field("mystics", (0, NUM_MYSTICS), "Mystics that were there then", S),
        field("tide_done", FLAG, "a Tide has worked in this battle"),
        field("total", (0, MAX_TOTAL), "STR of figures and cards, once compared", S, dtype=np.int16),
        field("winner", SEAT_OR_NONE, "seat or NONE"),
        field("thief", SEAT_OR_NONE, "who takes the winner's cards, or NONE"),
    ),
    group(
        "composite moves",
        field("march", WARRIORS, "figures chosen to go", K),
        field("dying", WARRIORS, "figures about to be destroyed", K),
    ),
    group(
        "the stack of routines",
        HEAD.depth.within(1, DEEPEST),
        HEAD.stack,
    ),
    group(
        "the decks",
        field(
            "deck",
            CARD_OR_NONE,
            "a pack is eight places of the Age's deck in a row: place k is the card that was taken k-th from it, so "
            "that the deck is the record of the draft as well; what was not dealt is behind the packs",
            NUM_AGES,
            DECK_SIZE,
        ),
    ),
    group(
        "what few decisions need: records are prefetched up to here",
        field(
            "known_since",
            (0, MAX_QUESTS),
            "of the known copies of a quest, oldest first: quests that the clan had committed when it was last seen in "
            "the hand",
            S,
            Q,
            KNOWN_COPIES,
        ),
        field("shown", CARD_OR_NONE, "dealt or kept cards that the clan has shown in an Age", NUM_AGES, S, MAX_SHOWN),
        field("shown_count", (0, MAX_SHOWN), "how many", NUM_AGES, S),
        field("end_known", COPIES_OF_A_CARD, "`known` of the hands from which 3.3 discarded", NUM_AGES, S, C),
        field("end_hand", CARDS_IN_HAND, "size of that hand", NUM_AGES, S),
        field("kept", FLAG, "cards kept: 0 or 1", NUM_AGES, S),
    ),
)
STATE: Final = record(GROUPS)

# Bytes of a record that most decisions need.
HOT_BYTES: Final = int(dict(STATE.fields or {})["known_since"][1])

# One game, and an array of games, as arguments of compiled functions; and what compiles those that `core` makes.
COMPILER: Final = Compiler("bloodrage", STATE)
State: TypeAlias = Annotated[np.record, COMPILER.record]
States: TypeAlias = Annotated[npt.NDArray[np.record], COMPILER.record[::1]]
