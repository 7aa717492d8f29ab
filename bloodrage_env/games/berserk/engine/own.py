"""Cards of one's own: rows of a CSV file, which follow those of the card table (rules 12).

The card table is a constant of the compiled engine, so the cards are read once, as the engine is imported: from the
file that the variable `BLOODRAGE_BERSERK_CARDS` names. A file is a line `name,cost,life,element,strike,movement,
keywords` and a line for each card; keywords are separated by semicolons, in the words of `keywords.py`.
"""

import difflib
import hashlib
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from ....errors import UserError
from ....files import MAX_TABLE, csv_lines
from .keywords import ATTACK_WORDS, CARD_WORDS, Word

VARIABLE: Final = "BLOODRAGE_BERSERK_CARDS"
MAX_CARDS: Final = 15  # ids that are left for them (`decks.py`)
HEAD: Final = ("name", "cost", "life", "element", "strike", "movement", "keywords")
RANGES: Final = {"cost": (1, 12), "life": (1, 18), "movement": (0, 2)}  # those of the table, so that no range grows
MAX_STRENGTH: Final = 9
ELEMENTS: Final = ("neutral", "steppe", "mountain")
_NAME: Final = re.compile(r"[A-Za-z][A-Za-z' -]{0,23}")
_ATTACKS: Final = ("SPECIAL", "ACROSS", "SHOT", "THROW", "MAGIC_STRIKE", "DISCHARGE")
_RANGED: Final = ("SHOT", "THROW", "DISCHARGE")
_INFLUENCES: Final = ("HEAL", "WOUND")
_REACH: Final = {  # what has no range (rules 5.2)
    "SPECIAL": "it reaches adjacent cards",
    "MAGIC_STRIKE": "it reaches adjacent cards",
    "ACROSS": "it reaches exactly two cells away",
}
_ROLLED: Final = {"shot": "shots", "throw": "throws", "discharge": "discharges"}  # of which dice can be rolled again
_MAX_ABILITIES: Final = 3

Row = dict[str, str]


def rows_of(content: bytes, name: str) -> list[Row]:
    """The rows of the card table that a file means. Raise UserError with one line that begins with `name`."""
    rows: list[Row] = []
    headed = False
    for where, cells in csv_lines(content, name, "table of cards"):
        if not headed:
            if tuple(each.casefold() for each in cells) != HEAD:
                raise UserError(f"{where}: the first line must be {','.join(HEAD)}")
            headed = True
            continue
        cells[len(HEAD) - 1 :] = [", ".join(cells[len(HEAD) - 1 :])]  # keywords with commas need no quotation marks
        if len(cells) != len(HEAD):
            raise UserError(f"{where}: must have {len(HEAD)} values ({','.join(HEAD)}), not {len(cells)}")
        row = _row(dict(zip(HEAD, cells, strict=True)), where)
        if any(row["card"] == each["card"] for each in rows):
            raise UserError(f"{where}: {row['title']} is there twice")
        rows.append(row)
    if not rows:
        raise UserError(f"{name} has no cards")
    if len(rows) > MAX_CARDS:
        raise UserError(f"{name} has {len(rows)} cards; at most {MAX_CARDS} are possible")
    return rows


def _row(cells: Row, where: str) -> Row:
    """One card."""
    title = cells["name"]
    if not _NAME.fullmatch(title):
        raise UserError(f"{where}: a name has 1 to 24 letters, spaces, hyphens and apostrophes, not {title[:30]!r}")
    row = {"card": re.sub(r"[ -]", "_", title.replace("'", "")).upper(), "title": title, "classes": "", "text": ""}
    for column, (least, most) in RANGES.items():
        row[column] = str(_number(cells[column], column, least, most, where))
    element = cells["element"].casefold()
    if element not in ELEMENTS:
        raise UserError(f"{where}: element must be {', '.join(ELEMENTS[:-1])} or {ELEMENTS[-1]}, not {element[:30]!r}")
    row["element"] = element
    strengths = _strength(cells["strike"], "strike", where)
    if len(strengths) != len(("weak", "medium", "strong")):
        raise UserError(f"{where}: strike must be three numbers, such as 1-2-3, not {cells['strike'][:30]!r}")
    row |= dict(zip(("weak", "medium", "strong"), map(str, strengths), strict=True))
    row |= _keywords(cells["keywords"], where)
    if "flyer=1" in row["effects"].split() and row["movement"] != "0":
        raise UserError(f"{where}: a flyer does not move, so its movement must be 0, not {row['movement']!r}")
    return row


def _keywords(text: str, where: str) -> Row:
    """The columns that keywords mean: rank, uniqueness, effects, abilities and what stands in the text."""
    row = {"elite": "0", "unique": "0"}
    effects: dict[str, int] = {}
    abilities: list[str] = []
    texts = []
    for item in filter(None, (" ".join(each.split()) for each in text.casefold().split(";"))):
        if item in row:
            row[item] = "1"
            continue
        known = _keyword(item)
        if known is None:
            abilities.append(_ability(item, where))
            continue
        word, given = known
        name = word.word.replace("{}", "X")
        number = _number(given, name, 1, word.most, where) if word.most else 1
        if bool(given) and not word.most:
            raise UserError(f"{where}: {name} has no number")
        if word.effect in effects:
            raise UserError(f"{where}: {name} is there twice")
        effects[word.effect] = number
        texts += [word.text.format(number)] if word.text else []
    if any(effect.startswith("formation_") for effect in effects):
        effects["formation"] = 1
    if any("cost=1" in each.split() for each in abilities) and "token" not in abilities:
        abilities.append("token")  # rules 3.6
    if len(abilities) > _MAX_ABILITIES:
        raise UserError(
            f"{where}: a card has at most {_MAX_ABILITIES} tap abilities, with gaining a token, not {len(abilities)}"
        )
    if dead := _dead(effects, abilities):
        raise UserError(f"{where}: {dead}")
    row |= {f"ability_{i + 1}": ability for i, ability in enumerate([*abilities, *[""] * _MAX_ABILITIES][:3])}
    return row | {"effects": " ".join(f"{name}={number}" for name, number in effects.items()), "text": " ".join(texts)}


def _dead(effects: Mapping[str, int], abilities: Sequence[str]) -> str:
    """Which part of a card can never work, and why; "" if there is none."""
    kinds = {each.split()[0] for each in abilities}
    if "flyer" in effects and "vanguard" in effects:
        return "a flyer can't have vanguard, since it is adjacent to nothing"
    if "flyer" in effects and "formation" in effects:
        return "a flyer can't have formation, since it is next to nothing"
    if "flyer" in effects and "across" in kinds:
        return "a flyer makes no strike across a row"
    for kind, words in _ROLLED.items():
        if f"{kind}_experience" in effects and not any(re.match(rf"{kind} \d-", each) for each in abilities):
            return f"experience in {words} needs a {kind} of three numbers, such as {kind} 1-2-3"
    if "incorporeal" in effects and ("regeneration" in effects or "opening_healing" in effects):
        return "nothing heals an incorporeal card: leave out regeneration and opening: healing"
    if ("token" in kinds or "opening_tokens" in effects) and not any("cost=1" in each.split() for each in abilities):
        return "no ability of the card costs a token, so it can't use those that it gains"
    return ""


def _keyword(item: str) -> tuple[Word, str] | None:
    """The keyword of an item and its number; None if it is an ability, or nothing that is known."""
    for word in CARD_WORDS:
        before, _, after = (word.word if "{}" in word.word else f"{word.word} {{}}").partition("{}")
        number = item[len(before) : len(item) - len(after)]
        if item == word.word or (item == before + number + after and number.isdigit()):
            return word, "" if item == word.word else number
    return None


def _ability(item: str, where: str) -> str:
    """A tap ability as the table has it: "shot 1-2-3, range 4" is "shot 1-2-3 range=4"."""
    first, *more = (each.strip() for each in item.split(","))
    if first == ATTACK_WORDS["TOKEN"]:
        if more:
            raise UserError(f"{where}: {first} has no range, strength or cost, such as {more[0][:30]!r}")
        return "token"
    known = (*_ATTACKS, *_INFLUENCES)
    kind = next((each for each in known if first.startswith(f"{ATTACK_WORDS[each]} ")), None)
    if kind is None:
        words = [each.word.replace("{}", "1") for each in CARD_WORDS] + [
            ATTACK_WORDS[each] for each in (*known, "TOKEN")
        ]
        near = difflib.get_close_matches(first.rstrip("-0123456789 "), words, 1)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise UserError(f"{where}: there is no keyword {item[:40]!r}{hint}")
    least = int(kind in _INFLUENCES)  # one that does nothing could never be declared (rules 5.6)
    strengths = _strength(first[len(ATTACK_WORDS[kind]) + 1 :], ATTACK_WORDS[kind], where, least)
    if kind == "HEAL" and len(strengths) > 1:
        raise UserError(f"{where}: heal must be one number, such as heal 2")
    parts = [kind.casefold(), "-".join(map(str, strengths))]
    for part in more:
        if part == "1 token":
            parts.append("cost=1")
        elif part.startswith("range ") and kind in (*_RANGED, *_INFLUENCES):
            nearest = 2 - least  # a ranged attack reaches no adjacent card (rules 5.2)
            parts.append(f"range={_number(part.removeprefix('range '), 'range', nearest, 9, where)}")
        elif part.startswith("range "):
            raise UserError(f"{where}: {ATTACK_WORDS[kind]} has no range: {_REACH[kind]}")
        else:
            raise UserError(f"{where}: {ATTACK_WORDS[kind]} can have a range and '1 token', not {part[:30]!r}")
    return " ".join(parts)


def _strength(text: str, what: str, where: str, least: int = 0) -> Sequence[int]:
    """One number, or three."""
    numbers = text.split("-")
    if len(numbers) not in (1, 3):
        raise UserError(f"{where}: {what} must be one number or three, such as 1-2-3, not {text[:30]!r}")
    return [_number(each, what, least, MAX_STRENGTH, where) for each in numbers]


def _number(text: str, what: str, least: int, most: int, where: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < len("100") and least <= int(text) <= most):
        raise UserError(f"{where}: {what} must be {least} to {most}, not {text[:30]!r}")
    return int(text)


def _read() -> tuple[list[Row], tuple[Path, ...]]:
    given = os.environ.get(VARIABLE)
    if not given:
        return [], ()
    path = Path(given)
    try:
        with path.open("rb") as file:
            return rows_of(file.read(MAX_TABLE + 1), given), (path,)
    except OSError as error:
        raise UserError(f"{VARIABLE}: {given} can't be read: {error.strerror}") from None


def digest_of(rows: list[Row]) -> str:
    """Return eight hex digits over rows of the card table."""
    return hashlib.sha256(repr([sorted(row.items()) for row in rows]).encode()).hexdigest()[:8]


ROWS, SOURCES = _read()  # SOURCES: files that what is compiled depends on (`core/compile/stamps.py`)
# Which cards there are beside those of the game, for replays and stores: empty without any.
DIGEST: Final = digest_of(ROWS) if ROWS else ""


def ids(members: Mapping[str, object]) -> dict[str, int]:
    """The ids of the cards, after those that a class body has so far. Raise UserError for a card that is there."""
    start = sum(isinstance(each, int) for each in members.values())
    if twice := next((row["title"] for row in ROWS if row["card"] in members), None):
        raise UserError(f"{os.environ[VARIABLE]}: {twice} is a card of the game; give it another name")
    return {row["card"]: start + number for number, row in enumerate(ROWS)}
