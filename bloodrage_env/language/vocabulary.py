"""Other words for all names of a game, drawn from a seed: what a model has read about the game does not help it."""

import random
import re
from collections.abc import Iterable
from typing import Final

from .. import games
from ..core.shown.structs import Structs

_SYLLABLES: Final = [first + vowel for first in "bdfgklmnprstvz" for vowel in "aeiou"]
_PROPER: Final = re.compile(r"[A-Z][a-zA-Z]+(?:[ '-][a-zA-Z]+)*")  # not a slot or a number
_PART: Final = re.compile(r"[A-Z][a-z]+(?:-[A-Z][a-z]+)*")


def names_of(structs: Structs) -> list[str]:
    """Return the names that are replaced, longest first: proper names of the structs, seats, terms and the game."""
    language = structs.language
    kinds = [names for kind, names in language.names.items() if kind not in language.ordinary]
    shown = (str(name).partition(" (")[0] for names in kinds for name in names.values())
    found = [name for name in (games.spec(structs.game.name).title, *shown) if _PROPER.fullmatch(name)]
    found += [*(() if "seat" in language.ordinary else structs.presentation.seats), *language.terms, structs.game.name]
    unique = {name.casefold(): name for name in reversed(found)}
    return sorted(unique.values(), key=lambda name: (-len(name), name))


class Vocabulary:
    """A word for each name: `hide` puts the words into a text, `reveal` the names.

    Names are found in any case. The capitalized parts of longer names have words too, for texts that show a part alone,
    such as a title over two lines.
    """

    def __init__(self, names: Iterable[str], seed: int) -> None:
        rng = random.Random(f"vocabulary {seed}")
        names = [*names]
        whole = {name.casefold() for name in names}
        parts = dict.fromkeys(part for name in names for part in _PART.findall(name) if part.casefold() not in whole)
        self.words: dict[str, str] = {}
        used: set[str] = set()
        for name in (*names, *parts):
            word = ""
            while not word or word in used:
                word = "".join(rng.sample(_SYLLABLES, 3))
            used.add(word)
            self.words[name] = word.capitalize() if name[0].isupper() else word
        self._by_name = {name.casefold() if name in names else name: word for name, word in self.words.items()}
        self._by_word = {word.casefold(): name for name, word in self.words.items()}
        self._names = re.compile(rf"\b(?:(?i:({_any(names)}))|({_any(parts)}))(s?)\b")
        self._said = re.compile(rf"\b({_any(self.words.values())})(s?)\b", re.IGNORECASE)

    def hide(self, text: str) -> str:
        """Return the text with a word for each name."""
        return self._names.sub(lambda found: self._by_name[found[2] or found[1].casefold()] + found[3], text)

    def reveal(self, text: str) -> str:
        """Return the text with the name of each word."""
        return self._said.sub(lambda found: self._by_word[found[1].casefold()] + found[2], text)


def _any(words: Iterable[str]) -> str:
    """A pattern of any of the words, longer ones first; without words it matches nothing."""
    return "|".join(map(re.escape, sorted(words, key=len, reverse=True))) or "(?!)"
