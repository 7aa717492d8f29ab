"""The table of the demon and the angel, which lie beyond the cards of decks (rules 11.1).

`beings.csv` has two rows, with numbers alone. A user may replace them: the engine is compiled again for others.
"""

import csv
from pathlib import Path
from typing import Final

from ....errors import UserError
from . import own
from .card_ids import DEMON, NUM_CARDS

# The columns with numbers, the least and the most of each.
LIMITS: Final = {
    "worth": (0, 50), "life": (1, 99), "against_player": (1, 99), "without_mountain": (1, 99), "movement": (0, 5),
    "weak": (0, 20), "medium": (0, 20), "strong": (0, 20), "power": (0, 20),
}  # fmt: skip
LIFE_AT_FIRST: Final = ("life", "against_player", "without_mountain")  # by number of players and deck
_CARDS: Final = ("DEMON", "ANGEL")
# What `power` is of each, as the column `effects` of `cards.csv` has it, and in words.
_EFFECTS: Final = ("storm", "heal_allies")
_TEXTS: Final = (
    "As its turn starts every card on the board takes {}, itself too.",
    "When its simple strike has landed, each other card of its owner heals {}.",
)


def being_rows(path: Path, columns: list[str]) -> list[dict[str, str]]:
    """Rows that follow those of `cards.csv`: empty ones up to the id DEMON, and the two of the table.

    Raise UserError, one line, for a table that is none.
    """
    with path.open(newline="", encoding="utf-8") as file:
        given = list(csv.DictReader(file))
    if [row.get("card") for row in given] != list(_CARDS):
        raise UserError(f"{path} must have two rows, {' and '.join(_CARDS)}")
    names = {row["title"].casefold() for row in given} | {name.casefold() for name in _CARDS}
    if twice := next((row["title"] for row in own.ROWS if row["title"].casefold() in names), None):
        raise UserError(f"{twice} is the name of a card of the Battle for Laar; give your own card another one")
    blank = dict.fromkeys(columns, "0")
    blank |= dict.fromkeys(("title", "classes", "effects", "ability_1", "ability_2", "ability_3", "text"), "")
    blank["element"] = "neutral"
    return [blank] * (DEMON - NUM_CARDS) + [blank | _row(path, row, i) for i, row in enumerate(given)]


def _row(path: Path, row: dict[str, str], i: int) -> dict[str, str]:
    """A row as `cards.csv` has them."""
    for name, (least, most) in LIMITS.items():
        number = row.get(name) or ""
        if not (number.isascii() and number.isdigit() and len(number) < 4 and least <= int(number) <= most):
            raise UserError(f"{path}: {name} of {_CARDS[i]} must be {least} to {most}, not {number!r:.20}")
    if more := next((name for name in LIFE_AT_FIRST if int(row[name]) > int(row["life"])), None):
        raise UserError(f"{path}: {more} of {_CARDS[i]} is {row[more]}, more than its life, {row['life']}")
    power = int(row["power"])
    count = f"{power} wound{'s'[: power != 1]}" if i == 0 else str(power)
    return {
        **{name: row[name] for name in ("card", "title", *LIFE_AT_FIRST, "movement", "weak", "medium", "strong")},
        "cost": row["worth"], "elite": "1", "unique": "1",
        "effects": f"{_EFFECTS[i]}={power}", "text": _TEXTS[i].format(count),
    }  # fmt: skip
