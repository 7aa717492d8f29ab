"""The games of a store that count in its results, missing games, and forfeits."""

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, TextIO

from bloodrage_env.language.transcript import Talk
from bloodrage_env.terminal.progress import Progress
from bloodrage_env.text import counted

from .plan import total_units
from .records import StoredGame
from .store import Store

MAX_REASONS: Final = 10  # of forfeits, that are listed


def games_of_results(store: Store, progress: TextIO | None = None) -> tuple[Iterator[StoredGame], str]:
    """Return the games, deal by deal, and one line about what is missing; "" if nothing is.

    The games are those of complete units. Without a complete unit, all stored games count. Progress is drawn on the
    stream `progress`.
    """
    plan = store.plan()
    seats = plan.options.num_players
    whole = (store.settled() - len(store.failures())) * seats
    left = store.recorded() - whole

    def with_progress(games: Iterator[StoredGame], count: int) -> Iterator[StoredGame]:
        return games if progress is None else Progress(progress, count).over(games)

    if whole or not left:
        without = f"not counted: {counted(left, 'game')} of line-ups that lack a seating"
        return with_progress(store.finished(), whole), without if left else ""
    planned = "" if plan.deals is None else f" of {total_units(plan) * seats}"
    return with_progress(store.games(), left), (
        f"these are the first {counted(left, 'game')}{planned}: no line-up has been at all {seats} seatings yet, so "
        "that seats and deals may favour some agents"
    )


class Forfeits:
    """Counts forfeits by agent and reason, and what language models took, of games that are iterated."""

    def __init__(self) -> None:
        self._found: Counter[tuple[str, str]] = Counter()
        self.talks: dict[str, Talk] = {}  # by agent

    def of(self, games: Iterable[StoredGame]) -> Iterator[StoredGame]:
        """Yield the same games and count."""
        for game in games:
            for seat, talk in game.talks():
                self.talks.setdefault(game.line_up[seat], Talk()).add(talk)
            if game.forfeit_seat is not None:
                self._found[game.line_up[game.forfeit_seat], game.forfeit_reason or "no reason given"] += 1
            yield game

    def lines(self) -> list[str]:
        """Return a line for each agent and reason, the most frequent first, and one for each language model."""
        found = sorted(self._found.items(), key=lambda each: (-each[1], each[0]))
        lines = [f"{agent} forfeited {counted(count, 'game')}: {why}" for (agent, why), count in found[:MAX_REASONS]]
        more = len(found) - len(lines)
        lines += [f"... and {counted(more, 'more reason')}"] if more > 0 else []
        return [*lines, *(f"{agent}: {talk.text()}" for agent, talk in sorted(self.talks.items()))]


def forfeits_in(stores: Iterable[Path]) -> list[str]:
    """Return the lines of `Forfeits` for the complete units of several stores."""
    forfeits = Forfeits()
    for path in stores:
        with Store.open(path) as store:
            for _ in forfeits.of(store.finished()):
                pass
    return forfeits.lines()
