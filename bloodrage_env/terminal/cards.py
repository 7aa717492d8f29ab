"""Cards in words: found by title, and told in full."""

import difflib
import textwrap

from ..engine.card_ids import NUM_BASE_CARDS, Card
from ..engine.cards import COPIES, GOD, LATE, PRICE, QUEST_GLORY, STRENGTH, TEXT, TITLE, TYPE
from ..engine.ids import FIRST_UPGRADE_TYPE, NUM_AGES, CardType
from ..errors import UserError
from .text import WIDTH


def find(text: str) -> list[int]:
    """Cards of the game by title, by id, by the beginning of a title, or else by a part of one.

    Raises UserError if there is none, or if the beginning or part is that of several titles.
    """
    wanted = text.casefold().strip().replace("’", "'")
    titles = {card: TITLE[card].casefold() for card in range(NUM_BASE_CARDS)}
    exact = [card for card in titles if wanted in (titles[card], Card(card).name.casefold())]
    beginning = [card for card in titles if titles[card].startswith(wanted)]
    part = [card for card in titles if wanted in titles[card]]
    for found in (exact, beginning, part):
        if len({titles[card] for card in found}) > 1:
            names = ", ".join(sorted({TITLE[card] for card in found}))
            raise UserError(f"{text!r} may be {names}")
        if found:
            return found
    near = difflib.get_close_matches(wanted, titles.values(), 1)
    hint = f"; did you mean {next(TITLE[card] for card in titles if titles[card] == near[0])}?" if near else ""
    raise UserError(f"there is no card {text!r}{hint}")


def card_facts(card: int) -> str:
    """What a card is and costs: "monster upgrade, STR 2, 2 Rage"."""
    kind = CardType(TYPE[card])
    if kind == CardType.QUEST:
        return f"quest, {QUEST_GLORY[card]} glory"
    facts = [f"{kind.name.lower()} {'card' if kind < FIRST_UPGRADE_TYPE else 'upgrade'}"]
    if kind == CardType.BATTLE:
        facts.append(f"+{STRENGTH[card]}" + (", white disc" if LATE[card] else ""))
    else:
        facts += [f"STR {STRENGTH[card]}"] if kind != CardType.CLAN else []
        facts.append(f"{PRICE[card]} Rage" if PRICE[card] else "no Rage")
    return ", ".join(facts)


def card_lines(card: int) -> list[str]:
    """A card in full: what it is, what it costs, its text, the decks it is in."""
    god = f", of {GOD[card]}" if GOD[card] else ""
    text = textwrap.wrap(TEXT[card], WIDTH, initial_indent="  ", subsequent_indent="  ")
    return [f"{TITLE[card]}: {card_facts(card)}{god}", *text, f"  {_decks(card)}"]


def _decks(card: int) -> str:
    """How many copies the decks hold: with two, three and four players, if that makes a difference."""
    parts = []
    for age in range(NUM_AGES):
        two, three, four = (int(COPIES[players, age, card]) for players in (2, 3, 4))
        if four:
            parts.append(f"Age {age + 1}: {two}" if two == four else f"Age {age + 1}: {two}/{three}/{four}")
    return "; ".join(parts) + (" (with 2/3/4 players)" if any("/" in part for part in parts) else "")
