"""`bloodrage cards`: the list of cards, or what one of them does."""

import argparse
from collections.abc import Iterator

from ..engine import (
    LATE,
    NUM_AGES,
    PLAYABLE,
    PRICE,
    QUEST_GLORY,
    SET,
    STRENGTH,
    TITLE,
    TYPE,
    CardSet,
    CardType,
    God,
    cards_of,
)
from ..notation.words import GODS
from ..terminal.cards import PLAYERS, card_lines, copies_by_players, find, god_lines, set_name

_HEADINGS = {
    CardType.BATTLE: "Battle cards",
    CardType.QUEST: "Quests",
    CardType.LEADER: "Leader upgrades",
    CardType.WARRIOR: "Warrior upgrades",
    CardType.SHIP: "Ship upgrades",
    CardType.MONSTER: "Monsters",
    CardType.CLAN: "Clan upgrades",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options."""
    parser.add_argument("name", nargs="*", metavar="NAME", help="a title or the beginning of one, or a god")


def run(args: argparse.Namespace) -> int:
    """Print the table, or the god or the cards of a name."""
    if not args.name:
        print("\n".join(_table()))
        return 0
    name = " ".join(args.name)
    gods = [god for god in God if GODS[god].casefold() == name.casefold()]
    told = [god_lines(god) for god in gods] or [card_lines(card) for card in find(name)]
    print("\n\n".join("\n".join(lines) for lines in told))
    return 0


def _table() -> Iterator[str]:
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
    yield "`bloodrage cards NAME` shows what a card does."


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
