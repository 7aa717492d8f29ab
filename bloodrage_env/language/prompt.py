"""Builds the text that asks a language model for an action, of parts that can be left out."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from .. import games
from ..core.compile.decorators import Records
from ..core.shown.structs import structs_of
from ..encoding import as_json
from .answers import Reader
from .final import RefusedError, kept_part
from .table import LEGEND, table
from .vocabulary import Vocabulary, names_of
from .whole import HOW, Move, listed

NO_RULES: Final = "Play by the questions and the legal actions."


@dataclass(frozen=True)
class Parts:
    """The parts of a prompt.

    - `rules`: the rules in 600 to 800 words or about 2,500, or none.
    - `cards`: what is printed on each card that can matter, in the words of the project.
    - `state`: what the seat may know as lines of text, as JSON, or neither.
    - `history`: what has happened since the own last turn.
    - `actions`: the legal actions as whole moves, or as single steps with their ids, or no list of them.
    - `words`: the seed of a vocabulary that replaces all names, None for the names of the game.
    """

    rules: Literal["short", "full", "none"] = "short"
    cards: bool = True
    state: Literal["table", "json", "none"] = "table"
    history: bool = True
    actions: Literal["whole", "steps", "none"] = "whole"
    words: int | None = None


class TextGame:
    """A game as text for one seat: `prompt` asks for an action, `read` returns it."""

    def __init__(self, game: str, parts: Parts | None = None) -> None:
        self.parts = parts or Parts()
        self.structs = structs_of(games.spec(game))
        self.whole = self.parts.actions == "whole"
        self.reader = Reader(self.structs, self.whole)
        seed = self.parts.words
        self.vocabulary = None if seed is None else Vocabulary(names_of(self.structs), seed)

    def system(self) -> str:
        """Return the system prompt: the rules and the form of answers."""
        title = games.spec(self.structs.game.name).title
        rules = self.structs.language.rules.get(self.parts.rules, NO_RULES)
        language = self.structs.language
        legend = "" if self.parts.state == "none" else f"{LEGEND} {language.legend}".strip() + "\n\n"
        return self.hidden(f"You play {title}.\n\n{rules}\n\n{legend}{f'{self._form()} {language.moves}'.strip()}")

    def _form(self) -> str:
        """The form of answers."""
        if self.parts.actions != "none":
            return WHOLE if self.whole else FORM
        blocks = self.structs.game.blocks
        kinds = (f"{each.name.lower()} ({', '.join(each.arguments)})".removesuffix(" ()") for each in blocks)
        return f"{UNLISTED} The kinds of actions, with their arguments: {', '.join(kinds)}."

    def situation(self, known: Records, seat: int, history: Sequence[str] = ()) -> str:
        """Return what a seat knows and the open question, without what it can answer."""
        return self.hidden("\n\n".join(self._blocks(known, seat, history, [])))

    def prompt(self, known: Records, seat: int, history: Sequence[str] = ()) -> str:
        """Return the open question of a seat. `known` is the record of `Game.hide`, `history` lines of events."""
        legal = self.structs.actions(known, seat)
        blocks = self._blocks(known, seat, history, legal)
        if self.parts.actions == "whole":
            blocks.append("\n".join(["Legal actions:", *listed(self.moves(known, seat))]))
        elif self.parts.actions == "steps":
            blocks.append("Legal actions:\n" + "\n".join(f"{each['id']}: {each['text']}" for each in legal))
        blocks.append("Answer:")
        return self.hidden("\n\n".join(blocks))

    def _blocks(self, known: Records, seat: int, history: Sequence[str], legal: list[dict[str, Any]]) -> list[str]:
        """The parts of a prompt up to the question."""
        structs, parts = self.structs, self.parts
        blocks = []
        if parts.history and history:
            blocks.append("Since your last turn:\n" + "\n".join(history))
        struct = structs.observation(known, seat)
        if parts.state != "none":
            blocks.append("State:\n" + (table(struct) if parts.state == "table" else as_json(struct, ascii_only=False)))
        if parts.cards:
            texts = structs.language.texts
            named = dict.fromkeys(_names_in([structs.language.current(struct), legal]))
            lines = [f"{name}: {texts[name]}" for name in named if name in texts]
            blocks += ["Cards:\n" + "\n".join(lines)] if lines else []
        blocks.append(f"You are {structs.presentation.seats[seat]}. {structs.question(known, seat)}")
        return blocks

    def moves(self, known: Records, seat: int) -> list[Move]:
        """Return the moves that the open question of a seat can be answered with, whole or as single steps."""
        return self.reader.moves(known, seat)

    def kept(self, known: Records, seat: int) -> int | None:
        """Return the action that an earlier answer gives to the open question, None if there is none."""
        return self.reader.kept(known, seat)

    def read(self, answer: str, known: Records, seat: int) -> int:
        """Return the legal action that an answer means first. Raise `final.RefusedError` if it means none."""
        try:
            return self.reader.read(self.revealed(kept_part(answer)), known, seat)
        except RefusedError as error:
            raise error.reworded(self.hidden) from None

    def hidden(self, text: str) -> str:
        """Return a text with the words of the vocabulary, if there is one."""
        return self.vocabulary.hide(text) if self.vocabulary else text

    def revealed(self, text: str) -> str:
        """Return a text with the names of the game in place of the words of the vocabulary."""
        return self.vocabulary.reveal(text) if self.vocabulary else text


def _names_in(value: Any) -> Iterator[str]:
    """The keys and texts of JSON."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for each in value:
            yield from _names_in(each)
            if isinstance(value, dict):
                yield from _names_in(value[each])


_END: Final = "Nothing before this line counts, and nothing may follow it. "
_MORE: Final = (
    "Several legal actions, separated by `;`, are given to this question and to the next ones of the same kind."
)
FORM: Final = (
    "Each question has a list of legal actions. End your answer with one line `Answer: ACTION`, where ACTION is the id "
    f'of a legal action, its words, or JSON such as {{"id": 3}}. {_END}{_MORE}'
)
WHOLE: Final = (
    "Each question has a list of legal actions. End your answer with one line `Answer: ACTION`, where ACTION is one of "
    f"them in the words of the list. {HOW} {_END}{_MORE}"
)
UNLISTED: Final = (
    "The legal actions are not listed. End your answer with one line `Answer: ACTION`, where ACTION is a legal action "
    'in words, or JSON such as {"kind": "yes"} or {"kind": "card", "arguments": {"card": NAME}}, with names as in the '
    "state. Nothing before this line counts, and nothing may follow it."
)


def refusal(reason: str) -> str:
    """Return what a model receives after an answer that means no legal action."""
    return f"This answer can't be used: {reason}. Answer again."
