"""Games as environments of `verifiers`, in which a language model plays one seat against agents.

`load_environment` needs the package `verifiers`. `Dialogue`, a game as messages of a chat with its rewards, does not.
"""

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, Literal

from bloodrage_env import games
from bloodrage_env.core.options import GameOptions
from bloodrage_env.errors import UserError
from bloodrage_env.language.prompt import Parts, refusal

from .episode import TRIES, Episode
from .opponents import line_up

if TYPE_CHECKING:
    import verifiers as vf

MISSING: Final = (
    "verifiers_env needs the package verifiers, version 0.3: install it in an environment of its own "
    "(docs/language.md, Verifiers)"
)
OVER: Final = "The game is over."
FORMAT_WEIGHT: Final = 0.1

Message = dict[str, str]
Memory = Literal["full", "none"]


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

    def examples(self, seed: int, deals: int) -> list[dict[str, Any]]:
        """Return the examples of so many deals, with the seeds from `seed` on."""
        seats = range(self.options.num_players)
        infos = [{"seed": seed + deal, "seat": seat} for deal in range(deals) for seat in seats]
        return [{"prompt": self.begin(info).opening(), "answer": "", "info": info} for info in infos]


def _environment(vf: Any, known: Deals, memory: Memory) -> Any:
    """Return the class of the environment, whose base the package provides."""

    class TextGame(vf.MultiTurnEnv):
        async def setup_state(self, state: Any) -> Any:
            state["dialogue"] = await asyncio.to_thread(known.begin, state["info"])
            state.update(state["dialogue"].rewards())
            return state

        async def env_response(self, messages: Any, state: Any, **kwargs: Any) -> Any:
            said = self.parser.parse_answer(messages) or ""
            content = await asyncio.to_thread(state["dialogue"].answer, said)
            state.update(state["dialogue"].rewards())
            reply = [vf.UserMessage(content=content)]
            if state["dialogue"].over:
                state["final_env_response"] = reply
            return reply

        async def get_prompt_messages(self, state: Any) -> Any:
            messages = await super().get_prompt_messages(state)
            return messages if memory == "full" or len(messages) == 2 else [messages[0], messages[-1]]

        async def render_completion(self, state: Any) -> None:
            steps = state["trajectory"]
            said = [message for step in steps for message in (step["prompt"][-1], *step["completion"])]
            state["completion"] = [*said[1:], *(state["final_env_response"] or [])]

        @vf.cleanup  # type: ignore[untyped-decorator]
        async def end(self, state: Any) -> None:
            state.pop("dialogue", None)

    return TextGame


def load_environment(
    game: str,
    opponents: str | None = None,
    options: Mapping[str, Any] | None = None,
    parts: Mapping[str, Any] | None = None,
    deals: int = 100,
    eval_deals: int = 20,
    seed: int = 0,
    tries: int = TRIES,
    memory: Memory = "full",
    format_weight: float = FORMAT_WEIGHT,
    max_turns: int = -1,
) -> "vf.Environment":
    """Return an environment of `verifiers`. All arguments can be given as JSON.

    - `opponents`: agents for the other seats, as specs (the default opponent of the game).
    - `options`: of the game. `parts`: of prompts, as `language.prompt.Parts` takes them.
    - `deals` and `eval_deals`: the number of deals for training and, with other seeds, for evaluation. Each deal has an
      example for each seat. `seed` is the first seed.
    - `tries`: answers in a row without a legal action that lose the game.
    - `memory`: "full" sends the whole conversation each time, "none" the rules and the last message alone.
    - `format_weight`: the weight of the share of readable answers. The part of the victory has the weight 1.
    - `max_turns`: answers after which a game ends without a victory, -1 for no limit.

    Raises UserError without the package, or for agents that cannot play.
    """
    try:
        import verifiers as vf
        from datasets import Dataset
        from verifiers import MultiTurnEnv  # noqa: F401  # versions differ
    except ImportError:
        raise UserError(MISSING) from None
    known = Deals(games.options_from(game, **(options or {})), opponents, Parts(**(parts or {})), tries)

    async def won(state: Any) -> float:
        return float(state["won"])

    async def readable(state: Any) -> float:
        return float(state["readable"])

    return _environment(vf, known, memory)(
        dataset=lambda: Dataset.from_list(known.examples(seed, deals)),
        eval_dataset=lambda: Dataset.from_list(known.examples(seed + deals, eval_deals)),
        rubric=vf.Rubric(funcs=[won, readable], weights=[1.0, format_weight]),
        max_turns=max_turns,
    )
