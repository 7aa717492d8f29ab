"""Measurements and experiments, which the packages do not need. `python -m research.NAME` runs one."""
