"""`llm`: a language model behind an endpoint with OpenAI's chat protocol. It plays any game, by text.

The key of the endpoint is read from an environment variable. It is in no spec, message or transcript.
"""

import contextlib
import functools
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, ClassVar, Final, Literal, cast

import numpy as np

from bloodrage_env.core.engine.options import GameOptions
from bloodrage_env.encoding import as_json
from bloodrage_env.errors import UnavailableError, UserError
from bloodrage_env.language.final import RefusedError, summary_of
from bloodrage_env.language.prompt import Parts, TextGame, refusal
from bloodrage_env.language.transcript import Line

from .base import ActionMask, Agent, View
from .endpoint import Endpoint, Message
from .match import Forfeit, one_line

SUMMARY: Final = "End your answer with a line `Summary: ...` of what you want to remember; you see nothing else again."
MAX_SUMMARY: Final = 2000  # characters
MILLION: Final = 1_000_000


@dataclass
class Asked:
    """The record of one decision: messages, number of requests, tokens, cost and time."""

    step: int  # the number of actions before it
    seat: int
    action: int | None  # None: the game was forfeited
    tries: int
    refused: list[str]  # why answers were not accepted
    classes: list[str]  # of these refusals, as `language.final.Refusal`
    prompt_tokens: int
    answer_tokens: int
    cost: float
    seconds: float
    random: bool  # the action was drawn, because no answer was legal
    messages: list[Message]  # those of this decision
    failed: int = 0  # requests without an answer that were repeated


class Pace:
    """Limits the number of requests per minute, of all threads together."""

    def __init__(self, per_minute: int, clock: Callable[[], float], sleep: Callable[[float], None]) -> None:
        self._gap = 60 / per_minute if per_minute else 0.0
        self._clock, self._sleep, self._next = clock, sleep, 0.0
        self._lock = threading.Lock()

    def wait(self) -> None:
        """Wait until the next request may be sent."""
        with self._lock:
            now = self._clock()
            start = max(now, self._next)
            self._next = start + self._gap
        if now < start:
            self._sleep(start - now)


@functools.cache
def pace_of(model: str, url: str, key: str, per_minute: int) -> Pace:
    """Return the limit that all agents of a process with this model share, since the endpoint counts them together."""
    return Pace(per_minute, time.monotonic, time.sleep)


class Chat(Agent):
    """An agent that requests each decision from a language model. `decisions` contains an `Asked` for each.

    - `tries`: maximum number of requests for a decision. Each further request gives the reason why the answer was not
      accepted. After the last one the agent forfeits the game, or with `otherwise="random"` draws a legal action.
    - `memory`: "full" sends all messages of the game again, "summary" the last summary of the model, "none" neither.
    - `timeout` and `retries` are those of `Endpoint`. `per_minute` limits the requests of all agents of a
      process with this model, 0 for no limit.
    - `input_price`, `output_price`: per million tokens, for `cost`.
    - `transcript`: a folder for a file of JSON lines for each game, one for each decision.
    """

    sees: ClassVar[Literal["observation", "view"]] = "view"
    waits: ClassVar[bool] = True

    def __init__(
        self,
        model: str = "",
        url: str = "",
        key: str = "",
        tries: int = 3,
        otherwise: str = "forfeit",
        memory: str = "summary",
        state: str = "table",
        actions: str = "whole",
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
        shown = cast(Any, {"rules": rules, "state": state, "actions": actions})
        self.parts = Parts(**shown, words=words if words >= 0 else None)
        self.pace = pace_of(model, url, key, per_minute)
        self.endpoint = Endpoint(url, key, timeout, retries)
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
        """Return a legal action, from an earlier answer if that still fits.

        Raise Forfeit if no answer of the model is legal, UnavailableError if the endpoint gives none.
        """
        view: View = observation
        kept = self.text.kept(view.record, view.seat)
        if kept is not None:
            return kept
        prompt = self.text.prompt(view.record, view.seat, self._events)
        asked = Asked(
            self._step, self.seat, None, 0, [], [], 0, 0, 0.0, 0.0, False, [{"role": "user", "content": prompt}]
        )
        started = time.perf_counter()
        asked.action = self._answer(view, asked)
        self._events = []  # kept until then: if the endpoint fails, the agent can be asked again
        if asked.action is None and self.otherwise == "random":
            asked.action, asked.random = int(rng.choice(np.flatnonzero(action_mask))), True
        asked.seconds = time.perf_counter() - started
        self._note(asked)
        if asked.action is None:
            raise Forfeit(f"gave no legal answer in {self.tries} tries: {asked.classes[-1]}, {asked.refused[-1]}")
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
            try:
                action = self.text.read(said, view.record, view.seat)
            except RefusedError as error:
                reason = one_line(str(error))
                asked.refused.append(reason)
                asked.classes.append(str(error.refusal))
                asked.messages.append({"role": "user", "content": refusal(reason)})
                continue
            if self.memory == "summary":
                self._summary = summary_of(said)[:MAX_SUMMARY] or self._summary
            if self.memory == "full":
                self._past += [asked.messages[0], asked.messages[-1]]
            return action
        return None

    def reply(self, prompt: str, game: str) -> Line:
        """Answer a question outside of a game; return a line of a transcript, with the answer in the names of the game.

        Raise UnavailableError without an answer.
        """
        text = TextGame(game, self.parts)
        asked = Asked(0, 0, None, 1, [], [], 0, 0, 0.0, 0.0, False, [{"role": "user", "content": text.hidden(prompt)}])
        started = time.perf_counter()
        said = text.revealed(self._request([{"role": "system", "content": text.system()}, *asked.messages], asked))
        asked.messages.append({"role": "assistant", "content": said})
        asked.seconds = time.perf_counter() - started
        return asdict(asked)

    def _request(self, messages: list[Message], asked: Asked) -> str:
        """The text that the model answers. Raise UnavailableError if the endpoint gives none."""
        self.pace.wait()
        reply = self.endpoint.ask(self.model, messages)
        asked.failed += reply.failed
        asked.prompt_tokens += reply.prompt_tokens
        asked.answer_tokens += reply.answer_tokens
        asked.cost += reply.prompt_tokens * self.prices[0] + reply.answer_tokens * self.prices[1]
        return reply.text

    def _note(self, asked: Asked) -> None:
        """Keep what a decision took, in the transcript too."""
        self.decisions.append(asked)
        if self.folder is None:
            return
        try:
            if self._file is None:
                self._file = self._new_file(self.folder)
            with self._file.open("a", encoding="utf-8", errors="replace") as file:
                file.write(as_json(asdict(asked), ascii_only=False) + "\n")
        except OSError as error:
            raise UnavailableError(f"can't write the transcript of llm to {self.folder}: {error.strerror}") from None

    def _new_file(self, folder: Path) -> Path:
        """A file of its own for this game, also where other processes write to the same folder."""
        folder.mkdir(parents=True, exist_ok=True)
        while True:
            self._games += 1
            path = folder / f"game{self._games}_seat{self.seat}.jsonl"
            with contextlib.suppress(FileExistsError):
                path.touch(exist_ok=False)
                return path
