"""Set-up: the roll-off, the deals, and what comes after what (rules 2.1, 2.3, 9.5, 9.7)."""

import numpy as np

from .....core.compile.decorators import Ints, rule
from .....core.compile.local_arrays import local_zeros
from .....core.engine.chance import NUM_WORDS, seed_words, shuffle
from ...mode import TEAM
from .. import keyword_hooks
from ..actions import NO, YES
from ..board import AIR, HOME_ORDER, PARTS
from ..card_ids import NUM_CARDS
from ..cards import FLYERS
from ..decks import card_at, copies_in
from ..ids import (
    DEAL,
    HOME_CELLS,
    LAAR,
    MAX_DECK,
    NONE,
    NUM_SEATS,
    NUM_SLOTS,
    SQUAD,
    WORDS,
    Decision,
    Option,
    Phase,
    Routine,
    Setup,
)
from ..laar import first_to_recruit, recruits
from ..primitives import bear, clear_dice, lay, refresh_moves, roll
from ..queries import number_of, part_of, partner_of, seat_at, seen, turn_seat
from ..stack import ask, get, go_to, no_question, pop, push, put
from ..state import Frame, State
from .beings import arrive
from .reveal import start_battle


@rule
def set_up(s: State, seed: int, options: Ints) -> None:
    """A new game up to the roll-off, with a fixed set-up up to the first turn."""
    blank(s)
    s.num_players = options[Option.NUM_PLAYERS]
    s.skip_forced = options[Option.SKIP_FORCED]
    s.combat = options[Option.COMBAT]
    s.setup = options[Option.SETUP]
    s.max_turns = options[Option.MAX_TURNS]
    s.placing = options[Option.PLACING]
    words = local_zeros(NUM_WORDS, np.int64)
    seed_words(words, seed, 0)
    for i in range(len(words)):
        s.chance[i] = words[i]
    for seat in range(NUM_SEATS):
        for card in range(NUM_CARDS):
            s.deck[seat, card] = copies_in(options, Option.DECKS + seat * WORDS, card)
    roll_off(s)
    push(s, Routine.GAME, NONE)
    if s.setup == Setup.FIXED or TEAM > 1 or LAAR:
        s.first = roll_off_winner(s)
        go_to(s, Phase.DEAL)
    if s.setup == Setup.FIXED:
        for seat in range(NUM_SEATS):
            place_fixed(s, seat, options)
        start_battle(s)
        go_to(s, Phase.BATTLE)


@rule
def blank(s: State) -> None:
    """An empty record."""
    s.over = 0
    s.truncated = 0
    s.decisions = 0
    s.depth = 0
    s.stack[:] = 0
    s.mask[:] = 0
    s.num_legal = 0
    no_question(s)
    clear_dice(s)
    s.rolled = 0
    s.phase = Phase.ROLL_OFF
    s.turn = 0
    s.first = NONE
    s.deal_size[:] = DEAL
    s.deal[:] = 0
    s.squad[:] = 0
    s.gains[:] = 0
    s.at[:] = NONE
    s.standing[:] = 0
    s.bonfire[:] = 0
    s.fires = 0
    for slot in range(NUM_SLOTS):
        bear(s, slot, NONE)


@rule
def roll_off(s: State) -> None:
    """Each rolls a die, again on a tie (rules 2.1)."""
    s.roll_off[:] = 0
    while is_tied(s):
        for seat in range(NUM_SEATS):
            s.roll_off[seat] = roll(s)


@rule
def is_tied(s: State) -> bool:
    """Whether the dice settle nothing; in a team battle also if they leave open who is first in a team (rules 10.3)."""
    if TEAM == 1:
        return s.roll_off[0] == s.roll_off[1]
    winner = roll_off_winner(s)
    for seat in range(NUM_SEATS):
        if s.roll_off[seat] == s.roll_off[partner_of(seat)]:
            return True
        if seat != winner and s.roll_off[seat] == s.roll_off[winner]:
            return True
    return False


@rule
def roll_off_winner(s: State) -> int:
    """Who chooses to be First or Second; in a team battle who is First without a choice."""
    winner = 0
    for seat in range(1, NUM_SEATS):
        if s.roll_off[seat] > s.roll_off[winner]:
            winner = seat
    return winner


@rule
def place_fixed(s: State, seat: int, options: Ints) -> None:
    """A given squad stands face up, in the order of slots; flyers come last (rules 9.7, 12.10)."""
    count = 0
    for flying in range(1 + FLYERS):
        for i in range(HOME_CELLS):
            cell = int(PARTS[part_of(s, seat), HOME_ORDER[i]])
            card = card_at(options, Option.SQUADS + seat * WORDS, int(HOME_ORDER[i]))
            if card != NONE and keyword_hooks.is_flyer(card) == (flying == 1):
                slot = seat * SQUAD + count
                bear(s, slot, card)
                refresh_moves(s, slot)
                lay(s, slot, AIR if flying == 1 else seen(s, seat, cell))
                s.squad[seat, card] += 1
                s.deal[seat, card] += 1
                count += 1
    s.deal_size[seat] = count


@rule
def game(s: State) -> None:
    """One phase after the other; each is a routine. In the battle it is one turn after the other (rules 3)."""
    phase = get(s, Frame.STEP)
    s.phase = phase
    if phase != Phase.BATTLE:
        go_to(s, phase + 1)
    if phase == Phase.ROLL_OFF:
        ask(s, Decision.SEAT, roll_off_winner(s), NONE, NONE)
    elif phase == Phase.DEAL:
        for number in range(NUM_SEATS):
            if recruits(s, seat_at(s, number)):
                deal_cards(s, seat_at(s, number))
        push(s, Routine.DEAL, first_to_recruit(s))
    elif phase == Phase.PURCHASE:
        push(s, Routine.PURCHASE, first_to_recruit(s))
    elif phase == Phase.PLACEMENT:
        push(s, Routine.PLACEMENT, first_to_recruit(s))
    elif phase == Phase.REVEAL and LAAR:
        arrive(s)
        start_battle(s)
    elif phase == Phase.REVEAL:
        push(s, Routine.REVEAL, seat_at(s, 1))
    elif keyword_hooks.VANGUARD and s.turn == 0 and get(s, Frame.DONE) == 0:
        put(s, Frame.DONE, 1)
        push(s, Routine.VANGUARD, int(s.first))
    else:
        s.turn += 1
        push(s, Routine.TURN, turn_seat(s))


# ---- the roll-off


@rule
def apply_seat(s: State, seat: int, action: int) -> None:
    """The winner of the roll-off chooses before any deal (rules 2.1): YES to be First, NO to be Second."""
    s.first = seat if action == YES else 1 - seat


# ---- the deals


@rule
def deal_cards(s: State, seat: int) -> None:
    """Shuffle the whole deck and deal as many cards as the size of the deal says (rules 2.3)."""
    words, deck = local_zeros(NUM_WORDS, np.int64), local_zeros(MAX_DECK, np.int64)
    size = 0
    for card in range(NUM_CARDS):
        for _ in range(s.deck[seat, card]):
            deck[size] = card
            size += 1
    for i in range(len(words)):
        words[i] = s.chance[i]
    shuffle(words, deck, 0, size)
    for i in range(len(words)):
        s.chance[i] = words[i]
    s.deal[seat, :] = 0
    for i in range(s.deal_size[seat]):
        s.deal[seat, deck[i]] += 1


@rule
def deal(s: State) -> None:
    """First keeps the deal or deals one card fewer until he keeps, then Second (rules 2.3)."""
    ask(s, Decision.KEEP, get(s, Frame.SEAT), NONE, NONE)


@rule
def mask_keep(s: State) -> None:
    """YES: keep; NO: deal again, with more than one card."""
    s.mask[YES] = 1
    s.mask[NO] = s.deal_size[s.seat] > 1


@rule
def apply_keep(s: State, seat: int, action: int) -> None:
    """A deal refused is shuffled back."""
    if action == NO:
        s.deal_size[seat] -= 1
        deal_cards(s, seat)
    else:
        next_player(s, seat)


@rule
def next_player(s: State, seat: int) -> None:
    """A routine that all go through, one wholly after the other, goes on with the next player or ends."""
    number = number_of(s, seat) + 1
    if number < NUM_SEATS and not LAAR:
        put(s, Frame.SEAT, seat_at(s, number))
    else:
        pop(s)
