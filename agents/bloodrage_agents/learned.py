"""The agents that play by a trained policy, for the agent tables of all games."""

from collections.abc import Sequence
from types import MappingProxyType

from bloodrage_env import games

from .network import SAMPLES, SHIPPED
from .shipped import BUDGET, BUDGET_NAMES, Argument, Asks, Shipped


def ismcts(game: str, styles: Sequence[str], default: str, num_actions: int, *own: Argument) -> Shipped:
    """Return the tree search of a game. `style` is its default style; `more` are settings that only this game has."""
    settings = (
        Argument("exploration", "weight of priors against values in the tree", float, None, 0, 100),
        Argument("first_play", "reduction of the value of a move without visits", float, None, 0, 1),
        Argument("sharpness", "sharpness of the priors of a style", float, None, 0, 100),
        Argument("candidates", "moves with which sequential halving begins; 0 for none", int, None, 0, num_actions),
        Argument("confidence", "weight of values against priors in sequential halving", float, None, 0, 100),
        Argument("offset", "visits added to those of the best move in that weight", float, None, 0, 10_000),
        Argument("noise", "scale of the Gumbel noise on the logits of the root", float, None, 0, 10),
        Argument("refresh", "depth to which opponents move by the priors of each deal", int, None, 0, 100),
    )
    return Shipped(
        "bloodrage_agents.ismcts:Ismcts",
        "Monte Carlo tree search over information sets",
        (
            *BUDGET,
            Argument("style", "the style that provides the priors", str, default, choices=tuple(styles)),
            Argument(
                "path",
                f"a policy that provides priors and values instead: a file or {SHIPPED}",
                str,
                asks=Asks.READ,
                free=SHIPPED,
            ),
            Argument("threads", "number of trees, one per core", int, 1, 1, 64),
            *settings,
            *own,
        ),
        (BUDGET_NAMES, ("style", "path")),
        MappingProxyType({"game": game}),
    )


def network(game: str) -> Shipped:
    """Return the agent that plays by a policy without a search. Without a shipped policy it needs a file."""
    return Shipped(
        "bloodrage_agents.network:NetworkAgent",
        "a policy that was trained by self-play",
        (
            Argument("path", f"its file or {SHIPPED}", str, SHIPPED, asks=Asks.READ, free=SHIPPED),
            Argument(
                "sample",
                "questions whose action is drawn by its probability; for others it is the most likely one",
                str,
                SAMPLES[0],
                choices=SAMPLES,
            ),
        ),
        fixed=MappingProxyType({"game": game}),
        alone=games.spec(game).has("policy"),
    )
