"""The regret of policies, measured at decisions that were searched with many simulations."""
