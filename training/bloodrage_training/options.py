"""The options that the commands share which measure or train agents. A command adds those that it supports."""

from typing import Final

from bloodrage_env import arguments
from bloodrage_env.arguments import positive_number, whole_number

from .workers import BACKENDS

# A command sets the default that "%(default)s" shows.
OPTIONS: Final = arguments.Options(
    arguments.OPTIONS
    | {
        "--agents": {"metavar": "SPEC,SPEC...", "help": "agents, such as random,balanced,ismcts:ms=50"},
        "--deals": {
            "type": whole_number(1, 10**7),
            "metavar": "N",
            "help": "deals of each agent against each opponent, each played at all seats (%(default)s)",
        },
        "--games": {"type": whole_number(1, 10**7), "metavar": "N", "help": "number of games (%(default)s)"},
        "--seed": {
            **arguments.OPTIONS["--seed"],
            "help": "seed of all deals; use it only if every agent is trusted (a random secret in the store)",
        },
        "--seconds-a-decision": {
            "type": positive_number,
            "default": 60.0,
            "metavar": "S",
            "help": "a plug-in that takes longer forfeits the game (%(default)g)",
        },
        "--trust": {
            "action": "append",
            "default": [],
            "metavar": "PLUG-IN",
            "help": "a plug-in that keeps nothing from one game to the next, such as file.py:Class; can be repeated. "
            "If all plug-ins are trusted, each deal is played at all seats; otherwise each game has a deal of its own",
        },
        "--workers": {"type": whole_number(1, 1024), "metavar": "N", "help": "number of workers (one per core)"},
        "--backend": {
            "choices": BACKENDS,
            "default": BACKENDS[0],
            "help": "where workers run: on this machine, or on a Ray cluster (needs the extra ray)",
        },
        "--store": {"metavar": "FOLDER", "help": "a folder of stores; games stored there are not played again"},
        "--out": {"metavar": "FOLDER", "help": "folder of the run; an existing run is resumed (%(default)s)"},
        "--set": {
            "action": "append",
            "default": [],
            "metavar": "KEY=VALUE",
            "dest": "changes",
            "help": "change a setting of the learner, such as --set games=256; can be repeated",
        },
        "--html": {"metavar": "FILE", "help": "write the results as a page"},
        "--anchor": {
            "metavar": "SPEC",
            "help": "the agent with 0 Elo; it changes the column Elo only (an agent of the field)",
        },
    }
)
WORKERS: Final = ("--workers", "--backend")
