"""MaskablePPO of Stable-Baselines3 on `bloodrage/OneSeat-v0`, in a page to copy.

`python training/sb3_maskable_ppo.py --steps 100000` trains one seat against an agent at all others, and prints its win
rate before and after. A larger learner, with a league, checkpoints and export, is `bloodrage train --learner sb3`.
"""

import argparse

import gymnasium
from gymnasium import Env
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import DummyVecEnv

import bloodrage_env  # noqa: F401  registers bloodrage/OneSeat-v0
from bloodrage_training.tournament.estimates import Estimate, wilson


def make(opponents: str, num_players: int) -> Env:
    """One game; the learner's seat is drawn for each. `env.action_masks()` is what MaskablePPO asks for."""
    return gymnasium.make("bloodrage/OneSeat-v0", num_players=num_players, opponents=opponents)


def win_rate(model: MaskablePPO, opponents: str, num_players: int, games: int) -> Estimate:
    """Of so many games, with the most likely action of each decision; the seeds are not those of training."""
    env = make(opponents, num_players)
    wins = 0.0
    for seed in range(10**9, 10**9 + games):
        observation, info = env.reset(seed=seed)
        over = False
        while not over:
            action, _ = model.predict(observation, action_masks=info["action_mask"], deterministic=True)
            observation, reward, terminated, truncated, info = env.step(int(action))
            over = terminated or truncated
        wins += float(reward) == 1.0
    return wilson(wins / games, games)


def main() -> None:
    """Train, and measure before and after."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--steps", type=int, default=100_000, help="decisions of the learner (100,000)")
    parser.add_argument("--opponents", default="random", help="an agent (random)")
    parser.add_argument("--players", type=int, default=2, help="2 to 4 (2)")
    parser.add_argument("--games", type=int, default=200, help="of each measurement (200)")
    given = parser.parse_args()
    envs = DummyVecEnv([lambda: make(given.opponents, given.players) for _ in range(8)])
    # Only the end of a game has a reward, so that nothing is discounted.
    model = MaskablePPO("MlpPolicy", envs, n_steps=256, batch_size=512, gamma=1.0, ent_coef=0.01, seed=1)
    for name, steps in (("before", 0), ("after", given.steps)):
        if steps:
            model.learn(steps)
        rate = win_rate(model, given.opponents, given.players, given.games)
        print(f"{name} training: {rate.value:.0%} of {given.games} games ({rate.low:.0%} to {rate.high:.0%})")


if __name__ == "__main__":
    main()
