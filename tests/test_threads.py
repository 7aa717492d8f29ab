"""Compiled code that steps games frees the GIL, so that other threads of Python run meanwhile."""

import sys
import threading
import time
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from bloodrage_env import VectorGames

NEVER = 1e6  # seconds until a thread of Python has to let another one run
GAMES, TRIES = 500, 1000


class Counter(threading.Thread):
    """Counts for as long as it gets the GIL, and hands it on after each number."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.count, self.over = 0, False

    def run(self) -> None:
        while not self.over:
            self.count += 1
            time.sleep(0)

    def advances(self, call: Callable[[], object]) -> bool:
        """Whether it counts during a call, which it can only if the call frees the GIL."""
        before = self.count
        call()
        return self.count > before


@pytest.fixture
def counter() -> Iterator[Counter]:
    interval, thread = sys.getswitchinterval(), Counter()
    sys.setswitchinterval(NEVER)
    thread.start()
    yield thread
    thread.over = True
    thread.join()
    sys.setswitchinterval(interval)


@pytest.mark.parametrize("form", ["bytes", "dense", "sparse"])
@pytest.mark.parametrize("game", ["bloodrage", "berserk"])
def test_a_step_frees_the_gil(counter: Counter, game: str, form: str) -> None:
    """As often as it is tried at most: how soon a waiting thread runs is up to the system."""
    games = VectorGames(GAMES, game=game, seed=1, observations=form)
    games.reset()
    entries, dones = games.game.batch, np.zeros((GAMES, 2), np.int8)
    written = games.masks, *games.views.part(slice(0, GAMES)), games.seats

    def begin() -> None:
        entries.begin_games(games.states, games.seeds, games.options, *written)

    def step() -> None:
        about = games.states, actions, games.seeds, GAMES, games.options
        entries.step_games(*about, *written, games.rewards, dones)

    assert not any(counter.advances(lambda: sum(range(1000))) for _ in range(TRIES)), "a call that keeps the GIL"
    assert any(counter.advances(begin) for _ in range(TRIES))
    for _ in range(TRIES):
        actions = games.masks.argmax(1)
        if counter.advances(step):
            return
    pytest.fail("no other thread ran during a step")


@pytest.mark.parametrize("failing", [0, 1, 2])
def test_an_error_of_a_slice_is_raised_when_all_are_done(failing: int) -> None:
    games, failed, done = VectorGames(3, threads=3), threading.Event(), []

    def work(part: slice) -> None:
        if part.start == failing:
            failed.set()
            raise ValueError("of this slice")
        failed.wait()
        done.append(part.start)

    with pytest.raises(ValueError, match="of this slice"):
        games._each_slice(work)
    assert sorted([*done, failing]) == [0, 1, 2]
