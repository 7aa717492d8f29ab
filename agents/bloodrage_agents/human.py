"""`human`: a person in the terminal, for a game of `match.play_game`; `bloodrage play` shows more, and has undo."""

from typing import Any, ClassVar, Literal

import numpy as np

from bloodrage_env import games
from bloodrage_env.core.engine.options import GameOptions
from bloodrage_env.terminal.person import Left, Person
from bloodrage_env.terminal.text import wants_colour

from .base import ActionMask, Agent
from .match import Forfeit


class Human(Agent):
    """A person at the keyboard, who sees the board, the question and a numbered menu, and enters a number."""

    sees: ClassVar[Literal["observation", "view"]] = "view"

    def reset(self, seat: int, options: GameOptions) -> None:
        """Prepare for a new game."""
        self.person = Person(games.presentation(options.game), seat, wants_colour("auto"))

    def act(self, observation: Any, action_mask: ActionMask, rng: np.random.Generator) -> int:
        """Return the action that the person chose. A person who leaves forfeits."""
        self.person.others_acted = True  # nobody says whether they have
        try:
            action = self.person.ask(observation.record, nothing_to_take_back)
        except Left:
            raise Forfeit("has left the game") from None
        assert action is not None, "nothing is taken back"
        return action


def nothing_to_take_back() -> bool:
    """Return False: answers to an agent's questions cannot be taken back."""
    print("Nothing can be taken back in this game.")
    return False
