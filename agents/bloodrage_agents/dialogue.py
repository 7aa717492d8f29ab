"""A game as a chat of one seat with rewards: what environments to train language models are made of."""

from collections.abc import Mapping
from typing import Final

from bloodrage_env.core.engine.options import GameOptions
from bloodrage_env.language.prompt import Parts, refusal

from .episode import TRIES, Episode
from .opponents import line_up

OVER: Final = "The game is over."

Message = dict[str, str]


class Dialogue:
    """A game of one seat as a chat. The other seats are played by `opponents`, one spec for all or one for each.

    `opening` returns the first messages. `answer` takes what the model says and returns the next question.
    """

    def __init__(
        self, options: GameOptions, seed: int, seat: int, opponents: str | None, parts: Parts, tries: int
    ) -> None:
        self.seat = seat
        self.episode = Episode(options, seed, line_up(opponents, seat, options), parts, tries)

    def opening(self) -> list[Message]:
        """Return the rules, and the first question of the seat."""
        return [
            {"role": "system", "content": self.episode.system()},
            {"role": "user", "content": self.episode.prompt()},
        ]

    @property
    def over(self) -> bool:
        """Whether the game is over, or lost by answers that meant no legal action."""
        return self.episode.seat < 0

    def answer(self, text: str) -> str:
        """Take an answer. Return the next question, with the reason if it was refused, or that the game is over."""
        reason = self.episode.answer(text)
        if self.over:
            return OVER
        question = self.episode.prompt()
        return question if reason is None else f"{refusal(reason)}\n\n{question}"

    def rewards(self) -> dict[str, float]:
        """Return the part of the victory (0 while the game goes on), and the share of answers that could be read."""
        return {
            "won": self.episode.won(self.seat) if self.over else 0.0,
            "readable": self.episode.readable(self.seat),
        }


class Deals:
    """The games of an environment: one example for each seat of each deal, with its opening and its seed and seat."""

    def __init__(
        self, options: GameOptions, opponents: str | None = None, parts: Parts | None = None, tries: int = TRIES
    ) -> None:
        self.options, self.opponents, self.parts, self.tries = options, opponents, parts or Parts(), tries

    def begin(self, info: Mapping[str, int]) -> Dialogue:
        """Return the game of an example."""
        return Dialogue(self.options, info["seed"], info["seat"], self.opponents, self.parts, self.tries)

    def seats(self, seed: int) -> list[dict[str, int]]:
        """Return the examples of a deal, one for each seat, as `begin` takes them."""
        return [{"seed": seed, "seat": seat} for seat in range(self.options.num_players)]
