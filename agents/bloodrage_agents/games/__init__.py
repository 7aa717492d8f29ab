"""The agents of each game."""
