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

from . import registry
from .base import ActionMask, Agent, View
from .match import Forfeit

FORMS: Final = ("words", "id", "struct", "notation")  # of answers, in turns


class ByText(Agent):
    """Plays as `agent`. A prompt that does not list the words of its action is a forfeit.

    `words` is the seed of a vocabulary that replaces all names, -1 for none.
    """

    sees: ClassVar[Literal["observation", "view"]] = "view"

    def __init__(self, agent: str = "", state: str = "table", words: int = -1) -> None:
        self.spec = agent
        shown: Any = {"state": state}
        self.parts = Parts(**shown, words=words if words >= 0 else None)
        self.asked = 0

    def reset(self, seat: int, options: GameOptions) -> None:
        """Begin a game."""
        self.text = TextGame(options.game, self.parts)
        self.agent = registry.make(self.spec or registry.default(options.game), options.game)
        begin = getattr(self.agent, "reset", None)
        if begin is not None:
            begin(seat, options)

    def act(self, observation: Any, action_mask: ActionMask, rng: np.random.Generator) -> int:
        """Return the action that is read from the agent's answer."""
        view: View = observation
        seen = view if getattr(self.agent, "sees", "") == "view" else view.observation()
        action = int(self.agent.act(seen, action_mask, rng))
        prompt = self.text.prompt(view.record, view.seat)
        (wanted,) = [each for each in self.text.structs.actions(view.record, view.seat) if each["id"] == action]
        if self.text.hidden(wanted["text"]) not in prompt:
            raise Forfeit(f"action {action} is not in the prompt")
        self.asked += 1
        return self.text.read(self.text.hidden(self._answer(wanted)), view.record, view.seat)

    def _answer(self, wanted: dict[str, Any]) -> str:
        """An action as a language model could write it."""
        form = FORMS[self.asked % len(FORMS)]
        if form == "words":
            return f"It is best to wait.\n\n**Answer: {wanted['text']}.**\n"
        if form == "id":
            return f"Answer: {wanted['id']}"
        if form == "struct":
            return f"I choose\n```json\n{as_json({'kind': wanted['kind'], 'arguments': wanted['arguments']})}\n```"
        return action_names(games.game(self.text.structs.game.name).blocks)[int(wanted["id"])]
