"""PPO of TorchRL on a batch of games, for one seat of each among players of one kind.

`python training/examples/torchrl_ppo.py --steps N` trains for so many decisions of the learner and prints its win
rate against random play.
"""

import argparse
import time
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from tensordict import TensorDict, TensorDictBase
from tensordict.nn import TensorDictModule
from torch import Tensor, nn
from torchrl.collectors import Collector
from torchrl.data import Binary, Categorical, Composite, Unbounded
from torchrl.envs import EnvBase
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

from bloodrage_env.engine import NUM_ACTIONS
from bloodrage_env.observation import OBSERVATION_SIZE
from bloodrage_training.learn.evaluate import against
from one_seat import OneSeatGames

GAMES, STEPS = 32, 64  # of a batch: games side by side, decisions of each
BATCH, EPOCHS, MINIBATCH = GAMES * STEPS, 4, 512


class OneSeatEnv(EnvBase):
    """`num_games` games as one environment of that batch size; each waits for its learner."""

    def __init__(self, num_games: int, num_players: int = 4, opponent: str = "random", seed: int = 0) -> None:
        super().__init__(batch_size=[num_games])
        self.games = OneSeatGames(num_games, num_players, opponent, seed)
        one = (num_games, 1)
        self.observation_spec = Composite(
            observation=Unbounded((num_games, OBSERVATION_SIZE)),
            action_mask=Binary(NUM_ACTIONS, (num_games, NUM_ACTIONS), dtype=torch.bool),
            shape=(num_games,),
        )
        self.action_spec = Categorical(NUM_ACTIONS, shape=(num_games,))
        self.reward_spec = Unbounded(one)
        self.full_done_spec = Composite(
            done=Categorical(2, one, dtype=torch.bool),
            terminated=Categorical(2, one, dtype=torch.bool),
            shape=(num_games,),
        )

    def _reset(self, tensordict: TensorDictBase | None = None, **kwargs: Any) -> TensorDict:
        """Begin the games anew that are marked, or all."""
        marked = None if tensordict is None else tensordict.get("_reset", None)
        everything = np.ones(len(self.games.dones), bool) if marked is None else marked[:, 0].numpy()
        self.games.begin(np.flatnonzero(everything))
        return self._seen()

    def _step(self, tensordict: TensorDictBase) -> TensorDict:
        self.games.step(tensordict["action"].numpy())
        return self._seen().set("reward", torch.from_numpy(self.games.rewards)[:, None])

    def _set_seed(self, seed: int | None) -> None:
        self.games.seed(seed or 0)

    def _seen(self) -> TensorDict:
        done = torch.from_numpy(self.games.dones)[:, None]
        return TensorDict(
            {
                "observation": torch.from_numpy(self.games.observations.copy()),
                "action_mask": torch.from_numpy(self.games.masks.astype(bool)),
                "done": done,
                "terminated": done.clone(),
            },
            self.batch_size,
        )


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


def train(env: OneSeatEnv, actor: ProbabilisticActor, value: ValueOperator, steps: int) -> None:
    """Improve both for so many decisions of the learner, a multiple of BATCH."""
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


def greedy(actor: ProbabilisticActor) -> Any:
    """The most likely action of each row, as `evaluate.against` asks for it."""

    def choose(observations: npt.NDArray[np.float32], masks: npt.NDArray[np.int8]) -> npt.NDArray[np.int64]:
        with torch.inference_mode():
            logits: Tensor = actor.module[0](torch.from_numpy(observations))[0]
        best: npt.NDArray[np.int64] = np.where(masks == 1, logits.numpy(), -np.inf).argmax(1)
        return best

    return choose


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
    train(OneSeatEnv(GAMES, seed=1), actor, value, steps)
    seconds = time.perf_counter() - clock
    print(f"{steps} steps in {seconds:.0f} s, {steps / seconds:.0f} a second")
    print(f"win rate against 3 random: {against(greedy(actor), 'random', 400).share:.2f} (equal players: 0.25)")


if __name__ == "__main__":
    main()
