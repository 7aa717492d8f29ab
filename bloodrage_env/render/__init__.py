"""Pictures of a game: text (`ansi`)."""
