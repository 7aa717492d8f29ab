"""What training needs of the game."""
