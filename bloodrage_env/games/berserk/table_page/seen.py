"""What the page of Berserk shows of a game: the struct of a seat, or what all seats see, by the numbers of the page."""

from collections.abc import Collection, Sequence
from typing import Any, Final

import numpy as np

from ....core.shown.table_page import WATCHER
from ..engine import (
    AIR,
    DECKS,
    NUM_SEATS,
    SQUAD,
    Combat,
    Decision,
    Phase,
    Setup,
    States,
)
from ..notation import decision_text, outcome, player, public_decision_text
from ..notation.buying import affordable, bought
from ..notation.context import action_words
from ..notation.facts import crystals_left
from ..notation.seen import Seen, seen_by, seen_by_all
from ..notation.words import (
    CARDS,
    CELLS,
    GAINS,
    MARKED,
    PHASES,
    SLOTS,
    chosen_together,
    is_turned,
    recruiting,
    role,
    who,
)
from ..options import Options
from ..render.actions import open_dice
from ..render.faces import board_parts, page_place

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


def seen(known: States, seat: int, asked: bool, choices: list[dict[str, Any]], options: Options) -> dict[str, Any]:
    """What the page shows to a seat, by what it may know; for `WATCHER` everything, for `PUBLIC` public information.

    `choices` are its answers.

    - `scene`: `over`, `outcome` (a text, or None), `phase`, its name, `head`: the phase and the turn; `question`:
      None, or what is asked, and the `seat`, as all may know them (`_question`); `names` and `roles` by seat;
      `turned`: whether the board is seen from the side of Second; `near`: a seat whose side is the near one; `parts`:
      by seat the cells of its part of the board, or None; `combat`, the table of a fight; `roll_off`, the dice by seat;
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
    structs = {each: seen_by(known, each) for each in (range(s.num_players) if seat == WATCHER else [max(seat, 0)])}
    struct = seen_by_all([*structs.values()])
    turn = f", turn {s.turn} of {s.max_turns}" if s.turn else ""
    buys = recruiting(s) if s.setup == Setup.FULL else []
    dealt = buys if s.phase > Phase.ROLL_OFF else []
    mine = [each in dealt and seat in (each, WATCHER) for each in range(NUM_SEATS)]
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
            "parts": board_parts(s),
            "combat": Combat(int(s.combat)).name.lower(),
            "roll_off": s.roll_off.tolist(),
            "deals": s.deal_size.tolist() if dealt else None,
            "decks": [_deck(s, each, options) if each in buys else None for each in range(NUM_SEATS)],
            "about": _about(struct) if asked or s.phase == Phase.BATTLE else [],
            "action": _action(struct),
            "dice": open_dice(s),
            "cards": [_card(struct, slot) for slot, card in struct["cards"].items() if "in_play" in card],
            "fires": sorted([CELLS[cell], left] for cell, left in struct.get("bonfires", {}).items()),
            "graveyards": [_graveyard(struct, each) for each in range(NUM_SEATS)],
            "gains": [_gains(struct["players"][player(each)].get("squad_has", ())) for each in range(NUM_SEATS)],
        },
        "question": {"text": ask(known, 0), "choices": choices} if asked else None,
        "own": [_recruits(known, each, structs[each]) if mine[each] else None for each in range(NUM_SEATS)],
    }


def _question(known: States) -> dict[str, Any]:
    """Return the open question as all may know it. The seat is None while several players choose and no other sees
    anything of it: who is still asked would tell who has chosen.
    """
    s = known[0]
    seats = recruiting(s) if chosen_together(s) else [int(s.seat)]
    return {"seat": seats[0] if len(seats) == 1 else None, "text": public_decision_text(known, 0)}


def _deck(s: np.record, seat: int, options: Options) -> dict[str, Any]:
    """Return `name`, None for an own deck, and `cards`, as [card, copies]."""
    given = options.decks[seat]
    cards = [[card, int(s.deck[seat, card])] for card in s.deck[seat].nonzero()[0].tolist()]
    return {"name": given if given in DECKS else None, "cards": cards}


def _graveyard(struct: Seen, seat: int) -> list[list[Any]]:
    dead = [struct["cards"][slot] for slot in struct.get("graveyards", {}).get(player(seat), ())]
    return [[CARDS[card["card"]], "killed_by_enemy" in card] for card in dead]


def _gains(has: Collection[str]) -> list[str]:
    return [f"{'' if gain in has else 'not '}{gain} in the squad" for gain in GAINS[1:]] if has else []


def _about(struct: Seen) -> list[int]:
    return [SLOTS[struct["asked"][name]] for name in ("actor", "target") if name in struct.get("asked", {})]


def _card(struct: Seen, slot: str) -> dict[str, Any]:
    """A card in play: `slot`, its `name`, `seat`, `cell` (`page_place`), `card` (None if it is hidden), `down`; of one
    that is seen `closed`, `stunned`, `life` that is left, the `whole`, what else is drawn on it (`says`), and what else
    there is to say of it (`notes`).
    """
    card, number = struct["cards"][slot], SLOTS[slot]
    cell = CELLS[f"{card['column']}{card['row']}"] if "row" in card else AIR
    shown = {"slot": number, "name": slot, "seat": number // SQUAD, "cell": page_place(cell, number)}
    if "card" not in card:
        return {**shown, "card": None, "down": True}
    notes = [text.format(card[name]) for name, text in (NOTES | MARKED).items() if name in card]
    return {
        **shown,
        "card": CARDS[card["card"]],
        "down": "face_down" in card,
        "closed": "closed" in card,
        "stunned": "stunned" in card,
        "life": card["life"],
        "whole": card["life"] + card.get("wounds", 0),
        "says": [text.format(card[name]) for name, text in SAYS.items() if name in card],
        "notes": notes + ["will be turned up"] * (slot in struct["turning_up"]),
    }


def _action(struct: Seen) -> dict[str, Any] | None:
    """Return the action in progress: the slots `attacker` and `attacked` (or None), and a `text`; None if there is
    none.
    """
    if "action" not in struct:
        return None
    attacker, attacked = (SLOTS.get(struct["action"].get(name)) for name in ("attacker", "attacked"))
    return {"attacker": attacker, "attacked": attacked, "text": ", ".join(action_words(struct))}


def _recruits(known: States, seat: int, struct: Seen) -> dict[str, Any]:
    """`deal`: [card, copies, bought]; `purse` (`purse`) until a purchase ends, else None; `placing`: the card that is
    placed now, or None.
    """
    squad = struct.get("squad", {})
    return {
        "deal": [[CARDS[title], count, squad.get(title, 0)] for title, count in struct.get("deal", {}).items()],
        "purse": purse(known, seat) if known[0].phase in (Phase.DEAL, Phase.PURCHASE) else None,
        "placing": CARDS[struct["placing"]] if "placing" in struct else None,
    }


def purse(known: States, seat: int, actions: Sequence[int] = ()) -> dict[str, Any]:
    """Return what a seat has left after these answers: `left`, gold and silver, None if it can't buy that, and `more`,
    the cards of which it can buy a copy beside that.
    """
    buys = known[0].decision == Decision.BUY and known[0].seat == seat
    states = bought(known, actions) if buys else known
    gold, both = (0, 0) if states is None else crystals_left(states, 0, seat)
    left = None if states is None else [gold, both - gold]
    return {"left": left, "more": affordable(known, actions) if buys else []}
