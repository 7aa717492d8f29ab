"""A position of Berserk set up by hand, and played on by the engine's public functions.

Cells are as First sees them. Dice that are to come are laid into the generator of the game: a state of it is looked for
that rolls them.
"""

import functools
from typing import Any

import numpy as np

from bloodrage_env.games.berserk import engine
from bloodrage_env.games.berserk.engine import ACT, CARD, CELL, DONE, MOVE, NO, NONE, YES, Act, Card, Decision
from bloodrage_env.games.berserk.engine.api import begin
from bloodrage_env.games.berserk.engine.board import STEP
from bloodrage_env.games.berserk.engine.ids import Direction, Phase, Routine
from bloodrage_env.games.berserk.engine.state import Frame
from bloodrage_env.games.berserk.options import Options

FIRST, SECOND = 0, 1
PER_CARD = (
    "wounds", "closed", "face_down", "absorbed", "poison", "tokens", "stunned", "directed", "extra_movement",
    "extra_armour", "entered", "stepped", "strikes", "bonus", "died", "by_enemy", *engine.MARK_FIELDS,
)  # fmt: skip
_TRIED = 400_000
_DICE = 6


def options(**changes: Any) -> np.ndarray:
    """The numbers of options."""
    return Options(**changes).numbers()


def new_game(seed: int = 1, **changes: Any) -> np.ndarray:
    states = np.zeros(1, engine.STATE)
    engine.reset(states, 0, seed, options(**changes))
    return states


def content(states: np.ndarray) -> bytes:
    """All fields of a game; numpy leaves the padding between them undefined in copies."""
    return b"".join(states[name].tobytes() for name in engine.STATE.names or ())


@functools.cache
def _streams() -> tuple[np.ndarray, np.ndarray]:
    """Seeded generators (int64[N, 4]) and their first dice (int8[N, _DICE])."""
    n = _TRIED
    a, b, c, d = np.arange(n, dtype=np.int64), np.zeros(n, np.int64), np.full(n, 7, np.int64), np.ones(n, np.int64)
    mask = 0xFFFFFFFF

    def word() -> np.ndarray:
        nonlocal a, b, c, d
        t = (a + b + d) & mask
        d = (d + 1) & mask
        a = b ^ (b >> 9)
        b = (c + ((c << 3) & mask)) & mask
        c = (((c << 21) & mask) | (c >> 11)) & mask
        c = (c + t) & mask
        return t

    for _ in range(12):
        word()
    states = np.stack([a, b, c, d], axis=1)
    rolled = [np.asarray(word()) * 6 for _ in range(_DICE)]
    assert all(((each & mask) >= (mask + 1 - 6) % 6).mean() > 0.999 for each in rolled)
    return states, np.stack([(each >> 32) + 1 for each in rolled], axis=1).astype(np.int8)


def generator(*dice: int) -> np.ndarray:
    """A state of the generator that rolls these dice next."""
    states, rolled = _streams()
    found = (rolled[:, : len(dice)] == np.array(dice, np.int8)).all(axis=1).nonzero()[0]
    return np.asarray(states[found[0]])


class Position:
    """A battle, in the main part of a turn of First (seat 0) or Second, on an empty board."""

    engine: Any = engine
    options: Any = Options
    order = (0, 1)  # of turns, from First on

    def __init__(self, turn: int = 3, first: int = FIRST, **changes: Any) -> None:
        self.changes = changes
        self.states = self.fresh()
        self.s = self.states[0]
        s = self.s
        s.first, s.turn, s.phase = first, turn, Phase.BATTLE
        for name in ("at", "card", "cell", "fell_at"):
            s[name][:] = NONE
        for name in ("standing", "died", "by_enemy", "squad", "deal", "deal_size", "gains", "bonfire", "wounds"):
            s[name][:] = 0
        self.count = [0] * len(self.order)
        self.began = False
        s.depth = 2
        s.stack[:] = 0
        s.stack[0, [Frame.ROUTINE, Frame.STEP, Frame.SEAT]] = Routine.GAME, Phase.BATTLE, NONE
        mover = self.order[(self.order.index(first) + turn - 1) % len(self.order)]
        s.stack[1, [Frame.ROUTINE, Frame.STEP, Frame.SEAT]] = Routine.TURN, 1, mover
        self.mover = mover

    # ---- building
    def fresh(self) -> np.ndarray:
        """A new game with the options of this one, and its fixed squads."""
        states = np.zeros(1, self.engine.STATE)
        options = self.options(setup="fixed", skip_forced=False, **self.changes)
        self.engine.reset(states, 0, 1, options.numbers())
        return states

    def put(self, seat: int, card: str, cell: int, **fields: int) -> int:
        """Put a card on a cell; returns its slot. `fields` are those of the record for it."""
        assert not self.began
        slot = seat * 15 + self.count[seat]
        self.count[seat] += 1
        s = self.s
        number = Card[card.upper().replace(" ", "_").replace("-", "_")]
        for name in PER_CARD:
            s[name][slot] = 0
        s.card[slot], s.cell[slot], s.fell_at[slot] = number, cell, NONE
        if cell != self.engine.AIR:
            assert s.at[cell] == NONE
            s.at[cell] = slot
        s.standing[seat] |= 1 << cell
        s.squad[seat, number] += 1
        s.deal[seat, number] += 1
        s.deal_size[seat] += 1
        s.moves[slot] = engine.MOVEMENT[number]
        for name, value in fields.items():
            s[name][slot] = value
        return slot

    def fly(self, seat: int, card: str, **fields: int) -> int:
        """Put a card into the additional zone; returns its slot."""
        return self.put(seat, card, self.engine.AIR, **fields)

    def bury(self, seat: int, card: str, order: int = 1, by_enemy: int = 1) -> int:
        """A card in the graveyard; returns its slot."""
        slot = self.put(seat, card, 0 if self.s.at[0] == NONE else len(self.s.at) - 1)
        s = self.s
        s.at[s.cell[slot]] = NONE
        s.standing[seat] &= ~(1 << int(s.cell[slot]))
        s.fell_at[slot], s.cell[slot], s.died[slot], s.by_enemy[slot] = s.cell[slot], NONE, order, by_enemy
        return slot

    def fire(self, cell: int, last_turn: int) -> None:
        self.s.bonfire[cell] = last_turn
        self.s.fires |= 1 << cell

    def dice(self, *dice: int) -> None:
        """What is rolled next."""
        self.s.chance[:] = generator(*dice)

    def go(self) -> "Position":
        """The question of the main part is open from here on."""
        self.began = True
        s = self.s
        s.decision, s.seat, s.actor, s.target, s.over = Decision.MAIN, self.mover, NONE, NONE, 0
        self.engine.refresh(self.states, 0)
        return self

    # ---- answering
    @property
    def asked(self) -> tuple[int, Decision]:
        """Who is asked, and what; (-1, NONE) after the end."""
        if not self.began:
            self.go()
        return int(self.s.seat), Decision(int(self.s.decision))

    def legal(self, action: int) -> bool:
        if not self.began:
            self.go()
        return bool(self.s.mask[action])

    def answer(self, action: int) -> None:
        if not self.began:
            self.go()
        assert self.s.mask[action] == 1, f"{action} is illegal at {self.asked}: {self.s.mask.nonzero()[0].tolist()}"
        self.engine.apply(self.states, 0, action)

    def seen(self, cell: int) -> int:
        """The id of CELL[cell] for the seat that is asked."""
        turned = (self.asked[0] - self.s.first) % 2
        return CELL + (len(self.s.at) - 1 - cell if turned else cell)

    def cells(self) -> set[int]:
        """The cells that can be chosen, as First sees them."""
        return {cell for cell in range(len(self.s.at)) if self.legal(self.seen(cell))}

    def flyer_id(self, slot: int) -> int:
        """The id of FLYER[slot] for the seat that is asked."""
        return int(self.engine.FLYER) + int(self.engine.PLACE_OF[self.asked[0], slot // 15]) * 15 + slot % 15

    def flyers(self) -> set[int]:
        """The slots of the flyers that can be chosen."""
        return {slot for slot in range(len(self.s.cell)) if self.legal(self.flyer_id(slot))}

    def choose_flyer(self, slot: int) -> None:
        self.answer(self.flyer_id(slot))

    def choose(self, cell: int) -> None:
        self.answer(self.seen(cell))

    def act_id(self, slot: int, act: int = 0) -> int:
        return ACT + slot % 15 * 4 + act

    def can(self, slot: int, act: int = 0) -> bool:
        return self.legal(self.act_id(slot, act))

    def act(self, slot: int, act: int = 0, target: int | None = None, *dice: int) -> None:
        """An ACT, the dice that come, and the target if one is to be chosen still."""
        if dice:
            self.dice(*dice)
        self.answer(self.act_id(slot, act))
        if target is not None and self.asked[1] == Decision.TOKENS:
            self.number(1)
        if target is not None and self.asked[1] == Decision.TARGET:
            self.choose(target)

    def strike(self, slot: int, target: int, *dice: int) -> None:
        self.act(slot, Act.STRIKE, target, *dice)

    def move_id(self, slot: int, direction: Direction) -> int:
        return MOVE + slot % 15 * 4 + direction

    def move(self, slot: int, *directions: Direction) -> None:
        for direction in directions:
            self.answer(self.move_id(slot, direction))

    def yes(self) -> None:
        self.answer(YES)

    def no(self) -> None:
        self.answer(NO)

    def done(self) -> None:
        self.answer(DONE)

    def number(self, n: int) -> None:
        self.answer(int(self.engine.NUMBER) + n - 1)

    def end_turn(self) -> None:
        """Pass the turn; the next question is the other's, of whatever kind."""
        assert self.asked[1] == Decision.MAIN
        self.done()

    # ---- reading
    def wounds(self, slot: int) -> int:
        return int(self.s.wounds[slot])

    def is_dead(self, slot: int) -> bool:
        return bool(self.s.died[slot] > 0)

    def closed(self, slot: int) -> bool:
        return bool(self.s.closed[slot])

    def scores(self) -> list[int]:
        return [int(each) for each in self.engine.scores(self.states, 0)]

    @property
    def over(self) -> bool:
        return bool(self.s.over)


def decline(p: Position) -> None:
    """No defender, no rerolls."""
    while p.asked[1] in (Decision.DEFENDER, Decision.REROLL):
        p.done() if p.asked[1] == Decision.DEFENDER else p.no()


def struck(mine, theirs, *dice, near=(), theirs_near=(), **fields):
    """A card of First on 12 strikes one of Second on 17; no rerolls. Return position and slots."""
    p = Position()
    a, b = p.put(FIRST, mine, 12), p.put(SECOND, theirs, 17, **fields)
    for card, cell in near:
        p.put(FIRST, card, cell)
    for card, cell in theirs_near:
        p.put(SECOND, card, cell)
    p.strike(a, 17, *dice)
    decline(p)
    return p, a, b


def shot(theirs, *dice, shooter="Orc Shooter", start=7, at=22, theirs_near=(), **fields):
    """A card of First shoots at one of Second. Return position and slots."""
    p = Position()
    a, b = p.put(FIRST, shooter, start), p.put(SECOND, theirs, at, **fields)
    for card, cell in theirs_near:
        p.put(SECOND, card, cell)
    p.act(a, Act.ABILITY_1, at, *dice)
    return p, a, b


__all__ = [
    "CARD", "FIRST", "SECOND", "STEP", "Position", "begin", "content", "decline", "generator", "new_game", "options",
    "shot", "struck",
]  # fmt: skip
