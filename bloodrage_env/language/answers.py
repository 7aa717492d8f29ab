"""Reads what a language model answers: an id, a struct, the words or the notation of an action, or several of them."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from ..core.compiled import Records
from ..core.structs import Structs, action_among
from ..core.tables import action_names

MAX_ANSWER: Final = 20_000  # characters that are looked at, the last ones
MAX_PARSED: Final = 10 * MAX_ANSWER  # characters in which JSON is looked for, those that are read again included
MAX_STEPS: Final = 100  # of one answer
_LABEL: Final = re.compile(r"^\W*(?:final )?(?:answer|action)\W*?[:=]\s*", re.IGNORECASE)
_ID: Final = re.compile(r"^(?:id\s*)?[#\[(]?(\d{1,6})[\])]?(?:$|[\s:.,)])", re.IGNORECASE)
_OBJECT: Final = re.compile(r'\{\s*"')


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
        if not self._plan and not self._steps:
            return None
        legal = _Legal(self.structs.actions(known, seat), self._names)
        if self._plan:
            wanted = self.structs.language.follow(self._plan, self.structs.observation(known, seat))
            if wanted is not None:
                try:
                    return action_among(legal.actions, wanted)
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
        legal = _Legal(self.structs.actions(known, seat), self._names)
        text = text[-MAX_ANSWER:]
        reason: UnreadableError | None = None
        for found in _objects(text):
            try:
                return action_among(legal.actions, found)
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

    def _sequence(self, line: str, legal: "_Legal") -> int:
        """The first of several actions with ; between them; the others are kept."""
        first, *rest = [part for part in line.split(";") if part.strip()] or [line]
        if len(rest) >= MAX_STEPS:
            raise UnreadableError(f"an answer has at most {MAX_STEPS} actions with ; between them")
        action = self._one(first, legal)
        self._steps = rest
        return action

    def _one(self, text: str, legal: "_Legal") -> int:
        said = text.strip().strip("`*\"'“”- ").rstrip(".`*\"'“”")
        number = _ID.match(said)
        if number and int(number[1]) in legal.ids:
            return int(number[1])
        named = legal.named(_plain(said))
        if named is not None:
            return named
        composite = self.structs.language.composite(said)
        if composite is not None:
            try:
                action = action_among(legal.actions, composite[0])
            except ValueError as error:
                raise UnreadableError(str(error)) from None
            self._plan = dict(composite[1])
            return action
        if number:
            raise UnreadableError(f"action {number[1]} is not legal now")
        raise UnreadableError(f"{said[:60]!r} is no legal action: answer with the id of one, such as {legal.ids[0]}")

    def _mentioned(self, text: str, legal: "_Legal", reason: UnreadableError) -> int:
        """The one legal action whose words stand somewhere in a text."""
        said = _plain(text)
        words = ((each["id"], _plain(each["text"])) for each in legal.actions)
        found = {action: plain for action, plain in words if plain in said}
        longest = [action for action in found if not any(found[action] in other for other in found.values()
                                                          if other != found[action])]  # fmt: skip
        if len(longest) == 1:
            return int(longest[0])
        if longest:
            raise UnreadableError(f"the answer names {len(longest)} legal actions: give one, after `Answer:`")
        raise reason


class _Legal:
    """Legal actions, by their words, their words without the price, and their notation."""

    def __init__(self, actions: list[dict[str, Any]], names: Sequence[str]) -> None:
        self.actions = actions
        self.ids = [int(each["id"]) for each in actions]
        self._tables: list[dict[str, list[int]]] = []
        texts = [each["text"] for each in actions]
        for written in (texts, map(without_price, texts), [names[action] for action in self.ids]):
            table: dict[str, list[int]] = {}
            for action, text in zip(self.ids, written, strict=True):
                table.setdefault(_plain(text), []).append(action)
            self._tables.append(table)

    def named(self, plain: str) -> int | None:
        """Return the one action with these words."""
        found = (table.get(plain, []) for table in self._tables)
        return next((actions[0] for actions in found if len(actions) == 1), None)


def _plain(text: str) -> str:
    """Words that are compared: lower case, one space, no typographic signs."""
    text = text.casefold().replace("’", "'").replace("→", "->")
    return " ".join(re.findall(r"[\w'+>-]+", text))


def without_price(text: str) -> str:
    """Return the words of an action without what stands in parentheses at the end."""
    words, found, price = text.rpartition(" (")
    return words if found and price.endswith(")") else text


def _objects(text: str) -> Iterator[Mapping[str, Any]]:
    """The JSON objects in a text that can be actions, the last one first. Raise UnreadableError for too much."""
    decoder = json.JSONDecoder()
    found: list[Mapping[str, Any]] = []
    parsed = 0
    start = _OBJECT.search(text)
    while start:
        at = start.start()
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError) as error:
            parsed += getattr(error, "pos", len(text)) - at
            if parsed > MAX_PARSED:
                raise UnreadableError("the answer has too many braces that are no JSON") from None
            start = _OBJECT.search(text, at + 1)
            continue
        inner = value.get("action", value)
        if isinstance(inner, Mapping) and ("id" in inner or "kind" in inner):
            found.append(inner)
        elif isinstance(inner, int) and not isinstance(inner, bool):
            found.append({"id": inner})
        start = _OBJECT.search(text, end)
    return iter(found[::-1])
