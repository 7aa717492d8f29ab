"""Which seats have their page open: those of which a request came within the last minute."""

import asyncio
import time
from collections.abc import Callable
from typing import Final

PRESENT_SECONDS: Final = 60.0  # after the last request of a seat; an open page sends one every 20 seconds


class Presence:
    """The seats that are here. `changed` is called when one comes or goes; `version` counts these changes."""

    def __init__(self, changed: Callable[[], None]) -> None:
        self._changed = changed
        self._came: dict[int, float] = {}  # when each seat last did, by `time.monotonic`
        self._here: set[int] = set()
        self._timers: dict[int, asyncio.TimerHandle] = {}
        self.version = 0

    def came(self, seat: int) -> None:
        """Take note of a request of a seat."""
        self._came[seat] = time.monotonic()
        if seat not in self._here:
            self._here.add(seat)
            self._look_later(seat, PRESENT_SECONDS)
            self._change()

    def is_here(self, seat: int) -> bool:
        """Return whether a seat has its page open."""
        return seat in self._here

    def gone(self, seat: int) -> None:
        """Take note that a seat has closed its page."""
        self._here.discard(seat)
        if timer := self._timers.pop(seat, None):
            timer.cancel()
        self._change()

    def _look_later(self, seat: int, seconds: float) -> None:
        self._timers[seat] = asyncio.get_running_loop().call_later(seconds, self._look, seat)

    def _look(self, seat: int) -> None:
        left = self._came[seat] + PRESENT_SECONDS - time.monotonic()
        if left > 0:
            self._look_later(seat, left)
        else:
            self.gone(seat)

    def _change(self) -> None:
        self.version += 1
        self._changed()

    def close(self) -> None:
        """Wait for nobody any longer."""
        for timer in self._timers.values():
            timer.cancel()
