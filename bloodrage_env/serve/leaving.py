"""People who have left a table: votes to have an agent play for them, and their return."""

from collections.abc import Callable

from ..core.compile.decorators import Records
from .at_table import Game
from .revealed import is_revealing
from .seating import Refused


class Leaving:
    """The votes at a table, the people who are asked whether they are here, and what agents did for people.

    What an agent did for a person can be undone when the person comes back, from the first of its answers after the
    last one that revealed something hidden, as long as no other person has answered since.
    """

    def __init__(self, game: Game) -> None:
        self._game = game
        self._votes: dict[int, set[int]] = {}  # who votes, by the seat of the person
        self._until: dict[int, int] = {}  # when the time to answer ends, by the seat that is asked
        self._away: set[int] = set()  # for whom an agent plays, since the server was started
        self._first: dict[int, int] = {}  # the number of the agent's first answer that can be undone, by seat

    def votes(self, seat: int) -> list[int]:
        """Return the people who vote to have an agent play for the person of a seat."""
        return [voter for voter in self._voters(seat) if voter in self._votes.get(seat, ())]

    def _voters(self, seat: int) -> list[int]:
        return [other for other in self._game.people if other != seat and not self._game.seats[other].is_free]

    def vote(self, voter: int, seat: int, agree: bool) -> None:
        """Vote to have an agent play for the person of a seat, or withdraw the vote. Raise Refused."""
        game = self._game
        if not 0 <= seat < len(game.seats):
            raise Refused(422, "there is no such seat")
        if voter not in self._voters(seat):
            raise Refused(409, "the other people at the table vote, those who play")
        if seat not in game.people:
            raise Refused(409, f"an agent plays {game.names[seat]} already")
        votes = self._votes.setdefault(seat, set())
        (votes.add if agree else votes.discard)(voter)
        game.version += 1

    def is_carried(self, seat: int, is_here: Callable[[int], bool]) -> bool:
        """Return whether all other people who are here vote to have an agent play for the person of a seat. Nothing is
        carried while none of them is here.
        """
        votes, here = self.votes(seat), [voter for voter in self._voters(seat) if is_here(voter)]
        return bool(here) and all(voter in votes for voter in here)

    def is_voted_on(self, seat: int) -> bool:
        """Return whether somebody votes to have an agent play for the person of a seat."""
        return bool(self._votes.get(seat))

    def ask(self, seat: int, until: int) -> None:
        """Ask a person whether it is here, `until` a time in milliseconds since 1970."""
        self._until[seat] = until
        self._game.version += 1

    @property
    def is_asking(self) -> bool:
        """Whether somebody is asked whether it is here."""
        return bool(self._until)

    def asked_until(self, seat: int) -> int | None:
        """Return until when a person is asked whether it is here, or None."""
        return self._until.get(seat)

    def stop_asking(self, seat: int) -> None:
        """No longer ask a person whether it is here."""
        if self._until.pop(seat, None) is not None:
            self._game.version += 1

    def drop(self, seat: int) -> None:
        """Drop the votes about the person of a seat, which is here."""
        self.stop_asking(seat)
        if self._votes.pop(seat, None):
            self._game.version += 1

    def replace(self, seat: int, agent: str) -> None:
        """Have an agent play for the person of a seat until it comes back."""
        self.drop(seat)
        self._away.add(seat)
        note = f"{self._game.names[seat]} is away: {agent} plays until its person comes back."
        self._game.hand_over(seat, agent, note)

    def come_back(self, seat: int, undo: bool) -> None:
        """Give a seat back to its person, and undo what the agent did for it, if `undo`. Raise Refused."""
        game, first = self._game, self._first.get(seat)
        if seat < 0 or game.seats[seat].agent is None or game.seats[seat].person is None:
            raise Refused(409, "no agent plays for you")
        if undo and first is None:
            raise Refused(409, "nothing to take back: others have acted since, or something hidden was revealed")
        self.forget(seat)
        if undo and first is not None:
            self._first.clear()
            game.rewind(first)
        also = " What the agent did is taken back." if undo else ""
        game.hand_over(seat, None, f"{game.names[seat]} is played by its person again.{also}")

    def forget(self, seat: int) -> None:
        """Forget the votes about a seat and what an agent did for it: somebody has taken it."""
        self.drop(seat)
        self._away.discard(seat)
        self._first.pop(seat, None)

    def heed(self, before: Records, action: int, number: int) -> None:
        """Take note of the answer to question `number`, before it is applied to the game."""
        game, seat = self._game, int(before[0].seat)
        if not self._first and seat not in self._away:
            return
        if seat in game.people or is_revealing(game.rules, before, action, game.persons):
            self._first.clear()
        elif seat in self._away and before[0].num_legal > 1:
            self._first.setdefault(seat, number)

    def undoable(self, seat: int) -> int:
        """Return how many answers of the agent its person can undo by coming back."""
        first = self._first.get(seat)
        return 0 if first is None else self._game.answers_of(seat, first)

    def end_undo(self) -> None:
        """Let nothing before a secret question be undone: how long it can be would reveal who has answered."""
        self._first.clear()
