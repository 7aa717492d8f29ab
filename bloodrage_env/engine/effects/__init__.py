"""What card texts do, where a number in `cards.csv` can't say it. Reached through `hooks.py` alone."""
