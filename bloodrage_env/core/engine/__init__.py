"""What a game consists of: its record, routines, chance, options, observations and batches."""
