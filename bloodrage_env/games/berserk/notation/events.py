"""Events between two states in words, for a spectator who sees everything or for one seat.

The action is applied again to a copy, piece by piece, and the changes of each piece are put in words.
"""

from collections.abc import Iterator

import numpy as np

from ....core.shown.presentation import Event, Kind
from .. import engine
from ..engine import Combat, Decision, Dice, Effect, Force, Frame, Phase, Placing, Routine, Setup, States, StrikeStep
from ..mode import TEAM
from .causes import by, gained_by, healed_by, wounded_by
from .facts import card_to_place, crystals_left, squad_seen
from .questions import action_text
from .words import (
    FORCES,
    MARKED,
    PHASES,
    SECRET,
    ZONE,
    card_name,
    cell_name,
    is_secret,
    is_turned,
    outcome,
    player,
    slot_name,
    teams_text,
    turn_number,
    who,
    with_force,
)

_SECRET = (Decision.BUY, Decision.PLACE, Decision.HIDE)
# Fields that grow or shrink, and the words for it.
_COUNTED = (("tokens", "token"), ("poison", "poison"), ("directed", "directed"), ("bonus", "simple strike"))


def event_lines(before: States, action: int, seat: int | None = None) -> list[str]:
    """Return the events of a legal action, one line each. Effects are indented."""
    return [f"  {each.text}" if each.kind == Kind.EFFECT else each.text for each in events(before, action, seat)]


def events(before: States, action: int, seat: int | None = None) -> list[Event]:
    """Return the events of a legal action in a game, an array of one record. With `seat` the result has only the events
    that the seat may see.

    Raise ValueError if the action is not legal.
    """
    found: list[Event] = []
    for last, now, done in pieces(before, action):
        if done != engine.RESUMED:
            found += _answer(last, done, seat)
        found += _changes(last[0], now[0], seat, done != engine.RESUMED)
        found += _flyers(last, now, seat)
    return found


def pieces(before: States, action: int) -> Iterator[tuple[States, States, int]]:
    """Yield each piece of a legal action: the states before and after it, and the answer that it carries out, RESUMED
    where a routine goes on. The states after a piece change when the next one is asked for.

    Raise ValueError if the action is not legal.
    """
    if not 0 <= action < engine.NUM_ACTIONS or not before[0].mask[action]:
        raise ValueError(f"action {action} is not legal")
    current = engine.clone(before, 0)
    while True:
        last = engine.clone(current, 0)
        done = int(engine.go_on(current, 0, action))
        if done == engine.STOPPED:
            return
        yield last, current, done
        action = engine.RESUMED


def opening_events(states: States, seat: int | None = None) -> list[Event]:
    """Return the events of a new game before the first answer. They are public."""
    s = states[0]
    table = "the table of the book" if s.combat == Combat.BOOK else "the table of differences"
    found = [Event(Kind.HEADING, f"A game of Berserk by {table}, at most {s.max_turns} turns")]
    rolls = ", ".join(f"{who(s, each)} {s.roll_off[each]}" for each in range(engine.NUM_SEATS))
    found.append(Event(Kind.EFFECT, f"roll-off: {rolls}"))
    if TEAM > 1:
        found.append(Event(Kind.EFFECT, teams_text(seat)))
    if engine.LAAR:
        found.append(Event(Kind.EFFECT, f"{who(s, int(s.first))} is First{_sides(s)}"))
    if s.placing == Placing.AT_ONCE and s.setup == Setup.FULL:
        found.append(Event(Kind.EFFECT, "squads are placed in secret, and shown together"))
    if s.setup == Setup.FIXED:
        found.append(Event(Kind.EFFECT, f"the squads are given; {player(int(s.first))} is First"))
    if s.turn:
        found.append(Event(Kind.HEADING, f"Turn {s.turn}: {player(int(s.seat))}"))
    return found


def _sides(s: np.record) -> str:
    """What each of two players has in the Battle for Laar (rules 11.3)."""
    if s.num_players == 1:
        return ""
    angel, demon = engine.TITLE[engine.ANGEL], engine.TITLE[engine.DEMON]
    return f" and has {angel} and a squad; {player(1 - int(s.first))} has {demon}"


def _answer(states: States, action: int, viewer: int | None) -> Iterator[Event]:
    s = states[0]
    asked, decision = int(s.seat), Decision(int(s.decision))
    if decision in _SECRET:
        if viewer in (None, asked):
            yield Event(Kind.SECRET, f"{player(asked)}: {_secret_text(states, action)}")
        yield from _recruited(states, action, viewer)
        return
    if viewer is not None and viewer != asked:
        yield Event(Kind.ANSWER, f"{player(asked)}: {_public_text(states, action, viewer)}")
    else:
        yield Event(Kind.ANSWER, f"{player(asked)}: {action_text(states, 0, action)}")


def _recruited(states: States, action: int, viewer: int | None) -> Iterator[Event]:
    """Return the result of the last answer of a purchase or placement, as far as the viewer may know it (rules 8.2)."""
    s = states[0]
    seat = int(s.seat)
    squad = s.squad[seat]
    mine = viewer in (None, seat)
    if s.decision == Decision.BUY and action == engine.DONE and mine:
        bought = [f"{n} {engine.TITLE[card]}" if n > 1 else engine.TITLE[card] for card, n in enumerate(squad) if n]
        lost = crystals_left(states, 0, seat)[1]
        said = "1 crystal is lost" if lost == 1 else f"{lost} crystals are lost"
        yield Event(Kind.EFFECT, f"{player(seat)} buys {', '.join(bought)}; {said}")
    cells = _cells_of(s, seat)
    if s.decision == Decision.PLACE and len(cells) + 1 == _to_place(s, seat):
        offset = action - engine.CELL
        cells[engine.NUM_CELLS - 1 - offset if is_turned(s, seat) else offset] = engine.TITLE[
            card_to_place(states, 0, seat)
        ]
        if s.placing == Placing.IN_TURN or mine:
            yield _placed(seat, cells, mine)
        later = [other for other in range(engine.NUM_SEATS) if turn_number(s, other) > turn_number(s, seat)]
        if s.placing == Placing.AT_ONCE and viewer is not None and not any(_to_place(s, other) for other in later):
            for other in range(engine.NUM_SEATS):
                if other != viewer and _to_place(s, other):
                    yield _placed(other, cells if other == seat else _cells_of(s, other), False)


def _to_place(s: np.record, seat: int) -> int:
    """Return how many cards of a squad are placed: all but flyers (rules 12.10)."""
    return sum(
        int(n) for card, n in enumerate(s.squad[seat][: engine.NUM_CARDS]) if not engine.EFFECTS[Effect.FLYER, card]
    )


def _cells_of(s: np.record, seat: int) -> dict[int, str]:
    """Return the cards of a seat on the board by cell."""
    own = range(seat * engine.SQUAD, (seat + 1) * engine.SQUAD)
    return {
        int(s.cell[slot]): engine.TITLE[s.card[slot]] for slot in own if s.cell[slot] not in (engine.NONE, engine.AIR)
    }


def _placed(seat: int, cells: dict[int, str], mine: bool) -> Event:
    """Return that a squad is placed. Only its owner sees the cards."""
    names = [f"{cells[cell]} on {cell_name(cell)}" if mine else cell_name(cell) for cell in sorted(cells)]
    return Event(Kind.EFFECT, f"{player(seat)} places {'' if mine else 'cards on '}{', '.join(names)}")


def _flyers(last: States, now: States, viewer: int | None) -> Iterator[Event]:
    """Flyers that have come to the additional zone and are seen there now (rules 12.10)."""
    if not engine.FLYERS:
        return
    for seat in range(engine.NUM_SEATS):
        mine = viewer in (None, seat)
        if not mine and not squad_seen(now, 0, seat):
            continue
        before = mine or squad_seen(last, 0, seat)
        for slot in range(seat * engine.SQUAD, (seat + 1) * engine.SQUAD):
            if now[0].cell[slot] == engine.AIR and not (before and last[0].cell[slot] == engine.AIR):
                yield Event(Kind.EFFECT, f"{card_name(now[0], slot)} is {ZONE}")


def _arrived(now: np.record) -> Iterator[Event]:
    """Where the demon and the angel begin, and with how much life (rules 11.1, 11.5)."""
    for slot in range(engine.NUM_SLOTS):
        if now.card[slot] >= engine.NUM_CARDS:
            life = int(engine.LIFE[now.card[slot]]) - int(now.wounds[slot])
            place = cell_name(int(now.cell[slot]))
            yield Event(Kind.EFFECT, f"{card_name(now, slot)} begins on {place} with life {life}")


def _hidden(now: np.record, viewer: int | None) -> Event:
    """Return which cards are face down after the reveal."""
    down = [slot for slot in range(engine.NUM_SLOTS) if now.cell[slot] != engine.NONE and now.face_down[slot]]
    names = [f"{card_name(now, slot, viewer)} on {cell_name(int(now.cell[slot]))}" for slot in down]
    return Event(Kind.EFFECT, f"face down: {', '.join(names) or 'no card'}")


def _secret_text(states: States, action: int) -> str:
    s = states[0]
    text = action_text(states, 0, action)
    return f"{card_name(s, int(s.actor))}: {text}" if s.decision == Decision.HIDE else text


def _public_text(states: States, action: int, viewer: int) -> str:
    """Return the answer as others see it, without the names of their face-down cards."""
    s = states[0]
    text = action_text(states, 0, action)
    for slot in range(engine.NUM_SLOTS):
        if s.cell[slot] != engine.NONE:
            name = card_name(s, slot, int(s.seat))
            text = text.replace(name, card_name(s, slot, viewer))
    return text


def _changes(last: np.record, now: np.record, viewer: int | None, answered: bool) -> Iterator[Event]:
    """Return the changes by one piece, in the order of a fight: dice, cards turned up, wounds and deaths, the rest."""
    if last.phase in (Phase.PLACEMENT, Phase.REVEAL) and now.phase == Phase.BATTLE:
        yield from _arrived(now) if engine.LAAR else [_hidden(now, viewer)]
    if last.phase != now.phase and now.phase not in (Phase.ROLL_OFF, Phase.OVER):
        yield Event(Kind.HEADING, PHASES[Phase(int(now.phase))])
    yield from _dice(last, now, answered)
    for seat in range(engine.NUM_SEATS):
        if last.phase == Phase.DEAL and last.deal_size[seat] != now.deal_size[seat]:
            yield Event(Kind.EFFECT, f"{player(seat)} deals {now.deal_size[seat]} cards")
    if last.phase >= Phase.BATTLE:
        for slot in range(engine.NUM_SLOTS):
            if last.card[slot] != engine.NONE:
                yield from _card(last, now, slot, viewer, answered)
        yield from _fires(last, now)
    if last.turn != now.turn:
        yield Event(Kind.HEADING, f"Turn {now.turn}: {who(now, int(now.stack[1, Frame.SEAT]))}")
    if now.over and not last.over:
        yield Event(Kind.HEADING, outcome(now))


def _dice(last: np.record, now: np.record, answered: bool) -> Iterator[Event]:
    """Return the dice of this piece, and the result of a strike by the table of differences."""
    fresh = int(now.rolled) & ~(0 if answered else int(last.rolled))
    rolled = []
    for name, bit in (("white", Dice.WHITE), ("black", Dice.BLACK)):
        dice = [int(now[name][i]) for i in range(2) if fresh >> (bit + i) & 1]
        if dice:
            plain = name == "black" or now.combat == Combat.DIFFERENCE
            rolled.append(f"{name} {' and '.join(str(die) if plain else with_force(die) for die in dice)}")
    if fresh >> Dice.BLOCK & 1:
        rolled.append(f"to block {now.block}")
    if fresh >> Dice.STRENGTH & 1:
        rolled.append(f"strength {with_force(int(now.die))}")
    if rolled:
        yield Event(Kind.EFFECT, f"dice: {', '.join(rolled)}")
    top = int(last.depth) - 1
    if now.combat == Combat.DIFFERENCE and last.stack[top, Frame.ROUTINE] == Routine.STRIKE:
        if last.stack[top, Frame.STEP] <= StrikeStep.LAND < now.stack[top, Frame.STEP]:
            force, counter = (Force(int(now.stack[top, column])) for column in (Frame.FORCE, Frame.COUNTER))
            other = f", the counter: {FORCES[counter]}" if now.black[0] else ""
            yield Event(Kind.EFFECT, f"the strike: {FORCES[force]}{other}")


def _card(last: np.record, now: np.record, slot: int, viewer: int | None, answered: bool) -> Iterator[Event]:
    """Return the changes of one card, with what causes them where no answer says it."""
    if is_secret(now, slot, viewer):
        return
    name = card_name(now, slot)
    if last.face_down[slot] and not now.face_down[slot]:
        yield Event(Kind.EFFECT, f"{SECRET} ({slot_name(slot)}) is {engine.TITLE[now.card[slot]]}")
    if now.died[slot] and not last.died[slot]:
        yield Event(Kind.EFFECT, f"{name} dies{by(wounded_by(last, slot, answered))}")
        return
    pushed = now.cell[slot] not in (last.cell[slot], engine.AIR) and last.moves[slot] == now.moves[slot]
    if pushed:  # a step is an answer
        yield Event(Kind.EFFECT, f"{name} goes to {cell_name(int(now.cell[slot]))}")
    wounds = int(now.wounds[slot]) - int(last.wounds[slot])
    if wounds:
        verb = f"takes {wounds} wound{'s'[: wounds > 1]}" if wounds > 0 else f"heals {-wounds}"
        cause = wounded_by(last, slot, answered) if wounds > 0 else healed_by(last, slot)
        yield Event(Kind.EFFECT, f"{name} {verb}{by(cause)}")
    if now.closed[slot] != last.closed[slot]:
        yield Event(Kind.EFFECT, f"{name} {'closes' if now.closed[slot] else 'opens'}")
    if now.stunned[slot] and not last.stunned[slot]:
        yield Event(Kind.EFFECT, f"{name} is stunned")
    for field in engine.MARK_FIELDS:
        if now[field][slot] and not last[field][slot]:
            yield Event(Kind.EFFECT, f"{name}: {MARKED[field]}")
    for field, word in _COUNTED:
        change = int(now[field][slot]) - int(last[field][slot])
        if change and (change > 0 or field == "tokens"):
            cause = gained_by(last, answered) if change > 0 else []
            yield Event(Kind.EFFECT, f"{name}: {change:+d} {word}{by(cause)}")


def _fires(last: np.record, now: np.record) -> Iterator[Event]:
    for cell in range(engine.NUM_CELLS):
        if bool(last.bonfire[cell]) != bool(now.bonfire[cell]):
            yield Event(Kind.EFFECT, f"the bonfire on {cell_name(cell)} {'burns' if now.bonfire[cell] else 'is out'}")
