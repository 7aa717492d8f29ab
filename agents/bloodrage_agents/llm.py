"""`llm`: a language model behind an endpoint with OpenAI's chat protocol. It plays any game, by text.

The key of the endpoint is read from an environment variable. It is in no spec, message or transcript.
"""

import contextlib
import os
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal, cast

import numpy as np

from bloodrage_env.core.options import GameOptions
from bloodrage_env.encoding import as_json
from bloodrage_env.errors import MissingPackageError, UserError
from bloodrage_env.language.answers import UnreadableError
from bloodrage_env.language.prompt import Parts, TextGame, refusal
from bloodrage_env.language.transcript import Line

from .base import ActionMask, Agent, View
from .match import Forfeit, one_line

if TYPE_CHECKING:
    from openai import OpenAI

KEY: Final = "OPENAI_API_KEY"
NO_KEY: Final = "none"  # sent to an endpoint that was named without a key
# What a named endpoint is sent.
HEADERS: Final = frozenset(
    ("accept", "accept-encoding", "authorization", "connection", "content-length", "content-type", "host", "user-agent")
)
SUMMARY: Final = "End your answer with a line `Summary: ...` of what you want to remember; you see nothing else again."
MAX_SUMMARY: Final = 2000  # characters
MILLION: Final = 1_000_000

Message = dict[str, str]


@dataclass
class Asked:
    """The record of one decision: messages, number of requests, tokens, cost and time."""

    step: int  # the number of actions before it
    seat: int
    action: int | None  # None: the game was forfeited
    tries: int
    refused: list[str]  # why answers were not accepted
    prompt_tokens: int
    answer_tokens: int
    cost: float
    seconds: float
    random: bool  # the action was drawn, because no answer was legal
    messages: list[Message]  # those of this decision


class Pace:
    """Limits the number of requests per minute."""

    def __init__(self, per_minute: int, clock: Callable[[], float], sleep: Callable[[float], None]) -> None:
        self._gap = 60 / per_minute if per_minute else 0.0
        self._clock, self._sleep, self._next = clock, sleep, 0.0

    def wait(self) -> None:
        """Wait until the next request may be sent."""
        now = self._clock()
        if now < self._next:
            self._sleep(self._next - now)
        self._next = max(now, self._next) + self._gap


class Chat(Agent):
    """An agent that requests each decision from a language model. `decisions` contains an `Asked` for each.

    - `tries`: maximum number of requests for a decision. Each further request gives the reason why the answer was not
      accepted. After the last one the agent forfeits the game, or with `otherwise="random"` draws a legal action.
    - `memory`: "full" sends all messages of the game again, "summary" the last summary of the model, "none" neither.
    - `timeout` and `retries` are for one request; the client waits longer before each retry. `per_minute` limits the
      requests, 0 for no limit.
    - `input_price`, `output_price`: per million tokens, for `cost`.
    - `transcript`: a folder for a file of JSON lines for each game, one for each decision.
    """

    sees: ClassVar[Literal["observation", "view"]] = "view"

    def __init__(
        self,
        model: str = "",
        url: str = "",
        key: str = "",
        tries: int = 3,
        otherwise: str = "forfeit",
        memory: str = "summary",
        state: str = "table",
        rules: str = "short",
        words: int = -1,
        timeout: float = 60.0,
        retries: int = 4,
        per_minute: int = 0,
        input_price: float = 0.0,
        output_price: float = 0.0,
        transcript: str = "",
    ) -> None:
        if not model:
            raise UserError("llm needs the name of a model: llm:model=NAME,url=http://127.0.0.1:8000/v1")
        self.model, self.tries, self.otherwise, self.memory = model, tries, otherwise, memory
        self.prices = input_price / MILLION, output_price / MILLION
        self.folder = Path(transcript) if transcript else None
        shown = cast(Any, {"rules": rules, "state": state})
        self.parts = Parts(**shown, words=words if words >= 0 else None)
        self.pace = Pace(per_minute, time.monotonic, time.sleep)
        self.client = client(url, key, timeout, retries)
        self.decisions: list[Asked] = []
        self._games = 0

    def reset(self, seat: int, options: GameOptions) -> None:
        """Begin a game. Messages and summaries of earlier games are dropped."""
        self.seat = seat
        self.text = TextGame(options.game, self.parts)
        self.decisions = []
        self._events: list[str] = []
        self._step = 0
        self._file: Path | None = None
        self._past: list[Message] = []
        self._summary = ""

    def observe_events(self, events: list[str], step: int) -> None:
        """Remember the events of action number `step` for the next prompt."""
        self._events += events
        self._step = step

    def transcript(self) -> list[Line]:
        """Return the decisions of this game, as `language.transcript` saves them."""
        return [asdict(each) for each in self.decisions]

    def act(self, observation: Any, action_mask: ActionMask, rng: np.random.Generator) -> int:
        """Return a legal action, from an earlier answer if that still fits. Raises Forfeit without a legal answer."""
        view: View = observation
        kept = self.text.kept(view.record, view.seat)
        if kept is not None:
            return kept
        prompt = self.text.prompt(view.record, view.seat, self._events)
        self._events = []
        asked = Asked(self._step, self.seat, None, 0, [], 0, 0, 0.0, 0.0, False, [{"role": "user", "content": prompt}])
        started = time.perf_counter()
        try:
            asked.action = self._answer(view, asked)
            if asked.action is None and self.otherwise == "random":
                asked.action, asked.random = int(rng.choice(np.flatnonzero(action_mask))), True
        finally:
            asked.seconds = time.perf_counter() - started
            self._note(asked)
        if asked.action is None:
            raise Forfeit(f"gave no legal answer in {self.tries} tries: {asked.refused[-1]}")
        return asked.action

    def _answer(self, view: View, asked: Asked) -> int | None:
        """The action that the model answers with, None if none of its answers is legal."""
        system = self.text.system() + (f" {SUMMARY}" if self.memory == "summary" else "")
        head = [{"role": "system", "content": system}, *self._past]
        if self._summary:
            head.append({"role": "user", "content": f"Your summary so far: {self._summary}"})
        while asked.tries < self.tries:
            asked.tries += 1
            said = self._request([*head, *asked.messages], asked)
            asked.messages.append({"role": "assistant", "content": said})
            answer, found, summary = said.rpartition("Summary:")
            try:
                action = self.text.read(answer if found else said, view.record, view.seat)
            except UnreadableError as error:
                reason = self.text.hidden(one_line(str(error)))
                asked.refused.append(reason)
                asked.messages.append({"role": "user", "content": refusal(reason)})
                continue
            if found and self.memory == "summary":
                self._summary = summary.strip()[:MAX_SUMMARY]
            if self.memory == "full":
                self._past += [asked.messages[0], asked.messages[-1]]
            return action
        return None

    def reply(self, prompt: str, game: str) -> Line:
        """Answer a question outside of a game; return a line of a transcript. Raise Forfeit without an answer."""
        asked = Asked(0, 0, None, 1, [], 0, 0, 0.0, 0.0, False, [{"role": "user", "content": prompt}])
        system = TextGame(game, self.parts).system()
        started = time.perf_counter()
        said = self._request([{"role": "system", "content": system}, *asked.messages], asked)
        asked.messages.append({"role": "assistant", "content": said})
        asked.seconds = time.perf_counter() - started
        return asdict(asked)

    def _request(self, messages: list[Message], asked: Asked) -> str:
        """The text that the endpoint returns. Forfeit, without any text of the endpoint, if it returns none."""
        import openai

        self.pace.wait()
        try:
            reply = self.client.chat.completions.create(model=self.model, messages=cast(Any, messages))
            content = reply.choices[0].message.content
        except openai.APIStatusError as error:
            raise Forfeit(f"the endpoint answered with status {error.status_code}") from None
        except openai.APITimeoutError:
            raise Forfeit("the endpoint did not answer in time") from None
        except openai.OpenAIError as error:
            raise Forfeit(f"the endpoint could not be asked: {type(error).__name__}") from None
        except (AttributeError, IndexError, TypeError, ValueError):
            raise Forfeit("the endpoint returned no chat completion") from None
        if reply.usage is not None:
            tokens = reply.usage.prompt_tokens, reply.usage.completion_tokens
            asked.prompt_tokens += tokens[0]
            asked.answer_tokens += tokens[1]
            asked.cost += tokens[0] * self.prices[0] + tokens[1] * self.prices[1]
        return content if isinstance(content, str) else ""

    def _note(self, asked: Asked) -> None:
        """Keep what a decision took, in the transcript too."""
        self.decisions.append(asked)
        if self.folder is None:
            return
        if self._file is None:
            self._file = self._new_file(self.folder)
        with self._file.open("a", encoding="utf-8") as file:
            file.write(as_json(asdict(asked), ascii_only=False) + "\n")

    def _new_file(self, folder: Path) -> Path:
        """A file of its own for this game, also where other processes write to the same folder."""
        folder.mkdir(parents=True, exist_ok=True)
        while True:
            self._games += 1
            path = folder / f"game{self._games}_seat{self.seat}.jsonl"
            with contextlib.suppress(FileExistsError):
                path.touch(exist_ok=False)
                return path


def client(url: str, key: str, timeout: float, retries: int) -> "OpenAI":
    """Return a client of an endpoint. A named endpoint gets a key only if `key` names its variable.

    Raise UserError without the package, or without the key: the one that is named, or that of OpenAI's own endpoint.
    """
    try:
        import openai
    except ImportError:
        raise MissingPackageError("llm", "openai", "language") from None
    name = key or ("" if url else KEY)
    secret = os.environ.get(name, "")
    if name and not secret:
        other = "" if url else "url=..., or "
        raise UserError(f"llm needs {other}a key in the environment variable {name}")
    if not url:
        return openai.OpenAI(api_key=secret, timeout=timeout, max_retries=retries)
    bearer = {"Authorization": f"Bearer {secret or NO_KEY}"}
    plain = openai.DefaultHttpxClient(event_hooks={"request": [_drop_headers]})
    return openai.OpenAI(
        api_key=secret or NO_KEY, base_url=url, timeout=timeout, max_retries=retries,
        http_client=plain, default_headers=bearer,
    )  # fmt: skip


def _drop_headers(request: Any) -> None:
    """Drop headers that the package takes from the environment: organization, project and OPENAI_CUSTOM_HEADERS."""
    for name in set(request.headers) - HEADERS:
        del request.headers[name]
