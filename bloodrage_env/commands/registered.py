"""The commands of this folder as entry points of the group `bloodrage.commands`; `bloodrage_env.cli` finds them there.

The module of a command has `add_arguments(parser)`, and `run(args) -> int`, which returns the exit status.
"""

from ..cli import Command

demo = Command("play a game at random and print it", "bloodrage_env.commands.demo")
play = Command("play against agents in the terminal", "bloodrage_env.commands.play")
serve = Command("play in the browser, against agents and each other", "bloodrage_env.commands.serve")
replay = Command("print, check or show a saved game", "bloodrage_env.commands.replay")
analyse = Command(
    "say what a network and its search think of each decision of a saved game", "bloodrage_env.commands.analyse"
)
bench = Command("measure decisions a second", "bloodrage_env.commands.bench")
cards = Command("list the cards, or show one", "bloodrage_env.commands.cards")
compile_ = Command("compile the engine for this machine, once", "bloodrage_env.commands.compile")
check = Command("play random games and check the invariants after every decision", "bloodrage_env.commands.check")
