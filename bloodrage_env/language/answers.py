"""Reads what a language model answers: an id, a struct, the words or the notation of an action, or several of them."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from ..core.compiled import Records
from ..core.structs import Structs, action_among
from ..core.tables import action_names

MAX_ANSWER: Final = 20_000  # characters that are looked at, the last ones
_LABEL: Final = re.compile(r"^\W*(?:final )?(?:answer|action)\W*?[:=]\s*", re.IGNORECASE)
_ID: Final = re.compile(r"^(?:id\s*)?[#\[(]?(\d{1,6})[\])]?(?:$|[\s:.,)])", re.IGNORECASE)


class UnreadableError(ValueError):
    """An answer means no legal action; the message is the reason, a line that can be shown to the model."""


class Reader:
    """Reads the answers of one seat of one game. What an answer says of later questions is kept for them."""

    def __init__(self, structs: Structs) -> None:
        self.structs = structs
        self._names = action_names(structs.game.blocks)
        self._steps: list[str] = []  # of an answer, still to be given
        self._plan: dict[str, Any] = {}  # of a composite move

    def kept(self, known: Records, seat: int) -> int | None:
        """Return the action that an earlier answer gives to the open question; None if it gives none that is legal."""
        legal = self.structs.actions(known, seat)
        if self._plan:
            wanted = self.structs.language.follow(self._plan, self.structs.observation(known, seat))
            if wanted is not None:
                try:
                    return action_among(legal, wanted)
                except ValueError:
                    self._steps.clear()
            self._plan = {}
        if self._steps:
            step = self._steps.pop(0)
            try:
                return self._one(step, legal)
            except UnreadableError:
                self._steps.clear()
        return None

    def read(self, text: str, known: Records, seat: int) -> int:
        """Return the legal action that an answer means. Raise UnreadableError with the reason if it means none."""
        self._steps, self._plan = [], {}
        legal = self.structs.actions(known, seat)
        text = text[-MAX_ANSWER:]
        reason: UnreadableError | None = None
        for found in _objects(text):
            try:
                return action_among(legal, found)
            except ValueError as error:
                raise UnreadableError(str(error)) from None
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        labelled = [line for line in lines if _LABEL.match(line)]
        for line in reversed(labelled or lines):
            try:
                return self._sequence(_LABEL.sub("", line), legal)
            except UnreadableError as error:
                reason = reason or error
        if reason is None:
            raise UnreadableError("the answer is empty")
        return self._mentioned(text, legal, reason)

    def _sequence(self, line: str, legal: list[dict[str, Any]]) -> int:
        """The first of several actions with ; between them; the others are kept."""
        first, *rest = [part for part in line.split(";") if part.strip()] or [line]
        action = self._one(first, legal)
        self._steps = rest
        return action

    def _one(self, text: str, legal: list[dict[str, Any]]) -> int:
        said = text.strip().strip("`*\"'“”- ").rstrip(".`*\"'“”")
        number = _ID.match(said)
        if number and any(each["id"] == int(number[1]) for each in legal):
            return int(number[1])
        wanted = _plain(said)
        for key in (str, _without_price):
            found = [each["id"] for each in legal if _plain(key(each["text"])) == wanted]
            if len(found) == 1:
                return int(found[0])
        named = [each["id"] for each in legal if _plain(self._names[each["id"]]) == wanted]
        if named:
            return int(named[0])
        composite = self.structs.language.composite(said)
        if composite is not None:
            try:
                action = action_among(legal, composite[0])
            except ValueError as error:
                raise UnreadableError(str(error)) from None
            self._plan = dict(composite[1])
            return action
        if number:
            raise UnreadableError(f"action {number[1]} is not legal now")
        raise UnreadableError(f"{said[:60]!r} is no legal action: answer with the id of one, such as {legal[0]['id']}")

    def _mentioned(self, text: str, legal: list[dict[str, Any]], reason: UnreadableError) -> int:
        """The one legal action whose words stand somewhere in a text."""
        said = _plain(text)
        found = {each["id"]: _plain(each["text"]) for each in legal if _plain(each["text"]) in said}
        longest = [action for action in found if not any(found[action] in other for other in found.values()
                                                          if other != found[action])]  # fmt: skip
        if len(longest) == 1:
            return int(longest[0])
        if longest:
            raise UnreadableError(f"the answer names {len(longest)} legal actions: give one, after `Answer:`")
        raise reason


def _plain(text: str) -> str:
    """Words that are compared: lower case, one space, no typographic signs."""
    text = text.casefold().replace("’", "'").replace("→", "->")
    return " ".join(re.findall(r"[\w'+>-]+", text))


def _without_price(text: str) -> str:
    return re.sub(r" \([^)]*\)$", "", text)


def _objects(text: str) -> Iterator[Mapping[str, Any]]:
    """The JSON objects in a text that can be actions, the last one first."""
    decoder = json.JSONDecoder()
    found: list[Mapping[str, Any]] = []
    at = text.find("{")
    while at >= 0:
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            at = text.find("{", at + 1)
            continue
        inner = value.get("action", value)
        if isinstance(inner, Mapping) and ("id" in inner or "kind" in inner):
            found.append(inner)
        elif isinstance(inner, int) and not isinstance(inner, bool):
            found.append({"id": inner})
        at = text.find("{", end)
    return iter(found[::-1])
