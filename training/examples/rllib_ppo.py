"""PPO of RLlib by self-play: one network plays all seats and learns from all of them.

RLlib has an episode for each seat, from one of its own decisions to the next, and PettingZooEnv passes the end of the
game to every seat. The example therefore needs no code for turns. The network applies the action masks.

`python training/examples/rllib_ppo.py --steps N` trains for N decisions and prints the win rate of one seat against
random play.
"""

import argparse
import os
import time
from typing import Any

import numpy as np
import numpy.typing as npt
import ray
import torch
from ray.rllib.algorithms.algorithm import Algorithm
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import ValueFunctionAPI
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.core.rl_module.torch import TorchRLModule
from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv
from ray.tune.registry import register_env
from torch import Tensor, nn

from bloodrage_env import bloodrage_v0
from bloodrage_env.games.bloodrage.engine import NUM_ACTIONS
from bloodrage_env.games.bloodrage.observation import OBSERVATION_SIZE
from bloodrage_training.learn.evaluate import Choice, against, by_observation

POLICY = "every_seat"
BATCH, EPOCHS, MINIBATCH = 4096, 4, 512
ILLEGAL_LOGIT = -1e9

register_env("bloodrage", lambda config: PettingZooEnv(bloodrage_v0.env(**config)))


class MaskedModule(TorchRLModule, ValueFunctionAPI):
    """Logits, those of illegal actions so low that they have no chance, and a value."""

    def setup(self) -> None:
        """Build the two networks."""

        def layers(outputs: int, width: int = 128) -> nn.Module:
            return nn.Sequential(
                nn.Linear(OBSERVATION_SIZE, width),
                nn.ReLU(),
                nn.Linear(width, width),
                nn.ReLU(),
                nn.Linear(width, outputs),
            )

        self.policy, self.value = layers(NUM_ACTIONS), layers(1)

    def _forward(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Tensor]:
        seen = batch[Columns.OBS]
        logits = self.policy(seen["observation"]).masked_fill(seen["action_mask"] == 0, ILLEGAL_LOGIT)
        return {Columns.ACTION_DIST_INPUTS: logits}

    def compute_values(self, batch: dict[str, Any], embeddings: Any = None) -> Tensor:
        """float32[N] of a batch of observations."""
        values: Tensor = self.value(batch[Columns.OBS]["observation"]).squeeze(-1)
        return values


def configure(num_players: int = 4, batch: int = BATCH) -> PPOConfig:
    """PPO in this process alone; `batch` is the number of decisions between two updates."""
    return (
        PPOConfig()
        .environment("bloodrage", env_config={"num_players": num_players}, disable_env_checking=True)
        .env_runners(num_env_runners=0)
        .multi_agent(policies={POLICY}, policy_mapping_fn=lambda agent, episode, **kwargs: POLICY)
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={POLICY: RLModuleSpec(MaskedModule)}))
        .training(
            train_batch_size=batch,
            minibatch_size=min(MINIBATCH, batch),
            num_epochs=EPOCHS,
            lr=5e-4,
            gamma=1.0,
            lambda_=0.95,
            use_kl_loss=False,
            entropy_coeff=0.005,
            vf_loss_coeff=0.5,
            grad_clip=0.5,
        )
        .debugging(seed=1)
    )


def greedy(algorithm: Algorithm) -> Choice:
    """The most likely action of each decision, as `evaluate.against` asks for it."""
    module = algorithm.get_module(POLICY)

    def choose(observations: npt.NDArray[np.float32], masks: npt.NDArray[np.int8]) -> npt.NDArray[np.int64]:
        seen = {"observation": torch.from_numpy(observations), "action_mask": torch.from_numpy(masks)}
        with torch.inference_mode():
            logits = module.forward_inference({Columns.OBS: seen})[Columns.ACTION_DIST_INPUTS]
        best: npt.NDArray[np.int64] = logits.argmax(1).numpy()
        return best

    return by_observation(choose, game="bloodrage")


def main() -> None:
    """Train, then measure."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--steps", type=int, default=20_000, help="decisions, of all seats")
    given = parser.parse_args()
    torch.set_num_threads(1)
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False)
    algorithm = configure().build_algo()
    done, clock = 0, time.perf_counter()
    while done < given.steps:
        algorithm.train()
        done += BATCH
    seconds = time.perf_counter() - clock
    print(f"{done} steps in {seconds:.0f} s, {done / seconds:.0f} a second")
    share = against(greedy(algorithm), "random", 400, game="bloodrage").share
    print(f"win rate against 3 random: {share:.2f} (equal players: 0.25)")
    algorithm.stop()
    ray.shutdown()


if __name__ == "__main__":
    main()
