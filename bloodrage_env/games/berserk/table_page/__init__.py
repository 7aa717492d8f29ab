"""The table page of Berserk."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from ....core.shown.lesson import Lesson, lesson_from
from ....core.shown.puzzles import Position, load
from ....core.shown.table_page import TablePage
from ....render import art
from ....render.review import review_page
from .. import SPEC
from ..card_lists import DECK, SQUAD_LIST
from ..engine import (
    ABILITIES,
    ACT,
    AIR,
    CARD,
    CELL,
    DECKS,
    DONE,
    EFFECTS,
    FLYER,
    LEAST_PLAYERS,
    MOVE,
    NO,
    NONE,
    NUM_ACTS,
    NUM_CELLS,
    NUM_DIRECTIONS,
    NUM_SEATS,
    NUMBER,
    SQUAD,
    SQUADS,
    STEP,
    TITLE,
    UNLIMITED,
    YES,
    Decision,
    Effect,
    Part,
    States,
)
from ..mode import NAME
from ..notation import action_name, action_text
from ..notation.cards import act_text, card_facts
from ..notation.facts import push_leads_to, range_of
from ..notation.modes import ABOUT, HELP
from ..notation.questions import flyer
from ..notation.words import cell_name, is_turned
from ..options import SETUPS, Options
from ..render import COLOURS, PICTURES
from ..render import STATIC as RENDERED
from ..render.faces import page_place, texts
from ..render.replay_page import body
from ..replay import Replay
from ..terminal import card_of
from . import story
from .habits import habits
from .reasons import reasons
from .seen import purse
from .seen import seen as seen_by

STATIC: Final = Path(__file__).parent / "static"
# Agents from the weakest to the strongest, by spec (docs/berserk/agents.md).
LEVELS: Final = {"random": "Easy", "hold": "Medium", "network": "Hard"}


# ---- what is the same for all games


def files() -> Mapping[str, tuple[str, str]]:
    """Return the colours of the players, and the page of a review, by address."""
    review = review_page(SPEC.title, ("board/board.css", "board/replay.css"), body(f"A game of {SPEC.title}"))
    return {
        "/board/colours.css": (COLOURS, "text/css"),
        **art.files(TITLE, PICTURES, SPEC.name),
        "/review": (review, "text/html"),
    }


def all_texts() -> dict[str, Any]:
    """Names, what the pages say of the game, the size of the board, cards, and what a game can be begun with."""
    return {
        **texts(),
        "title": SPEC.title,
        "about": ABOUT,
        "help": HELP,
        "file": f"{NAME}{Replay.suffix}",
        "players": [LEAST_PLAYERS, NUM_SEATS],
        "setups": list(SETUPS),
        "decks": list(DECKS),
        "squads": list(SQUADS),
        "actions": {"card": CARD, "done": DONE},
    }


# ---- what a seat sees


def seen(known: States, seat: int, asked: bool, options: Options) -> dict[str, Any]:
    """Return the data of the page for a seat (`seen.seen`)."""
    return seen_by(known, seat, asked, choices(known, seat) if asked else [], options)


def choices(known: States, seat: int) -> list[dict[str, Any]]:
    """Return the answers to the open question of a seat. An answer that ends something is last."""
    actions = np.flatnonzero(known[0].mask).tolist()
    return [_choice(known, seat, action) for action in sorted(actions, key=lambda each: (each == DONE, each))]


def _choice(known: States, seat: int, action: int) -> dict[str, Any]:
    """Return the data of an answer: `action`, its `name` and `text`; `slot`, the own card that moves or acts; `target`;
    `cell`, the destination; `card`, which is bought; `facts`, further information. Each is None where it does not
    apply.
    """
    s = known[0]
    slot = cell = card = target = facts = None
    offset = action - MOVE
    if MOVE <= action < ACT:
        slot = seat * SQUAD + offset // NUM_DIRECTIONS
        cell = int(STEP[int(is_turned(s, seat)), offset % NUM_DIRECTIONS, s.cell[slot]])
        target = f"to {cell_name(cell)}"
    elif ACT <= action < CELL:
        slot = seat * SQUAD + (action - ACT) // NUM_ACTS
        target = _act(known, slot, action)
    elif CELL <= action < NUMBER:
        cell = NUM_CELLS - 1 - (action - CELL) if is_turned(s, seat) else action - CELL
    elif action >= FLYER:
        cell = page_place(AIR, flyer(seat, action))
    elif card_of(action) != NONE:
        card = card_of(action)
        facts = card_facts(card)
    elif s.decision in (Decision.PUSH, Decision.GO_OR_WOUND, Decision.CLOSE_OR_WOUND):
        cell, facts = _after_strike(known, action)
    return {
        "action": action,
        "name": action_name(action),
        "text": action_text(known, 0, action),
        "slot": slot,
        "target": target,
        "cell": cell,
        "card": card,
        "facts": facts,
    }


def _act(known: States, slot: int, action: int) -> str:
    """Return the action of a card, with its present range if it differs from the printed one."""
    card, act = int(known[0].card[slot]), (action - ACT) % NUM_ACTS
    printed, text = int(ABILITIES[Part.RANGE, card, act]), act_text(card, act)
    now = printed if printed == UNLIMITED else range_of(known, 0, action)
    return text if now == printed else f"{text} (now {now})"


def _after_strike(known: States, action: int) -> tuple[int | None, str | None]:
    """Return the destination of a push, and the effect of an answer (rules 7.18, 7.28)."""
    s = known[0]
    if s.decision == Decision.CLOSE_OR_WOUND:
        return None, None if action == YES else f"{EFFECTS[Effect.CLOSE_OR_WOUND, s.card[s.actor]]} wounds"
    cell, wounds = push_leads_to(known, 0), f"{EFFECTS[Effect.PUSH, s.card[s.actor]]} wounds"
    if action == NO:
        return None, wounds if s.decision == Decision.GO_OR_WOUND else None
    if int(s.target) // SQUAD >= s.num_players:  # the demon alone is not pushed (rules 11.9)
        return None, wounds
    if cell == NONE:
        return None, f"no cell is free there: {wounds}"
    return cell, f"to {cell_name(cell)}" + (f", or {wounds}" if s.decision == Decision.PUSH else "")


@cache
def lessons() -> tuple[Lesson, ...]:
    """The guided game, a file for each mode."""
    return (lesson_from(STATIC.parent / "lessons" / f"{NAME}.json", Options),)


@cache
def puzzle_set() -> tuple[Position, ...]:
    """The puzzles, from `research/puzzles`."""
    return load(STATIC.parent / "puzzles.json", Options)


PAGE: Final = TablePage(
    data_folder=f"{NAME}-games",
    static=STATIC,
    folders={"game": STATIC, "board": RENDERED},
    files=files,
    texts=all_texts,
    opening=story.opening,
    entries=story.entries,
    seen=seen,
    tried=purse,
    lists={"decks": DECK.parse, "squads": SQUAD_LIST.parse},
    levels=LEVELS,
    lessons=lessons,
    reasons=reasons,
    habits=habits,
    puzzles=puzzle_set if Options.game == "berserk" else tuple,  # not of its modes
)
