"""Compiled helpers of training: what a learner does to every row of a batch."""
