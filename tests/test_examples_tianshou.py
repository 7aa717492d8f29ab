"""The example for Tianshou; skipped where that is not installed (docs/libraries.md)."""

import importlib

import numpy as np
import pytest

from bloodrage_env import bloodrage_v0, gym
from bloodrage_env.core.engine.rewards import win_rewards
from bloodrage_env.games.bloodrage import engine
from bloodrage_env.gym import OneSeat

pytest.importorskip("tianshou")
pytestmark = pytest.mark.filterwarnings("error:.*an illegal action ends its game")
torch = importlib.import_module("torch")
example = importlib.import_module("tianshou_ppo")

GAMES, STEPS = 4, 150


@pytest.fixture(scope="module")
def collected():
    """The algorithm, its buffer after so many decisions, and what the engine's scores paid the learner."""
    payments: list[float] = []

    class Noted(OneSeat):
        def step(self, action):
            result = super().step(action)
            if result[2]:
                scores = engine.scores(self._games.states, 0).tolist()
                payments.append(win_rewards(scores)[self._games.seats[0]])
            return result

    torch.manual_seed(1)
    algorithm = example.make_algorithm()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gym, "OneSeat", Noted)
        collector = example.make_collector(algorithm, GAMES, STEPS)
    collector.reset()
    collector.collect(n_step=GAMES * STEPS)
    return algorithm, collector.buffer, payments


def test_every_action_is_legal_and_every_end_pays_the_learner(collected) -> None:
    _, buffer, payments = collected
    assert len(buffer) == GAMES * STEPS
    assert buffer.obs.action_mask[np.arange(len(buffer)), buffer.act].all()
    assert (buffer.rew[~buffer.done] == 0).all()
    assert sorted(buffer.rew[buffer.done]) == pytest.approx(sorted(payments))
    assert len(payments) > 5
    # What follows a decision is the learner's next one, the first of a new game after an end.
    after, before = (part.observation.reshape(GAMES, STEPS, -1) for part in (buffer.obs_next, buffer.obs))
    followed = (after[:, :-1] == before[:, 1:]).all(2)
    assert np.array_equal(followed, ~buffer.done.reshape(GAMES, STEPS)[:, :-1])


def test_returns_end_with_the_games(collected) -> None:
    algorithm, buffer, _ = collected
    batch, indices = buffer.sample(0)
    with torch.no_grad():
        values, after = (algorithm.critic(part).numpy().reshape(GAMES, STEPS) for part in (batch.obs, batch.obs_next))
    batch = algorithm._preprocess_batch(batch, buffer, indices)
    done, reward = (part.reshape(GAMES, STEPS) for part in (buffer.done, buffer.rew))
    expected, later = np.zeros((GAMES, STEPS)), np.zeros(GAMES)
    for step in reversed(range(STEPS)):
        goes_on = ~done[:, step]
        later = reward[:, step] + after[:, step] * goes_on - values[:, step] + 0.95 * goes_on * later
        expected[:, step] = later
    assert np.allclose(batch.adv.numpy().reshape(GAMES, STEPS), expected, atol=1e-4)


def test_training_moves_the_policy_which_then_plays_whole_games() -> None:
    torch.manual_seed(1)
    algorithm = example.make_algorithm()
    networks = [algorithm.policy.actor, algorithm.critic]
    before = [parameter.clone() for network in networks for parameter in network.parameters()]
    example.train(algorithm, example.make_collector(algorithm), example.BATCH)
    after = [parameter for network in networks for parameter in network.parameters()]
    assert not any(torch.equal(one, other) for one, other in zip(before, after, strict=True))
    assert example.against(example.greedy(algorithm), "random", 12).games == 12


def test_why_the_multi_agent_wrapper_of_the_library_is_not_used() -> None:
    """What docs/libraries.md says of it: most steps lead to another seat, and one seat's row alone has the reward."""
    wrapper = importlib.import_module("tianshou.env").PettingZooEnv(bloodrage_v0.env(num_players=4))
    rng, others, steps, ends = np.random.default_rng(1), 0, 0, []
    for seed in range(20):
        seen, _ = wrapper.reset(seed=seed)
        over, last_rows = False, {}
        while not over:
            mover = seen["agent_id"]
            seen, rewards, over, _, _ = wrapper.step(int(rng.choice(np.flatnonzero(seen["mask"]))))
            last_rows[mover] = list(rewards)
            others, steps = others + (seen["agent_id"] != mover), steps + 1
        ends.append(sum(any(row) for row in last_rows.values()))
    assert others / steps > 0.8
    assert set(ends) == {1}
