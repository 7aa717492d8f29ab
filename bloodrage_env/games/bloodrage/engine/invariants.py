"""What always holds, between any two decisions. `broken` names the first invariant that does not.

`check_state` is for records that come from elsewhere: what keeps these invariants, and has each number in its range
(`state.py`), stays within the record whatever is played.
"""

from enum import IntEnum
from typing import Final

import numpy as np

from ....core.compile.decorators import rule
from ....core.engine.checked_play import state_checks_for
from .board import FIRST_SLOT, SLOTS_OF
from .board_invariants import bars_hold, counts_hold, figures_hold, mystics_hold, places_hold, villages_hold
from .card_ids import NUM_CARDS
from .cards import QUEST_INDEX, QUESTS, TYPE
from .checks import check_game
from .decks import copies_in_deck, deck_size, has_set
from .flow import FLOW
from .frames import moves_hold, question_holds, stack_holds
from .ids import (
    MAX_SEATS,
    NONE,
    NUM_AGES,
    NUM_SLOTS,
    PLAYABLE,
    CardSet,
    CardType,
    Phase,
    Routine,
)
from .information import cards_lie_open
from .rules.battle import Step as BattleStep
from .rules.gods import gods_hold
from .rules.gods_gifts import no_draft, pack, picks_per_round
from .stack import get
from .state import COMPILER, DECK_SIZE, DRAFTED, GROUPS, KNOWN_COPIES, MAX_QUESTS, NOTHING, PACK_SIZE, Frame, State


class Invariant(IntEnum):
    """What always holds between two decisions; NONE where nothing is broken."""

    NONE = 0
    QUESTION = 1  # a game that goes on has a question that its stack asks, with the legal answers of the rules
    STACK = 2  # the stack holds the game, its phase and what these call (frames.py)
    FIGURES = 3  # each clan has its leader, ship, warriors, one figure a monster card, Mystics that came, somewhere
    COUNTS = 4  # on_board and occupied count what stands there
    VILLAGES = 5  # no province holds more than its villages
    PLACES = 6  # ships in fjords in use, others in provinces that stand
    CARDS = 7  # no card is lost or made
    HANDS = 8  # hand_size counts the hand
    KNOWLEDGE = 9  # what is known of a hand is true
    SCORES = 10  # glory is the sum of its sources
    ABSENT = 11  # absent seats have nothing
    DECK = 12  # the sets can be played, each deck holds its cards, and the draft is as far as the phase says
    CHOICES = 13  # a choice that waits is of a card that the clan has, made when it was asked
    BATTLE = 14  # there is one while its routine is on the stack, of the clan and province that this names
    MOVES = 15  # what marches and dies stands there
    HISTORY = 16  # what was shown are cards, what was kept and known fits the hand it is of
    SLOTS = 17  # upgrades are in slots of their types
    QUESTS = 18  # what is committed are quests, and all in play could be committed by one clan
    MYSTICS = 19  # no more Mystics have left the supplies than cards that bring them were played
    BARS = 20  # no province is barred to a clan without the sets that do so
    GODS = 21  # two or none, each in one province that stands or in none; their tokens are the spare ones


@rule
def cards_hold(s: State) -> bool:
    """Invariant.CARDS: every copy dealt up to this Age is somewhere, once."""
    found = np.zeros(NUM_CARDS, dtype=np.int64)
    for card in range(NUM_CARDS):
        found[card] += s.discards[card]
        for age in range(s.age + 1):
            found[card] -= copies_in_deck(s, age, card)
    for seat in range(s.num_players):
        for card in range(NUM_CARDS):
            found[card] += s.hand[seat, card] + s.gone[seat, card]
        for i in range(s.quest_count[seat]):
            found[s.quests[seat, i]] += 1
        for slot in range(NUM_SLOTS):
            if s.upgrades[seat, slot] != NONE:
                found[s.upgrades[seat, slot]] += 1
        if s.main[seat] != NONE:
            found[s.main[seat]] += 1
        for i in range(s.late_count[seat]):
            found[s.late[seat, i]] += 1
        if s.phase == Phase.GODS_GIFTS and not no_draft(s, s.age):
            start, stop = pack(s, seat)
            for i in range(start, stop):
                found[s.deck[s.age, i]] += 1
    for age in range(s.age + 1):
        for i in range(s.num_players * PACK_SIZE, DECK_SIZE):
            if s.deck[age, i] != NONE:
                found[s.deck[age, i]] += 1
    if get(s, Frame.ROUTINE) == Routine.UPGRADE:
        found[get(s, Frame.CARD)] += 1  # paid, on its way to the slot
    for card in range(NUM_CARDS):
        if found[card] != 0:
            return False
    return True


@rule
def hands_hold(s: State, seat: int) -> bool:
    """Invariant.HANDS"""
    total = 0
    for card in range(NUM_CARDS):
        total += int(s.hand[seat, card])
    return total == s.hand_size[seat]


@rule
def knowledge_holds(s: State, seat: int) -> bool:
    """Invariant.KNOWLEDGE"""
    held = np.zeros(NUM_CARDS, dtype=np.int64)
    for card in range(NUM_CARDS):
        held[card] = s.hand[seat, card]
    if s.quests_open == 0:
        for i in range(s.quest_count[seat]):
            held[s.quests[seat, i]] += 1
    for card in range(NUM_CARDS):
        if s.known[seat, card] > held[card]:
            return False
    for quest in QUESTS:
        if s.known[seat, quest] > 0 and known_after_reveal(s, seat, quest) > s.hand[seat, quest]:
            return False
    return True


@rule
def known_after_reveal(s: State, seat: int, quest: int) -> int:
    """Copy of a quest that would still be known if what is committed were revealed now (see `information.py`)."""
    left = int(s.known[seat, quest])
    copy = 0
    for j in range(s.quest_count[seat]):
        if s.quests[seat, j] == quest and left > 0:
            if s.known_since[seat, QUEST_INDEX[quest], min(copy, KNOWN_COPIES - 1)] <= j:
                left -= 1
                copy += 1
    return left


@rule
def scores_hold(s: State, seat: int) -> bool:
    """Invariant.SCORES"""
    return s.glory_from[seat].sum() == s.glory[seat]


@rule
def absent_holds(s: State, seat: int) -> bool:
    """Invariant.ABSENT"""
    return s.figures[seat].sum() == 0 and s.hand_size[seat] == 0 and s.glory[seat] == 0 and s.rage[seat] == 0


@rule
def decks_hold(s: State) -> bool:
    """Invariant.DECK"""
    if s.sets & ~PLAYABLE != 0 or (s.num_players == MAX_SEATS and not has_set(s, CardSet.P5)):
        return False
    for age in range(NUM_AGES):
        found = np.zeros(NUM_CARDS, dtype=np.int64)
        size = deck_size(s, age)
        for i in range(DECK_SIZE):
            if (s.deck[age, i] != NONE) != (i < size):
                return False
            if i < size:
                found[s.deck[age, i]] += 1
        for card in range(NUM_CARDS):
            if found[card] != copies_in_deck(s, age, card):
                return False
    done = int(s.draft_round) * picks_per_round(s)
    if no_draft(s, s.age):
        return done == 0 and s.phase != Phase.GODS_GIFTS
    return done < DRAFTED if s.phase == Phase.GODS_GIFTS else done == DRAFTED


@rule
def choices_hold(s: State) -> bool:
    """Invariant.CHOICES"""
    top = get(s, Frame.ROUTINE)
    for seat in range(len(s.pending)):
        first = s.pending[seat, 0]
        second = s.pending[seat, 1]
        if seat < s.num_players and top == Routine.GODS_GIFTS:
            if not draft_choices_hold(s, seat):
                return False
            continue
        if second != NONE:
            return False
        if first == NONE:
            continue
        chosen = top == Routine.DISCARD_PHASE
        if top == Routine.BATTLE and get(s, Frame.STEP) == BattleStep.COMMIT and first != NOTHING:
            chosen = s.in_battle[seat] == 1 and not cards_lie_open(s)
        if not chosen or seat >= s.num_players or seat == s.seat or (first != NOTHING and s.hand[seat, first] == 0):
            return False
    return True


@rule
def draft_choices_hold(s: State, seat: int) -> bool:
    """All choices of the seat or none, unless it is asked; of different places of its pack, the lower id first."""
    picks = picks_per_round(s)
    made = 0
    for pick in range(2):
        made += s.pending[seat, pick] != NONE
    if (made == picks and seat == s.seat) or made > picks or (0 < made < picks and seat != s.seat and s.over == 0):
        return False
    start, stop = pack(s, seat)
    for pick in range(2):
        card = s.pending[seat, pick]
        if (card == NONE) != (pick >= made) or card < NONE:
            return False
        copies = 0
        for i in range(start, stop):
            copies += s.deck[s.age, i] == card
        if card != NONE and copies < 1 + int(pick == 1 and s.pending[seat, 0] == card):
            return False
    return s.pending[seat, 1] == NONE or s.pending[seat, 0] <= s.pending[seat, 1]


@rule
def battle_holds(s: State) -> bool:
    """Invariant.BATTLE"""
    pillager = NONE
    province = NONE
    for i in range(s.depth):
        if s.stack[i, Frame.ROUTINE] == Routine.BATTLE or s.stack[i, Frame.ROUTINE] == Routine.RESOLUTION:
            pillager = int(s.stack[i, Frame.SEAT])
            province = int(s.stack[i, Frame.PLACE])
    if s.pillager != pillager or s.battle_province != province or (s.battle == 1) != (pillager != NONE):
        return False
    if s.winner >= s.num_players or s.thief >= s.num_players:
        return False
    for seat in range(len(s.text)):
        if pillager == NONE or seat >= s.num_players:
            if s.main[seat] != NONE or s.text[seat] != NONE or s.late_count[seat] > 0 or s.in_battle[seat] == 1:
                return False
        if s.text[seat] != NONE and TYPE[s.text[seat]] != CardType.BATTLE:
            return False
        for i in range(s.late_count[seat]):
            if s.late[seat, i] == NONE:
                return False
    return True


@rule
def history_holds(s: State) -> bool:
    """Invariant.HISTORY"""
    for age in range(NUM_AGES):
        for seat in range(len(s.rage)):
            for i in range(s.shown_count[age, seat]):
                if s.shown[age, seat, i] == NONE:
                    return False
            if s.end_known[age, seat].sum() > s.end_hand[age, seat] or s.kept[age, seat] > s.end_hand[age, seat]:
                return False
    return True


@rule
def slots_hold(s: State) -> bool:
    """Invariant.SLOTS"""
    for card_type in range(CardType.LEADER, CardType.CLAN + 1):
        for slot in range(FIRST_SLOT[card_type], FIRST_SLOT[card_type] + SLOTS_OF[card_type]):
            for seat in range(len(s.rage)):
                card = s.upgrades[seat, slot]
                if card != NONE and TYPE[card] != card_type:
                    return False
    return True


@rule
def quests_hold(s: State) -> bool:
    """Invariant.QUESTS"""
    in_play = 0
    for seat in range(s.num_players):
        for i in range(s.quest_count[seat]):
            if s.quests[seat, i] == NONE or TYPE[s.quests[seat, i]] != CardType.QUEST:
                return False
        in_play += int(s.quest_count[seat])
        for card in range(NUM_CARDS):
            if TYPE[card] == CardType.QUEST:
                in_play += int(s.hand[seat, card]) + int(s.main[seat] == card)
        if s.phase == Phase.GODS_GIFTS:
            start, stop = pack(s, seat)
            for i in range(start, stop):
                in_play += TYPE[s.deck[s.age, i]] == CardType.QUEST
    return in_play <= MAX_QUESTS and (s.quests_open == 0 or s.phase == Phase.QUEST)


@rule
def broken(s: State) -> int:
    """The first invariant that does not hold, but for Invariant.QUESTION, or Invariant.NONE."""
    if not stack_holds(s):
        return Invariant.STACK
    if not decks_hold(s):
        return Invariant.DECK
    if not counts_hold(s):
        return Invariant.COUNTS
    if not villages_hold(s):
        return Invariant.VILLAGES
    if not cards_hold(s):
        return Invariant.CARDS
    for seat in range(s.num_players):
        if not figures_hold(s, seat):
            return Invariant.FIGURES
        if not places_hold(s, seat):
            return Invariant.PLACES
        if not hands_hold(s, seat):
            return Invariant.HANDS
        if not knowledge_holds(s, seat):
            return Invariant.KNOWLEDGE
        if not scores_hold(s, seat):
            return Invariant.SCORES
    for seat in range(s.num_players, len(s.rage)):
        if not absent_holds(s, seat):
            return Invariant.ABSENT
    return broken_in_play(s)


@rule
def broken_in_play(s: State) -> int:
    """The invariants on what is under way, of a game that keeps the others."""
    if not gods_hold(s):
        return Invariant.GODS
    if not slots_hold(s):
        return Invariant.SLOTS
    if not mystics_hold(s):
        return Invariant.MYSTICS
    if not bars_hold(s):
        return Invariant.BARS
    if not quests_hold(s):
        return Invariant.QUESTS
    if not history_holds(s):
        return Invariant.HISTORY
    if not choices_hold(s):
        return Invariant.CHOICES
    if not battle_holds(s):
        return Invariant.BATTLE
    if not moves_hold(s):
        return Invariant.MOVES
    return Invariant.NONE


CHECKED: Final = state_checks_for(COMPILER, FLOW, check_game, GROUPS, broken, question_holds, Invariant)
broken_invariant, check_state, play_checked = CHECKED
