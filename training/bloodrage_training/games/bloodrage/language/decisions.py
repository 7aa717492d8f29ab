"""Single decisions of games of two, with the win probability after each legal action by a search (`make.py`).

An agent is scored by the win probability that its actions lose against the best ones. That takes one answer for each
position, so it costs a language model little.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from bloodrage_agents.base import AgentLike, agent_rng
from bloodrage_agents.match import Forfeit, ask, reset
from bloodrage_env import files
from bloodrage_env.core.engine.numbers import checked_seed
from bloodrage_env.encoding import as_json
from bloodrage_env.errors import UserError
from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine import States
from bloodrage_env.games.bloodrage.options import Options
from bloodrage_env.games.bloodrage.replay import Replay

FORMAT: Final = 1
FILE: Final = Path(__file__).with_name("decisions.json")
OPTIONS: Final = Options(num_players=2)
ALIKE: Final = 0.01  # win probability: actions that lose no more count as best
MAX_BYTES: Final = 4 * 2**20


@dataclass(frozen=True)
class Position:
    """An open question: the seed of the game and the actions before it, and a value for each legal action."""

    seed: int
    actions: tuple[int, ...]
    kind: str  # of the question
    age: int  # 1 to 3
    values: Mapping[int, float]  # win probability of the seat after each action

    def states(self) -> States:
        """Return the game, an array of one record."""
        states = engine.new_game(self.seed, *OPTIONS.numbers())
        for action in self.actions:
            engine.apply(states, 0, action)
        return states

    def lost(self, action: int) -> float:
        """Return the win probability that an action loses against the best one."""
        return max(self.values.values()) - self.values[action]

    @property
    def by_chance(self) -> float:
        """What an action loses on average if all are equally likely."""
        return float(np.mean([self.lost(action) for action in self.values]))


@dataclass(frozen=True)
class Score:
    """What an agent lost: mean and standard error in win probability, the share of best actions, and failures."""

    positions: int
    lost: float
    error: float
    best: float
    failed: int  # answers that were no legal action; each counts as the worst action


def save(positions: Sequence[Position], path: Path) -> None:
    """Write a set of positions, one in each line."""
    rows = [as_json({**asdict(each), "values": {str(k): v for k, v in each.values.items()}}) for each in positions]
    head, lines = as_json({"format": FORMAT, "rules": engine.RULES_VERSION}), ",\n".join(rows)
    files.write(path, f'{head[:-1]}, "positions": [\n{lines}\n]}}\n'.encode())


def load(path: Path = FILE) -> list[Position]:
    """Return the positions of a file. Raise UserError for another file, or for one of other rules."""
    try:
        with path.open("rb") as file:
            content: dict[str, Any] = json.loads(file.read(MAX_BYTES))
        if (content["format"], content["rules"]) != (FORMAT, engine.RULES_VERSION):
            raise UserError(f"{path} is of other rules or another format: make it again")
        if type(content["positions"]) is not list or not content["positions"]:
            raise ValueError("no positions")
        return [_checked(each) for each in content["positions"]]
    except UserError:
        raise
    except OSError as error:
        raise UserError(f"can't read {path}: {error.strerror or error}") from None
    except Exception:  # a file from elsewhere may raise anything
        raise UserError(f"{path} is not a set of decisions") from None


def _checked(row: dict[str, Any]) -> Position:
    """Return the position of an entry of a file. Raise any exception for an invalid one."""
    values = {int(action): value for action, value in row.pop("values").items()}
    position = Position(**row | {"actions": tuple(row["actions"]), "values": values})
    if not all(type(value) is float and 0 <= value <= 1 for value in values.values()):
        raise ValueError("no win probabilities")
    state = Replay(checked_seed(position.seed), OPTIONS, position.actions).at(-1)[0]
    asked = (state.mask.nonzero()[0].tolist(), state.age + 1, engine.Decision(state.decision).name)
    if (sorted(values), position.age, position.kind) != asked or type(position.age) is not int:
        raise ValueError("the values are of another question")
    return position


def answers(agent: AgentLike, positions: Sequence[Position], seed: int = 1) -> list[int | None]:
    """Ask an agent each question once and return its actions, None for no legal one. Its generator follows from `seed`
    and the position.
    """
    found: list[int | None] = []
    for number, position in enumerate(positions):
        states = position.states()
        seat = engine.seat_to_act(states, 0)
        reset(agent, seat, OPTIONS)
        try:
            found.append(ask(agent, states, 0, seat, agent_rng("decisions", seed, number), Options.game))
        except Forfeit:
            found.append(None)
    return found


def score(agent: AgentLike, positions: Sequence[Position], seed: int = 1) -> Score:
    """Ask an agent each question once, as `answers` does, and return its score."""
    return score_of(answers(agent, positions, seed), positions)


def score_of(actions: Sequence[int | None], positions: Sequence[Position]) -> Score:
    """Return the score of answers to questions."""
    lost = [
        max(map(each.lost, each.values)) if action is None else each.lost(action)
        for each, action in zip(positions, actions, strict=True)
    ]
    best = sum(loss <= ALIKE and action is not None for loss, action in zip(lost, actions, strict=True))
    return Score(len(lost), float(np.mean(lost)), _error(lost), best / len(lost), actions.count(None))


def by_chance(positions: Sequence[Position]) -> Score:
    """Return the expected score of an agent for which all legal actions are equally likely."""
    lost = [each.by_chance for each in positions]
    best = np.mean([np.mean([each.lost(action) <= ALIKE for action in each.values]) for each in positions])
    return Score(len(lost), float(np.mean(lost)), _error(lost), float(best), 0)


def _error(lost: Sequence[float]) -> float:
    return float(np.std(lost, ddof=1) / np.sqrt(len(lost))) if len(lost) > 1 else 0.0
