"""Compiled players over records of the engine: the four styles and `greedy`."""
