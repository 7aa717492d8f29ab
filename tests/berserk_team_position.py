"""A position of the team battle of Berserk set up by hand. Cells are as the first team sees them."""

from typing import Any

import numpy as np
from berserk_position import Position
from bloodrage_env.games.berserk_team.engine import DONE, NONE, SQUAD, YES, Decision, Phase
from bloodrage_env.games.berserk_team.game import GAME
from bloodrage_env.games.berserk_team.options import Options

from bloodrage_env.games.berserk_team import engine

A, B, C, D = range(4)  # in the order of turns; A and C are partners


class TeamPosition(Position):
    """A battle, in the main part of a turn of A (turns 1, 5, 9, ...), B, C or D, on an empty board."""

    engine = engine
    options = Options
    order = (A, B, C, D)

    def __init__(self, turn: int = 5, **changes: Any) -> None:
        super().__init__(turn, A, **changes)
        self.s.roll_off[:] = 6, 5, 4, 3


def cell(name: str) -> int:
    """A cell by its name: "c4"."""
    return "abcdefghij".index(name[0]) + 10 * (int(name[1]) - 1)


def new_game(seed: int = 1, **changes: Any) -> np.ndarray:
    """A new game."""
    states = np.zeros(1, engine.STATE)
    engine.reset(states, 0, seed, Options(**changes).numbers())
    return states


def order_of(s: np.record) -> list[int]:
    """The seats in the order of turns, by the dice (rules 10.3, 10.4)."""
    pairs = [sorted((team, team + 2), key=lambda seat: -s.roll_off[seat]) for team in (s.first % 2, 1 - s.first % 2)]
    return [pairs[0][0], pairs[1][0], pairs[0][1], pairs[1][1]]


def observed(states: np.ndarray, seat: int) -> dict[str, np.ndarray]:
    """The observation of a seat by sections."""
    vector = np.zeros(GAME.observation_size, np.uint8)
    GAME.observe.observe_bytes(states, 0, seat, vector)
    return GAME.by_section(vector)


def until(states: np.ndarray, phase: Phase, rng: np.random.Generator) -> list[tuple[int, Decision]]:
    """Play up to a phase: deals are kept, squads are large, third rows stay face down. Who was asked what."""
    asked = []
    while states[0].phase < phase:
        s = states[0]
        asked.append((int(s.seat), Decision(int(s.decision))))
        legal = s.mask.nonzero()[0]
        if s.decision == Decision.BUY and len(legal) > 1 and legal[0] == DONE:
            legal = legal[1:3]
        engine.apply(states, 0, YES if s.mask[YES] else int(rng.choice(legal)))
    return asked


def begun(seed: int, phase: Phase, **changes: object) -> tuple[np.ndarray, list[tuple[int, Decision]]]:
    """A game that has come to a phase, and who was asked what."""
    states = new_game(seed, skip_forced=False, **changes)
    return states, until(states, phase, np.random.default_rng(seed))


def taken_by(s: np.record, seat: int) -> set[int]:
    """The cells where a seat has cards."""
    return {int(each) for each in s.cell[seat * SQUAD : seat * SQUAD + SQUAD] if each != NONE}


def one_after_another(asked: list[tuple[int, Decision]], decision: Decision) -> list[int]:
    """The seats that were asked something, each once in a row."""
    seats = [seat for seat, kind in asked if kind == decision]
    return [seat for i, seat in enumerate(seats) if i == 0 or seats[i - 1] != seat]
