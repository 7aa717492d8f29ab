"""Makes the puzzles of the table: questions of games that some agents answer well and others do not."""
