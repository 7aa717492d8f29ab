"""`bloodrage play`: a person at one seat, in the terminal."""

import argparse
import contextlib
import secrets
import sys
from collections.abc import Iterator, Mapping

from bloodrage_agents.opponents import Opponent, line_up, opponent

from .. import engine
from ..arguments import add_colour, add_save, add_seed, seat_number
from ..errors import UserError
from ..notation import CLANS, events, opening_events
from ..options import Options
from ..replay import HUMAN, Recorder
from ..terminal.person import Left, Person
from ..terminal.text import check_save, coloured, legal_actions, result_table, reveals, save_replay, tell, wants_colour


@contextlib.contextmanager
def thinking(seat: int, colour: bool) -> Iterator[None]:
    """While somebody thinks, a terminal says who; the line is gone afterwards."""
    if not sys.stdout.isatty():
        yield
        return
    text = f"{CLANS[seat]} thinks ..."
    print(coloured(text) if colour else text, end="\r", flush=True)
    try:
        yield
    finally:
        print(" " * len(text), end="\r", flush=True)


class Session:
    """One game of a person at `seat` against others."""

    def __init__(self, game: Recorder, seat: int, others: Mapping[int, Opponent], colour: bool) -> None:
        self.game = game
        self.seat = seat
        self.others = others
        self.colour = colour
        self.person = Person(seat, colour)
        self.marks: list[int] = []  # numbers of actions at which one's own choices can be taken back

    def play(self) -> None:
        """To the end, or until the person leaves."""
        tell(opening_events(self.game.states, self.seat), self.colour)
        print(f"\nYou are {self.person.paint(CLANS[self.seat])}. h for help.")
        while not engine.is_over(self.game.states, 0):
            states = self.game.states
            seat = engine.seat_to_act(states, 0)
            legal = legal_actions(states)
            if seat != self.seat:
                self.person.others_acted = True
                self.marks.clear()
                with thinking(seat, self.colour):
                    action = self.others[seat](states)
                self.answer(action)
            elif len(legal) == 1:
                self.answer(legal[0])
            else:
                self.choose()

    def answer(self, action: int) -> None:
        """Give an answer, and tell what the person may see of it."""
        before = engine.clone(self.game.states, 0)
        told = events(before, action, self.seat)
        self.game.apply(action)
        tell(told, self.colour)
        if reveals(before, action, self.seat):
            self.marks.clear()

    def choose(self) -> None:
        """Ask the person, until an answer or a step back. An answer can be taken back unless it brings out more."""
        action = self.person.ask(self.game.states, self.step_back)
        if action is not None:
            self.marks.append(len(self.game.actions))
            self.answer(action)

    def step_back(self) -> bool:
        """Undo the last own choice."""
        if not self.marks:
            print("Nothing to take back: others have acted since, or something hidden came to light.")
            return False
        self.game.rewind(self.marks.pop())
        print("Taken back.")
        return True


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options."""
    Options.add_arguments(parser, settled=("skip_forced",))
    add_seed(parser, None)
    parser.add_argument(
        "--seat", type=seat_number, default=0, metavar="SEAT", help="yours, by number or clan: wolf, bear ... (0)"
    )
    opponents = "agents: one for all, or one for each other seat, in clockwise order from the first (balanced)"
    parser.add_argument("--opponents", metavar="SPEC[,SPEC...]", help=opponents)
    add_save(parser)
    add_colour(parser)


def run(args: argparse.Namespace) -> int:
    """Play; a game left early is saved too, and one that an opponent can't go on with."""
    # Where a person plays, forced questions are asked: that one is not asked would tell what a hand holds.
    options = Options.from_arguments(args, skip_forced=False)
    if args.seat >= options.num_players:
        raise UserError(f"{CLANS[args.seat]} is not in a game of {options.num_players} players")
    check_save(args.save)
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401  # lines can be edited
    colour = wants_colour(args.colour)
    seed = secrets.randbits(63) if args.seed is None else args.seed
    specs = line_up(args.opponents, args.seat, options.num_players)
    others = {seat: opponent(spec, seat, seed, options) for seat, spec in specs.items()}
    game = Recorder(seed, options, [specs.get(seat, HUMAN) for seat in range(options.num_players)])
    against = ", ".join(f"{CLANS[seat]} ({spec})" for seat, spec in specs.items())
    print(f"Against {coloured(against) if colour else against}.")
    try:
        Session(game, args.seat, others, colour).play()
        print(f"\n{result_table(game.states, colour)}")
    except (Left, KeyboardInterrupt):
        print(f"\nThe game is left after {len(game.actions)} decisions (seed {seed}).")
    finally:
        if args.save:
            save_replay(game.replay(), args.save)
    return 0
