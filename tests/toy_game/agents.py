"""The agents by name."""

import numpy as np

from bloodrage_agents.base import ActionMask, Agent, Vector
from bloodrage_agents.learned import network
from bloodrage_agents.parts import any_game
from bloodrage_agents.shipped import AgentTable, Shipped

STYLES = ("high", "low")


class Style(Agent):
    """One of the styles of `styles.py`, by the action mask alone."""

    def __init__(self, style: str) -> None:
        self.end = -1 if style == "high" else 0

    def act(self, observation: Vector, action_mask: ActionMask, rng: np.random.Generator) -> int:
        return int(np.flatnonzero(action_mask)[self.end])


AGENTS = AgentTable(
    {
        **any_game("toy"),
        "high": Shipped("toy_game.agents:Style", "plays its highest number", fixed={"style": "high"}),
        "low": Shipped("toy_game.agents:Style", "plays its lowest number", fixed={"style": "low"}),
        "network": network("toy"),
    },
    default="high",
    styles=STYLES,
    baselines=("random", "high"),
    leaderboard=("random", "high"),
)
