"""PPO of TorchRL on a batch of games, for one seat of each among players of one kind.

`python training/examples/torchrl_ppo.py --steps N` trains for N decisions of the learner and prints its win
rate against random play.
"""

import argparse
import time
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from gymnasium.vector import AutoresetMode
from tensordict import TensorDictBase
from tensordict.nn import TensorDictModule
from torch import Tensor, nn
from torchrl.collectors import Collector
from torchrl.data import Binary, TensorSpec
from torchrl.envs import GymWrapper
from torchrl.envs.gym_like import BaseInfoDictReader
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

from bloodrage_env.games.bloodrage.engine import NUM_ACTIONS
from bloodrage_env.games.bloodrage.observation import OBSERVATION_SIZE
from bloodrage_env.gym import OneSeatVector
from bloodrage_training.learn.evaluate import Choice, against, by_observation

GAMES, STEPS = 32, 64  # of a batch: games side by side, decisions of each
BATCH, EPOCHS, MINIBATCH = GAMES * STEPS, 4, 512


class Masks(BaseInfoDictReader):
    """Adds the masks to what is observed, bool[N, NUM_ACTIONS].

    They are those of all games: the infos of a reset have masks for the games alone that it begins.
    """

    def __init__(self, games: OneSeatVector) -> None:
        self.games = games

    def __call__(self, info: dict[str, Any], tensordict: TensorDictBase) -> TensorDictBase:
        """Add them to what a reset or a step returns."""
        return tensordict.set("action_mask", torch.from_numpy(self.games.action_masks() == 1))

    @property
    def info_spec(self) -> dict[str, TensorSpec]:
        """Return the specs that it adds."""
        return {"action_mask": Binary(NUM_ACTIONS, (self.games.num_envs, NUM_ACTIONS), dtype=torch.bool)}


def make_env(num_games: int, seed: int = 1) -> GymWrapper:
    """Games of four as one environment of that batch size: a seat drawn for each game, among random play.

    TorchRL itself resets the games that are over.
    """
    games = OneSeatVector(num_games, num_players=4, opponents="random", autoreset_mode=AutoresetMode.DISABLED)
    env = GymWrapper(games, categorical_action_encoding=True)
    env.set_info_dict_reader(Masks(games))
    env.set_seed(seed)
    return env


def networks(width: int = 128) -> tuple[ProbabilisticActor, ValueOperator]:
    """The policy, which never takes what the mask forbids, and the value; they share nothing."""

    def layers(outputs: int) -> nn.Module:
        return nn.Sequential(
            nn.Linear(OBSERVATION_SIZE, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, outputs)
        )

    actor = ProbabilisticActor(
        TensorDictModule(layers(NUM_ACTIONS), in_keys=["observation"], out_keys=["logits"]),
        in_keys={"logits": "logits", "mask": "action_mask"},
        distribution_class=MaskedCategorical,
        return_log_prob=True,
    )
    return actor, ValueOperator(layers(1), in_keys=["observation"])


def train(env: GymWrapper, actor: ProbabilisticActor, value: ValueOperator, steps: int) -> None:
    """Train both for a number of decisions of the learner, a multiple of BATCH."""
    collector = Collector(env, actor, frames_per_batch=BATCH, total_frames=steps, auto_register_policy_transforms=False)
    gae = GAE(gamma=1.0, lmbda=0.95, value_network=value)
    loss = ClipPPOLoss(actor, value, entropy_coeff=0.005, critic_coeff=0.5, loss_critic_type="l2")
    loss.normalize_advantage = True
    optimizer = torch.optim.Adam(loss.parameters(), lr=5e-4)
    for batch in collector:
        with torch.no_grad():
            gae(batch)
        rows = batch.reshape(-1)
        for _ in range(EPOCHS):
            for picked in torch.randperm(len(rows)).split(MINIBATCH):
                parts = loss(rows[picked])
                optimizer.zero_grad()
                (parts["loss_objective"] + parts["loss_critic"] + parts["loss_entropy"]).backward()
                nn.utils.clip_grad_norm_(loss.parameters(), 0.5)
                optimizer.step()
    collector.shutdown()


def greedy(actor: ProbabilisticActor) -> Choice:
    """The most likely action of each decision, as `evaluate.against` asks for it."""

    def choose(observations: npt.NDArray[np.float32], masks: npt.NDArray[np.int8]) -> npt.NDArray[np.int64]:
        with torch.inference_mode():
            logits: Tensor = actor.module[0](torch.from_numpy(observations))[0]
        best: npt.NDArray[np.int64] = np.where(masks == 1, logits.numpy(), -np.inf).argmax(1)
        return best

    return by_observation(choose, game="bloodrage")


def main() -> None:
    """Train, then measure."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--steps", type=int, default=60_000, help="decisions of the learner")
    given = parser.parse_args()
    torch.manual_seed(1)
    torch.set_num_threads(1)
    steps = -(-given.steps // BATCH) * BATCH
    actor, value = networks()
    clock = time.perf_counter()
    train(make_env(GAMES), actor, value, steps)
    seconds = time.perf_counter() - clock
    print(f"{steps} steps in {seconds:.0f} s, {steps / seconds:.0f} a second")
    share = against(greedy(actor), "random", 400, game="bloodrage").share
    print(f"win rate against 3 random: {share:.2f} (equal players: 0.25)")


if __name__ == "__main__":
    main()
