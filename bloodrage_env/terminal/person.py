"""Asks a person in the terminal: shows the board, the question and a numbered menu, and looks up cards."""

import re
import textwrap
from collections.abc import Callable
from typing import Final

from ..core.compile.decorators import Records
from ..core.shown.presentation import Basket, Presentation
from ..errors import UserError
from ..text import is_number
from .text import WIDTH, coloured

NONE: Final = -1  # no action, or nothing to look up

HELP: Final = """\
  a number  choose              b        the board
  ?         the cards on offer  ? 3      the card of choice 3
  ? name    any card            u        take back your last choice, while nobody knows of it
  q         leave the game; nobody wins it, and --save keeps it
  h         this help"""


_NUMBER: Final = re.compile(r"-?[0-9]+")


def _number(word: str) -> int:
    """Return the number that a word of digits spells, at most 10**9: `int` refuses thousands of digits."""
    return int(max(-1e9, min(float(word), 1e9)))


class Left(Exception):  # noqa: N818  # no error: the person leaves
    """Raised when the person leaves the game."""


class Person:
    """A person who plays `seat`. The game can be the true one or what the seat knows of it."""

    def __init__(self, game: Presentation, seat: int, colour: bool) -> None:
        self.game, self.terminal = game, game.terminal
        self.seat = seat
        self.colour = colour
        self.others_acted = True  # since the board was last shown
        self.picked: list[int] = []  # answers of a set that are still to be given ...
        self.picking = NONE  # ... to questions of this kind

    def ask(self, states: Records, step_back: Callable[[], bool]) -> int | None:
        """Return the person's answer to the open question, or None if `step_back` has taken back the last answer.

        `step_back` returns whether it has, and prints the reason if not. Raise Left if the person leaves.
        """
        decision = int(states[0].decision)
        if self.picked and self.picking == decision and states[0].mask[self.picked[0]]:
            return self.picked.pop(0)
        self.picked.clear()  # the last of them may have been the only legal answer, which is not asked
        if self.terminal.shows_board(states) and self.others_acted:
            self.show_board(states)
        context = self.terminal.context(states)
        if context:
            print("\n" + self.paint("\n".join(context)))
        if basket := self.terminal.basket(states):
            self.picked, self.picking = self.fill(states, basket, step_back), decision
            return self.picked.pop(0) if self.picked else None
        lines, actions = self.terminal.menu(states)
        print(f"\n{self.paint(self.game.decision_text(states, 0).rstrip('.?'))}:")
        print("\n".join(lines))
        sure = NONE  # the action that is carried out if it is chosen once more
        while True:
            words = self.read().split(maxsplit=1)
            command, rest = (words[0].lower(), words[1:]) if words else ("", [])
            if is_number(command) and not rest:
                if not 1 <= _number(command) <= len(actions):
                    print(f"Choices go from 1 to {len(actions)}.")
                    continue
                action = actions[_number(command) - 1]
                caution = self.terminal.caution(states, action)
                if not caution or action == sure or len(actions) == 1:
                    return action
                sure = action
                print(f"{caution}: {command} again.")
            elif command == "u":
                if step_back():
                    return None
            elif command == "q":
                raise Left
            else:
                self.look(states, command, rest[0] if rest else "", actions)

    def fill(self, states: Records, basket: Basket, step_back: Callable[[], bool]) -> list[int]:
        """Return the answers of a set that the person picks; none if `step_back` has taken back the choice
        before it.
        """
        history: list[int] = []
        sure, end = False, len(basket.answers)
        self.show_basket(basket)
        while True:
            text = self.read().strip()
            numbers = [_number(word) for word in text.split() if _NUMBER.fullmatch(word)]
            if numbers and len(numbers) == len(text.split()):
                for number in numbers[: None if end not in numbers else numbers.index(end)]:
                    if problem := basket.pick(number):
                        print(problem)
                        break
                    history.append(number)
                    sure = False
                else:
                    if end in numbers:
                        caution = "" if sure else basket.caution()
                        if basket.actions() and not caution:
                            return basket.actions()
                        sure = bool(basket.actions())
                        text = f"{caution}: {end} again to end." if sure else "At least one must be picked."
                        print(textwrap.fill(text, WIDTH))
                        continue
                self.show_basket(basket)
            elif text.lower() == "u":
                if history:
                    basket.pick(-history.pop())
                    self.show_basket(basket)
                elif step_back():
                    return []
            elif text.lower() == "q":
                raise Left
            else:
                command, _, rest = text.partition(" ")
                self.look(states, command.lower(), rest.strip(), basket.answers)

    def show_basket(self, basket: Basket) -> None:
        """Print what can be picked, and the current set."""
        print("\n" + self.paint("\n".join(basket.lines())))

    def read(self) -> str:
        """Read a line."""
        try:
            return input("> ")
        except EOFError:
            print()
            raise Left from None

    def look(self, states: Records, command: str, rest: str, actions: list[int]) -> None:
        """Handle commands that do not change the game."""
        if command == "b":
            self.show_board(states)
        elif command.startswith("?"):
            self.show_cards(states, (command[1:] + " " + rest).strip(), actions)
        elif command == "h":
            print(HELP)
        else:
            print("Give the number of a choice, or h for help.")

    def show_board(self, states: Records) -> None:
        """Print the board as the person may see it."""
        print("\n" + self.game.board_text(states, 0, self.seat, self.colour).rpartition("\n\n")[0])
        self.others_acted = False

    def show_cards(self, states: Records, which: str, actions: list[int]) -> None:
        """Print texts of cards: those on offer, that of a choice, or any card by name."""
        if not which:
            cards = self.terminal.topics(states, self.seat, actions)
        elif is_number(which):
            number = _number(which)
            card = self.terminal.topic_of(actions[number - 1]) if 1 <= number <= len(actions) else NONE
            cards = [] if card == NONE else [card]
        else:
            try:
                cards = self.terminal.find(which)
            except UserError as error:
                print(error)
                return
        print(
            "\n".join(line for card in cards for line in self.terminal.topic_lines(card)) or "No card is meant there."
        )

    def paint(self, text: str) -> str:
        """Return a text with coloured seats, if colours are on."""
        return coloured(text, self.game) if self.colour else text
