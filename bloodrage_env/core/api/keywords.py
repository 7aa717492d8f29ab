"""Errors for unknown keyword arguments."""

import difflib
import inspect
from collections.abc import Iterable
from dataclasses import fields
from typing import Any


def refuse_unknown(made: type[Any], given: Iterable[str], options: type[Any]) -> None:
    """Raise TypeError for a keyword that neither the class nor its game's options have. It names the nearest one.

    `given` are the keywords that the class passes on to the options.
    """
    known = [each.name for each in fields(options)]
    for each in made.__mro__:
        if "__init__" in vars(each):
            parameters = inspect.signature(vars(each)["__init__"]).parameters.values()
            known += [one.name for one in parameters if one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY)]
    known = [name for name in dict.fromkeys(known) if name != "self"]
    for name in given:
        if name not in known:
            near = difflib.get_close_matches(name, known, 1)
            hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}"
            raise TypeError(f"{made.__name__} has no argument {name!r:.60}; {hint}")
