"""The commands of this folder as entry points of the group `bloodrage.commands`; `bloodrage_env.cli` finds them there.

The module of a command has `add_arguments(parser)`, and `run(args) -> int`, which returns the exit status.
"""

from ..cli import Command

demo = Command("let agents play a game and print it", "bloodrage_env.commands.demo", of_any_game=True)
play = Command("play against agents in the terminal", "bloodrage_env.commands.play", of_any_game=True)
mcp = Command(
    "let language models play through the Model Context Protocol", "bloodrage_env.commands.mcp", of_any_game=True
)
serve = Command("play in the browser, against agents and each other", "bloodrage_env.commands.serve", of_any_game=True)
replay = Command("print, check or show a saved game", "bloodrage_env.commands.replay")
analyse = Command("analyse each decision of a saved game with a network and a search", "bloodrage_env.commands.analyse")
bench = Command("measure decisions per second", "bloodrage_env.commands.bench", of_any_game=True)
cards = Command("list the cards, or show one", "bloodrage_env.commands.cards", of_any_game=True)
compile_ = Command("compile the engine for this machine, once", "bloodrage_env.commands.compile", of_any_game=True)
check = Command(
    "play random games with random options and check every state", "bloodrage_env.commands.check", of_any_game=True
)
