"""The client of a chat endpoint with OpenAI's protocol. Nothing that an endpoint sends is trusted: its answers become a
`Reply`, and its failures `UnavailableError`, without any text of the endpoint.
"""

import json
import os
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeVar

from bloodrage_env.encoding import as_bytes
from bloodrage_env.errors import MissingPackageError, UnavailableError, UserError
from bloodrage_env.text import is_number

OPENAI: Final = "https://api.openai.com/v1"
KEY: Final = "OPENAI_API_KEY"
NO_KEY: Final = "none"  # sent to an endpoint that was named without a key
MAX_BODY: Final = 4 * 2**20  # bytes of an answer
MAX_TEXT: Final = 100_000  # characters of a text that are kept, the last ones
MAX_COUNT: Final = 2**53  # tokens
MAX_PAUSE: Final = 60.0  # seconds before a retry, also where the endpoint asks for more
PAUSES: Final = (0.5, 1.0, 2.0, 4.0, 8.0)  # seconds before the first retries; the last one before all others
RETRIED: Final = (408, 409, 429)  # statuses, and all from 500 on
CURES: Final = {401: "check the key", 403: "check the key", 404: "check the url and the model"}
BROKEN: Final = "its answer is not a chat completion"

Message = dict[str, str]
T = TypeVar("T")


@dataclass(frozen=True)
class Reply:
    """What a model said, valid Unicode of at most `MAX_TEXT` characters, and its tokens, 0 if none are counted.

    `failed` is the number of requests before it that had no answer.
    """

    text: str
    prompt_tokens: int
    answer_tokens: int
    failed: int = 0

    @classmethod
    def of(cls, body: bytes) -> "Reply":
        """Return the reply in the body of an answer. Raise ValueError for anything but a chat completion."""
        try:
            content = json.loads(body)
            said = content["choices"][0]["message"]["content"]
        except (ValueError, LookupError, TypeError, RecursionError):
            raise ValueError(BROKEN) from None
        if isinstance(said, list):
            said = "".join(str(part["text"]) for part in said if isinstance(part, dict) and "text" in part)
        if not isinstance(said, str | None) or content.get("error"):
            raise ValueError(BROKEN)
        text = (said or "")[-MAX_TEXT:].encode(errors="replace").decode()
        usage = content.get("usage")
        counts = usage if isinstance(usage, dict) else {}
        return cls(text, _count(counts.get("prompt_tokens")), _count(counts.get("completion_tokens")))


def _count(value: Any) -> int:
    return value if type(value) is int and 0 <= value < MAX_COUNT else 0


class _FailedError(Exception):
    """A request has failed. `again`: it can be repeated, after `pause` seconds if the endpoint has said so."""

    def __init__(self, reason: str, again: bool = True, pause: float | None = None) -> None:
        super().__init__(reason)
        self.again, self.pause = again, pause


class Endpoint:
    """A chat endpoint. A named one gets a key only if `key` names the environment variable with it.

    A request takes at most `timeout` seconds, from the look-up of the address to the last byte of the answer, and is
    repeated up to `retries` times. Raises UserError for a wrong url, and without the package or the key.
    """

    def __init__(self, url: str, key: str, timeout: float, retries: int) -> None:
        try:
            import httpx2
        except ImportError:
            raise MissingPackageError("llm", "httpx2", "language") from None
        name = key or ("" if url else KEY)
        secret = os.environ.get(name, "")
        if name and not secret:
            other = "" if url else "url=..., or "
            raise UserError(f"llm needs {other}a key in the environment variable {name}")
        try:
            named = httpx2.URL(url or OPENAI)
        except httpx2.InvalidURL:
            named = httpx2.URL("")
        if named.scheme not in ("http", "https") or not named.host:
            raise UserError("llm needs a url such as http://127.0.0.1:8000/v1")
        path = named.raw_path.decode().partition("?")[0].rstrip("/")
        self.shown = f"{named.scheme}://{named.netloc.decode()}{path}"  # no password, nor a key in the query
        self._address = named.copy_with(path=f"{path}/chat/completions")
        self._timeout, self._retries = timeout, retries
        self._headers = {
            "accept": "application/json", "accept-encoding": "identity", "content-type": "application/json",
            "authorization": f"Bearer {secret or NO_KEY}",
        }  # fmt: skip
        self._client = httpx2.Client(timeout=timeout)

    def ask(self, model: str, messages: Sequence[Message]) -> Reply:
        """Return what a model answers. Raise UnavailableError if the endpoint gives no answer, also after retries."""
        body = as_bytes({"model": model, "messages": messages})
        for attempt in range(self._retries + 1):
            try:
                return replace(Reply.of(self._post(body)), failed=attempt)
            except ValueError as error:
                fault = _FailedError(str(error))
            except _FailedError as error:
                fault = error
            if not fault.again or attempt == self._retries:
                break
            time.sleep(pause_before(attempt) if fault.pause is None else fault.pause)
        raise UnavailableError(f"the endpoint {self.shown} can't be used: {fault}")

    def _post(self, body: bytes) -> bytes:
        """The body of the answer to a request."""
        import httpx2

        try:
            return within(self._timeout, lambda: self._exchange(body))
        except (TimeoutError, httpx2.TimeoutException):
            self._client.close()  # so that a thread that still waits ends
            self._client = httpx2.Client(timeout=self._timeout)
            raise _FailedError(f"no whole answer came in {self._timeout:g} s") from None
        except httpx2.ConnectError as error:
            reason = " ".join(str(error).split())
            raise _FailedError(f"{reason}; start it, or correct the url") from None
        except httpx2.HTTPError as error:  # its text may be the endpoint's
            raise _FailedError(f"the connection failed ({type(error).__name__})") from None

    def _exchange(self, body: bytes) -> bytes:
        """Send a request and read the answer, of which no more than `MAX_BODY` bytes are taken."""
        with self._client.stream("POST", self._address, content=body, headers=self._headers) as response:
            status = response.status_code
            if not response.is_success:
                cure = f": {CURES[status]}" if status in CURES else ""
                raise _FailedError(
                    f"it answered with status {status}{cure}", is_retried(status), asked_pause(response.headers)
                )
            if response.headers.get("content-encoding", "identity") != "identity":
                raise _FailedError("it compresses its answers though it was asked not to", again=False)
            data = bytearray()
            for part in response.iter_raw():
                data += part
                if len(data) > MAX_BODY:
                    raise _FailedError(f"its answer is longer than {MAX_BODY} bytes", again=False)
            return bytes(data)


def is_retried(status: int) -> bool:
    """Return whether a request that was answered with an HTTP status is repeated."""
    return status in RETRIED or status >= 500


def pause_before(retry: int) -> float:
    """Return the seconds to wait before a retry, counted from 0, if the endpoint does not say."""
    return PAUSES[min(retry, len(PAUSES) - 1)]


def asked_pause(headers: Any) -> float | None:
    """Return the seconds that an endpoint asks to wait before a retry, at most `MAX_PAUSE`; None if it does not say."""
    for name, unit in (("retry-after-ms", 1000), ("retry-after", 1)):
        text = headers.get(name, "")
        if is_number(text) and len(text) <= 9:
            return min(int(text) / unit, MAX_PAUSE)
    return None


def within(seconds: float, function: Callable[[], T]) -> T:
    """Return the result of a function or raise its exception. Raise TimeoutError after `seconds`.

    The function runs in a daemon thread, so that signals are handled meanwhile and the process can end.
    """
    results, errors = list[T](), list[BaseException]()

    def work() -> None:
        try:
            results.append(function())
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=work, name="request", daemon=True)
    thread.start()
    thread.join(seconds)
    if errors:
        raise errors[0]
    if not results:
        raise TimeoutError
    return results[0]
