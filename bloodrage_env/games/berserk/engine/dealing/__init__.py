"""What a seat cannot know: blanked out, or drawn again."""
