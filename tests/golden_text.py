"""Whole games as text: the first position, then each answer with everything that it changed.

A line is `12. Wolf ACTION 37: FIGURE_AT[WARRIOR, UTGARD]`: the decision's number, the seat that is asked, the question,
how many answers are legal (with a checksum of which), the answer. What changed follows, one field a line.
"""

import zlib
from collections.abc import Iterator
from enum import IntEnum
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine.card_ids import Card
from bloodrage_env.games.bloodrage.engine.ids import (
    CardSet,
    Decision,
    Figure,
    God,
    Phase,
    Place,
    Slot,
    Source,
    Stat,
    Token,
)
from bloodrage_env.games.bloodrage.engine.signature import FIRST_NUMBERS
from bloodrage_env.games.bloodrage.engine.state import NOTHING
from bloodrage_env.games.bloodrage.notation import CLANS, action_id, action_name

FIRST_ACTIONS = 261  # action ids before some were reserved: the checksum of the legal ones is over these
FOLDER = Path(__file__).parent / "golden"
SIGNATURES = {
    "signature": 0,
    "signature_mystics": 1 << CardSet.MYSTICS,
    "signature_gods": 1 << CardSet.GODS,
}  # by file, the sets


class Options(NamedTuple):
    """Of one golden game."""

    players: int
    seed: int
    first_game: bool = False
    skip_forced: bool = True
    sets: int = 0

    @property
    def line(self) -> str:
        line = f"players {self.players}, seed {self.seed}, first_game {self.first_game}, skip_forced {self.skip_forced}"
        return f"{line}, sets {self.sets}" if self.sets else line


# The question stands in the next line; the others follow from the rest, or are the engine's notes of who knows what.
_LEFT_OUT = {
    "decisions", "decision", "seat", "about_place", "about_card", "about_kind", "low", "high", "num_legal",
    "mask", "on_board", "occupied", "deck", "draft_round", "hand_size", "quest_count", "known", "known_since", "shown",
    "shown_count", "end_known", "end_hand", "kept", "late_count", "total", "depth", "stack",
    "stats", "kinds", "escape",
}  # fmt: skip

# What the indices of a field mean, and its values.
_SEAT, _NUMBER = "seat", None
_AXES: dict[str, tuple[Any, ...]] = {
    "stat_step": (_SEAT, Stat), "rage": (_SEAT,), "glory": (_SEAT,), "glory_from": (_SEAT, Source), "passed": (_SEAT,),
    "upgrades": (_SEAT, Slot), "figures": (_SEAT, Figure, Place), "token": (Place,), "pillaged": (Place,),
    "destroyed": (Place,), "god_in": (Place,),
    "hand": (_SEAT, Card), "quests": (_SEAT, _NUMBER), "pending": (_SEAT, _NUMBER),
    "discards": (Card,), "gone": (_SEAT, Card), "in_battle": (_SEAT,), "main": (_SEAT,), "late": (_SEAT, _NUMBER),
    "text": (_SEAT,), "counted": (_SEAT,), "fallen": (_SEAT,), "attended": (_SEAT, _NUMBER), "march": (Figure,),
    "dying": (Figure,),
    "barred": (_SEAT, Place), "mystics": (_SEAT,),
}  # fmt: skip
_VALUES: dict[str, Any] = {
    "phase": Phase, "token": Token, "upgrades": Card, "quests": Card, "pending": Card, "main": Card, "late": Card,
    "text": Card, "gods": God, "god_in": God, "god_tokens": Place,
    "ragnarok": Place, "battle_province": Place, "first_player": _SEAT,
    "pillager": _SEAT, "winner": _SEAT, "thief": _SEAT,
}  # fmt: skip


def _name(kind: Any, value: int) -> str:
    if kind is _NUMBER:
        return str(value)
    if value < 0:
        return "nothing" if value == NOTHING else "-"
    if kind is _SEAT:
        return CLANS[value]
    assert issubclass(kind, IntEnum)
    return kind(value).name


def changes(before: Any, after: Any) -> Iterator[str]:
    """Every field that differs between two games, arrays of one record, as `name[index] old > new`."""
    for field in engine.STATE.names or ():
        old, new = before[0][field], after[0][field]
        if field in _LEFT_OUT or np.array_equal(old, new):
            continue
        if old.ndim == 0:
            yield f"{field} {_name(_VALUES.get(field), int(old))} > {_name(_VALUES.get(field), int(new))}"
        else:
            yield f"{field} {', '.join(_elements(field, old, new))}"


def _elements(field: str, old: Any, new: Any) -> Iterator[str]:
    axes = _AXES.get(field, (_NUMBER,) * old.ndim)
    for index in np.argwhere(old != new):
        where = " ".join(_name(kind, int(i)) for kind, i in zip(axes, index, strict=True))
        values = (_name(_VALUES.get(field), int(state[tuple(index)])) for state in (old, new))
        yield f"{where} {' > '.join(values)}"


def question(states: Any) -> str:
    """Who is asked what, and the legal answers, up to the answer."""
    s = states[0]
    legal = np.zeros(FIRST_ACTIONS, np.int8)
    legal[FIRST_NUMBERS[s.mask == 1]] = 1
    check = zlib.crc32(legal.tobytes()) & 0xFFFF
    about = "".join(
        f" {_name(kind, int(value))}"
        for kind, value in ((Place, s.about_place), (Card, s.about_card), (Figure, s.about_kind))
        if value != -1
    )
    return f"{s.decisions}. {CLANS[s.seat]} {Decision(int(s.decision)).name}{about} ({s.num_legal} legal, {check:04x})"


def opening(states: Any) -> Iterator[str]:
    """What chance has laid out (rules 2)."""
    s = states[0]
    yield f"first player: {CLANS[s.first_player]}"
    yield "tokens: " + ", ".join(f"{Place(i).name} {Token(int(token)).name}" for i, token in enumerate(s.token))
    yield "destroyed: " + ", ".join(Place(int(i)).name for i in np.flatnonzero(s.destroyed))
    yield "doomed: " + ", ".join(Place(int(i)).name for i in s.ragnarok)
    if (s.gods >= 0).any():
        places = {God(int(god)).name: Place(i).name for i, god in enumerate(s.god_in) if god >= 0}
        yield "gods: " + ", ".join(f"{God(int(god)).name} {places[God(int(god)).name]}" for god in s.gods)
        for age in (1, 2):
            tokens = [Place(int(i)).name for i in s.god_tokens[age] if i >= 0]
            yield f"tokens for the gods of Age {age + 1}: {', '.join(tokens)}"
    for age, deck in enumerate(s.deck):
        yield f"deck of Age {age + 1}: " + ", ".join(Card(int(card)).name for card in deck if card >= 0)


def game_text(options: Options, actions: Iterator[int]) -> Iterator[str]:
    """The lines of a game; `actions` may look at nothing but what has been yielded, as a file does."""
    players, seed, *others = options
    states = engine.new_game(seed, players, *others)
    yield options.line
    yield from opening(states)
    while not engine.is_over(states, 0):
        before = states.copy()
        asked = question(states)
        action = next(actions)
        assert engine.apply(states, 0, action) != engine.ILLEGAL, f"{asked}: {action_name(action)} is illegal"
        yield f"{asked}: {action_name(action)}"
        for line in changes(before, states):
            yield f"    {line}"
    yield f"glory: {', '.join(f'{CLANS[i]} {n}' for i, n in enumerate(engine.scores(states, 0)))}"


def read_options(line: str) -> Options:
    """The options of a first line."""
    players, seed, first_game, skip_forced, *sets = (part.split()[1] for part in line.split(", "))
    return Options(int(players), int(seed), first_game == "True", skip_forced == "True", *map(int, sets))


def read_actions(lines: list[str]) -> Iterator[int]:
    """The answers of a game, as action ids."""
    for line in lines:
        if line[:1].isdigit():
            yield action_id(line.rsplit(": ", 1)[1])
