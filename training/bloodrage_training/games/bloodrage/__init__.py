"""The parts of Blood Rage for training."""
