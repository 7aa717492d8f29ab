"""Learners, policies and how strong they are. See docs/training.md."""

from typing import Final

CONFIG: Final = "config.toml"  # the settings of a run, in its folder
