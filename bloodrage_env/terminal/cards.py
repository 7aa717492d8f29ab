"""Cards in words: found by title, and told in full."""

import difflib
import textwrap
from typing import Final

from ..engine import (
    COPIES,
    GOD,
    GOD_TEXT,
    IS_UPGRADE,
    LATE,
    MAX_SEATS,
    MIN_SEATS,
    NUM_AGES,
    PLAYABLE,
    PRICE,
    QUEST_GLORY,
    SET,
    STRENGTH,
    TEXT,
    TITLE,
    TYPE,
    Card,
    CardSet,
    CardType,
    cards_of,
)
from ..errors import UserError
from ..notation.words import GODS
from .text import WIDTH

PLAYERS: Final = "/".join(map(str, range(MIN_SEATS, MAX_SEATS + 1)))


def find(text: str) -> list[int]:
    """Cards that can be played with, by title, by id, by the beginning of a title, or else by a part of one.

    Raises UserError if there is none, or if the beginning or part is that of several titles.
    """
    wanted = text.casefold().strip().replace("’", "'")
    titles = {card: TITLE[card].casefold() for card in cards_of(PLAYABLE)}
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
    facts = [f"{kind.name.lower()} {'upgrade' if IS_UPGRADE[card] else 'card'}"]
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


def god_lines(god: int) -> list[str]:
    """A god and what it does, in the table of cards."""
    return textwrap.wrap(GOD_TEXT[god], WIDTH, initial_indent=f"  {GODS[god]:20} ", subsequent_indent=" " * 23)


def _decks(card: int) -> str:
    """How many copies the decks hold, by number of players if that makes a difference, and the set of the card."""
    parts = []
    for age in range(NUM_AGES):
        counts = copies_by_players(age, card)
        if any(counts):
            parts.append(f"Age {age + 1}: {counts[0] if len(set(counts)) == 1 else '/'.join(map(str, counts))}")
    numbers = f" (with {PLAYERS} players)" if any("/" in part for part in parts) else ""
    return "; ".join(parts) + numbers + (f"; set {set_name(card)}" if SET[card] != CardSet.BASE else "")


def copies_by_players(age: int, card: int) -> list[int]:
    """How many copies the deck of an Age holds with 2, 3, ... players."""
    return [int(COPIES[:, players, age, card].sum()) for players in range(MIN_SEATS, MAX_SEATS + 1)]


def set_name(card: int) -> str:
    """The set that a card belongs to, as options name it."""
    return CardSet(SET[card]).name.lower()
