"""What a seat may know, as a vector: a table of named sections, and the functions that fill them (rules 9.4).

Slots are the observer's own 0 to 14 and the other's 15 to 29, cells and rows lie as the observer sees them, seats are
the observer and the other.
"""

from collections import namedtuple
from typing import Any, Final

import numpy as np

from ..core.batch import Sizes
from ..core.compiled import Floats, rule, shared_rule
from ..core.tables import length, sections, starts
from .engine import ANY_RANK as ANY
from .engine import (
    COLUMN_OF,
    COLUMNS,
    DEAL,
    LIFE,
    MAX_TOKENS,
    MAX_TURNS,
    NONE,
    NUM_ACTIONS,
    NUM_ACTS,
    NUM_CARDS,
    NUM_CELLS,
    NUM_DECISIONS,
    NUM_OPTIONS,
    NUM_PHASES,
    NUM_SEATS,
    NUM_SLOTS,
    ROW_OF,
    ROWS,
    SQUAD,
    TRAINED,
    Frame,
    Phase,
    Routine,
    State,
    armour,
    attack_experience,
    cost_of,
    defence_experience,
    get,
    gold_of,
    is_hidden,
    must_strike,
    next_to_place,
    owner,
    partners,
    seen,
    silver_of,
    squad_is_seen,
)

DICE: Final = ("white", "white_2", "black", "black_2", "block", "die")
DIE: Final = 6

# What is told of each card that lies open.
CARD_NUMBERS: Final = (
    "in_play", "face_down", "closed", "life", "wounds", "moves", "armour", "attack_experience", "defence_experience",
    "partners", "poison", "tokens", "stunned", "directed", "entered", "stepped", "strikes", "bonus", "extra_movement",
    "killed_by_enemy", "must_strike", "dead",
)  # fmt: skip

_TABLE: tuple[tuple[str, tuple[int, ...], str], ...] = (
    ("difference_table", (1,), "a fight uses the table of differences"),
    ("phase", (NUM_PHASES,), "one-hot"),
    ("turn", (2,), "turns begun, turns left"),
    ("first", (NUM_SEATS,), "one-hot: who is First"),
    ("roll_off", (NUM_SEATS,), "the last roll of each"),
    ("decision", (NUM_DECISIONS,), "one-hot: the open question"),
    ("asked", (NUM_SEATS,), "one-hot: who must answer"),
    ("actor", (NUM_SLOTS,), "one-hot: the card that the question is about"),
    ("target", (NUM_SLOTS,), "one-hot: the card that this is done to"),
    ("attacker", (NUM_SLOTS,), "one-hot: the card whose action goes on"),
    ("attacked", (NUM_SLOTS,), "one-hot: its target"),
    ("act", (NUM_ACTS,), "one-hot: what it does"),
    ("action", (5,), "tokens paid / 10, directed, against a defender, rolls left again / 2, targets so far / 3"),
    ("difference", (1,), "of the dice"),
    ("dice", (len(DICE), DIE), f"one-hot: {', '.join(DICE)}"),
    ("decks", (NUM_SEATS, NUM_CARDS), "copies"),
    ("deal_sizes", (NUM_SEATS,), "cards"),
    ("deal", (NUM_CARDS,), "the own deal, copies"),
    ("squad", (NUM_CARDS,), "own cards bought, copies"),
    ("crystals", (2,), "gold left for elites, gold and silver left for all, during the own purchase"),
    ("placing", (NUM_CARDS,), "one-hot: the own card to be placed now"),
    ("turning_up", (SQUAD,), "own cards of the third row that will be turned up"),
    ("gains", (NUM_SEATS, 3), "told by a start-of-battle effect: anything, a steppe creature, a mountain creature"),
    ("bonfires", (NUM_CELLS,), "turns that they last still"),
    ("cards", (NUM_SLOTS, NUM_CARDS), "one-hot: the card of each slot, dead ones too"),
    ("rows", (NUM_SLOTS, ROWS), "one-hot: where it stands"),
    ("columns", (NUM_SLOTS, COLUMNS), "one-hot: where it stands"),
    ("numbers", (NUM_SLOTS, len(CARD_NUMBERS)), f"of each card, by their units: {', '.join(CARD_NUMBERS)}"),
)

# What 1.0 stands for, in the sections that count something; in `numbers` by name.
UNITS = {
    "turn": MAX_TURNS, "roll_off": DIE, "difference": 5, "decks": 3, "deal_sizes": DEAL, "deal": 3, "squad": 3,
    "crystals": 24, "bonfires": 2,
}  # fmt: skip
NUMBER_UNITS = {
    "life": 18, "wounds": 18, "moves": 2, "armour": 2, "attack_experience": 2, "defence_experience": 2, "partners": 4,
    "poison": 2, "tokens": MAX_TOKENS, "entered": 2, "strikes": 2, "bonus": 2,
}  # fmt: skip
_SCALES = {name: np.float32(1 / unit) for name, unit in (UNITS | NUMBER_UNITS).items()}
PER: Any = namedtuple("PER", _SCALES)(**_SCALES)

SECTIONS = sections(
    *((name, shape, f"{meaning} / {UNITS[name]}" if name in UNITS else meaning) for name, shape, meaning in _TABLE)
)
OBSERVATION_SIZE = length(SECTIONS)
_STARTS = starts(SECTIONS)
_PLACES = {name: place for place, name in enumerate(CARD_NUMBERS)}
AT: Any = namedtuple("AT", _STARTS)(**_STARTS)
N: Any = namedtuple("N", _PLACES)(**_PLACES)
NUM_NUMBERS: Final = len(CARD_NUMBERS)


@rule
def relative(me: int, slot: int) -> int:
    """A slot as the observer counts them."""
    return int(slot) if me == 0 else (int(slot) + SQUAD) % NUM_SLOTS


@rule
def write_clock(s: State, me: int, out: Floats) -> None:
    """Sections difference_table to roll_off."""
    out[AT.difference_table] = s.combat
    out[AT.phase + int(s.phase)] = 1.0
    out[AT.turn] = s.turn * PER.turn
    out[AT.turn + 1] = (int(s.max_turns) - int(s.turn)) * PER.turn
    if s.first != NONE:
        out[AT.first + int(s.first != me)] = 1.0
    for r in range(NUM_SEATS):
        out[AT.roll_off + r] = s.roll_off[(me + r) % NUM_SEATS] * PER.roll_off


@rule
def write_question(s: State, me: int, out: Floats) -> None:
    """Sections decision to target: who is asked what is known to both, the card of a secret question is not."""
    out[AT.decision + int(s.decision)] = 1.0
    if s.seat != NONE:
        out[AT.asked + int(s.seat != me)] = 1.0
    if s.phase == Phase.BATTLE or s.seat == me:
        if s.actor != NONE:
            out[AT.actor + relative(me, s.actor)] = 1.0
        if s.target != NONE:
            out[AT.target + relative(me, s.target)] = 1.0


@rule
def write_action(s: State, me: int, out: Floats) -> None:
    """Sections attacker to dice: the action that goes on, and dice that lie open."""
    routine = get(s, Frame.ROUTINE)
    if s.over == 0 and (routine == Routine.STRIKE or routine == Routine.ABILITY):
        out[AT.attacker + relative(me, get(s, Frame.ACTOR))] = 1.0
        if get(s, Frame.TARGET) != NONE:
            out[AT.attacked + relative(me, get(s, Frame.TARGET))] = 1.0
        out[AT.act + get(s, Frame.ACT)] = 1.0
        out[AT.action] = get(s, Frame.PAID) * PER.tokens
        out[AT.action + 1] = get(s, Frame.DIRECTED)
        out[AT.action + 2] = get(s, Frame.DEFENDED)
        out[AT.action + 3] = get(s, Frame.LEFT) * PER.attack_experience
        out[AT.action + 4] = get(s, Frame.COUNT) * PER.deal
        out[AT.difference] = get(s, Frame.DIFFERENCE) * PER.difference
    write_die(out, 0, int(s.white[0]))
    write_die(out, 1, int(s.white[1]))
    write_die(out, 2, int(s.black[0]))
    write_die(out, 3, int(s.black[1]))
    write_die(out, 4, int(s.block))
    write_die(out, 5, int(s.die))


@rule
def write_die(out: Floats, place: int, die: int) -> None:
    """A row of the section dice."""
    if die > 0:
        out[AT.dice + place * DIE + die - 1] = 1.0


@rule
def write_recruiting(s: State, me: int, out: Floats) -> None:
    """Sections decks to gains."""
    # Views, not offsets, let the compiler see that no index is negative, and go wide.
    own_deck, other_deck = out[AT.decks : AT.decks + NUM_CARDS], out[AT.decks + NUM_CARDS : AT.deal_sizes]
    deal, squad = out[AT.deal : AT.deal + NUM_CARDS], out[AT.squad : AT.squad + NUM_CARDS]
    other = NUM_SEATS - 1 - me
    for card in range(NUM_CARDS):
        own_deck[card] = s.deck[me, card] * PER.decks
        other_deck[card] = s.deck[other, card] * PER.decks
    for card in range(NUM_CARDS):
        deal[card] = s.deal[me, card] * PER.deal
        squad[card] = s.squad[me, card] * PER.squad
    for r in range(NUM_SEATS):
        seat = (me + r) % NUM_SEATS
        out[AT.deal_sizes + r] = s.deal_size[seat] * PER.deal_sizes
        for bit in range(3):
            out[AT.gains + 3 * r + bit] = s.gains[seat] >> bit & 1
    if s.phase == Phase.PURCHASE:
        gold, elites = gold_of(s, me), cost_of(s, me, 1)
        out[AT.crystals] = (gold - elites) * PER.crystals
        out[AT.crystals + 1] = (gold + silver_of(s, me) - elites - cost_of(s, me, 0)) * PER.crystals
    elif s.phase == Phase.PLACEMENT:
        card = next_to_place(s, me)
        if card != NONE:
            out[AT.placing + card] = 1.0
    elif s.phase == Phase.REVEAL and s.seat == me:
        for k in range(SQUAD):
            out[AT.turning_up + k] = get(s, Frame.SHOWN) >> k & 1


@rule
def write_cards(s: State, me: int, out: Floats) -> None:
    """Sections cards to numbers: dead cards too, the other's when they are on the table. Of a card that lies face down
    before the observer they tell where it stands, and no more.
    """
    # All in one function: each call that hands on an array counts references to it, which costs more than this.
    told = squad_is_seen(s, NUM_SEATS - 1 - me)
    for slot in range(NUM_SLOTS):
        on_board = s.cell[slot] != NONE
        if (not on_board and s.died[slot] == 0) or (not told and owner(slot) != me):
            continue
        r = relative(me, slot)
        at = AT.numbers + r * NUM_NUMBERS
        if on_board:
            cell = seen(s, me, s.cell[slot])
            out[AT.rows + r * ROWS + ROW_OF[cell]] = 1.0
            out[AT.columns + r * COLUMNS + COLUMN_OF[cell]] = 1.0
            out[at + N.in_play] = 1.0
            out[at + N.face_down] = s.face_down[slot]
        if is_hidden(s, slot, me):
            continue
        card = int(s.card[slot])
        out[AT.cards + r * NUM_CARDS + card] = 1.0
        if not on_board:
            out[at + N.dead] = 1.0
            out[at + N.killed_by_enemy] = s.by_enemy[slot]
            continue
        out[at + N.closed] = s.closed[slot]
        out[at + N.life] = (int(LIFE[card]) - int(s.wounds[slot])) * PER.life
        out[at + N.wounds] = s.wounds[slot] * PER.wounds
        out[at + N.moves] = s.moves[slot] * PER.moves
        if TRAINED[card]:
            out[at + N.armour] = max(0, armour(s, slot) - int(s.absorbed[slot])) * PER.armour
            out[at + N.attack_experience] = attack_experience(s, slot) * PER.attack_experience
            out[at + N.defence_experience] = defence_experience(s, slot) * PER.defence_experience
        out[at + N.partners] = partners(s, slot, ANY) * PER.partners
        out[at + N.poison] = s.poison[slot] * PER.poison
        out[at + N.tokens] = s.tokens[slot] * PER.tokens
        out[at + N.stunned] = s.stunned[slot]
        out[at + N.directed] = s.directed[slot]
        out[at + N.entered] = s.entered[slot] * PER.entered
        out[at + N.stepped] = s.stepped[slot]
        out[at + N.strikes] = s.strikes[slot] * PER.strikes
        out[at + N.bonus] = s.bonus[slot] * PER.bonus
        out[at + N.extra_movement] = s.extra_movement[slot]
        out[at + N.must_strike] = must_strike(s, slot)


@shared_rule
def write_observation(s: State, me: int, out: Floats) -> None:
    """Everything that the seat may know, whoever is asked (rules 9.4)."""
    out[:] = 0.0
    write_clock(s, me, out)
    write_question(s, me, out)
    write_action(s, me, out)
    write_recruiting(s, me, out)
    if s.fires != 0:
        for cell in range(NUM_CELLS):
            if s.bonfire[cell] > 0:
                left = int(s.bonfire[cell]) - int(s.turn) + 1
                out[AT.bonfires + seen(s, me, cell)] = left * PER.bonfires
    write_cards(s, me, out)


SIZES: Final = Sizes(NUM_ACTIONS, OBSERVATION_SIZE, NUM_SEATS, NUM_OPTIONS)
