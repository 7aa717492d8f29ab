"""Looking something up by its title."""

import difflib
from collections.abc import Mapping

from ..errors import UserError


def find_title(text: str, titles: Mapping[int, str], names: Mapping[int, str], what: str) -> list[int]:
    """The numbers whose title, or exact name, is the text; whose title begins with it; or else has it as a part.

    Raises UserError if there is none, or if the beginning or part is that of several titles; `what` says what they are.
    """
    wanted = text.casefold().strip().replace("’", "'")
    folded = {number: title.casefold() for number, title in titles.items()}
    exact = [number for number in folded if wanted in (folded[number], names[number].casefold())]
    beginning = [number for number in folded if folded[number].startswith(wanted)]
    part = [number for number in folded if wanted in folded[number]]
    for found in (exact, beginning, part):
        if len({folded[number] for number in found}) > 1:
            raise UserError(f"{text!r} may be {', '.join(sorted({titles[number] for number in found}))}")
        if found:
            return found
    near = difflib.get_close_matches(wanted, folded.values(), 1)
    hint = f"; did you mean {next(titles[each] for each in folded if folded[each] == near[0])}?" if near else ""
    raise UserError(f"there is no {what} {text!r}{hint}")
