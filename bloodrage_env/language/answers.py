"""Reads what a language model answers, and checks all of it before anything is played.

The final answer (`final.py`) contains the steps of a plan:

    answer = step (`;` step)* | JSON
    step   = id | id words | words | notation | composite move of the game
    id     = [`id`, `action`, `option`, `choice`, `number`, `=`, `#`] digits, also in brackets
    words  = an action as the list of legal actions shows it, with or without its price
    JSON   = an action struct | a number or a step | a list of these | an object with one of these as `id`,
             `action_id`, `action`, `answer`, `final_answer`, `choice` or `move`, whatever their case but for `id`

Whatever one step says twice must agree: id and words, id and `text`, two keys. Each step must be legal when it is said.
The first one is returned. The others are kept: a step of `;` or a list for questions of the kind that it answers now, a
step of a composite move for the very question that it answers in a redeal.
"""

import functools
import json
import zlib
from collections.abc import Sequence
from typing import Any, Final

from ..core.compile.decorators import Records
from ..core.engine.tables import action_names
from ..core.shown.language import Composite, UnknownWordError, UnlistedError
from ..core.shown.structs import Structs, action_among
from ..encoding import as_json
from ..text import is_number, words_of
from .final import FORM, FinalAnswer, Refusal, RefusedError, final_answer, trimmed, unreadable
from .whole import Move, Step, moves_of

MAX_STEPS: Final = 100  # of one answer
MAX_DIGITS: Final = 6  # of an id
_MAX_SHOWN: Final = 20  # digits of an id that is none
_MAX_REASON: Final = 150
_MAX_DEPTH: Final = 8  # of actions in JSON
_ID_WORDS: Final = {"id", "action", "option", "choice", "number", "=", "#"}
_MAX_ID_WORDS: Final = 4
_KEYS: Final = ("action_id", "action", "answer", "final_answer", "choice", "move")
_BETWEEN: Final = {"-", "–", "—", "="}  # an id and its words
_BULLETS: Final = ("- ", "* ", "+ ", "• ")


class Reader:
    """Reads the answers of one seat of one game. What an answer says of later questions is kept for them.

    `plan` contains the steps that are kept. With `whole` the words of whole moves are read, and no number alone, since
    lists of them show none.
    """

    def __init__(self, structs: Structs, whole: bool = False) -> None:
        self.structs, self.whole = structs, whole
        self.plan: list[Step] = []
        self._last: tuple[tuple[bytes, int], _Position] | None = None
        self._names = action_names(structs.game.blocks)
        self._ids = {" ".join(words_of(name)): action for action, name in enumerate(self._names)}

    def kept(self, known: Records, seat: int) -> int | None:
        """Return the action that an earlier answer gives to the open question; None if it gives none that is legal."""
        while self.plan:
            step = self.plan.pop(0)
            asked = step.question in (None, self.structs.question(known, seat)) and step.decision == known[0].decision
            if asked and known[0].mask[step.action]:
                return step.action
            if not (step.forced and step.question is not None):
                self.plan.clear()
        return None

    def read(self, text: str, known: Records, seat: int) -> int:
        """Return the legal action that an answer means first. Raise RefusedError with the reason if it means none."""
        self.plan = []
        final = final_answer(text)
        steps = self._position(known, seat).steps(final)
        self.plan = steps[1:]
        return steps[0].action

    def moves(self, known: Records, seat: int) -> list[Move]:
        """Return the moves that the open question of a seat can be answered with."""
        return self._position(known, seat).moves

    def _position(self, known: Records, seat: int) -> "_Position":
        """The open question. It is kept, since the answer to a prompt, and the next one after a refusal, are to it."""
        asked = known.tobytes(), seat
        if self._last is None or self._last[0] != asked:
            self._last = asked, _Position(self, known.copy(), seat)
        return self._last[1]

    def legal_id(self, words: Sequence[str]) -> int | None:
        """Return the id that the notation of an action means, None if there is no such action."""
        return self._ids.get(" ".join(words))

    def name(self, action: int) -> str:
        """Return the notation of an action."""
        return self._names[action] if 0 <= action < len(self._names) else "unknown"


class _Position:
    """Answers to one question: its moves by their words, their words without the price, and the notation of actions."""

    def __init__(self, reader: Reader, known: Records, seat: int) -> None:
        self.reader, self.structs, self.known, self.seat = reader, reader.structs, known, seat
        self.actions = self.structs.actions(known, seat)
        self.ids = {int(each["id"]) for each in self.actions}
        self.decision = int(known[0].decision)

    @functools.cached_property
    def moves(self) -> list[Move]:
        return moves_of(self.structs, self.known, self.seat, self.reader.whole)

    @functools.cached_property
    def _tables(self) -> list[dict[str, list[list[Step]]]]:
        said = [(text, [*move.steps]) for move in self.moves for text in move.texts]
        written = (
            said,
            [(without_price(text), steps) for text, steps in said],
            [(self.reader.name(action), [Step(action, self.decision)]) for action in sorted(self.ids)],
        )
        plain = functools.cache(lambda text: " ".join(self._plain(text)))  # many texts have no price
        tables: list[dict[str, list[list[Step]]]] = []
        for texts in written:
            tables.append({})
            for text, steps in texts:
                tables[-1].setdefault(plain(text), []).append(steps)
        return tables

    # ---- the parts of an answer

    def steps(self, final: FinalAnswer) -> list[Step]:
        """The steps of a final answer. Without a mark of the answer, no other line may be an action."""
        if any(self._is_action(line) for line in final.others):
            raise unreadable(f"several lines are actions: {FORM}")
        if final.text[0] in "{[":
            value = _json(final.text)
            if value is not None:
                return self._of_json(value)
        if "\n" in final.text or final.text[0] == "{":
            raise unreadable(f"is not JSON: {FORM}", final.text)
        if final.text.startswith(_BULLETS):
            raise unreadable(f"is an item of a list: {FORM}", final.text)
        return self._of_text(final.text)

    def _is_action(self, line: str) -> bool:
        """Whether a line begins with an action. It is not carried out."""
        line = trimmed(line.partition(";")[0].lstrip("-*+• "))
        try:
            words = self._plain(line)
            number, rest = _id_in(words, line)
            if self._named(words) is not None or (number is not None and (not rest or self._named(rest) is not None)):
                return True
            return self._composed(words, line) is not None
        except UnknownWordError:
            return False
        except ValueError:
            return True

    def _of_text(self, text: str) -> list[Step]:
        parts = [part for part in text.split(";") if part.strip()] or [text]
        if len(parts) > MAX_STEPS:
            raise unreadable(f"an answer has at most {MAX_STEPS} actions with ; between them")
        return self._each(parts, self._one)

    def _of_json(self, value: Any, depth: int = 0) -> list[Step]:
        if depth > _MAX_DEPTH:
            raise unreadable("the action in the JSON is nested too deep")
        if isinstance(value, list):
            if not 0 < len(value) <= MAX_STEPS:
                raise unreadable(f"a list has 1 to {MAX_STEPS} actions")
            if any(isinstance(each, list) for each in value):
                raise unreadable("a list of actions contains no other list")
            return self._each(value, lambda each: self._of_json(each, depth + 1))
        if isinstance(value, str):
            return self._of_text(value)
        if isinstance(value, dict):
            return self._of_object(value, depth + 1)
        if type(value) is int and not self.reader.whole:
            return [self._legal(value)]
        raise unreadable(f"an action in JSON is an id, words, or an object with `id`: {FORM}")

    def _of_object(self, value: dict[str, Any], depth: int) -> list[Step]:
        """What all keys of an object mean that name an action."""
        found = [self._of_json(value[key], depth) for key in value if key.casefold() in _KEYS]
        if "kind" in value or "id" in value:
            found.append([self._of_struct(value)])
        if not found:
            raise unreadable(
                f"no action is in the JSON, such as {as_json({'answer': self._example()}, ascii_only=False)}"
            )
        if any(other != found[0] for other in found):
            raise unreadable("the keys of the JSON are different actions")
        said = value.get("text")
        if isinstance(said, str) and self._named(self._plain(trimmed(said))) != found[0]:
            raise unreadable("is not the text of this action", said)
        return found[0]

    def _of_struct(self, value: dict[str, Any]) -> Step:
        given = value.get("id")
        if isinstance(given, str):
            number, rest = _id_in(words_of(trimmed(given)), given)
            value = {**value, "id": number if not rest else None}
        elif type(given) is not int and "id" in value:
            value = {**value, "id": None}
        if value.get("id", 0) is None:
            raise unreadable("`id` of an action is a number")
        if "id" in value and value["id"] not in self.ids:
            raise self._illegal(value["id"])
        return Step(self._meant(value), self.decision)

    def _each(self, parts: Sequence[Any], read: Any) -> list[Step]:
        """The steps of all parts, in order. A reason names the part that it is about if there are several."""
        found: list[Step] = []
        for number, part in enumerate(parts, 1):
            try:
                found += read(part)
            except RefusedError as error:
                if len(parts) == 1:
                    raise
                raise RefusedError(error.refusal, f"{error.reason} (step {number})", error.said) from None
            if len(parts) > 1 and len(found) > MAX_STEPS:
                raise unreadable(f"an answer has at most {MAX_STEPS} actions")
        return found

    # ---- a step

    def _one(self, text: str) -> list[Step]:
        """The steps that a text without `;` means: one, or several if it is a composite move."""
        said = trimmed(text)
        try:
            words = self._plain(said)
        except UnknownWordError as error:
            raise unreadable(str(error), said) from None
        named = self._named(words)
        if named is not None:
            return named
        number, rest = _id_in(words, said)
        if number is not None and not rest and self.reader.whole:
            raise unreadable(f"is a number, and the actions have none: {FORM}", said)
        if number is not None and (number in self.ids or not rest) and not self.reader.whole:
            return self._numbered(number, rest, said)
        known = self.reader.legal_id(words)
        if known is not None:
            raise self._illegal(known)
        return self._composite(words, said)

    def _numbered(self, number: int, rest: list[str], said: str) -> list[Step]:
        """An id, and the words after it, which must be those of the action."""
        if rest and self._named(rest) != [Step(number, self.decision)]:
            raise unreadable(f"has other words after {number} than those of an action with this id: {FORM}", said)
        return [self._legal(number)]

    def _legal(self, action: int) -> Step:
        if action not in self.ids:
            raise self._illegal(action)
        return Step(action, self.decision)

    def _named(self, words: Sequence[str]) -> list[Step] | None:
        """The steps of the one move with these words."""
        plain = " ".join(words)
        found = (table.get(plain, []) for table in self._tables)
        return next((moves[0] for moves in found if moves and moves.count(moves[0]) == len(moves)), None)

    def _plain(self, text: str) -> list[str]:
        return self.structs.language.plain(text, self.known, self.seat)

    def _composed(self, words: Sequence[str], said: str) -> Composite | None:
        """A composite move, also with the price of its first action in parentheses at the end."""
        composite = self.structs.language.composite
        bare = without_price(said)
        price = words_of(said[len(bare) :])
        if not price or not (is_number(price[0]) or price == ["free"]):
            return composite(words, self.known, self.seat)
        found = composite(self._plain(bare), self.known, self.seat)
        action = found and self.structs.meant(self.known, self.seat, found[0])
        shown = next((each["text"] for each in self.actions if each["id"] == action), said)
        if words_of(shown[len(without_price(shown)) :]) != price:
            raise UnknownWordError("has another price than the action")
        return found

    def _composite(self, words: Sequence[str], said: str) -> list[Step]:
        """The steps of a composite move, each of which is legal in a redeal after those before it."""
        language, game = self.structs.language, self.structs.game
        try:
            composite = self._composed(words, said)
        except UnknownWordError as error:
            reason = str(error) if len(str(error)) <= _MAX_REASON else str(error).partition(": `")[0]
            raise unreadable("".join(each if each.isprintable() else "?" for each in reason), said) from None
        except ValueError as error:
            if isinstance(error, UnlistedError) and not self.reader.whole:
                raise unreadable(f"does not name each step. {language.moves}".rstrip("."), said) from None
            raise RefusedError(Refusal.ILLEGAL, str(error)) from None
        if composite is None:
            raise unreadable(f"is not a legal action: {FORM}, such as `Answer: {self._example()}`", said)
        wanted, plan = composite
        steps = [Step(self._meant(wanted), self.decision)]
        if plan is None and self.reader.whole and all([*move.steps] != steps for move in self.moves):
            raise unreadable(f"is a part of a move: {FORM}, such as `Answer: {self._example()}`", said)
        if plan is None:
            return steps
        states = game.redeal(self.known, 0, self.seat, 0)
        states["skip_forced"][0] = 0  # each part of the move answers a question, here at least
        while True:
            game.play.apply(states, 0, steps[-1].action)
            there = _Position(self.reader, game.hide(states, 0, self.seat), self.seat)
            follows = language.follow(plan, there.known, self.seat) if there.actions else None
            if follows is None:
                break
            question = self.structs.question(there.known, self.seat)
            steps.append(Step(there._meant(follows), there.decision, question, len(there.actions) == 1))
        if any(plan.values()):
            raise RefusedError(Refusal.ILLEGAL, f"can be carried out only up to its decision {len(steps)}", said)
        return steps

    def _meant(self, wanted: dict[str, Any]) -> int:
        """The legal action that a struct means."""
        try:
            return action_among(self.actions, wanted)
        except ValueError as error:
            action = self.structs.meant(self.known, self.seat, wanted)
            if action is None:
                raise unreadable(str(error)) from None
            raise self._illegal(action) from None

    # ---- reasons

    def _illegal(self, action: int) -> RefusedError:
        """Why an action is not legal now."""
        exists = 0 <= action < self.structs.game.num_actions
        named = self.structs.without_text(self.known, self.seat, action) if exists else None
        if named is None:
            number = str(action)
            return RefusedError(
                Refusal.ILLEGAL, f"there is no action {number if len(number) <= _MAX_SHOWN else 'with so many digits'}"
            )
        given = ", ".join(map(str, named["arguments"].values()))
        what = f"action {action} ({named['kind']}{': ' if given else ''}{given}) is not legal now"
        why = self.structs.language.why(self.known, self.seat, action)
        if not why and all(each["kind"] != named["kind"] for each in self.actions):
            why = f"the question is: {self.structs.question(self.known, self.seat)}"
        return RefusedError(Refusal.ILLEGAL, f"{what}{': ' if why else ''}{why}")

    def _example(self) -> str:
        """A legal answer, which differs from question to question."""
        ids = sorted(self.ids)
        said = [move.texts[0] for move in self.moves] if self.reader.whole else [*map(str, ids)]
        return said[zlib.crc32(repr(ids).encode()) % len(said)]


def without_price(text: str) -> str:
    """Return the words of an action without what stands in parentheses at the end."""
    words, found, price = text.rpartition(" (")
    return words if found and price.endswith(")") else text


def value_of(final: FinalAnswer) -> str:
    """Return the text of a final answer; of JSON the value of the one key that can be an answer, "" without one."""
    value = _json(final.text) if final.text[0] in "{[" else None
    if value is None:
        return final.text
    found = [value[key] for key in value if key.casefold() in _KEYS] if isinstance(value, dict) else []
    return str(found[0]) if len(found) == 1 else ""


def _id_in(words: Sequence[str], said: str) -> tuple[int | None, list[str]]:
    """The id with which the words of a text begin, and the words after it; None if they begin with none. Other words
    for numbers, such as `one` or `a`, are not ids.
    """
    start = 0
    while start < min(len(words), _MAX_ID_WORDS) and words[start] in _ID_WORDS:
        start += 1
    number = words[start] if start < len(words) else ""
    if not (is_number(number) and len(number) <= MAX_DIGITS):
        return None, []
    if "".join(each if each.isdigit() else " " for each in said).split()[:1] != [number]:
        return None, []
    rest = list(words[start + 1 :])
    return int(number), rest[1:] if rest and rest[0] in _BETWEEN else rest


def _json(text: str) -> Any:
    """The value of JSON, None for another text. Raise RefusedError for keys that are there twice."""
    try:
        return json.loads(text, object_pairs_hook=_unique)
    except RefusedError:
        raise
    except (ValueError, RecursionError):
        return None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise unreadable("a key is in the JSON twice")
    return found
