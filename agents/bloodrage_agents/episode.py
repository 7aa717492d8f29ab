"""A game as text for some of its seats, against agents at the others: what adapters to other libraries are made of."""

from collections.abc import Mapping
from typing import Final

import numpy as np

from bloodrage_env import games
from bloodrage_env.core.engine.options import GameOptions
from bloodrage_env.core.engine.rewards import victory_share
from bloodrage_env.language.final import RefusedError
from bloodrage_env.language.prompt import Parts, TextGame

from .match import one_line
from .opponents import opponent

TRIES: Final = 3  # answers to a question


class Episode:
    """A game in which texts answer for all seats but those of `opponents`, which has a spec for each.

    `seat` is the seat whose answer is wanted, -1 once the game is over. A seat loses the game if `tries` answers in a
    row mean no legal action. `answers` and `refused` count the answers of each seat. Raises UserError for an
    opponent that cannot play.
    """

    def __init__(
        self,
        options: GameOptions,
        seed: int,
        opponents: Mapping[int, str] | None = None,
        parts: Parts | None = None,
        tries: int = TRIES,
    ) -> None:
        self.options, self.tries = options, tries
        self.rules, self._shown = games.game(options.game), games.presentation(options.game)
        self.agents = {each: opponent(spec, each, seed, options) for each, spec in (opponents or {}).items()}
        self.seats = [each for each in range(options.num_players) if each not in self.agents]
        self.text = {each: TextGame(options.game, parts) for each in self.seats}
        self.answers, self.refused = dict.fromkeys(self.seats, 0), dict.fromkeys(self.seats, 0)
        self.loser: int | None = None
        self._events: dict[int, list[str]] = {each: [] for each in self.seats}
        self._in_a_row = 0
        self._states = self.rules.new_game(seed, options)
        self.seat = -1
        self._go_on()

    def system(self) -> str:
        """Return the rules, and the form of answers."""
        return self.text[self.seats[0]].system()

    def prompt(self) -> str:
        """Return the question of `seat`, with what it has seen since its last answer."""
        known = self.rules.hide(self._states, 0, self.seat)
        return self.text[self.seat].prompt(known, self.seat, self._events[self.seat])

    def legal(self) -> list[int]:
        """Return the ids of the legal actions of `seat`."""
        mask = self.rules.play.legal_mask(self._states, 0)
        return [int(action) for action in np.flatnonzero(mask)]

    def board(self) -> str:
        """Return the board as text, as everybody sees it."""
        return self._shown.board_text(self._states, 0, None, False)

    def lose(self) -> None:
        """End the game: `seat` gives no answer."""
        self.loser, self.seat = self.seat, -1

    def answer(self, text: str) -> str | None:
        """Answer for `seat`. Return None, or the reason if the answer means no legal action."""
        seat = self.seat
        self.answers[seat] += 1
        try:
            action = self.text[seat].read(text, self.rules.hide(self._states, 0, seat), seat)
        except RefusedError as error:
            self.refused[seat] += 1
            self._in_a_row += 1
            if self._in_a_row >= self.tries:
                self.lose()
            return one_line(str(error))
        self._in_a_row = 0
        self._events[seat] = []
        self._apply(action)
        self._go_on()
        return None

    def won(self, seat: int) -> float:
        """Return the part of the victory of a seat, 0 to 1. The other sides share it if a seat gave no legal answer."""
        if self.loser is not None:
            count, team = self.options.num_players, self.rules.team
            return 0.0 if (seat - self.loser) % (count // team) == 0 else 1.0 / (count - team)
        return victory_share(np.asarray(self.rules.play.scores(self._states, 0), np.int32), seat)

    def readable(self, seat: int) -> float:
        """Return the share of a seat's answers that were legal actions; 1 if it gave none."""
        return 1.0 - self.refused[seat] / self.answers[seat] if self.answers[seat] else 1.0

    def _apply(self, action: int) -> None:
        for each, events in self._events.items():
            events += [event.text for event in self._shown.events(self._states, action, each)]
        self.rules.play.apply(self._states, 0, action)

    def _go_on(self) -> None:
        """Play on until a text is wanted."""
        while not self.rules.play.is_over(self._states, 0):
            seat = int(self.rules.play.seat_to_act(self._states, 0))
            if seat in self.agents:
                self._apply(self.agents[seat](self._states))
                continue
            kept = self.text[seat].kept(self.rules.hide(self._states, 0, seat), seat)
            if kept is None:
                self.seat = seat
                return
            self._apply(kept)
        self.seat = -1
