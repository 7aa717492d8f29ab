"""What single cards do, where a number in `cards.csv` can't say it; a card that asks has a file of its own."""
