"""The table of the agents of a game: their names, arguments and modules. `table.py` of each game makes one."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Final

Value = int | float | bool | str


class Asks(StrEnum):
    """What the value of an argument lets an agent do outside of the game."""

    CONNECT = "connects to"
    VARIABLE = "sends the environment variable"
    READ = "reads the file"
    WRITE = "writes files to the folder"


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
    asks: Asks | None = None
    free: str | None = None  # a value that asks for nothing

    def described(self) -> str:
        """Return the allowed values as text: "1 to 1000000", "true or false", "battle, loki, quest or balanced"."""
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
    alone: bool = True  # it needs neither a person, a service nor a file
    asks: str = ""  # what it does outside of the game, whatever its arguments are


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

# Agents that can play any game, and need a person or a service.
HUMAN: Final = Shipped(
    "bloodrage_agents.human:Human", "a person in the terminal", alone=False, asks="asks a person in the terminal"
)
LLM: Final = Shipped(
    "bloodrage_agents.llm:Chat",
    "a language model behind a chat endpoint",
    (
        Argument("model", "name of the model", str),
        Argument("url", "address of the endpoint, instead of OpenAI's", str, asks=Asks.CONNECT),
        Argument(
            "key",
            "environment variable with the key (OPENAI_API_KEY without url, none with it)",
            str,
            asks=Asks.VARIABLE,
        ),
        Argument("tries", "answers for one decision", int, 3, 1, 100),
        Argument("otherwise", "without a legal answer", str, "forfeit", choices=("forfeit", "random")),
        Argument("memory", "what is sent again", str, "summary", choices=("full", "summary", "none")),
        Argument("state", "form of the board", str, "table", choices=("table", "json", "none")),
        Argument("actions", "legal actions in the prompt", str, "whole", choices=("whole", "steps", "none")),
        Argument("rules", "rules in the prompt", str, "short", choices=("short", "full", "none")),
        Argument("words", "seed of invented names, -1 for none", int, -1, -1, 1_000_000),
        Argument("timeout", "seconds for a request", float, 60.0, 0.01, 3600),
        Argument("retries", "further requests after a failure", int, 4, 0, 20),
        Argument("per_minute", "most requests of a process in a minute, 0 for any number", int, 0, 0, 100_000),
        Argument("input_price", "price of a million tokens sent", float, 0.0, 0, 1_000_000),
        Argument("output_price", "price of a million tokens received", float, 0.0, 0, 1_000_000),
        Argument("transcript", "folder for transcripts", str, asks=Asks.WRITE),
    ),
    alone=False,
    asks="asks a language model",
)
