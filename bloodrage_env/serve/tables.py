"""The games of a folder: found by token, stored in files, removed when there are too many."""

import asyncio
import os
import secrets
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, Final

from bloodrage_agents import registry

from .. import games
from ..core.api.replay import Replay
from ..core.engine.options import GameOptions
from ..core.shown.lesson import LEARNER
from ..core.shown.table_page import PUBLIC, Habit
from ..errors import UserError
from .evening import next_seats, results
from .faults import described
from .games import Game, up_to
from .house import Identified
from .plain import page_of
from .puzzle import Puzzle
from .seating import Refused, Seat, at_level, branch_seats, digest_of, new_secret, strongest
from .storage import Storage
from .studies import Studies
from .table import Table
from .thinking import Thinkers
from .views import listed, stands

MAX_GAMES: Final = 500  # of a folder
MAX_GAMES_OF_VISITOR: Final = 50  # of those, begun by one visitor since the server was started
IDLE_OF_VISITOR: Final = 3600  # seconds after which a game of a visitor makes room for another one of theirs
IDLE: Final = 24 * 3600  # ... and for anybody's
OPEN: Final = "open"  # the secret of tables that the start page lists: everybody may watch them and take a free seat
SAVE_SECONDS: Final = 5.0  # after which a game that could not be saved is tried again


class Tables:
    """All games of a folder. `agents` are the specs that a browser may choose, `pace` is the seconds that a public move
    of an agent takes.
    """

    def __init__(self, storage: Storage, agents: Sequence[str], pace: float, report: Callable[[str], None]) -> None:
        self.storage = storage
        self.page = page_of(storage.game)
        self.agents = tuple(agents)
        self.pace = pace
        self.report = report
        self.stopping = False
        self.thinkers = Thinkers(os.cpu_count() or 1)
        self._looking_back = Thinkers(1)  # at finished games: agents don't wait for it
        self.studies = Studies(storage.game) if games.spec(storage.game).has("study") else None
        self.turn = asyncio.Lock()
        self._open: dict[str, Table] = {}
        self._loading: dict[str, asyncio.Lock] = {}
        self._saving: asyncio.Task[None] | None = None
        self._found_listed = False  # whether the stored tables of the start page are open
        self._begun: dict[str, str] = {}  # which visitor began a game, since the server was started

    def studied(self) -> Studies:
        """The analyst of hints and reviews. Raise Refused for a game without one."""
        if self.studies is None:
            raise Refused(404, "there are no hints and reviews of this game")
        return self.studies

    async def create(
        self,
        players: Sequence[tuple[str | None, str | None]],
        options: GameOptions,
        visitor: str,
        watched: bool = False,
        listed: bool = False,
    ) -> tuple[list[str | None], str | None]:
        """Create a visitor's game from a (person's name, agent) per seat. A seat with neither is free for other
        visitors.

        Return the token of each person, and the spectator's token, which is the link of the table if seats are free.
        The latter is None if people play and no seat is free, unless `watched` asks for one. A `listed` table is on the
        start page. Raise Refused.
        """
        self._make_room(visitor)
        given = [None if person is None else new_secret() for person, _ in players]
        people = [agent is None for _, agent in players]
        free = (None, None) in players
        alone = people.count(True) == 1 and not free and not watched  # who may have hints without asking anybody
        seats = [
            Seat(agent=agent) if agent else Seat(person or "", secret and digest_of(secret), hints=alone)
            for (person, agent), secret in zip(players, given, strict=True)
        ]
        watching = OPEN if listed else new_secret() if free or watched or not any(people) else None
        game = Game(seats, secrets.randbits(63), options, watching and digest_of(watching))
        game_id = self._seat_down(game, visitor)
        return [secret and f"{game_id}.{secret}" for secret in given], watching and f"{game_id}.{watching}"

    async def play_now(self, level: str, visitor: str) -> str:
        """Create a visitor's game with the usual options, against agents of a level; returns the person's token."""
        options = games.options_from(self.storage.game, skip_forced=False)
        agent = at_level(level, self.agents, self.page.levels)
        players: list[tuple[str | None, str | None]] = [("", None), *[(None, agent)] * (options.num_players - 1)]
        tokens, _ = await self.create(players, options, visitor)
        assert tokens[0] is not None
        return tokens[0]

    async def learn(self, number: int, visitor: str) -> str:
        """Create a visitor's guided game by its number. Return the token of the person. Raise Refused."""
        lessons, secret = self.page.lessons(), new_secret()
        if not 0 <= number < len(lessons):
            raise Refused(404, f"there is no lesson {number + 1} of this game: there are {len(lessons)}")
        lesson = lessons[number]
        agent = lesson.agent if lesson.agent in self.agents else self.agents[0]
        seats = [Seat(agent=agent)] * lesson.options.num_players
        seats[LEARNER] = Seat(person="", digest=digest_of(secret), hints=True)
        played = tuple(action for _, action in lesson.moves[: lesson.begin])
        replay = games.replays(self.storage.game)(lesson.seed, lesson.options, played)
        return f"{await self._go_on_from(seats, replay, visitor)}.{secret}"

    async def branch(self, table: Table, own: int, step: int, seat: int, visitor: str) -> str:
        """Create a game that continues from a step of a finished one, with the person of seat `own` at `seat`.

        Return the token. Raise Refused.
        """
        replay = table.game.replay()
        if not table.game.over:
            raise Refused(409, "the game goes on: play it to its end first")
        if not 0 <= step < len(replay) or not 0 <= seat < len(table.game.seats):
            raise Refused(422, "there is no such step, or no such seat")
        secret = new_secret()
        seats = branch_seats(table.game.seats, own, seat, digest_of(secret), self.agents, self.page.levels)
        return f"{await self._go_on_from(seats, up_to(replay, step), visitor)}.{secret}"

    async def _go_on_from(
        self, seats: Sequence[Seat], replay: Replay, visitor: str, puzzle: Puzzle | None = None
    ) -> str:
        """Store and start a visitor's game that continues a replay. Return its id. Raise Refused."""
        self._make_room(visitor)
        game = await asyncio.to_thread(Game.from_replay, seats, replay)
        game.puzzle = puzzle
        return self._seat_down(game, visitor)

    async def try_again(self, table: Table, own: int, step: int, visitor: str) -> str:
        """Create a puzzle of a costly decision of a finished game, for the person of seat `own`. Return the token.
        Raise Refused.
        """
        judged = table.decisions[step] if table.game.over and 0 <= step < len(table.decisions) else None
        if judged is None or judged.better is None:
            raise Refused(409, "the review knows no better answer at this step: choose one of its mistakes")
        replay, secret = table.game.replay(), new_secret()
        puzzle = Puzzle(judged.seat, step, judged.better, f"Step {step} of your game")
        seats = branch_seats(table.game.seats, own, judged.seat, digest_of(secret), self.agents, self.page.levels)
        seats[judged.seat] = replace(seats[judged.seat], hints=False)
        return f"{await self._go_on_from(seats, up_to(replay, step), visitor, puzzle)}.{secret}"

    async def solve(self, number: int, visitor: str) -> str:
        """Create a table with a puzzle of the game by its number. Return the token. Raise Refused."""
        if not 0 <= number < len(self.page.puzzles()):
            raise Refused(404, f"there is no puzzle {number + 1} of this game: there are {len(self.page.puzzles())}")
        self._make_room(visitor)  # before the position is played
        position, secret = self.page.puzzles()[number], new_secret()
        replay = games.replays(self.storage.game)(position.seed, position.options, position.actions)
        seat = int((await asyncio.to_thread(replay.at, -1))[0].seat)
        agent = strongest(self.agents, self.page.levels)
        seats = [Seat(agent=agent)] * position.options.num_players
        seats[seat] = Seat(person="", digest=digest_of(secret))
        puzzle = Puzzle(seat, len(replay), position.best, f"Puzzle {number + 1}", number, dict(position.agents))
        return f"{await self._go_on_from(seats, replay, visitor, puzzle)}.{secret}"

    def rematch(self, table: Table, seat: int, visitor: str) -> str:
        """Return the id of the next game of the same people, who have the same secrets there. Create it if there is
        none, except for spectators. Raise Refused.
        """
        game = table.game
        if not game.over:
            raise Refused(409, "the game goes on: play it to its end first")
        if game.rematch is None or not self.storage.has(game.rematch):
            if seat == PUBLIC:
                raise Refused(409, "those who have played decide about another game")
            self._make_room(visitor)
            seats, earlier = next_seats(game.seats), results(table.id, game)
            again = Game(seats, secrets.randbits(63), game.options, game.watcher, earlier)
            game.rematch = self._seat_down(again, visitor)
            game.version += 1
            table.changed(seat)
        return game.rematch

    def _seat_down(self, game: Game, visitor: str) -> str:
        """Store a new game and start it. Return its id. Raise Refused."""
        game_id = self.storage.new_id()
        try:
            self.storage.create(game_id, game)
        except OSError as error:
            self.report(f"can't save a game: {error}")
            raise Refused(507, "the game can't be saved") from None
        self._begun[game_id] = visitor
        self._open[game_id] = Table(game_id, game, self)
        self._open[game_id].go_on()
        return game_id

    def _make_room(self, visitor: str) -> None:
        """Make room for one more game by removing an idle one. Raise Refused if there is none."""
        own = [game_id for game_id, who in self._begun.items() if who == visitor and self.storage.has(game_id)]
        if len(own) >= MAX_GAMES_OF_VISITOR and not self._remove_idle(own, IDLE_OF_VISITOR):
            raise Refused(429, f"you have begun {MAX_GAMES_OF_VISITOR} games here: play those, or come back in an hour")
        ids = self.storage.ids()
        if len(ids) >= MAX_GAMES and not self._remove_idle(ids, IDLE):
            raise Refused(507, f"there are {MAX_GAMES} games here, all of them in use: come back tomorrow")

    def _remove_idle(self, ids: Iterable[str], seconds: float) -> bool:
        """Remove the game that has been idle longest, if for `seconds` or more. Return whether one was removed."""
        asked_at = {game_id: self._asked_at(game_id) for game_id in ids}
        game_id = min(asked_at, key=asked_at.__getitem__)
        idle = time.time() - asked_at[game_id]
        if idle < seconds:
            return False
        try:
            self.storage.remove(game_id)
        except OSError as error:
            self.report(f"can't remove a game: {error}")
            return False
        if table := self._open.pop(game_id, None):
            table.close()
        self._begun.pop(game_id, None)
        self.report(
            f"removed game {game_id}, which nobody had asked for in {idle / 3600:.0f} h, to make room for another one"
        )
        return True

    def _asked_at(self, game_id: str) -> float:
        table = self._open.get(game_id)
        return table.asked_at if table else self.storage.saved_at(game_id)

    async def find(self, token: str) -> tuple[Table, int]:
        """Return the table and the seat of a token. Raise Refused for an unknown token."""
        table, seat = await self._of(token)
        table.came(seat)
        return table, seat

    async def _of(self, token: str) -> tuple[Table, int]:
        game_id, _, secret = token.partition(".")
        known = token.isascii()  # others, such as half a surrogate, have no digest
        table = (self._open.get(game_id) or await self._load(game_id, secret)) if known else None
        seat = table.game.seat_of(secret) if table else None
        if table is None or seat is None:
            raise Refused(401, "this link belongs to no game here")
        return table, seat

    async def stands(self, token: str) -> dict[str, Any] | None:
        """Return how a game stands for the seat of a token (`views.stands`), or None for an unknown token. The person
        does not count as present.
        """
        try:
            table, seat = await self._of(token)
        except Refused:
            return None
        return stands(table.game, seat)

    async def habits(self, tokens: Sequence[str]) -> list[dict[str, Any]]:
        """Return what the finished games of tokens have in common: `text`, and `games`, of each game the place of its
        token and the steps where it was bad. Unknown and repeated tokens, and games that go on, are left out.
        """
        found: dict[str, list[tuple[int, Habit]]] = {}
        for place, token in enumerate(tokens):
            try:
                table, seat = await self._of(token)
            except Refused:
                continue
            if table.game.over and seat >= 0 and token not in tokens[:place]:
                for habit in await self._habits_of(table, seat):
                    found.setdefault(habit.text, []).append((place, habit))
        return [_counted(text, done) for text, done in found.items() if any(habit.is_bad for _, habit in done)]

    async def _habits_of(self, table: Table, seat: int) -> list[Habit]:
        """Return what a seat did in a finished game. It is computed once: the whole game is played again."""
        key, replay = (seat, table.game.moment), table.game.replay()  # a puzzle can be played to its end again

        def habits() -> list[Habit]:
            if key not in table.habits:  # those who asked at the same time have waited
                table.habits[key] = list(self.page.habits(zip(replay.states(), replay.actions, strict=False), seat))
            return table.habits[key]

        return table.habits[key] if key in table.habits else await self._looking_back.result(habits)

    async def listed(self) -> list[dict[str, Any]]:
        """Return the tables of the start page whose games go on (`views.listed`), the latest first."""
        if not self._found_listed:
            self._found_listed = True
            await self._open_listed()
        found = [table for table in self._open.values() if self._is_listed(table)]
        return [listed(table.game, f"{table.id}.{OPEN}") for table in sorted(found, key=lambda each: -each.asked_at)]

    def _is_listed(self, table: Table) -> bool:
        fresh = time.time() - table.asked_at < IDLE
        return fresh and not table.game.over and table.game.watcher == digest_of(OPEN)

    async def _open_listed(self) -> None:
        """Load the stored tables of the start page that have been used lately."""
        for game_id in self.storage.ids():
            if time.time() - self.storage.saved_at(game_id) < IDLE and self.storage.watcher(game_id) == digest_of(OPEN):
                await self.stands(f"{game_id}.{OPEN}")

    async def _load(self, game_id: str, secret: str) -> Table | None:
        """Load a game of the folder, once, and only for a secret of its own."""
        if not self.storage.has(game_id):
            return None
        async with self._loading.setdefault(game_id, asyncio.Lock()):
            if game_id not in self._open:
                try:
                    if digest_of(secret) not in self.storage.digests(game_id):
                        return None
                    game = await asyncio.to_thread(self.storage.load, game_id)
                except (OSError, UserError) as error:
                    self.report(f"can't load a game: {error}")
                    raise Refused(410, "the file of this game can't be read, or is of another version") from None
                except Exception as error:
                    self.report(f"game {game_id}: can't open it: {described(error)}")
                    raise Refused(500, "the server can't open this game; its terminal says why") from error
                if not self.storage.has(game_id):  # it has been removed meanwhile
                    return None
                try:
                    if not game.over:  # then its agents play no more
                        self.check_agents(f"game {game_id}", [seat.agent for seat in game.seats if seat.agent])
                except UserError as error:
                    self.report(str(error))
                    raise Refused(410, "this server does not offer the agents of this game") from None
                self._open[game_id] = Table(game_id, game, self)
                self._open[game_id].go_on()
        return self._open[game_id]

    def check_agents(self, name: str, specs: Iterable[str]) -> None:
        """Check agents that the file of a game names. Raise UserError for one that runs code, or uses a file or the
        network, unless this server offers it.
        """
        registry.check_granted(specs, self.agents, self.storage.game, name, "--agents")

    def has(self, table: Identified) -> bool:
        """Return whether the table is still one of them."""
        return self._open.get(table.id) is table

    def save_later(self) -> None:
        """Save the unsaved games again until all are saved."""
        if not self.stopping and (self._saving is None or self._saving.done()):
            self._saving = asyncio.create_task(self._save_unsaved())

    async def _save_unsaved(self) -> None:
        while any(table.waits_to_save for table in self._open.values()):
            await asyncio.sleep(SAVE_SECONDS)
            self.save_all()

    def save_all(self) -> None:
        """Save the games that could not be saved."""
        for table in [table for table in self._open.values() if table.waits_to_save]:
            table.save_again()

    def stop(self) -> None:
        """Stop all agents. A signal handler may call this."""
        self.stopping = True

    async def close(self) -> None:
        """Stop the agents, wake waiting requests, and save unsaved games."""
        self.stop()
        running = [task for table in self._open.values() for task in table.close()]
        if self._saving is not None and self._saving.cancel():
            running.append(self._saving)
        await asyncio.gather(*running, return_exceptions=True)
        self.save_all()


def _counted(text: str, done: Sequence[tuple[int, Habit]]) -> dict[str, Any]:
    """Return one habit of several games: the text with its numbers, and where it was bad."""
    bad = [(place, habit.step) for place, habit in done if habit.is_bad]
    games = {place: [step for other, step in bad if other == place] for place, _ in bad}
    return {"text": text.replace("#", f"{len(bad)} of {len(done)}"), "games": list(games.items())}
