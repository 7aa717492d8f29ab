"""Threads in which agents run."""

import asyncio
import contextlib
import threading
from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")


class Thinkers:
    """Runs functions in threads, in the order of their calls, at most `limit` at a time that compute.

    They are daemon threads: the process can end while one is running, unlike with an executor.
    """

    def __init__(self, limit: int) -> None:
        self._free = asyncio.Semaphore(limit)

    async def result(self, function: Callable[..., T], *arguments: Any, waits: bool = False) -> T:
        """Return the result of a function, or raise its exception. After a cancellation the result is dropped.

        `waits`: the function waits for the network, so that it holds up no other one.
        """
        async with contextlib.nullcontext() if waits else self._free:
            loop = asyncio.get_running_loop()
            future: asyncio.Future[Callable[[], T]] = loop.create_future()

            def deliver(outcome: Callable[[], T]) -> None:
                if not future.done():
                    future.set_result(outcome)

            def work() -> None:
                outcome = _outcome(function, arguments)
                with contextlib.suppress(RuntimeError):  # the loop may be closed by now
                    loop.call_soon_threadsafe(deliver, outcome)

            threading.Thread(target=work, name="agent", daemon=True).start()
            return (await future)()


def _outcome(function: Callable[..., T], arguments: tuple[Any, ...]) -> Callable[[], T]:
    """Call a function and return another one that returns the same result or raises the same error as an Exception."""
    try:
        result = function(*arguments)
    except BaseException as raised:
        # A SystemExit of an agent would end the server.
        error = raised if isinstance(raised, Exception) else RuntimeError(f"{type(raised).__name__}: {raised}")

        def fail() -> T:
            raise error

        return fail
    return lambda: result
