"""Files of arrays that are damaged, as a command receives them."""

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bloodrage_env import files

Change = Callable[[dict[str, Any]], dict[str, Any]]


def complaint(
    command: Callable[[list[str]], None], option: str, source: Path, change: Change, path: Path, capsys: Any
) -> str:
    """What `command measure` says of a file with changed arrays of another one and a correct checksum."""
    with np.load(source) as stored:
        arrays = change(dict(stored))
    packed = io.BytesIO()
    np.savez(packed, **arrays)
    path.write_bytes(files.sealed(packed.getvalue()))
    with pytest.raises(SystemExit):
        command(["measure", option, str(path)])
    return str(capsys.readouterr().err)
