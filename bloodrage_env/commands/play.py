"""`bloodrage play`: a person at one seat, in the terminal."""

import argparse
import contextlib
import random
import secrets
from collections.abc import Callable
from typing import Final

import numpy as np

from .. import engine
from ..engine.compiled import States
from ..engine.ids import NONE, Decision
from ..errors import UserError
from ..notation import CLANS, decision_text, events, opening_events
from ..notation.trace import pieces
from ..render.ansi import board_text
from ..replay import Recorder
from .cards import card_lines, find
from .common import check_save, coloured, legal_actions, random_action, result_table, save_replay, tell, wants_colour
from .menu import card_of, menu

HELP: Final = """\
  a number  choose              b        the board
  ?         the cards on offer  ? 3      the card of choice 3
  ? troll   any card            u        take back your last choice, while nobody knows of it
  q         leave the game      h        this help"""

Opponent = Callable[[States], int]  # from the game, where its seat is to act, to an action


def opponents(seed: int, num_players: int) -> list[Opponent]:
    """Who plays the other seats, one for each seat: here better players are plugged in."""
    rng = random.Random(seed)
    return [lambda states: random_action(states, rng)] * num_players


class Left(Exception):  # noqa: N818  # no error: the person leaves
    """The person has had enough."""


class Session:
    """One game of a person at `seat` against others."""

    def __init__(self, game: Recorder, seat: int, others: list[Opponent], colour: bool) -> None:
        self.game = game
        self.seat = seat
        self.others = others
        self.colour = colour
        self.marks: list[int] = []  # numbers of actions at which one's own choices can be taken back
        self.others_acted = True  # since the board was last shown

    def play(self) -> None:
        """To the end, or until the person leaves."""
        tell(opening_events(self.game.states, self.seat), self.colour)
        print(f"\nYou are {self.paint(CLANS[self.seat])}. h for help.")
        while not engine.is_over(self.game.states, 0):
            states = self.game.states
            if engine.seat_to_act(states, 0) != self.seat:
                self.others_acted = True
                self.marks.clear()
                self.answer(self.others[engine.seat_to_act(states, 0)](states))
                continue
            legal = legal_actions(states)
            if len(legal) == 1:
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
        """Ask the person, until an answer or a step back."""
        states = self.game.states
        if states[0].decision == Decision.ACTION and self.others_acted:
            self.show_board()
        lines, actions = menu(states)
        print(f"\n{self.paint(decision_text(states, 0))}:")
        print("\n".join(lines))
        while True:
            words = self.read().split(maxsplit=1)
            command, rest = (words[0].lower(), words[1:]) if words else ("", [])
            if command.isascii() and command.isdigit() and not rest:
                if 1 <= int(command[:9]) <= len(actions):
                    self.take(actions[int(command) - 1])
                    return
                print(f"Choices go from 1 to {len(actions)}.")
            elif command == "u":
                if self.step_back():
                    return
            elif command == "q":
                raise Left
            else:
                self.look(command, rest[0] if rest else "", actions)

    def read(self) -> str:
        """A line of the person's."""
        try:
            return input("> ")
        except EOFError:
            print()
            raise Left from None

    def take(self, action: int) -> None:
        """A choice of the person's own; it can be taken back unless it brings something to light."""
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

    def look(self, command: str, rest: str, actions: list[int]) -> None:
        """Commands that change nothing."""
        if command == "b":
            self.show_board()
        elif command.startswith("?"):
            self.show_cards((command[1:] + " " + rest).strip(), actions)
        elif command == "h":
            print(HELP)
        else:
            print("Give the number of a choice, or h for help.")

    def show_board(self) -> None:
        """As the person may see it."""
        print("\n" + board_text(self.game.states, 0, self.seat, self.colour).rpartition("\n\n")[0])
        self.others_acted = False

    def show_cards(self, which: str, actions: list[int]) -> None:
        """Texts of cards: those on offer, that of a choice, or any card by name."""
        s = self.game.states[0]
        if not which:
            cards = sorted({card for action in actions if (card := card_of(action)) != NONE})
            cards = cards or [int(card) for card in np.flatnonzero(s.hand[self.seat])]
        elif which.isascii() and which.isdigit():
            number = int(which[:9])
            card = card_of(actions[number - 1]) if 1 <= number <= len(actions) else NONE
            cards = [] if card == NONE else [card]
        else:
            try:
                cards = find(which)
            except UserError as error:
                print(error)
                return
        print("\n".join(line for card in cards for line in card_lines(card)) or "No card is meant there.")

    def paint(self, text: str) -> str:
        """A text with coloured clans, if colours are on."""
        return coloured(text) if self.colour else text


def reveals(before: States, action: int, seat: int) -> bool:
    """Whether an answer of `seat` had others act, or told it something that was hidden from it."""
    others = [other for other in range(before[0].num_players) if other != seat]
    for piece in pieces(before, 0, action):
        s, after = piece.before[0], piece.after[0]
        if piece.action >= 0 and s.seat != seat:
            return True
        if any((s[name] != after[name]) for name in ("age", "phase", "draft_round", "quests_open")):
            return True
        if any((s[name][others] != after[name][others]).any() for name in ("hand", "quests", "pending")):
            return True
    return False


def run(args: argparse.Namespace) -> int:
    """Play; a game left early is saved too."""
    if args.seat >= args.players:
        raise UserError(f"{CLANS[args.seat]} is not in a game of {args.players} players")
    check_save(args.save)
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401  # lines can be edited
    colour = wants_colour(args.colour)
    seed = secrets.randbits(32) if args.seed is None else args.seed
    # Where a person plays, forced questions are asked: that one is not asked would tell what a hand holds.
    game = Recorder(seed, args.players, args.first_game, skip_forced=False)
    try:
        Session(game, args.seat, opponents(seed, args.players), colour).play()
        print(f"\n{result_table(game.states, colour)}")
    except (Left, KeyboardInterrupt):
        print(f"\nThe game is left after {len(game.actions)} decisions (seed {seed}).")
    if args.save:
        save_replay(game.replay(), args.save)
    return 0
