"""Scenes: plain data from which every renderer and page draws.

A scene is made of dicts, lists, strings, numbers and None, so that it is JSON. It has

- `version`, `players`, `age` (0 to 2), `phase` (its name), `first_player`, `over`, `outcome` (a line or None);
- `places`: thirteen, by `ids.Place`: `figures` as `[seat, kind, count]`, one for each piece on a slot of
  `geometry.SPOTS` (count is 1 unless there are more figures than slots), `strength` by seat, `token` (`ids.Token` or
  None), `pillaged`, `destroyed`, `doom` (the Age, 0 to 2, in which Ragnarok takes the province, or None), `battle`,
  `god` (`ids.God` or None);
- `clans`, by seat: `glory`, `rage`, `passed`, `steps` and `values` of the stats, `on_board`, `hand` and `quests` (how
  many), `upgrades` (a card or None a slot), `reserve` and `valhalla` (how many of each kind), `supply` (Mystics, None
  without the set), `barred` (provinces that it may not choose to pillage for now), `known` (cards that everybody knows
  to be in the hand or among the quests), `open_quests`, and `private`: None, or what only the clan sees: `hand`,
  `quests`, `pack` and `chosen`, lists of cards;
- `question`: `seat`, `decision` (its name), `text`, `place`, `card`, `kind`, `secret`; seat and the rest are None for
  who may not know who is asked; None after the end;
- `battle`: None, or `province`, `pillager` and `sides`, a dict for each clan in it: `seat`, `strength` of its figures,
  `cards`, `counted` (what a quest counts), `cancelled` (the card's text is), `late` (how many of the cards came late);
- `moves`: lines about what happened last, as the caller gave them.

Places, kinds, seats and cards are the numbers of the engine, so that an element of a picture can be matched with the
actions that concern it (`answers`).
"""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from .. import engine
from ..engine import (
    BLOCKS,
    CARD,
    FIGURE_AT,
    MARCH,
    MARCH_FROM,
    MARCH_TO,
    NONE,
    NUM_BOARD,
    NUM_KINDS,
    NUM_PROVINCES,
    PROVINCE,
    STAT_VALUE,
    Decision,
    Phase,
    Place,
    States,
    forces,
    held_pack,
)
from ..game import GAME
from ..notation.names import action_name
from ..notation.questions import answer_text, decision_text
from ..notation.words import PHASES, copies, outcome, supply
from .geometry import SPOTS

VERSION: Final = 1
SECRET_TEXT: Final = "The clans choose in secret."

Scene = dict[str, Any]


def scene(
    states: States, index: int, seat: int | None = None, all_hands: bool = False, moves: Sequence[str] = ()
) -> Scene:
    """Return what `seat` may see of a game: without a seat public information, with `all_hands` everything.

    It is read from what `Game.hide` or `Game.public` returns, so nothing in it differs between two games that the seat
    can't tell apart. Raise ValueError for a seat that is not in the game.
    """
    seats = int(states[index].num_players)
    if seat is not None and not 0 <= seat < seats:
        raise ValueError(f"seat {seat} is not in a game of {seats} players")
    if not all_hands:
        states = GAME.public(states, index, seats) if seat is None else GAME.hide(states, index, seat)
        index = 0
    s = states[index]
    return {
        "version": VERSION,
        "players": seats,
        "age": int(s.age),
        "phase": PHASES[Phase(s.phase)],
        "first_player": int(s.first_player),
        "over": bool(s.over),
        "outcome": outcome(s) if s.over else None,
        "places": _places(states, index),
        "clans": [_clan(states, index, clan, all_hands or clan == seat) for clan in range(seats)],
        "question": _question(states, index),
        "battle": _battle(states, index) if s.battle else None,
        "moves": list(moves),
    }


def _some(value: int) -> int | None:
    """Return None for NONE, else the number."""
    return None if value == NONE else int(value)


def _places(states: States, index: int) -> list[Scene]:
    s = states[index]
    seats = range(int(s.num_players))
    doom = {int(place): age for age, place in enumerate(s.ragnarok.tolist()) if age >= s.age}
    destroyed, pillaged, token = s.destroyed.tolist(), s.pillaged.tolist(), s.token.tolist()
    fought_over = int(s.about_place) if s.decision == Decision.CALL else int(s.battle_province) if s.battle else NONE
    figures = s.figures[: len(seats)].tolist()
    strength = forces(states, index)[1].tolist()
    places: list[Scene] = []
    for place in range(NUM_BOARD):
        groups = [[seat, kind, figures[seat][kind][place]] for seat in seats for kind in range(NUM_KINDS)]
        entry: Scene = {"figures": _standing([group for group in groups if group[2]], SPOTS[place].room)}
        if place < NUM_PROVINCES:
            entry |= {
                "strength": [0 if destroyed[place] else strength[seat][place] for seat in seats],
                "token": _some(token[place]),
                "pillaged": bool(pillaged[place]),
                "destroyed": bool(destroyed[place]),
                "doom": doom.get(place) if not destroyed[place] else None,
                "battle": place == fought_over,
                "god": _some(s.god_in[place]),
            }
        else:
            first = 2 * (place - NUM_PROVINCES)  # of the two provinces that the fjord supports
            entry["destroyed"] = bool(destroyed[first] and destroyed[first + 1])
        places.append(entry)
    return places


def _standing(groups: list[list[int]], room: int) -> list[list[int]]:
    """Return figures one by one or, if there are more than slots, one entry for each kind of a clan."""
    single = [[seat, kind, 1] for seat, kind, count in groups for _ in range(count)]
    return single if len(single) <= room else groups


def _clan(states: States, index: int, seat: int, seen: bool) -> Scene:
    s = states[index]
    count = int(s.quest_count[seat])
    steps = s.stat_step[seat].tolist()
    return {
        "glory": int(s.glory[seat]),
        "rage": int(s.rage[seat]),
        "passed": bool(s.passed[seat] and s.phase == Phase.ACTION),
        "steps": steps,
        "values": [int(STAT_VALUE[stat, step]) for stat, step in enumerate(steps)],
        "on_board": int(s.on_board[seat]),
        "hand": int(s.hand_size[seat]),
        "quests": count,
        "upgrades": [_some(card) for card in s.upgrades[seat].tolist()],
        "reserve": s.figures[seat, :NUM_KINDS, Place.RESERVE].tolist(),
        "valhalla": s.figures[seat, :NUM_KINDS, Place.VALHALLA].tolist(),
        "supply": supply(s, seat),
        "barred": s.barred[seat].nonzero()[0].tolist(),
        "known": copies(s.known[seat].tolist()),
        "open_quests": s.quests[seat, :count].tolist() if s.quests_open else [],
        "private": _private(states, index, seat) if seen else None,
    }


def _private(states: States, index: int, seat: int) -> Scene:
    """Return what only a clan sees."""
    s = states[index]
    return {
        "hand": copies(s.hand[seat].tolist()),
        "quests": s.quests[seat, : s.quest_count[seat]].tolist(),
        "pack": held_pack(states, index, seat).tolist(),
        "chosen": [card for card in s.pending[seat].tolist() if card >= 0],
    }


def _question(states: States, index: int) -> Scene | None:
    s = states[index]
    if s.over:
        return None
    if s.decision == Decision.NONE:
        hidden = dict.fromkeys(("seat", "decision", "place", "card", "kind"))
        return {**hidden, "text": SECRET_TEXT, "secret": True}
    return {
        "seat": int(s.seat),
        "decision": Decision(s.decision).name,
        "place": _some(s.about_place),
        "card": _some(s.about_card),
        "kind": _some(s.about_kind),
        "text": decision_text(states, index),
        "secret": bool(engine.is_secret(states, index)),
    }


def _battle(states: States, index: int) -> Scene:
    s = states[index]
    province = int(s.battle_province)
    _, strength = forces(states, index)
    sides = []
    for seat in range(s.num_players):
        if s.in_battle[seat]:
            main = _some(s.main[seat])
            late = s.late[seat, : s.late_count[seat]].tolist()
            sides.append(
                {
                    "seat": seat,
                    "strength": int(strength[seat, province]),
                    "cards": late if main is None else [main, *late],
                    "late": len(late),
                    "counted": int(s.counted[seat]),
                    "cancelled": bool(main is not None and s.text[seat] == NONE),
                }
            )
    # While cards are chosen, the question is that one, or blanked; then all cards lie on the table at once (rules 4.3).
    choosing = s.decision == Decision.BATTLE_CARD or (s.decision == Decision.NONE and (s.main == NONE).all())
    return {"province": province, "pillager": int(s.pillager), "sides": sides, "revealed": not choosing}


def answers(states: States, index: int) -> list[Scene]:
    """The legal answers to the open question, for the player of the seat that is asked; none after the end.

    Each is a dict: `action` (its id), `name` (`action_name`), `text`, and what it touches, else None: `card`, `kind`
    (of figure), `place` (where a figure is or goes to), `origin` (of a march).
    """
    found: list[Scene] = []
    for action in np.flatnonzero(states[index].mask).tolist():
        block = next(block for block in reversed(BLOCKS) if block.start <= action)
        offset = action - block.start
        touched: Scene = dict.fromkeys(("card", "kind", "place", "origin"))
        if block.start == CARD:
            touched["card"] = offset
        elif block.start == PROVINCE:
            touched["place"] = offset
        elif block.start == FIGURE_AT:
            touched |= {"kind": offset // NUM_BOARD, "place": offset % NUM_BOARD}
        elif block.start == MARCH:
            touched |= {"origin": int(MARCH_FROM[offset]), "place": int(MARCH_TO[offset])}
        text = answer_text(states, index, action)
        found.append({"action": action, "name": action_name(action), "text": text, **touched})
    return found
