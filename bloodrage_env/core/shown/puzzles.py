"""Puzzles: questions of games between agents, with the agents that find an answer as good as the best one."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from ...encoding import as_json
from ...errors import UserError
from ..engine.options import GameOptions

FORMAT: Final = 1


@dataclass(frozen=True)
class Position:
    """A question as the game up to it: seed, options and actions.

    `about` says what is asked, `best` is the answer of the search, `agents` says of each agent that was asked, by spec,
    whether its answer is not certain to be worse.
    """

    seed: int
    options: GameOptions
    actions: tuple[int, ...]
    about: str
    best: int
    agents: Mapping[str, bool]


def load(path: Path, options: type[GameOptions]) -> tuple[Position, ...]:
    """Return the puzzles of a file that comes with a game. Raise UserError for another format."""
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    if content["format"] != FORMAT:
        raise UserError(f"{path.name} has format {content['format']}, not {FORMAT}: make it again")
    return tuple(
        Position(
            each["seed"],
            options.from_json(each["options"]),
            tuple(each["actions"]),
            each["about"],
            each["best"],
            each["agents"],
        )
        for each in content["puzzles"]
    )


def save(path: Path, positions: tuple[Position, ...]) -> None:
    """Write puzzles to a file. Raise OSError."""
    puzzles = [
        {
            "seed": each.seed,
            "options": asdict(each.options),
            "actions": list(each.actions),
            "about": each.about,
            "best": each.best,
            "agents": dict(each.agents),
        }
        for each in positions
    ]
    lines = ",\n".join(as_json(each, compact=True) for each in puzzles)
    path.write_text(f'{{"format":{FORMAT},"puzzles":[\n{lines}\n]}}\n', encoding="utf-8")
