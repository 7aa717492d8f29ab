"""The team battle of Berserk as an environment: PettingZoo, batches, one seat, replays, agents."""

import copy
import pickle
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from berserk_mode_checks import check_agent, check_replay
from berserk_position import content
from bloodrage_env.games.berserk_team.engine import NUM_SEATS
from bloodrage_env.games.berserk_team.game import GAME
from bloodrage_env.games.berserk_team.options import Options
from pettingzoo.test import api_test, seed_test

from bloodrage_env import VectorGames, berserk_v0, games
from bloodrage_env.gym import OneSeat, OneSeatVector

EVERY = [{"placing": "at_once", "skip_forced": False}, {"setup": "fixed", "max_turns": 30, "combat": "difference"}]


@pytest.mark.parametrize("placing", ["in_turn", "at_once"])
def test_observations_are_within_the_space(placing):
    """A bonfire burns for up to four turns here (rules 10.12), and for two in the game of two."""
    env = berserk_v0.env(mode="team", placing=placing, skip_forced=False)
    spaces = {agent: env.observation_space(agent) for agent in env.possible_agents}
    for seed in range(2):
        env.reset(seed=seed)
        rng = np.random.default_rng(seed)
        for agent in env.agent_iter():
            observation, _, over, cut, info = env.last()
            assert spaces[agent].contains(observation)
            env.step(None if over or cut else int(rng.choice(np.flatnonzero(info["action_mask"]))))


@pytest.mark.parametrize("options", EVERY, ids=str)
def test_pettingzoo_accepts_it(options):
    api_test(berserk_v0.env(mode="team", **options), num_cycles=200)
    seed_test(lambda: berserk_v0.env(mode="team", **options), num_cycles=60)


def test_agents_by_mode():
    assert berserk_v0.env().possible_agents == ["player_0", "player_1"]
    assert berserk_v0.env(mode="team").possible_agents == [f"player_{seat}" for seat in range(NUM_SEATS)]
    assert len(berserk_v0.parallel_env(mode="team").possible_agents) == NUM_SEATS
    with pytest.raises(ValueError, match=r"^mode must be one of duel, laar, team, not 'trio'$"):
        berserk_v0.env(mode="trio")


def test_the_record_is_as_small_as_documented():
    """rules 9.6"""
    assert 2048 < GAME.state.itemsize < 3 * 1024


def test_one_seat_takes_modes_as_the_environment_does():
    """`OneSeat` and `OneSeatVector`: a mode is the game of its whole name."""
    for made in (OneSeat, OneSeatVector):
        team, whole = made(game="berserk", mode="team"), made(game="berserk_team")
        assert team.observation_space == whole.observation_space != made(game="berserk").observation_space
        assert team.reset(seed=1)[0].tolist() == whole.reset(seed=1)[0].tolist()
        assert made(game="berserk", mode="duel").observation_space == made(game="berserk").observation_space
        with pytest.raises(ValueError, match=r"^mode must be one of duel, laar, team, not 'trio'$"):
            made(game="berserk", mode="trio")
        with pytest.raises(ValueError, match=r"^mode must be None: bloodrage has no modes, not 'duel'$"):
            made(mode="duel")
    made = gymnasium.make("bloodrage/OneSeat-v0", game="berserk", mode="team")
    assert made.action_space == team.single_action_space


def test_a_team_is_paid_together():
    """rules 10.19, 10.20"""
    paid = set()
    for seed in range(8):
        env = berserk_v0.env(mode="team", setup="fixed", max_turns=(200, 6)[seed % 4 == 3])
        env.reset(seed=seed)
        rng = np.random.default_rng(seed)
        while env.agents and not any(env.terminations.values()) and not any(env.truncations.values()):
            env.step(int(rng.choice(env.infos[env.agent_selection]["action_mask"].nonzero()[0])))
        rewards = [env.rewards[agent] for agent in env.possible_agents]
        assert rewards[:2] == rewards[2:]
        assert sum(rewards) == 0
        assert set(rewards) <= ({0.0} if any(env.truncations.values()) else {1.0, -1.0, 0.0})
        paid.add(tuple(rewards))
    assert len(paid) > 1


def test_copies_and_states():
    env = berserk_v0.env(mode="team", setup="fixed")
    env.reset(seed=3)
    for _ in range(20):
        env.step(int(env.infos[env.agent_selection]["action_mask"].argmax()))
    for other in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        assert content(other.get_state()) == content(env.get_state())


def test_a_batch_plays_the_games_that_its_seeds_say():
    """rules 10.19: and pays by team"""
    batch = VectorGames(3, game=GAME.name, seed=5, setup="fixed", max_turns=12)
    batch.reset()
    alone = [GAME.new_game(5 + game, Options(setup="fixed", max_turns=12)) for game in range(3)]
    rng = np.random.default_rng(0)
    for _ in range(60):
        actions = [int(rng.choice(mask.nonzero()[0])) for mask in batch.masks]
        for game, states in enumerate(alone):
            assert batch.masks[game].tolist() == states["mask"][0].tolist()
            if GAME.play.apply(states, 0, actions[game]) == -1:
                wanted = GAME.rewards["win"](GAME.play.scores(states, 0).tolist())
                alone[game] = GAME.new_game(int(batch.seeds[game]) + 3, Options(setup="fixed", max_turns=12))
                actions[game] = -actions[game]
        batch.step(np.abs(actions))
        for game, action in enumerate(actions):
            if action < 0:
                assert batch.rewards[game].tolist() == wanted


def test_one_seat_with_partner_and_opponents():
    env = gymnasium.make("bloodrage/OneSeat-v0", game=GAME.name, opponents="random", setup="fixed").unwrapped
    observation, info = env.reset(seed=2)
    rng = np.random.default_rng(1)
    over, total = False, 0.0
    while not over:
        observation, reward, ended, cut, info = env.step(int(rng.choice(np.flatnonzero(info["action_mask"]))))
        over, total = ended or cut, total + reward
    assert observation.shape == (GAME.observation_size,)
    assert total in (-1.0, 0.0, 1.0)


def test_replays(tmp_path: Path):
    options = Options(placing="at_once", decks=("mountain", "steppe_2", "mountain_2", "steppe"))
    check_replay(GAME, options, ["a", "b", "c", "d"], tmp_path / "game.bsk")


def test_texts_for_four():
    """Boards, questions, answers, events and results are written for each seat in every phase."""
    shown = games.presentation(GAME.name)
    for options in (Options(placing="at_once"), Options(setup="fixed", max_turns=9)):
        states = GAME.new_game(5, options)
        rng = np.random.default_rng(5)
        texts = [each.text for each in shown.opening_events(states, None)]
        while not states[0].over:
            action = int(rng.choice(states[0].mask.nonzero()[0]))
            if rng.random() < 0.2:
                for seat in range(NUM_SEATS):
                    texts.append(shown.board_text(states, 0, seat, False))
                    texts += [each.text for each in shown.events(states, action, seat)]
                texts += [shown.decision_text(states, 0), shown.action_text(states, 0, action)]
                texts += shown.terminal.menu(states)[0]
            GAME.play.apply(states, 0, action)
        texts.append(shown.result_table(states))
        for letter in "ABCD":
            assert sum(f"Player {letter}" in text for text in texts) > 3


@pytest.mark.parametrize("spec", ["hold", "flat:simulations=4", "ismcts:simulations=4"])
def test_agents_play_it(spec):
    """What they do is legal, and the same whatever is hidden from their seat."""
    options = Options()
    check_agent(GAME, spec, options, 25)
