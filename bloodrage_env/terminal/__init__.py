"""The game in a terminal: what is told, asked and looked up there."""
