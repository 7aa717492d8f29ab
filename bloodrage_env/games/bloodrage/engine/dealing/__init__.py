"""What a seat can say of the hidden cards, and how they are drawn anew for it."""
