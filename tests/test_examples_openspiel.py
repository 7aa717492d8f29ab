"""The game in OpenSpiel; skipped where that is not installed (docs/libraries.md)."""

import importlib

import numpy as np
import pytest

from bloodrage_env import bloodrage_v0
from bloodrage_env.games.bloodrage.engine import NUM_ACTIONS

pyspiel = pytest.importorskip("pyspiel")
example = importlib.import_module("openspiel_game")


def load(players: int, seed: int = 0):
    return pyspiel.load_game("bloodrage", {"players": players, "seed": seed})


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_checks_of_openspiel_pass(players: int) -> None:
    pyspiel.random_sim_test(load(players), num_sims=3, serialize=True, verbose=False)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_game_is_that_of_the_environment(players: int) -> None:
    env, rng = bloodrage_v0.env(num_players=players), np.random.default_rng(players)
    for deal in range(8):
        state = load(players, seed=40).new_initial_state()
        assert state.is_chance_node()
        assert sum(chance for _, chance in state.chance_outcomes()) == pytest.approx(1)
        state.apply_action(deal)
        env.reset(seed=40 + deal)
        while not state.is_terminal():
            assert env.agent_selection == f"player_{state.current_player()}"
            for seat in range(players):
                seen = env.observe(f"player_{seat}")
                assert np.array_equal(state.observation_tensor(seat), seen["observation"])
            seen = env.observe(env.agent_selection)
            assert state.legal_actions() == np.flatnonzero(seen["action_mask"]).tolist()
            assert state.returns() == [0.0] * players
            action = int(rng.choice(state.legal_actions()))
            state.apply_action(action)
            env.step(action)
        assert any(env.terminations.values())
        assert state.returns() == pytest.approx([env.rewards[f"player_{seat}"] for seat in range(players)])


def test_an_illegal_action_is_refused() -> None:
    state = load(3).new_initial_state()
    state.apply_action(0)
    illegal = (set(range(NUM_ACTIONS)) - set(state.legal_actions())).pop()
    with pytest.raises(ValueError, match="not legal"):
        state.apply_action(illegal)


def test_a_clone_goes_its_own_way() -> None:
    state = load(3).new_initial_state()
    state.apply_action(7)
    before, clone = state.observation_tensor(0), state.clone()
    while not clone.is_terminal():
        clone.apply_action(clone.legal_actions()[0])
    assert not state.is_terminal()
    assert state.observation_tensor(0) == before
    assert state.history() == [7]


def test_a_state_drawn_anew_looks_the_same_to_its_player_and_not_to_the_others() -> None:
    rng, others = np.random.default_rng(1), 0
    state = load(3).new_initial_state()
    state.apply_action(3)
    for _ in range(60):
        seat = state.current_player()
        other = state.resample_from_infostate(seat, rng.random)
        assert other.observation_string(seat) == state.observation_string(seat)
        assert other.legal_actions() == state.legal_actions()
        others += other.observation_string((seat + 1) % 3) != state.observation_string((seat + 1) % 3)
        state.apply_action(int(rng.choice(state.legal_actions())))
    assert others > 30


def test_the_search_plays_a_legal_game_by_what_it_may_know() -> None:
    """It must never try an action on the true game: only on states that were drawn anew."""
    game, rng = load(2), np.random.default_rng(1)
    drawn = []
    original = example.BloodRageState.resample_from_infostate
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            example.BloodRageState,
            "resample_from_infostate",
            lambda self, *given: drawn.append(1) or original(self, *given),
        )
        end, decisions = example.play(game, example.search(game, 4, 1), 1, rng)
    assert end.is_terminal()
    assert sum(end.returns()) == pytest.approx(0)
    assert decisions > 20
    assert len(drawn) > 3 * decisions
