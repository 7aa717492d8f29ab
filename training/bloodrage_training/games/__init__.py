"""What training and reports need of each game."""
