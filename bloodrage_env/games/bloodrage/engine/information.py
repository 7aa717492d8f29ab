"""Who knows what of the hands: the open part. What one seat alone has seen is in the deck, and `redeal.py` reads it.

Three things are kept for everybody. `known`: copies of a card that are for sure in a clan's hand or among its
committed quests, since all have seen them go there or come back there. `shown`: cards that the clan had from its own
deal (or kept from before) and has shown, in this Age. `end_known`: what was known of the hand from which the clan
discarded at the end of an Age. A card that goes face down, as a quest or a discard, makes what is known uncertain
again (rules 2.6).

And which questions are asked in secret: `SECRET` is a bool for each `Decision`, for Python and compiled code alike.
"""

import numpy as np

from ....core.compile.decorators import rule
from .card_ids import NUM_CARDS
from .cards import QUEST_INDEX, TYPE
from .ids import NUM_DECISIONS, CardType, Decision, God
from .state import KNOWN_COPIES, MAX_SHOWN, State

# Chosen by all at the same time and face down: no answer is seen before all have chosen (rules 7.1). But see Heimdall.
SIMULTANEOUS = np.zeros(NUM_DECISIONS, dtype=np.bool_)
SIMULTANEOUS[[Decision.DRAFT, Decision.BATTLE_CARD, Decision.KEEP_CARD]] = True

# The others are not shown who is asked, nor what: these questions are about hidden cards alone (rules 2.6, 7.8).
SECRET = SIMULTANEOUS.copy()
SECRET[Decision.LATE_CARD] = True


@rule
def cards_lie_open(s: State) -> bool:
    """Whether the cards of the battle that is on are played openly, one after the other: Heimdall (rules 6.4.5.11)."""
    return s.god_in[s.battle_province] == God.HEIMDALL


@rule
def asked_in_secret(s: State) -> bool:
    """Whether the open question is one of `SECRET` and no god lets all see it; one that `hide` has blanked was."""
    if s.over == 1 or (s.decision == Decision.BATTLE_CARD and cards_lie_open(s)):
        return False
    return s.decision == Decision.NONE or bool(SECRET[s.decision])


@rule
def chosen_at_once(s: State) -> bool:
    """Whether the answer to the open question stays face down until all have chosen (rules 7.1, 6.4.5.11)."""
    return bool(SIMULTANEOUS[s.decision]) and asked_in_secret(s)


@rule
def question_hidden(s: State, viewer: int) -> bool:
    """Whether the open question is asked in secret, and not of this seat."""
    return asked_in_secret(s) and s.seat != viewer


@rule
def note_left_hand(s: State, seat: int, card: int) -> None:
    """A card of the hand was shown and left: perhaps the known copy seen last, otherwise one from the deal."""
    if s.known[seat, card] > 0:
        s.known[seat, card] -= 1
    else:
        note_shown(s, seat, card)


@rule
def note_shown(s: State, seat: int, card: int) -> None:
    """The clan has this card from its deal, or had kept it."""
    if s.shown_count[s.age, seat] < MAX_SHOWN:
        s.shown[s.age, seat, s.shown_count[s.age, seat]] = card
        s.shown_count[s.age, seat] += 1


@rule
def note_seen_in_hand(s: State, seat: int, card: int) -> None:
    """A card went into the hand in the open. Quests committed before now can't be this one."""
    s.known[seat, card] += 1
    if TYPE[card] == CardType.QUEST:
        copy = min(int(s.known[seat, card]), KNOWN_COPIES) - 1
        s.known_since[seat, QUEST_INDEX[card], copy] = s.quest_count[seat]


@rule
def note_committed_shown(s: State, seat: int, card: int, j: int) -> None:
    """The quest committed as number `j` is revealed: perhaps a known copy, if one was in the hand by then."""
    since = s.known_since[seat, QUEST_INDEX[card]]
    if s.known[seat, card] > 0 and since[0] <= j:
        s.known[seat, card] -= 1
        for copy in range(1, KNOWN_COPIES):
            since[copy - 1] = since[copy]
    else:
        note_shown(s, seat, card)


@rule
def copies_since(s: State, seat: int, quest: int, j: int) -> int:
    """How many known copies of a quest can be the one committed as number `j`, or an earlier one."""
    count = 0
    for copy in range(min(int(s.known[seat, quest]), KNOWN_COPIES)):
        count += int(s.known_since[seat, QUEST_INDEX[quest], copy] <= j)
    return count


@rule
def note_end_of_age(s: State, seat: int) -> None:
    """After the quests are revealed: what was known of the hand is history, unless the whole hand was kept."""
    for card in range(NUM_CARDS):
        s.end_known[s.age, seat, card] = s.known[seat, card]
    if s.kept[s.age, seat] < s.end_hand[s.age, seat]:
        s.known[seat, :] = 0
    s.known_since[seat, :] = 0


@rule
def kept_in_secret(s: State, age: int, seat: int) -> bool:
    """Whether a clan kept a card of an Age's hand and nobody else can be sure which one."""
    return s.kept[age, seat] == 1 and (s.end_hand[age, seat] > 1 or s.end_known[age, seat].sum() == 0)
