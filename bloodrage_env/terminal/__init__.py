"""The game in a terminal: events, questions and texts of cards."""
