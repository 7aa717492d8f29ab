"""A game as a language model sees it: the names in its structs, composite moves and the rules."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ...text import words_of
from ..compile.decorators import Records
from ..engine.forms import Names


def nothing_seen(record: np.record, seat: int) -> Names:
    """Names do not depend on the seat."""
    return {}


class UnknownWordError(ValueError):
    """A composite move has a word that is not known there; the message names it."""


class UnlistedError(ValueError):
    """A composite move has the words of whole moves, which are legal only if they are listed; the message names it."""


class Played(NamedTuple):
    """A step of a whole move: what the seat knew, the action, its words, and its kind and arguments."""

    known: Records
    action: int
    text: str
    struct: dict[str, Any]


# The places of a whole move in a list, each as the parts of a line, and the texts that mean it.
Spoken = tuple[tuple[tuple[str, ...], ...], tuple[str, ...]]


def ends_there(path: Sequence[Played], after: Records, seat: int) -> tuple[bool, list[int]]:
    """Each action is a whole move."""
    return True, []


def as_answered(path: Sequence[Played], seat: int) -> Spoken:
    """A move is said in the words of its action."""
    return ((path[0].text,),), (path[0].text,)


# The first action of a composite move as a struct, and the plan of its other decisions, None if there are none.
Composite = tuple[dict[str, Any], dict[str, Any] | None]


def no_composite(words: Sequence[str], known: Records, seat: int) -> Composite | None:
    """No text is a composite move."""
    return None


def no_plan(plan: dict[str, Any], known: Records, seat: int) -> dict[str, Any] | None:
    """No plan answers a question."""
    return None


def plain_words(text: str, known: Records, seat: int) -> list[str]:
    """The words of a text, all of which count."""
    return words_of(text)


def no_reason(known: Records, seat: int, action: int) -> str:
    """No rule is named."""
    return ""


def nothing_derived(known: Records, seat: int) -> dict[str, Any]:
    """Nothing is added to a struct."""
    return {}


def all_current(struct: dict[str, Any]) -> Any:
    """All of a struct can matter."""
    return struct


@dataclass(frozen=True)
class Language:
    """The part of a game for language models.

    - `names`: by kind of axis the shown name of each label, each once; `seen` returns those that depend on the seat
      that looks.
    - `derived`: what is added to a struct, which follows from the observation, and its schema by key.
    - `rules`: the rules by length, "short" in 600 to 800 words and "full" in about 2,500; `terms`: nouns in them that
      are no names of the structs. `ordinary`: kinds whose names are ordinary words, which a vocabulary of invented
      words leaves as they are.
    - `texts`: by the names of what has a text, what it does, as one line. `current` returns the part of a struct that
      names those which can still matter. `legend` explains keys of structs in a few sentences.
    - `moves` tells how a composite move is written, a sentence or nothing.
    - `plain` returns the words of an answer, or of a text of a move, without those that need not be said, and with one
      word for what can be named in several ways. It raises UnknownWordError for what can mean two things.
    - `composite` takes these words and returns the first action and the plan of a move
      that takes several decisions, or an action alone that need not be legal, or None for other words. It raises
      UnknownWordError, or another ValueError with the reason why the move is not legal; UnlistedError if only a list
      of whole moves can tell that.
    - `follow` returns what a plan answers to the open question, as a struct, and removes it from the plan; None once
      the plan answers no more.
    - `go_on` returns whether a move can end after the steps so far, and the actions that carry it on, which answer the
      question in `after`. `spoken` returns its places in a list, and the texts that mean it, the first one of which no
      other move has.
    - `why` returns the rule by which an action is not legal, "" if it names none.
    """

    names: Names = field(default_factory=dict)
    seen: Callable[[np.record, int], Names] = nothing_seen
    derived: Callable[[Records, int], dict[str, Any]] = nothing_derived
    derived_schema: Mapping[str, Any] = field(default_factory=dict)
    rules: Mapping[str, str] = field(default_factory=dict)
    terms: tuple[str, ...] = ()
    ordinary: tuple[str, ...] = ("phase",)
    texts: Mapping[str, str] = field(default_factory=dict)
    current: Callable[[dict[str, Any]], Any] = all_current
    legend: str = ""
    moves: str = ""
    plain: Callable[[str, Records, int], list[str]] = plain_words
    composite: Callable[[Sequence[str], Records, int], Composite | None] = no_composite
    follow: Callable[[dict[str, Any], Records, int], dict[str, Any] | None] = no_plan
    go_on: Callable[[Sequence[Played], Records, int], tuple[bool, list[int]]] = ends_there
    spoken: Callable[[Sequence[Played], int], Spoken] = as_answered
    why: Callable[[Records, int, int], str] = no_reason

    def names_for(self, known: Records, seat: int) -> Names:
        """Return the names as a seat sees them."""
        return {**self.names, **self.seen(known[0], seat)}


def rules_in(folder: Path) -> dict[str, str]:
    """Return the rules of a game by length, from the files `rules_LENGTH.txt` of a folder."""
    return {
        length: (folder / f"rules_{length}.txt").read_text(encoding="utf-8").strip() for length in ("short", "full")
    }
