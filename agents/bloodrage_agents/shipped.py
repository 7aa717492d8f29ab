"""How the tables of agents say what comes with the project: `table.py` of each game."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

Value = int | float | bool | str


@dataclass(frozen=True)
class Argument:
    """One argument of a shipped agent and what it may be."""

    name: str
    meaning: str
    kind: type[Value]
    default: Value | None = None  # None: the agent does without
    low: float = 0
    high: float = 0
    choices: tuple[str, ...] = ()  # of a str; empty for any

    def described(self) -> str:
        """What it may be: "1 to 1000000", "true or false", "battle, loki, quest or balanced"."""
        if self.kind is bool:
            return "true or false"
        if self.kind is str:
            return " or ".join([*filter(None, [", ".join(self.choices[:-1])]), *self.choices[-1:]]) or "a text"
        return f"{self.low:g} to {self.high:.12g}"


@dataclass(frozen=True)
class Shipped:
    """An agent that comes with the project; its module is imported when one is made."""

    where: str  # module:class
    says: str
    arguments: tuple[Argument, ...] = ()
    one_of: tuple[tuple[str, ...], ...] = ()  # arguments that exclude each other; the first has the default
    fixed: Mapping[str, Value] = field(default_factory=lambda: MappingProxyType({}))  # what the name itself says


BUDGET: Final = (
    Argument("simulations", "simulations a decision", int, 400, 1, 10_000_000),
    Argument("ms", "milliseconds a decision, in place of simulations", int, None, 1, 600_000),
)
BUDGET_NAMES: Final = tuple(argument.name for argument in BUDGET)
