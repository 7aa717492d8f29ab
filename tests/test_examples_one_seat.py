"""One learner among others: its steps are those of the environment played one game at a time."""

import numpy as np
import pytest

from bloodrage_env import bloodrage_v0
from one_seat import OneSeat, OneSeatGames, random_actions


class Recorded(OneSeatGames):
    """Notes every action of every game, in order."""

    def __init__(self, *arguments: object) -> None:
        self.history: list[list[int]] = []
        super().__init__(*arguments)
        self.history = [[] for _ in range(self.num_games)]

    def _step(self, which: np.ndarray) -> None:
        for game in which:
            self.history[game].append(int(self._actions[game]))
        super()._step(which)


def wait(env, learner: str, history: list[int]) -> bool:
    """Play on by the noted actions until the learner is asked or the game ends; whether it has ended."""
    while not any(env.terminations.values()) and env.agent_selection != learner:
        env.step(history.pop(0))
    return any(env.terminations.values())


@pytest.mark.parametrize(("players", "opponent"), [(4, "random"), (3, "balanced"), (2, "random")])
def test_steps_are_those_of_the_environment_played_one_game_at_a_time(players: int, opponent: str) -> None:
    games, everything = 6, np.arange(6)
    batch = Recorded(games, players, opponent, 100)
    envs = [bloodrage_v0.env(num_players=players) for _ in range(games)]
    rng, seeds, learners, paid = np.random.default_rng(1), 100 + everything, set(), set()

    def begin(game: int) -> None:
        envs[game].reset(seed=int(seeds[game]))
        assert not wait(envs[game], f"player_{batch.learners[game]}", batch.history[game])

    batch.begin(everything)
    for game in everything:
        begin(game)
    for _ in range(200):
        for game, env in enumerate(envs):
            seen = env.observe(env.agent_selection)
            assert env.agent_selection == f"player_{batch.learners[game]}"
            assert np.array_equal(batch.observations[game], seen["observation"])
            assert np.array_equal(batch.masks[game], seen["action_mask"])
        batch.step(random_actions(batch.masks, rng))
        for game, env in enumerate(envs):
            learner = f"player_{batch.learners[game]}"
            env.step(batch.history[game].pop(0))
            over = wait(env, learner, batch.history[game])
            assert batch.history[game] == []
            assert over == batch.dones[game]
            assert batch.rewards[game] == pytest.approx(env.rewards[learner] if over else 0.0)
            if over:
                assert np.array_equal(batch.observations[game], env.observe(learner)["observation"])
                learners.add(learner)
                paid.add(bool(batch.rewards[game] > 0))
        ended = np.flatnonzero(batch.dones)
        batch.begin(ended)
        seeds[ended] += games
        for game in ended:
            begin(game)
    assert len(learners) == players
    assert paid == ({True, False} if opponent == "random" else {False})  # at random it never wins against a style


def test_an_illegal_action_is_refused_and_so_is_one_after_the_end() -> None:
    games = OneSeatGames(2)
    games.begin(np.arange(2))
    with pytest.raises(ValueError, match="not legal in game 1"):
        games.step([games.masks[0].argmax(), games.masks[1].argmin()])
    rng = np.random.default_rng(1)
    while not games.dones.any():
        games.step(random_actions(games.masks, rng))
    with pytest.raises(ValueError, match="not legal"):
        games.step(random_actions(games.masks, rng))


def test_the_gymnasium_environment_is_one_of_the_games() -> None:
    env, games = OneSeat(3, "loki", seed=5), OneSeatGames(1, 3, "loki", 5)
    rng, ends = np.random.default_rng(1), 0
    seen, _ = env.reset()
    games.begin(np.zeros(1, np.int64))
    while ends < 3:
        assert env.observation_space.contains(seen)
        assert np.array_equal(seen["observation"], games.observations[0])
        assert np.array_equal(seen["action_mask"], games.masks[0])
        action = random_actions(games.masks, rng)
        games.step(action)
        seen, reward, terminated, truncated, _ = env.step(int(action[0]))
        assert (reward, terminated, truncated) == (games.rewards[0], games.dones[0], False)
        if terminated:
            assert reward != 0.0
            assert not seen["action_mask"].any()
            ends += 1
            seen, _ = env.reset()
            games.begin(np.zeros(1, np.int64))


def test_a_seed_decides_all_that_follows() -> None:
    env, played = OneSeat(), []
    for _ in range(2):
        seen, _ = env.reset(seed=9)
        rng, sums = np.random.default_rng(1), []
        for _ in range(120):
            seen, _, over, _, _ = env.step(int(random_actions(seen["action_mask"][None], rng)[0]))
            if over:
                seen, _ = env.reset()
            sums.append(float(seen["observation"].sum()))
        played.append(sums)
    assert played[0] == played[1]
