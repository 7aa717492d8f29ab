"""Tournaments: plans, stores, workers, ratings. See docs/tournaments.md."""
