"""A position of the Battle for Laar set up by hand. Cells are as First sees them."""

from typing import Any

import numpy as np
from berserk_position import Position
from bloodrage_env.games.berserk_laar.engine import ANGEL, CARD, COLUMN_OF, DEMON, DONE, NONE, ROW_OF, SQUAD, YES, Phase
from bloodrage_env.games.berserk_laar.game import GAME
from bloodrage_env.games.berserk_laar.options import Options

from bloodrage_env.games.berserk_laar import engine

HERO, FIEND = 0, 1  # the seats of the angel and of the demon
BEINGS = {"Angel": ANGEL, "Demon": DEMON}


class LaarPosition(Position):
    """A battle, in the main part of a turn of the angel's side (turns 1, 3, ...) or the demon's, on an empty board."""

    engine = engine
    options = Options

    def fresh(self) -> np.ndarray:
        """A new game with the options of this one."""
        return new_game(**{"skip_forced": False} | self.changes)

    def put(self, seat: int, card: str, cell: int, **fields: int) -> int:
        """Put a card on a cell; "Angel" and "Demon" are the two beings."""
        if card not in BEINGS:
            return super().put(seat, card, cell, **fields)
        slot = super().put(seat, "Nomad", cell, **fields)
        number = BEINGS[card]
        self.s.squad[seat, engine.Card.NOMAD] -= 1
        self.s.deal[seat, engine.Card.NOMAD] -= 1
        self.s.deal_size[seat] -= 1
        self.s.card[slot], self.s.moves[slot] = number, engine.MOVEMENT[number]
        return slot


def new_game(seed: int = 1, **changes: Any) -> np.ndarray:
    """A new game."""
    states = np.zeros(1, engine.STATE)
    engine.reset(states, 0, seed, Options(**changes).numbers())
    return states


def angel_side(s: np.record) -> int:
    """The seat that has the angel (rules 11.3)."""
    return 0 if s.num_players == 1 else int(s.first)


def play(states: np.ndarray, phase: Phase, rng: np.random.Generator) -> list[tuple[int, int]]:
    """Play up to a phase: the deal is kept, the squad is large. Who was asked what."""
    asked = []
    while states[0].phase < phase:
        s = states[0]
        asked.append((int(s.seat), int(s.decision)))
        legal = s.mask.nonzero()[0]
        if len(legal) > 1 and legal[0] == DONE and CARD <= legal[1] < CARD + engine.NUM_CARDS:
            legal = legal[1:3]
        engine.apply(states, 0, YES if s.mask[YES] else int(rng.choice(legal)))
    return asked


def begun(seed: int, phase: Phase = Phase.BATTLE, **changes: Any) -> np.ndarray:
    """A game that has come to a phase."""
    states = new_game(seed, **changes)
    play(states, phase, np.random.default_rng(seed))
    return states


def in_own_view(s: np.record, seat: int, cell: int) -> tuple[int, int]:
    """Row and column of a cell as a seat sees them."""
    own = cell if seat == s.first else len(s.at) - 1 - cell
    return int(ROW_OF[own]), int(COLUMN_OF[own])


def slot_of(s: np.record, card: int) -> int:
    """The slot of a being."""
    return int(np.flatnonzero(s.card == card)[0])


def squad_of(s: np.record, seat: int) -> list[int]:
    """The slots of a side's cards that are in decks."""
    own = range(seat * SQUAD, seat * SQUAD + SQUAD)
    return [slot for slot in own if s.card[slot] != NONE and s.card[slot] < engine.NUM_CARDS]


def observed(states: np.ndarray, seat: int) -> dict[str, np.ndarray]:
    """The observation of a seat by sections."""
    vector = np.zeros(GAME.observation_size, np.uint8)
    GAME.observe.observe_bytes(states, 0, seat, vector)
    return GAME.by_section(vector)
