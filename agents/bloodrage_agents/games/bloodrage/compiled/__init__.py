"""Compiled players over records of the engine: the styles and `greedy`."""
