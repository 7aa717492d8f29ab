"""The policies that a recipe names. A recipe can come from elsewhere, so it may not name any file of the user."""

import shlex
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from bloodrage_agents import registry
from bloodrage_agents.network import SHIPPED
from bloodrage_env.errors import UserError

from .evaluate import searches
from .opponents import FILES

OF_THE_PROJECT: Final = Path("training", "checkpoints")  # in a checkout, and where `bloodrage examples` copied them


def policies_of(settings: Mapping[str, Any]) -> Iterator[str]:
    """Yield the files that the settings of a stage name as the start, the teacher and opponents."""
    for name in ("start", "teacher"):
        if settings.get(name, SHIPPED) not in ("", SHIPPED):
            yield str(settings[name])
    opponents = settings.get("opponents", {})
    for name in opponents if isinstance(opponents, Mapping) else ():
        if searches(name):
            path = registry.parse(name, settings["game"]).arguments.get("path", SHIPPED)
            yield from () if path == SHIPPED else (str(path),)
        elif name.endswith(FILES):
            yield name


def check_policies(named: Iterable[str], recipe: Path, folder: Path, allowed: Iterable[str]) -> None:
    """Check the policies that a recipe names, before one of them is read.

    They may be in the folder of the recipe, in the folder of the run and among those of the project. Raise UserError
    for any other file that is not one of `allowed`, which the user has typed.
    """
    places = [each.resolve() for each in (recipe.parent, folder, OF_THE_PROJECT)]
    typed = {Path(each).resolve() for each in allowed}
    for name in named:
        file = Path(name).resolve()
        if file not in typed and not any(map(file.is_relative_to, places)):
            raise UserError(f"{recipe} names the policy {name}; to allow that, add --allow {shlex.quote(name)}")
