"""`bloodrage play`: a person plays one seat in the terminal."""

import argparse
import contextlib
import secrets
import sys
from collections.abc import Mapping

from bloodrage_agents import registry
from bloodrage_agents.opponents import Opponent, line_up, opponent

from .. import games
from ..arguments import OPTIONS, add_colour, add_game, check_output, seat_of
from ..core.api.replay import HUMAN, Recorder
from ..core.compile.decorators import Records
from ..core.shown.presentation import Presentation
from ..errors import UserError
from ..language import transcript
from ..terminal.person import Left, Person
from ..terminal.text import (
    UNSHOWN,
    coloured,
    legal_actions,
    print_events,
    result,
    save_replay,
    wants_colour,
)
from .replay import save_talk


class Thinking:
    """The line of a terminal that says who is thinking. It stays until something else is printed: a line for each of
    several secret answers would tell their number.
    """

    def __init__(self, game: Presentation, colour: bool) -> None:
        self.game, self.colour = game, colour
        self.shown = ""

    def show(self, states: Records) -> None:
        """Show who is asked, or that others are where nobody may know who has answered."""
        secret = self.game.secret(states) or self.game.at_once(states) is not None
        text = f"{'Another player' if secret else self.game.seats[int(states[0].seat)]} thinks ..."
        if text != self.shown and sys.stdout.isatty():
            self.clear()
            self.shown = text
            print(coloured(text, self.game) if self.colour else text, end="\r", flush=True)

    def clear(self) -> None:
        """Remove the line."""
        if self.shown:
            print(" " * len(self.shown), end="\r", flush=True)
        self.shown = ""


class Session:
    """One game of a person at `seat` against others."""

    def __init__(self, game: Recorder, name: str, seat: int, others: Mapping[int, Opponent], colour: bool) -> None:
        self.game = game
        self.rules, self.shown = games.game(name).play, games.presentation(name)
        self.seat = seat
        self.others = others
        self.colour = colour
        self.person = Person(self.shown, seat, colour)
        self.thinking = Thinking(self.shown, colour)
        self.marks: list[int] = []  # numbers of actions at which one's own choices can be taken back

    def play(self) -> None:
        """Play to the end, or until the person leaves."""
        print_events(self.shown.opening_events(self.game.states, self.seat), self.shown, self.colour)
        print(f"\nYou are {self.person.paint(self.shown.seats[self.seat])}. h for help.")
        try:
            self.play_on()
        finally:
            self.thinking.clear()

    def play_on(self) -> None:
        """Play to the end, or until the person leaves."""
        while not self.rules.is_over(self.game.states, 0):
            states = self.game.states
            seat = self.rules.seat_to_act(states, 0)
            legal = legal_actions(states)
            if seat != self.seat:
                self.person.others_acted = True
                self.marks.clear()
                self.thinking.show(states)
                self.others[seat].catch_up(self.game.replay())
                self.answer(self.others[seat](states))
            elif len(legal) == 1:
                self.answer(legal[0])
            else:
                self.choose()

    def answer(self, action: int) -> None:
        """Apply an action and print the events that the person may see."""
        before = self.rules.clone(self.game.states, 0)
        found = self.shown.events(before, action, self.seat)
        self.game.apply(action)
        if any(event.kind not in UNSHOWN for event in found):
            self.thinking.clear()
        print_events(found, self.shown, self.colour)
        if self.shown.terminal.reveals(before, action, self.seat):
            self.marks.clear()

    def choose(self) -> None:
        """Ask the person. Return an action, or None after a step back. Answers that reveal something are final."""
        self.thinking.clear()
        action = self.person.ask(self.game.states, self.step_back)
        if action is not None:
            self.marks.append(len(self.game.actions))
            self.answer(action)

    def step_back(self) -> bool:
        """Undo the person's last choice."""
        if not self.marks:
            print("Nothing to take back: others have acted since, or your choice has shown you something new.")
            return False
        self.game.rewind(self.marks.pop())
        print("Taken back.")
        return True


def add_arguments(parser: argparse.ArgumentParser, game: str) -> None:
    """Add the options."""
    add_game(parser, game)
    games.game(game).options.add_arguments(parser, settled=("skip_forced",))
    OPTIONS.add(parser, "--seed", help="seed of the game (random)")
    names = ", ".join(name.lower().split()[-1] for name in games.presentation(game).seats[:2])
    parser.add_argument(
        "--seat", type=seat_of(game), default=0, metavar="SEAT", help=f"your seat, by number or name: {names}, ... (0)"
    )
    default = registry.default(game)
    opponents = f"the agents: one for all other seats, or one for each, in rising order of seats ({default})"
    parser.add_argument("--opponents", metavar="SPEC[,SPEC...]", help=opponents)
    OPTIONS.add(parser, "--save")
    add_colour(parser)


def run(args: argparse.Namespace) -> int:
    """Play and save the game, even if the person leaves early or an opponent fails."""
    # Where a person plays, forced questions are asked: a question that is not asked would reveal what a hand holds.
    options, shown = (
        games.game(args.game).options.from_arguments(args, skip_forced=False),
        games.presentation(args.game),
    )
    if args.seat >= options.num_players:
        raise UserError(f"{shown.seats[args.seat]} is not in a game of {options.num_players} players")
    check_output(args.save)
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401  # lines can be edited
    colour = wants_colour(args.colour)
    seed = secrets.randbits(63) if args.seed is None else args.seed
    specs = line_up(args.opponents, args.seat, options)
    others = {seat: opponent(spec, seat, seed, options) for seat, spec in specs.items()}
    players = [specs.get(seat, HUMAN) for seat in range(options.num_players)]
    game = games.recorder(options, seed, players)
    names = {seat: f"{shown.seats[seat]} ({spec})" for seat, spec in specs.items()}
    sides = options.num_players // min(games.game(args.game).team, options.num_players)
    against = "Against " + ", ".join(name for seat, name in names.items() if (seat - args.seat) % sides)
    partners = ", ".join(name for seat, name in names.items() if (seat - args.seat) % sides == 0)
    text = f"{against}.{f' Your partner is {partners}.' if partners else ''}" if specs else "You play alone."
    print(coloured(text, shown) if colour else text)
    try:
        Session(game, args.game, args.seat, others, colour).play()
        print(f"\n{result(game.states, shown, colour)}")
    except (Left, KeyboardInterrupt):
        print(f"\nThe game is left after {len(game.actions)} decisions (seed {seed}).")
    finally:
        if args.save:
            save_replay(game.replay(), args.save)
            save_talk(transcript.of_agents(each.agent for each in others.values()), args.save)
    return 0
