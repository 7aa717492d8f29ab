"""The forms of a batch's observations, its buffers, and steps in the background."""

import copy
import threading
import time
from types import SimpleNamespace

import numpy as np
import pytest
from test_vector import chosen

from bloodrage_env.core.api import vector
from bloodrage_env.vector import VectorGames

UNWRITTEN = -7  # no seat


@pytest.mark.parametrize("form", ["bytes", "dense", "sparse"])
@pytest.mark.parametrize("game", ["bloodrage", "berserk"])
def test_the_forms_hold_the_same_numbers(game, form):
    """Bytes times scales are the floats, to the last bit."""
    sets = {"sets": ("ks", "mystics", "gods")} if game == "bloodrage" else {"combat": "difference"}
    games, other = (VectorGames(20, game=game, seed=4, observations=each, **sets) for each in ("dense", form))
    rng = np.random.default_rng(1)
    for each in (games, other):
        each.reset()
    for _ in range(120):
        if form == "bytes":
            assert other.observations.dtype == np.uint8
            assert np.array_equal(other.observations * other.game.scales, games.observations)
        elif form == "sparse":
            rows = np.zeros_like(games.observations)
            _, _, starts, columns, counts = other.views
            for row, a, b in zip(rows, starts, starts[1:], strict=False):
                row[columns[a:b]] = counts[a:b]
            assert np.array_equal(rows * other.game.scales, games.observations)
        actions = chosen(games.masks, rng)
        for each in (games, other):
            each.step(actions)


@pytest.mark.parametrize("threads", [1, 3])
def test_scipy_and_torch_take_sparse_observations(threads):
    """Whatever the number of threads, the rows follow each other: a compressed sparse row matrix of uint8."""
    sparse, torch = pytest.importorskip("scipy.sparse"), pytest.importorskip("torch")
    games = VectorGames(20, seed=4, threads=threads, buffers=2, observations="sparse")
    other = VectorGames(20, seed=4, observations="bytes")
    rng = np.random.default_rng(1)
    games.reset()
    other.reset()
    for step in range(30):
        starts, end = games.views.starts, games.views.starts[-1]
        columns, counts = games.views.columns[:end], games.views.counts[:end]
        assert (starts.dtype, columns.dtype, counts.dtype) == (np.int64, np.uint16, np.uint8)
        shape = other.observations.shape
        assert np.array_equal(sparse.csr_array((counts, columns, starts), shape).toarray(), other.observations)
        tensor = torch.sparse_csr_tensor(*map(torch.from_numpy, (starts, columns, counts)), shape)
        assert np.array_equal(tensor.to_dense().numpy(), other.observations)
        actions = chosen(other.masks, rng)
        other.step(actions)
        if step % 2:
            games.step_async(actions)
            games.step_wait()
        else:
            games.step(actions)


def test_buffers_are_written_in_turn():
    """The arrays of a step stay as they are during the next one."""
    games, other = VectorGames(6, 2, seed=2, buffers=2, threads=2), VectorGames(6, 2, seed=2)
    rng = np.random.default_rng(3)
    games.reset()
    other.reset()
    ended = 0
    for step in range(300):
        arrays = [games.masks, games.observations, games.seats, games.rewards, games.dones, games.truncated]
        kept = [each.copy() for each in arrays]
        actions = chosen(games.masks, rng)
        other.step(actions)
        if step % 2:
            games.step_async(actions)
            actions[:] = -1  # they have been copied
            games.step_wait()
        else:
            games.step(actions)
        assert all(np.array_equal(before, array) for before, array in zip(kept, arrays, strict=True))
        for name in ("masks", "observations", "seats", "rewards", "dones", "truncated"):
            assert np.array_equal(getattr(games, name), getattr(other, name)), name
        ended += int(games.dones.sum())
    assert ended > 10


def test_arrays_are_made_by_the_caller():
    """Such as tensors of PyTorch, whose memory the games then write."""
    torch = pytest.importorskip("torch")
    made = []

    def allocate(shape, dtype):
        made.append(torch.from_numpy(np.zeros(shape, dtype)))
        return made[-1].numpy()

    games = VectorGames(3, observations="bytes", allocate=allocate)
    games.reset()
    counts = torch.from_numpy(games.observations)
    assert any(counts.data_ptr() == each.data_ptr() for each in made)
    assert torch.equal(torch.from_dlpack(games.masks), torch.from_numpy(games.masks))
    before = counts.clone()
    games.step(games.masks.argmax(1))
    assert not torch.equal(before, counts)


def test_a_step_in_the_background_is_the_only_call():
    games = VectorGames(2, threads=2)
    games.reset()
    with pytest.raises(RuntimeError, match="step_wait: call step_async first"):
        games.step_wait()
    with pytest.raises(ValueError, match="not legal"):
        games.step_async([-1, -1])
    games.step_async(games.masks.argmax(1))
    for call in (lambda: games.step([0, 0]), games.reset, lambda: copy.copy(games), lambda: games.step_async([0, 0])):
        with pytest.raises((RuntimeError, ValueError)):
            call()
    games.step_wait()
    games.step(games.masks.argmax(1))


def interrupted(work):
    """That function, after which Ctrl-C is raised in the first slice."""

    def run(part, *rest):
        work(part, *rest)
        if not part.start:
            raise KeyboardInterrupt

    return run


@pytest.mark.parametrize("threads", [1, 3])
def test_after_ctrl_c_the_arrays_are_those_of_the_games(threads, monkeypatch):
    """Python raises it once compiled code has ended, when the games have changed."""
    games, other = (VectorGames(6, 2, threads=threads, buffers=2, observations="sparse") for _ in range(2))
    other.reset(seed=1)
    for name in "_begin", "_step":
        monkeypatch.setattr(games, name, interrupted(getattr(games, name)))
    with pytest.raises(KeyboardInterrupt):
        games.reset(seed=1)
    for _ in range(5):
        other.step(other.masks.argmax(1))
        with pytest.raises(KeyboardInterrupt):
            games.step(games.masks.argmax(1))
        end = other.views.starts[-1]
        assert np.array_equal(games.views.starts, other.views.starts)
        assert np.array_equal(games.views.columns[:end], other.views.columns[:end])
        assert np.array_equal(games.masks, other.masks)


def test_ctrl_c_waits_for_the_threads_that_write_the_games(monkeypatch):
    games, ended, waits = VectorGames(2, 2, threads=2), [], [KeyboardInterrupt, KeyboardInterrupt]
    games.reset()
    step, until_done = games._step, vector.wait

    def slow(part, *rest):
        time.sleep(0.2 * part.start)
        step(part, *rest)
        ended.append(part.start)

    def wait(steps):
        if waits:
            raise waits.pop()
        return until_done(steps)

    monkeypatch.setattr(games, "_step", slow)
    monkeypatch.setattr(vector, "wait", wait)
    with pytest.raises(KeyboardInterrupt):
        games.step(games.masks.argmax(1))
    assert ended == [0, 1]
    waits.append(KeyboardInterrupt)
    games.step_async(games.masks.argmax(1))
    with pytest.raises(KeyboardInterrupt):
        games.step_wait()
    with pytest.raises(RuntimeError, match="another thread"):
        games.reset()
    games.step_wait()
    assert len(ended) == 4
    games.step(games.masks.argmax(1))


@pytest.mark.parametrize(("call", "begun"), [("step", {1}), ("step_async", {0, 1})])  # step plays part 0 itself
def test_ctrl_c_while_threads_begin_waits_for_those_that_have_begun(call, begun, monkeypatch):
    games, ended = VectorGames(3, 2, threads=3), []
    games.reset()
    pool = games._threads()

    def submit(work, part, *_):
        if part.start == 2:
            raise KeyboardInterrupt
        return pool.submit(lambda: (time.sleep(0.2), ended.append(part.start)))

    monkeypatch.setattr(games, "_threads", lambda: SimpleNamespace(submit=submit))
    with pytest.raises(KeyboardInterrupt):
        getattr(games, call)(games.masks.argmax(1))
    assert begun <= set(ended)


@pytest.mark.parametrize("game", ["bloodrage", "berserk"])
def test_other_threads_run_while_games_step(game):
    """Compiled code frees the GIL: this thread sees the seats of the first games written and those of the last not."""
    games = VectorGames(10_000, game=game, observations="bytes")  # a step takes longer than a turn of a thread
    games.reset()
    seats = games.seats
    seen = False
    for _ in range(100):
        actions = games.masks.argmax(1)
        seats[:] = UNWRITTEN
        other = threading.Thread(target=games.step, args=(actions,))
        other.start()
        while other.is_alive():
            seen |= bool(seats[0] != UNWRITTEN) and bool(seats[-1] == UNWRITTEN)
        other.join()
        if seen:
            break
    assert seen
