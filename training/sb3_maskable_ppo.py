"""MaskablePPO of sb3-contrib by self-play: training, evaluation, checkpoints and export in one script to copy.

    python training/sb3_maskable_ppo.py --steps 500000 --out runs/sb3            # the same command resumes it
    python training/sb3_maskable_ppo.py --game berserk --opponents random,hold --out runs/sb3-berserk
    tensorboard --logdir runs/sb3
    bloodrage tournament run --agents network:path=runs/sb3/policy.npz,balanced,random --deals 20 --store sb3.sqlite

One seat of each game learns. The others are agents and former policies of the learner: every `--every` steps it is
written to `snapshots/`, and a game that begins after that draws its opponents from the agents and the last snapshots.

The script loads no pickles. A zip file of Stable-Baselines3 contains a pickle beside the weights, which
`MaskablePPO.load` executes: use that for your own files only. A resumed run makes a new learner, loads the weights with
`set_parameters` (`weights_only`), and starts new games. Exported files contain arrays and a checksum.
"""

import argparse
import re
from pathlib import Path
from typing import Final

import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.callbacks import MaskableEvalCallback
from stable_baselines3.common.callbacks import BaseCallback, CallbackList, CheckpointCallback, EveryNTimesteps
from stable_baselines3.common.vec_env import VecEnv, VecMonitor

from bloodrage_agents import registry
from bloodrage_env import games
from bloodrage_env.core.engine.rewards import share_of
from bloodrage_training.learn.export import export
from bloodrage_training.sb3_policy import policy_of
from bloodrage_training.sb3_vec_env import SelfPlayVecEnv

SNAPSHOTS: Final = 8  # the newest ones, among the opponents
POLICY: Final = "policy.npz"


class Swap(BaseCallback):
    """Exports the learner, and makes it one of its opponents."""

    def __init__(self, given: argparse.Namespace) -> None:
        super().__init__()
        self.given = given

    def _on_step(self) -> bool:
        path = self.given.out / "snapshots" / f"{self.num_timesteps:012}.npz"
        export(policy_of(self.model.policy, self.given.game), path)
        self.training_env.set_opponents(opponents(self.given))
        return True


def opponents(given: argparse.Namespace) -> list[str]:
    """The agents, and the newest snapshots, which draw their actions by their probability."""
    snapshots = sorted((given.out / "snapshots").glob("*.npz"))[-SNAPSHOTS:]
    return registry.split(given.opponents) + [f"network:path={path},sample=all" for path in snapshots]


def make_env(given: argparse.Namespace, num_envs: int, against: str | list[str]) -> VecEnv:
    """Games against these, with episodes in the infos."""
    return VecMonitor(SelfPlayVecEnv(num_envs, given.players, game=given.game, opponents=against))


def make_learner(given: argparse.Namespace, env: VecEnv, done: int) -> MaskablePPO:
    """A new learner; `policy_of` needs an MlpPolicy with ReLU."""
    return MaskablePPO(
        "MlpPolicy",
        env,
        n_steps=64,
        batch_size=1024,
        n_epochs=4,
        gamma=1.0,  # only the end of a game has a reward
        ent_coef=0.01,
        policy_kwargs={"activation_fn": torch.nn.ReLU, "net_arch": {"pi": [256], "vf": [256]}},
        tensorboard_log=str(given.out),
        seed=given.seed + done,  # other games than those before
        device="cpu",
    )


def newest(folder: Path) -> tuple[int, Path | None]:
    """The steps of the last checkpoint, and its file; 0 and None without any."""
    found = {int(re.findall(r"\d+", path.stem)[-1]): path for path in folder.glob("model_*_steps.zip")}
    return max(found.items(), default=(0, None))


def main() -> None:
    """Train with MaskablePPO by self-play; resumes the run of the folder."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--game", choices=games.names(), default=games.FIRST)
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--steps", type=int, default=500_000, help="decisions of the learner in all (500,000)")
    parser.add_argument("--games", type=int, default=64, help="stepped together (64)")
    parser.add_argument("--opponents", default="random", metavar="AGENT[,AGENT...]", help="one of them a game (random)")
    parser.add_argument("--every", type=int, default=50_000, help="steps between checkpoints, snapshots, evaluations")
    parser.add_argument("--against", metavar="AGENT", help="opponent of evaluations (the default agent of the game)")
    parser.add_argument("--episodes", type=int, default=200, help="of an evaluation (200)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("runs/sb3"), metavar="FOLDER")
    given = parser.parse_args()
    given.against = given.against or registry.default(given.game)
    (given.out / "snapshots").mkdir(parents=True, exist_ok=True)
    done, checkpoint = newest(given.out)
    env = make_env(given, given.games, opponents(given))
    model = make_learner(given, env, done)
    if checkpoint:
        model.set_parameters(checkpoint, device="cpu")
        model.num_timesteps = done
        print(f"resumes {checkpoint}")
    evaluation_env = make_env(given, min(32, given.episodes), given.against)
    evaluation = MaskableEvalCallback(
        evaluation_env, n_eval_episodes=given.episodes, eval_freq=1, log_path=str(given.out), verbose=1
    )
    saved = CheckpointCallback(1, str(given.out), "model")
    every = EveryNTimesteps(given.every, CallbackList([saved, Swap(given), evaluation]))
    every.last_time_trigger = done
    if done < given.steps:
        model.learn(given.steps - done, callback=every, tb_log_name="tensorboard", reset_num_timesteps=False)
        model.save(given.out / f"model_{model.num_timesteps}_steps")
    export(policy_of(model.policy, given.game), given.out / POLICY)
    if evaluation.evaluations_results:
        rate = share_of(float(evaluation.last_mean_reward), given.players)
        print(f"won {rate:.0%} of {given.episodes} games against {given.against} at the last evaluation")
    print(f"wrote {given.out / POLICY}: an agent, network:path={given.out / POLICY}")


if __name__ == "__main__":
    main()
