"""The agents of Berserk that are compiled."""
