"""Tunes the constants of a search or the weights of a style: `python -m research.tune`."""
