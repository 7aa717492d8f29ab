"""The agents of Blood Rage, by name. See docs/agents.md."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from bloodrage_env.games.bloodrage.engine import NUM_ACTIONS
from bloodrage_env.games.bloodrage.options import Options

from ...learned import ismcts, network
from ...mcts.settings import MOST_DRAFTS
from ...shipped import BUDGET, BUDGET_NAMES, HUMAN, LLM, AgentTable, Argument, Shipped
from .compiled.weights import HELD_OUT, STYLES

DEFAULT: Final = "balanced"


def _style(name: str, says: str) -> Shipped:
    """One of the styles of `bloodrage_agents.games.bloodrage.heuristics`."""
    return Shipped(
        "bloodrage_agents.games.bloodrage.heuristics:Heuristic", says, fixed=MappingProxyType({"style": name})
    )


_SHIPPED: Final[Mapping[str, Shipped]] = MappingProxyType(
    {
        "random": Shipped("bloodrage_agents.random:RandomAgent", "every legal action is equally likely"),
        "greedy": Shipped(
            "bloodrage_agents.games.bloodrage.greedy:Greedy",
            "the action with the best next position, averaged over redeals",
            (Argument("redeals", "number of redeals", int, 4, 1, 1000),),
        ),
        "battle": _style("battle", "strength on the board and strong battle cards"),
        "loki": _style("loki", "glory for figures that die and battles that are lost"),
        "quest": _style("quest", "quests, and stats for the end of the game"),
        "balanced": _style("balanced", "a mixture of battle, loki and quest"),
        "rusher": _style("rusher", "pillages that end Ages early, while others have Rage left"),
        "turtle": _style("turtle", "provinces held, stats raised, no battle that it may lose"),
        "hoarder": _style("hoarder", "quests and strong cards, kept until they pay"),
        "hunter": _style("hunter", "battles against whoever has the most glory"),
        "flat": Shipped(
            "bloodrage_agents.flat:Flat",
            "flat Monte Carlo: tries every action in sampled deals",
            BUDGET,
            (BUDGET_NAMES,),
        ),
        "ismcts": ismcts(
            Options.game,
            STYLES,
            DEFAULT,
            NUM_ACTIONS,
            Argument("drafts", "weight of the worth of cards in the drafts of opponents", float, None, 0, MOST_DRAFTS),
        ),
        "network": network(Options.game),
        "human": HUMAN,
        "llm": LLM,
    }
)

AGENTS: Final = AgentTable(
    _SHIPPED,
    default=DEFAULT,
    demo=("network", "balanced", "quest", "battle", "loki"),
    styles=STYLES,
    baselines=("random", "battle", "loki", "quest", "balanced"),
    held_out=HELD_OUT,
    leaderboard=(
        "random", "greedy", *STYLES, "flat:simulations=100", "ismcts:simulations=100", "network",
        "ismcts:simulations=100,path=shipped",
    ),
)  # fmt: skip
