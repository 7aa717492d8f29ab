"""What always holds, between any two decisions. `broken` names the first law that does not."""

from enum import IntEnum

import numpy as np

from .api import begin, pick, step
from .board import UNLIMITED, VILLAGES
from .card_ids import NUM_CARDS
from .cards import COPIES
from .chance import below, new_words, seed_words
from .compiled import Ints, State, States, entry, rule
from .hooks import is_ship
from .ids import (
    FIRST_FJORD,
    NONE,
    NUM_BOARD,
    NUM_KINDS,
    NUM_PLACES,
    NUM_SLOTS,
    NUM_STATS,
    NUM_STEPS,
    NUM_WARRIORS,
    Figure,
    Phase,
)
from .queries import fjord_in_use
from .rules.gods_gifts import no_draft, pack_start, pack_stop
from .stack import Routine, get
from .state import ARG_A, DECK_SIZE, MAX_DEPTH, PACK_SIZE, ROUTINE, STATE


class Law(IntEnum):
    """The laws."""

    NONE = 0
    QUESTION = 1  # a game that goes on has a question with a legal answer, to a seat of the game
    STACK = 2  # the stack neither empties nor overflows
    FIGURES = 3  # each clan has its leader, ship, warriors, and one figure a monster card, somewhere
    COUNTS = 4  # on_board and occupied count what stands there
    VILLAGES = 5  # no province holds more than its villages
    PLACES = 6  # ships in fjords in use, others in provinces that stand
    CARDS = 7  # no card is lost or made
    HANDS = 8  # hand_size counts the hand
    KNOWLEDGE = 9  # what is known of a hand is true
    SCORES = 10  # glory is the sum of its sources; Rage, glory and stats are in range
    ABSENT = 11  # absent seats have nothing


@rule
def figures_hold(s: State, seat: int) -> bool:
    """Law.FIGURES"""
    for kind in range(NUM_KINDS):
        total = 0
        for place in range(NUM_PLACES):
            if s.figures[seat, kind, place] < 0:
                return False
            total += int(s.figures[seat, kind, place])
        expected = 1
        if kind == Figure.WARRIOR:
            expected = NUM_WARRIORS
        elif kind >= Figure.MONSTER_1:
            expected = int(s.upgrades[seat, kind] != NONE)
        if total != expected:
            return False
    return True


@rule
def counts_hold(s: State) -> bool:
    """Law.COUNTS"""
    occupied = np.zeros(NUM_BOARD, dtype=np.int64)
    for seat in range(s.num_players):
        on_board = 0
        for kind in range(NUM_KINDS):
            for place in range(NUM_BOARD):
                on_board += int(s.figures[seat, kind, place])
                occupied[place] += s.figures[seat, kind, place]
        if on_board != s.on_board[seat]:
            return False
    for place in range(NUM_BOARD):
        if occupied[place] != s.occupied[place]:
            return False
    return True


@rule
def villages_hold(s: State) -> bool:
    """Law.VILLAGES"""
    for place in range(NUM_BOARD):
        if VILLAGES[place] != UNLIMITED and s.occupied[place] > VILLAGES[place]:
            return False
    return True


@rule
def places_hold(s: State, seat: int) -> bool:
    """Law.PLACES"""
    for kind in range(NUM_KINDS):
        for place in range(NUM_BOARD):
            if s.figures[seat, kind, place] > 0:
                if is_ship(s, seat, kind):
                    if place < FIRST_FJORD or not fjord_in_use(s, place):
                        return False
                elif place >= FIRST_FJORD or s.destroyed[place] == 1:
                    return False
    return True


@rule
def cards_hold(s: State) -> bool:
    """Law.CARDS: every copy dealt up to this Age is somewhere, once."""
    found = np.zeros(NUM_CARDS, dtype=np.int64)
    for card in range(NUM_CARDS):
        found[card] += s.discards[card]
        for age in range(s.age + 1):
            found[card] -= COPIES[s.num_players, age, card]
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
            for i in range(pack_start(s, seat), pack_stop(s, seat)):
                found[s.deck[s.age, i]] += 1
    for age in range(s.age + 1):
        for i in range(s.num_players * PACK_SIZE, DECK_SIZE):
            if s.deck[age, i] != NONE:
                found[s.deck[age, i]] += 1
    if get(s, ROUTINE) == Routine.UPGRADE:
        found[get(s, ARG_A)] += 1  # paid, on its way to the slot
    for card in range(NUM_CARDS):
        if found[card] != 0:
            return False
    return True


@rule
def hands_hold(s: State, seat: int) -> bool:
    """Law.HANDS"""
    total = 0
    for card in range(NUM_CARDS):
        if s.hand[seat, card] < 0:
            return False
        total += int(s.hand[seat, card])
    return total == s.hand_size[seat]


@rule
def knowledge_holds(s: State, seat: int) -> bool:
    """Law.KNOWLEDGE"""
    held = np.zeros(NUM_CARDS, dtype=np.int64)
    for card in range(NUM_CARDS):
        held[card] = s.hand[seat, card]
    for i in range(s.quest_count[seat]):
        held[s.quests[seat, i]] += 1
    for card in range(NUM_CARDS):
        if s.known[seat, card] < 0 or s.known[seat, card] > held[card] or s.gone[seat, card] < 0:
            return False
    return True


@rule
def scores_hold(s: State, seat: int) -> bool:
    """Law.SCORES"""
    if s.glory_from[seat].sum() != s.glory[seat] or s.glory[seat] < 0 or s.rage[seat] < 0:
        return False
    for stat in range(NUM_STATS):
        if s.stat_step[seat, stat] < 0 or s.stat_step[seat, stat] >= NUM_STEPS:
            return False
    return True


@rule
def absent_holds(s: State, seat: int) -> bool:
    """Law.ABSENT"""
    return s.figures[seat].sum() == 0 and s.hand_size[seat] == 0 and s.glory[seat] == 0 and s.rage[seat] == 0


@rule
def broken(s: State) -> int:
    """The first law that does not hold, or Law.NONE."""
    if s.over == 0:
        if s.seat < 0 or s.seat >= s.num_players or s.num_legal < 1 or s.mask.sum() != s.num_legal:
            return Law.QUESTION
        if s.depth < 1 or s.depth >= MAX_DEPTH:
            return Law.STACK
    if not counts_hold(s):
        return Law.COUNTS
    if not villages_hold(s):
        return Law.VILLAGES
    if not cards_hold(s):
        return Law.CARDS
    for seat in range(s.num_players):
        if not figures_hold(s, seat):
            return Law.FIGURES
        if not places_hold(s, seat):
            return Law.PLACES
        if not hands_hold(s, seat):
            return Law.HANDS
        if not knowledge_holds(s, seat):
            return Law.KNOWLEDGE
        if not scores_hold(s, seat):
            return Law.SCORES
    for seat in range(s.num_players, len(s.rage)):
        if not absent_holds(s, seat):
            return Law.ABSENT
    return Law.NONE


@entry
def broken_law(states: States, index: int) -> int:
    """The first law that a game breaks, or Law.NONE (0)."""
    return broken(states[index])


@rule
def play_and_look(states: States, seed: int, words: Ints, tally: Ints) -> None:
    """Play `states[0]` to its end, or until it breaks a law."""
    s = states[0]
    seed_words(words, seed, 1)
    while s.over == 0 and tally[1] == Law.NONE:
        step(s, pick(s, below(words, int(s.num_legal))))
        tally[0] += 1
        tally[2] = max(int(tally[2]), int(s.depth))
        tally[1] = broken(s)
    tally[3] += s.truncated


@entry
def play_checked(
    first_seed: int, games: int, num_players: int, first_game: bool, skip_forced: bool, tally: Ints
) -> int:
    """Play random games from consecutive seeds and look at every law after every decision.

    Returns the seed of the first game that breaks a law, or -1. `tally`, int64[4], gets: decisions, the law broken, the
    greatest depth of the stack, games cut off.
    """
    states = np.zeros(1, STATE)
    words = new_words()
    for seed in range(first_seed, first_seed + games):
        begin(states[0], seed, num_players, first_game, skip_forced)
        play_and_look(states, seed, words, tally)
        if tally[1] != Law.NONE:
            return seed
    return -1
