"""The agents of Blood Rage, by name. See docs/agents.md."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from bloodrage_env.engine import NUM_ACTIONS

from .compiled.weights import STYLES
from .network import SHIPPED
from .shipped import BUDGET, BUDGET_NAMES, Argument, Shipped

DEFAULT: Final = "balanced"  # who plays the other seats
DEMO: Final = ("network", "balanced", "quest", "battle", "loki")  # who plays a demo, by seat


def _style(name: str, says: str) -> Shipped:
    """One of the styles of `bloodrage_agents.heuristics`."""
    return Shipped("bloodrage_agents.heuristics:Heuristic", says, fixed=MappingProxyType({"style": name}))


_SETTINGS: Final = (
    Argument("exploration", "weight of priors against values in the tree", float, None, 0, 100),
    Argument("first_play", "how much less than expected a move without visits is worth", float, None, 0, 1),
    Argument("sharpness", "of the priors of a style", float, None, 0, 100),
    Argument("candidates", "moves with which sequential halving begins; 0 for none", int, None, 0, NUM_ACTIONS),
    Argument("confidence", "of sequential halving in values against priors", float, None, 0, 100),
    Argument("offset", "visits added to those of the best move for that", float, None, 0, 10_000),
    Argument("noise", "scale of the Gumbel noise on the logits of the root", float, None, 0, 10),
    Argument("refresh", "so many moves down others move by their priors in each deal", int, None, 0, 100),
)

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
        "ismcts": Shipped(
            "bloodrage_agents.ismcts:Ismcts",
            "Monte Carlo tree search over information sets",
            (
                *BUDGET,
                Argument("style", "whose moves it tries first", str, "balanced", choices=STYLES),
                Argument("path", f"a policy whose moves and values it takes instead, a file or {SHIPPED}", str),
                Argument("threads", "trees that grow side by side, each on a core", int, 1, 1, 64),
                *_SETTINGS,
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
