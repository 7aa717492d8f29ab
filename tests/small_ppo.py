"""Settings of the reference learner that make it small, and a rollout with them."""

import dataclasses

from bloodrage_training.learn import ppo
from bloodrage_training.learn.config import Ppo
from bloodrage_training.learn.policy import Inputs, Policy, SparseRows
from bloodrage_training.learn.tables import Counts, Tables

SMALL = Ppo(
    width=16, layers=1, games=7, steps=300, players=(4, 3, 2), self_play=0.4, more_seats=0.3, threads=1, sure=1.0
)
# A run of about eight updates, with evaluations.
SHORT = dataclasses.replace(
    SMALL,
    games=9,
    steps=100,
    decisions=4200,
    evaluate_every=3,
    evaluation_games=2,
    save_minutes=0.0,
    threads=2,
    sure=0.5,
)


def play(
    tables: Tables, policy: Policy, steps: int, teacher: Policy | None = None, **settings: float
) -> tuple[ppo.Batch, Counts]:
    """A rollout of so many steps."""
    config = dataclasses.replace(SMALL, steps=steps, **settings)
    inputs = Inputs.empty(tables.games.num_games * steps, policy.net)
    return ppo.play(tables, policy, config, inputs, teacher=teacher)


def rows_of(batch: ppo.Batch, policy: Policy) -> SparseRows:
    """The inputs of a rollout."""
    rows = policy.rows(batch.inputs, batch.places)
    assert isinstance(rows, SparseRows)
    return rows
