"""The agents of Berserk, by name. See docs/berserk/agents.md."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from ...learned import ismcts, network
from ...shipped import BUDGET, BUDGET_NAMES, HUMAN, LLM, AgentTable, Shipped
from .compiled.weights import STYLES
from .mode import NUM_ACTIONS, NUM_SEATS, Options

DEFAULT: Final = "hold"


def _style(name: str, says: str) -> Shipped:
    """One of the styles of `heuristics.py`."""
    return Shipped(f"{__package__}.heuristics:Heuristic", says, fixed=MappingProxyType({"style": name}))


_SHIPPED: Final[Mapping[str, Shipped]] = MappingProxyType(
    {
        "random": Shipped("bloodrage_agents.random:RandomAgent", "every legal action is equally likely"),
        "rush": _style("rush", "goes for the enemy: quick cards, strikes wherever they pay"),
        "hold": _style("hold", "holds the line: sturdy and ranged cards, and lets the enemy come"),
        "flat": Shipped(
            "bloodrage_agents.flat:Flat",
            "flat Monte Carlo: tries every action in sampled games",
            BUDGET,
            (BUDGET_NAMES,),
            MappingProxyType({"game": Options.game}),
        ),
        "ismcts": ismcts(Options.game, STYLES, DEFAULT, NUM_ACTIONS),
        "network": network(Options.game),
        "human": HUMAN,
        "llm": LLM,
    }
)

AGENTS: Final = AgentTable(
    _SHIPPED,
    default=DEFAULT,
    demo=("hold", "rush") * (NUM_SEATS // 2),
    styles=STYLES,
    baselines=("random", *STYLES),
    leaderboard=(
        "random",
        *STYLES,
        "flat:simulations=100",
        "ismcts:simulations=100",
        "network",
        "ismcts:simulations=100,path=shipped",
    ),
)
