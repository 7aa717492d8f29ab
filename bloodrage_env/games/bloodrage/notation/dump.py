"""A whole state as text, for golden games, differences and bug reports.

The text omits zeros, empty places and inactive parts only, so that it differs where two states of a game differ. Names
are those of the enumerations.
"""

from collections.abc import Iterable, Iterator

import numpy as np

from ..engine import (
    BLOCKS,
    MAX_SHOWN,
    NONE,
    NOTHING,
    NUM_AGES,
    NUM_KINDS,
    NUM_PLACES,
    NUM_PROVINCES,
    NUM_SLOTS,
    NUM_SOURCES,
    NUM_STATS,
    QUESTS,
    Card,
    CardSet,
    Decision,
    Figure,
    Frame,
    God,
    Phase,
    Place,
    Routine,
    Slot,
    Source,
    Stat,
    States,
    Token,
)
from .names import action_name
from .words import CLANS, copies


def state_text(states: States, index: int) -> str:
    """Return every field of a game, hidden ones included, as lines of text without a final newline."""
    s = states[index]
    lines: list[str] = []
    lines += _clock(s)
    lines += _question(s)
    for seat in range(s.num_players):
        lines += _clan(s, seat)
    lines += _provinces(s)
    lines += _decks(s)
    for seat in range(s.num_players):
        lines += _cards_of(s, seat)
    lines += _history(s)
    lines += _battle(s)
    lines += _under_way(s)
    return "\n".join(lines)


def _card(card: int) -> str:
    return {NONE: "-", NOTHING: "nothing"}.get(int(card)) or Card(card).name


def _cards(cards: Iterable[int]) -> str:
    return " ".join(_card(card) for card in cards) or "-"


def _seat(seat: int) -> str:
    return "-" if seat == NONE else CLANS[seat]


def _place(place: int) -> str:
    return "-" if place == NONE else Place(place).name


def _flags(s: np.record, *names: str) -> str:
    return "".join(f", {name}" for name in names if s[name])


def _numbers(numbers: Iterable[int]) -> str:
    return " ".join(str(number) for number in numbers)


def _clock(s: np.record) -> Iterator[str]:
    sets = "".join(f", {each.name.lower()}" for each in CardSet if each != CardSet.BASE and s.sets >> each & 1)
    yield f"options: {s.num_players} players{_flags(s, 'first_game', 'skip_forced')}{sets}"
    yield (
        f"clock: Age {s.age + 1}, {Phase(s.phase).name}, first player {_seat(s.first_player)}, "
        f"draft round {s.draft_round}, {s.decisions} decisions{_flags(s, 'over', 'truncated')}"
    )


def _question(s: np.record) -> Iterator[str]:
    kind = "-" if s.about_kind == NONE else Figure(s.about_kind).name
    yield (
        f"question: {Decision(s.decision).name} to {_seat(s.seat)}, about {_place(s.about_place)} "
        f"{_card(s.about_card)} {kind}, low {s.low}, high {s.high}, "
        f"stats {s.stats:03b}, kinds {s.kinds:0{NUM_KINDS}b}{_flags(s, 'escape')}"
    )
    yield f"legal actions: {s.num_legal}"
    for block in BLOCKS:
        ids = range(block.start, block.start + block.size)
        legal = [action_name(action) for action in ids if s.mask[action]]
        if block.size == 1:
            yield from (f"  {name}" for name in legal)
        elif legal:
            yield f"  {block.name}: " + "; ".join(name[len(block.name) + 1 : -1] for name in legal)


def _clan(s: np.record, seat: int) -> Iterator[str]:
    stats = ", ".join(f"{Stat(i).name} step {s.stat_step[seat, i] + 1}" for i in range(NUM_STATS))
    passed = ", passed" if s.passed[seat] else ""
    yield f"{CLANS[seat]}: {s.glory[seat]} glory, {s.rage[seat]} Rage{passed}, {stats}, {s.on_board[seat]} on board"
    glory = [f"{Source(i).name} {s.glory_from[seat, i]}" for i in range(NUM_SOURCES) if s.glory_from[seat, i]]
    if glory:
        yield "  glory: " + ", ".join(glory)
    upgrades = [f"{Slot(i).name} {_card(s.upgrades[seat, i])}" for i in range(NUM_SLOTS) if s.upgrades[seat, i] != NONE]
    if upgrades:
        yield "  upgrades: " + ", ".join(upgrades)
    for kind in range(NUM_KINDS):
        there = [(place, s.figures[seat, kind, place]) for place in range(NUM_PLACES)]
        if any(n for _, n in there):
            yield f"  {Figure(kind).name}: " + ", ".join(f"{Place(place).name} {n}" for place, n in there if n)
    if s.barred[seat].any():
        yield "  barred: " + ", ".join(Place(place).name for place in range(NUM_PROVINCES) if s.barred[seat, place])


def _provinces(s: np.record) -> Iterator[str]:
    for place in range(len(s.occupied)):
        text = f"{Place(place).name}: {s.occupied[place]} figures"
        if place < NUM_PROVINCES:
            text += f", token {Token(s.token[place]).name}"
            text += ", pillaged" if s.pillaged[place] else ""
            text += ", destroyed" if s.destroyed[place] else ""
            text += f", god {God(s.god_in[place]).name}" if s.god_in[place] != NONE else ""
        yield text
    yield "doomed: " + ", ".join(_place(place) for place in s.ragnarok)
    if (s.gods != NONE).any():
        yield "gods: " + ", ".join("-" if god == NONE else God(god).name for god in s.gods)
    for age in range(NUM_AGES):
        if (s.god_tokens[age] != NONE).any():
            yield f"tokens for the gods of Age {age + 1}: " + " ".join(_place(place) for place in s.god_tokens[age])


def _decks(s: np.record) -> Iterator[str]:
    for age in range(NUM_AGES):
        yield f"deck {age + 1}: {_cards(card for card in s.deck[age])}"
    yield f"discards: {_cards(copies(s.discards))}"


def _cards_of(s: np.record, seat: int) -> Iterator[str]:
    name = CLANS[seat]
    yield f"{name}'s hand ({s.hand_size[seat]}): {_cards(copies(s.hand[seat]))}"
    quests = [card for card in s.quests[seat] if card != NONE]
    if quests or s.quest_count[seat]:
        yield f"{name}'s quests ({s.quest_count[seat]}): {_cards(quests)}"
    if any(card != NONE for card in s.pending[seat]):
        yield f"{name} has chosen: {_cards(s.pending[seat])}"
    if any(s.gone[seat]):
        yield f"{name} saw leave the game: {_cards(copies(s.gone[seat]))}"
    if any(s.known[seat]):
        yield f"known of {name}: {_cards(copies(s.known[seat]))}"
    since = [
        f"{Card(quest).name} {' '.join(map(str, row))}"
        for quest, row in zip(QUESTS, s.known_since[seat][: len(QUESTS)], strict=True)
        if row.any()
    ]
    if since:
        yield f"known of {name} since: {', '.join(since)}"


def _history(s: np.record) -> Iterator[str]:
    if s.quests_open:
        yield "quests lie open"
    for age in range(len(s.shown)):
        for seat in range(s.num_players):
            shown = list(s.shown[age, seat][:MAX_SHOWN])
            if s.shown_count[age, seat] or any(card != NONE for card in shown):
                cards = _cards(card for card in shown if card != NONE)
                yield f"Age {age + 1}, {CLANS[seat]} has shown ({s.shown_count[age, seat]}): {cards}"
    for age in range(len(s.end_hand)):
        for seat in range(s.num_players):
            if s.end_hand[age, seat] or s.kept[age, seat] or any(s.end_known[age, seat]):
                known = _cards(copies(s.end_known[age, seat]))
                yield (
                    f"Age {age + 1}, end, {CLANS[seat]}: {s.end_hand[age, seat]} cards, "
                    f"{s.kept[age, seat]} kept, known {known}"
                )


def _battle(s: np.record) -> Iterator[str]:
    on = s.battle or s.battle_province != NONE or s.pillager != NONE or s.winner != NONE or s.thief != NONE
    if on or s.tide_done:
        yield (
            f"battle: {_place(s.battle_province)}, pillager {_seat(s.pillager)}, winner {_seat(s.winner)}, "
            f"thief {_seat(s.thief)}{_flags(s, 'battle', 'tide_done')}"
        )
    for seat in range(s.num_players):
        parts = [
            f"total {s.total[seat]}" if s.total[seat] else "",
            "in the battle" if s.in_battle[seat] else "",
            f"card {_card(s.main[seat])}" if s.main[seat] != NONE else "",
            f"text {_card(s.text[seat])}" if s.text[seat] != NONE else "",
            f"{s.late_count[seat]} late {_cards(s.late[seat])}" if _any_late(s, seat) else "",
            f"counts {s.counted[seat]}" if s.counted[seat] else "",
            f"fallen {s.fallen[seat]}" if s.fallen[seat] else "",
            f"attended {_numbers(s.attended[seat])}" if s.attended[seat].any() else "",
            f"{s.mystics[seat]} Mystics attended" if s.mystics[seat] else "",
        ]
        if any(parts):
            yield f"  {CLANS[seat]}: " + ", ".join(part for part in parts if part)


def _any_late(s: np.record, seat: int) -> bool:
    return bool(s.late_count[seat]) or any(card != NONE for card in s.late[seat])


def _under_way(s: np.record) -> Iterator[str]:
    for name in ("march", "dying"):
        if s[name].any():
            yield f"{name}: " + ", ".join(f"{Figure(kind).name} {n}" for kind, n in enumerate(s[name]) if n)
    for depth in range(s.depth):
        routine, step, seat, *arguments = (int(n) for n in s.stack[depth])
        named = (f"{column.name.lower()} {n}" for column, n in zip(list(Frame)[3:], arguments, strict=True) if n)
        yield f"stack {depth}: {Routine(routine).name} step {step}, {', '.join([_seat(seat), *named])}"
