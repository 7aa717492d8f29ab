"""The progress of a long command: a line that is redrawn in a terminal, otherwise a line from time to time."""

import time
from collections.abc import Iterable, Iterator
from typing import Final, TextIO, TypeVar

T = TypeVar("T")

SHORT: Final = 1.0  # seconds: reading that takes less shows nothing
EVERY: Final = 30.0  # seconds between lines where there is no terminal
_REDRAW: Final = 0.2  # seconds
_BAR: Final = 24  # characters


class Progress:
    """Shows `done` of `total` things; None is an unknown total. With `seconds`, the limit is a time."""

    def __init__(
        self, stream: TextIO, total: int | None, done: int = 0, seconds: float | None = None, things: str = "games"
    ) -> None:
        self._stream = stream
        self._terminal = stream.isatty()
        self._total = total
        self._first = self._done = done
        self._seconds = seconds
        self._things = things
        self._start = time.monotonic()
        self._drawn = self._start if not self._terminal else 0.0
        self._width = 0
        self._shown = False

    def update(self, done: int, more: str = "") -> None:
        """Draw the line if it is time to. `more` is appended."""
        self._done = done
        now = time.monotonic()
        if now - self._drawn >= (_REDRAW if self._terminal else EVERY):
            self._drawn = now
            self._write(f"{self.line()}{more}")

    def over(self, things: Iterable[T]) -> Iterator[T]:
        """Yield the things, and draw the line for each. What takes less than `SHORT` seconds shows nothing."""
        for number, each in enumerate(things, self._first + 1):
            yield each
            if time.monotonic() - self._start > SHORT:
                self.update(number)
        if self._shown:
            self.end()

    def end(self) -> None:
        """Draw the line for the last time."""
        self._write(self.line())
        if self._terminal:
            print(file=self._stream, flush=True)

    def line(self) -> str:
        """Return the line: `[####----] 120/400 games, 8.2/s, 0:34 left`."""
        passed = max(time.monotonic() - self._start, 1e-9)
        rate = (self._done - self._first) / passed
        left = [self._seconds - passed] if self._seconds is not None else []
        share = passed / self._seconds if self._seconds is not None else 0.0
        if self._total:
            share = max(share, self._done / self._total)
            left += [(self._total - self._done) / rate] if rate else []
        filled = round(_BAR * min(share, 1.0))
        bar = f"[{'#' * filled}{'-' * (_BAR - filled)}] " if self._total or self._seconds is not None else ""
        count = f"{self._done}/{self._total}" if self._total else f"{self._done}"
        end = f", {_clock(max(0.0, min(left)))} left" if left and share < 1 else ""
        return f"{bar}{count} {self._things}, {rate:.1f}/s{end}"

    def _write(self, line: str) -> None:
        self._shown = True
        if self._terminal:
            self._stream.write(f"\r{line:{self._width}}")
            self._width = len(line)
        else:
            self._stream.write(f"{line}\n")
        self._stream.flush()


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
