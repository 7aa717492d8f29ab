"""The data of the page of Blood Rage, from what the seat may know."""

from typing import Any

import numpy as np

from ....core.shown.table_page import WATCHER
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
from ..notation import own_decision_text
from ..notation.questions import answer_parts
from ..notation.words import PHASES, SOURCES
from ..options import Options
from ..render.scene import answers, scene
from ..terminal.cards import card_facts, copies_by_players, set_name
from .teaching import outlooks, quest_marks


def seen(known: States, seat: int, asked: bool, options: Options) -> dict[str, Any]:
    """Return the data of the page for a seat: for `WATCHER` everything, for `PUBLIC` public information.

    `asked`: whether it can answer now.

    - `scene`: as in `render/scene.py`;
    - `question`: None unless `asked`; `text` (said to the clan) and `choices`, those of `scene.answers` with `group`
      and `target`, what a choice has in common with others and what sets it apart, and `outlook`, a text or None
      (`teaching.outlooks`);
    - `quests`: how its own stand, as in `teaching.quest_marks`; `sets`: the card sets of the game, beside the base one;
    - `glory`: the glory of each clan by source;
    - `discards`: copies by card in the open discards; `gone`: those that left the game and only this seat saw.
    """
    watches = seat < 0
    s = known[0]
    return {
        "scene": scene(known, 0, None if watches else seat, all_hands=seat == WATCHER),
        "question": {"text": own_decision_text(known, 0), "choices": choices(known, seat)} if asked else None,
        "quests": None if watches else quest_marks(known, seat),
        "sets": list(options.sets),
        "glory": s.glory_from[: s.num_players].tolist(),
        "discards": _copies(s.discards),
        "gone": {} if watches else _copies(s.gone[seat]),
    }


def _copies(counts: np.ndarray) -> dict[int, int]:
    return {card: int(counts[card]) for card in counts.nonzero()[0].tolist()}


def choices(known: States, seat: int) -> list[dict[str, Any]]:
    """Return the answers to the open question, the pass last. Those of a `group` differ in `target`, which is None for
    a single one.
    """
    found = []
    expected = outlooks(known, seat)
    for choice in answers(known, 0):
        label, target = answer_parts(known, 0, choice["action"])
        outlook = expected.get(choice["action"])
        found.append({**choice, "group": label, "target": target or None, "outlook": outlook})
    return sorted(found, key=lambda choice: choice["action"] == PASS)


def card_table() -> dict[str, Any]:
    """Return the data about cards and glory that is the same for everybody. `render.replay_page.texts` contains the
    rest.
    """
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
