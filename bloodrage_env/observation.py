"""What one seat may know, as one float32 vector: a table of named sections, and the functions that fill them.

Seats are counted from the observer clockwise (0 is the observer itself); the sections of absent seats stay zero, so
that the length is the same for two to five players. Every section says what its numbers are; nearly all lie in
[0, 1]. `docs/environment.md` is printed from the table.
"""

from collections import namedtuple
from typing import Any, Final

import numpy as np

from .core.batch import Sizes
from .core.checks import Checks
from .core.compiled import Floats, rule, shared_rule
from .core.observe import observe_for
from .core.sparse import WORD, lowest_bit, set_bits
from .core.tables import length, sections, starts
from .engine import (
    COMPILER,
    COPIES,
    DRAFTED,
    FJORD_OF,
    FLOW,
    GODS_IN_GAME,
    IS_UPGRADE,
    MAX_SEATS,
    NONE,
    NUM_ACTIONS,
    NUM_AGES,
    NUM_BOARD,
    NUM_CARDS,
    NUM_DECISIONS,
    NUM_GODS,
    NUM_KINDS,
    NUM_OPTIONS,
    NUM_OUTER,
    NUM_PHASES,
    NUM_PLACES,
    NUM_PROVINCES,
    NUM_SETS,
    NUM_SLOTS,
    NUM_STATS,
    NUM_TOKENS,
    QUEST_INDEX,
    QUESTS,
    TYPE,
    CardSet,
    CardType,
    Decision,
    Figure,
    Phase,
    Purpose,
    Slot,
    Stat,
    State,
    asked,
    check_game,
    check_seat,
    clan_strength,
    copies_since,
    has_set,
    mystics_in_supply,
    next_turn,
    pack,
    passed_on,
    question_hidden,
    room,
    stat_value,
)

# Positions of the cards of one type among their like, for sections that need no room for the others.
UPGRADE_CARDS = np.flatnonzero(IS_UPGRADE)
MONSTER_CARDS = np.flatnonzero(TYPE == CardType.MONSTER)
NUM_QUESTS, NUM_UPGRADES, NUM_MONSTERS = len(QUESTS), len(UPGRADE_CARDS), len(MONSTER_CARDS)
UPGRADE_INDEX, MONSTER_INDEX = np.full((2, NUM_CARDS), NONE, dtype=np.int64)
UPGRADE_INDEX[UPGRADE_CARDS] = np.arange(NUM_UPGRADES)
MONSTER_INDEX[MONSTER_CARDS] = np.arange(NUM_MONSTERS)
FIGURE_WORDS = -(-NUM_KINDS * NUM_PLACES // WORD)  # to look for the figures of a clan
MAX_COPIES = int(COPIES.sum(axis=0).max())  # of a card in one deck

_TABLE: tuple[tuple[str, tuple[int, ...], str], ...] = (
    ("players", (MAX_SEATS - 1,), "one-hot: 2, 3, 4 or 5 players"),
    ("sets", (NUM_SETS - 1,), "the card sets played with: p5, ks, mystics, gods"),
    ("age", (NUM_AGES,), "one-hot"),
    ("phase", (NUM_PHASES,), "one-hot: the six phases, over"),
    ("first_player", (MAX_SEATS,), "one-hot by seat"),
    ("next_turn", (MAX_SEATS,), "one-hot by seat, in the Action phase: whose turn comes next, if it can act"),
    ("draft", (2,), "a draft is on; rounds done"),
    ("decision", (NUM_DECISIONS,), "one-hot: kind of question; NONE at the end, and while others choose in secret"),
    ("actor", (MAX_SEATS,), "one-hot by seat: who is asked; zero while others choose in secret"),
    ("about_place", (NUM_BOARD,), "one-hot: the place that the question is about"),
    ("about_kind", (NUM_KINDS,), "one-hot: the figure kind that the question is about"),
    ("about_card", (NUM_CARDS,), "one-hot: the card that the question is about"),
    ("limits", (2,), "least and greatest COUNT"),
    ("declined", (1,), "clans that have declined in a row in a call to battle or for late cards / players"),
    ("caller", (MAX_SEATS,), "one-hot by seat: the pillager during a call to battle"),
    ("march_from", (NUM_PROVINCES,), "one-hot: where a march begins"),
    ("march", (NUM_KINDS,), "figures chosen so far to go"),
    ("dying", (NUM_KINDS,), "figures of the actor about to be destroyed"),
    ("taker", (MAX_SEATS, 2), "one-hot by seat: whose Mystic, of the reserve or of Valhalla, is taking a village"),
    ("taken", (MAX_SEATS,), "one-hot by seat: the clan of which it may take, or has taken, a figure's village"),
    ("stats", (MAX_SEATS, NUM_STATS), "step of Rage, Axes, Horns"),
    ("stat_values", (MAX_SEATS, NUM_STATS), "value of Rage, Axes, Horns"),
    ("rage", (MAX_SEATS,), "Rage left"),
    ("glory", (MAX_SEATS,), "glory"),
    ("passed", (MAX_SEATS,), "has passed in this Age"),
    ("hand_sizes", (MAX_SEATS,), "cards in hand"),
    ("quest_counts", (MAX_SEATS,), "committed quests"),
    ("horns_free", (MAX_SEATS,), "figures that may still invade"),
    ("upgrades", (MAX_SEATS, NUM_UPGRADES), "upgrades on the clan sheet"),
    ("second_monster", (MAX_SEATS, NUM_MONSTERS), "the monster in the second slot, again"),
    ("supply", (MAX_SEATS,), "Mystics in the supply, with the set"),
    ("figures", (MAX_SEATS, NUM_KINDS, NUM_PLACES), "figures by kind and place; warriors"),
    ("strength", (MAX_SEATS, NUM_PROVINCES), "STR in each province with its fjord"),
    ("barred", (MAX_SEATS, NUM_PROVINCES), "provinces that the clan may not choose to pillage for now"),
    ("tokens", (NUM_PROVINCES, NUM_TOKENS), "one-hot: the pillage token"),
    ("room", (NUM_OUTER,), "empty villages"),
    ("destroyed", (NUM_PROVINCES,), "out of the game"),
    ("pillaged", (NUM_PROVINCES,), "pillaged in this Age"),
    ("ragnarok", (NUM_AGES, NUM_PROVINCES), "one-hot: the doomed province of each Age"),
    ("gods", (GODS_IN_GAME, NUM_GODS), "one-hot: the god drawn first, and the other one"),
    ("god_in", (NUM_GODS, NUM_PROVINCES), "one-hot: the province where each god stands"),
    ("hand", (NUM_CARDS,), "own hand, copies"),
    ("quests", (NUM_QUESTS,), "own committed quests, copies"),
    ("pack", (NUM_CARDS,), "the pack in hand, copies"),
    ("packs_seen", (MAX_COPIES, NUM_CARDS), "copies passed on in this draft, a row for each: last round that saw it"),
    ("known", (MAX_SEATS - 1, NUM_CARDS), "cards for sure in an opponent's hand or among its quests, copies"),
    ("sure_quests", (MAX_SEATS - 1, NUM_QUESTS), "those of `known` in the hand after the last commitment, copies"),
    ("discards", (NUM_CARDS,), "open discards, copies"),
    ("gone", (NUM_CARDS,), "cards that only the observer saw leave the game, copies"),
    ("table", (MAX_SEATS, NUM_CARDS), "cards face up in battles and the Quest phase, the own hidden choice, copies"),
    ("battle", (NUM_PROVINCES,), "one-hot: where a battle is on"),
    ("pillager", (MAX_SEATS,), "one-hot by seat, in a battle"),
    ("in_battle", (MAX_SEATS,), "clans of the battle"),
    ("text_works", (MAX_SEATS,), "the revealed card has a text that works"),
    ("counted", (MAX_SEATS,), "what a revealed quest counts"),
    ("fallen", (MAX_SEATS,), "figures destroyed since the reveal"),
    ("mystics", (MAX_SEATS,), "Mystics that were there when cards were first chosen"),
    ("totals", (MAX_SEATS,), "totals, once compared"),
)

# The provinces in which a figure of a place may count, as bits: its own, or those that its fjord supports (rules 1.3).
COUNTS_IN = np.array(
    [sum(1 << p for p in range(NUM_PROVINCES) if place in (p, FJORD_OF[p])) for place in range(NUM_PLACES)], np.int64
)

# What 1.0 stands for, in the sections that count something; in `figures` for warriors.
UNITS = {
    "draft": DRAFTED, "limits": 8, "march": 8, "dying": 8, "stats": 5, "stat_values": 12, "rage": 12, "glory": 100,
    "hand_sizes": 10, "quest_counts": 5, "horns_free": 10, "supply": 2, "figures": 8, "strength": 20, "room": 5,
    "hand": 2, "quests": 2, "pack": 2, "packs_seen": DRAFTED, "known": 2, "sure_quests": 2, "discards": 2, "gone": 2,
    "table": 2, "counted": 5, "fallen": 5, "totals": 20, "mystics": 2,
}  # fmt: skip
PER: Any = namedtuple("PER", UNITS)(*(np.float32(1 / unit) for unit in UNITS.values()))  # type: ignore[arg-type]

SECTIONS = sections(
    *((name, shape, f"{meaning} / {UNITS[name]}" if name in UNITS else meaning) for name, shape, meaning in _TABLE)
)
OBSERVATION_SIZE = length(SECTIONS)
AT: Any = namedtuple("AT", starts(SECTIONS))(**starts(SECTIONS))  # where each section begins


@rule
def write_clock(s: State, me: int, out: Floats) -> None:
    """Sections players to draft."""
    n = int(s.num_players)
    out[AT.players + n - 2] = 1.0
    for card_set in range(1, NUM_SETS):
        out[AT.sets + card_set - 1] = has_set(s, card_set)
    out[AT.age + int(s.age)] = 1.0
    out[AT.phase + int(s.phase)] = 1.0
    out[AT.first_player + (int(s.first_player) - me + n) % n] = 1.0
    if s.phase == Phase.ACTION:
        out[AT.next_turn + (next_turn(s) - me + n) % n] = 1.0
    if s.phase == Phase.GODS_GIFTS:
        out[AT.draft] = 1.0
        out[AT.draft + 1] = s.draft_round / np.float32(DRAFTED)


@rule
def write_question(s: State, me: int, out: Floats) -> None:
    """Sections decision to taken."""
    n = int(s.num_players)
    hidden = question_hidden(s, me)
    decision = s.decision
    out[AT.decision + (0 if hidden else int(decision))] = 1.0
    if hidden or decision == Decision.NONE:
        return
    out[AT.actor + (int(s.seat) - me + n) % n] = 1.0
    if s.about_place != NONE:
        out[AT.about_place + int(s.about_place)] = 1.0
    if s.about_kind != NONE:
        out[AT.about_kind + int(s.about_kind)] = 1.0
    if s.about_card != NONE:
        out[AT.about_card + int(s.about_card)] = 1.0
    out[AT.limits] = s.low * PER.limits
    out[AT.limits + 1] = s.high * PER.limits
    more = asked(s)
    out[AT.declined] = more.declined / np.float32(n)
    if more.pillager != NONE:
        out[AT.caller + (more.pillager - me + n) % n] = 1.0
    if more.origin != NONE:
        out[AT.march_from + more.origin] = 1.0
        for kind in range(NUM_KINDS):
            out[AT.march + kind] = s.march[kind] * PER.march
    elif decision == Decision.SACRIFICE:
        out[AT.limits] = more.sacrificed * PER.limits
    elif decision == Decision.SAVE or decision == Decision.WITHDRAW:
        for kind in range(NUM_KINDS):
            out[AT.dying + kind] = s.dying[kind] * PER.dying
    if more.taker != NONE:
        out[AT.taker + (more.taker - me + n) % n * 2 + more.raised] = 1.0
        out[AT.taken + (more.victim - me + n) % n] = 1.0


@rule
def write_clan(s: State, seat: int, r: int, out: Floats) -> None:
    """Sections stats to barred, of one clan that sits `r` places to the left of the observer."""
    for stat in range(NUM_STATS):
        out[AT.stats + r * NUM_STATS + stat] = s.stat_step[seat, stat] * PER.stats
        out[AT.stat_values + r * NUM_STATS + stat] = stat_value(s, seat, stat) * PER.stat_values
    out[AT.rage + r] = s.rage[seat] * PER.rage
    out[AT.glory + r] = s.glory[seat] * PER.glory
    out[AT.passed + r] = s.passed[seat]
    out[AT.hand_sizes + r] = s.hand_size[seat] * PER.hand_sizes
    out[AT.quest_counts + r] = s.quest_count[seat] * PER.quest_counts
    out[AT.horns_free + r] = max(0, stat_value(s, seat, Stat.HORNS) - int(s.on_board[seat])) * PER.horns_free
    for slot in range(NUM_SLOTS):
        card = s.upgrades[seat, slot]
        if card != NONE:
            out[AT.upgrades + r * NUM_UPGRADES + UPGRADE_INDEX[card]] = 1.0
    if s.upgrades[seat, Slot.MONSTER_2] != NONE:
        out[AT.second_monster + r * NUM_MONSTERS + MONSTER_INDEX[s.upgrades[seat, Slot.MONSTER_2]]] = 1.0
    if has_set(s, CardSet.MYSTICS):
        out[AT.supply + r] = mystics_in_supply(s, seat) * PER.supply
    for province in range(NUM_PROVINCES):
        out[AT.barred + r * NUM_PROVINCES + province] = s.barred[seat, province]
    write_figures(s, seat, r, out)


@rule
def write_figures(s: State, seat: int, r: int, out: Floats) -> None:
    """Sections figures and strength, of one clan that sits `r` places to the left of the observer."""
    start = AT.figures + r * NUM_KINDS * NUM_PLACES
    figures = s.figures[seat]
    provinces = 0
    for word in range(FIGURE_WORDS):
        bits = set_bits(figures, word * WORD)
        while bits != 0:
            at = word * WORD + lowest_bit(bits)
            bits &= bits - 1
            kind, place = at // NUM_PLACES, at % NUM_PLACES
            scale = PER.figures if kind == Figure.WARRIOR else np.float32(1.0)
            out[start + at] = figures[kind, place] * scale
            provinces |= COUNTS_IN[place]
    while provinces != 0:
        province = lowest_bit(provinces)
        provinces &= provinces - 1
        strength = clan_strength(s, seat, province, Purpose.BATTLE)
        out[AT.strength + r * NUM_PROVINCES + province] = strength * PER.strength


@rule
def write_provinces(s: State, out: Floats) -> None:
    """Sections tokens to god_in."""
    for province in range(NUM_PROVINCES):
        out[AT.tokens + province * NUM_TOKENS + int(s.token[province])] = 1.0
        out[AT.destroyed + province] = s.destroyed[province]
        out[AT.pillaged + province] = s.pillaged[province]
        if s.god_in[province] != NONE:
            out[AT.god_in + int(s.god_in[province]) * NUM_PROVINCES + province] = 1.0
    for province in range(NUM_OUTER):
        out[AT.room + province] = room(s, province) * PER.room
    for age in range(NUM_AGES):
        out[AT.ragnarok + age * NUM_PROVINCES + int(s.ragnarok[age])] = 1.0
    for i in range(GODS_IN_GAME):
        if s.gods[i] != NONE:
            out[AT.gods + i * NUM_GODS + int(s.gods[i])] = 1.0


@rule
def write_own_cards(s: State, me: int, out: Floats) -> None:
    """Sections hand, quests, pack, gone; and the own choice on the table."""
    for card in range(NUM_CARDS):
        out[AT.hand + card] = s.hand[me, card] * PER.hand
    for card in range(NUM_CARDS):
        out[AT.gone + card] = s.gone[me, card] * PER.gone
    for i in range(s.quest_count[me]):
        out[AT.quests + QUEST_INDEX[s.quests[me, i]]] += PER.quests
    for i in range(2):
        if s.pending[me, i] >= 0:
            out[AT.table + int(s.pending[me, i])] += PER.table
    if s.phase == Phase.GODS_GIFTS:
        start, stop = pack(s, me)
        for i in range(start, stop):
            out[AT.pack + int(s.deck[s.age, i])] += PER.pack


@rule
def write_packs_seen(s: State, me: int, out: Floats) -> None:
    """Section packs_seen."""
    rows = out[AT.packs_seen : AT.packs_seen + MAX_COPIES * NUM_CARDS]
    for draft_round in range(s.draft_round):
        seen = (draft_round + 1) / np.float32(DRAFTED)
        start, stop = passed_on(s, me, draft_round)
        for i in range(start, stop):
            card = int(s.deck[s.age, i])
            while rows[card] != 0.0:
                card += NUM_CARDS
            rows[card] = seen


@rule
def write_others_cards(s: State, seat: int, r: int, out: Floats) -> None:
    """Sections known, sure_quests, of one opponent.

    Here and elsewhere a view, not an offset, lets the compiler see that no index is negative, and go wide.
    """
    start = AT.known + (r - 1) * NUM_CARDS
    known = out[start : start + NUM_CARDS]
    for card in range(NUM_CARDS):
        known[card] = s.known[seat, card] * PER.known
    if s.known[seat].sum() > 0:
        for i in range(NUM_QUESTS):
            card = QUESTS[i]
            if s.known[seat, card] > 0:
                sure = int(s.known[seat, card]) - copies_since(s, seat, card, int(s.quest_count[seat]) - 1)
                out[AT.sure_quests + (r - 1) * NUM_QUESTS + i] = sure * PER.sure_quests


@rule
def write_battle(s: State, me: int, out: Floats) -> None:
    """Sections battle to totals."""
    n = int(s.num_players)
    out[AT.battle + int(s.battle_province)] = 1.0
    out[AT.pillager + (int(s.pillager) - me + n) % n] = 1.0
    for r in range(n):
        seat = (me + r) % n
        out[AT.in_battle + r] = s.in_battle[seat]
        if s.main[seat] != NONE:
            out[AT.table + r * NUM_CARDS + int(s.main[seat])] += PER.table
        for i in range(s.late_count[seat]):
            out[AT.table + r * NUM_CARDS + int(s.late[seat, i])] += PER.table
        out[AT.text_works + r] = s.text[seat] != NONE
        out[AT.counted + r] = s.counted[seat] * PER.counted
        out[AT.fallen + r] = s.fallen[seat] * PER.fallen
        out[AT.mystics + r] = s.mystics[seat] * PER.mystics
        out[AT.totals + r] = s.total[seat] * PER.totals


@shared_rule
def write_observation(s: State, me: int, out: Floats) -> None:
    """Everything that the seat may know, whoever is asked (rules 2.6)."""
    out[:] = 0.0
    n = int(s.num_players)
    write_clock(s, me, out)
    write_question(s, me, out)
    write_provinces(s, out)
    write_own_cards(s, me, out)
    write_packs_seen(s, me, out)
    for card in range(NUM_CARDS):
        out[AT.discards + card] = s.discards[card] * PER.discards
    for r in range(n):
        seat = (me + r) % n
        write_clan(s, seat, r, out)
        if r > 0:
            write_others_cards(s, seat, r, out)
        if s.quests_open == 1:
            for i in range(s.quest_count[seat]):
                out[AT.table + r * NUM_CARDS + int(s.quests[seat, i])] += PER.table
    if s.battle == 1:
        write_battle(s, me, out)


SIZES: Final = Sizes(NUM_ACTIONS, OBSERVATION_SIZE, MAX_SEATS, NUM_OPTIONS)
ENTRIES: Final = observe_for(COMPILER, FLOW, Checks(check_game, check_seat), write_observation, SIZES)
observe, observe_sparse, step_and_observe = ENTRIES
