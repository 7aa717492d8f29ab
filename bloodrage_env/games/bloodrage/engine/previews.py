"""What an answer costs and sets off before it is given, and how things stand: rules for compiled callers, entries for
Python. `tests/previews.py` holds what they say against what happens.
"""

import numpy as np

from ....core.compile.decorators import Ints, Ints2, Mask, entry, rule
from . import hooks
from .actions import CARD, COUNT, FIGURE_AT, MARCH, NO, PROVINCE, RAISE_DEAD, YES
from .card_ids import NUM_CARDS
from .cards import IS_UPGRADE, QUESTS
from .checks import check_action, check_game, check_seat
from .effects.smite_and_tide import card_victims
from .ids import NUM_BOARD, NUM_PROVINCES, Decision, Figure, Phase, Purpose
from .queries import figures_in_reach, room
from .rules.gods_gifts import pack
from .rules.invade import arrival_victims
from .rules.march import MARCH_PRICE
from .rules.quest import quest_met
from .rules.resolution import compare
from .rules.strength import clan_strength
from .state import State, States


@rule
def price(s: State, action: int) -> int:
    """Rage that the seat to act pays for an answer to the open question (rules 3.2, 6.2.7, 6.3.4, 6.3.9, 6.3.19)."""
    if s.decision == Decision.ACTION:
        return price_of_action(s, action)
    if s.decision == Decision.FREE_PILLAGE and action == YES:
        return hooks.FREE_PILLAGE_PRICE
    if s.decision == Decision.BUY_BACK and action != NO:
        return hooks.BUY_BACK_PRICE
    if s.decision == Decision.SAVE and action >= COUNT:
        return (action - COUNT) * hooks.SAVE_PRICE
    return 0


@rule
def price_of_action(s: State, action: int) -> int:
    """The same for the action of a turn."""
    seat = int(s.seat)
    if action == RAISE_DEAD:
        return hooks.RAISE_DEAD_PRICE
    if action >= MARCH:
        return MARCH_PRICE
    if action >= FIGURE_AT:
        return hooks.invade_price(s, seat, (action - FIGURE_AT) // NUM_BOARD, (action - FIGURE_AT) % NUM_BOARD)
    if action >= CARD:
        return hooks.upgrade_price(s, seat, action - CARD) if IS_UPGRADE[action - CARD] else 0
    return hooks.pillage_price(s, action - PROVINCE) if action >= PROVINCE else 0


@rule
def sets_off(s: State, action: int, clan: int, kind: int) -> int:
    """How many figures of a kind a clan gains or, below zero, loses by what an answer of the seat to act sets off: an
    Invade kills on arrival and has a warrior follow, as far as there is room for both; a card kills before totals are
    compared (rules 6.2.4, 6.3.2, 6.3.3, 6.3.11). Save are not foreseen.
    """
    seat = int(s.seat)
    if action >= FIGURE_AT and action < MARCH:
        invader = (action - FIGURE_AT) // NUM_BOARD
        place = (action - FIGURE_AT) % NUM_BOARD
        if clan == seat:
            return int(kind == Figure.WARRIOR and room(s, place) > 1 and hooks.may_succor(s, seat, place))
        if place < NUM_PROVINCES and hooks.kills_on_arrival(s, seat, invader):
            return -arrival_victims(s, seat, invader, clan, kind, place)
    elif s.decision == Decision.BATTLE_CARD:
        return -card_victims(s, seat, action - CARD, clan, kind, int(s.about_place))
    return 0


# ---- for Python


@entry
def price_of(states: States, index: int, action: int) -> int:
    """Rage that the seat to act pays for an answer to the open question: the rule `price`."""
    check_game(states, index)
    check_action(action)
    return price(states[index], action)


@entry
def forces(states: States, index: int) -> tuple[Ints2, Ints2]:
    """By clan and province the figures that would fight there, those of the supporting fjord included, and their STR in
    a battle: two int64[num_players, NUM_PROVINCES] (rules 4.3).
    """
    check_game(states, index)
    s = states[index]
    figures = np.zeros((s.num_players, NUM_PROVINCES), dtype=np.int64)
    strength = np.zeros((s.num_players, NUM_PROVINCES), dtype=np.int64)
    for seat in range(s.num_players):
        for province in range(NUM_PROVINCES):
            figures[seat, province] = figures_in_reach(s, seat, province)
            strength[seat, province] = clan_strength(s, seat, province, Purpose.BATTLE)
    return figures, strength


@entry
def quests_met(states: States, index: int, seat: int) -> Mask:
    """The quests that a clan would meet as the board stands: int8[NUM_CARDS], 1 for each (rules 3.4)."""
    check_game(states, index)
    check_seat(states[index], seat)
    met = np.zeros(NUM_CARDS, dtype=np.int8)
    for card in QUESTS:
        met[card] = quest_met(states[index], seat, card)
    return met


@entry
def held_pack(states: States, index: int, seat: int) -> Ints:
    """The cards left in the pack before a seat, int64[n] in rising order; none but in a draft (rules 3.1.2)."""
    check_game(states, index)
    check_seat(states[index], seat)
    s = states[index]
    start, stop = pack(s, seat)
    if s.phase != Phase.GODS_GIFTS or s.over == 1:
        stop = start
    cards = np.zeros(stop - start, dtype=np.int64)
    for i in range(stop - start):
        cards[i] = s.deck[s.age, start + i]
    cards.sort()
    return cards


@rule
def compare_first(games: States, totals: Ints) -> int:
    """Compare the battle of game 0: fill the totals, return the winner."""
    s = games[0]
    compare(s)
    for seat in range(s.num_players):
        totals[seat] = s.total[seat]
    return int(s.winner)


@entry
def battle_outcome(states: States, index: int) -> tuple[Ints, int]:
    """What comes of a battle if totals are compared now: that of each clan, int64[num_players], 0 for a clan that is
    not in it; and the winner, NONE for a tie (rules 4.6).
    """
    check_game(states, index)
    totals = np.zeros(states[index].num_players, dtype=np.int64)
    winner = compare_first(states[index : index + 1].copy(), totals)
    return totals, winner
