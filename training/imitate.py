"""A first policy by behaviour cloning: the network learns to predict the actions of a heuristic, and the reward.

The heuristic plays all seats, with some random moves, so that the network sees positions that good play alone would
never reach; the target is what the heuristic would have done in each.
"""

import argparse
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from bloodrage_agents.compiled.heuristics import STYLES, choose_many
from bloodrage_env import VectorGames
from bloodrage_training.learn.evaluate import against_baselines
from bloodrage_training.learn.opponents import TRAINING_STYLES
from bloodrage_training.learn.policy import Policy, SparseRows, probabilities
from bloodrage_training.learn.runs import rates_text, with_policy, write
from ppo import Config, Step, advantages


@dataclass
class Lesson:
    """Decisions of the teacher, one a row."""

    rows: SparseRows
    masks: Tensor  # bool[R, NUM_ACTIONS]
    actions: Tensor  # int64[R], the teacher's
    returns: Tensor  # float32[R], the reward of the seat at the end
    known: Tensor  # bool[R], whether the game has ended


def watch(games: VectorGames, style: str, num_steps: int, random_share: float, rng: np.random.Generator) -> Lesson:
    """Let the teacher play all games for so many steps; `random_share` of the moves are random."""
    rows, masks, answers = [], [], []
    steps: list[Step] = []
    everything = np.arange(games.num_games)
    styles = np.full(games.num_games, STYLES.index(style))
    for _ in range(num_steps):
        rows.append(SparseRows.of(games.observations))
        masks.append(torch.from_numpy(games.masks).bool())
        answer = np.empty(games.num_games, np.int64)
        choose_many(games.states, styles, rng.integers(2**62, size=games.num_games), answer)
        answers.append(torch.from_numpy(answer))
        strays = rng.random(games.num_games) < random_share
        anything = (games.masks + rng.random(games.masks.shape)).argmax(1)
        seats = games.seats.copy()
        games.step(np.where(strays, anything, answer))
        nothing = np.zeros(games.num_games, np.float32)
        steps.append(Step(everything, seats, nothing, games.dones.copy(), games.rewards.copy()))
    returns, _ = advantages(steps, 1.0)
    # A seat is paid once its game has ended, so a row's return is known if that happened later.
    ended = np.logical_or.accumulate([step.dones for step in reversed(steps)])[::-1]
    return Lesson(
        SparseRows.join(rows),
        torch.cat(masks),
        torch.cat(answers),
        torch.from_numpy(returns),
        torch.from_numpy(np.concatenate(ended)),
    )


def study(policy: Policy, optimizer: torch.optim.Optimizer, lesson: Lesson, minibatch: int) -> tuple[float, float]:
    """Go through a lesson once: how often the network agreed with the teacher, and the mean squared error of values."""
    agreed, error, paid = 0.0, 0.0, 0
    order = torch.randperm(len(lesson.rows))
    for picked in torch.split(order, minibatch):
        logits, values = policy(lesson.rows.take(picked.numpy()))
        chances, log_chances = probabilities(logits, lesson.masks[picked])
        known = lesson.known[picked]
        errors = (values - lesson.returns[picked])[known].square()
        loss = functional.nll_loss(log_chances, lesson.actions[picked]) + 0.5 * errors.sum() / len(picked)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(policy.parameters(), 1.0)
        optimizer.step()
        agreed += float((chances.argmax(1) == lesson.actions[picked]).sum())
        error += float(errors.detach().sum())
        paid += int(known.sum())
    return agreed / len(order), error / max(1, paid)


def imitate(out: Path, config: Config, style: str, minutes: float, learning_rate: float, minibatch: int) -> Policy:
    """Learn from `style` for so long, with learning-rate decay to zero; writes a checkpoint for `ppo.py`."""
    torch.set_num_threads(config.threads)
    torch.manual_seed(config.seed)
    rng = np.random.default_rng(config.seed)
    policy = Policy(config.width, config.layers)
    optimizer = torch.optim.Adam(policy.parameters(), lr=learning_rate, fused=True)
    players = [config.players[i % len(config.players)] for i in range(128)]
    games = VectorGames(128, players, seed=config.seed * 2**30, sets=config.sets)
    games.reset()
    began = time.monotonic()
    seen = 0
    while (done := (time.monotonic() - began) / (60 * minutes)) < 1:
        for group in optimizer.param_groups:
            group["lr"] = learning_rate * (1 - done)
        clock = time.monotonic()
        lesson = watch(games, style, 512, 0.03, rng)
        watched = time.monotonic() - clock
        agreed, error = study(policy, optimizer, lesson, minibatch)
        seen += len(lesson.rows)
        seconds = time.monotonic() - clock
        speed = f"{len(lesson.rows) / seconds:.0f} a second, {watched / seconds:.2f} of the time watching"
        print(f"{seen} decisions, {agreed:.4f} agreed, value error {error:.4f}; {speed}", flush=True)
    write(out, with_policy(policy))
    return policy


def main() -> None:
    """`python training/imitate.py OUT.pt`."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--style", default="balanced", choices=TRAINING_STYLES)
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--width", type=int, default=256)
    parser.add_argument("--layers", type=int, default=2)
    parser.add_argument("--learning-rate", type=float, default=1e-3)
    parser.add_argument("--minibatch", type=int, default=1024)
    given = parser.parse_args()
    config = Config(width=given.width, layers=given.layers)
    policy = imitate(given.out, config, given.style, given.minutes, given.learning_rate, given.minibatch)
    print(rates_text(against_baselines(policy, 400)))


if __name__ == "__main__":
    main()
