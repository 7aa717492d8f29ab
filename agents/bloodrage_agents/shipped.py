"""The table of the agents of a game: their names, arguments and modules. `table.py` of each game makes one."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

Value = int | float | bool | str


@dataclass(frozen=True)
class Argument:
    """One argument of a shipped agent and its allowed values."""

    name: str
    meaning: str
    kind: type[Value]
    default: Value | None = None  # None: the agent does without
    low: float = 0
    high: float = 0
    choices: tuple[str, ...] = ()  # of a str; empty for any

    def described(self) -> str:
        """Returns the allowed values as text: "1 to 1000000", "true or false", "battle, loki, quest or balanced"."""
        if self.kind is bool:
            return "true or false"
        if self.kind is str:
            return " or ".join([*filter(None, [", ".join(self.choices[:-1])]), *self.choices[-1:]]) or "a string"
        return f"{self.low:g} to {self.high:.12g}"


@dataclass(frozen=True)
class Shipped:
    """An agent that comes with the project. Its module is imported when an agent is made."""

    where: str  # module:class
    says: str
    arguments: tuple[Argument, ...] = ()
    one_of: tuple[tuple[str, ...], ...] = ()  # arguments that exclude each other; the first has the default
    fixed: Mapping[str, Value] = field(default_factory=lambda: MappingProxyType({}))  # what the name itself says


@dataclass(frozen=True)
class AgentTable:
    """The agents of a game by name, and the specs of agents that commands use by default.

    `styles` are the agents with compiled play, in the order of their numbers there.
    """

    agents: Mapping[str, Shipped]
    default: str  # the agent of the other seats
    demo: tuple[str, ...] = ()  # the agents of a demo, by seat; the default plays further seats
    styles: tuple[str, ...] = ()
    baselines: tuple[str, ...] = ("random",)  # whom a policy is measured against
    held_out: tuple[str, ...] = ()  # styles that no training run meets
    leaderboard: tuple[str, ...] = ("random",)  # who is in the leaderboard, at budgets in simulations


BUDGET: Final = (
    Argument("simulations", "simulations per decision", int, 400, 1, 10_000_000),
    Argument("ms", "milliseconds per decision, instead of simulations", int, None, 1, 600_000),
)
BUDGET_NAMES: Final = tuple(argument.name for argument in BUDGET)
