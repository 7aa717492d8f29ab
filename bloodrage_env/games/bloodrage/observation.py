"""What one seat may know, as uint8[OBSERVATION_SIZE]: a table of named sections, and the functions that fill them.

Seats are counted from the observer clockwise (0 is the observer itself); the sections of absent seats stay zero, so
that the length is the same for two to five players. The numbers are counts; `SCALES` turns them into floats, nearly all
of which lie in [0, 1]. Glory, Rage, STR and totals above MOST are written as MOST. `docs/environment.md` is printed
from the table.
"""

from collections import namedtuple
from typing import Any, Final

import numpy as np

from ...core.compile.borrowed import borrowed
from ...core.compile.decorators import Bytes, rule, shared_rule
from ...core.compile.local_arrays import local_zeros
from ...core.engine.batch import Sizes
from ...core.engine.checks import Checks
from ...core.engine.fields_writer import MOST, fields_writer
from ...core.engine.forms import NUMBER, Each, Fields, Flag, Listed, One, Row, Share, counts_by
from ...core.engine.observe import observe_for
from ...core.engine.sparse import WORD, lowest_bit, set_bits
from ...core.engine.tables import OWN, labels, length, members, numbered, scales, sections, shown, starts
from ...core.engine.writer import writer_for
from .engine import (
    CARD_CAPACITY,
    COMPILER,
    COPIES,
    DRAFTED,
    FLOW,
    GODS_IN_GAME,
    GROUPS,
    HOT_BYTES,
    IS_UPGRADE,
    KIND_CAPACITY,
    MAX_SEATS,
    MOST_OF_KIND,
    NONE,
    NUM_ACTIONS,
    NUM_AGES,
    NUM_BOARD,
    NUM_CARDS,
    NUM_KINDS,
    NUM_MYSTICS,
    NUM_OPTIONS,
    NUM_OUTER,
    NUM_PROVINCES,
    NUM_SETS,
    NUM_SLOTS,
    NUM_STATS,
    NUM_WARRIORS,
    QUEST_CAPACITY,
    QUEST_INDEX,
    QUESTS,
    TYPE,
    Card,
    CardSet,
    CardType,
    Decision,
    Figure,
    God,
    Phase,
    Place,
    Slot,
    Stat,
    State,
    Token,
    add_strengths,
    asked,
    check_game,
    check_seat,
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
# Positions that are reserved for later sets, so that the sections keep their places.
UPGRADE_CAPACITY: Final = 48
MONSTER_CAPACITY: Final = 16
DECISION_CAPACITY: Final = 32
SET_CAPACITY: Final = 8
GOD_CAPACITY: Final = 8
UPGRADE_INDEX, MONSTER_INDEX = np.full((2, NUM_CARDS), NONE, dtype=np.int64)
UPGRADE_INDEX[UPGRADE_CARDS] = np.arange(len(UPGRADE_CARDS))
MONSTER_INDEX[MONSTER_CARDS] = np.arange(len(MONSTER_CARDS))
CARD_WORDS: Final = -(-CARD_CAPACITY // WORD)  # to look for cards
MAX_COPIES: Final = 4  # of a card in one deck
ONE_COPY = np.uint64(CARD_CAPACITY)  # from the position of a copy to that of the next one

# Names of the positions of each axis; those that are reserved have numbers.
SEATS, OTHERS = numbered(MAX_SEATS), numbered(MAX_SEATS - 1, first=1)  # from the observer clockwise
AGES, PLACES, CARDS = numbered(NUM_AGES, first=1), members(Place), members(Card, CARD_CAPACITY)
PROVINCES, KINDS, GOD_NAMES = PLACES[:NUM_PROVINCES], members(Figure, KIND_CAPACITY), members(God, GOD_CAPACITY)
QUEST_CARDS = labels((Card(card).name for card in QUESTS), QUEST_CAPACITY)
UPGRADES = labels((Card(card).name for card in UPGRADE_CARDS.tolist()), UPGRADE_CAPACITY)
MONSTERS = labels((Card(card).name for card in MONSTER_CARDS.tolist()), MONSTER_CAPACITY)

SHARES: Final = 60  # of the clans: a whole number of them is one clan of 2, 3, 4 or 5
FIGURE_UNITS: Final = tuple((NUM_WARRIORS if kind == Figure.WARRIOR else 1,) for kind in range(KIND_CAPACITY))
MOST_FIGURES: Final = tuple((most,) for most in (*MOST_OF_KIND.tolist(), *[1] * (KIND_CAPACITY - NUM_KINDS)))
COPIES_OF_A_CARD: Final = int(COPIES.sum(axis=(0, 2)).max())  # in all decks

# Of each section its name, its path and form in a struct, its axes, meaning, unit, the greatest count, who sees it, and
# its field in the record.
SECTIONS = sections(
    shown("players", "players", One("players"), (numbered(MAX_SEATS - 1, first=2),), "one-hot: 2, 3, 4 or 5 players"),
    shown("sets", "sets", Listed("set"), (members(CardSet, SET_CAPACITY)[1:],),
          "the card sets played with: p5, ks, mystics, gods"),
    shown("age", "age", One("age"), (AGES,), "one-hot", field="age"),
    shown("phase", "phase", One("phase"), (members(Phase),), "one-hot: the six phases, over", field="phase"),
    shown("first_player", "first_player", One("seat"), (SEATS,), "one-hot by seat", field="first_player"),
    shown("next_turn", "next_turn", One("seat"), (SEATS,),
          "one-hot by seat, in the Action phase: whose turn comes next, if it can act"),
    shown("draft", "draft", Fields(("under_way", "rounds_done")), (numbered(2),), "a draft is on; rounds done / 6",
          (1, DRAFTED)),
    shown("decision", "asked.kind", One("decision"), (members(Decision, DECISION_CAPACITY),),
          "one-hot: kind of question; NONE at the end, and while others choose in secret", seen_by=OWN),
    shown("actor", "asked.seat", One("seat"), (SEATS,),
          "one-hot by seat: who is asked; zero while others choose in secret", seen_by=OWN),
    shown("about_place", "asked.place", One("place"), (PLACES[:NUM_BOARD],),
          "one-hot: the place that the question is about", seen_by=OWN),
    shown("about_kind", "asked.figure", One("kind"), (KINDS,), "one-hot: the figure kind that the question is about"),
    shown("about_card", "asked.card", One("card"), (CARDS,), "one-hot: the card that the question is about"),
    shown("limits", "asked.limits", Fields(("least", "most")), (numbered(2),), "least and greatest COUNT / 8", 8,
          most=NUM_WARRIORS),
    shown("declined", "asked.declined_in_a_row", Share("seat", SHARES), (numbered(1),),
          "clans that have declined in a row in a call to battle or for late cards / players", SHARES, seen_by=OWN),
    shown("caller", "asked.called_by", One("seat"), (SEATS,), "one-hot by seat: the pillager during a call to battle"),
    shown("march_from", "asked.march_from", One("place"), (PROVINCES,), "one-hot: where a march begins"),
    shown("march", "asked.marching", counts_by("kind"), (KINDS,), "figures chosen so far to go / 8", 8,
          most=NUM_WARRIORS),
    shown("dying", "asked.dying", counts_by("kind"), (KINDS,), "figures of the actor about to be destroyed / 8", 8,
          most=NUM_WARRIORS),
    shown("taker", "asked.village_for", Each("seat", One("mystic_from")), (SEATS, numbered(2)),
          "one-hot by seat: whose Mystic, of the reserve or of Valhalla, takes a village"),
    shown("taken", "asked.village_of", One("seat"), (SEATS,),
          "one-hot by seat: the clan of which it may take, or has taken, a figure's village"),
    shown("stats", "clans.{seat}.stat_steps", counts_by("stat"), (SEATS, members(Stat)),
          "step of Rage, Axes, Horns / 5", 5, field="stat_step"),
    shown("stat_values", "clans.{seat}.stats", counts_by("stat"), (SEATS, members(Stat)),
          "value of Rage, Axes, Horns / 12", 12),
    shown("rage", "clans.{seat}.rage", NUMBER, (SEATS,), "Rage left / 12", 12, most=MOST, field="rage"),
    shown("glory", "clans.{seat}.glory", NUMBER, (SEATS,), "glory / 100", 100, most=MOST, field="glory"),
    shown("passed", "clans.{seat}.passed", Flag(), (SEATS,), "has passed in this Age", field="passed"),
    shown("hand_sizes", "clans.{seat}.cards_in_hand", NUMBER, (SEATS,),
          "cards in hand / 10", 10, most=MOST, field="hand_size"),
    shown("quest_counts", "clans.{seat}.committed_quests", NUMBER, (SEATS,),
          "committed quests / 5", 5, most=MOST, field="quest_count"),
    shown("horns_free", "clans.{seat}.may_still_invade", NUMBER, (SEATS,), "figures that may still invade / 10", 10),
    shown("upgrades", "clans.{seat}.upgrades", Listed("card"), (SEATS, UPGRADES), "upgrades on the clan sheet"),
    shown("second_monster", "clans.{seat}.second_monster", One("card"), (SEATS, MONSTERS),
          "the monster in the second slot, again"),
    shown("supply", "clans.{seat}.mystics_in_supply", NUMBER, (SEATS,), "Mystics in the supply, with the set / 2", 2,
          most=NUM_MYSTICS),
    shown("figures", "clans.{seat}.figures", Each("kind", counts_by("place")), (SEATS, KINDS, PLACES),
          "figures by kind and place; warriors / 8", FIGURE_UNITS, most=MOST_FIGURES, field="figures"),
    shown("strength", "clans.{seat}.strength", counts_by("place"), (SEATS, PROVINCES),
          "STR in each province with its fjord / 20", 20, most=MOST),
    shown("barred", "clans.{seat}.may_not_pillage", Listed("place"), (SEATS, PROVINCES),
          "provinces that the clan may not choose to pillage for now", field="barred"),
    shown("tokens", "provinces.{place}.token", One("token"), (PROVINCES, members(Token)),
          "one-hot: the pillage token", field="token"),
    shown("room", "provinces.{place}.empty_villages", NUMBER, (PROVINCES[:NUM_OUTER],), "empty villages / 5", 5),
    shown("destroyed", "provinces.{place}.destroyed", Flag(), (PROVINCES,), "out of the game", field="destroyed"),
    shown("pillaged", "provinces.{place}.pillaged", Flag(), (PROVINCES,), "pillaged in this Age", field="pillaged"),
    shown("ragnarok", "doomed", Each("age", One("place")), (AGES, PROVINCES),
          "one-hot: the doomed province of each Age", field="ragnarok"),
    shown("gods", "gods_drawn", Row(One("god")), (numbered(GODS_IN_GAME), GOD_NAMES),
          "one-hot: the god drawn first, and the other one", field="gods"),
    shown("god_in", "gods", Each("god", One("place")), (GOD_NAMES, PROVINCES),
          "one-hot: the province where each god stands"),
    shown("hand", "hand", counts_by("card"), (CARDS,),
          "own hand, copies / 2", 2, most=COPIES_OF_A_CARD, seen_by=OWN, field="hand"),
    shown("quests", "quests", counts_by("card"), (QUEST_CARDS,), "own committed quests, copies / 2", 2,
          most=COPIES_OF_A_CARD, seen_by=OWN),
    shown("pack", "pack", counts_by("card"), (CARDS,), "the pack in hand, copies / 2", 2, most=COPIES_OF_A_CARD,
          seen_by=OWN),
    shown("packs_seen", "passed_on", Row(counts_by("card")), (numbered(MAX_COPIES), CARDS),
          "copies passed on in this draft: last round that saw each / 6", DRAFTED, seen_by=OWN),
    shown("known", "clans.{other}.known_cards", counts_by("card"), (OTHERS, CARDS),
          "cards for sure in an opponent's hand or among its quests, copies / 2", 2,
          most=COPIES_OF_A_CARD, field="known"),
    shown("sure_quests", "clans.{other}.known_in_hand", counts_by("card"), (OTHERS, QUEST_CARDS),
          "those of `known` in the hand after the last commitment, copies / 2", 2, most=COPIES_OF_A_CARD),
    shown("discards", "discards", counts_by("card"), (CARDS,),
          "open discards, copies / 2", 2, most=COPIES_OF_A_CARD, field="discards"),
    shown("gone", "seen_leaving", counts_by("card"), (CARDS,),
          "cards that only the observer saw leave the game, copies / 2", 2,
          most=COPIES_OF_A_CARD, seen_by=OWN, field="gone"),
    shown("table", "clans.{seat}.on_table", counts_by("card"), (SEATS, CARDS),
          "cards face up in battles and the Quest phase, the own hidden choice, copies / 2", 2, most=COPIES_OF_A_CARD,
          seen_by=OWN),
    shown("battle", "battle.province", One("place"), (PROVINCES,),
          "one-hot: where a battle is on", field="battle_province", when="battle"),
    shown("pillager", "battle.pillager", One("seat"), (SEATS,),
          "one-hot by seat, in a battle", field="pillager", when="battle"),
    shown("in_battle", "battle.clans", Listed("seat"), (SEATS,),
          "clans of the battle", field="in_battle", when="battle"),
    shown("text_works", "battle.text_works", Listed("seat"), (SEATS,), "the revealed card has a text that works"),
    shown("counted", "battle.quest_counts", counts_by("seat"), (SEATS,), "what a revealed quest counts / 5", 5,
          most=NUM_WARRIORS, field="counted", when="battle"),
    shown("fallen", "battle.fallen", counts_by("seat"), (SEATS,), "figures destroyed since the reveal / 5", 5,
          most=MOST, field="fallen", when="battle"),
    shown("mystics", "battle.mystics", counts_by("seat"), (SEATS,),
          "Mystics that were there when cards were first chosen / 2", 2, field="mystics", when="battle"),
    shown("totals", "battle.totals", counts_by("seat"), (SEATS,),
          "totals, once compared / 20", 20, most=MOST, field="total", when="battle"),
)  # fmt: skip
SCALES = scales(SECTIONS)  # float32[OBSERVATION_SIZE]: bytes times these are the float observation
OBSERVATION_SIZE = length(SECTIONS)
AT: Any = namedtuple("AT", starts(SECTIONS))(**starts(SECTIONS))  # where each section begins


@rule
def from_observer(s: State, me: int, seat: int) -> int:
    """The number of a seat from the observer clockwise."""
    return (int(seat) - me + int(s.num_players)) % int(s.num_players)


write_fields = fields_writer(COMPILER, GROUPS, SECTIONS, from_observer)


@rule
def write_clock(s: State, me: int, out: Bytes) -> None:
    """Sections players, sets, next_turn and draft."""
    n = int(s.num_players)
    out[AT.players + n - 2] = 1
    for card_set in range(1, NUM_SETS):
        out[AT.sets + card_set - 1] = has_set(s, card_set)
    if s.phase == Phase.ACTION:
        out[AT.next_turn + from_observer(s, me, next_turn(s))] = 1
    if s.phase == Phase.GODS_GIFTS:
        out[AT.draft] = 1
        out[AT.draft + 1] = s.draft_round


@rule
def write_question(s: State, me: int, out: Bytes) -> None:
    """Sections decision to taken."""
    n = int(s.num_players)
    hidden = question_hidden(s, me)
    decision = s.decision
    out[AT.decision + (0 if hidden else int(decision))] = 1
    if hidden or decision == Decision.NONE:
        return
    out[AT.actor + from_observer(s, me, int(s.seat))] = 1
    if s.about_place != NONE:
        out[AT.about_place + int(s.about_place)] = 1
    if s.about_kind != NONE:
        out[AT.about_kind + int(s.about_kind)] = 1
    if s.about_card != NONE:
        out[AT.about_card + int(s.about_card)] = 1
    out[AT.limits] = s.low
    out[AT.limits + 1] = s.high
    more = asked(s)
    out[AT.declined] = more.declined * (SHARES // n)
    if more.pillager != NONE:
        out[AT.caller + from_observer(s, me, more.pillager)] = 1
    if more.origin != NONE:
        out[AT.march_from + more.origin] = 1
        for kind in range(NUM_KINDS):
            out[AT.march + kind] = s.march[kind]
    elif decision == Decision.SACRIFICE:
        out[AT.limits] = more.sacrificed
    elif decision == Decision.SAVE or decision == Decision.WITHDRAW:
        for kind in range(NUM_KINDS):
            out[AT.dying + kind] = s.dying[kind]
    if more.taker != NONE:
        out[AT.taker + from_observer(s, me, more.taker) * 2 + more.raised] = 1
        out[AT.taken + from_observer(s, me, more.victim)] = 1


@rule
def write_clan(s: State, seat: int, r: int, out: Bytes) -> None:
    """Sections stat_values to strength, of one clan that sits `r` places to the left of the observer."""
    for stat in range(NUM_STATS):
        out[AT.stat_values + r * NUM_STATS + stat] = stat_value(s, seat, stat)
    out[AT.horns_free + r] = max(0, stat_value(s, seat, Stat.HORNS) - int(s.on_board[seat]))
    for slot in range(NUM_SLOTS):
        card = s.upgrades[seat, slot]
        if card != NONE:
            out[AT.upgrades + r * UPGRADE_CAPACITY + UPGRADE_INDEX[card]] = 1
    if s.upgrades[seat, Slot.MONSTER_2] != NONE:
        out[AT.second_monster + r * MONSTER_CAPACITY + MONSTER_INDEX[s.upgrades[seat, Slot.MONSTER_2]]] = 1
    if has_set(s, CardSet.MYSTICS):
        out[AT.supply + r] = mystics_in_supply(s, seat)
    add_strengths(s, seat, out[AT.strength + r * NUM_PROVINCES : AT.strength + (r + 1) * NUM_PROVINCES])


@rule
def write_provinces(s: State, out: Bytes) -> None:
    """Sections room and god_in."""
    for province in range(NUM_PROVINCES):
        if s.god_in[province] != NONE:
            out[AT.god_in + int(s.god_in[province]) * NUM_PROVINCES + province] = 1
    for province in range(NUM_OUTER):
        out[AT.room + province] = room(s, province)


@rule
def write_own_cards(s: State, me: int, out: Bytes) -> None:
    """Sections quests and pack, and the own choice on the table."""
    for i in range(s.quest_count[me]):
        out[AT.quests + QUEST_INDEX[s.quests[me, i]]] += 1
    for i in range(2):
        if s.pending[me, i] >= 0:
            out[AT.table + int(s.pending[me, i])] += 1
    if s.phase == Phase.GODS_GIFTS:
        start, stop = pack(s, me)
        for i in range(start, stop):
            out[AT.pack + int(s.deck[s.age, i])] += 1


@rule
def write_packs_seen(s: State, me: int, out: Bytes) -> None:
    """Section packs_seen."""
    copies = local_zeros(CARD_CAPACITY, np.uint8)  # written so far: to look for the next empty row takes longer
    rows = out[AT.packs_seen : AT.packs_seen + MAX_COPIES * CARD_CAPACITY]
    for draft_round in range(s.draft_round):
        seen = draft_round + 1
        start, stop = passed_on(s, me, draft_round)
        for i in range(start, stop):
            # numba tests a signed index for being negative.
            card = np.uint64(s.deck[s.age, i])
            rows[card + ONE_COPY * np.uint64(copies[card])] = seen
            copies[card] += 1


@rule
def write_others_cards(s: State, seat: int, r: int, out: Bytes) -> None:
    """Section sure_quests, of one opponent."""
    for word in range(CARD_WORDS):
        bits = set_bits(s.known[seat], word * WORD)
        while bits != 0:
            card = word * WORD + lowest_bit(bits)
            bits &= bits - 1
            if QUEST_INDEX[card] != NONE:
                sure = int(s.known[seat, card]) - copies_since(s, seat, card, int(s.quest_count[seat]) - 1)
                out[AT.sure_quests + (r - 1) * QUEST_CAPACITY + QUEST_INDEX[card]] = sure


@rule
def write_battle(s: State, me: int, out: Bytes) -> None:
    """Section text_works, and the cards on the table."""
    n = int(s.num_players)
    for r in range(n):
        seat = (me + r) % n
        if s.main[seat] != NONE:
            out[AT.table + r * CARD_CAPACITY + int(s.main[seat])] += 1
        for i in range(s.late_count[seat]):
            out[AT.table + r * CARD_CAPACITY + int(s.late[seat, i])] += 1
        out[AT.text_works + r] = s.text[seat] != NONE


@shared_rule
def write_observation(s: State, me: int, out: Bytes) -> None:
    """Everything that the seat may know, whoever is asked (rules 2.6)."""
    # Each rule that it is handed to would count a reference.
    out = borrowed(out)
    out[:] = 0
    n = int(s.num_players)
    write_fields(s, me, out)
    write_clock(s, me, out)
    write_question(s, me, out)
    write_provinces(s, out)
    write_own_cards(s, me, out)
    write_packs_seen(s, me, out)
    for r in range(n):
        seat = (me + r) % n
        write_clan(s, seat, r, out)
        if r > 0:
            write_others_cards(s, seat, r, out)
        if s.quests_open == 1:
            for i in range(s.quest_count[seat]):
                out[AT.table + r * CARD_CAPACITY + int(s.quests[seat, i])] += 1
    if s.battle == 1:
        write_battle(s, me, out)


SIZES: Final = Sizes(NUM_ACTIONS, OBSERVATION_SIZE, MAX_SEATS, NUM_OPTIONS, HOT_BYTES)
WRITER: Final = writer_for(COMPILER, write_observation, SCALES)
write_floats: Final = WRITER.write_floats
ENTRIES: Final = observe_for(COMPILER, FLOW, Checks(check_game, check_seat), WRITER, SIZES)
observe, observe_bytes, observe_sparse, step_and_observe, step_and_observe_bytes = ENTRIES
