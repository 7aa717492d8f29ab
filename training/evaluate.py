"""How strong a policy is: one seat against three of a kind, on seeds that training never plays."""

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch

from agents.compiled.heuristics import STYLES, choose_many
from bloodrage_env import VectorGames
from bloodrage_env.errors import UserError

from .policy import Policy, SparseRows, load_policy, probabilities

FIRST_SEED = 2**60  # training draws its seeds below
LADDER = ("random", *STYLES)  # who a policy is measured against
RANDOM = -1  # in place of a style: every legal action equally likely

# Observations of N games and masks, float32[N, OBSERVATION_SIZE] and int8[N, NUM_ACTIONS], to actions, int64[N].
Choice = Callable[[npt.NDArray[np.float32], npt.NDArray[np.int8]], npt.NDArray[np.int64]]


@dataclass(frozen=True)
class Score:
    """What one seat made of `games` games; a victory shared by k counts 1 / k."""

    games: int
    share: float  # of victories

    @property
    def error(self) -> float:
        """The standard error of `share`."""
        return float(np.sqrt(self.share * (1 - self.share) / self.games))


def greedy(policy: Policy) -> Choice:
    """The most likely action of each row."""

    def choose(observations: npt.NDArray[np.float32], masks: npt.NDArray[np.int8]) -> npt.NDArray[np.int64]:
        with torch.inference_mode():
            logits, _ = policy(SparseRows.of(observations))
            best: npt.NDArray[np.int64] = probabilities(logits, torch.from_numpy(masks).bool())[0].argmax(1).numpy()
        return best

    return choose


def against(
    choose: Choice, opponent: str, num_games: int, num_players: int = 4, seed: int = 0, batch: int = 512
) -> Score:
    """Play seat i % num_players of game i by `choose`, the others by one opponent: a style, or `random`.

    Game i has the seed FIRST_SEED + seed + i, whatever the policy; all of them are played to the end.
    """
    style = RANDOM if opponent == "random" else STYLES.index(opponent)
    shares = [
        _play(choose, style, min(batch, num_games - start), num_players, seed + start)
        for start in range(0, num_games, batch)
    ]
    return Score(num_games, float(np.concatenate(shares).mean()))


def _play(choose: Choice, style: int, size: int, num_players: int, seed: int) -> npt.NDArray[np.float64]:
    """Share of the victory that `choose` has in each of these games."""
    games = VectorGames(size, num_players, seed=FIRST_SEED + seed)
    games.reset()
    rng = np.random.default_rng(seed)
    own = (seed + np.arange(size)) % num_players
    shares = np.zeros(size)
    playing = np.ones(size, bool)  # a game that has ended begins anew, to no effect
    while playing.any():
        mine = np.flatnonzero(games.seats == own)
        actions = (games.masks + rng.random(games.masks.shape)).argmax(1)
        styles = np.full(size, style)
        styles[mine] = RANDOM
        choose_many(games.states, styles, rng.integers(2**62, size=size), actions)
        if len(mine):
            actions[mine] = choose(games.observations[mine], games.masks[mine])
        games.step(actions)
        ended = games.dones & playing
        shares[ended] = (games.rewards[ended, own[ended]] * (num_players - 1) + 1) / num_players
        playing &= ~ended
    return shares


def main() -> None:
    """`python -m training.evaluate CHECKPOINT.pt`: the ladder of fixed opponents."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("--games", type=int, default=400, help="against each opponent")
    parser.add_argument("--players", type=int, default=4, choices=(2, 3, 4))
    given = parser.parse_args()
    torch.set_num_threads(1)
    try:
        policy, _ = load_policy(given.checkpoint)
    except UserError as error:
        parser.error(str(error))
    for opponent in LADDER:
        score = against(greedy(policy), opponent, given.games, given.players)
        print(f"one seat against {given.players - 1} {opponent}: {score.share:.3f} +- {score.error:.3f}", flush=True)


if __name__ == "__main__":
    main()
