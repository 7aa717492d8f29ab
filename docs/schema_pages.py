"""The pages in `docs/schemas/`: JSON Schemas of the structs of each game and mode."""

import functools
import json
from collections.abc import Callable

from bloodrage_env import games
from bloodrage_env.core.shown.structs import structs_of


def page(name: str, part: str) -> str:
    """Return the schema of a game's observations or actions as text."""
    schema = getattr(structs_of(games.spec(name)), f"{part}_schema")()
    return f"{json.dumps(schema, indent=1, ensure_ascii=False)}\n"


def pages() -> dict[str, Callable[[], str]]:
    """Return what writes each page, by its path."""
    return {
        f"docs/schemas/{name}.{part}.json": functools.partial(page, name, part)
        for name in games.all_names()
        for part in ("observation", "actions")
    }
