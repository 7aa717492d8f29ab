"""One game at a table: its seats, actions, logs, and what may be undone.

A person's turn lasts until the person ends it. Until then nobody else is asked, and each choice can be undone back to
the last one that revealed something hidden. A turn without such a choice, or one that ends with a secret choice, ends
immediately.
"""

import hmac
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from .. import games
from ..core.api.replay import HUMAN, Replay
from ..core.compile.decorators import Records
from ..core.engine.flow import GAME_OVER
from ..core.engine.options import GameOptions
from ..core.shown.table_page import PUBLIC, WATCHER, Entry
from ..encoding import as_json
from .at_table import Result
from .faults import described
from .leaving import Leaving
from .plain import page_of
from .puzzle import Puzzle
from .seating import Refused, Seat, digest_of
from .together import SECRET_LINE, Together

MAX_NOTES: Final = 30  # of a log: the oldest one is dropped
NOTE: Final = "note"  # kind of a line


class Game:
    """A game with people or agents alone.

    Everyone who has the token of the digest `watcher` may watch: agents alone with all hands, people with public
    information only. Such a spectator may take a free seat. All input is checked before anything changes.
    """

    def __init__(
        self,
        seats: Sequence[Seat],
        seed: int,
        options: GameOptions,
        watcher: str | None = None,
        earlier: tuple[Result, ...] = (),
    ) -> None:
        self.seats = tuple(seats)
        self.watcher = watcher
        self.earlier = earlier  # the results of the games that these people have played before
        self.rematch: str | None = None  # the id of the next one
        self._options = options
        self.rules, self.shown = games.game(options.game), games.presentation(options.game)
        self.names = self.shown.seats[: len(seats)]
        self.page = page_of(options.game)
        self._reveals = self.shown.terminal.reveals
        self._recorder = games.recorder(options, seed, [seat.person or seat.agent or HUMAN for seat in seats])
        self.leaving = Leaving(self)
        start = self._recorder.states
        own = [number for number, seat in enumerate(seats) if seat.person is not None]
        self.watching = PUBLIC if own else WATCHER
        self.viewers = own if watcher is None else [*own, self.watching]
        self.faults: list[str] = []  # failures of log entries, for the log of the server
        begun = self.entries(lambda: {seat: self.page.opening(start, seat) for seat in self.viewers})
        self.logs = {seat: [(-1, begun[seat])] if seat in begun else [] for seat in self.viewers}
        self._turn_of: int = GAME_OVER  # the seat of a person, or GAME_OVER
        self._marks: list[int] = []  # numbers of the questions whose answers it can take back
        self._revealed = False  # whether it could take back more, if nothing hidden had been revealed
        self._secretly: list[int | None] = []  # by answer: who gave it, where that it was given is hidden from others
        self._answered: list[int] = []  # by answer: who gave it
        self.together = Together(self)
        self.unavailable: tuple[int, str] | None = None  # the seat whose agent can't be asked, and why
        self.version = 0  # counts every change
        self._rewinds = 0
        self.puzzle: Puzzle | None = None  # while there is one, agents do not play

    @classmethod
    def from_replay(
        cls, seats: Sequence[Seat], replay: Replay, watcher: str | None = None, earlier: tuple[Result, ...] = ()
    ) -> "Game":
        """Return a saved game. Raise ReplayError if it is not playable."""
        replay.verify()
        game = cls(seats, replay.seed, replay.options, watcher, earlier)
        for action in replay.actions:
            game._play(action)
        game._settle()
        return game

    @property
    def people(self) -> list[int]:
        """The seats that are played by people."""
        return [number for number, seat in enumerate(self.seats) if seat.is_played_by_person]

    @property
    def persons(self) -> list[int]:
        """The seats of people, also of those for whom an agent plays."""
        return [number for number, seat in enumerate(self.seats) if seat.person is not None]

    @property
    def states(self) -> Records:
        """The true state, an array of one record."""
        return self._recorder.states

    @property
    def number(self) -> int:
        """The number of the open question, which is the number of answers so far."""
        return len(self._recorder.actions)

    @property
    def moment(self) -> tuple[int, int]:
        """What differs after each answer and each undo: the count of undos and the number of the open question."""
        return self._rewinds, self.number

    def answers_of(self, seat: int, start: int) -> int:
        """Return how many answers a seat has given from question `start` on."""
        return self._answered[start:].count(seat)

    def number_for(self, seat: int, number: int | None = None) -> int:
        """Return the number of a question as a seat sees it. The default is the open question.

        A seat counts its own answers, including those that are kept, and public answers.
        """
        ahead = self.together.kept(seat) if number is None else 0
        return sum(who in (None, seat) for who in self._secretly[:number]) + ahead

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.rules.play.is_over(self.states, 0))

    @property
    def seat_to_act(self) -> int:
        """The seat that is asked, or `GAME_OVER`."""
        return int(self.rules.play.seat_to_act(self.states, 0))

    def asked(self, seat: int) -> Records | None:
        """Return the game at the question that a person can answer now, or None."""
        if self.shown.at_once(self.states) is None:
            return self.states if seat in self.people and self.seat_to_act == seat and self.held is None else None
        foreseen, asked = self.together.foreseen(seat)
        return foreseen if asked else None

    def shown_to(self, seat: int) -> Records:
        """Return the game whose known part is shown to a seat."""
        foreseen, _ = self.together.foreseen(seat)
        return self.states if foreseen is None else foreseen

    def seat_of(self, secret: str) -> int | None:
        """Return the seat of a token, `watching` for the spectator's token, or None. The comparison takes constant
        time.
        """
        wanted, found = digest_of(secret), None
        if self.watcher is not None and hmac.compare_digest(self.watcher, wanted):
            found = self.watching
        for number, seat in enumerate(self.seats):
            if seat.digest is not None and hmac.compare_digest(seat.digest, wanted):
                found = number
        return found

    @property
    def hints(self) -> list[int]:
        """The seats of the people who allow hints. Hints are given if all of them do."""
        return [seat for seat in self.people if self.seats[seat].hints]

    def allow_hints(self, seat: int, allowed: bool) -> None:
        """Set whether a person allows hints. Raise Refused for spectators."""
        if seat not in self.people:
            raise Refused(409, "hints are for those who play")
        self._reseat(seat, replace(self.seats[seat], hints=allowed))

    def _reseat(self, seat: int, who: Seat) -> None:
        self.seats = (*self.seats[:seat], who, *self.seats[seat + 1 :])
        self.version += 1

    # ---- who comes and leaves

    def claim(self, viewer: int, seat: int, name: str, digest: str) -> None:
        """Give a free seat to a visitor who has the link of the table. Raise Refused."""
        if viewer != PUBLIC:
            raise Refused(409, "a seat is taken with the link of the table")
        if not 0 <= seat < len(self.seats):
            raise Refused(422, "there is no such seat")
        if not self.seats[seat].is_free:
            by = "taken" if self.seats[seat].person is not None else "played by an agent"
            raise Refused(409, f"{self.names[seat]} is {by}: choose another seat")
        self._reseat(seat, Seat(person=name, digest=digest))
        self.leaving.forget(seat)

    def hand_over(self, seat: int, agent: str | None, text: str) -> None:
        """Have an agent, or for None the person of a seat, play on. The logs get `text` as a note."""
        if self._turn_of == seat:
            self._begin_turn(GAME_OVER)
        self._reseat(seat, replace(self.seats[seat], agent=agent))
        self.note(text)
        self._settle()

    def check_hint(self, seat: int, number: int) -> Records:
        """Return the game at a question. Raise Refused unless the seat may have a hint for it."""
        if self.hints != self.people:
            raise Refused(403, "hints are off: everybody at the table has to allow them")
        return self.check(seat, number)

    @property
    def options(self) -> GameOptions:
        """The options of the game."""
        return self._options

    def replay(self) -> Replay:
        """Return the game so far as a replay, which contains hidden cards."""
        replay: Replay = self._recorder.replay()
        return replay

    def log(self, seat: int) -> list[Entry]:
        """Return the log entries of a person's seat or of a spectator, as in `TablePage`."""
        return [entry for _, entry in self.logs[seat]]

    def since_own_answer(self, seat: int) -> list[str]:
        """The lines of the log that a seat was shown from the last answer of its own on."""
        last = max((number for number, who in enumerate(self._answered) if who == seat), default=-2)
        return [text for number, entry in self.logs[seat] if number >= last for _, text in entry["lines"]]

    def to_undo(self, seat: int) -> list[int]:
        """Return the numbers of the questions to which a seat can undo, its latest choice last."""
        if kept := self.together.to_undo(seat):
            number = self.number_for(seat)
            return list(range(number - kept, number))
        return [self.number_for(seat, mark) for mark in self._marks] if seat == self._turn_of else []

    @property
    def held(self) -> int | None:
        """The seat that may still undo its turn while all others wait, or None.

        It is None before a secret question as well, because the seat that is asked first is hidden.
        """
        goes_on = self.seat_to_act == self._turn_of and not self.shown.secret(self.states)
        return None if goes_on or not self._marks else self._turn_of

    def has_revealed(self, seat: int) -> bool:
        """Return whether a seat has revealed something hidden in its turn. It is False while the seat waits for others,
        whose secret answers end the turn.
        """
        return self._revealed and seat == self._turn_of and seat in (self.seat_to_act, self.held)

    def answer(self, seat: int, number: int, *actions: int) -> None:
        """Apply a person's answers to a question and those that follow it. Raise Refused."""
        asked = self.check(seat, number)
        self._check_answers(asked, actions)
        if self.shown.at_once(self.states) is not None:
            self.together.keep(seat, asked, actions)
            self._settle()
            return
        if self._turn_of != seat:
            self._begin_turn(seat)
        for action in actions:
            if not self.shown.secret(self.states):
                self._marks.append(self.number)
            self._play(action)
        self._settle()

    def undo(self, seat: int, number: int, to: int) -> None:
        """Undo a person's choices from the question `to` on. Raise Refused."""
        offered = self.to_undo(seat)
        if to not in offered or number != self.number_for(seat):
            raise Refused(409, "nothing to take back: others have acted since, or something hidden was revealed")
        if self.together.to_undo(seat):
            self.together.take_back(seat, number - to)
            return
        self.rewind(self._marks[offered.index(to)])

    def rewind(self, to: int) -> None:
        """Return to the question with this number."""
        self._marks = [mark for mark in self._marks if mark < to]
        del self._secretly[to:], self._answered[to:]
        self._recorder.rewind(to)
        for log in self.logs.values():
            log[:] = [(mark, entry) for mark, entry in log if mark < to]
        self._rewinds += 1
        self.version += 1

    def end_turn(self, seat: int, number: int) -> None:
        """End a person's turn, which can no longer be undone. Raise Refused."""
        if number != self.number_for(seat) or self.held != seat:
            raise Refused(409, "there is no turn of yours to end")
        self._begin_turn(GAME_OVER)
        self.version += 1
        self._settle()

    def _begin_turn(self, seat: int) -> None:
        self._turn_of = seat
        self._marks.clear()
        self._revealed = False

    def play(self, action: int) -> None:
        """Apply a legal action of the seat to act, and the forced answers of people that follow."""
        self._play(action)
        self._settle()

    def _play(self, action: int, logged: bool = False) -> None:
        """Apply an action and log it. `logged`: the log of its seat contains the answer, which was kept."""
        before, number = self.rules.play.clone(self.states, 0), self.number
        seat = self.rules.play.seat_to_act(before, 0)
        entries = self.entries(lambda: self.page.entries(before, action, self.viewers))
        self.leaving.heed(before, action, number)
        if seat != self._turn_of:
            self._begin_turn(GAME_OVER)
        elif self._reveals(before, action, seat):
            self._marks.clear()
            self._revealed = True
        for viewer, entry in entries.items():
            if logged and viewer == seat:
                entry["lines"] = [line for line in entry["lines"] if line[0] != SECRET_LINE]
            if any(entry.values()):
                self.logs[viewer].append((number, entry))
        self._secretly.append(seat if self.shown.secret(before) else None)
        self._answered.append(seat)
        self._recorder.apply(action)
        if self.over or self.shown.secret(self.states):
            self.leaving.end_undo()
        self.version += 1

    def entries(self, make: Callable[[], dict[int, Entry]]) -> dict[int, Entry]:
        """Return the entries of `make`, or none if it fails or JSON does not support them. The game continues."""
        try:
            entries = make()
            as_json(list(entries.values()))
        except Exception as error:
            self.faults.append(f"can't log question {self.number}: {described(error)}")
            return {}
        return entries

    def _settle(self) -> None:
        """Apply kept answers once they are final, and answers to questions with one legal action."""
        while self.held is None:
            if self.shown.at_once(self.states) is not None:  # also while an agent is asked first
                self._keep_forced()
            if self.together.kept(self.seat_to_act):
                action = self.together.final(self.seat_to_act)
                if action is None:
                    return
                self._play(action, logged=True)
            elif self.seat_to_act in self.people and self._is_forced(self.states):
                self._play(int(np.flatnonzero(self.states[0].mask)[0]))
            else:
                return

    def _keep_forced(self) -> None:
        """Answer questions of people with one legal action where all choose at once: nobody waits for them."""
        for seat in self.people:
            while (asked := self.asked(seat)) is not None and self._is_forced(asked):
                self.together.keep(seat, asked, np.flatnonzero(asked[0].mask).tolist())

    def _is_forced(self, states: Records) -> bool:
        """Return whether a person's question has one legal action and answering it at once reveals nothing.

        Where several people play, the question is asked unless everybody can see that it is forced, because the time of
        an answer would reveal it.
        """
        alone = len(self.viewers) == 1 or self.rules.play.is_openly_forced(states, 0)
        return bool(states[0].num_legal == 1 and alone)

    def miss(self, unavailable: tuple[int, str] | None) -> None:
        """Set the seat whose agent can't be asked, and the reason."""
        self.unavailable = unavailable
        self.version += 1

    def note(self, text: str) -> None:
        """Add a note to all logs that is not an event of the game."""
        for log in self.logs.values():
            log.append((self.number - 1, {"lines": [[NOTE, text]]}))
            notes = [place for place, (_, entry) in enumerate(log) if NOTE in (kind for kind, _ in entry["lines"][:1])]
            if len(notes) > MAX_NOTES:
                del log[notes[0]]
        self.version += 1

    def check(self, seat: int, number: int) -> Records:
        """Return the game at this question. Raise Refused."""
        if self.over:
            raise Refused(409, "the game is over")
        if seat < 0:
            raise Refused(409, "you watch: nothing is asked of you")
        if self.seat_to_act == seat and self.held is not None:
            raise Refused(409, f"{self.names[self.held]} may still take back what it did")
        asked = self.asked(seat)
        if asked is None:
            raise Refused(
                409, "you are not asked now" if seat in self.people else "an agent plays for you: come back first"
            )
        if number != self.number_for(seat):
            raise Refused(409, "that question is answered already")
        return asked

    def _check_answers(self, asked: Records, actions: Sequence[int]) -> None:
        """Raise Refused unless all answers are legal, of one seat, and none but the last reveals something. Otherwise a
        person could answer for others, or find out by trial what they hold or what follows a reveal.
        """
        states = self.rules.play.clone(asked, 0)
        seat, secret = int(states[0].seat), self.shown.secret(states)
        for left, action in zip(reversed(range(len(actions))), actions, strict=True):
            if int(states[0].seat) != seat:
                raise Refused(409, "what is asked then is not known yet: answer one question at a time")
            if not 0 <= action < self.rules.num_actions or not states[0].mask[action]:
                raise Refused(422, "that is not an answer to this question")
            if left == 0:
                return
            if self._reveals(states, action, seat):
                raise Refused(409, "what is asked then is not known yet: answer one question at a time")
            self.rules.play.apply(states, 0, action)
            if self.shown.secret(states) != secret:
                raise Refused(409, "a question in secret is answered by itself")
        raise Refused(422, "there is no answer")


def up_to(replay: Replay, step: int) -> Replay:
    """Return the first actions of a game as a replay."""
    return replace(replay, actions=replay.actions[:step], scores=None, probabilities=())
