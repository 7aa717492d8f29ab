"""Results of `bloodrage exploit`: lower bounds on the exploitability of agents."""

import csv
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bloodrage_env.errors import UserError

from ..tournament.estimates import Estimate
from . import CONFIG

LOG: Final = "exploit.csv"


@dataclass(frozen=True)
class Point:
    """A measurement of a best response."""

    decisions: int  # of the learner
    win_rate: Estimate


@dataclass(frozen=True)
class Bound:
    """The result of a run: a lower bound on the exploitability of an agent."""

    decisions: int  # of the learner
    gain: Estimate  # win rate more than that of equal players


def bound_of(folder: Path, game: str, players: int) -> tuple[str, Bound]:
    """Returns the agent of a run, as `exploit.opponent_of` names it, and its last measurement.

    Raises UserError for a folder without a measured run of this game with this number of players.
    """
    try:
        settings = tomllib.loads((folder / CONFIG).read_text(encoding="utf-8"))
        *_, last = csv.DictReader((folder / LOG).read_text(encoding="utf-8").splitlines())
        facts = (settings["game"], settings["players"])
        (opponent,) = settings["opponents"]
        gain = Estimate(*(float(last[name]) - 1 / players for name in ("win_rate", "low", "high")))
        bound = Bound(int(last["decisions"]), gain)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UserError(f"{folder} holds no measured run of 'bloodrage exploit'") from error
    if facts != (game, [players]):
        raise UserError(f"{folder} is of {facts[0]} with {facts[1][0]} players, not of {game} with {players}")
    return opponent, bound
