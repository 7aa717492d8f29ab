"""The tuner: constants of a search, weights of a style. `python -m bloodrage_training.tune` is the command."""
