"""Words that all games use."""

from typing import Final


def counted(count: int, noun: str) -> str:
    """``1 game``, ``2 games``."""
    return f"{count} {noun}{'' if count == 1 else 's'}"


def is_number(word: str) -> bool:
    """Return whether a word has decimal digits alone. Other digits, such as ``²``, are none that `int` reads."""
    return word.isascii() and word.isdigit()


_NUMBERS: Final = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_SAME: Final = {word: str(number) for number, word in enumerate(_NUMBERS, 1)} | {"a": "1", "an": "1"}
_APART: Final = frozenset('.,;:()[]{}_*`"“”')  # between words, without a meaning


def words_of(text: str) -> list[str]:
    """Return the words of a text as they are compared: lower case, with numbers in digits. Other signs than those of
    punctuation are words of their own, such as ``->``; a point between digits is one too.
    """
    found: list[str] = []
    word: list[str] = []
    text = text.casefold().replace("’", "'").replace("→", "->")
    for at, each in enumerate(text):
        inner = 0 < at < len(text) - 1
        if each.isalnum() or (each == "'" and inner and text[at - 1].isalnum() and text[at + 1].isalnum()):
            word.append(each)
            continue
        if word:
            found.append("".join(word))
            word = []
        if each == ">" and at and text[at - 1] == "-":
            found[-1] = "->"
        elif each == "-" and inner and text[at - 1].isalnum() and text[at + 1].isalpha():
            continue  # a hyphen
        elif each == "." and inner and text[at - 1].isdigit() and text[at + 1].isdigit():
            found.append(each)
        elif each not in _APART and not each.isspace():
            found.append(each)
    if word:
        found.append("".join(word))
    return [_SAME.get(each, each) for each in found]
