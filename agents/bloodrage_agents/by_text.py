"""Another agent that plays by text: its actions are written as answers and read again.

It shows that nothing is lost on the way: `bloodrage_agents.by_text:ByText:agent=balanced` plays as `balanced` does.
"""

from typing import Any, ClassVar, Final, Literal

import numpy as np

from bloodrage_env import games
from bloodrage_env.core.engine.options import GameOptions
from bloodrage_env.core.engine.tables import action_names
from bloodrage_env.encoding import as_json
from bloodrage_env.language.prompt import Parts, TextGame
from bloodrage_env.language.whole import Move

from . import registry
from .base import ActionMask, Agent, View
from .match import Forfeit

FORMS: Final = ("words", "id", "struct", "notation")  # of answers, in turns


class ByText(Agent):
    """Plays as `agent`. A prompt that does not list the words of its action is a forfeit.

    `words` is the seed of a vocabulary that replaces all names, -1 for none.
    """

    sees: ClassVar[Literal["observation", "view"]] = "view"

    def __init__(self, agent: str = "", state: str = "table", actions: str = "whole", words: int = -1) -> None:
        self.spec = agent
        shown: Any = {"state": state, "actions": actions}
        self.parts = Parts(**shown, words=words if words >= 0 else None)
        self.asked = 0

    def reset(self, seat: int, options: GameOptions) -> None:
        """Begin a game."""
        self.text = TextGame(options.game, self.parts)
        self.game = games.game(options.game)
        self.agent = registry.make(self.spec or registry.default(options.game), options.game)
        begin = getattr(self.agent, "reset", None)
        if begin is not None:
            begin(seat, options)

    def act(self, observation: Any, action_mask: ActionMask, rng: np.random.Generator) -> int:
        """Return the action that is read from the agent's answer, or from an earlier one."""
        view: View = observation
        kept = self.text.kept(view.record, view.seat)
        if kept is not None:
            return kept
        move = self.choose(view, rng)
        prompt = self.text.prompt(view.record, view.seat)
        if not all(self.text.hidden(part) in prompt for parts in move.parts for part in parts):
            raise Forfeit(f"{move.texts[0]!r} is not in the prompt")
        self.asked += 1
        return self.text.read(self.text.hidden(self._answer(view, move)), view.record, view.seat)

    def choose(self, view: View, rng: np.random.Generator) -> Move:
        """Return the longest move that the agent makes, as it goes on in a redeal. Raise Forfeit for none."""
        moves, states = self.text.moves(view.record, view.seat), view.redeal(0)
        states["skip_forced"][0] = 0
        found: Move | None = None
        for number in range(max(len(move.steps) for move in moves)):
            before = rng.bit_generator.state
            now = View.of(states, 0, view.seat, view.game)
            now.record["skip_forced"] = view.record["skip_forced"]
            skipped = number and now.record[0].skip_forced and self.game.play.is_openly_forced(states, 0)
            action = int(now.record[0].mask.argmax()) if skipped else self._decide(now, rng)
            chosen = [move for move in moves if len(move.steps) > number and move.steps[number].action == action]
            if not chosen:
                rng.bit_generator.state = before  # it is asked again later
                break
            moves = chosen
            found = next((move for move in moves if len(move.steps) == number + 1), found)
            self.game.play.apply(states, 0, action)
            if all(len(move.steps) == number + 1 for move in moves):
                break
        if found is None:
            raise Forfeit("no move begins with the action")
        return found

    def _decide(self, view: View, rng: np.random.Generator) -> int:
        """What the agent answers."""
        seen = view if getattr(self.agent, "sees", "") == "view" else view.observation()
        return int(self.agent.act(seen, view.record[0].mask.copy(), rng))

    def _answer(self, view: View, move: Move) -> str:
        """A move as a language model could write it."""
        form = FORMS[self.asked % len(FORMS)]
        if form == "words" or len(move.steps) > 1:
            return f"It is best to wait.\n\n**Answer: {move.texts[self.asked % len(move.texts)]}.**\n"
        action = move.steps[0].action
        if form == "id":
            return f'Answer: {{"id": {action}}}' if self.text.whole else f"Answer: {action}"
        if form == "struct":
            return f"I choose\n```json\n{as_json(self.text.structs.without_text(view.record, view.seat, action))}\n```"
        return action_names(self.game.blocks)[action]
