"""What the page of Berserk shows of a game, made of what the seat may know.

Numbers that the rules work out (armour, experience, crystals left, ...) are those of the observation, so that the page
shows what a trained player is given.
"""

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from ....core.table_page import WATCHER
from ..engine import (
    COLUMNS,
    DECKS,
    LIFE,
    MARK_FIELDS,
    NONE,
    NUM_CELLS,
    NUM_SEATS,
    NUM_SLOTS,
    NUM_TEAMS,
    PLACE_OF,
    ROWS,
    SEAT_AT,
    SQUAD,
    Combat,
    Decision,
    Phase,
    Setup,
    States,
)
from ..game import GAME
from ..notation import decision_text, outcome, public_decision_text
from ..notation.cards import act_text
from ..notation.facts import crystals_left
from ..notation.words import (
    MARKED,
    PHASES,
    chosen_together,
    is_secret,
    is_turned,
    recruiting,
    role,
    slot_name,
    turn_number,
    who,
)
from ..observation import CARD_NUMBERS
from ..options import Options
from ..render.actions import open_dice
from ..render.faces import page_place
from ..shape import TEAM

Sections = dict[str, npt.NDArray[np.float32]]

# What is said of a card on the board, by the numbers of the observation; those left out are shown in other ways.
SAYS: Final = {"moves": "movement {}", "tokens": "tokens {}", "poison": "poison {}"}
NOTES: Final = {
    "armour": "armour {}",
    "attack_experience": "attack experience {}",
    "defence_experience": "defence experience {}",
    "partners": "in formation with {}",
    "directed": "its strikes are directed",
    "entered": "cells entered this turn: {}",
    "stepped": "has moved in the last turn of its owner",
    "strikes": "strikes made this turn: {}",
    "bonus": "+{} to simple strikes this turn",
    "extra_movement": "+{} movement in this battle",
    "must_strike": "must strike a closed enemy first",
}
_GAINS: Final = ("", "a steppe creature in the squad", "a mountain creature in the squad")


def seen(known: States, seat: int, asked: bool, choices: list[dict[str, Any]], options: Options) -> dict[str, Any]:
    """What the page shows to a seat, by what it may know; for `WATCHER` everything, for `PUBLIC` public information.

    `choices` are its answers.

    - `scene`: `over`, `outcome` (a text, or None), `phase`, its name, `head`: the phase and the turn; `question`:
      None, or what is asked, and the `seat`, as all may know them (`_question`); `names` and `roles` by seat;
      `turned`: whether the board is seen from the side of Second; `near`: a seat whose side is the near one; `home`:
      the cells of the own part of the board, or None; `combat`, the table of a fight; `roll_off`, the dice by seat;
      `deals`, how many cards each was dealt; `decks` by seat (`_deck`), None of a seat that buys nothing; `about`,
      the slots of the cards that the question is about; `action`, what goes on (`_action`), or None; `dice` that are
      open, [name, die, what it says]; `cards` on the board (`_card`); `fires`, [cell, turns that it lasts still];
      `graveyards` by seat, [card, whether an enemy card killed it]; `gains` by seat, what start-of-battle effects
      have revealed of a squad;
    - `question`: None unless `asked`; `text` and `choices`;
    - `own`: by seat what it has been dealt and has bought (`_recruits`), None for the other and with given squads.
    """
    s = known[0]
    watches = seat < 0
    views = [_observed(known, each) for each in range(s.num_players)]
    turn = f", turn {s.turn} of {s.max_turns}" if s.turn else ""
    buys = recruiting(s) if s.setup == Setup.FULL else []
    dealt = buys if s.phase > Phase.ROLL_OFF else []
    mine = [each in dealt and seat in (each, WATCHER) for each in range(NUM_SEATS)]
    view = views[0 if watches else seat]
    ask = public_decision_text if s.decision == Decision.BUY else decision_text  # a squad is bought as a whole
    return {
        "scene": {
            "over": bool(s.over),
            "outcome": outcome(s) if s.over else None,
            "phase": Phase(int(s.phase)).name.lower(),
            "head": f"{PHASES[Phase(int(s.phase))]}{turn}",
            "question": None if s.over else _question(known),
            "names": [who(s, each) for each in range(NUM_SEATS)],
            "roles": [role(s, each) for each in range(NUM_SEATS)],
            "turned": not watches and is_turned(s, seat),
            "near": max(int(s.first), 0) if watches else seat,
            "home": None if watches or s.first == NONE else _home(s, seat),
            "combat": Combat(int(s.combat)).name.lower(),
            "roll_off": s.roll_off.tolist(),
            "deals": s.deal_size.tolist() if dealt else None,
            "decks": [_deck(s, each, options) if each in buys else None for each in range(NUM_SEATS)],
            "about": [int(slot) for slot in (s.actor, s.target) if slot != NONE and (asked or s.phase == Phase.BATTLE)],
            "action": _action(s, view, 0 if watches else seat),
            "dice": open_dice(s),
            "cards": [_card(s, slot, seat, views) for slot in range(NUM_SLOTS) if s.cell[slot] != NONE],
            "fires": [[cell, int(s.bonfire[cell] - s.turn + 1)] for cell in range(NUM_CELLS) if s.bonfire[cell]],
            "graveyards": [_graveyard(s, each) for each in range(NUM_SEATS)],
            "gains": [_gains(int(s.gains[each])) for each in range(NUM_SEATS)],
        },
        "question": {"text": ask(known, 0), "choices": choices} if asked else None,
        "own": [_recruits(known, each, views[each]) if mine[each] else None for each in range(NUM_SEATS)],
    }


def _question(known: States) -> dict[str, Any]:
    """Return the open question as all may know it. The seat is None while several players choose and no other sees
    anything of it: who is still asked would tell who has chosen.
    """
    s = known[0]
    seats = recruiting(s) if chosen_together(s) else [int(s.seat)]
    return {"seat": seats[0] if len(seats) == 1 else None, "text": public_decision_text(known, 0)}


def _observed(known: States, seat: int) -> Sections:
    vector = np.zeros(GAME.observation_size, dtype=np.uint8)
    GAME.observe.observe_bytes(known, 0, seat, vector)
    return GAME.by_section(vector)


def _slot(relative: int, seat: int) -> int:
    """Return a slot by its place in the observation of a seat."""
    return int(SEAT_AT[seat, relative // SQUAD]) * SQUAD + relative % SQUAD


def _place(slot: int, seat: int) -> int:
    """Return the place of a slot in the observation of a seat."""
    return int(PLACE_OF[seat, slot // SQUAD]) * SQUAD + slot % SQUAD


def _home(s: np.record, seat: int) -> list[int]:
    """The cells of a seat's part of the board (rules 1.1, 10.2)."""
    part, width = turn_number(s, seat) // NUM_TEAMS, COLUMNS // TEAM
    cells = [row * COLUMNS + part * width + column for row in range(ROWS // 2) for column in range(width)]
    return [NUM_CELLS - 1 - cell if is_turned(s, seat) else cell for cell in cells]


def _deck(s: np.record, seat: int, options: Options) -> dict[str, Any]:
    """Return `name`, None for an own deck, and `cards`, as [card, copies]."""
    given = options.decks[seat]
    cards = [[card, int(s.deck[seat, card])] for card in s.deck[seat].nonzero()[0].tolist()]
    return {"name": given if given in DECKS else None, "cards": cards}


def _graveyard(s: np.record, seat: int) -> list[list[Any]]:
    dead = [slot for slot in range(seat * SQUAD, (seat + 1) * SQUAD) if s.died[slot]]
    return [[int(s.card[slot]), bool(s.by_enemy[slot])] for slot in sorted(dead, key=lambda slot: int(s.died[slot]))]


def _gains(bits: int) -> list[str]:
    return [f"{'' if bits >> bit & 1 else 'not '}{_GAINS[bit]}" for bit in (1, 2)] if bits else []


def _card(s: np.record, slot: int, viewer: int, views: list[Sections]) -> dict[str, Any]:
    """A card in play: `slot`, its `name`, `seat`, `cell` (`page_place`), `card` (None if it is hidden), `down`; of one
    that is seen `closed`, `stunned`, `life` that is left, the `whole`, what else is drawn on it (`says`), and what else
    there is to say of it (`notes`).
    """
    owner = slot // SQUAD
    shown = {"slot": slot, "name": slot_name(slot), "seat": owner, "cell": page_place(int(s.cell[slot]), slot)}
    if is_secret(s, slot, None if viewer == WATCHER else viewer):
        return {**shown, "card": None, "down": True}
    looks = min(owner, len(views) - 1) if viewer < 0 else viewer
    row = views[looks]["numbers"][_place(slot, looks)].tolist()
    numbers = {name: count for name, count in zip(CARD_NUMBERS, row, strict=True) if count}
    whole = int(LIFE[s.card[slot]])
    up = looks == owner and views[owner]["turning_up"][slot % SQUAD]
    notes = [text.format(numbers[name]) for name, text in NOTES.items() if name in numbers]
    notes += [MARKED[name] for name in MARK_FIELDS if s[name][slot]]
    return {
        **shown,
        "card": int(s.card[slot]),
        "down": bool(s.face_down[slot]),
        "closed": bool(s.closed[slot]),
        "stunned": bool(s.stunned[slot]),
        "life": whole - int(s.wounds[slot]),
        "whole": whole,
        "says": [text.format(numbers[name]) for name, text in SAYS.items() if name in numbers],
        "notes": notes + ["will be turned up"] * bool(up),
    }


def _action(s: np.record, view: Sections, seat: int) -> dict[str, Any] | None:
    """Return the action in progress: the slots `attacker` and `attacked` (or None), and a `text`; None if there is
    none.
    """
    if not view["attacker"].any():
        return None
    attacker = _slot(int(view["attacker"].argmax()), seat)
    attacked = _slot(int(view["attacked"].argmax()), seat) if view["attacked"].any() else None
    paid, directed, defended, left, count = view["action"].tolist()
    more, less = view["difference"].tolist()
    numbers = {
        "tokens paid": paid,
        "rolls left": left,
        "targets so far": count,
        "difference of the dice": more - less,
    }
    words = [f"{name}: {number}" for name, number in numbers.items() if number]
    words += ["directed"] * bool(directed) + ["against a named defender"] * bool(defended)
    text = act_text(int(s.card[attacker]), int(view["act"].argmax()))
    return {"attacker": attacker, "attacked": attacked, "text": ", ".join([text, *words])}


def _recruits(known: States, seat: int, view: Sections) -> dict[str, Any]:
    """`deal`: [card, copies, bought]; `crystals`: gold that is left, and gold and silver, until a purchase ends, else
    None; `placing`: the card that is placed now, or None.
    """
    s = known[0]
    crystals = {Phase.DEAL: list(crystals_left(known, 0, seat)), Phase.PURCHASE: view["crystals"].tolist()}
    dealt = s.deal[seat].nonzero()[0].tolist()
    return {
        "deal": [[card, int(s.deal[seat, card]), int(s.squad[seat, card])] for card in dealt],
        "crystals": crystals.get(Phase(int(s.phase))),
        "placing": int(view["placing"].argmax()) if view["placing"].any() else None,
    }
