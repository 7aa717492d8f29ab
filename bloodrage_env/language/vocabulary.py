"""Other words for all names of a game, drawn from a seed: what a model has read about the game does not help it."""

import random
import re
from collections.abc import Iterable
from typing import Final

from .. import games
from ..core.structs import Structs

_SYLLABLES: Final = [first + vowel for first in "bdfgklmnprstvz" for vowel in "aeiou"]
_PROPER: Final = re.compile(r"[A-Z][a-zA-Z]+(?:[ '-][a-zA-Z]+)*")  # not a slot or a number


def names_of(structs: Structs) -> list[str]:
    """Return the names that are replaced, longest first: proper names of the structs, seats, terms of the game."""
    kinds = [names for kind, names in structs.language.names.items() if kind not in structs.language.ordinary]
    shown = (str(name).partition(" (")[0] for names in kinds for name in names.values())
    title = games.spec(structs.game.name).title
    found = [name for name in (title, *shown) if _PROPER.fullmatch(name)]
    found += [*structs.presentation.seats, *structs.language.terms]
    unique = {name.casefold(): name for name in reversed(found)}
    return sorted(unique.values(), key=lambda name: (-len(name), name))


class Vocabulary:
    """A word for each name: `hide` puts the words into a text, `reveal` the names."""

    def __init__(self, names: Iterable[str], seed: int) -> None:
        rng = random.Random(f"vocabulary {seed}")
        self.words: dict[str, str] = {}
        used: set[str] = set()
        for name in names:
            word = "".join(rng.sample(_SYLLABLES, 3))
            while word in used:
                word = "".join(rng.sample(_SYLLABLES, 3))
            used.add(word)
            self.words[name] = word.capitalize() if name[0].isupper() else word
        self._by_name = {name.casefold(): word for name, word in self.words.items()}
        self._by_word = {word.casefold(): name for name, word in self.words.items()}
        self._names, self._said = _pattern(self.words), _pattern(self.words.values())

    def hide(self, text: str) -> str:
        """Return the text with a word for each name."""
        return self._names.sub(lambda found: self._by_name[found[1].casefold()] + found[2], text)

    def reveal(self, text: str) -> str:
        """Return the text with the name of each word."""
        return self._said.sub(lambda found: self._by_word[found[1].casefold()] + found[2], text)


def _pattern(words: Iterable[str]) -> re.Pattern[str]:
    """Any of the words, longer ones first, perhaps in the plural."""
    longest = sorted(words, key=len, reverse=True)
    return re.compile(rf"\b({'|'.join(map(re.escape, longest))})(s?)\b", re.IGNORECASE)
