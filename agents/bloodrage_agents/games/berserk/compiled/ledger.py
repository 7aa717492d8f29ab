"""The ledger of Berserk: what the rules say about a position in plain numbers, as inputs of a network.

A lead is two numbers, how far the team of the seat to act is ahead and how far behind, of which one is 0. Only
information of that seat is read: of a card that lies face down before it, its cell. `docs/ledger.md` is printed from
the table.
"""

from typing import Final

import numpy as np

from bloodrage_env.core.compile.borrowed import borrowed
from bloodrage_env.core.compile.decorators import Floats, Ints, rule, shared_rule
from bloodrage_env.core.compile.local_arrays import local_zeros
from bloodrage_env.core.engine.tables import length, numbered, scales, section, sections, starts

from ....forward import MOST
from ....scores import put
from ..mode import (
    ABILITIES,
    AIR,
    COST,
    FLYERS,
    LIFE,
    NONE,
    NUM_SEATS,
    NUM_SLOTS,
    NUM_TEAMS,
    Act,
    Force,
    Frame,
    Part,
    Phase,
    Routine,
    State,
    flyer_targets,
    get,
    is_hidden,
    is_open,
    owner,
    relative,
    relative_seat,
    targets,
)
from .evaluate import can_attack

SIDES: Final = ("ahead", "behind")
# What is counted of each player, and the unit of a team's lead.
COUNTED: Final = {
    "crystals": 10, "life": 20, "cards": 5, "open": 5, "able": 5, "moves": 10, "strikers": 5, "reached": 5,
    "poison": 4, "tokens": 5,
}  # fmt: skip
NUM_COUNTED: Final = len(COUNTED)
OF_SLOT: Final = {"reaches": 3, "is reached": 3, "survives": 10, "dies": 10}
STRUCK: Final = ("target", "attacker")
FORCES: Final = tuple(force.name for force in Force if force != Force.MISS)
NUM_OF_SLOT, NUM_FORCES = len(OF_SLOT), len(FORCES)
_COUNTS: Final = NUM_COUNTED * NUM_SEATS
_WEAK: Final = int(Part.WEAK)
_MEDIUM: Final = _WEAK + int(Force.MEDIUM)

LEDGER: Final = sections(
    section("card_leads", (tuple(COUNTED), SIDES),
            "lead of the team: cost and life left of its cards, their number, those that are open, those that could "
            "declare an action, movement left of open ones, open ones whose simple strike reaches an enemy, enemies "
            "that are reached, poison on enemies, tokens", tuple((unit,) for unit in COUNTED.values())),
    section("player_counts", (numbered(NUM_SEATS), tuple(COUNTED)),
            "the same of each player, as counts: cards of its own that are reached, and poison on them",
            tuple(COUNTED.values())),
    section("slot_reach", (numbered(NUM_SLOTS), tuple(OF_SLOT)),
            "of each card: enemies that its simple strike reaches; open enemies whose strike reaches it; its life left "
            "less the sum of their medium strikes, and the other way round", tuple(OF_SLOT.values())),
    section("strike_lead", (STRUCK, FORCES, SIDES),
            "in a simple strike: life left of the target less the printed strike of the attacker, and of the attacker "
            "less that of the target", 5),
)  # fmt: skip
NUM_LEDGER: Final = length(LEDGER)
_SCALES: Final = scales(LEDGER)
_AT: Final = starts(LEDGER)
AT_LEADS, AT_PLAYERS, AT_SLOTS, AT_STRIKE = _AT.values()


@rule
def is_known(s: State, slot: int, me: int) -> bool:
    """Whether a card is in play and the seat knows which one it is."""
    return s.cell[slot] != NONE and s.card[slot] != NONE and not is_hidden(s, slot, me)


@rule
def life_left(s: State, slot: int) -> int:
    """The life of a card in play, without its wounds."""
    return int(LIFE[s.card[slot]]) - int(s.wounds[slot])


@rule
def fill_reach(s: State, reaches: Ints, reached: Ints, threats: Ints) -> None:
    """Fill by slot the enemies that a card reaches, those that reach it, and the sum of their medium strikes."""
    for slot in range(NUM_SLOTS):
        if not is_open(s, slot) or s.card[slot] == NONE or s.face_down[slot] == 1:
            continue
        cells, flyers = targets(s, slot, Act.STRIKE), flyer_targets(s, slot, Act.STRIKE)
        for other in range(NUM_SLOTS):
            place = int(s.cell[other])
            if place != NONE:
                bit = flyers >> other if FLYERS and place == AIR else cells >> place
                if bit & 1 == 1:
                    reaches[slot] += 1
                    reached[other] += 1
                    threats[other] += int(ABILITIES[_MEDIUM, s.card[slot], Act.STRIKE])


@rule
def count_card(s: State, slot: int, me: int, reaches: Ints, reached: Ints, counts: Ints) -> None:
    """Add a card in play to the counts of its owner. What it suffers is subtracted: it is a lead of the opponents."""
    upright = is_open(s, slot)
    if is_known(s, slot, me):
        counts[0] += int(COST[s.card[slot]])
        counts[1] += life_left(s, slot)
        counts[5] += int(upright) * int(s.moves[slot])
        counts[8] -= int(s.poison[slot])
        counts[9] += int(s.tokens[slot])
    counts[2] += 1
    counts[3] += int(upright)
    counts[4] += int(can_attack(s, slot))
    counts[6] += int(reaches[slot] > 0)
    counts[7] -= int(reached[slot] > 0)


@rule
def write_counts(s: State, me: int, reaches: Ints, reached: Ints, out: Floats) -> None:
    """Write the sections `card_leads` and `player_counts`."""
    counts, leads = local_zeros(_COUNTS, np.int64), local_zeros(NUM_COUNTED, np.int64)
    for slot in range(NUM_SLOTS):
        if s.cell[slot] != NONE:
            at = owner(slot) * NUM_COUNTED
            count_card(s, slot, me, reaches, reached, counts[at : at + NUM_COUNTED])
    for seat in range(NUM_SEATS):
        own = 1 if seat % NUM_TEAMS == me % NUM_TEAMS else -1
        at = AT_PLAYERS + relative_seat(me, seat) * NUM_COUNTED
        for i in range(NUM_COUNTED):
            count = int(counts[seat * NUM_COUNTED + i])
            leads[i] += own * count
            out[at + i] = abs(count)
    for i in range(NUM_COUNTED):
        put(out, AT_LEADS + 2 * i, int(leads[i]))


@rule
def write_strike(s: State, me: int, out: Floats) -> None:
    """Write the section `strike_lead`, if a simple strike goes on."""
    if get(s, Frame.ROUTINE) != Routine.STRIKE or get(s, Frame.TARGET) == NONE:
        return
    actor, target = get(s, Frame.ACTOR), get(s, Frame.TARGET)
    if is_known(s, actor, me) and is_known(s, target, me):
        for force in range(NUM_FORCES):
            there = int(ABILITIES[_WEAK + force, s.card[actor], Act.STRIKE])
            back = int(ABILITIES[_WEAK + force, s.card[target], Act.STRIKE])
            put(out, AT_STRIKE + 2 * force, life_left(s, target) - there)
            put(out, AT_STRIKE + 2 * (NUM_FORCES + force), life_left(s, actor) - back)


@shared_rule
def write_ledger(s: State, out: Floats) -> None:
    """Fill `out`, float32[NUM_LEDGER], for the seat to act; with zeros before the battle."""
    out = borrowed(out)
    out[:] = 0.0
    if s.phase != Phase.BATTLE:
        return
    me = int(s.seat)
    reaches, reached = local_zeros(NUM_SLOTS, np.int64), local_zeros(NUM_SLOTS, np.int64)
    threats = local_zeros(NUM_SLOTS, np.int64)
    fill_reach(s, reaches, reached, threats)
    write_counts(s, me, reaches, reached, out)
    for slot in range(NUM_SLOTS):
        if s.cell[slot] != NONE:
            at = AT_SLOTS + relative(me, slot) * NUM_OF_SLOT
            out[at] = reaches[slot]
            out[at + 1] = reached[slot]
            if is_known(s, slot, me):
                put(out, at + 2, life_left(s, slot) - int(threats[slot]))
    write_strike(s, me, out)
    for i in range(NUM_LEDGER):
        out[i] = min(np.float32(MOST), out[i] * _SCALES[i])
