"""What a seat knows about the hidden cards, and how they are redealt for it."""
