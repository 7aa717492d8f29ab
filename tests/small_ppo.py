"""Settings of the reference learner that make it small."""

import dataclasses

from bloodrage_training.learn.config import Ppo

SMALL = Ppo(width=16, layers=1, games=7, steps=300, players=(4, 3, 2), self_play=0.4, more_seats=0.3)
# A run of about eight updates, with an evaluation at every second one.
SHORT = dataclasses.replace(
    SMALL, games=9, steps=100, decisions=4200, evaluate_every=2, evaluation_games=4, save_minutes=0.0
)
