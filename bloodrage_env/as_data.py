"""Tables of commands as JSON, for `--json`: an object for each row."""

import dataclasses
import math
from collections.abc import Iterable, Mapping
from typing import Any

from .encoding import as_json


def text(rows: Iterable[object]) -> str:
    """Return a list of rows as JSON. A row is a mapping or a dataclass; what is not finite is null."""
    return as_json([plain(row) for row in rows], indent=2)


def plain(value: Any) -> Any:
    """Return data of dicts, lists and numbers; what is not finite is None."""
    if dataclasses.is_dataclass(value):
        value = {each.name: getattr(value, each.name) for each in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
