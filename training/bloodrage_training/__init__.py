"""Tournaments and training; both run from the checkout. See docs/tournaments.md and docs/training.md."""
