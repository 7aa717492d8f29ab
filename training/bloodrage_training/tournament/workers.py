"""Who plays the games: a pool of processes, each with agents of its own.

A worker is given a unit and sends every game back as it ends. The tournament alone writes the store, so that a worker
may die at any time; its unit is then played again. A plug-in runs in a process of its own, a new one for each game
(`bloodrage_agents.isolated`); the shipped agents keep nothing from one game to the next.
"""

import contextlib
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from types import FrameType
from typing import Any, Final, Protocol, Self

from bloodrage_agents import registry
from bloodrage_agents.base import AgentLike
from bloodrage_agents.isolated import Isolated
from bloodrage_agents.match import play_game
from bloodrage_agents.sandbox import hide_memory
from bloodrage_env.errors import UserError

from .plan import agent_seeds
from .records import Plan, PlannedGame, StoredGame, Unit

GRACE: Final = 5.0  # seconds that a worker has to end its plug-ins


@dataclass(frozen=True)
class Played:
    """A game of unit `number` has ended."""

    number: int
    game: StoredGame


@dataclass(frozen=True)
class Done:
    """All games of unit `number` have been reported."""

    number: int


@dataclass(frozen=True)
class Died:
    """The worker at unit `number` failed; the unit has to be played again."""

    number: int
    reason: str
    ended: bool = False  # its process is no more, so that nobody has seen what it failed at


@dataclass(frozen=True)
class Refused:
    """The unit can't be played on a worker at all; the tournament has to end."""

    number: int
    reason: str


Event = Played | Done | Died | Refused


class Pool(Protocol):
    """What plays units: `LocalPool` here, or `RayPool` in `ray_backend.py`."""

    def idle(self) -> bool:
        """Whether another unit may be submitted."""
        ...

    def submit(self, unit: Unit) -> None:
        """Begin to play a unit."""
        ...

    def events(self, timeout: float) -> list[Event]:
        """What has happened; waits for so many seconds if nothing has."""
        ...

    def close(self) -> None:
        """End at once, whatever is being played."""
        ...


class Player:
    """Plays planned games. Plug-ins can't read what lies at paths that begin with one of `hidden`: the store.

    A context manager, or `close` it.
    """

    def __init__(self, plan: Plan, hidden: Sequence[str] = ()) -> None:
        self._plan, self._hidden = plan, hidden
        self._agents: dict[tuple[str, int], AgentLike] = {}

    def __enter__(self) -> Self:
        """The player itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self.close()

    def close(self) -> None:
        """End the processes of plug-ins."""
        for agent in self._agents.values():
            if isinstance(agent, Isolated):
                agent.close()
        self._agents.clear()

    def play(self, game: PlannedGame) -> StoredGame:
        """Play a game. Raises UserError if an agent can't be made, or is another one here than in the plan."""
        copies = [game.line_up[:seat].count(spec) for seat, spec in enumerate(game.line_up)]
        agents = [self._agent(spec, copy) for spec, copy in zip(game.line_up, copies, strict=True)]
        # The time limit is for plug-ins, which `Isolated` stops.
        went = play_game(agents, game.seed, game.options, agent_seeds(self._plan, game))
        return StoredGame(
            game.id, game.deal, game.seating, game.seed, game.line_up, game.options, went.actions, went.scores,
            went.forfeit_seat, went.forfeit_reason, went.seconds, went.decisions,
        )  # fmt: skip

    def _agent(self, spec: str, copy: int) -> AgentLike:
        """The agent for a seat; agents of one spec at several seats are different objects."""
        if (spec, copy) not in self._agents:
            check_fingerprint(self._plan, spec)
            game, limit = self._plan.options.game, self._plan.seconds_a_decision
            trusted = registry.is_trusted(spec, game)
            self._agents[spec, copy] = (
                registry.make(spec, game) if trusted else Isolated(spec, limit, self._hidden, game)
            )
        return self._agents[spec, copy]


def check_fingerprint(plan: Plan, spec: str) -> None:
    """Raises UserError if the agent is not the one with which the plan was made."""
    if registry.fingerprint(spec, plan.options.game) != plan.fingerprints[plan.agents.index(spec)]:
        raise UserError(f"agent {spec} has changed since the store was made: bring it back, or begin a new store")


def play_unit(player: Player, unit: Unit) -> Iterator[Event]:
    """Play the games of a unit, and say how it went."""
    try:
        for game in unit.games:
            yield Played(unit.number, player.play(game))
        yield Done(unit.number)
    except UserError as error:
        yield Refused(unit.number, str(error))
    except Exception as error:
        yield Died(unit.number, " ".join(f"{type(error).__name__}: {error}".split()))


@dataclass
class _Worker:
    process: BaseProcess
    connection: Connection
    unit: int | None = None  # what it plays


class LocalPool:
    """Worker processes on this machine, `size` of them, started anew when they die; `hidden` as for `Player`."""

    def __init__(self, plan: Plan, size: int, hidden: Sequence[str] = ()) -> None:
        self._plan, self._hidden = plan, hidden
        self._context = multiprocessing.get_context("spawn")
        self._workers: list[_Worker] = []
        os.environ.setdefault("OMP_NUM_THREADS", "1")  # the workers fill the cores already
        try:
            self._workers += (self._start() for _ in range(size))
        except BaseException:
            self.close()
            raise

    def idle(self) -> bool:
        """Whether a worker has nothing to do."""
        return any(worker.unit is None for worker in self._workers)

    def submit(self, unit: Unit) -> None:
        """Hand a unit to an idle worker."""
        worker = next(worker for worker in self._workers if worker.unit is None)
        worker.unit = unit.number
        with contextlib.suppress(OSError):  # it has died: `events` will tell
            worker.connection.send(unit)

    def events(self, timeout: float) -> list[Event]:
        """What the workers have sent, or that they have died."""
        ready = wait([worker.connection for worker in self._workers], timeout)
        found: list[Event] = []
        for place, worker in enumerate(self._workers):
            if worker.connection not in ready:
                continue
            try:
                event = worker.connection.recv()
            except (EOFError, OSError):
                self._workers[place] = self._start()
                found += self._bury(worker)
                continue
            if not isinstance(event, Played):
                worker.unit = None
            found.append(event)
        return found

    def close(self) -> None:
        """End all workers and their plug-ins."""
        for worker in self._workers:
            worker.process.terminate()
        deadline = time.monotonic() + GRACE
        for worker in self._workers:
            worker.process.join(max(0.0, deadline - time.monotonic()))
            if worker.process.exitcode is None:
                worker.process.kill()
                worker.process.join()
            worker.connection.close()
        self._workers.clear()

    def _start(self) -> _Worker:
        ours, theirs = self._context.Pipe()
        process = self._context.Process(target=_work, args=(theirs, self._plan, self._hidden), daemon=True)
        with _unheard(signal.SIGINT):
            process.start()
        theirs.close()
        return _Worker(process, ours)

    def _bury(self, worker: _Worker) -> list[Event]:
        """What to tell of a worker whose pipe is broken."""
        worker.connection.close()
        worker.process.join(GRACE)
        if worker.process.exitcode is None:
            worker.process.kill()
            worker.process.join()
        code = worker.process.exitcode or 0
        how = f"signal {-code}" if code < 0 else f"exit status {code}"
        return [] if worker.unit is None else [Died(worker.unit, f"a worker process ended with {how}", True)]


@contextlib.contextmanager
def _unheard(number: signal.Signals) -> Iterator[None]:
    """Processes started here never hear this signal: Ctrl-C is for the tournament, which ends them itself."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before: Callable[[int, FrameType | None], Any] | int | None = signal.signal(number, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(number, before)


def _work(connection: Connection, plan: Plan, hidden: Sequence[str]) -> None:
    """The life of a worker."""
    hide_memory()
    player = Player(plan, hidden)

    def leave(*_: object) -> None:
        # No exception: compilers and plug-ins call Python from places where one would be lost.
        try:
            player.close()
        finally:
            os._exit(0)

    signal.signal(signal.SIGTERM, leave)
    threading.Thread(target=_leave_with_parent, daemon=True).start()
    with contextlib.suppress(EOFError, OSError), player:
        while True:
            for event in play_unit(player, connection.recv()):
                connection.send(event)


def _leave_with_parent() -> None:
    """The tournament was killed: end too, even in the middle of a game."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(GRACE)
        os._exit(1)
