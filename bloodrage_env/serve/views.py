"""Everything that a browser is sent about a game: what its seat may know, and nothing else.

All of it but the log is made from `engine.hide`, in which what the seat can't know is blank; the log is made by
`notation.events` for the seat.
"""

import json
from typing import Any

from .. import engine
from ..engine import (
    GOD,
    LATE,
    NUM_AGES,
    NUM_CARDS,
    PASS,
    PRICE,
    QUEST_GLORY,
    STAT_BONUS,
    STAT_VALUE,
    STRENGTH,
    TEXT,
    TITLE,
    TYPE,
    CardType,
    Phase,
    Source,
    States,
)
from ..notation import CLANS, own_decision_text
from ..notation.words import PHASES, SOURCES
from ..render.scene import answers, scene
from ..terminal.cards import card_facts, copies_by_players, set_name
from ..terminal.menu import SPREAD, group
from .games import Game, Seat
from .story import WATCHER
from .teaching import outlooks, quest_marks


def view(game: Game, seat: int) -> dict[str, Any]:
    """What a person's seat is sent, as plain data; for `WATCHER` everything.

    - `seat` (-1 for who watches), `players`: who plays each clan, as {"clan", "person", "agent"};
    - `scene`: as in `render/scene.py`;
    - `question`: None unless the seat is asked; `number`, `text` (said to the clan) and `choices`, those of
      `scene.answers` with `group` and `target`, what a choice has in common with others and what sets it apart, and
      `outlook`, a text or None (`teaching.outlooks`);
    - `turn`: `held`, the seat that may still take back its turn while all others wait, or None; of one's own turn
      `undo`, the numbers to which it can be taken back, and `revealed`: whether something hidden was revealed in it;
      `number`, that of the open question, where there is something to undo, else None;
    - `hints`: the seats of the people who allow hints;
    - `quests`: how its own stand, as in `teaching.quest_marks`; `sets`: the card sets of the game, beside the base one;
    - `glory`: the glory of each clan by source; `log`: entries as in `story.py`.
    """
    watches = seat == WATCHER
    known = engine.clone(game.states, 0) if watches else engine.hide(game.states, 0, seat)
    s = known[0]
    shown = scene(known, 0, all_hands=True) if watches else scene(known, 0, seat)
    question = None
    if not watches and not s.over and s.seat == seat and game.held is None:
        question = {"number": game.number, "text": own_decision_text(known, 0), "choices": choices(known, seat)}
    return {
        "seat": seat,
        "turn": _turn(game, seat),
        "players": [_player(number, each) for number, each in enumerate(game.seats)],
        "scene": shown,
        "question": question,
        "hints": game.hints,
        "quests": None if watches else quest_marks(known, seat),
        "sets": list(game.options.sets),
        "glory": s.glory_from[: s.num_players].tolist(),
        "log": game.log(seat),
    }


def _turn(game: Game, seat: int) -> dict[str, Any]:
    undo = game.to_undo(seat)
    return {
        "held": game.held,
        "undo": undo,
        "revealed": game.has_revealed(seat),
        "number": game.number if undo else None,
    }


def encoded(data: Any) -> bytes:
    """JSON as it is sent."""
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False).encode()


def choices(known: States, seat: int) -> list[dict[str, Any]]:
    """The answers to the open question, to pass last; those of a `group` differ in `target`, None where it is one."""
    found = []
    expected = outlooks(known, seat)
    spread = known[0].decision in SPREAD
    for choice in answers(known, 0):
        label, target = group(known, choice["action"]) if spread else (choice["text"], "")
        outlook = expected.get(choice["action"])
        found.append({**choice, "group": label, "target": target or None, "outlook": outlook})
    return sorted(found, key=lambda choice: choice["action"] == PASS)


def _player(number: int, seat: Seat) -> dict[str, Any]:
    return {"clan": CLANS[number], "person": seat.person, "agent": seat.agent}


def card_table() -> dict[str, Any]:
    """What the pages show of cards and glory, for everybody; `render.replay_page.texts` has the rest."""
    return {
        "faces": [_face(card) for card in range(NUM_CARDS)],
        "sources": [SOURCES[source] for source in Source],
        "phases": [PHASES[phase] for phase in Phase],
        "stats": STAT_VALUE.tolist(),
        "bonus": STAT_BONUS.tolist(),
    }


def _face(card: int) -> dict[str, Any]:
    return {
        "title": TITLE[card],
        "type": CardType(TYPE[card]).name.lower(),
        "facts": card_facts(card),
        "text": TEXT[card],
        "god": GOD[card] or None,
        "set": set_name(card),
        "ages": [copies_by_players(age, card) for age in range(NUM_AGES)],
        "strength": int(STRENGTH[card]),
        "price": int(PRICE[card]),
        "glory": int(QUEST_GLORY[card]),
        "late": bool(LATE[card]),
    }
