"""What a user of a game calls: the environment, batches, replays."""
