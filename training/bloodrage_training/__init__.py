"""Tournaments, reports and learners. See docs/tournaments.md, docs/report.md and docs/training.md."""
