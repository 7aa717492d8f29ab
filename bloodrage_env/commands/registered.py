"""The commands of this folder as entry points of the group `bloodrage.commands`; `bloodrage_env.cli` finds them there.

The module of a command has `add_arguments(parser)`, and `run(args) -> int`, which returns the exit status.
"""

from ..cli import Command

demo = Command(
    "let agents play a game and print it",
    "bloodrage_env.commands.demo",
    of_any_game=True,
    example="bloodrage demo --players 3 --seed 7 --html demo.html",
)
play = Command(
    "play against agents in the terminal",
    "bloodrage_env.commands.play",
    of_any_game=True,
    example="bloodrage play --opponents balanced,random",
)
mcp = Command(
    "let language models play through the Model Context Protocol",
    "bloodrage_env.commands.mcp",
    of_any_game=True,
    example="bloodrage mcp --agents balanced",
)
serve = Command(
    "play in the browser, against agents and each other",
    "bloodrage_env.commands.serve",
    example="bloodrage serve --port 8000",
)
replay = Command(
    "print, check or show a saved game",
    "bloodrage_env.commands.replay",
    example="bloodrage replay game.brz --html game.html",
)
analyse = Command(
    "analyse each decision of a saved game with a network and a search",
    "bloodrage_env.commands.analyse",
    example="bloodrage analyse game.brz --html analysis.html",
)
bench = Command(
    "measure decisions per second",
    "bloodrage_env.commands.bench",
    of_any_game=True,
    example="bloodrage bench --quick",
)
cards = Command(
    "list the cards, or show one",
    "bloodrage_env.commands.cards",
    of_any_game=True,
    example="bloodrage cards frigg",
)
compile_ = Command(
    "compile the engine for this machine, once",
    "bloodrage_env.commands.compile",
    of_any_game=True,
    example="bloodrage compile --all",
)
check = Command(
    "play random games with random options and check every state",
    "bloodrage_env.commands.check",
    of_any_game=True,
    example="bloodrage check --games 100",
)
versions = Command(
    "print the versions of the package, of what it needs, and of the rules",
    "bloodrage_env.commands.versions",
    example="bloodrage versions --json",
)
