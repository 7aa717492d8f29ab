"""The plug-ins that the user trusts not to keep data between games, and the consequences for the deals.

No sandbox closes every channel between two processes of a plug-in: data that one has read is in memory for the next,
and the system records when a file was read. Therefore a tournament with a plug-in that is not trusted plays no deal
twice.
"""

import argparse
from collections.abc import Sequence

from bloodrage_agents import registry
from bloodrage_env.arguments import SEED, positive_number, whole_number
from bloodrage_env.core.engine.chance import MAX_SEED
from bloodrage_env.errors import UserError


def add_trust(parser: argparse._ActionsContainer) -> None:
    """Add the option `--trust`."""
    trust = (
        "a plug-in that keeps nothing from one game to the next, such as file.py:Class; can be repeated. If all "
        "plug-ins are trusted, each deal is played at all seats; otherwise each game has a deal of its own"
    )
    parser.add_argument("--trust", action="append", default=[], metavar="PLUG-IN", help=trust)


def add_games(parser: argparse._ActionsContainer) -> None:
    """Add the options of games between agents: the seed, the time of a decision, and `--trust`."""
    parser.add_argument("--seed", type=whole_number(0, MAX_SEED), metavar="N", help=SEED)
    limit = "a plug-in that takes longer forfeits the game (60)"
    parser.add_argument("--seconds-a-decision", type=positive_number, default=60.0, metavar="S", help=limit)
    add_trust(parser)


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
