"""Packages of the extra `data`, which few commands need: they are imported when they are used."""

import importlib
from typing import Any

from bloodrage_env.errors import MissingPackageError


def needed(module: str, what: str) -> Any:
    """Return a module for `what`. Raise MissingPackageError if its package is not installed."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        raise MissingPackageError(what, error.name, "data") from error
