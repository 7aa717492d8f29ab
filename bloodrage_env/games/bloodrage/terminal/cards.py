"""Descriptions of cards for the terminal, and the search for cards by title."""

import textwrap
from collections.abc import Iterator, Sequence
from typing import Final

from ....core.shown.lookup import find_title, find_titles
from ....terminal.text import WIDTH
from .. import engine
from ..engine import Card, CardSet, CardType, God
from ..notation.words import GODS

PLAYERS: Final = "/".join(map(str, range(engine.MIN_SEATS, engine.MAX_SEATS + 1)))
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
    """Return the cards of a title, of an id, or of the beginning of a title, or else of a part of one.

    Raise UserError if there is none, or if the beginning or part is that of several titles.
    """
    cards = engine.cards_of(engine.PLAYABLE)
    return find_title(
        text, {card: engine.TITLE[card] for card in cards}, {card: Card(card).name for card in cards}, "card"
    )


def card_facts(card: int) -> str:
    """Return the type and cost of a card: "monster upgrade, STR 2, 2 Rage"."""
    kind = CardType(engine.TYPE[card])
    if kind == CardType.QUEST:
        return f"quest, {engine.QUEST_GLORY[card]} glory"
    facts = [f"{kind.name.lower()} {'upgrade' if engine.IS_UPGRADE[card] else 'card'}"]
    if kind == CardType.BATTLE:
        facts.append(f"+{engine.STRENGTH[card]}" + (", white disc" if engine.LATE[card] else ""))
    else:
        facts += [f"STR {engine.STRENGTH[card]}"] if kind != CardType.CLAN else []
        facts.append(f"{engine.PRICE[card]} Rage" if engine.PRICE[card] else "no Rage")
    return ", ".join(facts)


def card_lines(card: int) -> list[str]:
    """Return the full description of a card: type, cost, text, decks."""
    god = f", of {engine.GOD[card]}" if engine.GOD[card] else ""
    text = textwrap.wrap(engine.TEXT[card], WIDTH, initial_indent="  ", subsequent_indent="  ")
    return [f"{engine.TITLE[card]}: {card_facts(card)}{god}", *text, f"  {_decks(card)}"]


def god_lines(god: int) -> list[str]:
    """Return the description of a god, as in the table of cards."""
    return textwrap.wrap(engine.GOD_TEXT[god], WIDTH, initial_indent=f"  {GODS[god]:20} ", subsequent_indent=" " * 23)


def _decks(card: int) -> str:
    """Return the number of copies in the decks, by number of players if it varies, and the set of the card."""
    parts = []
    for age in range(engine.NUM_AGES):
        counts = copies_by_players(age, card)
        if any(counts):
            parts.append(f"Age {age + 1}: {counts[0] if len(set(counts)) == 1 else '/'.join(map(str, counts))}")
    numbers = f" (with {PLAYERS} players)" if any("/" in part for part in parts) else ""
    return "; ".join(parts) + numbers + (f"; set {set_name(card)}" if engine.SET[card] != CardSet.BASE else "")


def copies_by_players(age: int, card: int) -> list[int]:
    """Return the number of copies in the deck of an Age with 2, 3, ... players."""
    return [
        int(engine.COPIES[:, players, age, card].sum()) for players in range(engine.MIN_SEATS, engine.MAX_SEATS + 1)
    ]


def set_name(card: int) -> str:
    """Return the set of a card by its option name."""
    return CardSet(engine.SET[card]).name.lower()


def about(words: Sequence[str]) -> Iterator[str]:
    """Return the descriptions of gods and cards by name."""
    found = _named(words)
    yield "\n\n".join("\n".join(_god_and_cards(_god(each)) if each < 0 else card_lines(each)) for each in found)


def cards(words: Sequence[str]) -> Iterator[dict[str, object]]:
    """Yield the facts of the named cards and gods, or of all."""
    for each in _named(words) if words else [*engine.cards_of(engine.PLAYABLE), *map(_god, God)]:
        if each < 0:
            god = God(_god(each))
            yield {
                "id": god.name,
                "title": GODS[god],
                "type": "god",
                "set": CardSet.GODS.name.lower(),
                "text": engine.GOD_TEXT[god],
            }
            continue
        yield {
            "id": Card(each).name, "title": engine.TITLE[each], "type": CardType(engine.TYPE[each]).name.lower(),
            "god": engine.GOD[each], "strength": int(engine.STRENGTH[each]), "rage": int(engine.PRICE[each]),
            "glory": int(engine.QUEST_GLORY[each]), "set": set_name(each),
            "copies": [copies_by_players(age, each) for age in range(engine.NUM_AGES)], "text": engine.TEXT[each],
        }  # fmt: skip


def _named(words: Sequence[str]) -> list[int]:
    """Return the numbers of gods and cards by name."""
    known = engine.cards_of(engine.PLAYABLE)
    titles = {card: engine.TITLE[card] for card in known} | {_god(god): GODS[god] for god in God}
    names = {card: Card(card).name for card in known} | {_god(god): god.name for god in God}
    return [number for numbers in find_titles(words, titles, names, "card") for number in numbers]


def _god(number: int) -> int:
    """Return the number of a god among cards, which is below 0, or the god of such a number."""
    return -1 - number


def _god_and_cards(god: int) -> list[str]:
    """Return the description of a god, and the cards that bear its name."""
    own = sorted(
        {
            engine.TITLE[card]
            for card in engine.cards_of(engine.PLAYABLE)
            if engine.TITLE[card].startswith(f"{GODS[god]}'")
        }
    )
    text = f"cards of this name: {', '.join(own)}" if own else ""
    return [*god_lines(god), *textwrap.wrap(text, WIDTH, initial_indent="  ", subsequent_indent="  ")]


def reference() -> Iterator[str]:
    """Return the list of all cards and gods."""
    for kind, heading in _HEADINGS.items():
        yield heading
        for card in engine.cards_of(engine.PLAYABLE):
            if engine.TYPE[card] == kind:
                own_set = "" if engine.SET[card] == CardSet.BASE else f"  {set_name(card)}"
                yield f"  {engine.TITLE[card]:20} {_numbers(card, kind):18} {_ages(card)}{own_set}"
        yield ""
    yield "Gods (set gods; two of them are in a game, and in no deck)"
    for god in God:
        yield from god_lines(god)
    yield ""
    yield f"At the end: copies in the decks of Ages 1, 2 and 3 with {PLAYERS} players, and the card's set."
    yield "`bloodrage cards NAME...` shows what cards do."


def _numbers(card: int, kind: int) -> str:
    if kind == CardType.BATTLE:
        return f"+{engine.STRENGTH[card]}{'  white disc' if engine.LATE[card] else ''}"
    if kind == CardType.QUEST:
        return f"{engine.QUEST_GLORY[card]:2} glory"
    strength = "" if kind == CardType.CLAN else f"STR {engine.STRENGTH[card]}"
    return f"{engine.PRICE[card]} Rage  {strength}"


def _ages(card: int) -> str:
    columns = (copies_by_players(age, card) for age in range(engine.NUM_AGES))
    return "  ".join("/".join(map(str, counts)) if any(counts) else "   -   " for counts in columns).rstrip()
