"""JSON for output and storage. No other module calls the encoder of the standard library.

numpy scalars and arrays are encoded as numbers and lists, also as keys of a dict.
"""

import json
from collections.abc import Mapping
from typing import Any

import numpy as np


def as_json(data: Any, compact: bool = False, ascii_only: bool = True, indent: int | None = None) -> str:
    """Return JSON as text, in the layout of `json.dumps` or `compact`, without spaces.

    Raise TypeError for data that JSON does not support, ValueError for numbers that are not finite.
    """
    separators = (",", ":") if compact else None

    def text(data: Any) -> str:
        return json.dumps(data, separators=separators, ensure_ascii=ascii_only, indent=indent, allow_nan=False)

    try:
        return text(data)
    except TypeError:  # looked for only where it matters: most data is plain, and some of it large
        return text(_plain(data))


def as_bytes(data: Any) -> bytes:
    """Return compact JSON in UTF-8 for a browser. Half a surrogate pair, which UTF-8 lacks, becomes "?"."""
    return as_json(data, compact=True, ascii_only=False).encode(errors="replace")


def _plain(data: Any) -> Any:
    """Return the same data with Python numbers and lists in place of those of numpy."""
    if isinstance(data, np.generic | np.ndarray):
        return data.tolist()
    if isinstance(data, Mapping):
        return {_plain(key): _plain(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_plain(each) for each in data]
    return data
