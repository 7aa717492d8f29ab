"""`bloodrage cards`: the list of cards, or what one of them does."""

import argparse
from collections.abc import Iterator

from ..engine.card_ids import NUM_BASE_CARDS
from ..engine.cards import COPIES, LATE, PRICE, QUEST_GLORY, STRENGTH, TITLE, TYPE
from ..engine.ids import NUM_AGES, CardType
from ..terminal.cards import card_lines, find

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
    parser.add_argument("name", nargs="*", metavar="NAME", help="a title or the beginning of one")


def run(args: argparse.Namespace) -> int:
    """Print the table, or the cards of a title."""
    if not args.name:
        print("\n".join(_table()))
        return 0
    print("\n\n".join("\n".join(card_lines(card)) for card in find(" ".join(args.name))))
    return 0


def _table() -> Iterator[str]:
    for kind, heading in _HEADINGS.items():
        yield heading
        for card in range(NUM_BASE_CARDS):
            if TYPE[card] == kind:
                yield f"  {TITLE[card]:20} {_numbers(card, kind):18} {_ages(card)}"
        yield ""
    yield "In the last columns: copies in the decks of Ages 1, 2 and 3 with 2/3/4 players."
    yield "`bloodrage cards NAME` shows what a card does."


def _numbers(card: int, kind: int) -> str:
    if kind == CardType.BATTLE:
        return f"+{STRENGTH[card]}{'  white disc' if LATE[card] else ''}"
    if kind == CardType.QUEST:
        return f"{QUEST_GLORY[card]:2} glory"
    strength = "" if kind == CardType.CLAN else f"STR {STRENGTH[card]}"
    return f"{PRICE[card]} Rage  {strength}"


def _ages(card: int) -> str:
    columns = ("/".join(str(int(COPIES[n, age, card])) for n in (2, 3, 4)) for age in range(NUM_AGES))
    return "  ".join("  -  " if column == "0/0/0" else column for column in columns).rstrip()
