"""The agents of Blood Rage, by name. See docs/agents.md."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from .compiled.weights import STYLES
from .network import SHIPPED
from .shipped import BUDGET, BUDGET_NAMES, Argument, Shipped

DEFAULT: Final = "balanced"  # who plays the other seats


def _style(name: str, says: str) -> Shipped:
    """One of the four styles of `bloodrage_agents.heuristics`."""
    return Shipped("bloodrage_agents.heuristics:Heuristic", says, fixed=MappingProxyType({"style": name}))


AGENTS: Final[Mapping[str, Shipped]] = MappingProxyType(
    {
        "random": Shipped("bloodrage_agents.random:RandomAgent", "every legal action is equally likely"),
        "greedy": Shipped(
            "bloodrage_agents.greedy:Greedy",
            "the best position after its next action, by redeals",
            (Argument("redeals", "redeals that it averages over", int, 4, 1, 1000),),
        ),
        "battle": _style("battle", "strength on the board and strong battle cards"),
        "loki": _style("loki", "glory for figures that die and battles that are lost"),
        "quest": _style("quest", "quests, and stats for the end of the game"),
        "balanced": _style("balanced", "a bit of each of the three, by rules of thumb"),
        "flat": Shipped(
            "bloodrage_agents.flat:Flat",
            "flat Monte Carlo: tries every action in sampled deals",
            BUDGET,
            (BUDGET_NAMES,),
        ),
        "ismcts": Shipped(
            "bloodrage_agents.ismcts:Ismcts",
            "Monte Carlo tree search over information sets",
            (
                *BUDGET,
                Argument("style", "whose moves it tries first", str, "balanced", choices=STYLES),
                Argument("path", f"a policy whose moves and values it takes instead, a file or {SHIPPED}", str),
            ),
            (BUDGET_NAMES, ("style", "path")),
        ),
        "network": Shipped(
            "bloodrage_agents.network:NetworkAgent",
            "a policy that was trained by self-play",
            (
                Argument("path", f"its file, or {SHIPPED}", str, SHIPPED),
                Argument("greedy", "the likeliest action, or one drawn by its chance", bool, True),
            ),
        ),
        "human": Shipped("bloodrage_agents.human:Human", "a person in the terminal"),
    }
)
