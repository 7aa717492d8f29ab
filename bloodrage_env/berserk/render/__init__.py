"""Berserk as pictures."""
