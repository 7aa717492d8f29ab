"""The games of this project for `verifiers`, which trains and evaluates language models. It needs that package.

`vf-eval bloodrage_verifiers --env.taskset.game berserk` finds the exported classes: a taskset, the environment, in
which the model plays one seat against agents, and the program that asks the model, within this process.
"""

import asyncio
import itertools
from collections.abc import Iterator
from typing import Any, Literal

from bloodrage_agents.dialogue import Deals
from bloodrage_agents.endpoint import asked_pause, is_retried, pause_before
from bloodrage_agents.episode import TRIES
from bloodrage_env import games
from bloodrage_env.errors import UserError
from bloodrage_env.language.prompt import Parts

try:
    import httpx
    import pydantic
    import verifiers.v1 as vf
    from verifiers.v1.dialects.chat import message_to_wire
except ImportError:
    raise UserError(
        "bloodrage_verifiers needs the package verifiers, version 0.4: install it in an environment of its own "
        "(docs/language.md, Verifiers)"
    ) from None

__all__ = ["Chat", "GameEnv", "Games"]


class GamesConfig(vf.TasksetConfig):
    """What is played.

    - `opponents`: agents for the other seats, as specs (the default opponent of the game).
    - `options`: of the game. `parts`: of prompts, as `language.prompt.Parts` takes them.
    - `seed`: that of the first deal.
    - `tries`: answers in a row without a legal action that lose the game.
    """

    game: str = games.FIRST
    opponents: str | None = None
    options: dict[str, Any] = pydantic.Field(default_factory=dict)
    parts: dict[str, Any] = pydantic.Field(default_factory=dict)
    seed: int = 0
    tries: int = TRIES


class GameData(vf.TaskData):
    """The first question of a seat of a deal; `info` contains `seed` and `seat`."""

    info: dict[str, int]


class GameTask(vf.Task[GameData]):
    """A game."""


class Games(vf.Taskset[GameTask, GamesConfig]):
    """A task for each seat of each deal, without end."""

    INFINITE = True

    def deals(self) -> Deals:
        """Return the games as conversations."""
        given = self.config
        options = games.options_from(given.game, **given.options)
        return Deals(options, given.opponents, Parts(**given.parts), given.tries)

    def load(self) -> Iterator[GameTask]:
        """Yield the tasks."""
        deals = self.deals()
        for seed in itertools.count(self.config.seed):
            for info in deals.seats(seed):
                system, question = deals.begin(info).opening()
                name = f"{self.config.game}, deal {info['seed']}, seat {info['seat']}"
                data = GameData(name=name, prompt=question["content"], system_prompt=system["content"], info=info)
                yield GameTask(data, self.config.task)


class ChatConfig(vf.HarnessConfig):
    """How the model is asked.

    - `memory`: "full" sends the whole conversation each time, "none" the rules and the last message alone.
    - `retries`: how often a request is repeated that the endpoint refuses for now, such as with status 429.
    """

    memory: Literal["full", "none"] = "full"
    retries: int = pydantic.Field(default=4, ge=0)


class Chat(vf.Harness[ChatConfig]):
    """Sends the conversation to the model, by a request of this process."""

    APPENDS_SYSTEM_PROMPT = True
    SUPPORTS_RESUME = True
    EXECUTES_CODE = False
    NEEDS_CONTAINER = False

    async def launch(
        self, ctx: Any, trace: Any, runtime: Any, endpoint: str, secret: str, mcp_urls: dict[str, str], data: Any
    ) -> Any:
        """Ask the model once."""
        system, prompt = self.resolve_prompt(data)
        said = [vf.UserMessage(content=prompt)] if isinstance(prompt, str) else prompt
        messages = [message_to_wire(message) for message in (said if self.config.memory == "full" else said[-1:])]
        request = {"model": ctx.model, "messages": [{"role": "system", "content": system}, *messages]}
        async with httpx.AsyncClient(timeout=None, trust_env=False) as client:
            headers = {"Authorization": f"Bearer {secret}"}
            for retry in itertools.count():
                reply = await client.post(f"{endpoint}/chat/completions", json=request, headers=headers)
                if retry == self.config.retries or not is_retried(reply.status_code):
                    break
                pause = asked_pause(reply.headers)
                await asyncio.sleep(pause_before(retry) if pause is None else pause)
        return vf.ProgramResult(0 if reply.is_success else 1, "", reply.text)


class GameEnvConfig(vf.EnvConfig):
    """`player`: who plays. `format_weight`: the weight of the share of readable answers; that of the victory is 1."""

    player: vf.AgentConfig = vf.AgentConfig(runtime=vf.SubprocessConfig(), harness=ChatConfig(id=__name__))
    format_weight: float = 0.1


class GameEnv(vf.Env[GameEnvConfig]):
    """A model plays a seat. Rewards: `won`, the part of the victory, and `readable`, the share of readable answers."""

    async def run(self, task: Any, agents: Any) -> None:
        """Play a game. A game that a limit of the player ends has no victory."""
        assert isinstance(self.taskset, Games)
        dialogue = await asyncio.to_thread(self.taskset.deals().begin, task.data.info)
        async with agents.player.interaction(task) as interaction:
            segment = await interaction.turn()
            while not segment.terminated:
                question = await asyncio.to_thread(dialogue.answer, segment.last_reply)
                if dialogue.over:
                    break
                segment = await interaction.turn(question)
        weights = {"won": 1.0, "readable": self.config.format_weight}
        for name, value in dialogue.rewards().items():
            interaction.trace.record_reward(name, value, weights[name])
