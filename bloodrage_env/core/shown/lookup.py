"""Looks things up by their titles."""

import difflib
from collections.abc import Mapping, Sequence
from typing import Final

from ...errors import UserError

MOST: Final = 12  # titles that a part of a title can mean at once


def find_title(text: str, titles: Mapping[int, str], names: Mapping[int, str], what: str) -> list[int]:
    """Return the indices of titles that equal the text, otherwise those that begin with it, otherwise those that
    contain it.

    Raise UserError if there is none, or if a beginning or part is ambiguous. `what` names the kind of thing in
    messages.
    """
    found = _matches(text, titles, names)
    candidates = sorted({titles[number] for number in found})
    if len(candidates) > 1:
        raise UserError(f"{text!r} may be {', '.join(candidates)}: write more of the name")
    if found:
        return found
    folded = {title.casefold(): title for title in titles.values()}
    near = difflib.get_close_matches(text.casefold().strip(), folded, 1)
    raise UserError(f"there is no {what} {text!r}{f'; did you mean {folded[near[0]]}?' if near else ''}")


def find_titles(
    words: Sequence[str], titles: Mapping[int, str], names: Mapping[int, str], what: str
) -> list[list[int]]:
    """Return the results of several words, name by name. Each name takes as many words as possible.

    So `frigga's grace troll` is two names, and `glorious death` is one. A part of up to MOST titles is all of them.
    Raise UserError as `find_title` does.
    """
    found, rest = [], list(words)
    while rest:
        lengths = range(len(rest), 0, -1)
        size = next(
            (n for n in lengths if len({titles[each] for each in _matches(" ".join(rest[:n]), titles, names)}) == 1), 1
        )
        several = _matches(" ".join(rest[:size]), titles, names)
        some = 0 < len({titles[each] for each in several}) <= MOST
        found.append(several if some else find_title(" ".join(rest[:size]), titles, names, what))
        rest = rest[size:]
    return found


def _matches(text: str, titles: Mapping[int, str], names: Mapping[int, str]) -> list[int]:
    """Return the titles that equal the text, otherwise those that begin with it, otherwise those that contain it."""
    wanted = text.casefold().strip().replace("’", "'")
    folded = {number: title.casefold() for number, title in titles.items()}
    exact = [number for number in folded if wanted in (folded[number], names[number].casefold())]
    beginning = [number for number in folded if folded[number].startswith(wanted)]
    return exact or beginning or [number for number in folded if wanted in folded[number]]
