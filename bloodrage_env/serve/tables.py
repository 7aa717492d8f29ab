"""The games that go on: found by token, kept in files, played on by their agents in threads of their own."""

import asyncio
import contextlib
import hashlib
import secrets
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, TypeVar

from .. import engine
from ..commands.opponents import Opponent, opponent
from ..errors import UserError
from ..notation import CLANS, is_secret
from .games import Game, Refused, Seat, digest_of
from .storage import Storage
from .views import encoded, view

T = TypeVar("T")
MAX_GAMES: Final = 500  # files of a folder
MAX_WAITING: Final = 16  # requests that wait at one table
THREADS: Final = 8  # agents that think at a time
SUBSTITUTE: Final = "random"  # plays on where an agent can't


class Table:
    """A game, those who wait for news of it, and its agents."""

    def __init__(self, game_id: str, game: Game, tables: "Tables") -> None:
        self.id = game_id
        self.game = game
        self._tables = tables
        self._news = asyncio.Event()
        self._waiting = 0
        self._views: dict[int, tuple[int, bytes, str]] = {}
        self._agents: dict[int, Opponent] = {}
        self._driver: asyncio.Task[None] | None = None

    def seen(self, seat: int) -> tuple[bytes, str]:
        """What a seat is sent, and a tag that is the same as long as that is."""
        version, data, tag = self._views.get(seat, (-1, b"", ""))
        if version != self.game.version:
            data = encoded(view(self.game, seat))
            tag = f'"{hashlib.sha256(data).hexdigest()[:32]}"'
            self._views[seat] = self.game.version, data, tag
        return data, tag

    async def news(self, seat: int, tag: str, seconds: float) -> tuple[bytes, str]:
        """As `seen`, but waits until it is something else than what has this tag, or for so many seconds."""
        if self._waiting >= MAX_WAITING:
            raise Refused(429, "too many requests wait at this table")
        self._waiting += 1
        try:
            async with asyncio.timeout(seconds):
                while self.seen(seat)[1] == tag and not self._tables.closing:
                    await self._news.wait()
        except TimeoutError:
            pass
        finally:
            self._waiting -= 1
        return self.seen(seat)

    def tell(self) -> None:
        """Wake those who wait."""
        self._news.set()
        self._news = asyncio.Event()

    async def answer(self, seat: int, number: int, action: int) -> None:
        """Carry out a person's answer. Raises Refused."""
        self.game.answer(seat, number, action)
        self.changed()
        self.go_on()

    async def undo(self, seat: int, number: int) -> None:
        """Take back a person's choice. Raises Refused."""
        self.game.undo(seat, number)
        self.changed()

    def changed(self) -> None:
        """Save and tell. A save that fails is tried again with the next change; the game goes on."""
        try:
            self._tables.storage.save(self.id, self.game)
        except OSError as error:
            self._tables.report(f"can't save a game: {error}")
        self.tell()

    def go_on(self) -> None:
        """Have the agents play, unless they do."""
        if self._driver is None or self._driver.done():
            self._driver = asyncio.create_task(self._drive())

    async def _drive(self) -> None:
        """Until a person is asked, or the game is over."""
        while not self.game.over:
            seat = engine.seat_to_act(self.game.states, 0)
            if seat in self.game.people:
                return
            self.game.play(await self._thought(seat))
            self.changed()

    async def _thought(self, seat: int) -> int:
        """An agent's answer. One that can't go on is replaced for the rest of the game, and everybody told so."""
        states = engine.clone(self.game.states, 0)
        pause = 0.0 if is_secret(states, 0) else self._tables.pace
        rest = asyncio.create_task(asyncio.sleep(pause))
        try:
            return await self._tables.in_thread(self._ask, seat, states)
        except Exception as error:  # whatever an agent does, the people at the table go on
            self.report(seat, error)
            self._agents[seat] = self._opponent(SUBSTITUTE, seat)
            return self._ask(seat, states)
        finally:
            await rest

    def report(self, seat: int, error: Exception) -> None:
        """Say at the table and in the terminal that an agent can't go on."""
        spec = self.game.seats[seat].agent
        said = str(error) if isinstance(error, UserError) else f"{CLANS[seat]} ({spec}) can't go on"
        self.game.note(f"{said.rstrip('.')}. Random moves from here on.")
        self._tables.report(said if isinstance(error, UserError) else f"{said}: {type(error).__name__}: {error}")

    def _ask(self, seat: int, states: engine.States) -> int:
        if seat not in self._agents:
            self._agents[seat] = self._opponent(str(self.game.seats[seat].agent), seat)
        return int(self._agents[seat](states))

    def _opponent(self, spec: str, seat: int) -> Opponent:
        # Its randomness has nothing to do with the seed of the game, which would tell it every hidden card.
        options = self.game.replay()
        return opponent(spec, seat, secrets.randbits(128), options.num_players, options.first_game)

    async def close(self) -> None:
        """Stop the agents and wake those who wait."""
        if self._driver is not None:
            self._driver.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._driver
        self.tell()


class Tables:
    """All games of a folder. `agents` are the specs that a browser may ask for, `pace` seconds an open move takes."""

    def __init__(self, storage: Storage, agents: Sequence[str], pace: float, report: Callable[[str], None]) -> None:
        self.storage = storage
        self.agents = tuple(agents)
        self.pace = pace
        self.report = report
        self.closing = False
        self._open: dict[str, Table] = {}
        self._loading: dict[str, asyncio.Lock] = {}
        self._threads = ThreadPoolExecutor(THREADS, "agent")

    def in_thread(self, function: Callable[..., T], *arguments: Any) -> Awaitable[T]:
        """The result of a function that takes a while."""
        return asyncio.get_running_loop().run_in_executor(self._threads, function, *arguments)

    async def create(self, players: Sequence[tuple[str | None, str | None]], first_game: bool) -> list[str | None]:
        """A new game of (person's name, agent) by seat; returns the token of each person. Raises Refused."""
        if self.storage.count() >= MAX_GAMES:
            raise Refused(507, f"there are {MAX_GAMES} games in the folder: move some away")
        game_id = self.storage.new_id()
        given = [None if person is None else secrets.token_urlsafe(24) for person, _ in players]
        seats = [
            Seat(person, secret and digest_of(secret), agent)
            for (person, agent), secret in zip(players, given, strict=True)
        ]
        game = Game(seats, secrets.randbits(63), first_game)
        try:
            self.storage.create(game_id, seats, game)
        except OSError as error:
            self.report(f"can't save a game: {error}")
            raise Refused(507, "the game can't be saved") from None
        self._open[game_id] = Table(game_id, game, self)
        self._open[game_id].go_on()
        return [secret and f"{game_id}.{secret}" for secret in given]

    async def find(self, token: str) -> tuple[Table, int]:
        """The table and the seat of a token. Raises Refused for one that is nobody's."""
        game_id, _, secret = token.partition(".")
        table = self._open.get(game_id) or await self._load(game_id)
        seat = table.game.seat_of(secret) if table else None
        if table is None or seat is None:
            raise Refused(401, "this link belongs to no game here")
        return table, seat

    async def _load(self, game_id: str) -> Table | None:
        """Open a game of the folder, once."""
        if not self.storage.has(game_id):
            return None
        async with self._loading.setdefault(game_id, asyncio.Lock()):
            if game_id not in self._open:
                try:
                    game = await self.in_thread(self.storage.load, game_id)
                except (OSError, UserError) as error:
                    self.report(f"can't load a game: {error}")
                    raise Refused(410, "the file of this game can't be read, or is of another version") from None
                self._open[game_id] = Table(game_id, game, self)
                self._open[game_id].go_on()
        return self._open[game_id]

    async def close(self) -> None:
        """Stop everything; the games are in their files."""
        self.closing = True
        for table in self._open.values():
            await table.close()
        self._threads.shutdown(wait=False, cancel_futures=True)
