"""Games by the sampled policy: from the set-up, noting every decision, and from any position to the end."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch

from bloodrage_env.core.engine.rewards import victory_share
from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine import MAX_SEATS, STATE, States
from bloodrage_env.games.bloodrage.options import Options
from bloodrage_training.learn.policy import Policy, SparseRows
from bloodrage_training.learn.tables import clockwise
from bloodrage_training.tournament.estimates import PARTS

Whole = npt.NDArray[np.int64]
Reals = npt.NDArray[np.float64]
Bytes = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class Decisions:
    """All decisions of some games, in the order of the steps in which the games were played side by side."""

    game: Whole
    place: Whole  # number of actions before it
    action: Whole
    age: Whole
    kind: Whole  # engine.Decision
    choices: Whole  # number of legal actions


def new_games(players: Whole, seed: int) -> States:
    """Return new games with these numbers of players and the seeds from `seed` on."""
    states = np.zeros(len(players), STATE)
    for game, number in enumerate(players.tolist()):
        engine.reset(states, game, seed + game, Options(number).numbers())
    return states


def step(policy: Policy, states: States, going: Whole, rng: np.random.Generator) -> Whole:
    """Apply actions sampled from the policy to these games. Return the actions."""
    with torch.inference_mode():
        actions: Whole = policy.draw(SparseRows.of(states, going, policy.net), rng)[0].numpy()
    for game, action in zip(going.tolist(), actions.tolist(), strict=True):
        engine.apply(states, game, action)
    return actions


def follow(policy: Policy, states: States, rng: np.random.Generator) -> Decisions:
    """Play games to their ends and return their decisions."""
    noted = []
    place = 0
    while len(going := np.flatnonzero(states["over"] == 0)):
        seen = states["age"][going], states["decision"][going], states["mask"][going].sum(1, dtype=np.int64)
        actions = step(policy, states, going, rng)
        noted.append((going, np.full(len(going), place), actions, *(each.astype(np.int64) for each in seen)))
        place += 1
    return Decisions(*(np.concatenate(each) for each in zip(*noted, strict=True)))


def play_out(policy: Policy, states: States, rng: np.random.Generator) -> Bytes:
    """Play games to their ends; returns uint8[games, MAX_SEATS], the win of each seat in parts of PARTS."""
    while len(going := np.flatnonzero(states["over"] == 0)):
        step(policy, states, going, rng)
    return wins_of(states)


def wins_of(states: States) -> Bytes:
    """uint8[games, MAX_SEATS]: the win of each seat in games that are over, in parts of PARTS; shared by equals."""
    wins = np.zeros((len(states), MAX_SEATS), np.uint8)
    for game in range(len(states)):
        scores = engine.scores(states, game).astype(np.int32)
        wins[game, : len(scores)] = [round(PARTS * victory_share(scores, seat)) for seat in range(len(scores))]
    return wins


def from_seat(by_seat: npt.NDArray[np.float32], players: Whole, seats: Whole) -> npt.NDArray[np.float32]:
    """float32[games, MAX_SEATS]: numbers of the seats, turned so that those of `seats` come first, clockwise."""
    return clockwise(by_seat, players)[np.arange(len(seats)), seats]
