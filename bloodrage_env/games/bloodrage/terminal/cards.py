"""Cards in words, found by title."""

import textwrap
from collections.abc import Iterator, Sequence
from typing import Final

from ....core.lookup import find_title, find_titles
from ....terminal.text import WIDTH
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
    God,
    cards_of,
)
from ..notation.words import GODS

PLAYERS: Final = "/".join(map(str, range(MIN_SEATS, MAX_SEATS + 1)))
_HEADINGS: Final = {
    CardType.BATTLE: "Battle cards",
    CardType.QUEST: "Quests",
    CardType.LEADER: "Leader upgrades",
    CardType.WARRIOR: "Warrior upgrades",
    CardType.SHIP: "Ship upgrades",
    CardType.MONSTER: "Monsters",
    CardType.CLAN: "Clan upgrades",
}


def find(text: str) -> list[int]:
    """Cards that can be played with, by title, by id, by the beginning of a title, or else by a part of one.

    Raises UserError if there is none, or if the beginning or part is that of several titles.
    """
    cards = cards_of(PLAYABLE)
    return find_title(text, {card: TITLE[card] for card in cards}, {card: Card(card).name for card in cards}, "card")


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


def about(words: Sequence[str]) -> Iterator[str]:
    """The gods and cards of some names."""
    cards = cards_of(PLAYABLE)
    titles = {card: TITLE[card] for card in cards} | {_god(god): GODS[god] for god in God}
    names = {card: Card(card).name for card in cards} | {_god(god): god.name for god in God}
    found = [number for numbers in find_titles(words, titles, names, "card") for number in numbers]
    yield "\n\n".join("\n".join(_god_and_cards(_god(each)) if each < 0 else card_lines(each)) for each in found)


def _god(number: int) -> int:
    """The number of a god among cards, and back: those below 0."""
    return -1 - number


def _god_and_cards(god: int) -> list[str]:
    """What a god does, and the cards that bear its name."""
    own = sorted({TITLE[card] for card in cards_of(PLAYABLE) if TITLE[card].startswith(f"{GODS[god]}'")})
    text = f"cards of this name: {', '.join(own)}" if own else ""
    return [*god_lines(god), *textwrap.wrap(text, WIDTH, initial_indent="  ", subsequent_indent="  ")]


def reference() -> Iterator[str]:
    """The list of all cards and gods."""
    for kind, heading in _HEADINGS.items():
        yield heading
        for card in cards_of(PLAYABLE):
            if TYPE[card] == kind:
                own_set = "" if SET[card] == CardSet.BASE else f"  {set_name(card)}"
                yield f"  {TITLE[card]:20} {_numbers(card, kind):18} {_ages(card)}{own_set}"
        yield ""
    yield "Gods (set gods; two of them are in a game, and in no deck)"
    for god in God:
        yield from god_lines(god)
    yield ""
    yield f"At the end: copies in the decks of Ages 1, 2 and 3 with {PLAYERS} players, and the card's set."
    yield "`bloodrage cards NAME...` shows what cards do."


def _numbers(card: int, kind: int) -> str:
    if kind == CardType.BATTLE:
        return f"+{STRENGTH[card]}{'  white disc' if LATE[card] else ''}"
    if kind == CardType.QUEST:
        return f"{QUEST_GLORY[card]:2} glory"
    strength = "" if kind == CardType.CLAN else f"STR {STRENGTH[card]}"
    return f"{PRICE[card]} Rage  {strength}"


def _ages(card: int) -> str:
    columns = (copies_by_players(age, card) for age in range(NUM_AGES))
    return "  ".join("/".join(map(str, counts)) if any(counts) else "   -   " for counts in columns).rstrip()
