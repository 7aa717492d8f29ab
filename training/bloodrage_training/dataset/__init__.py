"""Datasets of decisions: rows of observations, masks and actions from games between agents. See docs/datasets.md."""

from .rows import Dataset, Rows

__all__ = ["Dataset", "Rows"]
