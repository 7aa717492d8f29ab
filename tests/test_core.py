"""A game built on `core` alone, `toy_game`: what core gives it works as it does for Blood Rage."""

import argparse
import copy
import os
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, seed_test
from pettingzoo.utils.conversions import turn_based_aec_to_parallel
from toy_game.engine import NUMBERS
from toy_game.game import GAME, Options, ToyEnv, ToyReplay

from bloodrage_env.core.api import vector
from bloodrage_env.core.api.replay import Recorder, ReplayError


class ToyVector(vector.VectorGames):
    game = GAME


def played(seed: int, num_players: int, moves: int) -> np.ndarray:
    """A game after so many random moves."""
    states = GAME.new_game(seed, Options(num_players))
    assert GAME.play.play_random(states, 0, seed, moves) == moves
    return states


def seen(states: np.ndarray, seat: int) -> list[float]:
    vector = np.zeros(GAME.observation_size, np.float32)
    GAME.observe.observe(states, 0, seat, vector)
    return vector.tolist()


@pytest.mark.parametrize("num_players", [2, 6])
def test_pettingzoo_accepts_it(num_players: int) -> None:
    api_test(ToyEnv(num_players=num_players), num_cycles=200)
    seed_test(lambda: ToyEnv(num_players=num_players))
    parallel_api_test(turn_based_aec_to_parallel(ToyEnv(num_players=num_players)), num_cycles=200)


def test_three_rounds_are_three_choices_of_each_seat() -> None:
    states = GAME.new_game(1, Options(3))
    for move in range(9):
        assert GAME.play.seat_to_act(states, 0) == move % 3
        assert states["mask"][0].sum() == 4 - move // 3
        GAME.play.apply(states, 0, int(GAME.play.legal_mask(states, 0).argmax()))
    assert GAME.play.is_over(states, 0)
    assert GAME.play.scores(states, 0).sum() == 3
    assert GAME.play.apply(states, 0, 0) == -1


def test_an_illegal_action_changes_nothing() -> None:
    states = GAME.new_game(1, Options(2))
    before = states.tobytes()
    for action in (-1, NUMBERS, int(states["mask"][0].argmin())):
        assert GAME.play.apply(states, 0, action) == -2
    assert states.tobytes() == before


def test_a_batch_plays_the_games_that_its_seeds_say() -> None:
    """With one thread and two; finished games begin anew, with the seed that follows."""
    one, two = (ToyVector(8, [2, 3] * 4, seed=5, threads=threads) for threads in (1, 2))
    alone = [GAME.new_game(5 + game, Options(2 + game % 2)) for game in range(8)]
    rng = np.random.default_rng(0)
    for games in (one, two):
        games.reset()
    for _ in range(40):
        actions = [int(rng.choice(mask.nonzero()[0])) for mask in one.masks]
        for game, states in enumerate(alone):
            assert one.masks[game].tolist() == states["mask"][0].tolist()
            assert one.observations[game].tolist() == seen(states, int(states["seat"][0]))
            if GAME.play.apply(states, 0, actions[game]) == -1:
                one.seeds[game] += 0
                alone[game] = GAME.new_game(int(one.seeds[game]) + 8, Options(2 + game % 2))
        one.step(actions)
        two.step(actions)
        for name in ("masks", "observations", "seats", "rewards", "dones"):
            assert np.array_equal(getattr(one, name), getattr(two, name)), name
    again = pickle.loads(pickle.dumps(copy.deepcopy(one)))
    assert again.states.tobytes() == one.states.tobytes()


@pytest.mark.parametrize("num_players", [2, 6])
def test_a_redeal_keeps_what_the_seat_has_seen_and_draws_the_rest(num_players: int) -> None:
    for seed in range(20):
        states = played(seed, num_players, seed % (3 * num_players))
        for seat in range(num_players):
            deals = [GAME.redeal(states, 0, seat, each) for each in range(20)]
            assert all(seen(deal, seat) == seen(states, seat) for deal in deals)
            assert all(np.array_equal(np.sort(deal["owner"][0]), np.sort(states["owner"][0])) for deal in deals)
            hidden = GAME.hide(states, 0, seat)
            assert all(GAME.hide(deal, 0, seat)["owner"].tolist() == hidden["owner"].tolist() for deal in deals)
            assert len({deal["owner"].tobytes() for deal in deals}) > 1


def test_a_replay_plays_the_game_again(tmp_path: Path) -> None:
    recorder = Recorder(ToyReplay(7, Options(3)))
    while not GAME.play.is_over(recorder.states, 0):
        recorder.apply(int(GAME.play.legal_mask(recorder.states, 0).argmax()))
    recorder.replay().save(tmp_path / "toy")
    again = ToyReplay.load(tmp_path / "toy")
    assert again == recorder.replay()
    assert again.verify().tobytes() == recorder.states.tobytes()
    assert sum(again.scores) == 3
    content = (tmp_path / "toy").read_bytes()
    for damaged in (content[:-1], content.replace(b"toy", b"boy", 1), content[:40] + b"x" + content[41:]):
        with pytest.raises(ReplayError):
            ToyReplay.from_bytes(damaged)


def test_options_travel_by_arguments_and_numbers() -> None:
    parser = argparse.ArgumentParser()
    Options.add_arguments(parser)
    options = Options.from_arguments(parser.parse_args(["--players", "3", "--ask-forced"]))
    assert options == Options(3, False)
    assert options.numbers().tolist() == [3, 0]
    assert Options.from_json({"num_players": 3}) == Options(3)
    assert str(options) == "3 players, skip_forced=False"
    with pytest.raises(ValueError, match=r"^num_players must be 2 to 6"):
        Options(7)


def test_bad_arguments_are_refused_by_name() -> None:
    states = GAME.new_game(1, Options(2))
    for call, name in (
        (lambda: GAME.play.apply(states, 1, 0), "index"),
        (lambda: GAME.redeal(states, 0, 2, 0), "seat"),
        (lambda: GAME.observe.observe(states, 0, 0, np.zeros(3, np.float32)), "observation"),
        (lambda: ToyVector(2, 2, seed=-1), "seed"),
    ):
        with pytest.raises(ValueError, match=f"^{name}"):
            call()


@pytest.mark.slow
def test_it_is_compiled_by_the_public_interface_of_numba_as_well() -> None:
    """All tests of this file, in a process that compiles so."""
    if os.environ.get("BLOODRAGE_NUMBA") == "public":
        pytest.skip("this is that process")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", __file__]
    done = subprocess.run(
        command, env=os.environ | {"BLOODRAGE_NUMBA": "public"}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-3000:]
