"""The parts of each game for training and reports."""
