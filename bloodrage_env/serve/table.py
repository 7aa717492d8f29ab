"""A running game: requests that wait for changes, and agents, which run in threads."""

import asyncio
import contextlib
import math
import secrets
import time
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

from bloodrage_agents.opponents import Opponent, opponent

from ..core.api.replay import Replay
from ..core.compile.decorators import Records
from ..core.shown.table_page import WATCHER, Habit
from ..encoding import as_bytes
from ..errors import UnavailableError, UserError
from ..language import transcript
from ..study import Judged
from .faults import described
from .games import Game
from .house import House
from .lessons import next_action
from .presence import Presence
from .saving import Saving
from .seating import Refused, digest_of, new_secret, strongest
from .views import view

MAX_PACE: Final = 10_000  # milliseconds
MAX_WAITING: Final = 16  # requests that wait for news of one seat
CALL_SECONDS = 30.0  # in which a person who is asked can say to be here
REST_SECONDS: Final = 60.0  # after that answer, in which nobody can vote about the person
SUBSTITUTE: Final = "random"  # plays on where an agent can't


class Table:
    """A game with its agents and with the requests that wait for changes."""

    def __init__(self, game_id: str, game: Game, tables: House) -> None:
        self.id = game_id
        self.game = game
        self._tables = tables
        self._news = asyncio.Event()
        self._waiting: Counter[int] = Counter()  # by seat
        self._started = secrets.token_hex(8)  # another one after a restart
        self._views: dict[int, tuple[tuple[int, bool, int], bytes, int]] = {}  # the latest of each seat, and its number
        self._saving = Saving(game_id, game, tables.storage, tables.report, tables.save_later)
        self._secret = game.shown.secret(game.states)
        self._agents: dict[int, Opponent] = {}
        self._failed: dict[str, int] = {}  # the version of the game in which something could not be shown, last
        self._driver: asyncio.Task[None] | None = None
        self._hints: dict[int, tuple[int, bytes]] = {}  # the latest of each seat, with the version of the game
        self._studying = asyncio.Lock()  # by which a question asked twice is answered once
        self._page: bytes | None = None
        self.decisions: list[Judged] = []
        self._review: asyncio.Task[bytes] | None = None
        self.habits: dict[tuple[int, tuple[int, int]], list[Habit]] = {}  # by seat and moment, once the game is over
        self.asked_at = time.time()  # when somebody last asked for it
        self.presence = Presence(self._came_or_went)
        self._shown_up: dict[int, float] = {}  # when each person last said to be here
        self._pace = tables.pace  # seconds that an open move of an agent takes
        self._goes_on = asyncio.Event()  # unless who watches has it wait
        self._goes_on.set()
        self._report_faults()

    def seen(self, seat: int) -> tuple[bytes, str]:
        """Return the view of a seat, and its tag: the views of the seat that differed from the one before are numbered.

        By the number a page ignores a view that arrives after a later one. Raise Refused for a view that fails.
        """
        saved = seat not in self._saving.warned
        shown = self.game.version, saved, self.presence.version
        version, data, number = self._views.get(seat, (None, b"", 0))
        if version != shown:
            before = data
            with self.showing("the table"):
                data = as_bytes(view(self.game, seat, saved, self.presence.is_here))
            number += data != before
            self._views[seat] = shown, data, number
        return data, f'"{self._started}-{number}"'

    async def news(self, seat: int, tag: str, seconds: float) -> tuple[bytes, str]:
        """Return `seen` once its tag differs from `tag`, after at most `seconds`."""
        if self._waiting[seat] >= MAX_WAITING:
            raise Refused(429, "too many requests wait at this table")
        self._waiting[seat] += 1
        try:
            async with asyncio.timeout(seconds):
                while self.seen(seat)[1] == tag and not self._tables.stopping:
                    await self._news.wait()
        except TimeoutError:
            pass
        finally:
            self._waiting[seat] -= 1
        return self.seen(seat)

    def notify(self) -> None:
        """Wake all waiting requests."""
        self._news.set()
        self._news = asyncio.Event()

    async def answer(self, seat: int, number: int, *actions: int) -> None:
        """Apply a person's answers, all of them or none. Raise Refused."""
        self.game.answer(seat, number, *actions)
        self.changed(seat)
        self.go_on()

    async def undo(self, seat: int, number: int, to: int) -> None:
        """Undo a person's choices. Raise Refused."""
        self.game.undo(seat, number, to)
        self.changed(seat)

    async def end_turn(self, seat: int, number: int) -> None:
        """End a person's turn. Raise Refused."""
        self.game.end_turn(seat, number)
        self.changed(seat)
        self.go_on()

    async def hint(self, seat: int, number: int) -> bytes:
        """Return the analysis of a person's open question. Raise Refused."""
        self.game.check_hint(seat, number)  # at once: a seat that waits must not notice a hint of another one
        async with self._studying:
            states = self.game.check_hint(seat, number)
            asked, (version, data) = self.game.version, self._hints.get(seat, (-1, b""))
            if version != asked:
                with self.showing("a hint"):
                    data = await self._tables.studied().hint(states, seat, number)
                self._hints[seat] = asked, data
            return data

    async def chances(self, viewer: int) -> bytes:
        """Return each seat's chance to win, from all hands. Raise Refused for all but spectators of agents."""
        if viewer != WATCHER:
            raise Refused(403, "chances are computed from all hands: they are shown where agents alone play")
        async with self._studying:
            states, number = self.game.rules.play.clone(self.game.states, 0), self.game.number
            with self.showing("the chances"):
                return await self._tables.studied().chances(states, number)

    def allow_hints(self, seat: int, allowed: bool) -> None:
        """Set whether a person allows hints."""
        self.game.allow_hints(seat, allowed)
        self.changed(seat)

    def claim(self, viewer: int, seat: int, name: str) -> str:
        """Give a free seat to a visitor of this name and return its token. Raise Refused."""
        secret = new_secret()
        self.game.claim(viewer, seat, name, digest_of(secret))
        self.changed(seat)
        return f"{self.id}.{secret}"

    def came(self, seat: int) -> None:
        """Take note of a request of a seat."""
        self.asked_at = time.time()
        self.presence.came(seat)

    def _came_or_went(self) -> None:
        """Show who is here, and weigh the votes: those who are not here have none."""
        before = self.game.version
        self._weigh_all()
        if self.game.version != before:
            self.changed(WATCHER)
            self.go_on()
        self.notify()

    def vote(self, voter: int, seat: int, agree: bool) -> None:
        """Vote to have the strongest agent on offer play for the person of a seat. Raise Refused.

        It takes the votes of all other people who are here. A person whose page is open is asked first, for
        `CALL_SECONDS`.
        """
        rests = self._shown_up.get(seat, -REST_SECONDS) + REST_SECONDS - time.monotonic()
        if agree and rests > 0:
            name = self.game.names[seat]
            raise Refused(409, f"{name} has just said to be here: you can vote again in {math.ceil(rests)} seconds")
        self.game.leaving.vote(voter, seat, agree)
        self._weigh(seat)
        self.changed(voter)
        self.go_on()

    def _weigh(self, seat: int) -> None:
        """Ask or replace the person of a seat if the vote is carried."""
        if not self.game.leaving.is_carried(seat, self.presence.is_here):
            self.game.leaving.stop_asking(seat)
        elif not self.presence.is_here(seat):
            self._replace(seat)
        elif self.game.leaving.asked_until(seat) is None:
            until = int(1000 * (time.time() + CALL_SECONDS))
            self.game.leaving.ask(seat, until)
            asyncio.get_running_loop().call_later(CALL_SECONDS, self._time_is_up, seat, until)

    def _time_is_up(self, seat: int, until: int) -> None:
        """Have an agent play for a person who has not answered."""
        if self._tables.stopping or not self._tables.has(self) or self.game.leaving.asked_until(seat) != until:
            return
        self._replace(seat)
        self.changed(seat)
        self.go_on()

    def _replace(self, seat: int) -> None:
        self.game.leaving.replace(seat, strongest(self._tables.agents, self._tables.page.levels))
        self._agents.pop(seat, None)
        self._weigh_all()

    def _weigh_all(self) -> None:
        """Weigh the votes after a change of the voters."""
        for seat in filter(self.game.leaving.is_voted_on, self.game.people):
            self._weigh(seat)

    def show_up(self, seat: int) -> None:
        """Drop the votes about a person who has done something."""
        if seat < 0 or not self.game.leaving.is_voted_on(seat):
            return
        if self.game.leaving.asked_until(seat) is not None:
            self._shown_up[seat] = time.monotonic()
        self.game.leaving.drop(seat)
        self.changed(seat)

    def come_back(self, seat: int, undo: bool = False) -> None:
        """Give a seat back to its person, and undo what the agent did, if `undo`. Raise Refused."""
        self.game.leaving.come_back(seat, undo)
        if undo:
            self._save_talk()
            self._agents = {}  # agents that remember events start again
        self._weigh_all()
        self.changed(seat)
        self.go_on()

    def play_on(self, viewer: int, again: bool) -> None:
        """Ask an agent again that could not be asked, or have the strongest agent on offer play its seat. Raises
        Refused.
        """
        if self.game.unavailable is None:
            raise Refused(409, "no agent has to be asked again")
        if viewer < 0 and viewer != WATCHER:
            raise Refused(409, "those who play decide who plays on")
        seat, _ = self.game.unavailable
        if not again:
            agent = strongest(self._tables.agents, self._tables.page.levels)
            self.game.hand_over(seat, agent, f"{self.game.names[seat]} is played by {agent} from here on.")
            self._save_talk()
            self._agents.pop(seat, None)
        self.game.miss(None)
        self.changed(viewer)
        self.go_on()

    def set_pace(self, milliseconds: int, paused: bool) -> None:
        """Set how long a spectator sees each move of an agent, or a pause. Raise Refused."""
        if self.game.watching != WATCHER:
            raise Refused(409, "people play here: the pace is not for one of them to set")
        if not 0 <= milliseconds <= MAX_PACE:
            raise Refused(422, f"a move takes 0 to {MAX_PACE} milliseconds")
        self._pace = milliseconds / 1000
        if paused:
            self._goes_on.clear()
        else:
            self._goes_on.set()

    async def page(self) -> bytes:
        """Return the data of the replay page. Raise Refused while the game is running."""
        self._check_over()
        async with self._studying:
            if self._page is None:
                with self.showing("the replay"):
                    self._page = await self._tables.studied().page(self.game.replay())
            return self._page

    async def talk(self) -> bytes:
        """Return the transcript of language models. Raise Refused while the game is running."""
        self._check_over()
        with self.showing("the talk with language models"):
            lines = await asyncio.to_thread(self._tables.storage.talk, self.id)
            return as_bytes({"lines": lines, "seats": list(self.game.names)})

    def review(self) -> bytes:
        """Return the study of the game, or its progress. The first request starts it. Raise Refused."""
        self._check_over()
        if self._review is None and not self._tables.stopping:
            self.decisions = []
            self._review = asyncio.create_task(self._tables.studied().review(self.game.replay(), self.decisions))
        if self._review is not None and self._review.done():
            ended, self._review = self._review, None
            with self.showing("the review"):
                data = ended.result()
            self._review = ended
            return data
        return as_bytes({"done": len(self.decisions), "total": self.game.number})

    @contextlib.contextmanager
    def showing(self, what: str) -> Iterator[None]:
        """Turn an error inside into one line of the server's log and Refused. The game continues."""
        try:
            yield
        except Refused:
            raise
        except Exception as error:
            if self._failed.get(what) != self.game.version:  # a page that asks again is not reported again
                self._failed[what] = self.game.version
                self._tables.report(f"game {self.id}: can't show {what}: {described(error)}")
            raise Refused(500, f"the server can't show {what}; its terminal says why, and the game is kept") from error

    def _report_faults(self) -> None:
        """Write the failures of log entries to the log of the server."""
        faults, self.game.faults = self.game.faults, []
        if faults:
            more = f" ({len(faults) - 1} more)" if len(faults) > 1 else ""
            self._tables.report(f"game {self.id}: {faults[0]}{more}")

    def _check_over(self) -> None:
        if not self.game.over:
            raise Refused(409, "a review shows every hand: it is given out when the game is over")

    def changed(self, seat: int) -> None:
        """Save the game after an action of a seat, and notify all pages. The game continues if saving fails.

        While all answer in secret, other seats do not see whether a save failed: it would reveal that somebody has
        answered.
        """
        secret, self._secret = self._secret, self.game.shown.secret(self.game.states)
        self._save({seat} if secret and self._secret else {*self.game.viewers})
        self._report_faults()
        self.notify()

    @property
    def waits_to_save(self) -> bool:
        """Whether `save_again` is needed."""
        return self._saving.waits

    def save_again(self) -> None:
        """Save the game again after a failure, and notify all pages."""
        everybody = {*self.game.viewers}
        self._save(self._saving.warned if self._secret else everybody, everybody)
        self.notify()

    def _save(self, warned: set[int], calmed: set[int] | None = None) -> None:
        """Write the game. The viewers `warned` are shown a failure; those in `calmed` (default: the same) are shown a
        success.
        """
        if not self._tables.has(self):
            return  # it has been removed
        self._saving.save(warned, calmed)

    def go_on(self) -> None:
        """Start the agents unless they are playing or the server is stopping."""
        if not self._tables.stopping and (self._driver is None or self._driver.done()):
            self._driver = asyncio.create_task(self._drive())

    async def _drive(self) -> None:
        """Play until a person is asked or may undo, the game is over, or the server is stopping."""
        while not self.game.over and self.game.held is None and self.game.puzzle is None:
            seat = self.game.seat_to_act
            if seat in self.game.people:
                return
            moment = self.game.moment
            action = await self._thought(seat)
            if action is None:
                return  # at once, also in a pause: to ask again starts the agents again
            await self._goes_on.wait()
            async with self._tables.turn:  # of all agents one moves, then whatever people have asked for is answered
                await asyncio.sleep(0)
                if self._tables.stopping:
                    return
                if seat in self.game.people or moment != self.game.moment:
                    continue  # its person has come back
                self.game.unavailable = None
                self.game.play(action)
                self.changed(seat)
        if self.game.over and self._tables.has(self):
            self._save_talk()

    async def _thought(self, seat: int) -> int | None:
        """Return an agent's answer, or the next move of a lesson.

        An agent that fails is replaced for the rest of the game, and the logs say so. Of one that can't be asked,
        people choose who plays on.

        Return None then, and if the server is stopping. The agent is asked again after the restart.
        """
        states, replay, agents = self.game.rules.play.clone(self.game.states, 0), self.game.replay(), self._agents
        pause = 0.0 if self.game.shown.secret(states) else self._pace
        begun = time.monotonic()
        try:
            action = next_action(self.game)
            if action is None:
                action = await self._answered(agents, seat, states, replay)
        except UnavailableError as error:
            if not self._tables.stopping:
                self._tables.report(f"game {self.id}: {error}")
                self.game.miss((seat, str(error)))
                self.notify()
            return None
        except Exception as error:  # whatever an agent does, the people at the table go on
            if self._tables.stopping:
                return None
            self.report(seat, error)
            self._save_talk()
            agents[seat] = self._opponent(SUBSTITUTE, seat)
            action = self._ask(agents[seat], states, replay)
        await asyncio.sleep(begun + pause - time.monotonic())
        return action

    def report(self, seat: int, error: Exception) -> None:
        """Report at the table and in the terminal that an agent has failed."""
        spec = self.game.seats[seat].agent
        said = str(error) if isinstance(error, UserError) else f"{self.game.names[seat]} ({spec}) can't go on"
        self.game.note(f"{said.rstrip('.')}. Random moves from here on.")
        self._tables.report(said if isinstance(error, UserError) else f"{said}: {type(error).__name__}: {error}")

    async def _answered(self, agents: dict[int, Opponent], seat: int, states: Records, replay: Replay) -> int:
        """Make the agent of a seat if necessary, and return its answer."""
        result = self._tables.thinkers.result
        if seat not in agents:
            agents[seat] = await result(self._opponent, str(self.game.seats[seat].agent), seat)
        waits = bool(getattr(agents[seat].agent, "waits", False))
        return await result(self._ask, agents[seat], states, replay, waits=waits)

    def _ask(self, agent: Opponent, states: Records, replay: Replay) -> int:
        agent.catch_up(replay)
        return int(agent(states))

    def _save_talk(self) -> None:
        """Write the transcript of agents that keep one."""
        try:
            talk = transcript.of_agents(each.agent for each in self._agents.values())
            self._tables.storage.save_talk(self.id, talk)
        except Exception as error:  # whatever an agent has kept, the game goes on
            said = error if isinstance(error, OSError | UserError) else described(error)
            self._tables.report(f"the transcript of game {self.id} can't be saved: {said}")

    def _opponent(self, spec: str, seat: int) -> Opponent:
        self._tables.check_agents(f"game {self.id}", [spec])
        # Its randomness has nothing to do with the seed of the game, which would reveal every hidden card.
        return opponent(spec, seat, secrets.randbits(128), self.game.replay().options)

    def close(self) -> list[asyncio.Task[Any]]:
        """Cancel running agents and analysts and wake waiting requests. Return what was cancelled."""
        if self._tables.has(self):
            self._save_talk()
        self.presence.close()
        running = [task for task in (self._driver, self._review) if task is not None]
        for task in running:
            task.cancel()
        self.notify()
        return running
