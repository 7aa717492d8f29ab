"""Questions that all people answer at once: their answers are kept until every one of them has answered.

The game asks seats in order. An answer that is not yet applied can be taken back, and nobody else sees of it: neither
that it was given, nor that it was changed. Answers are final when no person has one left to give; then the game
applies them, and agents between them answer.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final, TypeAlias

import numpy as np

from ..core.compile.decorators import Records
from ..core.shown.presentation import Kind
from ..core.shown.table_page import Entry
from .at_table import Game
from .seating import Refused

SECRET_LINE: Final = Kind.SECRET.name.lower()  # of a log: an answer that only its seat sees
Ahead: TypeAlias = tuple[int, list[tuple[int, list[int]]]]  # the number of the open question; seats and answers


class Together:
    """The answers that people have given where all choose at once, and that are not applied yet."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._kept: dict[int, list[tuple[int, Entry]]] = {}  # answers and their entries in the log, by seat
        self._chosen: set[tuple[tuple[int, ...] | None, int]] = set()  # who has answered in a stage

    def kept(self, seat: int) -> int:
        """Return how many answers of a seat are kept."""
        return len(self._kept.get(seat, ()))

    def _steps(self, seat: int) -> Iterator[tuple[Records, int | None, Records | None]]:
        """The questions to a seat in a stage: the game, the answer that is kept, and the game after it.

        The answer is None at the question that is open; the game after the last answer is None if the stage ends with
        it. Other seats give arbitrary answers, since nothing that this seat may know depends on them.
        """
        game, kept = self._game, [action for action, _ in self._kept.get(seat, ())]
        stage, states = game.shown.at_once(game.states), game.rules.play.clone(game.states, 0)
        while game.shown.at_once(states) == stage:
            if states[0].seat != seat:
                game.rules.play.apply(states, 0, int(np.flatnonzero(states[0].mask)[0]))
                continue
            question, action = game.rules.play.clone(states, 0), kept.pop(0) if kept else None
            if action is None:
                yield question, None, None
                return
            game.rules.play.apply(states, 0, action)
            goes_on = game.shown.at_once(states) == stage
            yield question, action, game.rules.play.clone(states, 0) if goes_on else None

    def foreseen(self, seat: int) -> tuple[Records | None, bool]:
        """Return the game as a person sees it where all choose at once, and whether it can answer there.

        Where the stage would end with its last answer, it sees the game before that one. Return None if there is no
        such stage, or if it has nothing to answer.
        """
        game = self._game
        if game.shown.at_once(game.states) is None or seat not in game.people or game.held is not None:
            return None, False
        shown = None
        for question, action, after in self._steps(seat):
            if action is None:
                return question, True
            shown = question if after is None else after
        return shown, False

    def given(self, seat: int) -> list[tuple[Records, int]]:
        """Return the answers of a person that are kept, each with the game at its question."""
        if not self.to_undo(seat):
            return []
        return [(question, action) for question, action, _ in self._steps(seat) if action is not None]

    def waits(self, seat: int) -> bool:
        """Return whether a person has answered everything in a stage where all choose at once, and others have not."""
        stage = self._game.shown.at_once(self._game.states)
        return stage is not None and (stage, seat) in self._chosen and self._game.asked(seat) is None

    def keep(self, seat: int, asked: Records, actions: Sequence[int]) -> None:
        """Keep answers. They are logged for the seat now: later the log would reveal the answers of others."""
        game = self._game
        states = game.rules.play.clone(asked, 0)
        for action in actions:
            entries = game.entries(partial(game.page.entries, states, action, [seat]))
            entry = {"lines": [line for line in entries.get(seat, {"lines": []})["lines"] if line[0] == SECRET_LINE]}
            if entry["lines"]:
                game.logs[seat].append((game.number, entry))
            self._kept.setdefault(seat, []).append((action, entry))
            game.rules.play.apply(states, 0, action)
        self._chosen.add((game.shown.at_once(game.states), seat))
        game.version += 1

    def to_undo(self, seat: int) -> int:
        """Return how many answers a person can take back."""
        return self.kept(seat) if seat in self._game.people else 0

    def take_back(self, seat: int, count: int) -> None:
        """Take back the last answers of a person, as many as `count`."""
        kept, game = self._kept[seat], self._game
        taken = [entry for _, entry in kept[-count:]]
        del kept[-count:]
        game.logs[seat][:] = [line for line in game.logs[seat] if all(line[1] is not entry for entry in taken)]
        game.version += 1

    def final(self, seat: int) -> int | None:
        """Remove the next kept answer of a seat and return it, or None as long as it can be taken back: while a person
        still has an answer to give.
        """
        people = self._game.people
        if seat in people and any(self._game.asked(person) is not None for person in people):
            return None
        return self._kept[seat].pop(0)[0]

    @property
    def ahead(self) -> Ahead:
        """The answers of people that are kept, with the number of the open question, or 0 if there are none.

        Those of a person for whom an agent plays by now are left out: after a restart the agent answers.
        """
        kept = [(seat, self._kept.get(seat, ())) for seat in self._game.people]
        answers = [(seat, [action for action, _ in each]) for seat, each in kept if each]
        return (self._game.number if answers else 0), answers

    def load(self, number: int, answers: Sequence[tuple[int, list[int]]]) -> None:
        """Give the answers of `ahead` to a loaded game. Raise Refused for answers that no seat can give.

        Answers to another question were saved before the moves of the game were. They are ignored and asked again.
        """
        game = self._game
        for seat, actions in answers if number == game.number else ():
            if seat not in game.people:
                raise Refused(409, "nobody answers for this seat")
            left = actions[self.kept(seat) :]  # the game has given those that are openly forced
            if left:
                game.answer(seat, game.number_for(seat), *left)
