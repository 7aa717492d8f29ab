"""Many games at once, against the same games played one at a time."""

import copy
import os
import pickle
import subprocess
import sys
import threading

import numpy as np
import pytest
from random_play import differing

from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine.ids import MAX_SEATS, NUM_AGES
from bloodrage_env.games.bloodrage.observation import OBSERVATION_SIZE, observe
from bloodrage_env.vector import VectorGames

MIXED = [2, 3, 4, 4, 3, 2, 2]


def chosen(masks, rng):
    """A legal action for each row."""
    return np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])


def expected_rewards(states):
    """One for the winners in all, shared, and the same again lost by everybody: zero-sum, absent seats nothing."""
    glory = engine.scores(states, 0)
    players = len(glory)
    winners = glory == glory.max()
    rewards = np.zeros(MAX_SEATS, np.float32)
    rewards[:players] = np.where(winners, (players / winners.sum() - 1) / (players - 1), -1 / (players - 1))
    return rewards


class OneByOne:
    """The same games through `engine.reset`, `engine.apply` and `observe`."""

    def __init__(self, players, seed, **options):
        self.players, self.options = players, options
        self.seeds = [seed + i for i in range(len(players))]
        self.states = [engine.new_game(s, n, **options) for s, n in zip(self.seeds, players, strict=True)]

    def step(self, actions):
        """Answer all; returns rewards, dones and truncated as `VectorGames` has them."""
        rewards = np.zeros((len(actions), MAX_SEATS), np.float32)
        dones = np.zeros(len(actions), bool)
        truncated = np.zeros(len(actions), bool)
        for i, action in enumerate(actions):
            if engine.apply(self.states[i], 0, int(action)) == engine.GAME_OVER:
                rewards[i] = expected_rewards(self.states[i])
                dones[i] = True
                truncated[i] = bool(self.states[i][0].truncated)
                self.seeds[i] += len(actions)
                self.states[i] = engine.new_game(self.seeds[i], self.players[i], **self.options)
        return rewards, dones, truncated

    def compare(self, games):
        out = np.zeros(OBSERVATION_SIZE, np.float32)
        for i, states in enumerate(self.states):
            assert not differing(states, games.states[i : i + 1]), f"game {i}"
            seat = engine.seat_to_act(states, 0)
            observe(states, 0, seat, out)
            assert games.seats[i] == seat
            assert np.array_equal(games.masks[i], engine.legal_mask(states, 0))
            assert np.array_equal(games.observations[i], out), f"game {i}"


@pytest.mark.parametrize("options", [{}, {"first_game": True}, {"skip_forced": False}], ids=str)
def test_the_same_games_as_one_by_one(options):
    """Through the end of games and the ones that follow, with mixed numbers of players."""
    games = VectorGames(len(MIXED), MIXED, seed=30, **options)
    games.reset()
    single = OneByOne(MIXED, 30, **options)
    single.compare(games)
    assert not games.dones.any()
    rng = np.random.default_rng(0)
    ended = np.zeros(len(MIXED), int)
    for _ in range(600):
        actions = chosen(games.masks, rng)
        games.step(actions)
        rewards, dones, truncated = single.step(actions)
        assert np.array_equal(games.dones, dones)
        assert np.array_equal(games.truncated, truncated)
        assert games.rewards == pytest.approx(rewards, abs=1e-6)
        assert games.rewards.sum(axis=1) == pytest.approx(0, abs=1e-6)
        single.compare(games)
        ended += dones
    assert ended.min() >= 2
    assert games.seeds.tolist() == single.seeds == [30 + i + len(MIXED) * int(n) for i, n in enumerate(ended)]


@pytest.mark.parametrize("threads", [2, 3, 7])
def test_threads_change_nothing(threads):
    one = VectorGames(len(MIXED), MIXED, seed=4)
    many = VectorGames(len(MIXED), MIXED, seed=4, threads=threads)
    one.reset()
    many.reset()
    rng = np.random.default_rng(1)
    for _ in range(300):
        actions = chosen(one.masks, rng)
        one.step(actions)
        many.step(actions)
        for name in ("states", "seeds", "masks", "observations", "seats", "rewards", "dones"):
            assert np.array_equal(getattr(one, name), getattr(many, name)), name


@pytest.mark.parametrize("threads", [1, 3])
def test_sparse_observations_are_the_dense_ones_without_their_zeros(threads):
    """In the same games, where nothing else differs; what an earlier decision left in a row does not count."""
    dense = VectorGames(len(MIXED), MIXED, seed=4, sets=("ks",))
    sparse = VectorGames(len(MIXED), MIXED, seed=4, sets=("ks",), threads=threads, observations="sparse")
    none = VectorGames(len(MIXED), MIXED, seed=4, sets=("ks",), observations="none")
    batches = dense, sparse, none
    for each in batches:
        each.reset()
    rng = np.random.default_rng(1)
    fewest, most = OBSERVATION_SIZE, 0
    for _ in range(400):
        for i in range(len(MIXED)):
            _, _, starts, columns, counts = sparse.views
            a, b = starts[i : i + 2]
            row = np.zeros(OBSERVATION_SIZE, np.float32)
            row[columns[a:b]] = counts[a:b] * sparse.game.scales[columns[a:b]]
            assert np.array_equal(row, dense.observations[i])
            assert (np.diff(columns[a:b].astype(int)) > 0).all()
            assert b - a == np.count_nonzero(row)
            fewest, most = min(fewest, b - a), max(most, b - a)
        assert starts[0] == 0
        assert starts.shape == (len(MIXED) + 1,)
        actions = chosen(dense.masks, rng)
        for each in batches:
            each.step(actions)
        for name in ("states", "seeds", "masks", "seats", "rewards", "dones"):
            for each in batches[1:]:
                assert np.array_equal(getattr(dense, name), getattr(each, name)), name
    assert 30 < fewest < most / 2
    assert sparse.observations.shape == none.observations.shape == (0, OBSERVATION_SIZE)
    assert none.views.starts.shape == dense.views.counts.shape == (0,)


def test_a_form_that_is_none():
    with pytest.raises(ValueError, match="observations is 'csr'; give 'bytes', 'dense', 'sparse', 'none'"):
        VectorGames(2, 4, observations="csr")


def test_one_number_of_players_for_all():
    for players in (2, 3, 4):
        games = VectorGames(3, players)
        games.reset()
        assert games.states["num_players"].tolist() == [players] * 3


def test_reset_begins_anew():
    """With the seed of before, or another; nothing of the games under way stays."""
    games = VectorGames(4, 2, seed=9)
    games.reset()
    begun = games.observations.copy(), games.states.copy()
    rng = np.random.default_rng(2)
    for _ in range(90):
        games.step(chosen(games.masks, rng))
    games.reset()
    assert np.array_equal(games.observations, begun[0])
    assert np.array_equal(games.states, begun[1])
    assert not games.rewards.any()
    assert not games.dones.any()
    games.reset(seed=10)
    assert np.array_equal(games.observations[:3], begun[0][1:])
    assert games.seed == 10


def test_the_arrays_are_kept():
    games = VectorGames(2, 3)
    games.reset()
    kept = games.masks, games.observations, games.seats, games.rewards
    games.step(chosen(games.masks, np.random.default_rng(3)))
    assert all(a is b for a, b in zip(kept, (games.masks, games.observations, games.seats, games.rewards), strict=True))
    assert games.masks.shape == (2, engine.NUM_ACTIONS)
    assert games.observations.shape == (2, OBSERVATION_SIZE)
    assert (games.masks.dtype, games.observations.dtype, games.rewards.dtype) == (np.int8, np.float32, np.float32)
    assert games.dones.dtype == games.truncated.dtype == bool
    assert games.rewards.shape == (2, MAX_SEATS)


@pytest.mark.parametrize("wrong", [-1, engine.NUM_ACTIONS, 2**62, -(2**62), "illegal"])
@pytest.mark.parametrize("where", [0, 2])
def test_an_illegal_action_is_refused_and_changes_nothing(wrong, where):
    """Not even in the games before it; the message names the game."""
    games = VectorGames(3, 2, threads=2)
    games.reset()
    rng = np.random.default_rng(4)
    for _ in range(20):
        games.step(chosen(games.masks, rng))
    actions = chosen(games.masks, rng)
    actions[where] = np.flatnonzero(games.masks[where] == 0)[0] if wrong == "illegal" else wrong
    names = ("states", "seeds", "masks", "observations", "seats", "rewards", "dones")
    before = {name: getattr(games, name).copy() for name in names}
    with pytest.raises(ValueError, match=f"not legal in game {where}"):
        games.step(actions)
    for name in names:
        assert np.array_equal(getattr(games, name), before[name]), name
    games.step(chosen(games.masks, rng))


@pytest.mark.parametrize("shape", [(), (2,), (4,), (3, 1), (1, 3)])
def test_actions_of_another_shape_are_refused(shape):
    games = VectorGames(3, 2)
    games.reset()
    with pytest.raises(ValueError, match="shape"):
        games.step(np.zeros(shape, int))


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ({"num_games": 0}, "num_games"),
        ({"num_games": -3}, "num_games"),
        ({"num_games": 2, "num_players": 1}, "num_players"),
        ({"num_games": 2, "num_players": 5}, "num_players"),
        ({"num_games": 2, "num_players": [2, 7]}, "num_players"),
        ({"num_games": 2, "threads": 0}, "threads"),
        ({"num_games": 2, "threads": 3}, "threads"),
        ({"num_games": 2, "seed": -5}, "seed"),
        ({"num_games": 2, "seed": 2**63}, "seed"),
    ],
)
def test_bad_arguments_are_named(arguments, named):
    with pytest.raises(ValueError, match=f"^{named} (is|must be)"):
        VectorGames(**arguments)


@pytest.mark.parametrize("wrong", [2.9, 2.0, np.float64(2), "2"])
@pytest.mark.parametrize("name", ["num_games", "num_players", "seed", "threads"])
def test_arguments_that_are_no_whole_numbers_are_named(name, wrong):
    with pytest.raises(TypeError, match=f"^{name} must be"):
        VectorGames(**({"num_games": 3} | {name: wrong}))
    with pytest.raises(TypeError, match=r"^num_players must be whole numbers, not an array of float64"):
        VectorGames(2, [2, 3.5])


@pytest.mark.parametrize("options", [{"first_game": "no"}, {"skip_forced": 1}, {"weather": "snow"}])
def test_options_of_other_types_are_named(options):
    with pytest.raises(TypeError, match=next(iter(options))):
        VectorGames(2, **options)


def test_whole_numbers_of_any_type_are_taken():
    games = VectorGames(np.int8(2), np.array([2, 3], np.uint64), seed=np.uint8(4), threads=np.int16(2))
    games.reset(np.int32(7))
    games.step(np.array([mask.argmax() for mask in games.masks], np.uint16))
    assert games.seeds.tolist() == [7, 8]


def test_seeds_go_on_from_the_start_beyond_the_greatest():
    """Also when a game ends: the next seed stays within 63 bits."""
    games = VectorGames(3, 2, seed=2**63 - 2)
    games.reset()
    assert games.seeds.tolist() == [2**63 - 2, 2**63 - 1, 0]
    rng = np.random.default_rng(8)
    ended = np.zeros(3, int)
    while not ended[:2].all():
        games.step(chosen(games.masks, rng))
        ended += games.dones
    assert games.seeds.tolist() == [(2**63 - 2 + i + 3 * int(n)) % 2**63 for i, n in enumerate(ended)]


@pytest.mark.parametrize("wrong", [float, bool, complex, object, str])
def test_actions_that_are_no_whole_numbers_are_refused(wrong):
    games = VectorGames(2, 2)
    games.reset()
    before = games.states.copy()
    actions = games.masks.argmax(axis=1).astype(wrong)
    with pytest.raises(TypeError, match=r"^actions must be whole numbers"):
        games.step(actions)
    with pytest.raises(ValueError, match=r"^actions must be below"):
        games.step(np.full(2, 2**63, np.uint64))
    assert np.array_equal(games.states, before)


def same(one, other):
    names = ("states", "seeds", "masks", "observations", "seats", "rewards", "dones", "players", "options")
    return [name for name in names if not np.array_equal(getattr(one, name), getattr(other, name))] == []


COPIES = {"copy": copy.copy, "deepcopy": copy.deepcopy, "pickle": lambda games: pickle.loads(pickle.dumps(games))}


@pytest.mark.parametrize("way", COPIES)
@pytest.mark.parametrize("threads", [1, 2])
def test_a_copy_plays_the_same_games_and_shares_nothing(way, threads):
    games = VectorGames(4, [2, 3, 4, 2], seed=11, threads=threads)
    begun = COPIES[way](games)  # before the first game
    for each in (games, begun):
        each.reset()
    assert same(games, begun)
    rng = np.random.default_rng(12)
    for _ in range(120):
        games.step(chosen(games.masks, rng))
    other, third = COPIES[way](games), COPIES[way](games)
    assert same(games, other)
    for _ in range(120):
        actions = chosen(games.masks, rng)
        games.step(actions)
        other.step(actions)
        assert same(games, other)
        assert not same(games, third)


def test_a_damaged_copy_is_refused():
    games = VectorGames(2, 2)
    games.reset()
    saved = games.__getstate__()
    games.states[1].depth = 99
    for states in (games.states.tobytes(), saved["states"][:-1]):
        with pytest.raises(ValueError, match=r"^(this state is damaged: depth|these games have another layout)"):
            VectorGames.__new__(VectorGames).__setstate__(saved | {"states": states})


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_threads_go_on_in_a_forked_process():
    """A fork copies the pool without its threads: the child starts its own, the parent goes on with those it had."""
    code = """
import os, sys
import numpy as np
from bloodrage_env.vector import VectorGames
games = VectorGames(4, 2, seed=1, threads=2)
games.reset()
child = os.fork()
for _ in range(5):
    games.step(games.masks.argmax(axis=1))
os.write(1, f"{games.seats.tolist()} {games.states['decisions'].tolist()}\\n".encode())  # a line at once
if child:
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
os._exit(0)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr
    first, second = done.stdout.splitlines()
    assert first == second


def test_as_many_players_as_games():
    with pytest.raises(ValueError, match=r"num_players|shape"):
        VectorGames(3, [2, 3])


def test_a_game_that_is_cut_off_is_done_and_truncated():
    """rules 7.9: rewards are paid by the glory of that moment."""
    games = VectorGames(2, 3, seed=5)
    games.reset()
    rng = np.random.default_rng(5)
    for _ in range(120):
        games.step(chosen(games.masks, rng))
    assert games.states["age"][0] in range(NUM_AGES)
    games.states[0].decisions = engine.MAX_DECISIONS - 1
    glory = games.states.copy()[0:1]
    games.step(chosen(games.masks, rng))
    assert games.dones.tolist() == games.truncated.tolist() == [True, False]
    assert games.states[0].decisions < 20
    assert games.rewards[0].sum() == pytest.approx(0, abs=1e-6)
    assert games.rewards[0, 3] == 0
    assert (games.rewards[0, :3] != 0).any() or (glory[0].glory[:3] == glory[0].glory[0]).all()


@pytest.mark.parametrize("call", ["reset", "step", "copy"])
def test_a_second_thread_is_refused(call):
    """Two threads in one batch would step the same games at once; a lock is tried, and not waited for."""
    games = VectorGames(2, 2)
    games.reset()
    before = games.states.tobytes()
    calls = {
        "reset": games.reset,
        "step": lambda: games.step(games.masks.argmax(axis=1)),
        "copy": lambda: copy.copy(games),
    }
    with (
        games._busy,
        pytest.raises(RuntimeError, match=f"^{call}: another thread .* give each thread games of its own"),
    ):
        calls[call]()
    assert games.states.tobytes() == before
    calls[call]()


def test_threads_that_meet_in_a_batch_damage_no_game():
    """Whichever call comes second is refused; the games are those of the calls that were let in."""
    games, alone = VectorGames(64, 2, seed=1), VectorGames(64, 2, seed=1)
    games.reset()
    alone.reset()
    went, refused = [], []

    def play():
        for _ in range(150):
            actions = games.masks.argmax(axis=1)
            try:
                games.step(actions)
                went.append(actions)
            except RuntimeError:
                refused.append(1)
            except ValueError:  # the masks were read while another thread stepped
                refused.append(1)

    threads = [threading.Thread(target=play) for _ in range(3)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert len(went) + len(refused) == 450
    for game in range(64):
        engine.check_state(games.states, game)


@pytest.mark.parametrize(
    "wrong", [[], np.zeros(0, np.int64), np.ma.array([1, 2], mask=[0, 1]), [[1], [1, 2]], [[], []]]
)
def test_actions_that_are_none_are_refused_in_a_line(wrong):
    games = VectorGames(2, 2)
    games.reset()
    calls = {
        "actions": lambda: games.step(wrong),
        "seed": lambda: games.reset(wrong),
        "num_players": lambda: VectorGames(2, wrong),
    }
    for name, call in calls.items():
        with pytest.raises((TypeError, ValueError), match=f"^{name} (must be|has shape) ") as output:
            call()
        assert "\n" not in str(output.value)
