"""PPO of Tianshou for one seat among players of one kind.

`python training/examples/tianshou_ppo.py --steps N` trains for N decisions of the learner and prints its win
rate against random play.
"""

import argparse
import time
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
import torch
from gymnasium import spaces
from tianshou.algorithm import PPO
from tianshou.algorithm.modelfree.reinforce import DiscreteActorPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.trainer import OnPolicyTrainerParams
from torch import Tensor, nn

import bloodrage_env  # noqa: F401  registers bloodrage/OneSeat-v0
from bloodrage_env.games.bloodrage.engine import NUM_ACTIONS
from bloodrage_env.games.bloodrage.observation import OBSERVATION_SIZE
from bloodrage_training.learn.evaluate import Choice, against, by_observation

GAMES, STEPS = 32, 64  # of a batch: games side by side, decisions of each
BATCH, EPOCHS, MINIBATCH = GAMES * STEPS, 4, 512
ILLEGAL_LOGIT = -1e9


class Masked(gymnasium.ObservationWrapper[Any, Any, Any]):
    """Observations as a dict with the mask: Tianshou's buffer keeps the infos after a decision, not those before it."""

    def __init__(self, env: gymnasium.Env[Any, Any]) -> None:
        super().__init__(env)
        mask = spaces.Box(0, 1, (NUM_ACTIONS,), np.int8)
        self.observation_space = spaces.Dict({"observation": env.observation_space, "action_mask": mask})

    def observation(self, observation: npt.NDArray[np.float32]) -> dict[str, npt.NDArray[Any]]:
        """`observation`, float32[OBSERVATION_SIZE], and `action_mask`, int8[NUM_ACTIONS]."""
        return {"observation": observation, "action_mask": self.get_wrapper_attr("action_masks")()}


def make_env() -> gymnasium.Env[Any, Any]:
    """One seat of four, drawn for each game; the others play at random."""
    return Masked(gymnasium.make("bloodrage/OneSeat-v0", num_players=4, opponents="random"))


def layers(outputs: int, width: int = 128) -> nn.Module:
    """From an observation to `size` numbers."""
    return nn.Sequential(
        nn.Linear(OBSERVATION_SIZE, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, outputs)
    )


class Actor(nn.Module):
    """Logits, those of illegal actions so low that they have no chance: Tianshou's PPO knows no masks by itself."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = layers(NUM_ACTIONS)

    def forward(self, obs: Any, state: Any = None, info: Any = None) -> tuple[Tensor, Any]:
        """float32[N, NUM_ACTIONS] of a batch of observations, and the state of a recurrent network: there is none."""
        logits = self.layers(torch.as_tensor(obs.observation))
        return logits.masked_fill(torch.as_tensor(obs.action_mask) == 0, ILLEGAL_LOGIT), state


class Critic(nn.Module):
    """The value."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = layers(1)

    def forward(self, obs: Any, **kwargs: Any) -> Tensor:
        """float32[N, 1] of a batch of observations."""
        values: Tensor = self.layers(torch.as_tensor(obs.observation))
        return values


def make_algorithm() -> PPO:
    """PPO with a policy that never takes what the mask forbids."""
    env = make_env()
    policy = DiscreteActorPolicy(actor=Actor(), action_space=env.action_space, observation_space=env.observation_space)
    return PPO(
        policy=policy,
        critic=Critic(),
        optim=AdamOptimizerFactory(lr=5e-4),
        gamma=1.0,
        gae_lambda=0.95,
        ent_coef=0.005,
        vf_coef=0.5,
        max_grad_norm=0.5,
        max_batchsize=BATCH,
    )


def make_collector(algorithm: PPO, num_games: int = GAMES, num_steps: int = STEPS) -> Collector:
    """Play the games side by side and keeps the last `num_steps` decisions of each."""
    envs = DummyVectorEnv([make_env] * num_games)
    envs.seed(1)
    return Collector(algorithm, envs, VectorReplayBuffer(num_games * num_steps, num_games))


def train(algorithm: PPO, collector: Collector, steps: int) -> None:
    """Train it for a number of decisions of the learner, a multiple of BATCH."""
    algorithm.run_training(
        OnPolicyTrainerParams(
            training_collector=collector,
            max_epochs=1,
            epoch_num_steps=steps,
            collection_step_num_env_steps=BATCH,
            update_step_num_repetitions=EPOCHS,
            batch_size=MINIBATCH,
            show_progress=False,
            verbose=False,
        )
    )


def greedy(algorithm: PPO) -> Choice:
    """The most likely action of each decision, as `evaluate.against` asks for it."""

    def choose(observations: npt.NDArray[np.float32], masks: npt.NDArray[np.int8]) -> npt.NDArray[np.int64]:
        with torch.inference_mode():
            logits: Tensor = algorithm.policy.actor.layers(torch.from_numpy(observations))
        best: npt.NDArray[np.int64] = np.where(masks == 1, logits.numpy(), -np.inf).argmax(1)
        return best

    return by_observation(choose, game="bloodrage")


def main() -> None:
    """Train, then measure."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--steps", type=int, default=30_000, help="decisions of the learner")
    given = parser.parse_args()
    torch.manual_seed(1)
    torch.set_num_threads(1)
    steps = -(-given.steps // BATCH) * BATCH
    algorithm = make_algorithm()
    collector = make_collector(algorithm)
    clock = time.perf_counter()
    train(algorithm, collector, steps)
    seconds = time.perf_counter() - clock
    print(f"{steps} steps in {seconds:.0f} s, {steps / seconds:.0f} a second")
    share = against(greedy(algorithm), "random", 400, game="bloodrage").share
    print(f"win rate against 3 random: {share:.2f} (equal players: 0.25)")


if __name__ == "__main__":
    main()
