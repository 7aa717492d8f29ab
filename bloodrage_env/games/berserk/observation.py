"""What a seat may know, as uint8[OBSERVATION_SIZE]: a table of named sections, and the functions that fill them (rules
9.4). The numbers are counts; `SCALES` turns them into floats.

Slots are the observer's own 0 to 14 and the other's 15 to 29, cells and rows lie as the observer sees them, seats are
the observer and the other; in a team battle the observer, its partner, the left and the right opponent.
"""

from collections import namedtuple
from typing import Any, Final

from ...core.compile.borrowed import borrowed
from ...core.compile.decorators import Bytes, rule, shared_rule
from ...core.engine.batch import Sizes
from ...core.engine.fields_writer import fields_writer
from ...core.engine.forms import NUMBER, Each, Fields, Flag, Listed, One, counts_by
from ...core.engine.tables import OWN, labels, length, members, numbered, scales, sections, shown, starts
from ...core.engine.writer import writer_for
from .engine import (
    AIR,
    CARD_CAPACITY,
    COLUMN_OF,
    COLUMNS,
    COMPILER,
    DEAL,
    DEMON,
    FLYERS,
    GROUPS,
    LAAR,
    LIFE,
    MARK_FIELDS,
    MAX_COPIES,
    MAX_TOKENS,
    MAX_TURNS,
    MOVEMENT,
    NONE,
    NUM_ACTIONS,
    NUM_CELLS,
    NUM_OPTIONS,
    NUM_SEATS,
    NUM_SLOTS,
    ROW_OF,
    ROWS,
    SQUAD,
    STATE,
    TRAINED,
    Act,
    Card,
    Decision,
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
    relative,
    relative_seat,
    seen,
    silver_of,
    squad_is_seen,
)
from .engine import ANY_RANK as ANY
from .mode import TEAM

DICE: Final = ("white", "white_2", "black", "black_2", "block", "die")
DIE: Final = 6
ACTION_NUMBERS: Final = ("paid", "directed", "defended", "again", "targets")

# Features of each open card.
CARD_NUMBERS: Final = (
    "in_play", "face_down", "closed", "life", "wounds", "moves", "armour", "attack_experience", "defence_experience",
    "partners", "poison", "tokens", "stunned", "directed", "entered", "stepped", "strikes", "bonus", "extra_movement",
    "killed_by_enemy", "must_strike", "dead",
)  # fmt: skip

# Of each card, the count that 1.0 represents in a float observation.
NUMBER_UNITS: Final = {
    "life": 18, "wounds": 18, "moves": 2, "armour": 2, "attack_experience": 2, "defence_experience": 2, "partners": 4,
    "poison": 2, "tokens": MAX_TOKENS, "entered": 2, "strikes": 2, "bonus": 2,
}  # fmt: skip
SEATS, SLOTS, CELLS = numbered(NUM_SEATS), numbered(NUM_SLOTS), numbered(NUM_CELLS)
CARDS: Final = (*members(Card, DEMON), "DEMON", "ANGEL") if LAAR else members(Card, CARD_CAPACITY)
MOST_NUMBERS: Final = {
    "life": int(LIFE.max()), "wounds": int(LIFE.max()), "moves": int(MOVEMENT.max()) + 1, "armour": 2,
    "attack_experience": 2, "defence_experience": 2, "partners": 8, "poison": 2, "tokens": MAX_TOKENS, "entered": 60,
    "strikes": 2, "bonus": SQUAD,
}  # fmt: skip
MOST_CRYSTALS: Final = 25 + 23 + SQUAD  # gold and silver, and gold that cards of a squad add
DECISION_CAPACITY: Final = 32  # reserved for later questions, so that the sections keep their places


# Of each section its name, its path and form in a struct, its axes, meaning, unit, the greatest count, who sees it, and
# its field in the record.
SECTIONS = sections(
    shown("difference_table", "difference_table", Flag(), (numbered(1),), "a fight uses the table of differences",
          field="combat"),
    shown("phase", "phase", One("phase"), (members(Phase),), "one-hot", field="phase"),
    shown("turn", "turn", Fields(("begun", "left")), (numbered(2),), f"turns begun, turns left / {MAX_TURNS}",
          MAX_TURNS),
    shown("first", "first", One("seat"), (SEATS,), "one-hot: who is First", field="first"),
    shown("roll_off", "players.{seat}.roll_off", NUMBER, (SEATS,), f"the last roll of each / {DIE}", DIE,
          field="roll_off"),
    shown("decision", "asked.kind", One("decision"), (members(Decision, DECISION_CAPACITY),),
          "one-hot: the open question", field="decision"),
    shown("asked", "asked.seat", One("seat"), (SEATS,), "one-hot: who must answer", field="seat"),
    shown("actor", "asked.actor", One("slot"), (SLOTS,), "one-hot: the card that the question is about", seen_by=OWN),
    shown("target", "asked.target", One("slot"), (SLOTS,), "one-hot: the card that this is done to"),
    shown("attacker", "action.attacker", One("slot"), (SLOTS,), "one-hot: the card whose action goes on"),
    shown("attacked", "action.attacked", One("slot"), (SLOTS,), "one-hot: its target"),
    shown("act", "action.act", One("act"), (members(Act),), "one-hot: what it does"),
    shown("action", "action.*", Fields(ACTION_NUMBERS), (labels(ACTION_NUMBERS),),
          "tokens paid / 10, directed, against a defender, rolls left again / 2, targets so far / 3",
          (MAX_TOKENS, 1, 1, 2, 3), most=(MAX_TOKENS, 1, 1, DIE, 3)),
    shown("difference", "action.difference", Fields(("more", "less")), (labels(("more", "less")),),
          "of the dice: how much more the attacker rolled, how much less / 5", 5, most=DIE),
    shown("dice", "dice", Each("die", One("face")), (labels(DICE), numbered(DIE, first=1)),
          f"one-hot: {', '.join(DICE)}"),
    shown("decks", "players.{seat}.deck", counts_by("card"), (SEATS, CARDS), "copies / 3", 3, most=MAX_COPIES,
          field="deck"),
    shown("deal_sizes", "players.{seat}.deal_size", NUMBER, (SEATS,), f"cards / {DEAL}", DEAL,
          field="deal_size"),
    shown("deal", "deal", counts_by("card"), (CARDS,), "the own deal, copies / 3", 3, most=SQUAD,
          seen_by=OWN, field="deal"),
    shown("squad", "squad", counts_by("card"), (CARDS,), "own cards bought, copies / 3", 3, most=SQUAD,
          seen_by=OWN, field="squad"),
    shown("crystals", "crystals", Fields(("gold", "gold_and_silver")), (numbered(2),),
          "gold left for elites, gold and silver left for all, during the own purchase / 24", 24, most=MOST_CRYSTALS,
          seen_by=OWN),
    shown("placing", "placing", One("card"), (CARDS,), "one-hot: the own card to be placed now", seen_by=OWN),
    shown("turning_up", "turning_up", Listed("own_slot"), (numbered(SQUAD),),
          "own cards of the third row that will be turned up", seen_by=OWN),
    shown("gains", "players.{seat}.squad_has", Listed("gain"), (SEATS, labels(("anything", "steppe", "mountain"))),
          "drawn by a start-of-battle effect: anything, a steppe creature, a mountain creature"),
    shown("bonfires", "bonfires", counts_by("cell"), (CELLS,), "turns that they last still / 2", 2, most=NUM_SEATS),
    shown("cards", "cards.{slot}.card", One("card"), (SLOTS, CARDS), "one-hot: the card of each slot, dead ones too",
          seen_by=OWN),
    shown("rows", "cards.{slot}.row", One("row"), (SLOTS, numbered(ROWS)), "one-hot: where it stands; of a flyer none",
          seen_by=OWN),
    shown("columns", "cards.{slot}.column", One("column"), (SLOTS, numbered(COLUMNS)),
          "one-hot: where it stands; of a flyer none", seen_by=OWN),
    shown("numbers", "cards.{slot}.*", Fields(CARD_NUMBERS), (SLOTS, labels(CARD_NUMBERS)),
          f"of each card, by their units: {', '.join(CARD_NUMBERS)}",
          tuple(NUMBER_UNITS.get(name, 1) for name in CARD_NUMBERS),
          most=tuple(MOST_NUMBERS.get(name, 1) for name in CARD_NUMBERS), seen_by=OWN),
    shown("placing_at_once", "placing_at_once", Flag(), (numbered(1),),
          "no player sees the other's cells while it places its own squad", field="placing"),
    *([shown("marks", "cards.{slot}.*", Fields(MARK_FIELDS), (SLOTS, labels(MARK_FIELDS)),
             f"of each card: {', '.join(MARK_FIELDS)}")] if MARK_FIELDS else []),  # only with own cards (rules 12.22)
)  # fmt: skip
SCALES = scales(SECTIONS)  # float32[OBSERVATION_SIZE]: bytes times these are the float observation
OBSERVATION_SIZE = length(SECTIONS)
_STARTS = starts(SECTIONS)
_PLACES = {name: place for place, name in enumerate(CARD_NUMBERS)}
AT: Any = namedtuple("AT", _STARTS)(**_STARTS)
N: Any = namedtuple("N", _PLACES)(**_PLACES)
NUM_NUMBERS: Final = len(CARD_NUMBERS)
NUM_MARKS: Final = len(MARK_FIELDS)


@rule
def from_observer(s: State, me: int, seat: int) -> int:
    """The number of a seat from the observer (`relative_seat`)."""
    return relative_seat(me, seat)


write_fields = fields_writer(COMPILER, GROUPS, SECTIONS, from_observer, absent=True)


@rule
def write_clock(s: State, out: Bytes) -> None:
    """Section turn."""
    out[AT.turn] = s.turn
    out[AT.turn + 1] = int(s.max_turns) - int(s.turn)


@rule
def write_question(s: State, me: int, out: Bytes) -> None:
    """Sections actor and target: who is asked what is known to both, the card of a secret question is not."""
    if s.phase == Phase.BATTLE or s.seat == me:
        if s.actor != NONE:
            out[AT.actor + relative(me, s.actor)] = 1
        if s.target != NONE:
            out[AT.target + relative(me, s.target)] = 1


@rule
def write_action(s: State, me: int, out: Bytes) -> None:
    """Sections attacker to dice: the action that goes on, and dice that lie open."""
    routine = get(s, Frame.ROUTINE)
    if s.over == 0 and (routine == Routine.STRIKE or routine == Routine.ABILITY):
        out[AT.attacker + relative(me, get(s, Frame.ACTOR))] = 1
        if get(s, Frame.TARGET) != NONE:
            out[AT.attacked + relative(me, get(s, Frame.TARGET))] = 1
        out[AT.act + get(s, Frame.ACT)] = 1
        out[AT.action] = get(s, Frame.PAID)
        out[AT.action + 1] = get(s, Frame.DIRECTED)
        out[AT.action + 2] = get(s, Frame.DEFENDED)
        out[AT.action + 3] = get(s, Frame.LEFT)
        out[AT.action + 4] = get(s, Frame.COUNT)
        out[AT.difference] = max(0, get(s, Frame.DIFFERENCE))
        out[AT.difference + 1] = max(0, -get(s, Frame.DIFFERENCE))
    write_die(out, 0, int(s.white[0]))
    write_die(out, 1, int(s.white[1]))
    write_die(out, 2, int(s.black[0]))
    write_die(out, 3, int(s.black[1]))
    write_die(out, 4, int(s.block))
    write_die(out, 5, int(s.die))


@rule
def write_die(out: Bytes, place: int, die: int) -> None:
    """A row of the section dice."""
    if die > 0:
        out[AT.dice + place * DIE + die - 1] = 1


@rule
def write_recruiting(s: State, me: int, out: Bytes) -> None:
    """Sections crystals to gains."""
    for seat in range(NUM_SEATS):
        r = relative_seat(me, seat)
        for bit in range(3):
            out[AT.gains + 3 * r + bit] = s.gains[seat] >> bit & 1
    if s.phase == Phase.PURCHASE:
        gold, elites = gold_of(s, me), cost_of(s, me, 1)
        out[AT.crystals] = gold - elites
        out[AT.crystals + 1] = gold + silver_of(s, me) - elites - cost_of(s, me, 0)
    elif s.phase == Phase.PLACEMENT:
        card = next_to_place(s, me)
        if card != NONE:
            out[AT.placing + card] = 1
    elif s.phase == Phase.REVEAL and s.seat == me:
        for k in range(SQUAD):
            out[AT.turning_up + k] = get(s, Frame.SHOWN) >> k & 1


@rule
def write_cards(s: State, me: int, out: Bytes) -> None:
    """Sections cards to numbers: dead cards too, the other's when they are on the table. Of a card that lies face down
    before the observer they tell where it stands, and no more.
    """
    # All in one function: each call that hands on an array counts references to it, which costs more than this.
    known = 1 << me
    for seat in range(NUM_SEATS):
        known |= int(squad_is_seen(s, seat)) << seat
    for slot in range(NUM_SLOTS):
        on_board = s.cell[slot] != NONE
        if (not on_board and s.died[slot] == 0) or known >> owner(slot) & 1 == 0:
            continue
        r = relative(me, slot)
        at = AT.numbers + r * NUM_NUMBERS
        if on_board:
            cell = seen(s, me, s.cell[slot])
            if not FLYERS or cell != AIR:
                out[AT.rows + r * ROWS + ROW_OF[cell]] = 1
                out[AT.columns + r * COLUMNS + COLUMN_OF[cell]] = 1
            out[at + N.in_play] = 1
            out[at + N.face_down] = s.face_down[slot]
        card = int(s.card[slot])
        if is_hidden(s, slot, me) or card == NONE:  # NONE: an own one in a record without anybody's secrets
            continue
        out[AT.cards + r * CARD_CAPACITY + card] = 1
        if not on_board:
            out[at + N.dead] = 1
            out[at + N.killed_by_enemy] = s.by_enemy[slot]
            continue
        out[at + N.closed] = s.closed[slot]
        out[at + N.life] = int(LIFE[card]) - int(s.wounds[slot])
        out[at + N.wounds] = s.wounds[slot]
        out[at + N.moves] = s.moves[slot]
        if TRAINED[card]:
            out[at + N.armour] = max(0, armour(s, slot) - int(s.absorbed[slot]))
            out[at + N.attack_experience] = attack_experience(s, slot)
            out[at + N.defence_experience] = defence_experience(s, slot)
        out[at + N.partners] = partners(s, slot, ANY)
        out[at + N.poison] = s.poison[slot]
        out[at + N.tokens] = s.tokens[slot]
        out[at + N.stunned] = s.stunned[slot]
        out[at + N.directed] = s.directed[slot]
        out[at + N.entered] = s.entered[slot]
        out[at + N.stepped] = s.stepped[slot]
        out[at + N.strikes] = s.strikes[slot]
        out[at + N.bonus] = s.bonus[slot]
        out[at + N.extra_movement] = s.extra_movement[slot]
        out[at + N.must_strike] = must_strike(s, slot)
        if NUM_MARKS > 0:
            out[AT.marks + r * NUM_MARKS] = s.vulnerable[slot]
            out[AT.marks + r * NUM_MARKS + 1] = s.no_shot_protection[slot]
            out[AT.marks + r * NUM_MARKS + 2] = s.no_poison_protection[slot]


@shared_rule
def write_observation(s: State, me: int, out: Bytes) -> None:
    """Everything that the seat may know, whoever is asked (rules 9.4)."""
    # Each rule that it is handed to would count a reference.
    out = borrowed(out)
    out[:] = 0
    write_fields(s, me, out)
    write_clock(s, out)
    write_question(s, me, out)
    write_action(s, me, out)
    write_recruiting(s, me, out)
    if s.fires != 0:
        for cell in range(NUM_CELLS):
            if s.bonfire[cell] > 0:
                left = int(s.bonfire[cell]) - int(s.turn) + 1
                out[AT.bonfires + seen(s, me, cell)] = left
    write_cards(s, me, out)


SIZES: Final = Sizes(NUM_ACTIONS, OBSERVATION_SIZE, NUM_SEATS, NUM_OPTIONS, STATE.itemsize, TEAM)
WRITER: Final = writer_for(COMPILER, write_observation, SCALES)
write_floats: Final = WRITER.write_floats
