"""Learners, policies and how strong they are. See docs/training.md."""
