"""The plug-ins that the user trusts not to keep data between games, and the consequences for the deals.

No sandbox closes every channel between two processes of a plug-in: data that one has read is in memory for the next,
and the system records when a file was read. Therefore a tournament with a plug-in that is not trusted plays no deal
twice.
"""

from collections.abc import Sequence

from bloodrage_agents import registry
from bloodrage_env.errors import UserError


def trusted(asked: Sequence[str], specs: Sequence[str], game: str) -> tuple[str, ...]:
    """Return the plug-ins that `--trust` names, as `registry.Spec.name`. Raise UserError for one not in `specs`."""
    playing = plug_ins(specs, game)
    names = {spec: registry.parse(spec, game).name for spec in asked}
    for spec, name in names.items():
        if name not in playing:
            raise UserError(
                f"--trust {spec} is not a plug-in among the agents; there are {', '.join(playing) or 'none'}"
            )
    return tuple(sorted(set(names.values())))


def plug_ins(specs: Sequence[str], game: str) -> list[str]:
    """Return the plug-ins among the agents, as `registry.Spec.name`, each once."""
    parsed = (registry.parse(spec, game) for spec in specs)
    return sorted({each.name for each in parsed if each.shipped is None})
