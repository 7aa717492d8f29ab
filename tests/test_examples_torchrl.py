"""The example for TorchRL; skipped where that is not installed (docs/libraries.md)."""

import importlib

import numpy as np
import pytest

from bloodrage_env.core.engine.rewards import win_rewards
from bloodrage_env.games.bloodrage import engine

pytest.importorskip("torchrl")
pytestmark = pytest.mark.filterwarnings("error:.*an illegal action ends its game")
torch = importlib.import_module("torch")
example = importlib.import_module("torchrl_ppo")


def test_the_environment_keeps_to_its_specification() -> None:
    envs = importlib.import_module("torchrl.envs")
    checks = importlib.import_module("torchrl.envs.utils")
    env = envs.TransformedEnv(example.make_env(3), envs.ActionMask())
    checks.check_env_specs(env)
    played = env.rollout(150, break_when_any_done=False)  # at random, by the masks, over ends of single games
    assert played["next", "done"].sum() > 3


def noted(env) -> list[tuple[int, float]]:
    """What the engine's scores pay the learner, with its game, for each game that ends from now on."""
    games, payments = env._env, []
    step = games.step

    def note(actions):
        result = step(actions)
        for game in np.flatnonzero(games._games.over):
            scores = engine.scores(games._games.states, int(game)).tolist()
            payments.append((int(game), win_rewards(scores)[games._games.seats[game]]))
        return result

    games.step = note
    return payments


def collected(num_games: int = 8, num_steps: int = 150):
    """Decisions [games, steps] as the collector gives them, and what was noted."""
    torch.manual_seed(1)
    env, (actor, value) = example.make_env(num_games), example.networks(16)
    payments, frames = noted(env), num_games * num_steps
    collector = example.Collector(
        env, actor, frames_per_batch=frames, total_frames=frames, auto_register_policy_transforms=False
    )
    return next(iter(collector)), payments, value


def test_every_action_is_legal_and_every_end_pays_the_learner() -> None:
    batch, payments, _ = collected()
    assert batch.shape == (8, 150)
    assert batch["action_mask"].gather(2, batch["action"][..., None]).all()
    done, reward = batch["next", "done"][..., 0], batch["next", "reward"][..., 0]
    assert (reward[~done] == 0).all()
    found = [(int(game), float(reward[game, step])) for step, game in done.T.nonzero().tolist()]
    assert [game for game, _ in found] == [game for game, _ in payments]
    assert [payment for _, payment in found] == pytest.approx([payment for _, payment in payments])
    assert len(found) > 10
    # What follows a decision is the learner's next one, the first of a new game after an end.
    followed = (batch["next", "observation"][:, :-1] == batch["observation"][:, 1:]).all(2)
    assert torch.equal(followed, ~done[:, :-1])


def test_advantages_end_with_the_games() -> None:
    batch, _, value = collected(4, 100)
    with torch.no_grad():
        example.GAE(gamma=1.0, lmbda=0.95, value_network=value)(batch)
        values, after = (value(part.select("observation"))["state_value"][..., 0] for part in (batch, batch["next"]))
    done, reward = batch["next", "done"][..., 0], batch["next", "reward"][..., 0]
    expected, later = torch.zeros_like(values), torch.zeros(4)
    for step in reversed(range(values.shape[1])):
        goes_on = ~done[:, step]
        later = reward[:, step] + after[:, step] * goes_on - values[:, step] + 0.95 * goes_on * later
        expected[:, step] = later
    assert torch.allclose(batch["advantage"][..., 0], expected, atol=1e-5)


def test_training_moves_the_policy_which_then_plays_whole_games() -> None:
    torch.manual_seed(1)
    actor, value = example.networks(16)
    before = [parameter.clone() for parameter in (*actor.parameters(), *value.parameters())]
    example.train(example.make_env(example.GAMES), actor, value, example.BATCH)
    after = [*actor.parameters(), *value.parameters()]
    assert not any(torch.equal(one, other) for one, other in zip(before, after, strict=True))
    assert example.against(example.greedy(actor), "random", 12).games == 12
