"""Events between two states in words, for a spectator who sees everything or for one seat.

The action is applied again to a copy, piece by piece (`engine.pieces`). The events of a piece follow from its routine
and from the changes of figures, glory and stats.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Final

import numpy as np

from ....core.shown.presentation import Event, Kind
from .. import engine
from ..engine import (
    BattleStep,
    CardType,
    Cause,
    Decision,
    Figure,
    Frame,
    Phase,
    Piece,
    PillageStep,
    Place,
    QuestStep,
    Routine,
    Source,
    States,
)
from .questions import answer_text
from .words import (
    CAUSES,
    CLANS,
    GODS,
    PHASES,
    PLACES,
    SOURCES,
    STATS,
    TOKENS,
    card_list,
    copies,
    end_bonus,
    face,
    gods_text,
    listed,
    some_figures,
)


def event_lines(before: States, after: States, action: int, seat: int | None = None) -> list[str]:
    """Return the events of a legal action, one line each. Effects are indented.

    `before` and `after` are arrays of one game. With `seat` the result has only the events that the seat may see.
    Raise ValueError if the action does not lead from one state to the other.
    """
    found, reached = _events_and_state(before, action, seat)
    if not (reached == after).all():
        raise ValueError(f"action {action} does not lead from the first state to the second")
    return [f"  {event.text}" if event.kind == Kind.EFFECT else event.text for event in found]


def events(before: States, action: int, seat: int | None = None) -> list[Event]:
    """Return the events of a legal action in a game, an array of one record. With `seat` the result has only the events
    that the seat may see.

    Raise ValueError if the action is not legal.
    """
    return _events_and_state(before, action, seat)[0]


def _events_and_state(before: States, action: int, viewer: int | None) -> tuple[list[Event], States]:
    """Return the events, and the state after the action."""
    if not 0 <= action < engine.NUM_ACTIONS or before[0].mask[action] == 0:
        raise ValueError(f"action {action} is not legal here")
    found: list[Event] = []
    for piece in engine.pieces(before, 0, action):
        found += _answer_events(piece, viewer) if piece.routine == engine.NONE else _routine_events(piece, viewer)
    return found, piece.after


def opening_events(states: States, seat: int | None = None) -> list[Event]:
    """Return the events of a new game before the first answer."""
    s = states[0]
    doomed = [PLACES[place] for place in s.ragnarok]
    gone = [PLACES[place] for place in range(engine.NUM_OUTER) if s.destroyed[place]]
    found = [
        Event(Kind.HEADING, f"A game of {s.num_players} clans"),
        _effect(f"Ragnarok dooms {doomed[0]} in Age 1, {doomed[1]} in Age 2, {doomed[2]} in Age 3"),
        _effect(f"destroyed from the start: {listed(gone)}"),
        _effect("tokens: " + ", ".join(f"{PLACES[p]} {TOKENS[s.token[p]]}" for p in range(engine.NUM_OUTER))),
    ]
    found += _gods(s)
    found.append(Event(Kind.HEADING, phase_heading(s, Phase(s.phase))))
    if s.phase == Phase.ACTION:
        found += _action_phase_begins(s, seat)
    return found


def _gods(s: np.record) -> list[Event]:
    """Return an event with the places of the gods, in games with gods."""
    return [_effect(f"gods: {gods_text(s)}")] if gods_text(s) else []


def _effect(text: str) -> Event:
    return Event(Kind.EFFECT, text)


def _may_see(viewer: int | None, seat: int) -> bool:
    return viewer is None or viewer == seat


# ---- answers

_DETAILS: Final = (Decision.MARCH, Decision.SLOT)


def _answer_events(piece: Piece, viewer: int | None) -> list[Event]:
    s = piece.before[0]
    if s.decision == Decision.NONE or piece.action < 0:  # the game was cut off instead
        return [_effect(f"the game is cut off after {s.decisions} decisions")]
    seat = int(s.seat)
    kind = Kind.ANSWER
    if engine.is_secret(piece.before, 0) and (s.decision != Decision.LATE_CARD or piece.action == engine.NO):
        kind = Kind.SECRET
    elif s.decision in _DETAILS or piece.action == engine.NO:
        kind = Kind.DETAIL
    found = []
    if kind != Kind.SECRET or _may_see(viewer, seat):
        text = answer_text(piece.before, 0, piece.action)
        if s.decision == Decision.ACTION and _is_quest(piece.action) and not _may_see(viewer, seat):
            text = "commit to a quest"
        found.append(Event(kind, f"{CLANS[seat]}: {text}"))
    if s.decision != Decision.SACRIFICE:
        found += _losses(piece)
    return found + _glory(piece)


def _is_quest(action: int) -> bool:
    return (
        engine.CARD <= action < engine.CARD + len(engine.TYPE) and engine.TYPE[action - engine.CARD] == CardType.QUEST
    )


# ---- routines


def _routine_events(piece: Piece, viewer: int | None) -> list[Event]:
    found = list(_ROUTINE_EVENTS[piece.routine](piece, viewer)) if piece.routine in _ROUTINE_EVENTS else []
    return found + _losses(piece) + _glory(piece) + _stats(piece)


def phase_heading(s: np.record, phase: Phase) -> str:
    """Return the heading of a phase of an Age."""
    return f"Age {s.age + 1}: {PHASES[phase]}"


def _game(piece: Piece, viewer: int | None) -> Iterator[Event]:
    s = piece.before[0]
    phase = Phase(piece.step)
    if phase == Phase.OVER and not piece.after[0].over:
        return
    yield Event(Kind.HEADING, PHASES[phase] if phase == Phase.OVER else phase_heading(s, phase))
    if phase == Phase.GODS_GIFTS:
        yield from _gods(s)
    elif phase == Phase.ACTION:
        yield from _action_phase_begins(piece.after[0], viewer)
    elif phase == Phase.VALHALLA:
        released = s.figures[: s.num_players, :, Place.VALHALLA].sum(axis=1)
        clans = [f"{CLANS[seat]} {n}" for seat, n in enumerate(released) if n]
        yield _effect(f"figures back in the reserve: {', '.join(clans) or 'none'}")


def _action_phase_begins(s: np.record, viewer: int | None) -> list[Event]:
    rage = ", ".join(f"{CLANS[seat]} {s.rage[seat]}" for seat in range(s.num_players))
    begins = _effect(f"{CLANS[s.first_player]} begins; Rage: {rage}")
    seen = [seat for seat in range(s.num_players) if _may_see(viewer, seat)]
    return [begins, *(_effect(f"{CLANS[seat]}'s hand: {card_list(copies(s.hand[seat]))}") for seat in seen)]


def _march(piece: Piece, _viewer: int | None) -> Iterator[Event]:
    s = piece.before[0]
    if piece.after[0].depth < s.depth:
        gone = np.maximum(s.figures[piece.seat] - piece.after[0].figures[piece.seat], 0).sum(axis=1)
        yield _effect(f"{_figures(s, piece.seat, gone)} {'goes' if gone.sum() == 1 else 'go'}")


def _figures(s: np.record, seat: int, counts: Iterable[int]) -> str:
    return listed(some_figures(s, seat, kind, int(n)) for kind, n in enumerate(counts) if n > 0)


def _upgrade(piece: Piece, _viewer: int | None) -> Iterator[Event]:
    seat = piece.seat
    old, new = piece.before[0].upgrades[seat], piece.after[0].upgrades[seat]
    for slot in np.flatnonzero((old != new) & (old != engine.NONE)):
        yield _effect(f"{engine.TITLE[new[slot]]} takes the place of {engine.TITLE[old[slot]]}, which is discarded")
    if piece.after[0].figures[seat, Figure.MYSTIC].sum() > piece.before[0].figures[seat, Figure.MYSTIC].sum():
        yield _effect(f"a Mystic joins {CLANS[seat]}'s reserve")


def _take_village(piece: Piece, _viewer: int | None) -> Iterator[Event]:
    s, after = piece.before[0], piece.after[0]
    if after.depth == s.depth - 1:
        yield _effect(f"no village is free: {CLANS[piece.seat]}'s Mystic stays away")


def _pillage(piece: Piece, _viewer: int | None) -> Iterator[Event]:
    if piece.following == Routine.BATTLE:
        figures, strength = engine.forces(piece.after, 0)
        sides = [
            f"{CLANS[seat]} STR {strength[seat, piece.place]}"
            for seat in _from(piece.seat, len(figures))
            if figures[seat, piece.place]
        ]
        battle = f"battle of {PLACES[piece.place]}"
        yield Event(Kind.EFFECT, f"{battle}: {', '.join(sides)}", battle)
    elif piece.following == Routine.PILLAGED:
        yield _effect("nobody else is there")


def _from(first: int, num_players: int) -> Iterator[int]:
    for offset in range(num_players):
        yield (first + offset) % int(num_players)


def revealed(piece: Piece) -> dict[int, int] | None:
    """Return the card of each clan, from the pillager on, if this piece completes the cards of a battle."""
    s, after = piece.before[0], piece.after[0]
    chosen = (after.main != s.main).any() or (after.pending != s.pending).any()
    goes_on = after.decision == Decision.BATTLE_CARD and not chosen
    if piece.routine != Routine.BATTLE or piece.step != BattleStep.COMMIT or goes_on:
        return None
    cards = np.where(s.pending[:, 0] != engine.NONE, s.pending[:, 0], s.main)
    return {seat: int(cards[seat]) for seat in _from(s.pillager, s.num_players) if cards[seat] != engine.NONE}


def _battle(piece: Piece, _viewer: int | None) -> Iterator[Event]:
    s, after = piece.before[0], piece.after[0]
    shown = revealed(piece)
    if shown is None:
        return
    if (s.pending[:, 0] != engine.NONE).any():
        yield _effect("revealed: " + ", ".join(f"{CLANS[seat]} {face(card)}" for seat, card in shown.items()))
    if shown and all(after.main[seat] == engine.NONE for seat in shown):
        yield _effect("all revealed cards are discarded, the clans choose again")
        return
    for seat, card in shown.items():
        if engine.TYPE[card] == CardType.BATTLE and after.text[seat] == engine.NONE:
            yield _effect(f"the text of {CLANS[seat]}'s {engine.TITLE[card]} is cancelled")


def _resolution(piece: Piece, _viewer: int | None) -> Iterator[Event]:
    s = piece.before[0]
    if piece.compares:
        totals = []
        _, strength = engine.forces(piece.before, 0)
        for seat in _from(s.pillager, s.num_players):
            if s.in_battle[seat]:
                own = strength[seat, s.battle_province]
                totals.append(f"{CLANS[seat]} {own} + {s.total[seat] - own} = {s.total[seat]}")
        outcome = "a tie, all lose" if s.winner == engine.NONE else f"{CLANS[s.winner]} wins"
        yield _effect(f"{', '.join(totals)}: {outcome}")
    yield from _spoils(piece)


def _spoils(piece: Piece) -> Iterator[Event]:
    """Yield the Rage that texts of battle cards bring, and the Rage and cards that a loser takes from the winner."""
    s, after = piece.before[0], piece.after[0]
    gained = after.rage[: s.num_players].astype(int) - s.rage[: s.num_players]
    texts = {
        int(seat): engine.TITLE[s.text[seat]] for seat in np.flatnonzero(gained > 0) if s.text[seat] != engine.NONE
    }
    for seat in map(int, np.flatnonzero(gained)):
        cause = texts.get(seat) if gained[seat] > 0 else listed(texts.values())
        says = f"{CLANS[seat]} {'gains' if gained[seat] > 0 else 'loses'} {abs(gained[seat])} Rage"
        yield _effect(f"{says} ({cause})" if cause else says)
    for seat in range(s.num_players):
        own = np.zeros(after.hand.shape[1], dtype=np.int64)
        for card in (s.main[seat], *s.late[seat]):
            own[card] += card != engine.NONE
        stolen = copies(np.maximum(after.hand[seat] - s.hand[seat] - own, 0))
        if stolen and s.winner not in (engine.NONE, seat):
            cause = f" ({engine.TITLE[s.text[seat]]})" if s.text[seat] != engine.NONE else ""
            yield _effect(f"{CLANS[seat]} takes {listed(face(card) for card in stolen)} from {CLANS[s.winner]}{cause}")


def _pillaged(piece: Piece, _viewer: int | None) -> Iterator[Event]:
    if piece.step == PillageStep.TOKEN:
        token = TOKENS[piece.before[0].token[piece.place]]
        yield _effect(f"{CLANS[piece.seat]} pillages {PLACES[piece.place]}: {token}")


def _discard(piece: Piece, _viewer: int | None) -> Iterator[Event]:
    s, after = piece.before[0], piece.after[0]
    if after.depth < s.depth and s.age < engine.NUM_AGES - 1:
        kept = [CLANS[seat] for seat in range(s.num_players) if after.kept[s.age, seat]]
        yield _effect(f"{listed(kept) if kept else 'nobody'} {'keep' if len(kept) > 1 else 'keeps'} a card")


def _quests(piece: Piece, _viewer: int | None) -> Iterator[Event]:
    s, after = piece.before[0], piece.after[0]
    clans = list(_from(s.first_player, s.num_players))
    if piece.step == QuestStep.REVEAL:
        for seat in clans:
            if s.quest_count[seat]:
                quests = listed(face(card) for card in s.quests[seat, : s.quest_count[seat]])
                yield _effect(f"{CLANS[seat]} reveals {quests}")
        if not s.quest_count.any():
            yield _effect("nobody has committed to a quest")
    for seat in clans:
        for card in s.quests[seat, after.quest_count[seat] : s.quest_count[seat]][::-1]:
            verb = "meets" if engine.quests_met(piece.before, 0, seat)[card] else "fails at"
            yield _effect(f"{CLANS[seat]} {verb} {face(int(card))}")


def _ragnarok(piece: Piece, _viewer: int | None) -> Iterator[Event]:
    for province in np.flatnonzero(piece.after[0].destroyed != piece.before[0].destroyed):
        yield _effect(f"{PLACES[province]} is destroyed")
        if piece.before[0].god_in[province] != engine.NONE:
            yield _effect(f"{GODS[piece.before[0].god_in[province]]} is off the board")


_ROUTINE_EVENTS: Final[dict[int, Callable[[Piece, int | None], Iterator[Event]]]] = {
    Routine.GAME: _game,
    Routine.MARCH: _march,
    Routine.UPGRADE: _upgrade,
    Routine.TAKE_VILLAGE: _take_village,
    Routine.PILLAGE: _pillage,
    Routine.BATTLE: _battle,
    Routine.RESOLUTION: _resolution,
    Routine.PILLAGED: _pillaged,
    Routine.DISCARD_PHASE: _discard,
    Routine.QUEST_PHASE: _quests,
    Routine.RAGNAROK: _ragnarok,
}


# ---- what changed, whatever changed it


def _losses(piece: Piece) -> list[Event]:
    """Return the figures that went from the board to Valhalla, and why."""
    s = piece.before[0]
    change = piece.after[0].figures - s.figures
    found = []
    for seat in range(s.num_players):
        if change[seat, :, Place.VALHALLA].any():
            for place in range(engine.NUM_BOARD):
                lost = np.where(change[seat, :, Place.VALHALLA] > 0, -change[seat, :, place], 0)
                if (lost > 0).any():
                    said = f"{CLANS[seat]} loses {_figures(s, seat, lost)} in {PLACES[place]}"
                    found.append(_effect(f"{said} ({_cause(s)})"))
    return found


def _cause(s: np.record) -> str:
    """Return why the figures die that the routine on top of the stack destroys."""
    deaths, caller = s.stack[s.depth - 1], s.stack[s.depth - 2]
    if deaths[Frame.CAUSE] != Cause.ARRIVAL or caller[Frame.ROUTINE] != Routine.INVADE:
        return CAUSES[Cause(int(deaths[Frame.CAUSE]))]
    return some_figures(s, int(caller[Frame.SEAT]), int(caller[Frame.KIND]), 1)


def _glory(piece: Piece) -> list[Event]:
    change = piece.after[0].glory_from - piece.before[0].glory_from
    found = []
    for seat in np.flatnonzero(change.any(axis=1)):
        for verb, amounts in (("gains", change[seat]), ("loses", -change[seat])):
            parts = [(int(n), SOURCES[Source(source)]) for source, n in enumerate(amounts) if n > 0]
            if parts:
                found.append(_effect(f"{CLANS[seat]} {verb} " + listed(f"{n} glory ({name})" for n, name in parts)))
    return found


def _stats(piece: Piece) -> list[Event]:
    steps = piece.after[0].stat_step
    found = []
    for seat in np.flatnonzero((steps != piece.before[0].stat_step).any(axis=1)):
        raised = np.flatnonzero(steps[seat] != piece.before[0].stat_step[seat])
        old = piece.before[0].stat_step[seat]
        texts = [
            f"{STATS[stat]} to {engine.STAT_VALUE[stat, steps[seat, stat]]}{end_bonus(old[stat], steps[seat, stat])}"
            for stat in raised
        ]
        found.append(_effect(f"{CLANS[seat]} raises {listed(texts)}"))
    return found
