"""Divides work on many games between threads. Compiled functions release the GIL, so the threads run in parallel."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from itertools import pairwise
from typing import Any


class Slices:
    """Calls a function for consecutive slices of many rows, each in a thread."""

    def __init__(self, threads: int = 1) -> None:
        self.threads = threads
        self._pool = ThreadPoolExecutor(threads)

    def each(self, count: int, work: Callable[[slice], Any]) -> None:
        """Call `work(slice)` for all slices of `count` rows. Return when all calls have returned.

        Raise the exception of a call.
        """
        bounds = [count * number // self.threads for number in range(self.threads + 1)]
        first, *others = (slice(start, stop) for start, stop in pairwise(bounds))
        begun = [self._pool.submit(work, each) for each in others]
        try:
            work(first)  # in this thread, because waking another one takes time
        finally:
            wait(begun)
        for each in begun:
            each.result()

    def close(self) -> None:
        """End the threads."""
        self._pool.shutdown()
