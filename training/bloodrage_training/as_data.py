"""Tables of commands as JSON, for `--json`: an object for each row."""

import argparse
import dataclasses
import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from bloodrage_env.encoding import as_json

from .tournament.ratings import Ratings


def add_json(parser: argparse.ArgumentParser) -> None:
    """Add `--json`."""
    parser.add_argument("--json", action="store_true", help="print the table as JSON; unknown numbers are null")


def text(rows: Iterable[object]) -> str:
    """Return a list of rows as JSON. A row is a mapping or a dataclass; what is not finite is null."""
    return as_json([plain(row) for row in rows], indent=2)


def rating_rows(ratings: Ratings) -> Iterator[dict[str, object]]:
    """Yield the ratings of each agent, the strongest first. Estimates have a value and the ends of its interval."""
    for agent in ratings.order:
        estimates = {
            "from_field": ratings.from_field,
            "win_rate": ratings.win_share,
            "place": ratings.mean_place,
            "score": ratings.mean_score,
        }
        yield {
            "agent": ratings.names[agent],
            "elo": float(ratings.elo[agent]),
            **{name: each.at(agent) for name, each in estimates.items()},
            "seats": int(ratings.seats_taken[agent]),
            "forfeits": int(ratings.forfeits[agent]),
        }


def plain(value: Any) -> Any:
    """Return data of dicts, lists and numbers; what is not finite is None."""
    if dataclasses.is_dataclass(value):
        value = {each.name: getattr(value, each.name) for each in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
